# Shared by the scripts of this folder (sourced): where things are, how pardup is run and judged,
# the counting.
#
#   PARDUP           the program                       [build/release/pardup]
#   PARDUP_MPIRUN    the launcher                      [see tests/support/mpi_env.sh]
#   PYTHON           Python 3 with h5py and numpy      [/usr/bin/python3]
#   PARDUP_TIMEOUT   seconds one run may take          [120]
#   KEEP             keep the scratch folder when set
#   ONLY             pattern of the collections that are judged      [*]
#   FULL             when set: real collections whole, and more combinations of options

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
support=$repository/tests/support
PARDUP=${PARDUP:-$repository/build/release/pardup}
PYTHON=${PYTHON:-/usr/bin/python3}
PARDUP_TIMEOUT=${PARDUP_TIMEOUT:-120}
ONLY=${ONLY:-*}
FULL=${FULL:-}
export PYTHONDONTWRITEBYTECODE=1

. "$support/mpi_env.sh"

if ! command -v "$PARDUP" >/dev/null; then
    echo "$0: no program $PARDUP (set PARDUP)" >&2
    exit 2
fi

if [ "$PARDUP_MPIRUN" = none ]; then
    echo "skipped: there is no MPI launcher"
    exit 77
fi
if ! launcher_says=$(PARDUP_LAUNCHER_SAYS=/dev/fd/1 timeout 60 "${on_ranks[@]}" 2 true 2>&1 </dev/null); then
    echo "$0: '$PARDUP_MPIRUN' cannot start 2 ranks:" >&2
    echo "$launcher_says" >&2
    exit 2
fi

work=$(mktemp -d)
trap '[ -n "${KEEP:-}" ] || rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0

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

# pardup_on NP ARGUMENT...: pardup on NP ranks; a hang is a failure. One rank needs no launcher, which takes most of a short run.
pardup_on() {
    local np=$1 launch=("${on_ranks[@]}" "$1")
    [ "$np" -gt 1 ] || launch=(env PARDUP_RANKS=1)
    shift
    timeout "$PARDUP_TIMEOUT" "${launch[@]}" "$PARDUP" "$@" </dev/null
}

# detect NP OUT ARGUMENT...: pardup detect on NP ranks.
detect() {
    local np=$1 out=$2
    shift 2
    pardup_on "$np" detect --verbose -o "$out" "$@"
}

# make_collection NAME OUTDIR [OPTION...]: prints the paths to give to pardup.
make_collection() {
    "$PYTHON" "$support/make_collection.py" "$@"
}

# base_units OPTION...: what the units of a run with these options are made of; code: lines of program text.
base_units() {
    case " $* " in
        *" --preset code "*) echo code ;;
        *" --units clause "*) echo clause ;;
        *" --units stop "*) echo stop ;;
        *" --units "*) echo sentence ;;
        *" --method sentence-fp-sd "*) echo stop ;;
        *" --method sentence-fp "* | *" --method sentence-length "*) echo clause ;;
        *) echo sentence ;;
    esac
}

# sentences_of UNITS OUT ARGUMENT...: the judge's input.
sentences_of() {
    local units=(--units "$1") out=$2
    [ "$1" != code ] || units=(--words code)
    shift 2
    timeout "$PARDUP_TIMEOUT" "$PARDUP" sentences --offsets "${units[@]}" "$@" \
        >"$out" </dev/null
}

# SENTENCES.whole, if it is there, has the frames of pages, too.
# judge LABEL SENTENCES LIST: reads the verdict on every listed run (a line each: the result,
# options told to the judge, "#", options of the run); a run without verdict has failed.
judge() {
    local label=$1 sentences=$2 list=$3 status=0 line result options whole=()
    [ ! -e "$sentences.whole" ] || whole=(--whole "$sentences.whole")
    sed 's/ # / /' "$list" >"$work/runs"
    "$PYTHON" "$support/oracle.py" --sentences "$sentences" "${whole[@]}" --list "$work/runs" \
        >"$work/verdicts" 2>&1 || status=$?
    while read -r line; do
        result=${line%% *}
        options=${line#*" # "}
        if grep -q -F ": equal ($result)" "$work/verdicts"; then
            passed=$((passed + 1))
            echo "ok      $label $options: $(grep -F ": equal ($result)" "$work/verdicts" |
                sed 's/^oracle: //; s/ ([^(]*)$//')"
        else
            failed=$((failed + 1))
            echo "FAILED  $label $options"
            # the lines about the result, and those that go on from one
            awk -v result="$result" '!/^ / { mine = index($0, result) } mine' "$work/verdicts" |
                head -n 30 | sed "s|$result: ||; s/^/        /"
        fi
    done <"$list"
    [ "$status" -lt 2 ] || tail -n 5 "$work/verdicts"
}

# real NAME ARGUMENT...: makes a collection of the shared data, its paths in the array `paths`.
# Returns 1, when the data is not there or the collection is not asked for.
real() {
    local label=$1 status=0
    shift
    case $label in $ONLY) ;; *) return 1 ;; esac
    make_collection "$label" "$work/data" "$@" >"$work/paths" 2>"$work/log" || status=$?
    if [ "$status" -eq 77 ]; then
        skipped=$((skipped + 1))
        echo "skipped $label: $(cat "$work/log")"
        return 1
    elif [ "$status" -ne 0 ]; then
        cat "$work/log" >&2
        exit 1
    fi
    mapfile -t paths <"$work/paths"
}

# finish: the closing line, and the exit status of the script; 77: the data is missing for all collections.
finish() {
    [ "$skipped" -eq 0 ] || echo "$skipped collections skipped"
    echo "$passed passed, $failed failed"
    [ $((passed + failed)) -gt 0 ] || [ "$skipped" -eq 0 ] || exit 77
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
