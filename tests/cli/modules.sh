#!/bin/bash
# The modules that run the program and read results from Python and from R. Each part is left out without h5py or hdf5r.
. "$(dirname "$0")/lib.sh"
export PYTHONDONTWRITEBYTECODE=1 MODULES="$here/../../scripts/modules" PARDUP
PYTHON=${PYTHON:-/usr/bin/python3}
mkdir texts
{ echo "Größe – 雨停了。"; sentences 1 9; } >shared
for k in 1 2 3; do
    { for n in 1 2 3 4 5; do echo "x$k$n yy$k$n zzz$k$n xy$k$n."; done; cat shared; } >texts/$k.txt
done
"$PYTHON" - <<'PY'
import gzip, json, pathlib
rows = "".join(json.dumps({"id": p.stem, "body": {"text": p.read_text()}}, ensure_ascii=p.stem == "2") + "\n"
               for p in sorted(pathlib.Path("texts").iterdir()))
pathlib.Path("rows.jsonl").write_text(rows)
pathlib.Path("rows.jsonl.gz").write_bytes(gzip.compress(rows.encode()))
pathlib.Path("page.html").write_text("<p>" + pathlib.Path("texts/1.txt").read_text() + "</p>")
pathlib.Path("old.txt").write_text(pathlib.Path("texts/1.txt").read_text().replace("雨停了。", ""), "cp1252")
pathlib.Path("mail.mbox").write_text("From a@example.org Mon Jan  1 00:00:00 2024\nFrom: a@example.org\nSubject: b\n"
                                     "Content-Type: text/plain; charset=utf-8\n\n" + pathlib.Path("texts/2.txt").read_text())
PY
run detect --preset texts -o texts.h5 texts
run detect --preset texts -o rows.h5 --text-field body.text rows.jsonl
run detect --preset texts -o packed.h5 --text-field body.text rows.jsonl.gz
run index -o index --preset texts texts/1.txt
run check --index index -o checked.h5 texts/2.txt
run detect -o page.h5 page.html texts/1.txt old.txt mail.mbox
run detect -o whole.h5 --method nikkhoo --tau 0.2 texts
mkdir elsewhere
cd elsewhere || exit 1 # texts are found from any folder
ran=0

cat >try.py <<'PY'
import os, sys
sys.path.insert(0, os.environ["MODULES"])
import pardup

shared = open("../shared").read().rstrip(".\n")  # a passage ends with a word

def place(columns, name, k):
    return list(columns[name])[k]

for name in "texts", "rows", "packed", "checked":
    with pardup.Result(f"../{name}.h5") as result:
        passages = result.passages()
        assert len(passages["doc_a"]) >= 1, name
        for k in range(len(passages["doc_a"])):
            for text in result.passage_text(k):
                assert text.rstrip(".") == shared, (name, text)
            assert place(passages, "id_a", k) != place(passages, "id_b", k), name
        families = result.families()
        assert sorted(set(families["members"])) == [2 if name == "checked" else 3], name
        if name == "checked":
            assert sorted(families["id"]) == ["texts/1.txt", "texts/2.txt"], list(families["id"])
        assert "雨停了" in result.text(0).decode(), name
        path = {"texts": "texts/1.txt", "rows": "rows.jsonl", "packed": "rows.jsonl.gz", "checked": "texts/2.txt"}[name]
        assert list(result.documents()["path"])[0] == path, name
with pardup.Result("../whole.h5") as result:
    passages, pairs = result.passages(), result.table("pairs")
    assert len(passages["doc_a"]) == len(pairs["doc_a"]) == 3
    assert all(0.2 <= x < 1 for x in pairs["resemblance"]), list(pairs["resemblance"])
    for k in range(3):
        for text, doc in zip(result.passage_text(k), (passages["doc_a"][k], passages["doc_b"][k])):
            assert text.startswith(f"x{int(doc) + 1}1 yy") and shared in text, text
with pardup.Result("../page.h5") as result:  # formats of which the program is asked for the text
    assert "雨停了" in result.text(0).decode()
    passages = result.passages(text=True)
    assert len(passages["text_a"]) >= 6
    for k in range(len(passages["text_a"])):
        assert result.passage_text(k) == (place(passages, "text_a", k), place(passages, "text_b", k)), k
        assert "Sentence number w1 speaks" in place(passages, "text_b", k), k
