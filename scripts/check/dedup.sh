#!/bin/bash
# pardup dedup on real collections: each removal is judged by tests/support/removed.py, which reads the proof,
# the inputs and the outputs only. Then dedup says what a second job still finds.
#
# usage: dedup.sh [WORD...]: newsgroups8, chinese-laws-national, spdx-licenses, wcxb-dev [the first three]
#
# PARDUP: the program; PARDUP_DATA: the archives. The exit status is 1 if a removal is not proved.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
PARDUP=$(realpath "${PARDUP:-$root/build/release/pardup}")
PARDUP_DATA=$(realpath "${PARDUP_DATA:-$root/../shared/data}" 2>/dev/null)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- newsgroups8 chinese-laws-national spdx-licenses
code=0
for name in "$@"; do
    [ -f "$PARDUP_DATA/$name.tar.zst" ] || { echo "skipped: no $PARDUP_DATA/$name.tar.zst (set PARDUP_DATA)"; exit 77; }
    tar -C "$work" -I "zstd --long=27" -xf "$PARDUP_DATA/$name.tar.zst"
    rm -f "$work/$name"/README.txt "$work/$name"/*.tsv
    [ ! -d "$work/$name/html" ] || { mv "$work/$name/html" "$work/pages"; rm -r "${work:?}/$name"; mv "$work/pages" "$work/$name"; }
    cd "$work/$name" || exit 1 # ids are paths below the folder, in the output, too
    "$PARDUP" detect --quiet -o ../r.h5 -- * && "$PARDUP" dedup --check -o ../out ../r.h5 2>../log || code=1
    python3 "$root/tests/support/removed.py" "$PARDUP" ../out -- * >../judged || code=1
    echo "$name: $(tail -n 3 ../judged)"
    grep -e words -e check ../log
    rm -r ../out ../out.proof ../r.h5
done
exit $code
