#!/bin/bash
# Does every method of `pardup detect` survive a hard collection? A site of nearly identical pages,
# ordinary pages, a very long document, and a sentence that every document has; see
# stress_collection.py. Prints a Markdown table; the exit status is 1 when a run did not finish or
# took more memory than it was given.
# usage: scripts/measure/stress.sh [-o FILE] [-w DIR] [-- OPTION...]
#   -o FILE     the table goes there [standard output]
#   -w DIR      work there and keep everything [a temporary folder]
#   OPTION...   of detect, for every run
# PARDUP: the program [build/release/pardup]; RANKS [2]; LIMIT: seconds a run may take [600];
# SCALE: pages of the site [20000] (the long document has 50 sentences for each page: SCALE=500 runs
# in seconds); MEMORY: what --memory is given [1G]; ONLY: a pattern of the methods to run
set -euo pipefail
SCRIPT=stress.sh
LIMIT=${LIMIT:-600}
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

METHODS=(
    "--method pdc-imatch"
    "--method pdc-shingle2"
    "--method pdc-shingle3"
    "--method pdc-shingle4"
    "--method pdc-spotsigs"
    "--method yoon"
    "--method qsign-exact"
    "--method qsign-lsh"
    "--method sentence-fp"
    "--method sentence-fp-sd"
    "--method sentence-length"
    "--method full-fp"
    "--method full-fp --sample 3"
    "--method full-fp --sample 6"
    "--feature words --idf 0,1 --join jaccard --tau 0.6"
)

scale=${SCALE:-20000}
memory=${MEMORY:-1G}
begin "$@"
allowed=$(numfmt --from=iec "$memory")

# head_of COLUMN...: two lines of a Markdown table
head_of() {
    printf '| %s ' "$@"
    echo '|'
    printf '|---%.0s' "$@"
    echo '|'
}

# row OPTIONS: fails when the run did
row() {
    local rows df example most
    say "$1"
    # shellcheck disable=SC2086 # a list of options
    if ! timed_detect stress $1 --memory "$memory" "${@:2}" "$collection"; then
        echo "| \`$1\` | $outcome | | | | | | | | | |"
        return 1
    fi
    "$root/scripts/measure/stress_example.py" "$pardup" stress.h5 "$collection" >common
    IFS=$'\t' read -r rows df example <common
    most=$(peak stress.log)
    printf '| `%s` | yes | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$1" \
        "$(figure all stress.log)" "$most" "$(figure candidates stress.log)" \
        "$(figure 'similar classes' stress.log)" "$(figure 'sentence pairs' stress.log)" \
        "$(figure 'document pairs' stress.log)" "$rows" "$df" "$example"
    [ $((most * 1000000)) -le "$allowed" ] || { say "$most MB are more than --memory"; return 1; }
}

collection=collection.$scale
[ -d "$collection" ] || {
    "$root/scripts/data/stress_collection.py" "$collection.part" "$scale"
    mv "$collection.part" "$collection"
}
status=0
{
    provenance
    echo "$(du -mLs --apparent-size "$collection" | cut -f1) MB of JSON lines, --memory $memory."
    echo
    head_of options finished seconds "MB a rank" candidates "similar classes" "sentence pairs" \
        "document pairs" "in /common" "most documents" "in all of them"
} >table.md
for options in "${METHODS[@]}"; do
    # shellcheck disable=SC2053 # a pattern
    [[ $options == ${ONLY:-*} ]] || continue
    (row "$options" "${rest[@]}") >>table.md || status=1
done
deliver table.md "$out"
exit $status
