#!/bin/bash
# Methods for whole documents on collections whose near duplicates are labelled: pairs found,
# precision, recall, F1, AUC on people's labels, seconds and memory, as Markdown tables.
# Collections are left out where their archives are not (PARDUP_DATA, else ../shared/data).
# usage: scripts/measure/documents.sh [-o FILE] [-w DIR] [-- OPTION... of documents.py]
#   -o FILE   the tables go there [standard output]
#   -w DIR    work there and keep everything [a temporary folder]
# PARDUP: the program [build/release/pardup]
set -euo pipefail
SCRIPT=documents.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
begin "$@"
/usr/bin/python3 "$root/scripts/measure/documents.py" --pardup "$pardup" --data "$PARDUP_DATA" \
    --work "$work" "${rest[@]}" >"${out:-/dev/stdout}"
