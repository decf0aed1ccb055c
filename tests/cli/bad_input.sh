#!/bin/bash
# Bad input: what cannot be read at all is one clear line and no output file; what is damaged is
# skipped, told with file and offset, counted and listed.
. "$(dirname "$0")/lib.sh"

fail_with() { # fail_with WHAT-IT-SAYS ARGUMENT...: exit 1, one line, nothing left; alone and on 3 ranks
    local words=$1
    shift
    rm -f x.h5
    run detect -o x.h5 "$@"
    exits "$*" 1
    says "$*" "$words"
    one_error "$*"
    absent "$*" x.h5
    run_np 3 detect -o x.h5 "$@"
    exits "$* (3 ranks)" 1
    says "$* (3 ranks)" "$words"
    one_error "$* (3 ranks)"
    absent "$* (3 ranks)" x.h5
}

# ---- nothing to read, nowhere to write ----
mkdir empty
fail_with "missing.txt: No such file or directory" missing.txt
fail_with "empty: no files in it" empty
fail_with "list: No such file or directory" --files-from list
printf '%s\n' missing-too.txt >list
fail_with "missing-too.txt: No such file or directory" --files-from list
run detect -o nowhere/x.h5 .
exits "no output folder" 1
says "no output folder" "nowhere/x.h5: cannot be written: No such file or directory"
mkdir folder
run detect -o folder .
exits "output is a folder" 1
says "output is a folder" "folder: cannot be written"
sentences 1 9 >some.txt
deep=$(printf "/$(printf 'd%.0s' $(seq 240))%.0s" $(seq 17)) # 4,097 bytes: no path can be longer than 4,095
for bytes in 3980 4050 4090 4097; do
    fail_with "path too long for scratch (another place: --scratch)" --scratch "${deep:0:bytes}" some.txt
done
if [ "$(id -u)" -ne 0 ]; then
    sentences 1 9 >secret.txt
    chmod 000 secret.txt
    fail_with "secret.txt: Permission denied" secret.txt
    mkdir locked
    chmod 500 locked
    run detect -o locked/x.h5 list
    says "output folder is read-only" "locked/x.h5: cannot be written: Permission denied"
fi

