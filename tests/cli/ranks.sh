#!/bin/bash
# Several ranks without mpirun (-j N): how many there are, the same bytes, exit statuses, signals, the terminal, and what is said where
# there is no launcher.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
unset PARDUP_RANKS
[ "${PARDUP_MPIRUN:-}" != none ] || exit 77

mkdir in
for k in $(seq 1 12); do sentences $k $((k + 20)) >in/$k.txt; done

# ---- the same bytes ----
run detect --quiet --preset texts --reproducible -j 1 -o one.h5 in
exits "-j 1" 0
for n in 2 3; do
    run detect --quiet --preset texts --reproducible -j $n -o many.h5 in
    exits "-j $n" 0
    verdict "-j $n: the same bytes" cmp -s one.h5 many.h5
    verdict "-j $n: nothing is said with --quiet" [ ! -s err ]
done
run detect --verbose --preset texts --ranks 2 -o many.h5 in
says "--ranks 2" "2 ranks)"
verdict "--ranks 2: nobody needs to be told what was asked for" [ "$(grep -c -- '-j 1 for one' err)" -eq 0 ]
run detect --verbose -j2 --preset texts -o many.h5 in
says "-j2" "2 ranks)"
PARDUP_RANKS=2 run detect --verbose --preset texts -o many.h5 in
says "PARDUP_RANKS" "2 ranks)"
printf '%s\n' in/*.txt | LC_ALL=C sort >list
timeout "$RUN_SECONDS" "$PARDUP" detect --quiet --preset texts --reproducible -j 2 -o many.h5 --files-from - <list >out 2>err
verdict "rank 0 reads standard input: the same bytes" cmp -s one.h5 many.h5
for command in "index -o x.index in" "families -o f.h5 one.h5" "dedup -o clean one.h5"; do
    run $command -j 2
    exits "$command -j 2" 0
done
run check --quiet --index x.index --reproducible -j 2 -o c2.h5 in/1.txt
run check --quiet --index x.index --reproducible -j 1 -o c1.h5 in/1.txt
verdict "check -j 2: the same bytes" cmp -s c1.h5 c2.h5

# ---- how many there are without -j: a rank for 32 MB, and at most one for a core ----
"$PYTHON" - <<'PY'
import random
rng = random.Random(3)
words = [f"{chr(97 + k % 26)}{k}" for k in range(3000)]
for name in ("a", "b"):
    with open(f"{name}.jsonl", "w") as out:
        while out.tell() < 33 << 20:
            out.write('{"id":"%s%d","text":"%s"}\n' % (name, out.tell(), " ".join(rng.choices(words, k=4000))))
PY
few="detect --preset web --limit-docs 200 --reproducible"
if [ "$(nproc)" -ge 2 ]; then
    run $few -o d.h5 a.jsonl b.jsonl
    exits "66 MB" 0
    says "66 MB" "2 ranks (-j 1 for one)"
    run $few -j 1 -o e.h5 a.jsonl b.jsonl
    verdict "66 MB: the same bytes on two ranks as on one" cmp -s d.h5 e.h5
    printf 'a.jsonl\nb.jsonl\n' >list
    timeout "$RUN_SECONDS" "$PARDUP" $few -o d.h5 --files-from - <list >out 2>err
    says "66 MB in a list on standard input" "2 ranks (-j 1 for one)"
    verdict "66 MB in a list on standard input: the same bytes" cmp -s d.h5 e.h5
    SLURM_JOB_ID=1 run $few -o d.h5 a.jsonl b.jsonl
    verdict "a batch job: one rank" [ "$(grep -c ' ranks (-j' err)" -eq 0 ]
    run $few -o d.h5 a.jsonl
    verdict "33 MB: one rank" [ "$(grep -c ' ranks (-j' err)" -eq 0 ]
    timeout "$RUN_SECONDS" taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$PARDUP" $few -o d.h5 a.jsonl b.jsonl >out 2>err
    verdict "one core: one rank" [ "$(grep -c ' ranks (-j' err)" -eq 0 ]
    run detect --preset web --dry-run a.jsonl b.jsonl
    prints "a dry run: the ranks that the job will have" "on 2 ranks"
fi

# ---- no launcher, or one that does not do ----
PARDUP_MPIRUN=none run detect -j 2 --preset texts -o n.h5 in
exits "no launcher" 0
says "no launcher" "one rank instead of 2: there is no mpirun"
verdict "no launcher: one line" [ "$(grep -c 'pardup: warning: ' err)" -eq 1 ]
PARDUP_MPIRUN=/bin/false run detect -j 2 --preset texts -o n.h5 in
exits "a launcher that fails" 0
says "a launcher that fails" "/bin/false starts no ranks"
PARDUP_MPIRUN=/nowhere/mpirun run detect -j 2 --preset texts -o n.h5 in
exits "a launcher that is not there" 0
says "a launcher that is not there" "one rank instead of 2"
PMI_RANK=0 PMI_SIZE=2 run detect --preset texts -o other.h5 in
exits "the launcher of another MPI" 1
one_error "the launcher of another MPI"
says "the launcher of another MPI" "has started 2 processes"
absent "the launcher of another MPI" other.h5
for other in mpirun.mpich mpirun.openmpi; do # one of both is of another MPI than the program
    command -v $other >/dev/null || continue
    PARDUP_MPIRUN=$other run detect -j 2 --preset texts --reproducible -o n.h5 in
    exits "-j with $other" 0
    verdict "-j with $other: two ranks, or a line and one" grep -qE 'belongs to another MPI|, 2 ranks' err
    verdict "-j with $other: the same bytes" cmp -s one.h5 n.h5
done
run_np 2 detect -j 3 --preset texts -o n.h5 in
exits "-j under a launcher" 0
says "-j under a launcher" "-j is ignored"
says "-j under a launcher" "2 ranks)"

# ---- exit statuses ----
run detect -j 2 -o n.h5 /nowhere
exits "a missing input" 1
one_error "a missing input"
run detect -j 2 --gamma x -o n.h5 in
exits "wrong usage" 2
one_error "wrong usage"
run detect -j 5000 -o n.h5 in
exits "too many ranks" 2
run detect -j -o n.h5 in
exits "-j without a number" 2
run text -j 2 in
exits "a command that has one rank" 2

# ---- signals: a job stops as one rank does, goes on with --resume, and leaves nobody behind ----
cat >send.py <<'PY'
# send.py NAME PROGRAM ARGUMENT...: send the signal when the job has begun to read; KILL goes to a rank. Prints the status.
import glob, os, signal, subprocess, sys, time
number = getattr(signal, "SIG" + sys.argv[1])
job = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=open("err", "w"), preexec_fn=os.setsid)
def ranks():
    found = []
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            variables = open(path, "rb").read()
        except OSError:
            continue
        pid = int(path.split("/")[2])
        if f"PARDUP_LAUNCH=pardup-{job.pid}-".encode() in variables and os.readlink(f"/proc/{pid}/exe").endswith("/pardup"):
            found.append(pid)
    return found
while job.poll() is None and not glob.glob("scratch/*/*"):
    time.sleep(.01)
