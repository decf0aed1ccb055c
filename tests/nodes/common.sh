# Shared by the scripts of this folder (sourced): the program, one collection, runs and their figures.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tests/support/mpi_env.sh"
PARDUP=$(realpath "${PARDUP:-$root/build/release/pardup}")
PYTHON=${PYTHON:-/usr/bin/python3}
BYTES=${BYTES:-20M}
LIMIT=${LIMIT:-300} # seconds a run may take: a hang is a failure
passed=0
failed=0

leave() { [ -n "${KEEP:-}" ] && echo "kept: $work" || rm -rf "$work"; }

# check NAME COMMAND...: counts
check() {
    local name=$1
    shift
    if "$@" >"$work/check" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        tail -n 12 "$work/check" | sed 's/^/        /'
    fi
}

# The collection, cut into many files so that every rank gets some: its paths in $collection.
make_collection() {
    "$PARDUP" synth -o "$work/collection" --bytes "$BYTES" --shard-bytes 1M >"$work/synth.log" 2>&1 ||
        { cat "$work/synth.log"; exit 1; }
    collection=$(echo "$work"/collection/*.warc.gz)
}

# launch NAME COMMAND...: a run, its summary in $work/NAME.log, its exit status in $status
launch() {
    local name=$1
    shift
    (cd "$work" && timeout "$LIMIT" "$@" </dev/null) >"$work/$name.log" 2>&1
    status=$?
}

finished() { [ "$status" -eq 0 ] || { cat "$work/$1.log"; return 1; }; }
same() { "$PYTHON" "$root/tests/support/same_result.py" "$work/one.h5" "$work/$1.h5"; }

# What the summary of a run says: seconds in all, of a stage; bytes sent by all ranks, rounds.
seconds_of() { awk '$2 == "all" { print $3 }' "$work/$1.log"; }
stages_of() { tr -d '()' <"$work/$1.log" | awk 'NF == 13 && $13 == "MB" { print $2, $3, $8, $11 }'; }
stage_of() { stages_of "$1" | awk -v stage="$2" '$1 == stage { print $2 }'; }
exchanged_of() { stages_of "$1" | awk '{ sum += $3 } END { printf "%.1f\n", sum }'; }
rounds_of() { stages_of "$1" | awk '{ sum += $4 } END { print sum }'; }
peak_of() { sed -n 's|.*peak memory a rank: \([0-9/ ]*[0-9]\) MB.*|\1|p' "$work/$1.log"; }

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
