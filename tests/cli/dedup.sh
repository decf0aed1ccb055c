#!/bin/bash
# pardup dedup: each removal is proved against the texts, all other text stays byte for byte, a second job finds
# nothing more, and the bytes depend neither on the ranks nor on a stop in between.
. "$(dirname "$0")/lib.sh"
removed="python3 $here/../support/removed.py"
tags='"tags":["a", 1.50],"nested":{"x":null}'

# doc ID SCORE TEXT...: a line of JSON with fields before and behind the text
doc() {
    local id=$1 score=$2 text
    shift 2
    text=${*//\"/\\\"}
    printf '{"id":"%s","score":%s,%s,"text":"%s","last":"\\u00e9\\ud83d\\ude00"}\n' "$id" "$score" "$tags" "${text//$'\n'/\\n}"
}

checked() { # checked NAME OUT INPUT...: removed.py agrees
    local name=$1 folder=$2 code
    shift 2
    $removed "$PARDUP" "$folder" "$@" >checked 2>&1
    code=$?
    verdict "$name: each removal is proved ($(tail -n 1 checked))" [ $code -eq 0 ]
}
lines_of() { zstd -dcq "$1.proof/removed.jsonl.zst" | wc -l; }
is() { verdict "$1: $2 is $3" [ "$2" = "$3" ]; }

# ---- JSON lines: a copied run, an edited sentence in it, a gap, a document that goes whole ----
mkdir in
{
    doc one 1 "$(sentences 1 30)"
    doc two 9 "$(sentences 100 119; sentences 5 14; sentences 120 125)"
    echo ""
    echo '{"id":"no text"}'
    doc three 5 "$(sentences 1 30)"
    doc four 2 "$(sentences 1 6; echo "Quite another \"text\" is here, of a few words that nobody else has."; sentences 8 14; sentences 300 310)"
} >in/a.jsonl
{ doc five 3 "$(sentences 400 450)"; doc six 4 "$(sentences 500 510; sentences 110 118)"; } >in/b.jsonl
run detect --preset web -o r.h5 in
exits "detect" 0
run dedup -o new r.h5
exits "dedup" 0
says "dedup" "6 ->"
checked "JSON lines" new in/a.jsonl in/b.jsonl
verdict "there are removals" [ "$(lines_of new)" -ge 4 ]
verdict "a copy goes whole" [ "$(grep -c '"three"' new/a.jsonl)" -eq 0 ]
verdict "an empty line and a line without text stay" [ "$(grep -c -e '^$' -e 'no text' new/a.jsonl)" -eq 2 ]
verdict "a document in no passage stays" cmp -s <(head -n 1 in/b.jsonl) <(head -n 1 new/b.jsonl)
verdict "other fields stay as written" [ "$(grep -cF "\"score\":9,$tags,\"text\":\"" new/a.jsonl)" -eq 1 ]
verdict "fields behind stay as written" [ "$(grep -cF '","last":"\u00e9\ud83d\ude00"}' new/a.jsonl)" -eq 3 ]
verdict "text in a gap stays" grep -qF 'Quite another \"text\" is here' new/a.jsonl
verdict "the summary counts" grep -qF '"documents":{"before":6,"after":5,' new.proof/summary.json
verdict "nothing of the job is left" [ "$(ls new)" = "$(ls in)" ]
verdict "the proof lies apart" [ "$(ls new.proof | tr '\n' ' ')" = "removed.jsonl.zst summary.json " ]

run detect --preset web -o r2.h5 new/a.jsonl new/b.jsonl
run dedup -o out2 r2.h5
is "a second job: lines" "$(lines_of out2)" 0
verdict "a second job: same bytes" cmp -s new/a.jsonl out2/a.jsonl

for np in 2 4; do
    run_np $np dedup -o np$np r.h5
    exits "$np ranks" 0
    verdict "$np ranks: same bytes" same_jobs new np$np
done

# ---- which copy stays ----
run dedup --keep field:score -o best r.h5
exits "--keep field" 0
checked "--keep field" best in/a.jsonl in/b.jsonl
verdict "--keep field: the greatest stays" cmp -s <(grep '"two"' in/a.jsonl) <(grep '"two"' best/a.jsonl)
printf "\357\273\277three\n" >wanted # as editors of Windows save it
run dedup --keep list:wanted -o listed r.h5
checked "--keep list" listed in/a.jsonl in/b.jsonl
verdict "--keep list: it stays" cmp -s <(grep '"three"' in/a.jsonl) <(grep '"three"' listed/a.jsonl)
run dedup --keep longest -o longest r.h5
checked "--keep longest" longest in/a.jsonl in/b.jsonl
run dedup --keep field:nothing -o nothing r.h5
exits "--keep field that is not there" 1
one_error "--keep field that is not there"
absent "--keep field that is not there" nothing

