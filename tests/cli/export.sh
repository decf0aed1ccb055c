#!/bin/bash
# export: cells that need quoting, output files, rows in the order of a column, texts of passages, offsets in characters.
# An export of the same table in another way, or Python's csv and json modules, say what is expected.
. "$(dirname "$0")/lib.sh"

# Ids with all that a table must not take for its own: commas, quotes, line ends, formulas.
python3 - >docs.jsonl <<'END'
import json
def said(a, b): return " ".join(f"Sentence number w{k} speaks of x{k} and é{k} in its own words." for k in range(a, b))
def rare(a, b): return " ".join(" ".join(chr(97 + (k * 7 + j * j * (k + 3)) % 26) * 2 + chr(97 + (k * k + j * 5) % 26)
                                         + chr(97 + (k + j * 11) % 26) for j in range(9)).capitalize() + "." for k in range(a, b))
ids = ["plain", "a,b", 'say "so"', "two\nlines", "=1+1", "-x, y", "back\\slash", "esc\x1b[31m"]
print(json.dumps({"id": "alone", "text": rare(0, 12)}))  # in no family of documents
for k, name in enumerate(ids * 2):
    text = said(40 * k, 40 * k + 8 + k % 5) + " " + said(9000, 9006 + (k * 7) % 11)
    print(json.dumps({"id": name + (str(k) if k >= len(ids) else ""), "text": text}))
for k, name in enumerate(["one", "other"]):  # a second family
    print(json.dumps({"id": name, "text": rare(100 + k, 130)}))
END
run detect --quiet -o out.h5 docs.jsonl
exits "a result" 0

# ---- csv ----
for table in passages documents files; do
    run export --format csv --table $table out.h5
    exits "csv of $table" 0
    mv out $table.csv
    run export --table $table out.h5
    verdict "csv of $table has the cells of tsv" python3 - $table.csv out <<'END'
import csv, sys
raw = open(sys.argv[1], "rb").read()
rows = list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))
tsv = [line.split("\t") for line in open(sys.argv[2], newline="", encoding="utf-8").read().split("\n")[:-1]]
sys.exit(not (rows == tsv and len(rows) > 1 and raw.count(b"\r\n") == raw.count(b"\n") == raw.count(b"\r") == len(rows)))
END
done
# Cells as a spreadsheet must get them: quoted, control characters escaped, and no formula at the beginning.
cells() { verdict "documents.csv: $1" grep -qF -- "$1" documents.csv; }
cells '"a,b",'
cells '"say ""so""",'
cells 'two\nlines,'
cells '\=1+1,'
cells '"\-x, y",'
cells 'back\\slash,'
cells 'esc\x1b[31m,'

# ---- into a file ----
for ending in csv jsonl parquet tsv; do
    run export --format $ending --table documents out.h5
    mv out printed
    run export --table documents -o rows.$ending out.h5
    exits "into a file: $ending" 0
    verdict "into a file: $ending is what is printed, and the ending says so" cmp -s printed rows.$ending
    verdict "into a file: $ending prints nothing" [ ! -s out ]
    present "into a file: $ending" rows.$ending
done
run export --table documents --format tsv -o tabs.csv out.h5
verdict "--format wins over the ending" cmp -s rows.tsv tabs.csv
run export --text 10 -o rows.csv none.h5
exits "no such result" 1
verdict "a file stays when there is no result" grep -q '"say ""so""",' rows.csv
run export -o no/folder.csv out.h5
exits "no such folder" 1
one_error "no such folder"
mkfifo pipe
run export -o pipe out.h5
exits "into a pipe" 1
one_error "into a pipe"
says "into a pipe" "pipe: is not a regular file"
verdict "a pipe stays one" [ -p pipe ]

