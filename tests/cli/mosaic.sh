#!/bin/bash
# pardup eval --mosaic: what it adds up is, within 1 %, what the texts of all passages add up to, byte by byte and word by word, before and
# after cleaning; and what a search through all pairs of paragraphs adds up, before. Afterwards what is left of paragraphs has other edges.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}
cat >make.py <<'END_OF_MAKE'
"""Documents of paragraphs; copies of earlier ones stand apart, and in them no word or up to half of the words were replaced."""
import json, random, sys
random.seed(int(sys.argv[1]))
letters = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
vocabulary = ["".join(random.choices(letters, k=random.randint(2, 4))) for _ in range(5000)]
paragraphs, kin = [], []  # kin: of each paragraph, which ones it comes from; no document has two of one kind
for number in range(40):
    document, taken, apart = [], set(), True
    for _ in range(random.randint(2, 5)):
        apart = not apart or len(paragraphs) < 10 or random.random() < .3
        if not apart:
            which = random.choice([k for k in range(len(paragraphs)) if not kin[k] & taken])
            share = random.choice([0, 0, .05, .1, .2, .3, .5])
            new = [[random.choice(vocabulary) if random.random() < share else word for word in words] for words in paragraphs[which]]
            kin.append(kin[which] | {len(kin)})
            taken |= kin[which]
        else:
            new = [random.choices(vocabulary, k=random.randint(9, 16)) for _ in range(random.randint(6, 9))]
            kin.append({len(kin)})
        document.append(new)
        paragraphs.append(new)
    text = "\n\n".join(" ".join(" ".join(words).capitalize() + "." for words in paragraph) for paragraph in document)
    print(json.dumps({"id": f"d{number}", "text": text}))
END_OF_MAKE
cat >search.py <<'END_OF_SEARCH'
"""The mass of copies by the passages of a result, and by each paragraph with each earlier one; at least two words in five agree."""
import json, sys

def weight(agreement):
    facts = [(0, 0), (.5, .17), (.9, .62), (1, 1)]
    return next(w + (agreement - a) / (b - a) * (v - w) for (a, w), (b, v) in zip(facts, facts[1:]) if agreement <= b)

def agreement(a, b):
    places = {}
    for k, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << k
    every = row = (1 << len(a)) - 1
    for word in b:
        both = row & places.get(word, 0)
        row = (row + both | row - both) & every
    return (len(a) - row.bit_count()) / max(len(a), len(b))

documents = [json.loads(line) for line in open(sys.argv[1])]
by_passages = by_search = 0
texts = {document["id"]: document["text"] for document in documents}
heaviest = {name: [0] * len(text) for name, text in texts.items()}
for passage in map(json.loads, open(sys.argv[2])):
    a, b = (texts[passage["id_" + side]][passage["begin_" + side]:passage["end_" + side]] for side in "ab")
    now = weight(agreement(*(text.lower().replace(".", "").split() for text in (a, b))))
    bytes_of = heaviest[passage["id_b"]]
    for k in range(passage["begin_b"], passage["end_b"]):
        bytes_of[k] = max(bytes_of[k], now)
by_passages = sum(map(sum, heaviest.values()))

earlier = []
for document in documents:
    own = [(part, part.lower().replace(".", "").split()) for part in document["text"].split("\n\n") if part.strip()]
    for part, words in own:
        best = max((agreement(words, other) for other in earlier), default=0)
        by_search += len(part) * weight(best) if best >= .4 else 0
    earlier += [words for _, words in own]
print(json.dumps({"passages": by_passages, "search": by_search}))
END_OF_SEARCH

# close NAME COLLECTION RESULT WHAT: the mass of RESULT is the mass that search.py finds.
close() {
    run export --format jsonl "$3"
    $python search.py "$2" out >expected
    run eval --mosaic --format json "$3"
    found=$($python -c 'import json; print(json.load(open("out"))["mosaic"])')
    expected=$($python -c "import json; print(json.load(open('expected'))['$4'])")
    verdict "$1: mass $found, by $4 $expected" awk "BEGIN { x = $found - $expected; exit !($found > 0 && x * x <= (.01 * $expected) ^ 2) }"
}
for seed in 1 2; do
    $python make.py $seed >in.jsonl
    run detect --preset edited -o before.h5 --force in.jsonl
    close "seed $seed, before" in.jsonl before.h5 search
    close "seed $seed, before" in.jsonl before.h5 passages
    before=$found
    rm -rf clean clean.proof
    run dedup -o clean before.h5
    run detect --preset edited -o after.h5 --force clean
    close "seed $seed, after" clean/in.jsonl after.h5 passages
    verdict "seed $seed: $before before, $found after" awk "BEGIN { exit !(4 * $found < $before) }"
done
run eval --mosaic before.h5
verdict "a table" grep -q '^mosaic .* bytes  ([0-9.]* %)' out
run eval --mosaic --format tsv before.h5
verdict "five rows" [ "$(cut -f1 out | paste -sd ' ')" = "text copied copied_share mosaic mosaic_share" ]
# After --against the copies are targets.
head -n 20 in.jsonl >old.jsonl && tail -n 20 in.jsonl >new.jsonl
run detect --preset edited --against old.jsonl -o against.h5 new.jsonl
run eval --mosaic --format tsv against.h5
verdict "text of targets" [ "$(grep -P '^text\t' out | cut -f2)" = "$($python -c 'import json; print(sum(len(json.loads(line)["text"]) for line in open("new.jsonl")))')" ]
run eval --mosaic --truth in.jsonl before.h5
exits "with a truth" 2
run eval before.h5
exits "with nothing" 2
finish
