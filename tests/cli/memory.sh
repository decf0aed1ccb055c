#!/bin/bash
# --memory is kept on a collection many times larger, also with few open files.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
export PARDUP MEMORY=32M BYTES=160M LIMIT=300

METHODS="pdc-imatch sentence-fp qsign-exact" "$here/../../scripts/measure/memory.sh" -w . methods files >out 2>err
status=$?
cat out
exits "memory" 0
verdict "a line for each run" [ "$(grep -c " 32M " out)" -eq 5 ]
finish