if job.poll() is None:
    os.kill(ranks()[-1] if number == signal.SIGKILL else job.pid, number)
print(job.wait() % 256)
PY
stop() { # stop SIGNAL ARGUMENT...
    rm -rf scratch
    mkdir scratch
    timeout "$RUN_SECONDS" "$PYTHON" send.py "$1" "$PARDUP" detect -j 2 --preset texts --reproducible --scratch scratch -o s.h5 "${@:2}" >out
    status=$(cat out)
}
for name in TERM INT HUP USR1; do
    stop $name a.jsonl b.jsonl
    exits "SIG$name" 75
    says "SIG$name" "stopped by signal"
    absent "SIG$name" s.h5
done
run detect -j 2 --preset texts --limit-docs 300 --quiet --reproducible -o r1.h5 a.jsonl
stop KILL a.jsonl b.jsonl
exits "a rank is killed" 137
says "a rank is killed" "signal 9 (Killed) has ended a rank"
absent "a rank is killed" s.h5

# ---- MPI that crashes at its end: the job is done ----
echo 'void abort(void); int MPI_Finalize(void) { abort(); }' >crash.c
if cc -shared -fPIC -o crash.so crash.c 2>/dev/null; then
    export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0
    LD_PRELOAD=$work/crash.so run detect -j 2 --quiet --preset texts --reproducible -o x.h5 in
    exits "MPI crashes at its end" 0
    verdict "MPI crashes at its end: the same bytes" cmp -s one.h5 x.h5
    LD_PRELOAD=$work/crash.so run detect -j 2 --preset texts -o x.h5 /nowhere
    exits "MPI crashes after a failure" 1
    one_error "MPI crashes after a failure"
fi

# ---- a limit of documents: no rank reads on when all that is wanted is read ----
"$PYTHON" - <<'PY'
import os
os.mkdir("many")
for k in range(3000):
    with open(f"many/{k:04}.jsonl", "w") as out:
        out.write("".join(f'{{"id":"{k}-{d}","text":"Document {d} of file {k} says little."}}\n' for d in range(5)))
with open("many/2999.jsonl", "a") as out:
    out.write("{damaged\n")
PY
for np in 1 2 3; do
    run_np $np detect --strict --limit-docs 20 -o few.h5 many
    exits "$np ranks read 20 documents of 15,000" 0
done
run_np 2 detect --strict -o all.h5 many
exits "2 ranks read them all, and the damage" 1

# ---- a terminal ----
TERM=xterm on_terminal 80 detect -j 2 --preset texts --progress auto -o t.h5 in
prints "a terminal: the bar" "pardup: read   ["
prints "a terminal: the summary" "pardup: t.h5"
finish
