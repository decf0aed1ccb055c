#!/bin/bash
# check against an index finds exactly what detect --against finds between targets and sources, whatever the ranks.
. "$(dirname "$0")/check_sides.sh"
for ranks in 1 2 4; do
    agrees "words" $ranks --method pdc-imatch --idf 0,1
done
for file in $(cd index.1 && ls); do
    verdict "1, 2 and 4 ranks make the same $file" cmp -s index.1/$file index.2/$file
    verdict "1, 2 and 4 ranks make the same $file" cmp -s index.1/$file index.4/$file
done
agrees "web" 3 --preset web --idf 0,1
index_only="--with-text --templates match"
agrees "web, with texts" 2 --preset web --idf 0,1
index_only="--templates match"
agrees "sequence" 2 --method sentence-fp-sd
agrees "clauses, gap" 2 --method sentence-fp --gap 2 --gamma 1
agrees "yoon" 2 --method yoon --delta 2
agrees "grams" 2 --method full-fp --gap 5 --gamma 3 --edges far --passages best --max-repeats 16 --repeats first
agrees "windows" 2 --method sentence-length --window 3,1
agrees "shingles" 2 --feature shingle --join equal --gamma 1
agrees "short passages are left out" 1 --method pdc-imatch --idf 0,1 --min-passage-words 60 --min-agreement 0.9 --gap 1

# Bounds of units that the index keeps are those of the texts: units in a row, windows that overlap, grams.
for how in "--method sentence-fp" "--method sentence-length --window 3,1" "--method full-fp --edges sentence"; do
    run index $how --edges sentence -o bounds sources
    exits "$how: index" 0
    for texts in yes no; do
        run check --index bounds --texts $texts -o bounds.h5 targets
        exits "$how: --texts $texts" 0
        run export bounds.h5
        cut -f 1-11 out >bounds.$texts
    done
    verdict "$how: bounds" cmp -s bounds.yes bounds.no
    verdict "$how: there are passages" [ "$(wc -l <bounds.no)" -gt 8 ]
done

# A text in the index is cut around passages only. An edge there may go on over several short sentences of the source.
mkdir long short
alike=$(sentences 1 3)
printf '%s\n' "Another begin." "Alpha beta gamma." "Delta epsilon zeta." "Eta theta iota." "$alike" "Kappa lambda mu." "Nu xi omicron." \
    "Pi rho sigma." "Another end." >short/source.txt
printf '%s\n' "Alpha beta gamma, delta epsilon zeta, eta theta iota." "$alike" "Kappa lambda mu, nu xi omicron, pi rho sigma." >long/target.txt
for with in "" --with-text; do
    rm -rf edges
    run index --method pdc-imatch --idf 0,1 --gamma 1 --edges word $with -o edges short
    exits "edges, index $with" 0
    run check --index edges -o edges.h5 long
    exits "edges, check $with" 0
    run export edges.h5
    cp out "edges.of$with"
done
verdict "edges of a text in the index and of its file" cmp -s edges.of edges.of--with-text
verdict "the edge begins three sentences before" [ "$(awk -F'\t' 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == "begin_b") at = k} NR == 2 {print $at}' edges.of)" = 15 ]

# ---- names of different widths: grams count beside others, or alone (--gamma 0) ----
mkdir widths
for k in 0 1 2 3 4; do { sentences $((100 * k)) $((100 * k + 40)); sentences 500 510; } >widths/w$k.txt; done
{ sentences 20 340; sentences 500 510; } >wide.txt
run index --preset texts --gamma 0 -o at-once widths
how=
for k in 0 1 2 3 4; do
    run index $how --preset texts --gamma $((3 * (k % 2))) -o by-turns widths/w$k.txt
    exits "widths: source $k" 0
    how=--add
done
says "widths: the segments are merged" "in 1 segment"
for index in at-once by-turns; do
    run check --index $index -o $index.h5 wide.txt
    exits "widths: check by $index" 0
    run export --table passages $index.h5
    cut -f 3-16 out >$index.passages
done
verdict "widths: there are passages" [ "$(wc -l <at-once.passages)" -gt 3 ]
verdict "widths: the same passages" cmp -s at-once.passages by-turns.passages
finish