# ---- order ----
# sorted_by TABLE COLUMN[:desc]: the rows are those of the table, in the order that Python's stable sort gives
sorted_by() {
    run export --format jsonl --table "$1" out.h5
    mv out plain
    run export --format jsonl --table "$1" --sort "$2" out.h5
    exits "--sort $2" 0
    verdict "$1 by $2" python3 - plain out "$2" <<'END'
import json, sys
plain, given = ([json.loads(line) for line in open(name)] for name in sys.argv[1:3])
column, down = sys.argv[3].split(":")[0], sys.argv[3].endswith(":desc")
key = lambda row: row[column].encode() if isinstance(row[column], str) else row[column]
want = sorted((row for row in plain if row[column] is not None), key=key, reverse=down)
want += [row for row in plain if row[column] is None]
sys.exit(not (given == want and (want != plain or column in ("doc_a", "resemblance"))))
END
}
for by in matched matched:desc agreement:desc id_b id_b:desc family:desc doc_a; do
    sorted_by passages $by
done
# Rows that take more memory than there is go to a file: the grant of Slurm counts as a limit.
python3 -c 'import json
for n in range(20000): print(json.dumps({"id": f"many{n}", "text": f"Text {n}."}))' >many.jsonl
run detect --quiet -o many.h5 many.jsonl
mkdir tmp
for by in id:desc words; do
    run export --table documents --sort $by many.h5
    cp out whole
    SLURM_MEM_PER_NODE=4 TMPDIR=$PWD/tmp run export --table documents --sort $by many.h5
    exits "--sort $by with little memory" 0
    verdict "--sort $by with little memory: the same rows" cmp whole out
    verdict "--sort $by: nothing is left" [ -z "$(ls tmp)" ]
done
SLURM_MEM_PER_NODE=4 TMPDIR=$PWD/none run export --table documents --sort id many.h5
exits "--sort without room" 1
one_error "--sort without room"
says "--sort without room" "none"
# Ids that differ far behind their beginning.
python3 -c 'import json, random
rng = random.Random(3)
for n in range(500):
    name = rng.choice("ab") * rng.randrange(70, 300) + rng.choice(("", "z", "\u00e4"))
    print(json.dumps({"id": f"{name}{rng.randrange(9)}" + "x" * rng.randrange(3) + f"-{n}", "text": "A."}))' >long.jsonl
run detect --quiet -o long.h5 long.jsonl
for by in id id:desc; do
    run export --format jsonl --table documents --sort $by long.h5
    exits "long ids, $by" 0
    verdict "long ids, $by: in order" python3 - out $by <<'END'
import json, sys
ids = [json.loads(line)["id"].encode() for line in open(sys.argv[1])]
sys.exit(len(ids) != 500 or ids != sorted(ids, reverse=sys.argv[2] == "id:desc"))
END
done
sorted_by documents id
sorted_by documents words:desc
sorted_by documents family
sorted_by pairs resemblance
run export --format csv --table common --sort df out.h5
exits "a table without rows" 0
run export --sort no_such out.h5
exits "an unknown column" 2
one_error "an unknown column"
says "an unknown column" '/passages has no column "no_such"; its columns: doc_a doc_b start_a'
says "an unknown column" 'family id_a id_b'
run export --format jsonl --table members out.h5
verdict "members: ids of their documents" python3 - out <<'END'
import json, sys
ids = [json.loads(line)["id"] for line in open("docs.jsonl")]
rows = [json.loads(line) for line in open(sys.argv[1])]
sys.exit(not rows or any(row["id"] != ids[row["doc"]] for row in rows))
END
run export --table documents --sort id_a out.h5
exits "ids of a table that has none" 2
run export --sort matched:up out.h5
exits "an unknown direction" 2
says "an unknown direction" "COLUMN or COLUMN:desc is expected"
run export --format parquet --sort matched -o rows.parquet out.h5
exits "parquet in order" 0
run sentences --quiet --id-field matched --text-field id_a rows.parquet
verdict "parquet has the order" sh -c 'sed "s/^{\"doc\":\"\([0-9]*\)\".*/\1/" out | uniq | sort -nc && [ -s out ]'

