#!/bin/bash
# Parquet: files of every kind that pardup reads give what JSON lines with the same texts give, at 1, 2 and 4 ranks;
# other files are refused with a reason; export writes tables that can be read again.
. "$(dirname "$0")/lib.sh"
make="python3 $here/../support/make_parquet.py"

# Texts that copy each other, nulls, a text in a dictionary, an object with a field, letters of several bytes.
python3 - >docs.jsonl <<'END'
import json
def said(a, b): return " ".join(f"Sentence number w{k} speaks of x{k} and é{k} in its own words." for k in range(a, b))
for k in range(60):
    text = said(20 * k, 20 * k + 20) + " " + said(20 * (k // 3), 20 * (k // 3) + 8)
    row = {"id": k * 7 - 5, "text": text if k % 10 else "The same words. " * 9, "url": f"http://h{k % 4}.org/{k}",
           "meta": {"site": f"s{k % 3}"}, "flag": k % 2 == 0, "size": k / 4}
    if k % 14 == 3:
        row["text"] = None
    if k % 9 == 2:
        row["url"] = row["meta"] = None
    print(json.dumps(row))
END
types="--type id=int64 --type flag=boolean --type size=double"
grep -v '"text": null' docs.jsonl >rows.jsonl
run sentences --quiet docs.jsonl
exits "sentences of JSON lines" 0
mv out want

# same NAME OPTION...: the file that make_parquet.py makes has the documents of the JSON lines
same() {
    local name=$1
    shift
    $make $types "$@" docs.jsonl made.parquet || verdict "$name: it is made" false
    run sentences --quiet made.parquet
    exits "$name" 0
    verdict "$name: the same documents" cmp -s out want
}
few="--group-rows 17 --page-rows 5 --nested"
for page in 1 2; do
    same "plain, pages $page" --page $page
    same "snappy, pages $page" --page $page --codec snappy $few
    same "dictionaries, pages $page" --page $page --codec zstd --encoding dictionary $few
    same "Brotli, pages $page" --page $page --codec brotli $few
    same "LZ4, pages $page" --page $page --codec lz4 $few
    same "LZ4 without blocks, pages $page" --page $page --codec lz4-raw $few
    same "old dictionaries, pages $page" --page $page --codec gzip --encoding old-dictionary --group-rows 25
    same "differences, pages $page" --page $page --codec snappy --encoding delta $few
    same "lengths as differences, pages $page" --page $page --encoding delta-length $few
done

# ---- a few bytes that stand for many rows ----
for rows in 65000 100000; do
    yes '{"text": null}' | head -$rows >nulls.jsonl
    $make --codec gzip --group-rows $rows --page-rows $rows nulls.jsonl nulls.parquet
    verdict "$rows rows are a few bytes" [ "$(stat -c %s nulls.parquet)" -lt 1000 ]
    run text nulls.parquet
    said=$(grep -c 'more than 65,536 rows, and 64 for each byte of the file' err)
    verdict "$rows rows: refused or not" [ "$said" -eq $((rows > 70000)) ]
done

# ---- columns ----
ids() { "$PARDUP" sentences --quiet "$@" made.parquet | grep -o '^{"doc":"[^"]*"' | uniq | head -n 2 | tr -d '\n'; }
$make $types docs.jsonl made.parquet
verdict "a double as id" [ "$(ids --id-field size)" = '{"doc":"0"{"doc":"0.25"' ]
verdict "a truth value as id" [ "$(ids --id-field flag)" = '{"doc":"true"{"doc":"false"' ]
verdict "a field of an object as id" [ "$(ids --id-field meta.site)" = '{"doc":"s0"{"doc":"s1"' ]

run text --quiet --text-field content made.parquet
exits "a column that is not there" 1
one_error "a column that is not there"
says "a column that is not there" 'made.parquet: no column "content" (--text-field); its columns: id, text, url, meta, flag, size'
run text --quiet --id-field nr made.parquet
says "an id that is not there" 'no column "nr" (--id-field)'
run text --quiet --text-field size made.parquet
says "numbers as text" 'column "size" (--text-field) is of type DOUBLE, not a string'
$make $types --nested docs.jsonl made.parquet
run text --quiet --text-field tags made.parquet
says "a list as text" 'column "tags" (--text-field) is nested'
run text --quiet --text-field tags.list.element made.parquet
says "an item of a list as text" 'column "tags.list.element" (--text-field) is nested'
head -n 2 docs.jsonl >two.jsonl
$make $types --required --group-rows 1 two.jsonl made.parquet # no nulls in them: no levels
run sentences --quiet made.parquet
verdict "columns without nulls" cmp -s out <(head -n "$(wc -l <out)" want)
$make --type id=uint64 <(echo '{"id":18446744073709551615,"text":"One."}') made.parquet
verdict "a large id" [ "$(ids)" = '{"doc":"18446744073709551615"' ]

# What pyarrow reads of a value, as Python prints it: as an id, and as a field to keep.
while IFS='|' read -r type value want; do
    encoding=plain
    [ "${value:0:1}" = '"' ] && encoding=dictionary
    $make --type v=$type --encoding $encoding <(echo "{\"v\":$value,\"text\":\"One.\"}") made.parquet
    run sentences --id-field v made.parquet
    prints "$type $value: an id" "\"doc\":\"$want\""
    run detect --quiet --force --keep-fields v -o v.h5 made.parquet
    verdict "$type $value: a field" grep -qE "\"v\":\"?${want//+/.}\"?}" <(h5dump -d /documents/meta v.h5)
done <<'END'
date|1885|1975-03-01
day|-1|1969-12-31
day|-719162|0001-01-01
ms|163167630500|1975-03-04 12:20:30.500000+00:00
utc-us|-1|1969-12-31 23:59:59.999999+00:00
local-ns|1577836800000000001|2020-01-01 00:00:00.000000001
local-ns|0|1970-01-01 00:00:00
time-us|3723000004|01:02:03.000004
time-ms|0|00:00:00
cents|125|1.25
cents|-7|-0.07
cents|-2147483648|-21474836.48
decimal|"0x00000000000000000000000000000000"|0E-10
decimal|"0xfffffffffffffffffffffffffffffffe"|-2E-10
decimal|"0x7fffffffffffffffffffffffffffffff"|17014118346046923173168730371.5884105727
decimal|"0x80000000000000000000000000000000"|-17014118346046923173168730371.5884105728
uuid|"0x00112233445566778899aabbccddeeff"|00112233-4455-6677-8899-aabbccddeeff
half|"0x003e"|1.5
half|"0x0080"|-0
half|"0x007c"|inf
interval|"0x010000000200000003000000"|P1M2DT0.003S
int96|"0x00000000000000008c3d2500"|1970-01-01 00:00:00
odd|"0x6162636465"|abcde
END
$make --type id=huge <(echo "{\"id\":\"0x$(printf %080d 0)\",\"text\":\"One.\"}") made.parquet
run text made.parquet
exits "a decimal of 90 digits: bytes" 0
sed 's/"id": [^,]*,/"id": {"nr": "1"},/' docs.jsonl >nested.jsonl
$make $types nested.jsonl made.parquet
run text made.parquet
exits "an id that is nested" 1
says "an id that is nested" 'made.parquet: column "id" (--id-field) is nested: only columns of single values are read'

# ---- other files ----
unread() { # unread NAME FILE REASON
    run detect -o x.h5 "$2"
    exits "$1" 1
    says "$1" "$2: byte 0: a Parquet file: $3"
    absent "$1" x.h5
}
$make $types --codec snappy docs.jsonl made.parquet
head -c 3000 made.parquet >cut.parquet
unread "cut short" cut.parquet "cut short"
gzip -c made.parquet >packed.parquet
unread "compressed as a whole" packed.parquet "compressed as a whole"
$make $types --codec lzo docs.jsonl lzo.parquet
unread "LZO" lzo.parquet 'column "text" is compressed by LZO, which pardup does not read'
{ head -c -4 made.parquet; printf PARE; } >encrypted.parquet
unread "encrypted" encrypted.parquet encrypted
$make $types --encrypt text docs.jsonl secret.parquet
unread "a column that is encrypted" secret.parquet 'column "text" is encrypted'
{ printf 'PAR1\1'; tail -c +6 secret.parquet; } >first.parquet
unread "a first column that is encrypted" first.parquet 'column "text" is encrypted'
{ head -c -8 made.parquet; printf '\377\377\377\177PAR1'; } >long.parquet
unread "metadata longer than the file" long.parquet "metadata longer than the file"
run detect --quiet --skip-unknown -o x.h5 docs.jsonl lzo.parquet
exits "--skip-unknown" 0

# Damage in a page costs the rest of its row group, and is told.
$make $types --group-rows 20 --wrong-crc docs.jsonl crc.parquet
run detect -o x.h5 rows.jsonl crc.parquet
exits "wrong checksums" 0
says "wrong checksums" "crc.parquet: byte 4: column text: the checksum of a page before byte"
says "wrong checksums" "rows lost: 20; skipped (corrupt)"
verdict "wrong checksums: three row groups are listed" [ "$("$PARDUP" export --table skipped x.h5 | grep -c corrupt)" -eq 3 ]
run detect --strict -o x.h5 crc.parquet
exits "--strict" 1

# ---- jobs: the passages of the JSON lines, at any number of ranks ----
run detect --quiet -o j.h5 rows.jsonl
"$PARDUP" export j.h5 >want.tsv
verdict "there are passages" [ "$(wc -l <want.tsv)" -gt 20 ]
mkdir in
$make $types --codec snappy --encoding dictionary $few <(head -n 30 docs.jsonl) in/a.parquet
$make $types --codec zstd --page 2 --group-rows 3 <(tail -n 30 docs.jsonl) in/b.parquet
for np in 1 2 4; do
    run_np $np detect --quiet -o p$np.h5 in
    exits "detect at $np ranks" 0
    verdict "passages at $np ranks are those of JSON lines" cmp -s <("$PARDUP" export p$np.h5) want.tsv
    verdict "the result at $np ranks" "${PYTHON:-/usr/bin/python3}" "$here/../support/same_result.py" p1.h5 p$np.h5
done
run show --by-passage --limit 1 p1.h5
prints "show" "The same words."
run text --doc 9 in
prints "text --doc" "Sentence number w40 "
id=$("$PARDUP" export --table documents p1.h5 | sed -n 9p | cut -f1-4)
verdict "a document is at its row group and row ($id)" grep -qP '^51\t0\t4\t8$' <<<"$id"
run index -o sources rows.jsonl
run check --quiet --index sources -o c.h5 in
exits "check" 0
"$PARDUP" export --table decisions c.h5 >decided
verdict "check finds all sources" [ "$(awk -F'\t' 'NR > 1 && $3 == 1' decided | wc -l)" -gt 50 ]
run dedup -o new p1.h5
exits "dedup" 1
one_error "dedup"
says "dedup" "in/a.parquet: column \"element\" is compressed by LZO, which dedup does not write again: choose --as lists"
verdict "dedup leaves nothing" [ ! -e new ]
run dedup --list -o new p1.h5
exits "dedup --list" 0
run dedup --annotate -o notes p1.h5
exits "dedup --annotate" 0
run dedup --annotate -o notes.json j.h5
verdict "attributes are those of JSON lines" cmp -s <(cat notes/attributes/[ab].parquet.jsonl) notes.json/attributes/rows.jsonl
verdict "there are attributes" grep -q 'duplicate":\[\[' notes.json/attributes/rows.jsonl

mkdir both
cp in/a.parquet both/a.parquet
cp rows.jsonl both/a.parquet.jsonl
run detect --quiet -o both.h5 both
run dedup --annotate -o notes.both both.h5
exits "attributes of two files with one name" 2
says "attributes of two files with one name" "a.parquet.jsonl: two files of the collection would be written to this one"
absent "attributes of two files with one name" notes.both

# ---- columns to keep: as the fields of JSON lines ----
"${PYTHON:-/usr/bin/python3}" - >fields.jsonl <<'P'
import json
for n in range(40):
    print(json.dumps({"id": f"k{n}", "text": f"Text number {n}.", "ok": n % 2 == 0, "score": n + 0.25, "count": n - 7, "title": f"T\" {n}", "url": f"http://a.example/{n}"}))
P
$make --type ok=boolean --type score=double --type count=int64 fields.jsonl fields.parquet
keep="--keep-fields ok,score,count,title,id,none"
run detect --quiet --preset texts $keep -o fj.h5 fields.jsonl
run detect --quiet --preset texts $keep -o fp.h5 fields.parquet
exits "columns to keep" 0
verdict "columns are kept as fields are" cmp -s <(h5dump -d /documents/meta fj.h5 | tail -n +2) <(h5dump -d /documents/meta fp.h5 | tail -n +2)
verdict "columns are kept" grep -qF '"ok":false,"score":1.25,"count":-6,"title":' <(h5dump -d /documents/meta fp.h5)

# ---- names in other letters ----
sed 's/"text":/"TEXT":/; s/"id":/"Id":/' fields.jsonl >letters.jsonl
$make --type ok=boolean --type score=double --type count=int64 letters.jsonl letters.parquet
run sentences letters.parquet
exits "columns in other letters" 0
says "columns in other letters" "1 table has columns in other letters, as Text or ID: taken for text or id"
cp out letters
run sentences fields.parquet
verdict "columns in other letters: the same documents" cmp -s out letters

# ---- export ----
for table in passages pairs documents families members files; do
    run export --table $table --format parquet -o $table.parquet p1.h5
    exits "export of $table" 0
    present "export of $table" $table.parquet
done
run text --quiet --text-field id_b --id-field begin_a passages.parquet
exits "passages are read again" 0
verdict "the ids of passages" cmp -s <(grep -v '^$' out | grep -v '^==>') <(awk -F'\t' 'NR > 1 {print $NF}' want.tsv)
verdict "the offsets of passages" cmp -s <(grep -o '^==> [0-9]*' out | cut -c5-) <(awk -F'\t' 'NR > 1 {print $7}' want.tsv)
run export --table passages --format parquet p1.h5
verdict "export into a pipe" cmp -s out passages.parquet
script -qec "'$PARDUP' export --format parquet p1.h5" /dev/null >out 2>&1
prints "a terminal" "Parquet is not for a terminal"
run export --format parquet -o no/such/file p1.h5
exits "a folder that is not there" 1
one_error "a folder that is not there"
finish
