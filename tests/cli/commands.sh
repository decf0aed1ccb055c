#!/bin/bash
# text, sentences, show and export print what they should; offsets point at the text.
. "$(dirname "$0")/lib.sh"
support=$here/../support

cat >a.html <<'PAGE'
<html><head><title>Not text</title><script>var x = "<p>";</script></head>
<body><h1>A heading</h1><p>Caf&eacute;s and Dr. Smith&#39;s 3.14 wor<b>ds</b>. Second&nbsp;sentence!</p>
<ul><li>First item<li>Second item</ul></body></html>
PAGE
run text a.html
exits "text of a page" 0
cat >expected <<'TEXT'
A heading

Cafés and Dr. Smith's 3.14 words. Second sentence!

First item

Second item
TEXT
truncate -s -1 expected # no line end behind the last line
verdict "text of a page" cmp -s out <(sed 's/Second sentence/Second\xc2\xa0sentence/' expected)

cp out a.txt
run sentences a.html
cp out html.jsonl
verdict "sentences are JSON lines" python3 -c 'import json,sys; [json.loads(l) for l in open("out")]'
prints "abbreviations do not end a sentence, decimals are words" \
    '"words":["cafés","and","dr","smith'"'"'s","3.14","words"]'
run sentences a.txt
verdict "the text read as plain text has the same sentences" \
    cmp -s <(cut -d, -f2- html.jsonl) <(cut -d, -f2- out)

sentences 1 9 >one.txt
run text one.txt
verdict "the text of a plain text is the file itself" cmp -s out one.txt
printf 'An emi-\r\n   nent man did re|ceiue it.\n' >printed.txt
run sentences --offsets printed.txt
prints "a word that is printed in two parts is one word" \
    '"words":["an","eminent","man","did","receiue","it"],"spans":[[0,2],[3,16]'
run text printed.txt
verdict "and its text is printed as it stands" cmp -s out printed.txt
printf 'this is one. this is two. and three!\n' >small.txt
run sentences small.txt
verdict "text without capitals has sentences" test "$(wc -l <out)" = 3
run text one.txt a.txt
prints "several documents have headers" "==> one.txt <=="
run text --doc a.txt one.txt a.txt
verdict "--doc prints one of them, bare" cmp -s out a.txt
run text --doc nobody one.txt
exits "--doc without such a document" 1
says "--doc without such a document" "nobody: no document with this id"

