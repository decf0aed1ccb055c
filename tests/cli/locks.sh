#!/bin/bash
# Commands that write a folder: two at once, the second of which ends with one line and changes nothing; killed at some renames,
# unlinks and writes, after which the same command, given again, makes the same bytes. (dedup_resume.sh has dedup.)
. "$(dirname "$0")/lib.sh"
command -v flock >/dev/null && command -v strace >/dev/null && strace -q -o trace true || exit 77

mkdir corpus
for k in 0 1 2 3; do { sentences $((10 * k)) $((10 * k + 25)); } >corpus/$k.txt; done
for k in $(seq 0 19); do printf '{"id": "p%d", "text": "%s"}\n' $k "$(sentences $((30 * k)) $((30 * k + 20)) | tr '\n' ' ')"; done >pages.jsonl
for k in 3 7; do printf '{"id": "i%d", "text": "%s"}\n' $k "$(sentences $((30 * k + 5)) $((30 * k + 12)) | tr '\n' ' ')"; done >items.jsonl
run detect --quiet --preset texts -o r.h5 corpus
exits "detect" 0

# What a command writes is `made`, with what lies beside it under names that begin so.
index() { "$PARDUP" index --quiet --scratch scratch -o made corpus; }
each() { "$PARDUP" report --quiet --each -o made r.h5; }
synth() { "$PARDUP" synth --quiet --documents 300 --page-bytes 2000 --shard-bytes 200K -o made; }
decontaminate() { "$PARDUP" decontaminate --quiet --scratch scratch --against items.jsonl -o made pages.jsonl; }
export -f index each synth decontaminate
export PARDUP ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"

clear() { rm -rf made made.* scratch; }
state() { # of all files; of an index, which is made anew with other names of files if it was whole, what it answers
    [ $command != index ] || "$PARDUP" check --quiet --index made --show corpus/1.txt
    [ $command = index ] || find made made.* -type f -print0 2>/dev/null | sort -z | xargs -0 -r sha256sum
}
call() { # call COMMAND: its exit status in $status
    timeout "$RUN_SECONDS" bash -c "$1" >out 2>err </dev/null
    status=$?
}

tried=0
for command in index each synth decontaminate; do
    clear
    call $command
    exits "$command" 0
    state >whole
    verdict "$command has written something" [ "$(wc -l <whole)" -ge 2 ]

    clear
    mkdir made made.proof
    [ $command = index ] && : >made/lock
    held=made
    [ $command = index ] && held=made/lock
    [ $command = decontaminate ] && held=made.proof
    timeout "$RUN_SECONDS" flock $held bash -c $command >out 2>err </dev/null
    status=$?
    exits "$command, another job is at work" 1
    one_error "$command, another job is at work"
    says "$command, another job is at work" "another job"
    verdict "$command, another job is at work: nothing is written" [ -z "$(find made made.* -type f -size +0)" ]

    for call in rename unlink unlinkat write pwrite64 rmdir; do
        clear
        strace -f -q -o trace -e trace=$call bash -c $command >/dev/null 2>&1 </dev/null
        n=$(grep -c "$call(" trace)
        for count in $(seq 1 $((n / ${MOMENTS:-4} + 1)) "$n"); do
            clear
            strace -f -q -o trace -e trace=$call -e inject=$call:signal=KILL:when=$count bash -c $command >/dev/null 2>&1 </dev/null
            tried=$((tried + 1))
            call $command
            exits "$command killed at $call $count, and again" 0
            state >again
            verdict "$command killed at $call $count, and again: same bytes" cmp -s whole again
        done
    done
done
verdict "commands were killed at many points ($tried)" [ $tried -ge 40 ]
finish
