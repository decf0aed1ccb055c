#!/bin/bash
# How fast `pardup detect` is: whole jobs, the programs in turns, one process of the bench at a time. Prints fastest
# and median run, MB/s of HTML a core, documents/s, bytes moved, peak memory, seconds a stage; appends a line of JSON
# for each run to a file, from which scripts/measure/bench_table.py makes tables.
# usage: scripts/measure/bench.sh [options] [FILE...]     FILE...: one collection; else it is generated
#        scripts/measure/bench.sh kernels [FILE...]       builds and runs the micro-benchmarks (tests/bench)
#        scripts/measure/bench.sh limit [FILE...]         reading to signatures against a loop without rules, in turns (tests/bench/bench_limit.c)
#   -p [NAME=]PROGRAM  may be given again [NEW, see below]; NAME: else what git says of its folder
#   -s "GB..."         sizes of generated collections, of HTML [0.1 1]
#   -n "RANKS..."      numbers of ranks [1 2]
#   -m "METHOD..."     [pdc-imatch]
#   -x "OPTION..."     more options of `pardup detect`
#   -t                 sizes in turns, too: each size finds the memory that the size before has left
#   -o FILE            lines of JSON are appended [build/bench.jsonl]
#   -w DIR             collections are made and kept there [build/bench-data]
# OLD, NEW: programs that are compared [NEW: build/release/pardup]; RUNS: of each [5]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tests/support/mpi_env.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

usage() {
    sed -n '2,17s/^# \?//p' "$0"
    exit 2
}

# One gzip member a page. The seed is fixed: the same bytes everywhere.
generate() {
    local gigabytes=$1 to=$2
    mkdir -p "$folder"
    [ -f "$to/truth.tsv" ] || "${programs[0]}" synth --seed 1 --shard-bytes 100M -o "$to" \
        --bytes "$(awk -v n="$gigabytes" 'BEGIN { printf "%.0f", n * 1e9 }')" >&2
}

# ---- micro-benchmarks ----

build_kernels() {
    build=$root/build/bench
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O3 -g" \
        -DPARDUP_BENCH=ON -DBUILD_TESTING=OFF >/dev/null
    cmake --build "$build" >&2
    programs=("$build/pardup")
}

