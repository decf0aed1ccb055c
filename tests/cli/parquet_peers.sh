#!/bin/bash
# What pyarrow and duckdb write, pardup reads, and the other way round. PARDUP_PEERS names a python that has both
# modules; without it the test is skipped.
. "$(dirname "$0")/lib.sh"
"${PARDUP_PEERS:-false}" -c 'import duckdb, pyarrow.parquet' 2>/dev/null || exit 77
"$PARDUP_PEERS" "$here/../support/parquet_peers.py" "$PARDUP" >out 2>&1
status=$?
exits "peers" 0
prints "peers" "files the same"
finish