# ---- damaged archives: the rest is read ----
warc() { # warc N: a WARC of N records of six sentences each
    local k body
    for k in $(seq "$1"); do
        body="<html><body><p>$(sentences $((k % 5 * 10)) $((k % 5 * 10 + 5)))</p></body></html>"
        printf 'WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:test:%d>\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n' \
            "$k" "${#body}" "$body"
    done
}
read_with() { # read_with DOCUMENTS SKIPPED WHAT-IT-SAYS FILE
    rm -f x.h5
    run detect -o x.h5 "$4"
    exits "$4" 0
    present "$4" x.h5
    verdict "$4: $1 documents" grep -qE "documents +$1 " err
    verdict "$4: $2 skipped" grep -qE "records skipped +$2 " err
    [ -z "$3" ] || says "$4" "$3"
    run export --table skipped x.h5
    verdict "$4: $2 skipped records are listed" [ "$(wc -l <out)" -eq $(($2 + 1)) ]
    run detect --strict -o y.h5 "$4"
    if [ "$2" -gt 0 ]; then
        exits "$4 --strict" 1
        one_error "$4 --strict"
        absent "$4 --strict" y.h5
    else
        exits "$4 --strict" 0
    fi
    rm -f y.h5
}
warc 20 >good.warc
read_with 20 0 "" good.warc
{ warc 10; head -c 5000 /dev/zero | tr '\0' 'g'; echo; warc 10; } >garbage.warc
read_with 20 1 "garbage.warc: byte " garbage.warc
head -c "$(($(wc -c <good.warc) - 200))" good.warc >cut.warc
read_with 19 1 "cut.warc: byte " cut.warc
warc 6 | while IFS= read -r line; do # a member for each record, cut where "WARC/1.0" stands
    case $line in WARC/*) [ -z "${record:-}" ] || printf '%s' "$record" | gzip -c; record= ;; esac
    record+=$line$'\n'
done >members.warc.gz
read_with 5 0 "" members.warc.gz
gzip -c good.warc | head -c 500 >cut.warc.gz
run detect -o x.h5 cut.warc.gz
says "gzip cut in the middle" "cut.warc.gz: byte 0"
{ warc 3 | gzip -c; warc 3 | gzip -c | head -c 150; warc 3 | gzip -c; } >broken-member.warc.gz
run detect -o x.h5 broken-member.warc.gz
exits "broken member" 0
says "broken member" "broken-member.warc.gz: byte "

# ---- odd documents ----
mkdir odd
: >odd/empty.txt
sentences 1 6 >odd/plain.txt
{ sentences 1 3; printf 'caf\xe9 \xff\xfe broken \xc3 bytes.\n'; sentences 4 6; } >odd/invalid.txt
{ sentences 1 3; printf 'a \0 nul byte.\n'; sentences 4 6; } >odd/nul.txt
head -c 3000 /dev/urandom >odd/random.bin
printf '{"id": "a", "text": "One. Two."}\n{"id": "b", "text": \n{"id": "c", "text": "Three. Four."}\n' >odd/lines.jsonl
fail_with "1 file was not read at all: odd/random.bin; --skip-unknown goes on without them" odd
run detect --skip-unknown --gamma 1 --idf 0,1 -o x.h5 odd
exits "odd documents" 0
says "odd documents: what is left out" "1 file was not read at all: odd/random.bin"
says "odd documents: bad JSON" "odd/lines.jsonl: byte "
verdict "odd documents: 6 are documents" grep -qE "documents +6 " err
verdict "odd documents: 2 skipped" grep -qE "records skipped +2 " err

# ---- files of formats that are not read: Parquet beside JSON lines, PostScript ----
mkdir -p unknown/deep
printf '{"id": "a", "text": "One. Two."}\n' >unknown/lines.jsonl
printf 'PAR1\x15\x04\x15 and so on' >unknown/data.parquet
printf '%%!PS-Adobe and so on' >unknown/deep/a.ps
gzip -c unknown/deep/a.ps >unknown/z.ps.gz
fail_with "3 files were not read at all: unknown/data.parquet, unknown/deep/a.ps, unknown/z.ps.gz;" unknown
says "unknown formats: which one" "unknown/data.parquet: byte 0: a Parquet file"
for command in text sentences; do
    run $command unknown
    exits "$command of unknown formats" 1
    says "$command of unknown formats" "3 files were not read at all: unknown/data.parquet"
    run $command --skip-unknown unknown
    exits "$command --skip-unknown" 0
    prints "$command --skip-unknown" ne
done
run_np 3 detect --skip-unknown -o x.h5 unknown
exits "--skip-unknown" 0
says "--skip-unknown" "3 files were not read at all"
run export --table skipped x.h5
verdict "unknown formats are listed" [ "$(grep -c unknown out)" -eq 3 ]
for k in 1 2 3 4 5 6 7 8; do cp unknown/data.parquet unknown/$k.parquet; done
fail_with "11 files were not read at all: unknown/1.parquet, unknown/2.parquet, unknown/3.parquet, unknown/4.parquet, unknown/5.parquet, ...;" unknown

# ---- a file that changes while it is read ----
sentences 1 3000 | python3 -c 'import json, sys
for k, line in enumerate(sys.stdin): print(json.dumps({"id": str(k), "text": line * 40}))' >changing.jsonl
while [ -e changing.jsonl ]; do
    printf '{"id": "x' | dd of=changing.jsonl conv=notrunc status=none
    sleep 0.01
done &
changer=$!
for np in 1 3; do
    rm -f x.h5
    run_np $np detect --min-words 1000 -o x.h5 changing.jsonl
    exits "a file that changes, $np ranks" 1
    says "a file that changes, $np ranks" "changing.jsonl: has changed while it was read"
    one_error "a file that changes, $np ranks"
    absent "a file that changes, $np ranks" x.h5
done
run text changing.jsonl
exits "text of a file that changes" 1
rm changing.jsonl
kill "$changer" 2>/dev/null
wait "$changer" 2>/dev/null

# ---- fields that no JSON object has ----
mkdir fields
printf '{"id": "a", "text": "One. Two."}\n{"id": "b", "text": "Three."}\n' >fields/a.jsonl
printf '{"id": "c", "text": "Four.", "name": "n", "page": 5}\n' >fields/b.jsonl
sentences 1 3 >fields/c.txt
for option in id text url; do
    fail_with "--$option-field nam: none of the 3 JSON objects has this field" --$option-field nam fields
    run text --$option-field nam fields
    exits "text --$option-field nam" 1
    says "text --$option-field nam" "--$option-field nam: none of the 3 JSON objects has this field"
    run detect --$option-field name -o x.h5 fields # one object has it
    exits "--$option-field name" 0
done
run detect --id-field page -o x.h5 fields
exits "--id-field page" 0
run detect --id-field nam -o x.h5 fields/c.txt # no JSON at all
exits "--id-field without JSON" 0

# ---- a text that begins with a brace, and JSON over many lines, are one document each ----
mkdir braces
{ echo '{55} is how this text begins.'; sentences 1 3; } >braces/text.txt
printf '{\n  "id": "a",\n  "text": "One."\n}\n' >braces/pretty.json
run detect -o x.h5 braces
exits "braces" 0
verdict "braces: 2 documents" grep -qE "documents +2 " err
verdict "braces: nothing skipped" grep -qE "records skipped +0 " err

# ---- a collection of one document ----
printf 'id,body\n1,"One. Two."\n2,"One. Two."\n' >table.csv
run detect -o x.h5 table.csv
exits "one document" 0
says "one document" "only one document: there is nothing to compare. docs/formats.md lists the files that hold many"

# ---- two documents with one id ----
printf '{"id": "same", "text": "One. Two."}\n{"id": "same", "text": "Three. Four."}\n' >same.jsonl
run detect -o x.h5 same.jsonl
exits "one id twice" 0
says "one id twice" "1 document has an id that an earlier one has (first: same in same.jsonl)"
run_np 2 detect --strict -o y.h5 same.jsonl
exits "one id twice --strict" 1
says "one id twice --strict" "document id same occurs twice"
absent "one id twice --strict" y.h5

# ---- the result must not replace an input ----
sentences 1 6 >keep.txt
cp keep.txt kept.txt
ln keep.txt link.txt
for target in keep.txt link.txt; do
    run detect -o $target keep.txt odd
    exits "-o $target, an input" 1
    says "-o $target, an input" "$target: is one of the inputs"
    verdict "-o $target, an input: it is untouched" cmp -s keep.txt kept.txt
done
run detect -o "" keep.txt
exits "empty -o" 2

# ---- nor a result that is read, a list, or a file of an index ----
untouched() { # untouched NAME FILE: the last run said why not, and FILE is as it was
    exits "$1" 1
    one_error "$1"
    says "$1" "$2: "
    verdict "$1: it is untouched" cmp -s "$2" "$2.kept"
}
mkdir -p lists
sentences 1 6 | tee lists/one.txt >lists/two.txt
printf 'lists/one.txt\n' | tee list | tee ids >list.kept
printf 'id,title\nlists/one.txt,One\n' >table.csv
run detect --quiet -o found.h5 lists
run index --quiet -o words lists/one.txt
for file in found.h5 ids table.csv words/manifest; do cp $file $file.kept; done
run report -o found.h5 found.h5 && untouched "report -o its result" found.h5
run export --format parquet -o found.h5 found.h5 && untouched "export -o its result" found.h5
run detect -o list --files-from list && untouched "-o the list of files" list
run detect -o ids --docs-from ids lists && untouched "-o the list of ids" ids
run detect -o table.csv --metadata table.csv lists && untouched "-o the metadata" table.csv
run check --index words -o words/manifest lists/two.txt && untouched "-o in the index" words/manifest

# ---- ids: too long, not UTF-8 ----
python3 -c 'import json
for i in ("L" * 262144, "a", "b"): print(json.dumps({"id": i, "text": "One two three. Four five."}))' >ids.jsonl
run_np 2 detect -o x.h5 ids.jsonl
exits "an id of 256 KiB" 0
says "an id of 256 KiB" "document id of 262144 bytes"
verdict "an id of 256 KiB: the others are read" grep -qE "documents +2 " err
mkdir names
sentences 1 6 >names/$'bad\xff\xfe.txt'
run detect -o x.h5 names
run export --format jsonl --table documents x.h5
verdict "a name that is not UTF-8 is valid JSON" python3 -c 'import json; [json.loads(l) for l in open("out", encoding="utf-8")]'

# ---- only what is no document ----
rm -f x.h5
head -c 3000 /dev/urandom >noise.bin
fail_with "no documents in it" noise.bin
finish
