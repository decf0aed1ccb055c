#!/bin/bash
# A job that is killed, stopped, refused room or given damaged files, and is then resumed: the result is that of a
# job nobody disturbed, and scratch is empty afterwards.
#   SEED    of the moments and places of damage [the same every time]
#   FEW     not empty: a kill, a harm and a signal of each kind, not all of them
if [ -z "${OWN_MOUNTS:-}" ] && unshare -m true 2>/dev/null; then
    OWN_MOUNTS=1 exec unshare -m bash "$0" # what is mounted below is gone with the script
fi
. "$(dirname "$0")/lib.sh"
if [ -n "${OWN_MOUNTS:-}" ] && mount -t tmpfs tmpfs "$work"; then # checkpoints are synced: not with a slow disk
    trap 'cd / && umount -l "$work" && rm -rf "$work"' EXIT
    cd "$work" || exit 1
fi
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1
RANDOM=${SEED:-7}
RUN_SECONDS=${RUN_SECONDS:-120}

"$PARDUP" synth --bytes 3M --shard-bytes 300K --profile law -o web >synth.log 2>&1 || { cat synth.log; exit 1; }
pages=$(echo web/part-*.warc.gz)
method="--method pdc-shingle2 --tau 0.6 --max-near 2 --max-df 40 --gap 2"
options="$method --memory 1M --compress none --progress none --scratch scratch -o x.h5"
mkdir scratch

# detect NP OPTION...: the job; its words are split where wanted
detect() {
    local np=$1
    shift
    rm -f x.h5
    timeout "$RUN_SECONDS" mpirun -q -np "$np" "$PARDUP" detect $options "$@" $pages >out 2>err </dev/null
    status=$?
}

# begin NP OPTION...: the same, in the background; $job and $launcher are its processes
begin() {
    local np=$1 command=(mpirun -q -np "$1" "$PARDUP")
    shift
    [ "$np" -gt 0 ] || command=("$PARDUP")
    rm -f x.h5
    timeout "$RUN_SECONDS" "${command[@]}" detect $options "$@" $pages >out 2>err </dev/null &
    job=$!
    launcher=
    until [ -n "$launcher" ] || ! kill -0 $job 2>/dev/null; do launcher=$(pgrep -P $job); done
}

end() {
    wait $job 2>/dev/null
    status=$?
}

# until_there PATTERN: wait for a file, or for the end of the job
until_there() {
    until compgen -G "$1" >/dev/null || ! kill -0 $job 2>/dev/null; do sleep 0.005; done
}

rank_of() { pgrep -P "$launcher" | shuf -n 1 --random-source=<(yes $RANDOM); }
same() { "$PYTHON" "$here/../support/same_result.py" reference.h5 x.h5 >out 2>&1; }
empty() { [ -z "$(ls -A scratch)" ]; }
resumed() { # resumed NAME NP: nothing shows that the job was disturbed
    detect "$2" --resume
    exits "$1, resumed on $2 ranks" 0
    verdict "$1: same result" same
    verdict "$1: scratch is empty" empty
}

detect 1
exits "undisturbed" 0
verdict "undisturbed: scratch is empty" empty
mv x.h5 reference.h5
verdict "there are passages, and classes aside" "$PYTHON" -c '
import h5py
f = h5py.File("reference.h5")
assert min(len(f["passages/doc_a"]), len(f["common/doc"])) > 0'

# ---- a checkpoint with files of every kind ----
until compgen -G 'scratch/*/slice-0' >/dev/null; do
    rm -rf x.h5 x.h5.part scratch/*
    begin 3
    until_there 'scratch/*/slice-0'
    kill -9 $(rank_of)
    end
