#!/bin/bash
# --passages best: one row for one copied place, rows that do not overlap, and texts that repeat themselves in no time.
# Pairs with many dots also hear signals.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
best="--preset paper --idf 0,1 --min-words 1 --progress none --compress none --passages best"

# rows NAME WANTED: what the result holds, as lines of start_a start_b length_a length_b matched.
rows() {
    "$PARDUP" export x.h5 2>/dev/null | awk 'NR > 1 { print $3, $4, $5, $6, $11 }' >got
    echo "$2" >wanted
    verdict "$1: rows are $(echo "$2" | tr '\n' ';')" diff wanted got
}
pair() { rm -rf "$1" && mkdir "$1"; } # pair FOLDER: an empty folder

# ---- exact copies, moved paragraphs ----
pair copy
sentences 1 40 >copy/a.txt
sentences 1 40 >copy/b.txt
run detect $best -o x.h5 copy
exits "exact copy" 0
rows "exact copy" "0 0 40 40 40"

pair moved
{ sentences 1 40; } >moved/a.txt
{ sentences 1 10; sentences 21 40; sentences 11 20; } >moved/b.txt
for gap in 0 4 20; do # with gap 20 the rest could be one passage around the moved paragraph
    run detect $best --gap $gap -o x.h5 moved
    exits "moved paragraph, gap $gap" 0
    rows "moved paragraph, gap $gap" $'0 0 10 10 10\n10 30 10 10 10\n20 10 20 20 20'
done

pair swapped
{ sentences 1 30; sentences 101 110; } >swapped/a.txt
{ sentences 101 110; sentences 1 30; } >swapped/b.txt
run detect $best --gap 8 -o x.h5 swapped
rows "swapped" $'0 10 30 30 30\n30 0 10 10 10'

# A sentence in the middle is common, so nothing matches there; edges close the gap.
pair common
for k in 1 2 3 4 5 6; do
    { sentences $((k * 100)) $((k * 100 + 9)); echo "This page is common property."; sentences $((k * 100 + 10)) $((k * 100 + 19)); } >common/$k.txt
done
cp common/1.txt common/7.txt
run detect $best --max-df 3 --edges word -o x.h5 common
rows "a common sentence within a copy" "0 0 21 21 20"

# ---- texts that repeat themselves ----
pair lines
yes "The same line is here again." | head -n 16000 >lines/a.txt
cp lines/a.txt lines/b.txt
RUN_SECONDS=20 run detect $best --gap 8 -o x.h5 lines
exits "16,000 equal sentences" 0
rows "16,000 equal sentences" "0 0 16000 16000 16000"

pair ab
yes "a b" | head -n 8192 | tr '\n' ' ' >ab/a.txt
cp ab/a.txt ab/b.txt
RUN_SECONDS=20 run detect $best --method full-fp -o x.h5 ab
exits "two words again and again" 0
rows "two words again and again" "0 0 16379 16379 16379"

# Tables of two values: short runs without end.
pair tables
awk 'BEGIN { srand(1); for (k = 0; k < 20000; k++) print rand() < 0.5 ? "Zero is here." : "One is here." }' >tables/a.txt
{ head -n 5000 tables/a.txt; echo "Nothing like it."; tail -n 15000 tables/a.txt; } >tables/b.txt
RUN_SECONDS=40 run detect $best --gap 2 -o x.h5 tables
exits "tables of two values" 0
rows "tables of two values" "0 0 20000 20001 20000"

# ---- rows do not overlap in bytes, whatever the edges ----
cat >overlaps.py <<'PYTHON'
import h5py, sys
table = h5py.File("x.h5")["passages"]
rows = sorted(zip(*(table[c][:].tolist() for c in
    ("doc_a", "doc_b", "begin_a", "end_a", "begin_b", "end_b"))))
pairs = {}
for a, b, *places in rows:
    pairs.setdefault((a, b), []).append(places)
bad = [(pair, x, y) for pair, v in pairs.items() for n, x in enumerate(v) for y in v[:n]
       if (x[0] < y[1] and y[0] < x[1]) or (x[2] < y[3] and y[2] < x[3])]
