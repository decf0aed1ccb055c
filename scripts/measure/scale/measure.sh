#!/bin/bash
# Real runs for model.py: appends to a table a line a stage: collection, documents, ranks, stage,
# processor seconds, bytes sent by all ranks, rounds, peak memory of a rank; and one with the stage "cpu", the
# processor seconds of the whole run. Runs on a busy machine differ: repeat, the model takes the least.
# usage: scripts/measure/scale/measure.sh [-o FILE] [-r RANKS] [-t TIMES] NAME INPUT...
#   -o FILE    the table [measured.tsv in the current folder]
#   -r RANKS   ["1 2 4 8"]
#   -t TIMES   how often [3]
# PARDUP: the program [build/release/pardup]; OPTIONS: of detect. Needs GNU time.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
. "$root/tests/support/mpi_env.sh"
PARDUP=${PARDUP:-$root/build/release/pardup}
read -ra options <<<"${OPTIONS:-}"
table=measured.tsv ranks="1 2 4 8" times=3
while getopts o:r:t: option; do
    case $option in
    o) table=$OPTARG ;;
    r) ranks=$OPTARG ;;
    t) times=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
name=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for _ in $(seq "$times"); do
    for n in $ranks; do
        /usr/bin/time -f '%U %S' -o "$work/time" "${on_ranks[@]}" "$n" "$PARDUP" detect --verbose --progress none \
            ${options[@]+"${options[@]}"} -o "$work/out.h5" "$@" >"$work/log" 2>&1 </dev/null ||
            { cat "$work/log" >&2; exit 1; }
        documents=$(awk '$2 == "documents" { print $3; exit }' "$work/log")
        tr -d '()' <"$work/log" |
            awk -v OFS='\t' -v name="$name" -v documents="$documents" -v ranks="$n" \
                'NF == 13 && $13 == "MB" { print name, documents, ranks, $2, $4, $8 * 1e6, $11, $12 * 1e6 }' >>"$table"
        awk -v OFS='\t' -v name="$name" -v documents="$documents" -v ranks="$n" \
            '{ print name, documents, ranks, "cpu", $1 + $2, 0, 0, 0 }' "$work/time" >>"$table"
    done
done
