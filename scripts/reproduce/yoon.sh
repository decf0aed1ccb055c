#!/bin/bash
# Yoon, Jang, Kim, Park, "Detecting Partial and Near Duplication in the Blogosphere" (IEICE 2012):
# table 2 and figures 5 to 7. Targets are messages of newsgroups, of which some have clippings of
# Reuters stories (clippings.py), and the suspicious documents of PAN13 against its sources
# (pan13_split.py). The archives are in PARDUP_DATA, else ../shared/data.
# usage: scripts/reproduce/yoon.sh [-o OUT.md] [-w DIR]
#   -o OUT.md   the tables [standard output]
#   -w DIR      work there and keep everything [a temporary folder]
# PARDUP: the program [build/release/pardup]; COLLECTIONS [clippings pan13]; SEED [1]; CUTOFFS:
# shares of the sources that a word may be in, the document frequency cut-off
set -euo pipefail
SCRIPT=yoon.sh
. "$(dirname "${BASH_SOURCE[0]}")/../measure/common.sh"
ranks=1
read -ra cutoffs <<<"${CUTOFFS:-0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.4 0.6 1.0}"
begin "$@"
. "$root/scripts/reproduce/common.sh"

# Sentences in more than 300 sources are left out of all tables, as in the paper.
models() {
    local cutoff
    echo "Chowdhury02|-|--method imatch-doc --max-df 300"
    echo "Wang09|-|--method sentence-fp --units sentence --max-df 300"
    echo "proposed, 4 words and more|0.6|--method yoon --min-counted 4 --max-df 300"
    for cutoff in "${cutoffs[@]}"; do
        echo "proposed|$cutoff|--method yoon --max-word-df $cutoff --max-df 300"
    done
}

clippings() {
    local news posts
    collection reuters || return 1
    news=${paths[*]}
    collection newsgroups || return 1
    posts=${paths[*]}
    /usr/bin/python3 "$reproduce/clippings.py" --seed "${SEED:-1}" -o clippings --news "$news" \
        --posts "--format mail $posts"
    sources=(clippings/sources.jsonl)
    targets=(clippings/targets.jsonl)
}

pan13() {
    local corpus
    collection pan13 || return 1
    corpus=$(dirname "${paths[0]}")
    mkdir -p pan13
    /usr/bin/python3 "$reproduce/pan13_split.py" "$corpus" | sed "s|^|$corpus/|" >pan13/truth.tsv
    sources=(--format text "$corpus/src")
    targets=(--format text "$corpus/susp")
}

# one COLLECTION MODEL CUTOFF OPTIONS: a line of runs.tsv
one() {
    local folder="$1/${2//[ ,]/-}$3" index_seconds entries left_out load
    say "$1: $2 $3"
    # shellcheck disable=SC2086 # a list
    make_index "$folder.index" $4 "${sources[@]}"
    index_seconds=$seconds
    entries=$(figure "names added" log)
    left_out=$(awk -F'\t' -v cutoff="$3" '$1 == cutoff { print $2 }' "$1/left_out.tsv")
    timed "$pardup" check --index "$folder.index" --stdin # no line: it opens the index and ends
    load=$seconds
    check_index "$folder.index" "$folder" --top 1 --gamma 1000000 --texts no "${targets[@]}"
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.0f\t%.3f\n' "$2" "$3" "$folder" "$index_bytes" "$entries" \
        "$left_out" "$index_seconds" "$(awk "BEGIN { print 1000 * $load }")" \
        "$(awk -v s="$seconds" 'END { print 1000 * s / (NR - 1) }' "$folder/documents.tsv")" >>"$1/runs.tsv"
}

{
    provenance
    for name in ${COLLECTIONS:-clippings pan13}; do
        "$name" || continue
        : >"$name/runs.tsv"
        /usr/bin/python3 "$reproduce/left_out.py" "$(tr ' ' , <<<"${cutoffs[*]}")" "${sources[@]}" >"$name/left_out.tsv"
        while IFS='|' read -r model cutoff options; do
            one "$name" "$model" "$cutoff" "$options" </dev/null
        done < <(models)
        printf '\n### %s: %s targets, %s sources\n' "$name" "$(wc -l <"$name/truth.tsv")" \
            "$(($(wc -l <"$name/Wang09-/sources.tsv") - 1))"
        /usr/bin/python3 "$reproduce/decisions_table.py" "$name/truth.tsv" "$name/runs.tsv"
    done
    [ ! -s skipped ] || printf '\nSkipped, no archive: %s.\n' "$(paste -sd' ' skipped)"
} >tables.md
deliver tables.md "$out"