os.rename("../page.html", "../gone.html")
with pardup.Result("../page.h5") as result:
    try:
        result.text(0)
    except pardup.Error as reason:
        assert "page.html: No such file" in str(reason) and reason.status == 1, (reason, reason.status)
    else:
        raise AssertionError("text of a file that is gone")
os.rename("../gone.html", "../page.html")

# Jobs that are started from here. Each way to hand over texts finds the same passage.
texts = [open(f"../texts/{k}.txt").read() for k in (1, 2, 3)]
rows = [{"id": f"r{k}", "text": text, "author": f"A{k}", "year": 1990 + k, "id_of": None} for k, text in enumerate(texts)]
ways = [("../texts", ["../texts/1.txt", "../texts/2.txt", "../texts/3.txt"]), (texts, ["0", "1", "2"]),
        (rows, ["r0", "r1", "r2"]), (dict(zip("xyz", texts)), ["x", "y", "z"]), (iter(rows), ["r0", "r1", "r2"])]
if pardup.pandas:
    ways.append((pardup.pandas.DataFrame(rows), ["r0", "r1", "r2"]))
for way, ids in ways:
    with pardup.detect(way, preset="texts", quiet=True) as result:
        assert list(result.documents()["id"]) == ids, ids
        passages = result.passages(meta=True, text=True)
        assert len(passages["doc_a"]) == 3, way
        assert all(text.rstrip(".") == shared for text in result.passage_text(0)), way
        assert place(passages, "text_b", 2).rstrip(".") == shared
        if ids[0] == "r0":
            assert list(result.documents()["author"]) == ["A0", "A1", "A2"] and "id_of" not in result.documents()
            assert result.settings["keep_fields"] == "author,year", result.settings["keep_fields"]
            assert list(passages["year_b"]) == [1991, 1992, 1992], list(passages["year_b"])
        assert "3 passages in 3 pairs of 3 documents" in repr(result) and repr(result).startswith("<pardup.Result ")
        assert "<b>3 passages</b>" in result._repr_html_() and "Größe – 雨停了。" in result._repr_html_()
        kept = os.path.dirname(result.path)
    assert not os.path.exists(kept), "the temporary folder stays"
result = pardup.detect(rows, output="mine.h5", quiet=True, reproducible=True, gamma=3, keep_fields=["year"], idf=[0.1, 1], always_df=1000)
assert os.path.exists("mine.texts.jsonl") and "author" not in result.documents()
assert result.settings["reproducible"] if "reproducible" in result.settings else "command" not in result.settings
assert pardup.dedup(result, "clean", quiet=True, min_left=0.1).joinpath("mine.texts.jsonl").stat().st_size < os.path.getsize("mine.texts.jsonl")
result.close()
assert "closed" in repr(result)


def fails(kind, words, action, *arguments, **options):
    try:
        action(*arguments, **options)
    except kind as reason:
        assert words in str(reason), (words, str(reason))
        return reason
    raise AssertionError(f"no error: {words}")


fails(FileNotFoundError, "no such file", pardup.detect, ["a.txt", "b.txt"])
fails(FileNotFoundError, "a text goes into a list", pardup.detect, "some text")
fails(ValueError, "do not go into one list", pardup.detect, ["../texts", "some text"])
fails(ValueError, "strings and documents", pardup.detect, ["../texts", rows[0]])
fails(ValueError, "name it in text_field", pardup.detect, [{"body": "x"}])
reason = fails(pardup.Error, "--gamma x: expected", pardup.detect, texts, gamma="x", quiet=True, output="bad.h5")
assert reason.status == 2 and "pardup: error: " in reason.log and reason.command[1] == "detect"
assert not os.path.exists("bad.h5") and not os.path.exists("bad.texts.jsonl")
fails(pardup.Error, "no.index: No such file", pardup.Index, "no.index")

