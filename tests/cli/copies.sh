#!/bin/bash
# No copy is lost: pages with more copies than --max-df allows, whatever the ranks, the memory and the sides.
. "$(dirname "$0")/lib.sh"

rows() { run export --table "$1" "$2"; exits "export $2" 0; }

# 350 copies of a page among 3,350 documents. Every 100th document also repeats one line 40 times.
awk 'BEGIN {
    for (d = 0; d < 3350; d++) {
        printf "{\"id\": \"%d\", \"text\": \"", d
        if (d % 9 == 4 && copies++ < 350)
            for (k = 0; k < 8; k++)
                printf "The copied page says number%d here and again. ", k
        else
            for (k = 0; k < 8; k++)
                printf "Document d%d has sentence s%dx%d all of its own. ", d, d, k
        for (k = 0; d % 100 == 0 && k < 40; k++)
            printf "This line is on many pages. "
        print "\"}"
    }
}' >pages.jsonl
copies="--idf 0,1 --common first"

run detect --idf 0,1 --max-df 20 -o aside.h5 pages.jsonl
exits "aside" 0
rows pairs aside.h5
verdict "aside: no pair" [ "$(wc -l <out)" -eq 1 ]

run detect $copies -o first.h5 pages.jsonl
exits "first" 0
rows pairs first.h5
verdict "349 pairs, all with the first copy" \
    [ "$(awk -F'\t' 'NR > 1 && $1 == 4 && $2 % 9 == 4' out | wc -l)" -eq 349 ]
rows passages first.h5
verdict "349 passages of 8 sentences" \
    [ "$(awk -F'\t' 'NR > 1 && $1 == 4 && $5 == 8 && $6 == 8' out | wc -l)" -eq 349 ]
rows common first.h5
verdict "the sentences of the page are listed" [ "$(awk -F'\t' 'NR > 1 && $2 == 350' out | wc -l)" -eq 8 ]
cp first.h5 reference.h5
for ranks in 2 4; do
    run_np $ranks detect $copies -o first.h5 pages.jsonl
    exits "$ranks ranks" 0
    verdict "$ranks ranks: the same" "${PYTHON:-/usr/bin/python3}" "$here/../support/same_result.py" \
        --tables passages,pairs,common reference.h5 first.h5
done
run_np 3 detect $copies --memory 16M -o first.h5 pages.jsonl
exits "spilled" 0
verdict "spilled: the same" "${PYTHON:-/usr/bin/python3}" "$here/../support/same_result.py" \
    --tables passages,pairs,common reference.h5 first.h5

# A line that is in 34 documents, 40 times in each: 33 pairs, dots in tiers of 16.
run detect --idf 0,1 --max-df 20 --common first --gap 0 -o lines.h5 pages.jsonl
exits "repeated lines" 0
says "repeated lines" "sentence pairs       $(printf %12d $((349 * 8 + 33 * (2 * 256 + 64))))"
rows passages lines.h5
verdict "repeated lines: the diagonal is one passage" \
    [ "$(awk -F'\t' 'NR > 1 && $1 == 0 && $5 == 40 && $6 == 40' out | wc -l)" -eq 33 ]

# Targets and sources: every target that has the page has a pair, and every source.
head -n 1200 pages.jsonl >targets.jsonl
tail -n +1201 pages.jsonl >sources.jsonl
for ranks in 1 3; do
    run_np $ranks detect $copies --max-df 20 -o sides.h5 --against sources.jsonl targets.jsonl
    exits "sides, $ranks ranks" 0
    rows pairs sides.h5
    verdict "sides: copies of the page, each with the first target or the first source" \
        [ "$(awk -F'\t' '$1 % 9 == 4 && $2 % 9 == 4 && ($1 == 4 || $2 == 1201)' out | wc -l)" -eq 349 ]
    verdict "sides: also of the repeated line" \
        [ "$(awk -F'\t' '$1 % 100 == 0 && $2 % 100 == 0 && ($1 == 0 || $2 == 1200)' out | wc -l)" -eq 33 ]
    verdict "sides: no other pair" [ "$(wc -l <out)" -eq $((1 + 349 + 33)) ]
done
finish
