#!/bin/bash
# Skewed collections: results are right, --memory is kept.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"

PARDUP=$PARDUP MEMORY=16M SKEW=10 LIMIT=${RUN_SECONDS} "$here/../../scripts/measure/memory.sh" skew >out 2>err
status=$?
cat out
exits "skew" 0
verdict "a line for each run" [ "$(grep -c ' 16M ' out)" -eq 8 ]
finish