print(bad[:3])
sys.exit(1 if bad or not any(len(v) > 1 for v in pairs.values()) else 0)
PYTHON
"$PARDUP" synth --bytes 3M --profile law --container text -o web >synth.log 2>&1 || { cat synth.log; exit 1; }
for options in "--edges word --gamma 0" "--edges far --gamma 0 --gap 2" "--method full-fp --ngram 4 --edges far --gap 5" \
    "--window 3,1 --gamma 0 --edges word" "--method full-fp --sample 3 --edges word"; do
    run detect $best $options -o x.h5 web
    exits "$options" 0
    verdict "$options: rows do not overlap" "$PYTHON" overlaps.py >/dev/null
done

# ---- far edges: both ends go out to where the words differ, however far that is ----
cat >far.py <<'PYTHON'
import random, sys
random.seed(7)
def words(tag, n): return [f"{tag}{random.randrange(10 ** 9)}x" for _ in range(n)]
where = {}
for n in range(33, 73): # words that the texts of a pair share
    shared, texts = " ".join(words("s", n)), []
    for side in "ab":
        before = " ".join(words("p", random.randrange(1, 40)))
        texts.append((before + " " + shared + " " + " ".join(words("q", random.randrange(1, 40))), len(before) + 1))
        open(f"far/{n}{side}.txt", "w").write(texts[-1][0] + "\n")
    where[f"far/{n}a.txt", f"far/{n}b.txt"] = [(b, b + len(shared)) for _, b in texts]
if len(sys.argv) > 1:
    import h5py
    f = h5py.File(sys.argv[1])
    ids, p = [i.decode() for i in f["documents/id"]], {k: v[:] for k, v in f["passages"].items()}
    got = {(ids[a], ids[b]): [(p["begin_a"][k], p["end_a"][k]), (p["begin_b"][k], p["end_b"][k])]
           for k, (a, b) in enumerate(zip(p["doc_a"], p["doc_b"]))}
    wrong = {k: (v, got.get(k)) for k, v in where.items() if got.get(k) != v}
    print(len(p["doc_a"]), len(where), list(wrong.items())[:3])
    sys.exit(bool(wrong) or len(p["doc_a"]) != len(where))
PYTHON
mkdir far
"$PYTHON" far.py
for np in 1 2; do
    run_np $np detect --preset paper --idf 0,1 --progress none --method full-fp --sample 30 --edges far --gamma 0 -o x.h5 far
    exits "far edges, $np ranks" 0
    verdict "far edges, $np ranks: passages are what the texts share" "$PYTHON" far.py x.h5
done

# ---- a signal is heard inside a pair ----
signalled() { # signalled NAME OPTION...: a job over two minutes long ends soon after a signal
    local name=$1 begin job
    shift
    "$PARDUP" detect $best "$@" -o x.h5 lines >out 2>err </dev/null &
    job=$!
    sleep 1
    begin=$SECONDS
    kill -TERM $job
    wait $job
    status=$?
    verdict "$name: stopped within 5 s" [ $((SECONDS - begin)) -le 5 ]
    exits "$name" 75
}
yes "The same line is there again." | head -n 16000 >lines/c.txt
yes "The same line stands there again." | head -n 16000 >lines/d.txt
signalled "all" --passages all --gap 8
signalled "similar" --feature shingle --ngram 1 --join jaccard --tau 0.2 # all dots are gone through

# ---- --skip-same-host: pairs of documents from one host are left out, and counted ----
printf '{"id": "%s", "url": "http://%s", "text": "'"$(sentences 1 9 | tr '\n' ' ')"'"}\n' \
    a0 A.example/0 b1 b.example/1 a2 a.example:80/2 x3 '' x4 '' >hosts.jsonl
sed -i 's|"http://"|""|' hosts.jsonl # of documents without an address no host is known
for np in 1 3; do
    run_np $np detect --preset paper --idf 0,1 --skip-same-host -o x.h5 hosts.jsonl
    exits "same host, $np ranks" 0
    verdict "same host, $np ranks: one passage is left out" grep -qE 'left out, same host +1$' err
    run export --table pairs x.h5
    verdict "same host, $np ranks: the pair of one host is missing" \
        diff <(cut -f1,2 out) <(printf '%s\t%s\n' doc_a doc_b 0 1 0 3 0 4 1 2 1 3 1 4 2 3 2 4 3 4)
done
run detect --preset paper --idf 0,1 -o x.h5 hosts.jsonl
run export --table pairs x.h5
verdict "without --skip-same-host all pairs are there" [ "$(wc -l <out)" -eq 11 ]

finish
