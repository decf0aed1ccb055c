#!/usr/bin/env bash
# Month after month: what does each month cost, and what do the months leave beside one job over all of them?
#
# usage: months.sh CRAWLS [OPTION]...     a folder with a folder for each month; options of detect and index [--preset texts]
#
# Prints a line for each month: user seconds of detect, dedup and index with one rank, MB of the crawl, of what is kept and of the
# store. The last line has the bytes that the months and one job with --keep first leave.
set -eu
PARDUP=$(realpath "${PARDUP:-$(dirname "$0")/../../build/release/pardup}")
crawls=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- --preset texts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

took() { # took COMMAND...: pardup with one rank
    /usr/bin/time -a -o seconds -f "%U" "$PARDUP" "$@" -j 1 --quiet
    printf ' %6s' "$(tail -n 1 seconds)"
}
megabytes() { du -sLm "$1" | cut -f 1; }

known=("$@")
add=("$@")
for month in "$crawls"/*; do
    name=$(basename "$month")
    printf '%s' "$name"
    took detect "${known[@]}" -o "$name.h5" "$month"
    took dedup -o "clean/$name" --proof "proof/$name" "$name.h5"
    took index "${add[@]}" -o store "clean/$name"
    known=(--known store)
    add=(--add)
    echo "   $(megabytes "$month") MB, $(megabytes "clean/$name") MB kept, $(megabytes store) MB of store"
done
"$PARDUP" detect -j 1 --quiet "$@" -o all.h5 "$crawls"/*
"$PARDUP" dedup -j 1 --quiet -o all all.h5
bytes() { find "$1" -type f -exec cat {} + | wc -c; }
echo "left by the months: $(bytes clean), by one job: $(bytes all)$(diff -rq clean all >/dev/null && echo ", the same bytes")"