# kernel_data GB FILE...: into data
kernel_data() {
    local size=$1
    shift
    data=("$@")
    [ ${#data[@]} -eq 0 ] || return 0
    generate "$size" "$folder/synth-${size}G"
    data=("$folder/synth-${size}G"/part-*.warc.gz)
}

kernels() {
    local name
    build_kernels
    kernel_data 0.05 "$@"
    printf '%-16s %-14s %9s %9s\n' kernel unit best median
    for name in inflate reader charset html content sentence word document units; do
        "$build/tests/bench/bench_$name" "${data[@]}"
    done
    for name in sort similar diagonal; do "$build/tests/bench/bench_$name"; done
    "${on_ranks[@]}" 2 "$build/tests/bench/bench_exchange"
}

# Fastest of RUNS, processor time (of signing, which waits for nobody, that of the clock).
limit() {
    local k
    build_kernels
    kernel_data 0.1 "$@"
    mkdir -p "$folder"
    scratch=$(mktemp -d "$folder/scratch.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    for ((k = 0; k < ${RUNS:-5}; k++)); do
        "$build/tests/bench/bench_limit" "${data[@]}"
        "${on_ranks[@]}" 1 "$build/pardup" detect --preset paper --max-df 300 --always-df 1000 --edges word --verbose --progress none --scratch "$scratch" -o "$scratch/bench.h5" "${data[@]}" 2>&1
    done | awk '
        function row(stages, seconds) { printf "pardup: %-21s%7.1f MB/s %5.1f %%\n", stages, mb / seconds, 100 * mb / seconds / bound }
        $1 == "limit" { bound = $3 > bound ? $3 : bound; mb = $6; sum = 0 }
        $2 == "read" { read = $4; if (!least_read || read < least_read) least_read = read }
        $2 == "read" || $2 == "count" { sum += $4 }
        $2 == "gather" && (!least || sum + $4 < least) { least = sum + $4 }
        $2 == "signing" && (!signed || sum + $3 < signed) { signed = sum + $3 }
        END {
            printf "limit                        %7.1f MB/s\n", bound
            row("read", least_read)
            row("read, count, signing", signed)
            row("read, count, gather", least)
        }'
}

# ---- whole jobs ----

revision_of() { git -C "$(dirname "$1")" describe --always --dirty 2>/dev/null || echo unknown; }
compiler_of() { readelf -p .comment "$1" | sed -n 's/^ *\[ *[0-9a-f]*\] *//p' | head -n 1; }

# run WHICH COLLECTION METHOD RANKS FILE...
run() {
    local which=$1 name=$2 method=$3 ranks=$4
    local verbose
    shift 4
    # a program from before --verbose says what each stage took in any case
    "${programs[which]}" detect --help all | grep -q -- --verbose && verbose=--verbose
    # shellcheck disable=SC2086 # words are wanted
    "$PYTHON" "$root/scripts/measure/bench_record.py" "$out" session="$session" revision="${names[which]}" \
        compiler="${compilers[which]}" cpu_model="$cpu" cores="$(nproc)" collection="$name" method="$method" ranks="$ranks" \
        options="$more" -- "${on_ranks[@]}" "$ranks" "${programs[which]}" detect ${verbose-} --progress none --scratch "$scratch" \
        --method "$method" $more -o "$scratch/bench.h5" "$@"
    rm -f "$scratch/bench.h5"
}

# In turns, each program first half of the time: the second one finds other memory and caches.
# turn K COLLECTION METHOD RANKS FILE...
turn() {
    local k=$1 which n=${#programs[@]}
    shift
    for ((which = 0; which < n; which++)); do
        run $((k % 2 ? n - 1 - which : which)) "$@"
    done
}

# The input files, into ${files[@]}: the given ones, or a generated collection.
files_of() {
    files=("$folder/$1"/part-*.warc.gz)
    [ ${#given[@]} -eq 0 ] || files=("${given[@]}")
}

# compare COLLECTION...: the collections in turns, too
compare() {
    local k method ranks name
    for name; do
        files_of "$name"
        cat "${files[@]}" >/dev/null # into memory
    done
    for method in $methods; do
        for ranks in $rank_counts; do
            for ((k = 0; k < runs; k++)); do
                for name; do
                    files_of "$name"
                    turn "$k" "$name" "$method" "$ranks" "${files[@]}"
                done
            done
        done
    done
}

# Arguments [NAME=]PROGRAM, into programs, names, compilers.
add_program() {
    local name='' program=$1
    case $program in *=*) name=${program%%=*} program=${program#*=} ;; esac
    [ -x "$program" ] || {
        echo "bench.sh: $program: no such program (scripts/build.sh)" >&2
        exit 2
    }
    programs+=("$(realpath "$program")")
    names+=("${name:-$(revision_of "$program")}")
    compilers+=("$(compiler_of "$program")")
}

folder=$root/build/bench-data
case ${1:-} in kernels | limit)
    "$@"
    exit
    ;;
esac
programs=() names=() compilers=()
sizes="0.1 1" rank_counts="1 2" methods=pdc-imatch more='' out=$root/build/bench.jsonl
runs=${RUNS:-5} in_turns=
while getopts p:s:n:m:x:to:w: option; do
    case $option in
    p) add_program "$OPTARG" ;;
    s) sizes=$OPTARG ;;
    n) rank_counts=$OPTARG ;;
    m) methods=$OPTARG ;;
    x) more=$OPTARG ;;
    t) in_turns=yes ;;
    o) out=$OPTARG ;;
    w) folder=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
if [ ${#programs[@]} -eq 0 ]; then
    [ -z "${OLD:-}" ] || add_program "$OLD"
    add_program "${NEW:-$root/build/release/pardup}"
fi
mkdir -p "$folder" "$(dirname "$out")"
scratch=$(mktemp -d "$folder/scratch.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
session=$(date -u +%Y%m%dT%H%M%SZ)-$$
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
given=("$@") collections=()
if [ $# -gt 0 ]; then
    compare "$(basename "$1")"
else
    for size in $sizes; do
        generate "$size" "$folder/synth-${size}G"
        collections+=("synth-${size}G")
        [ "$in_turns" ] || compare "synth-${size}G"
    done
    [ ! "$in_turns" ] || compare "${collections[@]}"
fi
"$PYTHON" "$root/scripts/measure/bench_table.py" --session "$session" "$out"
