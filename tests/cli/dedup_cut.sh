#!/bin/bash
# pardup dedup cuts as a person cuts: runs of words, not single sentences; no entry out of a list, no label out of a box, no line
# out of program text; nothing whose numbers or names differ. removed.py has the same rules, written apart.
. "$(dirname "$0")/lib.sh"
removed="python3 $here/../support/removed.py"
doc() { printf '{"id":"%s","text":"%s"}\n' "$1" "$(printf '%s' "$2" | sed -z 's/\n/\\n/g; s/"/\\"/g')"; }
box=$'ZIP code:\n\n12345\n\nTime zone\n\nUTC\n\nArea\n\n17 km\n\nMayor\n\nAnn Bee\n\nRiver\n\nthe long one of the south\n\nTwin town\n\nfar away beyond the hills\n\nAnother label\n\nanother value of it'
code=$'int sum(int n)\n{\n    int s = 0;\n    // It adds all numbers up to the last one of them.\n    for (int k = 0; k < n; k++) {\n        s += k;\n    }\n    return s; // and this is all that there is to do\n}'
remarked=$'use net::Listener;\nuse net::io;\nfn main() -> Result {\n    let one = Listener::bind(a, b, c);\n    let all = Table::new(one, two, three, four);\n    // In this loop all that comes is read, and all is written back.\n    loop {\n        read(one)\n    }\n}'
shared="$(sentences 1 6)"
{
    doc one "$box"$'\n\n'"$shared"$'\n\n'"$(own one 2)"$'\n\n'"$code"$'\n\n'"$(sentences 30 44)"
    doc short "$(own short 4)"$'\n'"$(sentences 3 3)"$'\n'"$(own shorter 4)"
    doc long "$(own long 4)"$'\n'"$(sentences 3 4)"$'\n'"$(own longer 4)"
    doc box "$(own box 3)"$'\n\n'"$box"$'\n\n'"$shared"$'\n\n'"$(own boxer 3)"
    doc alone "$(own alone 3)"$'\n\n'"$box"$'\n\n'"$(own aloner 3)"
    doc changed "$(own changed 3)"$'\n\n'"${box/Time zone/Area code}"$'\n\n'"$shared"$'\n\n'"$(own changer 3)"
    doc code "$(own code 3)"$'\n\n'"$code"$'\n\n'"$(sentences 30 32)"$'\n\n'"$(own coder 3)"
    doc edited "$(own edited 3)"$'\n\n'"${code/s += k/s += 2 * k}"$'\n\n'"$(sentences 30 32)"$'\n\n'"$(own editor 3)"
    doc remarked "$(own remarked 3)"$'\n\n'"$remarked"$'\n\n'"$(own remarker 3)"
    doc remarked2 "$(own second 3)"$'\n\n'"${remarked/read(one)/write(two)}"$'\n\n'"$(own seconder 3)"
    doc asked "$(own asked 3)"$'\n\nQuestions\n\nDoes it fit into the car of a friend?\n\n'"$shared"$'\n\nIs that all?\n\n'"$(own asker 3)"
    doc asked2 "$(own please 3)"$'\n\nAll of them\n\nDoes it fit into the car of a friend?\n\n'"$shared"$'\n\nIs that all?\n\n'"$(own pleaser 3)"
    doc heading "$(own heading 3)"$'\n\n'"$shared"$'\n\nA heading\n\n'"$(own header 3)"
    doc heading2 "$(own other 3)"$'\n\nA heading\n\n'"$(own others 3)"
    doc number "$(own number 3)"$'\n'"$(sentences 30 34; sentences 35 35 | sed 's/its own/its 2 own/'; sentences 36 40)"$'\n'"$(own numbers 3)"
    doc name "$(own name 3)"$'\n'"$(sentences 30 34; sentences 35 35 | sed 's/its own/its Own new/; s/ new//; s/ of / of Ann /'; sentences 36 40)"$'\n'"$(own names 3)"
    doc word "$(own word 3)"$'\n'"$(sentences 30 34; sentences 35 35 | sed 's/its own/its very own/'; sentences 36 40)"$'\n'"$(own words 3)"
} >in.jsonl
run detect --preset texts --min-passage-words 0 --min-agreement 0 --max-repeats 0 -o r.h5 in.jsonl
exits "detect" 0
run dedup -o new r.h5
exits "dedup" 0
$removed "$PARDUP" new in.jsonl >said 2>&1
status=$?
exits "each removal is one of a person ($(tail -n 1 said))" 0
python3 - >texts <<'P'
import json
for line in open("new/in.jsonl"):
    row = json.loads(line)
    print(f"{row['id']}\t{row['text']!r}")
P
# has ID TEXT, lacks ID TEXT: what stays of a document
has() { verdict "$1 keeps: $2" [ "$(grep "^$1	" texts | grep -cF -- "$2")" -eq 1 ]; }
lacks() { verdict "$1 loses: $2" [ "$(grep "^$1	" texts | grep -cF -- "$2")" -eq 0 ]; }
has short "w3 speaks"
lacks long "w3 speaks"
has long "alonger4"
lacks box "ZIP code"
lacks box "another value"
has alone "ZIP code" # what follows stays, and the box may be about it
has alone "another value"
has changed "ZIP code"
has changed "another value"
lacks changed "w1 speaks"
lacks code "int sum"
has edited "int sum"
lacks edited "w30 speaks"
has edited "It adds all numbers"
lacks asked2 "Does it fit" # as its answer goes
has asked2 "Is that all?" # as its answer stays
has asked2 "All of them"
has remarked2 "use net::Listener" # a remark ends as a sentence does
lacks heading "w6 speaks"
has heading "A heading"
for id in number name; do
    lacks $id "w34 speaks"
    has $id "w35 "
    lacks $id "w36 speaks"
done
lacks word "w35 speaks"
for np in 2 4; do
    run_np $np dedup -o np$np r.h5
    verdict "same bytes at $np ranks" same_jobs new np$np
done

# ---- other lengths; single sentences ----
run dedup --min-run 40 -o longer r.h5
verdict "--min-run 40: two sentences of 12 words stay" grep -q '"long".*w3 speaks' longer/in.jsonl
run dedup --min-run 1 -o single r.h5
verdict "--min-run 1: a single sentence goes" [ "$(grep -c '"short".*w3 speaks' single/in.jsonl)" -eq 0 ]
$removed "$PARDUP" single --min-run 1 in.jsonl >said 2>&1
status=$?
exits "--min-run 1: each removal is proved ($(tail -n 1 said))" 0
verdict "the summary says it" grep -q '"min_run":1,' single.proof/summary.json

# ---- text of a benchmark goes sentence by sentence, also with other numbers ----
grep '"one"' in.jsonl >bench.jsonl
grep -v '"one"' in.jsonl >corpus.jsonl
run detect --preset texts --min-passage-words 0 --min-agreement 0 --max-repeats 0 --against bench.jsonl -o leaks.h5 corpus.jsonl
run dedup -o clean leaks.h5
verdict "--against: a single sentence goes" [ "$(grep -c '"short".*w3 speaks' clean/corpus.jsonl)" -eq 0 ]
verdict "--against: one with another number goes" [ "$(grep -c '"number".*w35 ' clean/corpus.jsonl)" -eq 0 ]
finish
