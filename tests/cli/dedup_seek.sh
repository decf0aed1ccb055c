#!/bin/bash
# pardup dedup: text that becomes rare because copies of it go is removed by the same job, as a second job would remove it.
. "$(dirname "$0")/lib.sh"
doc() { printf '{"id":"%s","text":"%s"}\n' "$1" "$(printf '%s' "$2" | tr '\n' ' ')"; }
# The first three documents share one text. More than three documents have it, until the copy of the third one is gone.
{
    doc one "$(own one 4; sentences 1 4; own first 4; sentences 60 72)"
    doc two "$(own two 4; sentences 1 4; own second 4; sentences 60 72)"
    doc three "$(own three 20; sentences 1 4; own third 20)"
    doc copy "$(own three 20; sentences 1 4; own third 20)"
} >in.jsonl
run detect --preset texts --max-df 3 --common aside -o r.h5 in.jsonl
exits "detect" 0
run dedup --check -o new r.h5
exits "dedup" 0
says "a second job finds nothing" "check                   0  removals more"
python3 "$here/../support/removed.py" "$PARDUP" new in.jsonl >judged 2>&1
verdict "each removal is proved ($(tail -n 1 judged))" grep -q ' 0 wrong' judged
verdict "one document keeps the text" [ "$(grep -c 'w2 speaks' new/in.jsonl)" -eq 1 ]
zstd -dc new.proof/removed.jsonl.zst >lines
verdict "no passage has led to it" grep -q '"id":"three",.*"family":null,"passage":null,"removed":"passage"' lines
run dedup --max-loss 0.1 -o refused r.h5
exits "--max-loss" 1
one_error "--max-loss"
# A text that is shorter than a passage may be stays, and common text stays, too.
run detect --preset texts --max-df 3 --common aside --min-passage-words 60 -o s.h5 in.jsonl
run dedup -o short s.h5
verdict "text shorter than --min-passage-words stays" [ "$(grep -c 'w2 speaks' short/in.jsonl)" -eq 3 ]
run detect --preset texts --max-df 2 --common aside -o c.h5 in.jsonl
run dedup -o common c.h5
verdict "text that is still common stays" [ "$(grep -c 'w2 speaks' common/in.jsonl)" -eq 3 ]
# What is common by the places that have it is so here, too: one of the three documents has the text twice.
{ doc one "$(own one 4; sentences 1 4; own first 4; sentences 1 4; own last 4; sentences 60 72)"; tail -n +2 in.jsonl; } >twice.jsonl
for what in times documents; do
    run detect --preset texts --max-df 3 --max-df-of $what --common aside -o t.h5 twice.jsonl
    run dedup -o $what t.h5
    exits "$what" 0
done
verdict "text that is common by its places stays" [ "$(grep -o 'w2 speaks' times/twice.jsonl | wc -l)" -eq 4 ]
verdict "text that is common by neither goes" [ "$(grep -o 'w2 speaks' documents/twice.jsonl | wc -l)" -lt 4 ]

# The same where a short heading before each sentence differs, and where a word of each sentence is another one.
long() { # long NAME WORD: two sentences with a heading each
    local k
    for k in one two; do
        echo "$1 part. Long $k goes on$(printf " and v$k%s" $(printf '%s\n' a b c d e f g h i j k l | sed "s/^f$/$2/")) until it ends."
    done
}
{
    doc one "$(own one 4; long Red f; own first 4; sentences 60 72)"
    doc edited "$(own five 4; long Green x; own fifth 4; sentences 60 72)"
    doc three "$(own three 20; long Blue f; own third 20)"
    doc copy "$(own three 20; long Blue f; own third 20)"
} >headed.jsonl
run detect --preset texts --max-df 3 --common aside -o h.h5 headed.jsonl
run dedup --min-run 10 -o headed h.h5
exits "headings" 0
python3 "$here/../support/removed.py" "$PARDUP" headed --min-run 10 headed.jsonl >judged 2>&1
verdict "headings: each removal is proved ($(tail -n 1 judged))" grep -q ' 0 wrong' judged
verdict "headings: one document keeps the sentences" [ "$(grep -c 'and vonee and vonef and voneg' headed/headed.jsonl)" -eq 1 ]
verdict "headings: an edited copy goes, too" [ "$(grep -c 'and vonex' headed/headed.jsonl)" -eq 0 ]

need_ranks 4
for n in 2 4; do
    run_np "$n" dedup -o "np$n" r.h5
    rm -f new.proof/check.json
    verdict "$n ranks write the same" same_jobs new "np$n"
done
finish