with pardup.index(rows[:1], "kept.index", preset="texts", quiet=True) as index:
    process = index._process.pid
    answer = index.check(texts[1])
    assert [p["source"] for p in answer["passages"]] == ["r0"], answer
    assert texts[1].encode()[answer["passages"][0]["begin_a"]:answer["passages"][0]["end_a"]].decode().rstrip(".") == shared
    assert [len(a["passages"]) for a in index.check([texts[1], "nothing of it", texts[2]])] == [1, 0, 1]
    assert index.check({"q": texts[1]})["q"]["id"] == "q" and index.check(rows[1])["id"] == "r1"
    assert index._process.pid == process and index._process.poll() is None
    with pardup.check(index, "../texts/2.txt", quiet=True) as result:
        assert list(result.passages()["id_b"]) == ["r0"]
        assert [text.rstrip(".") for text in result.passage_text(0)] == [shared] * 2
    index._process.kill()
    fails(pardup.Error, "ended", index.check, "x")
with pardup.detect([{**rows[0], "score": 1}, {**rows[1], "tags": ["a", "b"]}], quiet=True) as result:
    documents = result.documents()
    assert list(documents["year"]) == [1990, 1991] and documents["year"].dtype.kind == "i", documents["year"]
    assert place(documents, "score", 0) == 1 and place(documents, "score", 1) != place(documents, "score", 1)
    assert place(documents, "tags", 0) is None and place(documents, "tags", 1) == ["a", "b"]
fails(ValueError, "the index is closed", index.check, "x")
for row in rows[1:]:  # further sources, of which each has a file
    pardup.index([row], "kept.index", quiet=True, add=True).close()
assert os.path.exists("kept.sources-2.jsonl") and os.path.exists("kept.sources-3.jsonl")
with pardup.check("kept.index", [texts[0]], quiet=True) as result:
    assert list(result.passages(text=True)["id_b"]) == ["r0", "r1", "r2"]
    assert [result.passage_text(k)[1].rstrip(".") for k in (1, 2)] == [shared] * 2
