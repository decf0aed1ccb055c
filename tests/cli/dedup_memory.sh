#!/bin/bash
# dedup with too small a --memory says in one line how much it needs, and with so much it keeps to it, with the same bytes.
. "$(dirname "$0")/lib.sh"

mkdir in
"${PYTHON:-/usr/bin/python3}" - "$here/../support" <<'END'
import random, sys
sys.path.insert(0, sys.argv[1])
import make_parquet
rng = random.Random(1)
def said(a, b): return " ".join(f"Sentence number w{k} speaks of x{k} and y{k} in its own words." for k in range(a, b))
rows = []
for k in range(3000):
    at = 12 * (k - 1 if k % 3 == 1 else k)
    rows.append({"id": f"d{k}", "text": said(at, at + 12), "rest": f"{rng.getrandbits(24000):x}"})
with open("in/a.parquet", "wb") as f: # pages of 2 MB of `rest`, of 300 KB of text
    f.write(make_parquet.write(rows, make_parquet.options(["--group-rows", "1500", "--page-rows", "350", "--no-crc", "", ""])))
END
echo '{"id":"a","text":"No copy."}' >one.jsonl
run detect --quiet -o one.h5 one.jsonl
run detect --quiet -o r.h5 in
exits "detect" 0
# peak ARGUMENT...: the most memory of a dedup in KB, in $peak; its status in $status
peak() {
    "${PYTHON:-/usr/bin/python3}" -c 'import resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open(sys.argv[1], "w"))' measured timeout "$RUN_SECONDS" "$PARDUP" "$@" >out 2>err </dev/null
    read -r status peak <measured
}
peak dedup -o one.new one.h5
base=$peak
run dedup -o whole r.h5
exits "dedup" 0

memory=1
for try in 1 2 3 4 5; do
    peak dedup --resume --memory ${memory}M -o new r.h5
    [ "$status" -ne 0 ] || break
    exits "--memory ${memory}M" 1
    one_error "--memory ${memory}M"
    cat err >>all
    more=$(sed -n 's/.*give --memory \([0-9]*\)M$/\1/p' err)
    verdict "--memory ${memory}M: it says how much ($more)" [ "${more:-0}" -gt $memory ]
    verdict "--memory ${memory}M: no more than that ($peak KB)" [ $peak -le $((base + 1024 * memory + 2048)) ]
    memory=${more:-99}
done
exits "--memory ${memory}M" 0
verdict "--memory ${memory}M: no more than that ($peak KB, $base without a job)" [ $peak -le $((base + 1024 * memory + 2048)) ]
verdict "--memory ${memory}M: same bytes" same_jobs whole new
for what in "its tables take" "its copied sentences take" "in/a.parquet: a page of"; do
    verdict "it says: $what" grep -qF "$what" all
done
cat all

# ---- each of four ranks needs less than one rank, as none holds what the others own ----
run dedup --list --memory 3M -o few r.h5
exits "one rank, --memory 3M" 1
one_error "one rank, --memory 3M"
run dedup --list -o lists r.h5
run_np 4 dedup --list --memory 3M -o few r.h5
exits "four ranks, --memory 3M" 0
verdict "four ranks: same bytes" diff -r lists few
finish
