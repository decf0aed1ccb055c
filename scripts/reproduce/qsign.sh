#!/bin/bash
# The qSign-lsh paper (docs/methods.md, source 5): figures 4 to 7 in kind. Recall of document pairs at
# scores from 5 to 20, and seconds, of sampled bits and min-wise hashing beside the exact join, on
# newsgroups and Reuters-21578 (PARDUP_DATA, else ../shared/data).
# usage: scripts/reproduce/qsign.sh [-o PREFIX] [-w DIR] [COLLECTION...]
#   -o PREFIX   of PREFIX.md, PREFIX.tsv and PREFIX.png [qsign]
#   -w DIR      work there and keep everything [a temporary folder]
#   COLLECTION  files or folders in place of both collections
# PARDUP: the program [build/release/pardup]; RANKS [1]; LIMIT: seconds a run may take [20];
# COLLECTIONS [newsgroups reuters]; DOCUMENTS: how many of each are read [3000]
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

prefix=qsign
work=()
while getopts o:w: option; do
    case $option in
    o) prefix=$OPTARG ;;
    w) work=(-w "$OPTARG") ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
for path in "$@"; do
    path=$(realpath -e "$path") || exit 2
    COLLECTION+=${COLLECTION:+$'\n'}$path
    COLLECTIONS=own
done
export COLLECTION=${COLLECTION:-} MADE=${MADE:-3000}

export RANKS=${RANKS:-1} LIMIT=${LIMIT:-20} COLLECTIONS=${COLLECTIONS:-newsgroups reuters}
export THETA_D="0 5 10 15 20" NEWSGROUPS=8
export BITS="16 24 32 48" WORD_BITS=1 DIFFBITS="1 2 3 5" TABLES=8 ROWS="3" MIN_TABLES="4 16"
"$folder/../measure/lsh_curve.sh" -o "$prefix" "${work[@]}" -- --limit-docs "${DOCUMENTS:-3000}"
{
    printf '\nRecall of document pairs with a score of at least theta-d:\n\n'
    echo "| collection | join | bits | diffbit | tables | seconds | 5 | 10 | 15 | 20 | |"
    echo "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|"
    awk -F'\t' -v OFS=' | ' 'NR > 1 {
        print "| " $1, $2, $3, $5, $7, $8, $13, $14, $15, $16, ($17 == "" ? "|" : $17 " |") }' "$prefix.tsv"
} >>"$prefix.md"
