#!/bin/bash
# Size and latency of an index: queries.sh [SENTENCES, 3500000]; METHODS: whose sizes are measured; pdc-imatch is needed.
# Makes a collection of about as many sentences (pardup synth), an index of it, and asks it by JSON lines. Prints, for texts
# read from the index, from the sources' files, and not read: the first answer after the start, the median and 95th percentile
# of pages of 30 sentences (half of them with ten copied sentences), and the time for a document in a stream. Times of streams
# and of indexing are processor time, the least of three streams. Last comes a plain hash table of 128-bit values (hash_table.c).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PARDUP=${PARDUP:-$here/../../build/release/pardup}
sentences=${1:-3500000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fast= # the processor is shared: go before others, if that is allowed
[ "$(id -u)" -ne 0 ] || fast="nice -n -10"
TIMEFORMAT='%U %S'
uptime
per_page=67 # sentences of a page of synth, about
$fast "$PARDUP" synth --documents $((sentences / per_page)) --page-bytes 1 --container jsonl --pack none -o made 2>/dev/null
mkdir sources
mv made/part-* sources

echo "method            bytes of index  share of the text  bytes a sentence  seconds of processor"
for method in ${METHODS:-pdc-imatch sentence-fp sentence-fp-sd yoon sentence-length full-fp}; do
    { time $fast "$PARDUP" index --method $method --progress none -o "index.$method" sources 2>log; } 2>times
    awk -v m=$method -v bytes="$(du -bc "index.$method"/*.* | tail -1 | cut -f 1)" -v s="$(awk '{print $1 + $2}' times)" \
        '{gsub(",", "")} /sentences added/ {n = $4; text = substr($5, 2) * 1e6} END {printf "%-16s  %11d  %5.1f %%  %5.1f  %6.1f\n", m, bytes, 100 * bytes / text, bytes / n, s}' log
    [ $method = pdc-imatch ] || rm -rf "index.$method"
done
$fast "$PARDUP" index --method pdc-imatch --max-df 300 --always-df 1000 --edges word --with-text --progress none -o index.text sources 2>log
awk -v bytes="$(du -bc index.text/*.* | tail -1 | cut -f 1)" \
    '/sentences added/ {text = substr($5, 2) * 1e6} END {printf "pdc-imatch --with-text  %d  %.1f %%\n", bytes, 100 * bytes / text}' log

cat >client.py <<'END'
import json, random, resource, subprocess, sys, time
pardup, index, *options = sys.argv[1:]
random.seed(1)
lines = []
with open("sources/part-00000.jsonl") as f:
    for n, line in enumerate(f):
        if n % 20 == 0 and len(lines) < 2500:
            lines.append([s for s in json.loads(line)["text"].split("\n") if s])
def page(k, copies=True):
    own = [f"{w} {k} of its own number {i} and nothing else." for i, w in enumerate(["Sentence", "Remark", "Word"] * 10)]
    source = max(random.sample(lines, 5), key=len)
    if copies and k % 2 and len(source) > 12:
        at = random.randrange(len(source) - 10)
        own[10:20] = source[at:at + 10]
    return json.dumps({"id": str(k), "text": "\n".join(own)}) + "\n"
def start():
    return subprocess.Popen([pardup, "check", "--index", index, "--stdin", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
def ask(p, line):
    began = time.perf_counter()
    p.stdin.write(line); p.stdin.flush()
    answer = p.stdout.readline()
    return (time.perf_counter() - began) * 1e3, json.loads(answer)
def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
def stream(lines, n):
    before = processor()
    subprocess.run([pardup, "check", "--index", index, "--stdin", *options], input=lines, stdout=subprocess.DEVNULL, text=True)
    return (processor() - before) / n * 1e6
def streams(copies, n=8000):  # JSON lines of 1.6 kB
    lines = "".join(page(k, copies) for k in range(n))
    return min(stream(lines, n) for _ in range(3))
first, cost = [], []
for k in range(9):
    began, before = time.perf_counter(), processor()
    p = start()
    ask(p, page(2 * k + 1))
    first.append((time.perf_counter() - began) * 1e3)
    p.stdin.close(); p.wait()
    cost.append((processor() - before) * 1e3)
opening = min(stream("", 1) for _ in range(9)) / 1e3
p = start()
asked = [ask(p, page(k)) for k in range(3000)]
p.stdin.close(); p.wait()
times = sorted(t for t, _ in asked[1000:])
found = [a["passages"] for _, a in asked if a["passages"]]
copies = sorted(t for t, a in asked[1000:] if a["passages"])
mean = lambda counts: sum(counts) / max(len(found), 1)
alone, copied = streams(False), streams(True)
print(f"{' '.join([index, *options])}: opened and closed {opening:.1f} ms of processor, first answer {sorted(first)[4]:.1f} ms ({sorted(cost)[4]:.1f} ms of processor), "
      f"page median {times[len(times) // 2]:.3f} ms, 95 % {times[len(times) * 95 // 100]:.2f} ms, median of pages with copies {copies[len(copies) // 2]:.3f} ms; in a stream {alone:.1f} us of processor a page without copies, "
      f"{copied:.1f} us if half have copies ({len(found)} of {len(asked)} pages with {mean(map(len, found)):.0f} passages from "
      f"{mean(len({p['source'] for p in f}) for f in found):.0f} sources each); {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3:.0f} MB resident at most", flush=True)
END
for how in "index.text" "index.pdc-imatch" "index.pdc-imatch --texts no" "index.text --texts no --top 0"; do
    $fast python3 client.py "$PARDUP" $how
done

"$PARDUP" sentences sources 2>/dev/null | sed 's/.*"words"://' >source.lines
awk 'NR % 97 == 0 {print; print "No source has line number " NR "."}' source.lines >target.lines
cc -O2 -o hash_table "$here/hash_table.c" -lxxhash
$fast ./hash_table source.lines target.lines
uptime
