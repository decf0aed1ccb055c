#!/bin/bash
# One rank that fails ends the whole job within seconds, with its reason, exit status 1 and no file.
. "$(dirname "$0")/lib.sh"
RUN_SECONDS=20

mkdir many
for k in $(seq 60); do sentences "$k" $((k + 400)) >many/$k.txt; done

# ---- a shard that cannot be read: a folder swapped in for a listed file fails at read() ----
ls -d many/*.txt >list
mkdir many/blocked.txt
echo many/blocked.txt >>list
run_np 4 detect -o x.h5 --files-from list
exits "unreadable shard" 1
says "unreadable shard" "many/blocked.txt: "
one_error "unreadable shard"
absent "unreadable shard" x.h5
rmdir many/blocked.txt

# ---- a full file system, where this user may mount one ----
mkdir small
if mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
    for np in 1 3; do
        run_np $np detect --gamma 0 --compress none -o small/full.h5 many
        exits "disk full, $np ranks" 1
        says "disk full, $np ranks" "small/full.h5: No space left on device"
        absent "disk full, $np ranks" small/full.h5
    done
    umount small
else
    echo "skipped: a full file system (mount is not permitted here)"
fi

# ---- a rank that is killed: the others do not wait for it ----
mkfifo never
(
    timeout $RUN_SECONDS mpirun -q -np 3 "$PARDUP" detect -o x.h5 many never >out 2>err </dev/null
    echo $? >rc
) &
sleep 2
pkill -9 -f "detect -o x.h5 many never" -n
wait
status=$(cat rc)
verdict "killed rank: exit status is not 0 (was $status), no hang" [ "$status" -ne 0 -a "$status" -ne 124 ]
verdict "killed rank: no result" [ ! -e x.h5 ]
finish
