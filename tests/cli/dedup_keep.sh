#!/bin/bash
# pardup dedup: which copy stays by keys, how many copies it stands for, and records of archives that say so.
. "$(dirname "$0")/lib.sh"
line() { # line ID URL MORE: a copy, with an address and more members
    printf '{"id":"%s","url":"%s"%s,"text":"%s"}\n' "$1" "$2" "$3" "$(sentences 1 12 | tr '\n' ' ')${4-}"
}
{
    line deep 'http://x.example/a/b/c?session=1&more=2' ',"date":"2024-05-01","score":5,"by":"b"'
    line wordy 'http://x.example/a/' ',"date":"2024-06-01","score":40,"by":"a"' 'And more words are here than in all of the others.'
    line flat 'http://x.example/b' ',"date":"2023","score":"none","by":"c"'
    line nowhere '' ''
} >in.jsonl
printf '{"id":"own","text":"%s"}\n' "$(sentences 30 40 | tr '\n' ' ')" >>in.jsonl
run detect --preset texts --keep-fields date,score,by -o r.h5 in.jsonl
exits "detect" 0

# stays KEEP ID: the copy that stays is ID
stays() {
    rm -rf new new.proof
    run dedup --keep "$1" --min-left 0.5 -o new r.h5
    exits "--keep $1" 0
    verdict "--keep $1: $2 stays" [ "$(grep -o '^{"id":"[a-z]*"' new/in.jsonl | cut -d '"' -f 4 | tr '\n' ' ')" = "$2 own " ]
}
stays first deep
stays best:depth,-words wordy
stays best:depth,words flat
stays best:-depth deep
stays best:-words wordy
stays best:date flat
stays best:-date wordy
stays best:field:score deep # numbers come before texts
stays best:-field:score wordy
stays field:score wordy
stays best:-field:by,words flat
stays best:field:by wordy
for keys in best: best:words, best:size best:field: best:--words best:words,,depth field: list:; do
    run dedup --keep "$keys" -o refused r.h5
    exits "--keep $keys" 2
done
run dedup --keep best:words,field:nothing -o refused r.h5
exits "a field that no document has" 1
one_error "a field that no document has"
says "a field that no document has" "no document of a passage has this field among those that detect has kept: nothing"

need_ranks 4
for n in 1 2 4; do run_np "$n" dedup --keep best:-field:by,depth,words -o "np$n" r.h5; done
verdict "2 ranks write the same" same_jobs np1 np2
verdict "4 ranks write the same" same_jobs np1 np4
finish
