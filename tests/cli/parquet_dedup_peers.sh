#!/bin/bash
# What dedup makes of Parquet files of pyarrow: schema, metadata and all other values as they were, for pyarrow and
# duckdb. PARDUP_PEERS names a python that has both modules; without it the test is skipped.
. "$(dirname "$0")/lib.sh"
"${PARDUP_PEERS:-false}" -c 'import duckdb, pyarrow.parquet' 2>/dev/null || exit 77
"$PARDUP_PEERS" "$here/../support/parquet_dedup.py" "$PARDUP" >out 2>&1
status=$?
exits "peers" 0
prints "peers" "files are right"
finish
