#!/bin/bash
# Tables, .csv and .tsv: what they hold is what the same documents as JSON lines hold, and dedup writes them again as Python reads them.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONPATH=$here/../support PYTHONDONTWRITEBYTECODE=1

# The same documents as lines.jsonl and as tables in several dialects; three documents a file.
mkdir tables
"$PYTHON" - <<'P'
import csv, json, random
import random_collection as made
rng = random.Random("tables")
docs = []
for number, (_, paragraphs) in enumerate(made.documents(7, 60, near=True)):
    text = "\n".join(made.as_text([p]) for p in paragraphs)
    if number % 4 == 0:
        text = text.replace(" ", ' "', 1).replace(".", '.",', 1)
    docs.append({"id": f"d,{number}" if number % 5 == 0 else f"d{number}", "text": text, "author": f'A. "{number % 3}"', "url": f"http://h{number % 4}.example/{number}"})
dialects = {"a.csv": {}, "b.tsv": {"delimiter": "\t"}, "c.csv": {"delimiter": ";", "lineterminator": "\n"}, "d.csv": {"quoting": csv.QUOTE_ALL}}
with open("lines.jsonl", "w") as lines:
    for k, (name, dialect) in enumerate(dialects.items()):
        mine = docs[k::4]
        order = ["id", "text", "author", "url"]
        rng.shuffle(order)
        with open(f"tables/{name}", "w", newline="", encoding="utf-8-sig" if k == 3 else "utf-8") as f:
            out = csv.DictWriter(f, order, **dialect)
            out.writeheader()
            out.writerows(mine)
        for d in mine:
            lines.write(json.dumps(d) + "\n")
P
gzip tables/d.csv
job=(detect --preset texts --gamma 1 --keep-fields author)
run "${job[@]}" -o lines.h5 lines.jsonl
exits "lines" 0
run "${job[@]}" -o tables.h5 tables
exits "tables" 0
says "tables" "documents                      60"
columns() { "$PYTHON" -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")): print([row[c] for c in sys.argv[2:]])' "$@"; }
for h5 in lines tables; do
    run export --format csv --table documents -o $h5.documents.csv $h5.h5
    columns $h5.documents.csv id sentences words text_hash meta url host >$h5.documents
    run export --format csv -o $h5.passages.csv $h5.h5
done
verdict "the same documents" cmp lines.documents tables.documents
verdict "the same passages" cmp lines.passages.csv tables.passages.csv
verdict "there are passages" [ "$(wc -l <tables.passages.csv)" -gt 20 ]
run_np 3 "${job[@]}" -o three.h5 tables
run export --format csv -o three.passages.csv three.h5
verdict "three ranks: the same passages" cmp three.passages.csv tables.passages.csv

# ---- dedup: all other columns stay, and the texts are those of the lines ----
run dedup -o lines.out lines.h5
run_np 2 dedup -o tables.out tables.h5
exits "dedup" 0
run dedup --annotate -o notes tables.h5
verdict "--annotate: a line for each row" [ "$(cat notes/attributes/[abc]* | wc -l)" -eq 45 ]
gunzip tables/d.csv.gz tables.out/d.csv.gz
"$PYTHON" - >judged <<'P'
import csv, json
csv.field_size_limit(1 << 30)
lines = [json.loads(line) for line in open("lines.out/lines.jsonl")]
want, got, cut = {d["id"]: d for d in lines}, {}, 0
for name, mark in (("a.csv", ","), ("b.tsv", "\t"), ("c.csv", ";"), ("d.csv", ",")):
    before, after = (list(csv.DictReader(open(f"{folder}/{name}", newline="", encoding="utf-8-sig"), delimiter=mark)) for folder in ("tables", "tables.out"))
    by_id = {row["id"]: row for row in before}
    for row in after:
        assert {**by_id[row["id"]], "text": None} == {**row, "text": None}, row
        cut += row["text"] != by_id[row["id"]]["text"]
        got[row["id"]] = row
assert got == want and list(got) == [d["id"] for d in lines] and cut > 5, (len(got), len(want), cut)
print("good")
P
verdict "dedup: as Python reads it" grep -qx good judged

# ---- fields, other files ----
printf 'key;body\nx;%s\ny;%s\n' "$(sentences 1 9 | tr '\n' ' ')" "$(sentences 1 9 | tr '\n' ' ')" >other.csv
run detect --id-field key --text-field body -o other.h5 other.csv
exits "other names" 0
run export --table documents other.h5
prints "other names" "$(printf 'x\t0\t9\t')"
run text --doc y --format csv --text-field body --id-field key other.csv
verdict "other names: text" [ "$(cat out)" = "$(sentences 1 9 | tr '\n' ' ' | sed 's/ $//')" -o "$(cat out)" = "$(sentences 1 9 | tr '\n' ' ')" ]
run text --format csv other.csv
exits "no such column" 1
one_error "no such column"
says "no such column" 'other.csv: no column "text" in its first row (--text-field): key;body'
printf 'id,text\nx,One.\n' | gzip >UPPER.CSV.GZ
run sentences UPPER.CSV.GZ
prints "a name in capitals" '{"doc":"x",'
run text other.csv
verdict "a table without a text is a plain text" cmp -s out other.csv
mkdir bodies
for k in 1 2; do printf 'id,body\na,"%s"\n' "$(sentences 1 9 | tr '\n' ' ')" >bodies/$k.csv; done
sentences 1 20 >bodies/3.txt
printf '"One line."\n["Another one."]\n' >bodies/lines.jsonl
printf 'id,text\na,"One.\n' >bodies/quote.csv
printf 'id,text\na,One.\n' | iconv -t UTF-16 >bodies/wide.csv
printf '{"body": "One."}\n' >bodies/objects.jsonl
printf '' >bodies/empty.csv
run_np 2 detect -o bodies.h5 bodies
exits "tables without a text" 0
says "tables without a text" 'warning: 5 files named as tables or JSON lines (.csv, .tsv, .jsonl, .ndjson) were read as plain text: no column or field "text" (--text-field), or a broken beginning'
rm bodies/lines.jsonl bodies/quote.csv bodies/wide.csv
run detect --text-field body -o bodies.h5 bodies
verdict "tables with a text: no warning" [ "$(grep -c 'read as plain text' err)" -eq 0 ]
printf 'id,text\na,One.\nb,"Two" x\nc,d,e\nf,Three.\n' >broken.csv
run text broken.csv
verdict "a file with broken rows at its beginning is a plain text" cmp -s out broken.csv
run text --format csv broken.csv
says "broken rows" "broken.csv: byte 15: text behind the closing quote of a value; skipped (corrupt)"
says "broken rows" "broken.csv: byte 25: 3 values, but the first row names 2 columns; skipped (corrupt)"
verdict "broken rows: the others are read" [ "$(grep -c -e One -e Three out)" -eq 2 ]
run sentences --format csv --id-field nothing broken.csv
exits "no column for the id" 1
finish
