#!/bin/bash
# What bears a paper's name is what the paper says, at any size of collection: --preset paper, and a method without a
# preset, beside a brute force of PDC-MR (tests/support/pdc_mr.py). In the collection, words are in more documents than
# the paper lets count and in fewer than --always-df, sentences are in more documents than --max-df, and copies begin
# and end in the middle of a sentence.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}

"$python" - >many.jsonl <<'END'
import json, random
r = random.Random(45)
words = [f"w{k}x" for k in range(4000)]
def sentence():
    return ["Frequent", *r.choices(words[:3], k=2), *r.choices(words, [1 / (k + 1) for k in range(len(words))], k=7)]
page = [sentence() for _ in range(7)]
texts = [[sentence() for _ in range(r.randint(4, 9))] for _ in range(1300)]
for k in range(320):
    texts[4 * k + 1][2:2] = page # a page in more documents than --max-df
for k in range(300): # runs of sentences of an earlier document, some with an end that goes on
    source, target = sorted(r.sample(range(len(texts)), 2))
    at, n = r.randrange(len(texts[source])), r.randint(2, 6)
    copied = texts[source][at:at + n]
    copied = copied[:-1] + [copied[-1] + ["goes", "on"]]
    texts[target][1:1] = [list(s) for s in copied]
for number, text in enumerate(texts):
    print(json.dumps({"id": str(number), "text": " ".join(" ".join(s).capitalize() + "." for s in text)}))
END

run sentences many.jsonl
exits "sentences" 0
mv out sentences
"$python" "$here/../support/pdc_mr.py" sentences >wanted
verdict "the brute force finds more than 40,000" [ "$(wc -l <wanted)" -gt 40000 ]

# rows FILE: doc_a doc_b start_a start_b length_a, as the brute force prints them
rows() {
    run export --table passages "$1"
    exits "export $1" 0
    awk -F'\t' 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
        { print $at["doc_a"] "\t" $at["doc_b"] "\t" $at["start_a"] "\t" $at["start_b"] "\t" $at["length_a"] }' out >found
}

for how in "--preset paper" "--method pdc-imatch" "--preset paper --method pdc-imatch --gap 0"; do
    run detect $how -o paper.h5 many.jsonl
    exits "$how" 0
    cp err said
    rows paper.h5
    verdict "$how: as published" cmp found wanted
    cp said err
    says "$how" "units are in over 300 documents, of which all pairs are compared: --max-df 300 sets them aside"
done

# Passages end with their sentences.
run export --table passages paper.h5
awk -F'\t' 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
    { print $at["doc_a"] "\t" $at["start_a"] "\t" $at["begin_a"]; print $at["doc_b"] "\t" $at["start_b"] "\t" $at["begin_b"] }' out | sort -u >begins
"$python" - begins sentences <<'END' || touch wrong
import collections, json, sys
number, row, begins, before = collections.Counter(), {}, {}, None
for line in open(sys.argv[2]):
    s = json.loads(line)
    doc = row.setdefault(s["doc"], len(row))
    begins[doc, number[doc]] = s["begin"]
    number[doc] += 1
sys.exit(any(begins[int(d), int(k)] != int(b) for d, k, b in map(str.split, open(sys.argv[1]))))
END
verdict "passages begin with a sentence" [ ! -e wrong ]

# What big collections need beyond that can be given.
run detect --preset paper --max-df 300 --always-df 1000 -o less.h5 many.jsonl
exits "limits" 0
rows less.h5
verdict "limits: they act" [ "$(wc -l <found)" -lt 40000 ]
verdict "limits: nothing is said of large classes" test -z "$(grep 'of which all pairs' err)"
finish
