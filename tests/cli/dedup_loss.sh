#!/bin/bash
# pardup dedup --max-loss: files, hosts and values of a field that would lose too much, and the families that did it.
. "$(dirname "$0")/lib.sh"

# Four hosts and three authors. b.example loses half of its text to a.example, c.example two thirds.
mkdir in
doc() { printf '{"id":"%s","url":"http://%s.example/","author":"%s","text":"%s"}\n' "$1" "$2" "$3" "${4//$'\n'/\\n}"; }
{
    doc 1 a Ada "$(sentences 1 20)"
    doc 2 b Bob "$(sentences 1 20)"
    doc 3 b Bob "$(sentences 100 120)"
    doc 4 c Cy "$(sentences 200 210; sentences 1 20)"
    doc 5 d Bob "$(sentences 300 380)"
    printf '{"id":"6","text":"%s"}\n' "It is alone." # neither host nor author: in no group
} >in/a.jsonl
run detect --preset texts --keep-fields author -o r.h5 in

refused() { # refused NAME OPTION...: nothing is written, and one line says why
    local name=$1
    shift
    run dedup "$@" -o out.d r.h5
    exits "$name" 1
    one_error "$name"
    absent "$name" out.d
}

refused "a file" --max-loss 0.2
says "a file" "in/a.jsonl: would lose 22."
refused "a host" --max-loss 0.5 --by host
says "a host" "host c.example: would lose 6"
says "a host: the family" "allows; most is in: family 0 of 1 ("
refused "two hosts" --max-loss 0.3 --by host
says "two hosts: the first one" "host b.example: would lose 4"
says "two hosts: how many" "allows (so would 1 more); most"
refused "an author" --max-loss 0.3 --by field:author
says "an author" "author Cy: would lose 6"
refused "nobody has the field" --max-loss 0.3 --by field:nobody
says "nobody has the field" "field:nobody: no document has it in /documents/meta: run detect with --keep-fields nobody"
run_np 3 dedup --max-loss 0.3 --by host --keep longest -o out.d r.h5
exits "another order, three ranks" 1
says "another order, three ranks" "host a.example: would lose 100.0 % of its text, more than --max-loss allows (so would 1 more)"

run dedup --max-loss 0.7 --by host -o hosts r.h5
exits "little enough" 0
verdict "little enough: the summary" grep -q '"max_loss":0.7,"by":"host"' hosts.proof/summary.json
run dedup -o plain r.h5
verdict "little enough: the same collection" cmp -s hosts/a.jsonl plain/a.jsonl

# ---- what each author has lost, in the summary and in six lines ----
refused "nobody has the field, without --max-loss" --by field:nobody
for np in 1 3; do
    run_np $np dedup --by field:author -o by.$np r.h5
    exits "--by, $np ranks" 0
    says "--by: the most first" "  lost, by field:author"
    said=$(sed -n '/lost, by/,$p' err | tail -n +2 | sed 's/^pardup: *//; s/: .* words//' | tr '\n' '|')
    verdict "--by: each author ($said)" [ "$said" = "Bob (16.39 %), 1 of 3 documents|Cy (64.52 %), 0 of 1 documents|Ada (0.00 %), 0 of 1 documents|" ]
done
verdict "--by: same bytes at 3 ranks" same_jobs by.1 by.3
python3 - by.1.proof/summary.json >said <<'P'
import json, sys
with open(sys.argv[1]) as f: s = json.load(f)
print(s["by"], [v["value"] for v in s["values"]], sum(v["words"]["before"] - v["words"]["after"] for v in s["values"]) == s["words"]["before"] - s["words"]["after"])
P
verdict "--by: values in the summary ($(cat said))" [ "$(cat said)" = "field:author ['Bob', 'Cy'] True" ]
for k in 1 2 3 4 5 6 7 8; do printf '{"id":"%s","source":"s%s","text":"%s"}\n' $k $k "$(sentences 1 $((20 - k)) | tr '\n' ' ')"; done >eight.jsonl
run detect --preset texts --keep-fields source -o eight.h5 eight.jsonl
run dedup --by field:source -o eight eight.h5
verdict "--by: six lines" [ "$(sed -n '/lost, by/,$p' err | tail -n +2 | wc -l)" -eq 6 ]
says "--by: six lines" "3 others: "

wrong() { # wrong SAYS OPTION...
    local what=$1
    shift
    run dedup "$@" -o out.d r.h5
    exits "$*" 2
    says "$*" "$what"
}
wrong "--by hosts: expected file, host or field:NAME" --max-loss 0.5 --by hosts
wrong "--by field:: expected file" --max-loss 0.5 --by field:
wrong "--min-agreement 0.3: expected a number from 0.5 on and up to 1" --min-agreement 0.3
finish