# ---- a copied passage, found and shown ----
{ sentences 100 120; sentences 1 8; } >two.txt
for k in $(seq 30); do sentences $((1000 * k)) $((1000 * k + 9)) >other$k.txt; done
run detect --preset paper -o r.h5 one.txt two.txt other*.txt
exits "detect" 0
says "detect: what to type next" "next: pardup report -o r.html r.h5"
run detect --gamma 1000 --preset paper -o "no passages.h5" one.txt two.txt
exits "no passages" 0
verdict "no passages: nothing to look at" [ "$(grep -c 'next:' err)" = 0 ]
run detect --preset paper --always-df 1000 -o "with a blank.h5" one.txt two.txt
says "a name with a blank" "next: pardup report -o 'with a blank.html' 'with a blank.h5'"
verdict "one passage" grep -qE "passages +1$" err
run export r.h5
prints "export" "$(printf '0\t1\t0\t21\t8\t8\t0\t')"
verdict "export: header and one row" [ "$(wc -l <out)" -eq 2 ]
run export --format jsonl --table pairs r.h5
prints "export as JSON lines" '"id_a":"one.txt","id_b":"two.txt"'
verdict "export is JSON" python3 -c 'import json; [json.loads(l) for l in open("out")]'
run export --table documents r.h5
prints "documents" "one.txt"
run show --by-passage r.h5
exits "show" 0
prints "show names both documents" "one.txt ~ two.txt"
prints "show has both texts" "Sentence number w1 speaks of x1"
run show --doc two.txt r.h5
prints "show --doc" "two.txt"
run show --doc other3.txt r.h5
prints "show --doc without passages" "no passages"
run_np 3 show --by-passage r.h5
verdict "show on 3 ranks is printed once" [ "$(grep -c 'one.txt ~' out)" -eq 1 ]
cp two.txt saved.txt
echo "Another text." >two.txt
run show --by-passage r.h5
exits "show when a document has changed" 1
says "show when a document has changed" "two.txt: document two.txt has changed since the result was made"
sed 's/x101/x999/' saved.txt >two.txt
run show --by-passage r.h5
exits "show when a document has another text of its length" 1
says "show when a document has another text of its length" "two.txt: document two.txt has changed"
cp r.h5 damaged.h5
/usr/bin/python3 -c 'import h5py; h5py.File("damaged.h5", "a")["passages/doc_a"][0] = 1000000'
run export damaged.h5
exits "export of a damaged result" 1
says "export of a damaged result" "row 1000000"
documents=$(/usr/bin/python3 -c 'import h5py; f = h5py.File("damaged.h5", "a"); n = len(f["documents/id"])
f["passages/doc_a"][0] = 0; f["passages/doc_b"][0] = n; print(n)')
run export damaged.h5
exits "export of the row behind the last document" 1
says "export of the row behind the last document" "row $documents of /documents, which has $documents"
rm two.txt
run show --by-passage r.h5
exits "show when the collection is gone" 1
says "show when the collection is gone" "two.txt: No such file or directory"
mkdir elsewhere nowhere
cd elsewhere || exit 1
run show --by-passage ../r.h5
says "show in another folder, the collection is gone" "two.txt: No such file or directory, here or in $work, where pardup ran"
cd ..
sentences 1 9 >nowhere/a.txt
cp nowhere/a.txt nowhere/b.txt
run detect --reproducible --preset texts -o same.h5 nowhere
cd elsewhere || exit 1
for command in "show --by-passage ../same.h5" "explain ../same.h5 nowhere/a.txt nowhere/b.txt" "dedup -o clean ../same.h5"; do
    run $command
    exits "$command, --reproducible" 1
    one_error "$command, --reproducible"
    says "$command, --reproducible" "nowhere/a.txt: No such file or directory; start pardup in the folder where it ran, which the result does not name (--reproducible)"
done
cd ..
run show --by-passage same.h5
exits "show in the folder of a reproducible job" 0
run show one.txt
exits "show of no result" 1
says "show of no result" "one.txt: not a readable HDF5 file"

# ---- a zstd file that begins with a skippable frame is found again ----
mkdir frames
for k in 1 2; do { printf '\x50\x2a\x4d\x18\x03\x00\x00\x00abc'; zstd -qc one.txt; } >frames/$k.zst; done
run detect --idf 0,1 -o f.h5 frames
run show --by-passage f.h5
exits "show of zstd with a skippable frame" 0
prints "show of zstd with a skippable frame" "1.zst ~ 2.zst"

# ---- edges: one neighbouring sentence, or as far as words agree; too short passages ----
mkdir edges
shared="Aa bb. Cc dd. $(sentences 1 3 | tr '\n' ' ')Ee ff. Gg hh."
echo "Intro of one. $shared End of one." >edges/one.txt
echo "Another start. $shared Another end." >edges/two.txt
for k in $(seq 30); do sentences $((1000 * k)) $((1000 * k + 9)) >edges/other$k.txt; done
edges() { # edges HOW: the text of one.txt that is in the passage
    run detect --preset paper --gamma 1 --min-words 5 --edges "$1" -o e.h5 edges/one.txt edges/two.txt edges/other*.txt
    run export e.h5
    local row
    row=$(sed -n 2p out)
    tail -c +$(($(cut -f7 <<<"$row") + 1)) edges/one.txt |
        head -c $(($(cut -f8 <<<"$row") - $(cut -f7 <<<"$row"))) >piece
}
edges sentence
verdict "--edges sentence" grep -qx "Sentence number w1.*own words." piece
edges word
verdict "--edges word" grep -qx "Cc dd. Sentence.*words. Ee ff" piece
edges far
verdict "--edges far" grep -qx "Aa bb. Cc dd. Sentence.*words. Ee ff. Gg hh" piece
run detect --preset paper --gamma 1 --min-words 5 --edges far --min-passage-words 44 -o e.h5 edges/one.txt edges/two.txt edges/other*.txt
verdict "--min-passage-words leaves it" grep -qE "passages +1$" err
run detect --preset paper --gamma 1 --min-words 5 --edges far --min-passage-words 45 -o e.h5 edges/one.txt edges/two.txt edges/other*.txt
verdict "--min-passage-words drops it" grep -qE "passages +0$" err
verdict "--min-passage-words counts it" grep -qE "too short +1$" err
run sentences --units clause edges/one.txt
prints "--units clause" '"words":["intro","of","one"]'

# ---- mails in a field of another format are told, and read as they are ----
mails() { # mails FROM TO: JSON lines whose text is a mail with its header
    local k
    for k in $(seq "$1" "$2"); do
        printf '{"text": "Path: a!b\\nFrom: w%s@example.org\\nSubject: x%s\\n\\nMail %s says so."}\n' "$k" "$k" "$k"
    done
}
told="begin with the header of a mail (From, Subject ...), which is compared, too; files that are a mail each, and mbox files, are read without it"
mails 1 12 >mails.jsonl
for ranks in 1 2; do
    run_np $ranks detect --preset texts -o mails.h5 mails.jsonl
    says "mails in JSON lines, $ranks ranks" "warning: 12 of 12 texts $told"
done
{ mails 1 2; printf '{"text": "No mail at all, number %s."}\n' $(seq 9); } >few.jsonl
run detect --preset texts -o few.h5 few.jsonl
verdict "few mails: nothing is told" [ "$(grep -c 'header of a mail' err)" -eq 0 ]
mkdir mails
for k in 1 2 3; do printf 'From: a@b\nSubject: x\n\nMail %s.\n' $k >mails/$k; done
run detect --preset texts -o files.h5 mails
verdict "files of mails: nothing is told" [ "$(grep -c 'header of a mail' err)" -eq 0 ]

# ---- the file opens in the usual tools ----
verdict "h5dump reads it" sh -c 'h5dump -d /passages/end_a r.h5 | grep -q "(0):"'
/usr/bin/python3 -c 'import h5py' 2>/dev/null &&
    verdict "every column says what it is" /usr/bin/python3 -c 'import h5py
for group in h5py.File("r.h5").values():
    for column in group.values():
        assert column.attrs["description"], column.name
assert h5py.File("r.h5")["passages/end_a"].attrs["unit"] == b"bytes"'

# ---- the same bytes, whatever the machine ----
run detect --preset texts --reproducible -o same.h5 one.txt a.txt other*.txt
exits "--reproducible" 0
cp same.h5 want.h5
run_np 3 detect --preset texts --reproducible --scratch scratch -o same.h5 one.txt a.txt other*.txt
verdict "--reproducible: the same bytes on 3 ranks" cmp -s same.h5 want.h5
run show --by-passage --limit 1 same.h5
exits "show of such a result" 0
prints "show of such a result" "one.txt"
sentences 1 900 >w.txt
sed 's/number w450 /number v450 /' w.txt >v.txt
run detect --preset texts -o nearly.h5 v.txt w.txt
run show --by-passage --limit 1 nearly.h5
prints "only equal texts agree wholly" ", agreement 0.999: "
prints "counts have commas" "9,025 units matched, similarity "

run detect --compress zstd -o z.h5 one.txt a.txt other*.txt
exits "zstd" 0
run export --table documents z.h5
prints "zstd is read back" "one.txt"
run detect --limit-docs 5 -o l.h5 one.txt a.txt other*.txt
verdict "--limit-docs" grep -qE "documents +5 " err
finish
