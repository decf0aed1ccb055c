#!/bin/bash
# A job whose scratch folder, output folder or shared memory is full or cannot be written: it says so, and is resumed.
. "$(dirname "$0")/resume_lib.sh"
collection web 3M 300K
make_reference

# ---- scratch that cannot be used ----
options=${options/--scratch scratch/}
detect 2 --scratch no/such/folder
exits "scratch missing" 0
verdict "scratch missing: is made, and empty" rmdir no/such/folder
verdict "scratch missing: same result" same
echo >file
detect 2 --scratch file/folder
exits "scratch below a file" 1
one_error "scratch below a file"
says "scratch below a file" "file/folder: Not a directory"
absent "scratch below a file" x.h5
detect 2 --scratch file
exits "scratch is a file" 1
one_error "scratch is a file"
if [ -n "${OWN_MOUNTS:-}" ]; then
    mkdir disk
    mount -t tmpfs -o size=8k,ro tmpfs disk
    detect 2 --scratch disk
    exits "scratch read-only" 1
    one_error "scratch read-only"
    says "scratch read-only" "Read-only file system"
    for np in 1 3; do
        for size in 8k 100k 300k 700k; do
            umount disk
            mount -t tmpfs -o size=$size tmpfs disk
            detect $np --scratch disk
            [ $status -eq 0 ] && continue
            exits "scratch of $size" 1
            one_error "scratch of $size, $np ranks"
            says "scratch of $size, $np ranks" "No space left on device"
            absent "scratch of $size, $np ranks" x.h5
        done
        mount -o remount,size=64m disk
        detect 2 --scratch disk --resume
        exits "scratch has room again" 0
        verdict "scratch has room again: same result" same
        verdict "scratch has room again: is empty" [ -z "$(ls -A disk)" ]
    done

    # ---- the output's folder is full ----
    options="${options/-o x.h5/} --scratch scratch"
    for np in 1 2; do
        umount disk
        mount -t tmpfs -o size=64k tmpfs disk
        detect $np -o disk/x.h5
        exits "output full, $np ranks" 1
        one_error "output full, $np ranks"
        says "output full, $np ranks" "disk/x.h5: No space left on device"
        absent "output full, $np ranks" disk/x.h5
        mount -o remount,size=64m disk
        detect $((3 - np)) -o disk/x.h5 --resume
        says "output has room again" "going on from the checkpoint"
        exits "output has room again" 0
        cp disk/x.h5 .
        verdict "output has room again: same result" same
        verdict "output has room again: scratch is empty" empty
    done
    umount disk

    # ---- /dev/shm is full: another transport, or one that fails, but no hang and no half result ----
    mount -t tmpfs -o size=16k tmpfs /dev/shm
    options="$options -o x.h5"
    detect 2
    umount /dev/shm
    verdict "/dev/shm full: no hang" [ "$status" -ne 124 ]
    [ "$status" -eq 0 ] || absent "/dev/shm full" x.h5
    resumed "/dev/shm has room again" 2
else
    echo "skipped: full and read-only file systems (mounts are not permitted here)"
fi
finish
