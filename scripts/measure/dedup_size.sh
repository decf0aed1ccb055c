#!/usr/bin/env bash
# dedup on many generated pages: is every removal proved, are families right, what is left of planted copies, what does it cost?
#
# usage: dedup_size.sh [BYTES]      bytes of HTML that pardup synth makes [1G]
#
# Prints processor seconds and memory of detect and dedup, and what three judges say: tests/support/removed.py reads the
# proof and the texts before and after, families_reference.py makes the families again in one process, and
# dedup_planted.py looks for the planted copies. 1G takes some ten minutes, 2.5 GB of memory and 1.2 GB of disk.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
support=$here/../../tests/support
PARDUP=$(realpath "${PARDUP:-$here/../../build/release/pardup}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$PARDUP" synth --quiet --seed 1 --bytes "${1:-1G}" -o in
/usr/bin/time -f "detect: %U + %S CPU s, %M KB" "$PARDUP" detect --quiet -o r.h5 in/part-*.warc.gz
/usr/bin/time -f "dedup: %U + %S CPU s, %M KB" "$PARDUP" dedup -o out r.h5
"$PARDUP" export --table passages r.h5 >passages.tsv
python3 "$here/dedup_planted.py" out in/truth.tsv passages.tsv
/usr/bin/python3 "$support/families_reference.py" r.h5
python3 "$support/removed.py" "$PARDUP" out in/part-*.warc.gz
