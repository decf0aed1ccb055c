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
refused "a host" --max-loss 0.5 --max-loss-of host
says "a host" "host c.example: would lose 6"
says "a host: the family" "allows; most is in: family 0 of 1 ("
refused "two hosts" --max-loss 0.3 --max-loss-of host
says "two hosts: the first one" "host b.example: would lose 4"
says "two hosts: how many" "allows (so would 1 more); most"
refused "an author" --max-loss 0.3 --max-loss-of field:author
says "an author" "author Cy: would lose 6"
refused "nobody has the field" --max-loss 0.3 --max-loss-of field:nobody
says "nobody has the field" "field:nobody: no document has it in /documents/meta: run detect with --keep-fields nobody"
run_np 3 dedup --max-loss 0.3 --max-loss-of host --keep longest -o out.d r.h5
exits "another order, three ranks" 1
says "another order, three ranks" "host a.example: would lose 100.0 % of its text, more than --max-loss allows (so would 1 more)"

run dedup --max-loss 0.7 --max-loss-of host -o hosts r.h5
exits "little enough" 0
verdict "little enough: the summary" grep -q '"max_loss":0.7,"max_loss_of":"host"' hosts/summary.json
run dedup -o plain r.h5
verdict "little enough: the same collection" cmp -s hosts/a.jsonl plain/a.jsonl

wrong() { # wrong SAYS OPTION...
    local what=$1
    shift
    run dedup "$@" -o out.d r.h5
    exits "$*" 2
    says "$*" "$what"
}
wrong "--max-loss-of host: give --max-loss, too" --max-loss-of host
wrong "--max-loss-of hosts: expected file, host or field:NAME" --max-loss 0.5 --max-loss-of hosts
wrong "--max-loss-of field:: expected file" --max-loss 0.5 --max-loss-of field:
wrong "--min-agreement 0.3: expected a number from 0.5 on and up to 1" --min-agreement 0.3
finish
