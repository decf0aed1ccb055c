#!/bin/bash
# A checkpoint that is whole, damaged or of another job: what is wrong is told and made again, or the job is refused.
#   SEED    of the moments and places of damage [the same every time]
#   FEW     not empty: a kill, a harm and a signal of each kind, not all of them
. "$(dirname "$0")/resume_lib.sh"
collection web 3M 300K

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

# ---- two jobs for one result: the second is refused, the first not disturbed ----
mkfifo never
restore
all=$pages pages="--files-from never"
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
finish