# ---- texts, and offsets in characters ----
run export --format jsonl out.h5
mv out bytes.jsonl
run export --format jsonl --table members out.h5
mv out members.jsonl
run export --format jsonl --text 59 --offsets chars out.h5
exits "texts and characters" 0
mv out chars.jsonl
run export --format jsonl --table members --offsets chars out.h5
exits "members in characters" 0
verdict "texts and characters are those of the documents" python3 - bytes.jsonl chars.jsonl members.jsonl out <<'END'
import json, sys
texts = [json.loads(line)["text"] for line in open("docs.jsonl")]
by_bytes, by_chars, in_bytes, in_chars = ([json.loads(line) for line in open(name)] for name in sys.argv[1:])
def same(doc, begin, end, chars, text=None):
    raw = texts[doc].encode()[begin:end]
    return raw.decode() == texts[doc][chars[0]:chars[1]] and text in (None, raw[:59].decode(errors="ignore"))
good = len(by_bytes) == len(by_chars) and len(in_bytes) == len(in_chars) > 1
for a, b in zip(by_bytes, by_chars):
    for s in "ab":
        good &= same(a["doc_" + s], a["begin_" + s], a["end_" + s], (b["begin_" + s], b["end_" + s]), b["text_" + s])
for a, b in zip(in_bytes, in_chars):
    good &= same(a["doc"], a["begin"], a["end"], (b["begin"], b["end"]))
cut = {len(row["text_" + s].encode()) for row in by_chars for s in "ab"}
sys.exit(not (good and by_bytes != by_chars and cut == {58, 59}))
END
for format in tsv csv; do
    run export --format $format --text 59 --offsets chars --sort begin_b:desc out.h5
    exits "texts as $format" 0
    verdict "texts as $format" python3 - $format chars.jsonl out <<'END'
import csv, json, sys
rows = csv.DictReader(open(sys.argv[3], newline="", encoding="utf-8"), delimiter="\t" if sys.argv[1] == "tsv" else ",")
want = sorted((json.loads(line) for line in open(sys.argv[2])), key=lambda row: -row["begin_b"])
names = ("doc_a", "doc_b", "begin_a", "end_b", "text_a", "text_b")
sys.exit([[str(row[name]) for name in names] for row in want] != [[row[name] for name in names] for row in rows])
END
done
run export --format parquet --text 59 -o rows.parquet out.h5
exits "texts as parquet" 0
run text --quiet --id-field doc_a --text-field text_b rows.parquet
verdict "texts as parquet" [ "$(grep -c 'Sentence number' out)" -gt 1 ]
run export --text 9 --table pairs out.h5
exits "texts of pairs" 2
run export --offsets chars --table documents out.h5
exits "characters of documents" 2
sed -i 's/words/lords/' docs.jsonl
for asked in "--text 9" "--offsets chars" "--offsets chars --table members"; do
    run export $asked out.h5
    exits "a text that has changed, $asked" 1
    one_error "a text that has changed, $asked"
    says "a text that has changed, $asked" "has changed since the result was made"
done
# ---- a signal leaves nothing of the file ----
text=$(sentences 1 60 | tr '\n' ' ')
for k in $(seq 100); do echo "{\"id\":\"d$k\",\"text\":\"$text\"}"; done >copies.jsonl
run detect --quiet -o copies.h5 copies.jsonl
"$PARDUP" export --text 5000 -o stopped.csv copies.h5 2>err &
job=$!
for _ in $(seq 400); do [ -s stopped.csv.part ] && break; sleep 0.01; done
kill -TERM $job
wait $job
status=$?
exits "SIGTERM" 143
absent "SIGTERM" stopped.csv
run export -o stopped.csv copies.h5
present "after SIGTERM" stopped.csv


# ---- endings that name no format ----
for name in rows.xlsx rows.json sub.d/rows.h5; do
    run export -o "$name" out.h5
    exits "export -o $name" 2
    says "export -o $name" "no format has the ending .${name##*.}: expected .tsv, .txt, .csv, .jsonl, .parquet"
    absent "export -o $name" "$name"
done
mkdir -p sub.d
for name in sub.d/rows rows.TSV rows.txt; do
    run export -o "$name" out.h5
    exits "export -o $name" 0
    verdict "export -o $name: tabs" grep -q "	" "$name"
done
run export --format csv -o rows.xlsx out.h5
exits "a format beats the ending" 0
run export -o rows2.CSV out.h5
verdict "an ending in capitals" cmp rows.xlsx rows2.CSV
finish
