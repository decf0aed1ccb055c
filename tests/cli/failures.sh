#!/bin/bash
# One rank that fails ends the whole job within seconds, with its reason, exit status 1 and no file.
. "$(dirname "$0")/lib.sh"
RUN_SECONDS=20

mkdir many
for k in $(seq 60); do sentences "$k" $((k + 400)) >many/$k.txt; done

# ---- a shard that cannot be read: a process's own memory opens, and fails at the first read ----
{ ls many/*.txt; echo /proc/self/mem; ls many/*.txt; } >list
for np in 1 4; do
    run_np $np detect -o x.h5 --files-from list
    exits "unreadable shard, $np ranks" 1
    says "unreadable shard, $np ranks" "/proc/self/mem: Input/output error"
    one_error "unreadable shard, $np ranks"
    absent "unreadable shard, $np ranks" x.h5
done

# ---- a full file system, where this user may mount one ----
mkdir small
if mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
    for np in 1 3; do
        run_np $np detect --preset texts --gamma 0 --compress none -o small/full.h5 many
        exits "disk full, $np ranks" 1
        says "disk full, $np ranks" "small/full.h5: No space left on device"
        absent "disk full, $np ranks" small/full.h5
    done
    umount small
else
    echo "skipped: a full file system (mount is not permitted here)"
fi

# ---- Ctrl-C and a batch system's SIGTERM while the result is being written leave nothing behind ----
for k in $(seq 40); do # tables that match in every diagonal keep the writer busy for a while
    for row in $(seq 150); do echo "zero $((k % 3)) again."; echo; echo "nought $((k % 3)) again."; echo; done
done >one-table.txt
mkdir tables
for k in $(seq 5); do cp one-table.txt tables/$k.txt; done
timeout 240 "${on_ranks[@]}" 2 "$PARDUP" detect --idf 0,1 --memory 64M --scratch . -o stop.h5 tables >out 2>err </dev/null &
job=$!
for k in $(seq 4000); do
    [ -e stop.h5.part ] && break
    sleep 0.05
done
verdict "the job is writing" [ -e stop.h5.part ]
kill -TERM "$(ranks_of $job | tail -n 1)"
wait $job
status=$?
verdict "SIGTERM: exit status is not 0 (was $status), no hang" [ "$status" -ne 0 -a "$status" -ne 124 ]
verdict "SIGTERM: it is said why" sh -c '! grep -q "warning: : exit" err'
absent "SIGTERM" stop.h5
rm -rf pardup-*

# ---- a limit of processor time, and a reader of the messages that ends: the job stops in good order, or goes on ----
stop_after() { # stop_after SIGNAL FILE ARGUMENT...: send the signal when the file is there
    local signal=$1 file=$2 k
    shift 2
    "$PARDUP" "$@" >out 2>err </dev/null &
    job=$!
    for k in $(seq 400); do
        compgen -G "$file" >/dev/null && break
        sleep 0.01
    done
    kill "-$signal" $job
    wait $job
    status=$?
}
stop_after XCPU 'pardup-*/*' detect --idf 0,1 --scratch . -o xcpu.h5 tables
exits "SIGXCPU" 75
says "SIGXCPU" "stopped by signal 24: exit status 75"
absent "SIGXCPU" xcpu.h5
rm -rf pardup-*
stop_after TERM 'made/*.part' synth --documents 1000000 -o made
exits "synth, SIGTERM" 75
verdict "synth, SIGTERM: no file that is half written" [ -z "$(find made -name '*.part')" ]
rm -rf made
"$PARDUP" detect --preset texts --verbose -o piped.h5 many 2>&1 >/dev/null | true
verdict "messages that nobody reads" [ "${PIPESTATUS[0]}" -eq 0 ]
present "messages that nobody reads" piped.h5

# ---- closed descriptors: no file gets their numbers, so nothing is printed into a result ----
for command in "export -o closed.tsv piped.h5" "report -o closed.html piped.h5" "detect --preset texts --reproducible -o closed.h5 many"; do
    file=${command#* -o }
    file=${file%% *}
    "$PARDUP" $command >out 2>err
    mv "$file" "open.$file"
    "$PARDUP" $command <&- >&- 2>err
    status=$?
    exits "${command%% *}, closed output" 0
    verdict "${command%% *}, closed output: the same file" cmp "$file" "open.$file"
    rm -f "$file"
    "$PARDUP" $command >&- 2>&-
    verdict "${command%% *}, all closed: the same file" cmp "$file" "open.$file"
done
"$PARDUP" text many >&- 2>err
status=$?
exits "text, closed output" 1
says "text, closed output" "standard output: Bad file descriptor"

# ---- a limit of file sizes fails as a full disk does ----
for command in "detect --preset texts -o x.h5 many" "report -o x.html piped.h5" "export -o x.tsv piped.h5" "dedup --remove passages -o x piped.h5" \
    "index -o x many" "synth --documents 900 -o x"; do
    (ulimit -f 4 && exec "$PARDUP" $command >out 2>err </dev/null)
    status=$?
    exits "${command%% *}, file too large" 1
    one_error "${command%% *}, file too large"
    says "${command%% *}, file too large" "File too large"
    verdict "${command%% *}, file too large: nothing half written" [ ! -e x.h5 -a ! -e x.html -a ! -e x.tsv -a -z "$(find x -type f 2>/dev/null)" ]
    rm -rf x x.*
done

# ---- a rank that is killed: the others do not wait for it ----
mkfifo never # rank 0 waits for this list, the others for rank 0
sleep 60 >never & # has the pipe open and writes nothing
writer=$!
timeout $RUN_SECONDS "${on_ranks[@]}" 3 "$PARDUP" detect -o x.h5 --files-from never >out 2>err </dev/null &
job=$!
sleep 2
victim=$(ranks_of $job | tail -n 1)
verdict "the job to be broken is running" [ -n "$victim" ]
kill -9 "$victim"
wait $job
status=$?
verdict "killed rank: exit status is not 0 (was $status), no hang" [ "$status" -ne 0 -a "$status" -ne 124 ]
verdict "killed rank: no result" [ ! -e x.h5 ]

# ---- a signal of a defect is told; under sanitizers they tell it ----
if [ -z "${FEW:-}" ]; then
    "$PARDUP" detect -o x.h5 --files-from never >out 2>err </dev/null &
    job=$!
    sleep 0.5
    kill -SEGV $job
    wait $job
    status=$?
    exits "a defect" 139
    one_error "a defect"
    says "a defect" "ended by signal 11: "
fi
kill $writer 2>/dev/null
finish
