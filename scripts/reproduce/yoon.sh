#!/bin/bash
# Yoon, Jang, Kim, Park, "Detecting Partial and Near Duplication in the Blogosphere" (IEICE 2012):
# table 2 and figures 5 to 7. Targets are messages of newsgroups, of which some have clippings of
# Reuters stories (clippings.py), and the suspicious documents of PAN13 against its sources
# (pan13_split.py). The archives are in PARDUP_DATA, else ../shared/data. The sizes and times of table 2
# are also measured with as many entries as the paper has, on pages of pardup synth.
# usage: scripts/reproduce/yoon.sh [-o OUT.md] [-w DIR] [NEWS POSTS]
#   -o OUT.md   the tables [standard output]
#   -w DIR      work there and keep everything [a temporary folder]
#   NEWS POSTS  two files or folders: of sources, and of texts that get clippings of them
# PARDUP: the program [build/release/pardup]; COLLECTIONS [clippings pan13]; SEED [1]; CUTOFFS:
# shares of the sources that a word may be in, the document frequency cut-off; PAGES of pardup synth
# [61000; 0: no sizes]
set -euo pipefail
SCRIPT=yoon.sh
. "$(dirname "${BASH_SOURCE[0]}")/../measure/common.sh"
ranks=1
read -ra cutoffs <<<"${CUTOFFS:-0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.4 0.6 1.0}"
. "$root/scripts/reproduce/common.sh"
begin_with "$@"
[ -z "$COLLECTION" ] || COLLECTIONS=clippings

# Sentences that occur more than 300 times in the sources are left out of all tables. Frequencies of words are those of
# the sources, or, as in the paper, of another collection: the posts.
models() {
    local cutoff
    echo "Chowdhury02|-|--method imatch-doc --max-df 300 --max-df-of times"
    echo "Wang09|-|--method sentence-fp --units sentence --max-df 300 --max-df-of times"
    echo "proposed, 4 words and more|0.6|--method yoon --min-counted 4"
    for cutoff in "${cutoffs[@]}"; do
        echo "proposed|$cutoff|--method yoon --max-word-df $cutoff"
        [ ! -f "$1/posts.tsv" ] ||
            echo "proposed, words of posts|$cutoff|--method yoon --max-word-df $cutoff --frequencies $1/posts.tsv"
    done
}

clippings() {
    local news posts
    collection reuters || return 1
    news=${paths[*]}
    collection newsgroups || return 1
    posts=${paths[*]}
    if [ -n "$COLLECTION" ]; then
        [ "${#paths[@]}" -eq 2 ] || { say "two paths are needed, of NEWS and of POSTS"; exit 2; }
        news=${paths[0]} posts=${paths[1]}
    elif [ -z "$stand_in" ]; then
        posts="--format mail $posts"
    fi
    /usr/bin/python3 "$reproduce/clippings.py" --seed "${SEED:-1}" -o clippings --news "$news" \
        --posts "$posts"
    sources=(clippings/sources.jsonl)
    targets=(clippings/targets.jsonl)
    "$pardup" frequencies --quiet --force -o clippings/posts.tsv "${targets[@]}"
}

pan13() {
    local corpus
    MADE='' collection pan13 || return 1 # nothing takes its place
    corpus=$(dirname "${paths[0]}")
    mkdir -p pan13
    /usr/bin/python3 "$reproduce/pan13_split.py" "$corpus" | sed "s|^|$corpus/|" >pan13/truth.tsv
    sources=(--format text "$corpus/src")
    targets=(--format text "$corpus/susp")
}

# left_out COLLECTION MODEL OPTION...: lines of left_out.tsv
left_out() {
    local name=$1 model=$2
    /usr/bin/python3 "$reproduce/left_out.py" "$(tr ' ' , <<<"${cutoffs[*]}")" "${@:3}" "${sources[@]}" |
        sed "s/^/$model\t/" >>"$name/left_out.tsv"
}