# ---- objects over many lines are written again, a list of objects is not ----
values() { python3 -c 'import json, re, sys
text, at, one = sys.stdin.read().strip(), 0, json.JSONDecoder()
while at < len(text):
    value, at = one.raw_decode(text, at)
    print(json.dumps(value, sort_keys=True))
    at = re.compile(r"\s*").match(text, at).end()'; }
cat in/a.jsonl in/b.jsonl >all.jsonl
python3 -c 'import json, sys
for line in filter(str.strip, sys.stdin):
    print(json.dumps(json.loads(line), indent=1))' <all.jsonl >many.json
(echo "["; grep . all.jsonl | sed '$!s/$/,/'; echo "]") >list.json
run detect --quiet --preset web -o many.h5 many.json
run dedup --remove documents -o many many.h5
exits "objects over many lines" 0
verdict "objects over many lines: only a copy goes" \
    cmp -s <(grep -v '"three"' all.jsonl | values) <(values <many/many.json)
run dedup -o cut many.h5
verdict "objects over many lines: the same goes as from lines" cmp -s <(cat new/*.jsonl | values) <(values <cut/many.json)
run detect --quiet --preset web -o list.h5 list.json
run dedup -o whole.list list.h5
exits "a list of objects" 0
verdict "a list of objects: the same goes as from lines" cmp -s <(cat new/*.jsonl | values) <(python3 -c 'import json, sys
for o in json.load(sys.stdin): print(json.dumps(o))' <whole.list/list.json | values)
gzip -k list.json
run detect --quiet --preset web -o list.gz.h5 list.json.gz
run dedup -o refused list.gz.h5
exits "a compressed list" 1
says "a compressed list" "list.json.gz: dedup does not write compressed lists of JSON objects: choose --as jsonl, lists or attributes"
absent "a compressed list" refused

# Which of own texts (o) and copies (c) a list has, and what is left of it, with blanks as they were.
mkdir items
doc first 1 "$(sentences 1 20)" >items/0.jsonl
items() { # items NAME LETTER...
    local name=$1 letter comma='[ '
    shift
    for letter; do
        printf '%s' "$comma"
        [ "$letter" = c ] && doc "$name$RANDOM" 1 "$(sentences 1 20)" | tr -d '\n' || doc "$name" 1 "Own $name." | tr -d '\n'
        comma=$' ,\n  '
    done
    printf ' \n]\n'
}
items a c c >items/a.json
items b c o >items/b.json
items c o c c >items/c.json
items d c c o c o >items/d.json
{ items e c; items f o c; } >items/e.json
{ printf '['; doc g 1 "Own g."; printf ',%*s' 600 ''; doc h 1 "$(sentences 1 20)"; echo ']'; } >items/g.json
{ printf '['; doc h 1 "$(sentences 1 20)"; printf '%*s,' 600 ''; doc i 1 "Own i."; echo ']'; } >items/i.json
run detect --quiet --preset web -o items.h5 items
run dedup -o items.out items.h5
exits "items of lists" 0
squeezed() { tr -d ' \n' <"items.out/$1.json" | sed 's/{"id":"[a-z]",[^}]*}[^}]*Own[^}]*}/o/g'; }
is "items of lists" "$(for k in a b c d e g i; do squeezed $k; done)" "[][o][o][o,o][][o][o][o]"

# ---- documents only, lists, attributes ----
run dedup --remove documents -o fewer r.h5
checked "--remove documents" fewer --min-left 0.2 in/a.jsonl in/b.jsonl
verdict "--remove documents: only they go" cmp -s <(grep -v '"three"' in/a.jsonl) fewer/a.jsonl
run dedup --as lists -o list r.h5
is "drop.txt" "$(cat list/drop.txt)" three
is "keep.txt" "$(wc -l <list/keep.txt)" 5
run dedup --as attributes -o notes r.h5
verdict "attributes: a line for each line that is not blank" [ "$(wc -l <notes/attributes/a.jsonl)" -eq "$(grep -c '[^[:space:]]' in/a.jsonl)" ]
python3 - >said <<'P'
import json
docs = {d["id"]: d["text"] for d in map(json.loads, filter(str.strip, open("in/a.jsonl"))) if "text" in d}
kept = {d["id"]: d["text"] for d in map(json.loads, filter(str.strip, open("new/a.jsonl"))) if "text" in d}
for line in map(json.loads, open("notes/attributes/a.jsonl")):
    if line["id"] is None:  # a line without a text
        continue
    text = docs[line["id"]]
    for begin, end, agreement in reversed(line["attributes"]["pardup_duplicate"]):
        text = text[:begin] + text[end:]
    print(line["id"] not in kept or kept[line["id"]] == text)
P
is "attributes: spans in characters" "$(sort -u said)" True

# ---- packings: gzip in one member, gzip in members that cut lines, zstd ----
mkdir pack
gzip -c in/a.jsonl >pack/a.gz
{ head -c 700 in/a.jsonl | gzip -c; tail -c +701 in/a.jsonl | head -c 2000 | gzip -c; tail -c +2701 in/a.jsonl | gzip -c; } >pack/b.gz
zstd -qc in/a.jsonl >pack/a.zst
for f in a.gz b.gz a.zst; do
    mkdir in.$f
    cp pack/$f in.$f/$f
    cp in/b.jsonl in.$f
    run detect --preset web -o $f.h5 in.$f
    run dedup -o out.$f $f.h5
    exits "$f" 0
    verdict "$f: the same lines" cmp -s new/a.jsonl <(gzip -dc out.$f/$f 2>/dev/null || zstd -dcq out.$f/$f)
done

# ---- web archives: pages, plain text, and records that hold no document ----
"$PARDUP" synth --documents 60 --bytes 600K --shard-bytes 200K -o web >/dev/null 2>&1
run detect --preset web -o web.h5 web/*.warc.gz
run dedup -o web.out web.h5
exits "WARC" 0
verdict "WARC: pages that are cut stay pages" [ "$(grep -c 'as cleaned text' err)" -eq 0 ]
checked "WARC" web.out web/*.warc.gz
verdict "WARC: there are removals" [ "$(lines_of web.out)" -gt 5 ]
gzip -dc web/part-00000.warc.gz >plain.warc
{ printf 'WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n'; cat plain.warc; } >w.warc
run detect --preset web -o warc.h5 w.warc
run dedup -o warc.out warc.h5
checked "WARC, not packed" warc.out w.warc
verdict "WARC: a record without a document stays" cmp -s <(head -c 70 w.warc) <(head -c 70 warc.out/w.warc)
wet() { printf 'WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <%s>\r\nContent-Type: text/plain\r\nWARC-Block-Digest: sha1:X\r\nContent-Length: %d\r\nX-Other: y\r\n\r\n%s\r\n\r\n' "$1" "${#2}" "$2"; }
{ wet a "$(sentences 1 20)"; wet b "$(sentences 100 130; sentences 3 12)"; } >t.warc
run detect --preset web -o wet.h5 t.warc
run dedup -o wet.out wet.h5
checked "WARC, plain text" wet.out t.warc
verdict "WARC, plain text: its markup stays" [ "$(grep -c 'written as cleaned text' err)" -eq 0 ]
verdict "WARC: the digest goes, other headers stay" [ "$(grep -c Digest wet.out/t.warc):$(grep -c X-Other wet.out/t.warc)" = 1:2 ]

python3 - web.out web.h5 >said <<'P'
import json, sys
with open(sys.argv[1] + ".proof/summary.json") as f: s = json.load(f)
hosts = s["hosts"]
print(len(hosts) > 3, all(h["host"] for h in hosts),
      sum(h["documents"]["changed"] for h in hosts) == s["documents"]["changed"],
      sum(h["words"]["before"] - h["words"]["after"] for h in hosts) == s["words"]["before"] - s["words"]["after"])
P
is "the summary: hosts" "$(cat said)" "True True True True"

# ---- files of plain text ----
mkdir -p texts/x texts/y
sentences 1 20 >texts/x/1.txt
sentences 1 20 >texts/y/2.txt
{ sentences 50 60; sentences 3 12; } >texts/y/3.txt
run detect --preset web -o texts.h5 texts
run dedup -o texts.out texts.h5
exits "text" 0
verdict "text: a copy is not written" [ ! -e texts.out/y/2.txt ]
verdict "text: a part is cut" cmp -s texts.out/y/3.txt <(sentences 50 60; printf '\n')

# ---- messages: the header stays ----
mkdir mail
message() { printf 'From: a@b.example\nSubject: %s\nDate: Mon, 1 Jan 2001 00:00:00 +0000\nMessage-ID: <%s@b.example>\n\n' "$1" "$1"; }
{ message one; sentences 1 20; } >mail/1
{ message two; sentences 40 50; sentences 3 14; } >mail/2
run detect --preset web -o mail.h5 mail
run dedup -o mail.out mail.h5
exits "mail" 0
verdict "mail: a part is cut, the header stays" cmp -s mail.out/2 <(message two; sentences 40 50; printf '\n')

# ---- decontamination: sources stay and are not written ----
{ doc t1 1 "$(sentences 1000 1010)"; doc t2 1 "$(sentences 1 8)"; } >test.jsonl
run detect --preset web --against test.jsonl -o against.h5 in
run dedup -o clean against.h5
exits "decontamination" 0
checked "decontamination" clean --sources test.jsonl in/a.jsonl in/b.jsonl
verdict "decontamination: the test is not written" [ ! -e clean/test.jsonl ]
verdict "decontamination: text of the test is gone" [ "$(grep -c 'Sentence number w3 ' clean/a.jsonl)" -eq 0 ]
verdict "decontamination: other copies stay" [ "$(grep -c 'Sentence number w20 ' clean/a.jsonl)" -eq 2 ]

# ---- a second job over the output ----
run dedup --check -o checked.out r.h5
exits "--check" 0
says "--check" "0  removals more in a second job (0 words, 0.00 %)"
is "check.json" "$(cat checked.out.proof/check.json)" '{"documents":0,"removals":0,"words":0,"share":0.000000}'
verdict "--check: nothing else is left" [ "$(ls checked.out checked.out.proof | tr '\n' ' ')" = "checked.out: a.jsonl b.jsonl  checked.out.proof: check.json removed.jsonl.zst summary.json " ]
run_np 2 dedup --check -o checked.against against.h5
exits "--check after --against" 0
says "--check after --against" " 0  removals more in a second job"
run dedup --check --keep field:score --remove documents --min-left 0 -o checked.rest r.h5 # no document goes whole: all copies stay
exits "--check of copies that stay" 0
says "--check of copies that stay" " 0  removals more in a second job"
run dedup --check --list -o x r.h5
exits "--check --list" 2

# ---- a result without the command line ----
run detect --preset web --reproducible -o same.h5 in
run dedup -o of.same same.h5
exits "a reproducible result" 0
verdict "a reproducible result: same bytes" same_jobs new of.same

# ---- refused ----
run dedup --max-loss 0.05 -o loss r.h5
exits "--max-loss" 1
one_error "--max-loss"
says "--max-loss" "in/a.jsonl: would lose"
family=$(zstd -dcq new.proof/removed.jsonl.zst | grep '"id":"three"' | grep -o '"family":[0-9]*' | cut -d: -f2)
says "--max-loss" "most is in: family $family of one ("
absent "--max-loss" loss
run dedup -o new r.h5
exits "a folder in use" 1
says "a folder in use" "new: is not empty: choose another folder"
run dedup -o in r.h5
exits "the folder of the input" 1
verdict "the input is as it was" cmp -s <(head -n 1 in/b.jsonl) <(head -n 1 new/b.jsonl)
run dedup --keep best -o x r.h5
exits "--keep best" 2
run dedup r.h5
exits "no -o" 2
cp -r in changed
(cd changed && sed -i 's/w5 speaks/w5 sings!/' a.jsonl)
mv in in.old && mv changed in
run dedup -o x r.h5
exits "changed input" 1
says "changed input" "has changed since the result was made"
absent "changed input" x
rm -r in && mv in.old in

# ---- stopped and resumed: files that are done are kept ----
mkdir ten
for k in $(seq 1 9); do doc "a$k" 1 "$(sentences $((k * 10)) $((k * 10 + 25)))" >ten/$k.jsonl; done
{ doc z 1 "$(sentences 1 60)"; head -c 40000000 /dev/zero | tr '\0' ' '; echo; } >ten/z.jsonl
run detect --preset web -o ten.h5 ten
run dedup -o whole ten.h5
exits "many files" 0
(
    trap '' XFSZ
    ulimit -f 20000 # the last file is larger, so writing it fails
    run dedup -o parts ten.h5
    echo $status >failed
)
is "a file cannot be written: status" "$(cat failed)" 1
one_error "a file cannot be written"
verdict "a file cannot be written: it has no name" [ ! -e parts/z.jsonl ]
before=$(stat -c %i:%Y parts/1.jsonl parts/9.jsonl)
run dedup -o parts ten.h5
exits "not without --resume" 1
says "not without --resume" "--resume goes on"
run dedup --resume --min-left 0.5 -o parts ten.h5
exits "not with other options" 1
says "not with other options" "other options"
run_np 2 dedup --resume -o parts ten.h5
exits "resumed" 0
is "resumed: finished files" "$(stat -c %i:%Y parts/1.jsonl parts/9.jsonl)" "$before"
verdict "resumed: same bytes" same_jobs whole parts
need_ranks 2
timeout "$RUN_SECONDS" "${on_ranks[@]}" 2 "$PARDUP" dedup -o killed ten.h5 >out1 2>err1 </dev/null &
for _ in $(seq 1 400); do [ -e killed/dedup-work/job.0 ] && break; sleep 0.01; done
kill -KILL $(ranks_of $!) 2>/dev/null
wait $! 2>/dev/null
[ -e killed.proof/summary.json ] && [ ! -e killed/dedup-work ] || run dedup --resume -o killed ten.h5
verdict "killed and resumed: same bytes" same_jobs whole killed
finish
