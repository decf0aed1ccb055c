#!/bin/bash
# The modules that read results from Python and from R. Each part is left out without h5py or hdf5r.
. "$(dirname "$0")/lib.sh"
export PYTHONDONTWRITEBYTECODE=1 MODULES="$here/../../scripts/modules"
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
PY
run detect -o texts.h5 texts
run detect -o rows.h5 --text-field body.text rows.jsonl
run detect -o packed.h5 --text-field body.text rows.jsonl.gz
run index -o index --preset texts texts/1.txt
run check --index index -o checked.h5 texts/2.txt
run detect -o page.h5 page.html texts/1.txt
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
with pardup.Result("../page.h5") as result:
    try:
        result.text(0)
    except ValueError as reason:
        assert "pardup text" in str(reason)
    else:
        raise AssertionError("text of a page")
PY
if "$PYTHON" -c 'import h5py' 2>/dev/null; then
    ran=1
    "$PYTHON" try.py >out 2>err
    verdict "Python" [ $? -eq 0 ]
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
reason <- tryCatch(pardup_text("../page.h5", 0), error = conditionMessage)
stopifnot(grepl("pardup text", reason))
R
if Rscript -e 'library(hdf5r)' >out 2>&1; then
    ran=1
    LC_ALL=C.UTF-8 Rscript try.R >out 2>err
    verdict "R" [ $? -eq 0 ]
else
    echo "no hdf5r: the module for R is not tried"
fi
[ $ran -eq 1 ] || exit 77
finish
