#!/bin/bash
# pardup synth: the same bytes however many ranks, texts and offsets as the other commands read them,
# and what was asked for is what was planted.
. "$(dirname "$0")/lib.sh"
RUN_SECONDS=300

# ---- any number of ranks, any shard alone ----
asked=(--documents 1500 --shard-bytes 5M --seed 3 --bad empty,charset,binary,twice,cut)
run synth "${asked[@]}" -o one
exits "one rank" 0
for np in 2 3; do
    run_np $np synth "${asked[@]}" -o many
    exits "$np ranks" 0
    verdict "$np ranks: the same files" diff -r one many
    rm -rf many
done
verdict "several files" [ -e one/part-00005.warc.gz ]
verdict "no file but those of the collection" [ -z "$(find one -name '.*' -type f -o -name '*.part')" ]
run synth "${asked[@]}" --shard 3 -o -
verdict "a shard alone" cmp out one/part-00003.warc.gz
run synth --documents 1500 --shard-bytes 5M --seed 4 -o - --shard 3
verdict "another seed, other bytes" [ "$(cmp out one/part-00003.warc.gz >same; echo $?)" -eq 1 ]

# ---- HTML, JSON lines and plain text say the same ----
run text one/part-0*.warc.gz
mv out html.txt
run synth --documents 1500 --seed 3 --container jsonl --pack none -o lines
run text lines/part-00000.jsonl
verdict "HTML becomes the text that was meant" cmp out html.txt
verdict "the same truth" cmp one/truth.tsv lines/truth.tsv
run synth --documents 30 --container text --pack none -o files
verdict "a file a document" [ "$(find files -name '*.txt' | wc -l)" -eq 30 ]

# ---- truth rows point at the same words ----
cat >judge.py <<'END'
import re, sys
texts, name, lines = {}, None, []
def words(s): return re.findall(r"\w+", s.decode().lower())
blocks = re.split(rb"(?m)^==> (synth-\d+) <==\n", open("html.txt", "rb").read())
texts = {blocks[k].decode(): blocks[k + 1] for k in range(1, len(blocks), 2)}
rows = exact = differ = 0
for line in open("one/truth.tsv"):
    if line[0] == "#":
        continue
    a, b0, b1, b, c0, c1, kind, sentences, same, jaccard, cut = line.split("\t")[:11]
    left, right = texts[a][int(b0):int(b1)], texts[b][int(c0):int(c1)]
    rows += 1
    if kind.startswith("run") and sentences == same: # no sentence in between was edited away
        exact += 1
        differ += words(left) != words(right)
print(rows, "rows,", exact, "exact,", differ, "differ")
sys.exit(not (rows > 500 and exact > 100 and differ == 0))
END
verdict "rows of equal sentences hold equal words" python3 judge.py

# ---- asked and planted ----
cat >planted.py <<'END'
import json, sys
report, bad = json.load(open(sys.argv[1])), 0
print(f"{'':42}{'asked':>12}{'planted':>12}")
for name, value in report.items():
    if not isinstance(value, list):
        continue
    asked, planted = value
    off = abs(planted - asked) > (0.02 * asked if asked else 1e-9)
    bad += off
    print(f"{name:42}{asked:12.6g}{planted:12.6g}{'  <- off' if off else ''}")
sys.exit(bad > 0)
END
profiles=(versions law ocr)
[ -z "${FEW:-}" ] || profiles=(versions) # FEW: slow under sanitizers
for profile in "${profiles[@]}"; do
    run synth --documents 20000 --profile $profile -o planted
    exits "$profile" 0
    python3 planted.py planted/synth.json >table.$profile
    verdict "$profile: planted is within 2 % of asked" [ $? -eq 0 ]
    rm -rf planted
done
cat table.versions
[ "$failed" -eq 0 ] || cat table.*

# ---- bad cases, wrong usage ----
run detect -o bad.h5 one/bad.warc.gz
exits "bad records are skipped" 0
says "binary and cut" "records skipped                 2"
run synth --bad evil --documents 5 -o x
exits "unknown bad case" 2
absent "unknown bad case" x
run synth --documents 5
exits "no -o" 2
run synth --documents 5 --shard 1 -o -
exits "no such shard" 2
run synth --documents 5 --learn /nowhere/words -o x
exits "nothing to learn from" 1
finish
