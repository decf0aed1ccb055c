#!/bin/bash
# The qSign-lsh paper (docs/methods.md, source 5): figures 4 to 7 in kind. Recall of document pairs at
# scores from 5 to 20, and seconds, of sampled bits and min-wise hashing beside the exact join, on
# newsgroups and Reuters-21578 (PARDUP_DATA, else ../shared/data); what the baselines of figures 5 and 7 read and
# find, for pairs of sentences (qsign_baselines.py).
# usage: scripts/reproduce/qsign.sh [-o PREFIX] [-w DIR] [COLLECTION...]
#   -o PREFIX   of PREFIX.md, PREFIX.tsv and, with matplotlib, PREFIX.png [qsign]
#   -w DIR      work there and keep everything [a temporary folder]
#   COLLECTION  files or folders in place of both collections
# PARDUP: the program [build/release/pardup]; RANKS [1]; LIMIT: seconds a run may take [20];
# COLLECTIONS [newsgroups reuters]; DOCUMENTS: how many of each are read [3000]; SEED and QUERIES: sentences that the
# baselines look for [1, 1000]
set -euo pipefail
SCRIPT=qsign.sh
here=$PWD
. "$(dirname "${BASH_SOURCE[0]}")/../measure/common.sh"
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
begin_with "$@"
prefix=${out:-$here/qsign}

export RANKS=${RANKS:-1} LIMIT=${LIMIT:-20} COLLECTIONS=${COLLECTIONS:-newsgroups reuters}
export THETA_D="0 5 10 15 20" NEWSGROUPS=8
export BITS="16 24 32 48" WORD_BITS=1 DIFFBITS="1 2 3 5" TABLES=8 ROWS="3" MIN_TABLES="4 16"
first=(--limit-docs "${DOCUMENTS:-3000}")
"$root/scripts/measure/lsh_curve.sh" -o "$prefix" -w . -- "${first[@]}"

# baselines COLLECTION: sentences of signatures of 16 bits (figure 5) and 32 bits (figure 7)
baselines() {
    local groups=() bits
    [ "$1" != newsgroups ] || groups=(--groups "$NEWSGROUPS")
    collection "$1" "${groups[@]}" || return 0
    [ "$1" != newsgroups ] || [ -n "$stand_in" ] || paths=(--format text "${paths[@]}")
    for bits in 16 32; do
        printf '\n### %s: baselines with signatures of %s bits\n' "$1" "$bits"
        "$pardup" sentences "${first[@]}" "${paths[@]}" 2>sentences.log |
            "$reproduce/qsign_baselines.py" --seed "${SEED:-1}" --queries "${QUERIES:-1000}" --bits "$bits"
    done
}

{
    printf '\nRecall of document pairs with a score of at least theta-d:\n\n'
    echo "| collection | join | bits | diffbit | tables | seconds | 5 | 10 | 15 | 20 | |"
    echo "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|"
    awk -F'\t' -v OFS=' | ' 'NR > 1 {
        print "| " $1, $2, $3, $5, $7, $8, $13, $14, $15, $16, ($17 == "" ? "|" : $17 " |") }' "$prefix.tsv"
    for name in $COLLECTIONS; do
        baselines "$name"
    done
} >>"$prefix.md"
