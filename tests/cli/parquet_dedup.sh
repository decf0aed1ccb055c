#!/bin/bash
# dedup writes Parquet files: texts, ids and other columns are what dedup leaves of JSON lines with the same documents, at 1,
# 2 and 4 ranks, lists too; row groups in which nothing changes are copied as they are; damaged pages are refused.
. "$(dirname "$0")/lib.sh"
make="${PYTHON:-/usr/bin/python3} $here/../support/make_parquet.py"
types="--type nr=int64 --type flag=boolean --type size=double"
columns="--keep-fields nr,flag,size,meta.site,url"

# Whole copies, copied parts, nulls in each column, a row without a text.
"${PYTHON:-/usr/bin/python3}" - <<'END'
import json
def said(a, b): return " ".join(f"Sentence number w{k} speaks of x{k} and é{k} in its own words." for k in range(a, b))
out = [open("a.jsonl", "w"), open("b.jsonl", "w")]
for k in range(80):
    text = said(20 * k, 20 * k + 20)
    if k % 8 == 3:
        text = said(20 * (k // 2), 20 * (k // 2) + 20)
    elif k % 8 == 6:
        text = said(20 * (k // 3), 20 * (k // 3) + 8) + "\n" + text
    row = {"id": f"d{k}", "text": text, "nr": None if k % 9 == 4 else k - 5, "flag": None if k % 5 == 2 else k % 3 == 0,
           "size": None if k % 7 == 1 else k / 4 + 0.125, "url": None if k % 11 == 5 else f"http://h{k % 4}.org/{k}",
           "meta": None if k % 10 == 6 else {"site": f"s{k % 3}"}}
    if k == 77:
        row["text"] = None
    print(json.dumps(row), file=out[k >= 40])
END
mkdir json
cp a.jsonl b.jsonl json
run detect --quiet -o j.h5 json
exits "detect on JSON lines" 0
run dedup -o json.new j.h5
exits "dedup of JSON lines" 0

# facts FOLDER: texts, ids and values of columns of the documents in it
facts() {
    "$PARDUP" text --quiet "$1" | sed 's/\.jsonl\|\.parquet//'
    rm -f facts.h5
    "$PARDUP" detect --quiet $columns -o facts.h5 "$1"
    h5dump -d /documents/meta facts.h5 | tail -n +2
}
facts json.new >want
verdict "documents and parts of them went" [ "$(grep -c '^==>' want)" -lt 75 -a "$(grep -c 'w160 ' want)" -eq 1 ]
verdict "there are values of columns" grep -q '"nr":-5,"flag":true,"size":0.125,"meta.site":"s0"' want

# same NAME OPTION...: of files that make_parquet.py makes the same is left
same() {
    local name=$1
    shift
    rm -rf in p.h5 new new.proof
    mkdir in
    $make $types "$@" a.jsonl in/a.parquet && $make $types "$@" b.jsonl in/b.parquet || verdict "$name: they are made" false
    run detect --quiet -o p.h5 in
    run dedup -o new p.h5
    exits "$name" 0
    facts new >got
    verdict "$name: the same documents and columns" cmp -s got want
}
same "plain" --page 1
same "snappy, dictionaries" --page 1 --codec snappy --encoding dictionary --group-rows 7 --page-rows 5
same "gzip, differences" --page 2 --codec gzip --encoding delta --group-rows 16
same "zstd, lengths" --page 2 --codec zstd --encoding delta-length --group-rows 9 --page-rows 4
# lists NAME OPTION...: the same with a column of lists, which stay with their rows
lists() {
    same "$@" --lists
    for file in a b; do
        "${PYTHON:-/usr/bin/python3}" - "$here/../support" $file >marks <<'END'
import json, sys
sys.path.insert(0, sys.argv[1])
from make_parquet import marks
with open(f"json.new/{sys.argv[2]}.jsonl") as left:
    ids = {json.loads(line)["id"] for line in left}
with open(f"{sys.argv[2]}.jsonl") as rows:
    for k, row in enumerate(map(json.loads, rows)):
        if row["id"] in ids or row["text"] is None:
            print(json.dumps(marks(k)))
END
        "${PYTHON:-/usr/bin/python3}" "$here/../support/parquet_lists.py" new/$file.parquet >left
        verdict "$1: lists of $file" cmp -s left marks
    done
}
lists "lists" --page 1 --page-rows 6
lists "lists, version 2" --page 2 --page-rows 9 --group-rows 17
same "a row a group" --codec zstd --group-rows 1

# ---- row groups: what does not change is copied; one that loses all rows is gone ----
for np in 2 4; do
    run_np $np dedup -o new$np p.h5
    exits "dedup at $np ranks" 0
    verdict "the same bytes at $np ranks" same_jobs new new$np
done
first=$(cmp in/a.parquet new/a.parquet | sed 's/.*byte \([0-9]*\),.*/\1/')
verdict "what comes before the first change stays ($first)" [ "$first" -gt 1000 ]
verdict "the file is smaller" [ "$(stat -c %s new/a.parquet)" -lt "$(stat -c %s in/a.parquet)" ]
run text --quiet --doc d1 new/a.parquet
exits "a document of it" 0
mkdir one
$make $types a.jsonl one/a.parquet
$make $types <(head -n 3 b.jsonl) one/b.parquet
run detect --quiet -o one.h5 one/b.parquet
run dedup -o one.new one.h5
verdict "a file in which nothing changes" cmp -s one/b.parquet one.new/b.parquet
cp one/b.parquet one/c.parquet
run detect --quiet -o all.h5 one/b.parquet one/c.parquet
run dedup -o all.new all.h5
exits "a file that loses all rows" 0
run text --quiet all.new/c.parquet
verdict "a file that loses all rows has its metadata" [ "$(head -c 4 all.new/c.parquet)$(tail -c 4 all.new/c.parquet)" = PAR1PAR1 -a ! -s out ]

# ---- what is refused ----
refused() { # refused NAME REASON
    run dedup -o no p.h5
    exits "$1" 1
    one_error "$1"
    says "$1" "$2"
}
rm -rf in p.h5
mkdir in
$make $types --nested a.jsonl in/a.parquet
run detect --quiet -o p.h5 in
refused "a column that is not read" 'in/a.parquet: column "element" is compressed by LZO, which dedup does not write again: choose --as lists'
verdict "a column that is not read: nothing is left" [ ! -e no -a ! -e no.proof ]
rm p.h5
$make $types --codec zstd a.jsonl in/a.parquet
run detect --quiet -o p.h5 in
# The values of another column are damaged, which detect does not see: their checksum is wrong.
"${PYTHON:-/usr/bin/python3}" - <<'END'
data = bytearray(open("in/a.parquet", "rb").read())
at = len(data) - 8 - int.from_bytes(data[-8:-4], "little") - 3
data[at] ^= 1
open("in/a.parquet", "wb").write(data)
END
refused "a damaged page" 'in/a.parquet: column "'
verdict "a damaged page: no file is there" [ ! -e no/a.parquet ]
finish
