#!/bin/bash
# SIGTERM ends index and index --add at once, also while names are written and while segments are merged: status 75, one line, the old
# index as it was, and nothing left behind.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

cat >stop.py <<'PY'
# stop.py FILE BYTES PROGRAM ARGUMENT...: run the program, and send SIGTERM when FILE is there and has BYTES. Prints the status.
import os, signal, subprocess, sys
file, most = sys.argv[1], int(sys.argv[2])
job = subprocess.Popen(sys.argv[3:], stdout=subprocess.DEVNULL, stderr=open("err", "w"))
while job.poll() is None and not (os.path.exists(file) and os.path.getsize(file) >= most):
    pass
if job.poll() is None:
    job.send_signal(signal.SIGTERM)
print(job.wait())
PY
stopped() { # stopped NAME FILE BYTES ARGUMENT...
    local name=$1
    shift
    timeout "$RUN_SECONDS" "$PYTHON" stop.py "$1" "$2" "$PARDUP" index --scratch scratch "${@:3}" >out
    status=$(cat out)
    exits "$name" 75
    says "$name" "stopped by signal 15: exit status 75"
    verdict "$name: one line besides warnings" [ "$(grep -c 'stopped by' err)" -eq 1 -a "$(grep -vc 'pardup: warning: ' err)" -eq 0 ]
    verdict "$name: nothing is left in scratch" [ -z "$(ls scratch)" ]
}

# Texts whose grams make a merge take some tenths of a second.
"$PYTHON" - <<'PY'
import os, random
rng = random.Random(5)
words = [f"{chr(97 + k % 26)}{k}" for k in range(20000)]
for name, files, n in ("first", 10, 60000), ("more", 1, 300):
    os.mkdir(name)
    for k in range(files):
        with open(f"{name}/{k}.txt", "w") as out:
            out.write(" ".join(rng.choices(words, k=n)) + ".\n")
PY
method="--method full-fp --sample 1 --gamma 3"
stopped "a new index, while names are written" new/1.segment 1000000 $method -o new first
absent "a new index" new
mkdir empty
stopped "an index in an empty folder" empty/1.segment 1000000 $method -o empty first
verdict "an index in an empty folder: it is empty" [ -z "$(ls empty)" ]

run index $method -o index first
exits "index" 0
for k in 1 2 3; do # small segments behind a large one are not merged with it
    run index --add -o index more
    exits "add $k" 0
done
run check --index index -o x.h5 more
run export x.h5
cp out expected
(cd index && sha256sum *) >before
mkdir larger
cp first/[0-5].txt larger
stopped "--add, while segments are merged" index/6.segment 0 -o index --add larger
(cd index && sha256sum *) >after
verdict "--add: the old index, and nothing else" cmp before after
run check --index index -o x.h5 more
exits "--add: the index answers" 0
run export x.h5
verdict "--add: as before" cmp -s expected out
stopped "--refresh" index/6.segment 1000000 -o index --refresh
(cd index && sha256sum *) >after
verdict "--refresh: the old index, and nothing else" cmp before after
run index --add -o index larger
exits "--add again" 0
verdict "--add again: segments are merged" [ "$(ls index | grep -c segment)" -eq 1 ]

# A job that finds the index locked touches nothing in it.
exec 8>>index/lock
flock -x 8
touch index/9.segment index/9.words # of the job that has the lock
run index --add -o index more
exits "a second writer" 1
verdict "a second writer leaves the files of the first one" [ -e index/9.segment -a -e index/9.words ]
exec 8>&-
finish