done
mv scratch whole
kinds=$(cd whole/* && ls | sed 's/-[0-9a-f]\{16\}-.*//' | sort -u | grep -v '^lock$')
for kind in volume classes partners common passages job inputs joined slice-0; do
    verdict "the checkpoint has: $kind" grep -qx "$kind" <<<"$kinds"
done
restore() { rm -rf scratch x.h5 x.h5.part && cp -a whole scratch; }
restore
resumed "the whole checkpoint" 2

# ---- damage ----
flip() { # one bit of a byte somewhere
    "$PYTHON" - "$1" $RANDOM <<'PROGRAM'
import sys
with open(sys.argv[1], "r+b") as f:
    all = bytearray(f.read())
    all[int(sys.argv[2]) * len(all) >> 15] ^= 4
    f.seek(0)
    f.write(all)
PROGRAM
}
shorten() { truncate -s -$((1 + RANDOM % $(stat -c %s "$1"))) "$1"; }
victim_of() { # a file of a kind that the checkpoint needs: of some kinds there may be others
    case $1 in
    classes | partners | common) ls scratch/*/$(grep -ao "$1-[-0-9a-f]*" scratch/*/joined | head -n 1) ;;
    *) ls -S scratch/*/$1* | head -n 1 ;;
    esac
}
np=0
harms=(flip shorten)
for kind in $kinds; do
    tried=(${harms[RANDOM % 2]} rm) # both of the first harms end in the same check
    [ -z "${FEW:-}" ] || tried=(${tried[RANDOM % 2]})
    for harm in "${tried[@]}"; do
        restore
        np=$((np % 3 + 1))
        victim=$(victim_of $kind)
        $harm "$victim"
        resumed "$harm $kind" $np
        if [ $harm != rm ]; then
            verdict "$harm $kind: is told" grep -qF "${victim##*/}" err
        fi
    done