os.environ["PARDUP"] = "no-such-program"
fails(pardup.Error, "no-such-program", pardup.detect, texts)
PY
if "$PYTHON" -c 'import h5py' 2>/dev/null; then
    ran=1
    "$PYTHON" try.py >out 2>err
    verdict "Python" [ $? -eq 0 ]
    sed -n '/^```python$/,/^```$/p' "$here/../../docs/python.md" | sed '/^```/d' >example.py
    PYTHONPATH=$MODULES "$PYTHON" example.py >out 2>err
    verdict "the example of docs/python.md for Python" [ $? -eq 0 -a -s example.py ]
    prints "the example for Python" "['a', 'b']"
    rm -rf ./*.h5 ./*.jsonl ./*.index clean clean.proof
    "$PYTHON" -c 'import sys; sys.modules["pandas"] = None; exec(open("try.py").read())' >out 2>err
    verdict "Python without pandas" [ $? -eq 0 ]
else
    echo "no h5py: the module for Python is not tried"
fi

cat >try.R <<'R'
source(file.path(Sys.getenv("MODULES"), "pardup.R"))
shared <- sub("[.]$", "", paste(readLines("../shared", encoding = "UTF-8"), collapse = "\n"))
names <- c("texts", "checked", if (requireNamespace("jsonlite", quietly = TRUE)) "rows")
for (name in names) {
  result <- sprintf("../%s.h5", name)
  passages <- pardup_passages(result)
  for (k in seq_len(nrow(passages)))
    for (text in pardup_passage_text(result, k))
      stopifnot(sub("[.]$", "", text) == shared)
  stopifnot(nrow(passages) >= 1, passages$id_a != passages$id_b)
  families <- pardup_families(result)
  stopifnot(families$members == if (name == "checked") 2 else 3)
  if (name == "checked") stopifnot(sort(families$id) == c("texts/1.txt", "texts/2.txt"))
  text <- rawToChar(pardup_text(result, 0))
  Encoding(text) <- "UTF-8"
  stopifnot(grepl("\u96e8\u505c\u4e86", text))
}
stopifnot(nrow(pardup_documents("../texts.h5")) == 3, nrow(pardup_table("../texts.h5", "pairs")) == 3)
passages <- pardup_passages("../whole.h5")
pairs <- pardup_table("../whole.h5", "pairs")
stopifnot(nrow(passages) == 3, nrow(pairs) == 3, pairs$resemblance >= 0.2, pairs$resemblance < 1)
for (k in 1:3)
  stopifnot(startsWith(pardup_passage_text("../whole.h5", k), paste0("x", c(passages$doc_a[k], passages$doc_b[k]) + 1, "1 yy")))
page <- pardup_text("../page.h5", 0) # the program is asked for it
page <- rawToChar(page)
Encoding(page) <- "UTF-8"
stopifnot(grepl("\u96e8\u505c\u4e86", page))
for (text in pardup_passage_text("../page.h5", 1)) stopifnot(grepl("Sentence number w1 speaks", text))

# Jobs that are started from here.
fails <- function(words, job) {
  reason <- tryCatch({
    job
    "no error"
  }, error = conditionMessage)
  if (!grepl(words, reason, fixed = TRUE)) stop(words, " is not in: ", reason)
}
result <- pardup_detect("../texts", preset = "texts", quiet = TRUE)
stopifnot(nrow(pardup_passages(result)) == 3)
fails("--gamma x: expected", pardup_detect("../texts", gamma = "x", quiet = TRUE))
fails("no such file", pardup_detect("nothing.txt", quiet = TRUE))
if (requireNamespace("jsonlite", quietly = TRUE)) {
  texts <- vapply(1:3, function(k) paste(readLines(sprintf("../texts/%d.txt", k), encoding = "UTF-8"), collapse = "\n"), "")
  rows <- data.frame(id = c("r0", "r1", "r2"), text = texts, author = c("A", NA, "C"), year = 1990:1992)
  result <- pardup_detect(rows, "mine.h5", preset = "texts", quiet = TRUE, idf = c(0.1, 1))
  stopifnot(pardup_documents(result)$author[c(1, 3)] == c("A", "C"), is.na(pardup_documents(result)$author[2]))
  passages <- pardup_passages(result, text = TRUE, meta = TRUE)
  stopifnot(nrow(passages) == 3, passages$year_b == c(1991, 1992, 1992))
  stopifnot(passages$text_b[3] == pardup_passage_text(result, 3)[2], sub("[.]$", "", passages$text_a[1]) == shared)
  pardup_dedup(result, "clean", quiet = TRUE)
  stopifnot(file.size("clean/mine.texts.jsonl") < file.size("mine.texts.jsonl"))
  stopifnot(pardup_passages(pardup_detect(setNames(texts, c("x", "y", "z")), preset = "texts", quiet = TRUE))$id_a == c("x", "x", "y"))
  fails("do not go into one vector", pardup_detect(c("../texts", "some text"), quiet = TRUE))
  index <- pardup_index(rows[1, ], "kept.index", preset = "texts", quiet = TRUE)
  answers <- pardup_check(index, c(a = texts[2], b = "nothing of it"))
  stopifnot(answers$a$passages$source == "r0", length(answers$b$passages) == 0)
  fails("No such file", pardup_check("no.index", texts))
  for (k in 2:3) pardup_index(rows[k, ], "kept.index", quiet = TRUE, add = TRUE)
  stopifnot(pardup_check("kept.index", texts[1])[[1]]$passages$source == c("r0", "r1", "r2"), file.exists("kept.sources-3.jsonl"))
}
R
if Rscript -e 'library(hdf5r)' >out 2>&1; then
    ran=1
    rm -rf ./*.h5 ./*.jsonl ./*.index clean clean.proof
    LC_ALL=C.UTF-8 Rscript try.R >out 2>err
    verdict "R" [ $? -eq 0 ]
    sed -n '/^```r$/,/^```$/p' "$here/../../docs/python.md" | sed '/^```/d' >example.R
    cp "$MODULES/pardup.R" .
    if Rscript -e 'library(jsonlite)' >out 2>&1; then
        LC_ALL=C.UTF-8 Rscript example.R >out 2>err
        verdict "the example of docs/python.md for R" [ $? -eq 0 -a -s example.R ]
        prints "the example for R" '"a" "b"'
    fi
else
    echo "no hdf5r: the module for R is not tried"
fi
[ $ran -eq 1 ] || exit 77
finish
