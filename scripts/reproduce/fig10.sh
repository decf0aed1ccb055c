#!/bin/bash
# Figure 10 of Zhang, Zhang, Yu, Huang (SIGIR 2010): documents with a near-duplicate document by SpotSigs of
# documents, and the others that share a passage, for the first 1/8, 1/4, 1/2 and all of two collections:
# pages of pardup synth, and Reuters-21578 (PARDUP_DATA, else ../shared/data).
# usage: scripts/reproduce/fig10.sh [-o OUT.md] [-w DIR] [COLLECTION...]
#   -o OUT.md   the table [standard output]; with matplotlib, bars like those of the figure in OUT.png
#   -w DIR      work there and keep everything [a temporary folder]
#   COLLECTION  files or folders in place of Reuters-21578
# PARDUP: the program [build/release/pardup]; RANKS [2]; SEED [1]; PAGES of pardup synth [8000]; LIMIT:
# seconds a run may take [600]
set -euo pipefail
SCRIPT=fig10.sh
LIMIT=${LIMIT:-600}
. "$(dirname "${BASH_SOURCE[0]}")/../measure/common.sh"
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
begin_with "$@"

# documents_found NAME ARGUMENT...: the documents that have a duplicate, into the file NAME.docs
documents_found() {
    local name=$1
    shift
    timed_detect "$name" "$@" "${paths[@]}" || {
        say "${outcome:-failed}: $*"
        cat "$name.log" >&2
        exit 1
    }
    "$pardup" export --format tsv --table pairs "$name.h5" |
        awk -F'\t' 'NR > 1 { print $1; print $2 }' | sort -u >"$name.docs"
}

# part COLLECTION DOCUMENTS: a row for the first documents of the collection
part() {
    local first=(--limit-docs "$2") whole others
    say "$1: $2 documents"
    documents_found whole --method spotsigs-doc "${first[@]}"
    documents_found passages --preset paper "${first[@]}"
    whole=$(wc -l <whole.docs)
    others=$(comm -13 whole.docs passages.docs | wc -l)
    printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$whole" "$others" >>rows.tsv
    awk -v name="$1" -v n="$2" -v w="$whole" -v o="$others" 'BEGIN {
        printf "| %s | %d | %d | %.1f %% | %d | %.1f %% | %.2f |\n", name, n, w, 100 * w / n, o,
               100 * o / n, w ? o / w : 0 }'
}

# parts COLLECTION: rows for growing parts of the files in ${paths[@]}
parts() {
    local documents share
    documents_found whole --method spotsigs-doc
    documents=$("$pardup" export --format tsv --table documents whole.h5 | tail -n +2 | wc -l)
    for share in 8 4 2 1; do
        part "$1" $((documents / share))
    done
}

tables() {
    provenance
    printf '\n| collection | documents | with a near-duplicate document | | others that share a passage | | others to one |\n'
    printf '|---|--:|--:|--:|--:|--:|--:|\n'
    synth_paths synth --documents "${PAGES:-8000}" --seed "${SEED:-1}"
    parts "generated pages"
    if collection reuters; then
        parts "${stand_in:-Reuters-21578}"
    fi
}

: >rows.tsv
tables >tables.md
deliver tables.md "$out"
[ -z "$out" ] || ! can_draw || /usr/bin/python3 "$root/scripts/reproduce/fig10_plot.py" rows.tsv "${out%.md}.png"
