#!/bin/bash
# pardup dedup: no text goes without a line. What is left of a document stays by default, however little it is; with --min-left
# and --remove documents it goes, and the proof and the summary say so.
. "$(dirname "$0")/lib.sh"
removed="python3 $here/../support/removed.py"
doc() { printf '{"id":"%s","text":"%s"}\n' "$1" "${2//$'\n'/\\n}"; }
own="Of all these words not one stands anywhere else."
{
    doc one "$(sentences 1 30)"
    doc begin "$own"$'\n'"$(sentences 1 20)"
    doc middle "$(sentences 1 14)"$'\n\n'"Another sentence is alone here."$'\n\n* * *\n\n'"$(sentences 15 30)"
    doc ends "Nobody says this. $(sentences 1 20 | paste -sd ' ') Nor this."
    doc signs "$(sentences 1 30)"$'\n\n* * *' 
    doc copy "$(sentences 1 30)"
    doc other "$(sentences 40 60)"
} >in.jsonl
run detect --preset texts -o r.h5 in.jsonl
# checked OPTION...: removed.py agrees with the folder x
checked() {
    $removed "$PARDUP" x "$@" in.jsonl >said 2>&1
    status=$?
    verdict "$name: each word that is gone is in a line ($(tail -n 3 said | tr '\n' ' '))" [ $status -eq 0 ]
}
dedup() { # dedup NAME OPTION...: with the output x, and the lines of it
    name=$1
    shift
    rm -rf x x.proof
    run dedup "$@" -o x r.h5
    exits "$name" 0
    zstd -dcq x.proof/removed.jsonl.zst >lines
}
ids() { grep -o '"id":"[a-z]*"' "$@" | cut -d'"' -f4 | tr '\n' ' '; }

dedup "by default"
checked
verdict "by default: what is left stays" [ "$(ids x/in.jsonl)" = "one begin middle ends other " ]
verdict "by default: own words stay" [ "$(grep -c -e "$own" -e 'alone here' -e 'Nobody says this. Nor this.' x/in.jsonl)" -eq 3 ]
verdict "by default: a document without words goes, and its signs are in a line" [ "$(grep '"rest"' lines | cut -d, -f 1,4-)" = \
    '{"id":"signs","kept_id":null,"kept_begin":null,"kept_end":null,"agreement":null,"family":null,"passage":null,"removed":"rest","words":0,"doc":4,"kept_doc":null}' ]
verdict "by default: the terminal" grep -q 'without proof  *1  document whose rest of 0 words went' err

dedup "--min-left" --min-left 0.2
checked --min-left 0.2
verdict "--min-left: documents go" [ "$(ids x/in.jsonl)" = "one other " ]
verdict "--min-left: a line for each rest" [ "$(grep '"rest"' lines | ids)" = "begin middle ends ends signs " ]
verdict "--min-left: its words" [ "$(grep '"rest"' lines | grep -o '"words":[0-9]*' | cut -d: -f2 | tr '\n' ' ')" = "9 5 3 2 0 " ]
verdict "--min-left: the summary" grep -qF '"rest":{"documents":4,"words":19}' x.proof/summary.json
verdict "--min-left: the terminal" grep -q 'without proof  *4  documents whose rest of 19 words went' err
mv x whole && mv x.proof whole.proof
for np in 2 4; do
    run_np $np dedup --min-left 0.2 -o np$np r.h5
    verdict "--min-left: same bytes at $np ranks" same_jobs whole np$np
done

dedup "--remove documents" --remove documents
checked --min-left 0.2
verdict "--remove documents: the same go" cmp -s x/in.jsonl whole/in.jsonl
dedup "--remove documents --min-left 0" --remove documents --min-left 0
checked
verdict "--remove documents --min-left 0: copies go" [ "$(ids x/in.jsonl)" = "one begin middle ends other " ]
finish
