# shellcheck shell=bash disable=SC2034 # the scripts that source it use its variables
# scripts/measure/common.sh - sourced by scripts that measure `pardup detect` (accuracy.sh,
# methods.sh, lsh_curve.sh, stress.sh): where things are, and runs with a time limit. SCRIPT, the name in messages,
# is set by the caller. PARDUP: the program [build/release/pardup];
# RANKS [2]; LIMIT: seconds a run may take [60]

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tests/support/mpi_env.sh"
pardup=$(realpath -m "${PARDUP:-$root/build/release/pardup}")
ranks=${RANKS:-2}
limit=${LIMIT:-60}
export PARDUP_DATA=${PARDUP_DATA:-$root/../shared/data}
PARDUP_DATA=$(realpath -m "$PARDUP_DATA")

say() { echo "$SCRIPT: $*" >&2; }

need_program() {
    [ -x "$pardup" ] && return
    say "no $pardup: run scripts/build.sh"
    exit 2
}

# begin [-o OUT] [-w DIR] [-- ARGUMENT...]: OUT into $out as a full path, the arguments into ${rest[@]};
# then go to DIR, or to a folder that is removed in the end. Ids of documents are paths as given:
# relative ones, the same wherever this runs.
begin() {
    local option
    out='' work=''
    while getopts o:w: option; do
        case $option in
        o) out=$(realpath -m "$OPTARG") ;;
        w) work=$OPTARG ;;
        *) exit 2 ;;
        esac
    done
    shift $((OPTIND - 1))
    rest=("$@")
    need_program
    if [ -n "$work" ]; then
        mkdir -p "$work"
    else
        work=$(mktemp -d)
        trap 'rm -rf "$work"' EXIT
    fi
    cd "$work" || exit 1
    : >skipped
}

# timed_detect NAME ARGUMENT...: NAME.h5, with what it says in NAME.log. Why it did not finish is in
# $outcome, empty when it did; then the exit status is not 0 either.
timed_detect() {
    local name=$1 status=0
    shift
    outcome=
    rm -f "$name.h5"
    timeout --kill-after=10 "$limit" "${on_ranks[@]}" "$ranks" "$pardup" detect --verbose --progress none \
        -o "$name.h5" "$@" 2>"$name.log" || status=$?
    case $status in
    0) return 0 ;;
    124 | 137) outcome="> $limit s" ;;
    *) outcome="exit $status: $(grep -v ' warning: ' "$name.log" | head -n 1 || true)" ;;
    esac
    return 1
}

# figure LABEL LOG: the first number behind a label of the summary, without commas; nothing when it is not there.
figure() {
    awk -v label="pardup: +$1 +" '!found && match($0, "^" label "[0-9]") {
            rest = substr($0, RSTART + RLENGTH - 1)
            split(rest, words, " ")
            gsub(",", "", words[1])
            print words[1]
            found = 1
        }' "$2"
}

# peak LOG: MB of the rank that had most.
peak() { sed -n 's|^pardup:   peak memory a rank: .* / .* / \([0-9]*\) MB.*|\1|p' "$1"; }

# collection NAME [ARGUMENT...]: its paths into ${paths[@]}; fails when there is no archive of it. What takes
# its place is in $stand_in: COLLECTION, paths of the caller's own, one a line; or, if MADE says how many,
# documents of pardup synth.
collection() {
    local status=0
    stand_in=
    if [ -n "${COLLECTION:-}" ]; then
        mapfile -t paths < <(printf '%s' "$COLLECTION")
        stand_in="${paths[0]}$([ "${#paths[@]}" -eq 1 ] || echo " and $((${#paths[@]} - 1)) more")"
        return
    fi
    "$root/tests/support/make_collection.py" "$1" data "${@:2}" >paths || status=$?
    if [ "$status" -eq 77 ] && [ -n "${MADE:-}" ]; then # no archive
        say "no archive of $1 in $PARDUP_DATA: $MADE documents of pardup synth take its place"
        synth_paths "made-$1" --documents "$MADE" --seed "$(cksum <<<"$1" | cut -c 1-4)"
        stand_in="pardup synth, $MADE documents"
        return
    fi
    [ "$status" -ne 77 ] || { echo "$1" >>skipped; return 1; }
    [ "$status" -eq 0 ] || exit "$status"
    mapfile -t paths <paths
}

# unpacked NAME: the archive into data/NAME; fails when there is none.
unpacked() {
    local archive=$PARDUP_DATA/$1.tar.zst
    [ -f "$archive" ] || { echo "$1" >>skipped; say "skipped: no $archive (set PARDUP_DATA)"; return 1; }
    mkdir -p data
    [ -d "data/$1" ] || tar --zstd -xf "$archive" -C data
}

# synth_paths NAME OPTION...: a generated collection into folder NAME, its paths into ${paths[@]}.
synth_paths() {
    [ -f "$1/truth.tsv" ] || "$pardup" synth --quiet --seed 1 "${@:2}" -o "$1"
    paths=("$1"/part-*.warc.gz)
}

# deliver FILE OUT: to standard output when OUT is empty
deliver() {
    if [ -z "$2" ]; then
        cat "$1"
    elif ! [ "$1" -ef "$2" ]; then
        cp "$1" "$2"
    fi
}

# can_draw: whether Python has what pictures are drawn with
can_draw() {
    /usr/bin/python3 -c 'import matplotlib' 2>/dev/null || { say "no picture: the package python3-matplotlib is not here"; return 1; }
}

# provenance: which program, when, on what
provenance() {
    local revision processor
    revision=$(git -C "$root" describe --always --dirty 2>/dev/null || echo "no revision")
    processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
    echo "$("$pardup" --version) ($revision), $(date -u +%Y-%m-%d)," \
        "$ranks ranks on $(nproc) cores${processor:+ of $processor}."
}
