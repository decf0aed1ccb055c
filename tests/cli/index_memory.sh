#!/bin/bash
# index, --add with a merge, and check keep --memory: more documents need no more of it, and the bytes are the same.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

short() { # short N: a document of two sentences a line: one of its own, one that forty of 40000 have
    awk -v n="$1" 'BEGIN {for (k = 0; k < n; k++)
        printf "{\"id\": \"d%d\", \"text\": \"Word%d stands here. So does w%d.\"}\n", k, k, k % 1000}'
}
short 400000 >many.jsonl
head -n 40000 many.jsonl >few.jsonl
head -n 200000 many.jsonl >more.jsonl

peak() { # peak NAME ARGUMENT...: the peak memory of a run in $megabytes
    local name=$1
    shift
    "$PYTHON" - "$PARDUP" "$@" >peak 2>err <<'PY'
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
sys.exit(status)
PY
    status=$?
    exits "$name" 0
    megabytes=$(tail -n 1 peak)
}

how="--method sentence-fp-sd --max-df 50 --gamma 1"
peak "few" index --memory 1M $how -o few few.jsonl
least=$megabytes
peak "many" index --memory 1M $how -o many many.jsonl
verdict "ten times as many sources need no more memory ($least, then $megabytes MB)" [ "$megabytes" -le $((least + 3)) ]
run index --memory 1G $how -o much many.jsonl
for file in $(cd much && ls); do
    verdict "--memory 1M makes the same $file" cmp -s many/$file much/$file
done

split -n l/6 --additional-suffix .jsonl few.jsonl step.
for memory in 1M 1G; do
    run index --memory $memory $how -o steps.$memory step.aa.jsonl
    for step in step.a[b-f].jsonl; do
        run index --memory $memory -o steps.$memory --add $step
        exits "add, $memory" 0
    done
done
verdict "segments are merged" [ "$(ls steps.1M | grep -c segment)" -le 4 ]
for file in $(cd steps.1G && ls); do
    verdict "--add: --memory 1M makes the same $file" cmp -s steps.1M/$file steps.1G/$file
done

peak "few targets" check --memory 1M --index few -o few.h5 few.jsonl
least=$megabytes
peak "many targets" check --memory 1M --index few -o many.h5 more.jsonl
verdict "five times as many targets need no more memory ($least, then $megabytes MB)" [ "$megabytes" -le $((least + 20)) ]
run_np 2 check --memory 1G --index few -o much.h5 few.jsonl
for table in decisions ranking; do
    run export --table $table few.h5
    mv out expected
    run export --table $table much.h5
    verdict "--memory 1M finds the same $table" cmp -s expected out
    verdict "there are $table" [ "$(wc -l <out)" -gt 40000 ]
done
finish