done
# ---- whole files in a place that is not theirs ----
another() { ls scratch/*/"$1"* | grep -vxF "$2" | tail -n 1; }
for kind in volume classes partners common passages slice joined; do
    for way in over swapped; do
        restore
        np=$((np % 3 + 1))
        victim=$(victim_of $kind)
        other=$(another $kind "$victim")
        [ "$kind" != joined ] || other=$(victim_of slice-0)
        [ -n "$other" ] || continue
        [ $way = over ] || cp "$victim" swap
        cp "$other" "$victim"
        [ $way = over ] || mv swap "$other"
        resumed "$kind $way another" $np
        verdict "$kind $way another: is told" grep -qE "(${victim##*/}|${other##*/}).*(damaged|again)" err
    done
done
restore
rm -rf theirs && mkdir theirs && mv scratch ours && mkdir scratch
until compgen -G 'scratch/*/slice-0' >/dev/null; do
    rm -rf scratch/*
    options="${options/--gap 2/--gap 1}" begin 3 # another job with the same result
    until_there 'scratch/*/slice-0'
    kill -9 $(rank_of)
    end
done
mv scratch theirs/
for kind in volume joined slice-0; do
    restore
    cp theirs/scratch/*/$kind* scratch/*/
    [ "$kind" = volume ] || cp theirs/scratch/*/{classes,partners,common,passages}-* scratch/*/
    detect 2 --resume
    exits "$kind of another job" 0
    verdict "$kind of another job: same result" same
    verdict "$kind of another job: is told" grep -qE "of another job|damaged" err
    rm -rf scratch
done
restore
for kind in classes passages; do flip "$(victim_of $kind)"; done
rm "$(victim_of volume)"
resumed "several at once" 2

# What volumes hold is not read again: files of the same size and time that hold nothing are not missed.
restore
mkdir true
for page in $pages; do
    cp -p $page true/
    truncate -s 0 $page
    truncate -s "$(stat -c %s true/${page##*/})" $page
    touch -r true/${page##*/} $page
done
flip "$(victim_of classes)"
resumed "classes damaged, files not read again" 2
cp -p true/* web/

# ---- another job's checkpoint is refused, and kept ----
refused() { # refused NAME DIFFERENCE
    exits "$1" 1
    one_error "$1"
    says "$1" "$2"
    absent "$1" x.h5
    verdict "$1: the checkpoint is kept" compgen -G 'scratch/*/slice-0' >/dev/null
}
first=${pages%% *}
restore
detect 2 --resume --gamma 5
refused "another option" '"gamma 5" here'
cp -p "$first" first
touch "$first"
detect 1 --resume
refused "another time of a file" "$first"
printf more >>"$first"
touch -r first "$first"
detect 1 --resume
refused "another size of a file" "$first"
cp -p first "$first"
for k in less more; do
    all=$pages
    [ $k = more ] && pages="$all web/truth.tsv" || pages=${all#* }
    detect 1 --resume
    pages=$all
    refused "a file $k" "another input"
done
version=$("$PARDUP" --version | sed 's/pardup //')
LC_ALL=C sed "s/${version//./\\.}/${version%?}x/g" "$PARDUP" >other
chmod +x other
if ./other --version | grep -qF "${version%?}x"; then
    ours=$PARDUP PARDUP=$PWD/other
    detect 1 --resume
    PARDUP=$ours
    refused "another version" "\"pardup $version, "
fi
resumed "after refusals" 3
detect 2 --resume
exits "no checkpoint" 0
says "no checkpoint" "starting from the beginning"
verdict "no checkpoint: same result" same

# Without a description of the job nothing in scratch may be believed: it may be of another job.
for lost in job inputs; do
    for harm in rm flip; do
        restore
        $harm scratch/*/$lost
        if [ $lost = job ]; then
            detect 2 --resume --gamma 5 --min-words 3
            rm -rf plain x2.h5
            mv x.h5 x2.h5
            detect 1 --gamma 5 --min-words 3
            verdict "$harm $lost, other options: their result" \
                "$PYTHON" "$here/../support/same_result.py" x.h5 x2.h5
        else
            all=$pages pages=${pages#* }
            detect 2 --resume
            if [ $status -eq 0 ]; then
                mv x.h5 x2.h5
                detect 1
                verdict "$harm $lost, another input: its result, or refused" \
                    "$PYTHON" "$here/../support/same_result.py" x.h5 x2.h5
            fi
            pages=$all
        fi
    done
done

# ---- a job that takes long enough for kills and signals to come before it ends ----
"$PARDUP" synth --bytes 16M --shard-bytes 1M --profile law -o large >synth.log 2>&1 || { cat synth.log; exit 1; }
all=$pages pages=$(echo large/part-*.warc.gz)
mv reference.h5 small.h5
rm -rf scratch/*
detect 1
mv x.h5 reference.h5

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

# ---- two jobs for one result: the second is refused, the first not disturbed ----
mv small.h5 reference.h5
mkfifo never
restore
pages="--files-from never"
echo "left by a job that was killed" >x.h5.part
(while [ ! -e list ]; do sleep 0.05; done; cat list) >never & # writes to the pipe when the list is there
begin 2 --resume # waits for its list, when it has the lock and has tried the output
while [ -e x.h5.part ] && kill -0 $job; do sleep 0.01; done
pages=$all
echo "as if the first were writing" >x.h5.part
for more in --resume ""; do
    timeout 60 "$PARDUP" detect ${options/x.h5/.\/x.h5} $more $pages >out 2>err2 </dev/null
    verdict "second job $more: refused" [ $? -eq 1 ]
    verdict "second job $more: says why" grep -q "in use by another job" err2
    verdict "second job $more: takes nothing away" compgen -G 'scratch/*/slice-0' >/dev/null
    verdict "second job $more: touches no temporary file" [ -s x.h5.part ]
done
mkdir elsewhere
timeout 60 "$PARDUP" detect ${options/--scratch scratch/--scratch elsewhere} $pages >out 2>err2 </dev/null
verdict "second job with another scratch: refused" [ $? -eq 1 ]
verdict "second job with another scratch: says why" grep -q "x.h5: in use by another job" err2
verdict "second job with another scratch: touches no temporary file" [ -s x.h5.part ]
printf '%s\n' $all >list
end
rm list
exits "first job" 0
verdict "first job: same result" same

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