# one COLLECTION MODEL CUTOFF OPTIONS: a line of runs.tsv
one() {
    local folder="$1/${2//[ ,]/-}$3" index_seconds entries left_out load # left_out: two fields, empty without a cut-off
    local -a runs=(--gamma 1000000)
    [[ $4 != *-doc\ * ]] || runs=() # whole documents have one match
    say "$1: $2 $3"
    # shellcheck disable=SC2086 # a list
    make_index "$folder.index" $4 "${sources[@]}"
    index_seconds=$seconds
    entries=$(figure "names added" log)
    left_out=$(awk -F'\t' -v model="$2" -v cutoff="$3" '$1 == model && $2 == cutoff { print $3 "\t" $4 }' "$1/left_out.tsv")
    timed "$pardup" check --index "$folder.index" --stdin # no line: it opens the index and ends
    load=$seconds
    check_index "$folder.index" "$folder" --top 1 "${runs[@]}" --texts no "${targets[@]}"
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.0f\t%.3f\n' "$2" "$3" "$folder" "$index_bytes" "$entries" \
        "${left_out:-$'\t'}" "$index_seconds" "$(awk "BEGIN { print 1000 * $load }")" \
        "$(awk -v s="$seconds" 'END { print 1000 * s / (NR - 1) }' "$folder/documents.tsv")" >>"$1/runs.tsv"
}

# size MODEL PUBLISHED OPTIONS: a row of sizes and times; PUBLISHED are MB, entries, ms, ms
size() {
    local open index_seconds
    say "sizes: $1"
    # shellcheck disable=SC2086 # a list
    make_index size.index $3 pages.jsonl
    index_seconds=$seconds
    entries=$(figure "names added" log)
    timed "$pardup" check --index size.index --stdin </dev/null
    open=$seconds
    timed "$pardup" check --index size.index --texts no --stdin <requests.jsonl
    awk -v name="$1" -v published="$2" -v bytes="$index_bytes" -v text="$(figure text_bytes pages.log)" \
        -v entries="$entries" -v made="$index_seconds" -v open="$open" -v all="$seconds" \
        -v n="$(wc -l <requests.jsonl)" 'BEGIN {
            printf "| %s | %s | %.0f | %d | %.1f %% | %.0f | %.0f | %.3f |\n", name, published, bytes / 1e6,
                entries, 100 * bytes / text, made, 1000 * open, 1000 * (all - open) / n }'
}

# sizes: pages of which 500 are requests, too, and 500 requests of pages that are no source
sizes() {
    "$pardup" synth --seed 1 --documents "${PAGES:-61000}" --container jsonl --pack none -o pages
    "$pardup" synth --seed 2 --documents 500 --container jsonl --pack none -o others
    cat pages/part-*.jsonl >pages.jsonl
    rm -r pages
    { head -n 500 pages.jsonl && cat others/part-*.jsonl; } >requests.jsonl
    echo "pardup: text_bytes $(wc -c <pages.jsonl)" >pages.log
    printf '\n### Sizes and times: %s sources, %s requests one after the other\n\n' \
        "$(wc -l <pages.jsonl)" "$(wc -l <requests.jsonl)"
    echo "| Table 2 | published MB | entries | loading, ms | request, ms | MB | entries | of the text |" \
        "index, s | opening, ms | request, ms |"
    echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    size Chowdhury02 "88 | 381202 | 2421 | 1.38" "--method imatch-doc --max-df 300 --max-df-of times"
    size Wang09 "903 | 3623531 | 27668 | 0.82" "--method sentence-fp --units sentence --max-df 300 --max-df-of times"
    size proposed "891 | 3564761 | 24540 | 1.39" "--method yoon"
}

{
    provenance
    for name in ${COLLECTIONS:-clippings pan13}; do
        "$name" || continue
        : >"$name/runs.tsv" >"$name/left_out.tsv"
        left_out "$name" proposed
        [ ! -f "$name/posts.tsv" ] || left_out "$name" "proposed, words of posts" --frequencies "$name/posts.tsv"
        while IFS='|' read -r model cutoff options; do
            one "$name" "$model" "$cutoff" "$options" </dev/null
        done < <(models "$name")
        printf '\n### %s: %s targets, %s sources\n' "$name" "$(wc -l <"$name/truth.tsv")" \
            "$(($(wc -l <"$name/Wang09-/sources.tsv") - 1))"
        /usr/bin/python3 "$reproduce/decisions_table.py" "$name/truth.tsv" "$name/runs.tsv"
    done
    [ "${PAGES:-1}" -eq 0 ] || sizes
    [ ! -s skipped ] || printf '\nSkipped, no archive: %s.\n' "$(paste -sd' ' skipped)"
} >tables.md
deliver tables.md "$out"
