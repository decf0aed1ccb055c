#!/bin/bash
# --memory is a promise of every command that takes it: 10 % and 40 MB more at most, with what is mapped of files. report takes
# none, and holds a page. (memory.sh has detect, dedup_memory.sh dedup.)
. "$(dirname "$0")/lib.sh"
MEMORY=8 # MB

"${PYTHON:-/usr/bin/python3}" - <<'P'
import json, random
rng = random.Random(1)
words = [f"w{k}x{rng.randrange(99)}" for k in range(30000)]
def said(n): return " ".join(" ".join(rng.choice(words) for _ in range(9)).capitalize() + "." for _ in range(n))
kept = [said(6) for _ in range(200)]
with open("pages.jsonl", "w") as f:
    for k in range(9500):
        parts = [said(6)] + ([rng.choice(kept)] if k % 2 else []) + [said(5)]
        f.write(json.dumps({"id": f"page-{k}", "text": " ".join(parts)}) + "\n")
P
verdict "the collection is larger than the memory" [ "$(stat -c %s pages.jsonl)" -gt $((MEMORY << 20)) ]

# peak ARGUMENT...: runs a command; its peak memory in MB in $peak
peak() {
    "${PYTHON:-/usr/bin/python3}" -c 'import resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, file=open(sys.argv[1], "w"))' measured timeout "$RUN_SECONDS" "$PARDUP" "$@" >out 2>err </dev/null
    read -r status peak <measured
}
kept() { # kept NAME ARGUMENT...
    local name=$1
    shift
    peak "$@"
    exits "$name" 0
    verdict "$name: $peak MB of --memory ${MEMORY}M" [ "$peak" -le $((MEMORY * 11 / 10 + 40)) ]
}
kept "detect" detect -j 1 --preset texts --memory ${MEMORY}M -o r.h5 pages.jsonl
kept "index" index -j 1 --preset texts --with-text --memory ${MEMORY}M -o i.index pages.jsonl
kept "check" check -j 1 --memory ${MEMORY}M --index i.index -o c.h5 pages.jsonl
says "check" "MB of it mapped files"
kept "families" families --memory ${MEMORY}M -o f.h5 r.h5
kept "export" export --memory ${MEMORY}M -o e.csv r.h5
kept "report" report -o r.html r.h5
kept "dedup" dedup -j 1 --memory ${MEMORY}M -o clean r.h5
kept "export --sort" export --memory 1M --sort words_a -o s.csv r.h5
if [ -z "${FEW:-}" ]; then # not under sanitizers: the limit is one that a job without the promise does not keep
    peak detect -j 1 --preset texts --memory 1G -o r.h5 pages.jsonl
    verdict "detect with --memory 1G: $peak MB" [ "$peak" -gt $((MEMORY * 11 / 10 + 40)) ]
    peak export --memory 1M --sort words_a -o s.csv r.h5
    little=$peak
    peak export --memory 1G --sort words_a -o s.csv r.h5
    verdict "export --sort spills: $little MB, $peak MB in memory" [ $((little + 5)) -le "$peak" ]
fi
finish
