#!/bin/bash
# An index is always whole: index and --add are killed at several moments, and two writers do not meet.
. "$(dirname "$0")/lib.sh"
MOMENTS=${MOMENTS:-6}

mkdir old more targets
for k in $(seq 0 19); do sentences $((100 * k)) $((100 * k + 60)) >old/s$k.txt; done
for k in $(seq 20 59); do sentences $((100 * k)) $((100 * k + 60)) >more/s$k.txt; done
{ sentences 100 108; sentences 2500 2508; } >targets/t.txt
answer() { # answer INDEX: the passages of the targets, in `out`
    run check --index "$1" -o answer.h5 targets
    exits "check --index $1" 0
    run export answer.h5
}
run index --method sentence-fp --gamma 3 -o first old
exits "index" 0
answer first
cp out one
cp -r first second
run index --add -o second more
exits "add" 0
answer second
cp out two
verdict "the two states differ" [ "$(wc -l <one)" -eq 2 -a "$(wc -l <two)" -eq 3 ]

# How long a job takes, in hundredths of a second.
began=$(date +%s%2N)
cp -r first timed
run index --add -o timed more
lasts=$(($(date +%s%2N) - began + 1))

# killed NAME STATE OPTION...: the job is killed at moments all over its life; the index answers as in the state `first`, or as
# in STATE if the job had come to its end.
killed() {
    local name=$1 state=$2 k
    shift 2
    for k in $(seq 1 "$MOMENTS"); do
        rm -rf index
        cp -r first index
        "$PARDUP" index "$@" -o index --scratch scratch.$k more >/dev/null 2>err &
        sleep "$(awk -v k=$k -v n="$MOMENTS" -v t=$lasts 'BEGIN {print t * k / (n + 1) / 100}')"
        kill -KILL $! 2>/dev/null
        wait $! 2>/dev/null
        answer index
        verdict "$name, moment $k" eval "cmp -s out one || cmp -s out $state"
    done
    rm -rf index
    cp -r first index
    touch index/7.segment index/8.words index/2.segment index/manifest.part # what a killed job may leave
    run index "$@" -o index more
    exits "$name after a kill" 0
    answer index
    verdict "$name after a kill" cmp -s out $state
    verdict "$name: nothing is left over" [ ! -e index/7.segment -a ! -e index/8.words -a ! -e index/manifest.part ]
}
killed "--add" two --add
run index --method sentence-fp --gamma 3 -o third more
answer third
cp out three
verdict "a new index differs" [ "$(wc -l <three)" -eq 2 ]
killed "index" three --method sentence-fp --gamma 3

# A folder that never became an index is taken over.
rm -rf index
"$PARDUP" index --method sentence-fp --gamma 3 -o index --scratch scratch.0 more >/dev/null 2>&1 &
sleep 0.05
kill -KILL $! 2>/dev/null
wait $! 2>/dev/null
run index --method sentence-fp --gamma 3 -o index more
exits "a folder without a manifest" 0

# Two writers: while the lock is held, the second one is told.
exec 8>>first/lock
flock -x 8
run index --add -o first more
exits "a second writer" 1
says "a second writer" "another job writes to this index"
one_error "a second writer"
answer first
verdict "the index can be read meanwhile" cmp -s out one
exec 8>&-
finish
