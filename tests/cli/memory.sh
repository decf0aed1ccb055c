#!/bin/bash
# --memory is kept on a collection many times larger, also with few open files.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
export PARDUP MEMORY=16M BYTES=60M LIMIT=300

METHODS="pdc-imatch sentence-fp" "$here/../../scripts/memory.sh" -w . methods >out 2>err
status=$?
cat out
exits "memory" 0
verdict "a line for each method" [ "$(grep -c ' 16M ' out)" -eq 2 ]

# Methods that compare sets keep some bytes for each class and signature beside it: the promise is from 64M up.
OVER=18 METHODS=qsign-exact "$here/../../scripts/memory.sh" -w . methods files >out 2>err
status=$?
cat out
exits "memory, sets and few files" 0
verdict "a line for each run" [ "$(grep -c ' 16M ' out)" -eq 3 ]
finish
