#!/bin/bash
# A rank that is killed, and a job that is asked to stop, at moments of every stage: the job is resumed.
#   SEED    of the moments and places of damage [the same every time]
#   FEW     not empty: a kill, a harm and a signal of each kind, not all of them
. "$(dirname "$0")/resume_lib.sh"
collection large 16M 1M # takes long enough for kills and signals to come before it ends
make_reference

# ---- a rank is killed: as files of each stage appear, and some time later ----
killed=0
rank_counts=(1 2 3)
[ -z "${FEW:-}" ] || rank_counts=(2)
for np in "${rank_counts[@]}"; do
    for moment in 'scratch/*/volume-*' 'scratch/*/classes-*' 'scratch/*/slice-0' 'x.h5.part'; do
        begin $np
        until_there "$moment"
        sleep 0.0$((RANDOM % 5))
        kill -9 $(rank_of) 2>/dev/null
        end
        verdict "killed at $moment: no hang" [ "$status" -ne 124 ]
        [ ! -e x.h5 ] || verdict "killed at $moment: the result is whole" same # killed when all was done
        [ "$status" -eq 0 ] || killed=$((killed + 1))
        resumed "killed at $moment on $np ranks" $(((np + 1) % 3 + 1))
    done
done
verdict "most were killed before they ended ($killed)" [ "$killed" -ge $((2 * ${#rank_counts[@]})) ]

# ---- signals ----
signals=(USR1 TERM INT HUP)
[ -z "${FEW:-}" ] || signals=(TERM)
for signal in "${signals[@]}"; do
    for moment in 'scratch/*/job' 'scratch/*/volume-*' 'scratch/*/slice-0'; do
        rm -rf x.h5 scratch/*
        begin 0 --compress deflate
        until_there "$moment"
        kill -$signal "$launcher"
        end
        exits "$signal at $moment" 75
        absent "$signal at $moment" x.h5
        says "$signal at $moment" "--resume goes on from there"
    done
    resumed "$signal" 2
done
# Asked to stop at each moment the temporary file is opened.
if command -v strace >/dev/null && strace -q -o trace true; then
    for count in 1 2 3 4 5 6; do
        rm -rf x.h5 scratch/*
        ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" timeout "$RUN_SECONDS" \
            strace -f -q -o trace -P x.h5.part -e trace=openat -e inject=openat:signal=TERM:when=$count \
            "$PARDUP" detect $options $pages >out 2>err </dev/null
        status=$?
        if [ $status -eq 0 ]; then
            verdict "TERM at opening $count: the result is whole" same
        else
            exits "TERM at opening $count" 75
            absent "TERM at opening $count" x.h5
        fi
    done
else
    echo "skip    TERM as the temporary file is opened: strace cannot be used here"
fi
for signal in USR1 TERM; do
    begin 2 --compress deflate
    until_there 'scratch/*/volume-*'
    kill -$signal "$launcher"
    end
    [ $signal = TERM ] || exits "$signal to mpirun" 75
    verdict "$signal to mpirun: ends, is not done" [ "$status" -ne 0 -a "$status" -ne 124 ]
    verdict "$signal to mpirun: nothing half written" [ ! -e x.h5.part ]
    [ ! -e x.h5 ] || verdict "$signal to mpirun: the result is whole" same # it came when all was done
    resumed "$signal to mpirun" 3
done
finish
