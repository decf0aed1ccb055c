#!/bin/bash
# `pardup detect` on far more ranks than this machine has cores: the result must be that of one rank.
# Prints seconds in all and of each stage, exchanged bytes, and peak memory a rank, in all and less
# what MPI and HDF5 take before pardup has done anything ("own": there is one document only).
# usage: tests/nodes/ranks.sh [RANKS...]      [2 8 64 128]
# PARDUP: the program [build/release/pardup]; BYTES: of HTML [20M]; LIMIT: seconds a run may take [300];
# KEEP: keep the folder when set. OPTIONS: of detect, for every run.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ $# -gt 0 ] || set -- 2 8 64 128
read -ra options <<<"${OPTIONS:-}"
work=$(mktemp -d)
trap leave EXIT

# detect NAME RANKS INPUT...
detect() {
    local name=$1 ranks=$2
    shift 2
    launch "$name" "${on_ranks[@]}" "$ranks" "$PARDUP" detect --verbose --progress none -o "$name.h5" \
        ${options[@]+"${options[@]}"} "$@"
}

most() { peak_of "$1" | awk '{ print $NF }'; }

row() { printf '%6s %8s %8s %8s %8s %8s %8s %14s %12s %6s\n' "$@"; }

report() { # report NAME RANKS
    row "$2" "$(seconds_of "$1")" "$(stage_of "$1" read)" "$(stage_of "$1" count)" \
        "$(stage_of "$1" gather)" "$(stage_of "$1" align)" "$(stage_of "$1" write)" \
        "$(exchanged_of "$1")" "$(most "$1")" "$(($(most "$1") - $(most tiny)))"
}

make_collection
printf 'One sentence is enough. Here is another one.' >"$work/tiny.txt"
row ranks seconds read count gather align write "exchanged, MB" "peak, MB" own
for n in 1 "$@"; do
    name=$n-ranks
    [ "$n" -gt 1 ] || name=one
    detect tiny "$n" tiny.txt
    check "tiny, $n ranks: finishes" finished tiny
    detect "$name" "$n" $collection
    check "$n ranks: finishes" finished "$name"
    check "$n ranks: same result" same "$name"
    report "$name" "$n"
done
finish
