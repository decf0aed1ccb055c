#!/bin/bash
# No copy is lost: pages with more copies than --max-df allows, and equal texts of a sentence, whatever the ranks, the
# memory and the sides.
. "$(dirname "$0")/lib.sh"

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
copies="--preset paper --idf 0,1 --max-df 300 --common first"

run detect --preset paper --idf 0,1 --max-df 20 -o aside.h5 pages.jsonl
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
run detect $copies --max-df 20 --gap 0 -o lines.h5 pages.jsonl
exits "repeated lines" 0
says "repeated lines" "sentence pairs       $(printf %12d $((349 * 8 + 33 * (2 * 256 + 64))))"
rows passages lines.h5
verdict "repeated lines: the diagonal is one passage" \
    [ "$(awk -F'\t' 'NR > 1 && $1 == 0 && $5 == 40 && $6 == 40' out | wc -l)" -eq 33 ]

# Equal texts of one sentence, of two sentences that are split otherwise, and texts without words or partners.
cat >short.jsonl <<'EOT'
{"id": "a", "text": "One short sentence stands here."}
{"id": "b", "text": "Another text. It has two sentences."}
{"id": "c", "text": "One short sentence stands here."}
{"id": "d", "text": "another text, it has two sentences"}
{"id": "e", "text": "... --- ..."}
{"id": "f", "text": "... --- ..."}
{"id": "g", "text": "One short sentence stands here. And one more."}
EOT
strict="--preset paper --copies report --theta-d 3 --delta 9 --min-passage-words 99 --max-word-df 0.1"
printf 'doc_a doc_b start_a start_b length_a length_b begin_a end_a begin_b end_b matched similarity\n%s\n%s\n' \
    "0 2 0 0 1 1 0 31 0 31 1 1" "1 3 0 0 2 1 0 35 0 34 1 1" >expected
for ranks in 1 2 4; do
    run_np $ranks detect $strict -o short.h5 short.jsonl
    exits "short copies, $ranks ranks" 0
    rows passages short.h5
    cut -f 1-12 out | tr '\t' ' ' >got
    verdict "short copies, $ranks ranks: two pairs" cmp -s expected got
done
run detect --preset paper --idf 0,1 -o short.h5 short.jsonl
rows passages short.h5
verdict "without --copies: no passage" [ "$(wc -l <out)" -eq 1 ]
run detect $strict --against short.jsonl -o short.h5 short.jsonl
exits "short copies, sides" 0
rows pairs short.h5
verdict "short copies, sides: targets with sources only" [ "$(awk -F'\t' '$1 < 7 && $2 >= 7' out | wc -l)" -eq 9 ]
verdict "short copies, sides: no other pair" [ "$(wc -l <out)" -eq 10 ]

# Equal documents are common, too: all pairs up to --max-df, then those with the first document, or none.
for k in $(seq 9); do echo '{"id": "k", "text": "The same."}'; done >nine.jsonl
for case in "9 aside 36" "8 aside 0" "9 first 36" "8 first 8"; do
    set -- $case
    run detect --preset paper --copies report --max-df $1 --common $2 -o nine.h5 nine.jsonl
    exits "$case" 0
    rows pairs nine.h5
    verdict "nine equal documents, --max-df $1 --common $2: $3 pairs" [ "$(wc -l <out)" -eq $(($3 + 1)) ]
done

# Two pages with the same 16,000 lines are one row at once.
for k in 1 2; do
    awk 'BEGIN { printf "{\"text\": \""; for (k = 0; k < 16000; k++) printf "Same here. "; print "\"}" }'
done >lines.jsonl
RUN_SECONDS=10 run detect --preset paper --copies report --gap 8 -o lines.h5 lines.jsonl
exits "16,000 equal lines" 0
rows passages lines.h5
verdict "16,000 equal lines: one passage" [ "$(wc -l <out)" -eq 2 ]

# Targets and sources: every target that has the page has a pair with the first source that has it.
head -n 1200 pages.jsonl >targets.jsonl
tail -n +1201 pages.jsonl >sources.jsonl
for ranks in 1 3; do
    run_np $ranks detect $copies --max-df 20 -o sides.h5 --against sources.jsonl targets.jsonl
    exits "sides, $ranks ranks" 0
    rows pairs sides.h5
    verdict "sides: copies of the page" [ "$(awk -F'\t' '$1 % 9 == 4 && $2 == 1201' out | wc -l)" -eq 133 ]
    verdict "sides: also of the repeated line" [ "$(awk -F'\t' '$1 % 100 == 0 && $2 == 1200' out | wc -l)" -eq 12 ]
    verdict "sides: no other pair" [ "$(wc -l <out)" -eq $((1 + 133 + 12)) ]
done

# A text that stands twice in a document is a copy of where it stands once, whatever the preset.
mkdir twice
sentences 1 12 >once
{ cat once; sentences 20 32; } >twice/a.txt
cat once once >twice/b.txt
{ cat once; sentences 40 52; } >twice/c.txt
for preset in texts edited web; do
    run detect --preset $preset -o twice.h5 twice
    exits "a text twice, $preset" 0
    rows pairs twice.h5
    verdict "a text twice, $preset: three pairs" [ "$(wc -l <out)" -eq 4 ]
done
finish
