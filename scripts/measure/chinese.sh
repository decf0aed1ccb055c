#!/bin/bash
# The settings that Zhang, Zhang, Yu, Huang (SIGIR 2010) tried for Chinese, on Chinese laws with copies
# planted in them (chinese_collection.py): I-Match by range of idf, SpotSigs by number of antecedents,
# shingles, each with characters and with ICU's words. One Markdown table. Exit status 77: no archive
# of the laws (PARDUP_DATA, else ../shared/data).
# usage: scripts/measure/chinese.sh [-o FILE] [-w DIR]
#   -o FILE   the table goes there [standard output]
#   -w DIR    work there and keep everything [a temporary folder]
# PARDUP: the program [build/release/pardup]; RANKS [2]; LIMIT: seconds a run may take [60]; SEED [1]
set -euo pipefail
SCRIPT=chinese.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

SETTINGS=(--method\ pdc-imatch\ --idf\ {0,0.1,0.2,0.3,0.4,0.5,0.6,0.8},1
    --method\ pdc-spotsigs\ --antecedents\ {5,20,60,100,200,500,10000}
    --method\ pdc-shingle{2,3,4} --method\ pdc-shingle{2,4}\ --tau\ 0.6)
CLASSES=(same few many)

# row OPTIONS WORDS
row() {
    local class measure value rest cells=
    local -A all=()
    say "$1, $2"
    # shellcheck disable=SC2086 # a list of options
    if ! timed_detect found $1 --words "$2" laws; then
        echo "| \`$1\` | $2 | $outcome |"
        return
    fi
    while IFS=$'\t' read -r class measure value rest; do
        all[$class.$measure]=$value
    done < <("$pardup" eval --bootstrap 0 --format tsv --truth truth.tsv found.h5)
    for value in all.precision "${CLASSES[@]/%/.recall}" all.{f1,granularity,plagdet,pair_f1}; do
        cells+=$(printf ' %.3f |' "${all[$value]}")
    done
    echo "| \`$1\` | $2 |$cells $(figure 'sentence pairs' found.log) | $(figure all found.log) |"
}

begin "$@"
collection chinese-laws || exit 77
[ -d planted ] || {
    "$root/scripts/data/chinese_collection.py" data/chinese-laws-national planted.part "${SEED:-1}"
    mv planted.part planted
}
cd planted # the truth's ids begin here
{
    provenance
    echo "$(find laws -type f | wc -l) laws, $(wc -l <truth.tsv) copies."
    echo
    echo "| options | --words | precision | recall: same | few | many | F1 | granularity | plagdet | pairs F1 | sentence pairs | s |"
    echo "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for words in char icu; do
        for options in "${SETTINGS[@]}"; do
            row "$options" "$words"
        done
    done
} >table.md
deliver table.md "$out"
