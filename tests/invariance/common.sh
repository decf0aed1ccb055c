# Shared by the scripts of this folder (sourced): where things are, how pardup is run, the counting.
#
#   PARDUP           the program                       [build/release/pardup]
#   MPIRUN           launcher with its options         [tests/support/mpi_env.sh, else mpirun]
#   PYTHON           Python 3 with h5py and numpy      [/usr/bin/python3]
#   PARDUP_TIMEOUT   seconds one run may take          [120]
#   KEEP             keep the scratch folder when set

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
support=$repository/tests/support
PARDUP=${PARDUP:-$repository/build/release/pardup}
PYTHON=${PYTHON:-/usr/bin/python3}
PARDUP_TIMEOUT=${PARDUP_TIMEOUT:-120}
export PYTHONDONTWRITEBYTECODE=1

if [ -r "$support/mpi_env.sh" ]; then
    . "$support/mpi_env.sh"
fi
MPIRUN=${MPIRUN:-mpirun --oversubscribe}

if ! command -v "$PARDUP" >/dev/null; then
    echo "$0: no program $PARDUP (set PARDUP)" >&2
    exit 2
fi

if ! launcher_says=$(timeout 60 $MPIRUN -np 2 true 2>&1 </dev/null); then
    echo "$0: '$MPIRUN -np 2 true' fails:" >&2
    echo "$launcher_says" >&2
    exit 2
fi

work=$(mktemp -d)
trap '[ -n "${KEEP:-}" ] || rm -rf "$work"' EXIT
passed=0
failed=0

# check NAME COMMAND...: runs it quietly and counts; what it printed is shown when it failed.
check() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name: $*"
        tail -n 20 "$work/log" | sed 's/^/        /'
    fi
}

# detect NP OUT ARGUMENT...: pardup detect on NP ranks; a hang is a failure.
detect() {
    local np=$1 out=$2
    shift 2
    # MPIRUN holds a command with options: word splitting is wanted
    timeout "$PARDUP_TIMEOUT" $MPIRUN -np "$np" "$PARDUP" detect -o "$out" "$@" </dev/null
}

# make_collection NAME OUTDIR [OPTION...]: prints the paths to give to pardup.
make_collection() {
    "$PYTHON" "$support/make_collection.py" "$@"
}

# finish: the closing line, and the exit status of the script.
finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
