#!/bin/bash
# Feed made-up inputs to readers, HTML and sentence code, results, checkpoints and printing (tests/fuzz) under
# AddressSanitizer and UndefinedBehaviorSanitizer: one process, one target after the other.
# usage: scripts/check/fuzz.sh [SECONDS] [TARGET...]     in all, shared by the targets; default: 60, all of them
#        scripts/check/fuzz.sh keep [TARGET...]          add what was found, made small, to tests/fuzz/corpus
# Found inputs stay in build/fuzz/inputs and are the start of the next run. Exit status 1: a crash, a
# hang, a leak or a broken promise; the input and the command that shows it again are printed.
# 77: this clang has no libFuzzer. SEED: where the made-up inputs begin, so that a run can be repeated as
# far as its time allows [0: another one each time]
set -eu
cd "$(dirname "$0")/../.."
build=build/fuzz
kept_most=20 # files a target
# zstd allocates the window that a frame declares, 2 GB at most, and touches what it decodes.
limits=(-max_len=4096 -timeout=30 -rss_limit_mb=2048 -malloc_limit_mb=3072)
export ASAN_OPTIONS=quarantine_size_mb=16:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
# HDF5 asks for what a damaged file says, takes no for an answer, and forgets a little memory on the way. A command
# leaves its options to the end of the process.
limits_of() {
    case $1 in
    result) echo -malloc_limit_mb=1000000000 ;;
    report | explain | lines) echo -malloc_limit_mb=1000000000 -detect_leaks=0 ;;
    esac
}
export LSAN_OPTIONS=suppressions=$PWD/$build/lsan.supp:print_suppressions=0

keep=
seconds=60
case ${1:-} in
    keep) keep=1; shift ;;
    [0-9]*) seconds=$1; shift ;;
esac
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(auto warc arc trec reuters mbox mail jsonl json csv parquet office document truth result checkpoint wordlist print
    index splice report explain lines run metadata list)

mkdir -p $build
{ cat tests/support/lsan.supp; echo leak:libhdf5; echo leak:pd_result_settings; } >$build/lsan.supp
echo 'int LLVMFuzzerTestOneInput(const char *v, long n) { return v && n < 0; }' >$build/try.c
if ! clang -fsanitize=fuzzer,address,undefined $build/try.c -o $build/try 2>/dev/null; then
    echo "fuzz.sh: no clang with libFuzzer here (Debian, Ubuntu: clang, libclang-rt-dev)" >&2
    exit 77
fi

cmake -S . -B $build -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1 -g" \
    -DPARDUP_FUZZ=ON >/dev/null
cmake --build $build --target "${targets[@]/#/fuzz_}" >$build/build.log || { cat $build/build.log; exit 1; }
python3 tests/fuzz/seeds.py $build/seeds

# The few inputs that reach most of the code: libFuzzer writes them in the order of what they add.
if [ $keep ]; then
    for t in "${targets[@]}"; do
        rm -rf $build/kept
        mkdir -p $build/kept $build/inputs/"$t" tests/fuzz/corpus/"$t"
        $build/tests/fuzz/fuzz_"$t" "${limits[@]}" $(limits_of "$t") -use_counters=0 -set_cover_merge=1 $build/kept \
            tests/fuzz/corpus/"$t" $build/seeds/"$t" $build/inputs/"$t" >$build/"$t".log 2>&1
        (cd $build/kept && ls -tr | tail -n +$((kept_most + 1)) | xargs -r rm)
        rm -rf tests/fuzz/corpus/"$t"
        mv $build/kept tests/fuzz/corpus/"$t"
        printf '%-10s %4d inputs, %6d bytes kept\n' "$t" "$(ls tests/fuzz/corpus/"$t" | wc -l)" \
            "$(cat tests/fuzz/corpus/"$t"/* | wc -c)"
    done
    exit
fi

each=$((seconds / ${#targets[@]}))
[ $each -gt 0 ] || each=1
failed=0
last() { grep -ao "$1[ 0-9]*" $build/"$2".log | tail -1 | grep -o '[0-9][0-9]*' || echo 0; }
for t in "${targets[@]}"; do
    mkdir -p $build/inputs/"$t" $build/found tests/fuzz/corpus/"$t"
    program=$build/tests/fuzz/fuzz_$t found=none
    rm -f $build/found/"$t"-*
    $program "${limits[@]}" $(limits_of "$t") -seed="${SEED:-0}" -max_total_time=$each -print_final_stats=1 \
        -dict=tests/fuzz/dict/"$t".dict -report_slow_units=5 -entropic_scale_per_exec_time=1 -artifact_prefix=$build/found/"$t"- \
        $build/inputs/"$t" tests/fuzz/corpus/"$t" $build/seeds/"$t" >$build/"$t".log 2>&1 || found=FAILED
    printf '%-10s %9d runs %6d a second %6d edges   %s\n' "$t" "$(last number_of_executed_units: "$t")" \
        "$(last average_exec_per_sec: "$t")" "$(last cov: "$t")" "$found"
    if [ $found = FAILED ]; then
        failed=1
        grep -aE -A3 'panic|runtime error|ERROR: |cut at' $build/"$t".log | head -20
        for input in $build/found/"$t"-*; do
            [ ! -e "$input" ] || echo "again: $program $input"
        done
    fi
done
exit $failed
