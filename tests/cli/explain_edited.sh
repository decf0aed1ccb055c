#!/usr/bin/env bash
# pardup explain where passages are found by words (--refine words, as in the preset edited): what it says of random
# pairs beside slow code, and the first floor that is missed.
. "$(dirname "$0")/lib.sh"
support=$here/../support
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1

# Texts of rare and frequent words, with copies of 5 to 120 words: equal, reworded, shuffled, or mostly replaced.
cat >make.py <<'END'
import json, random, sys
rng = random.Random(int(sys.argv[1]))
words = ["w" + "".join(rng.choices("abcdefghij", k=rng.randint(2, 7))) for _ in range(4000)]
weights = [1 / (k + 1) for k in range(len(words))]
texts = []
for k in range(24):
    text = rng.choices(words, weights, k=rng.randint(30, 250))
    for _ in range(rng.randint(0, 3) if texts else 0):
        source = rng.choice(texts)
        n = rng.randint(5, 120)
        at = rng.randrange(max(1, len(source) - n))
        copy = source[at:at + n]
        kept = rng.choice([1, 1, 0.8, 0.6, 0.3])
        copy = [w if rng.random() < kept else rng.choices(words, weights)[0] for w in copy]
        if rng.random() < 0.3:
            for i in range(0, len(copy), 6):
                piece = copy[i:i + 6]
                rng.shuffle(piece)
                copy[i:i + 6] = piece
        to = rng.randrange(len(text))
        text[to:to] = copy
    texts.append(text)
    print(json.dumps({"id": f"t{k}", "text": " ".join(text) + "."}))
END
for seed in 1 2 3; do
    $PYTHON make.py $seed >texts.jsonl
    "$PARDUP" sentences --offsets texts.jsonl >sentences.jsonl 2>/dev/null
    "$PARDUP" frequencies --quiet -o table.tsv --limit-docs 9 texts.jsonl
    case $seed in # one of nine runs has a table
    1) with_table="--frequencies table.tsv" ;;
    *) with_table="--max-df 2 --max-repeats 2" ;;
    esac
    for how in "" "$with_table" "--rare 0.01 --gap 20 --gamma 1"; do
        # shellcheck disable=SC2086
        run detect --quiet --preset edited $how -o e.h5 texts.jsonl
        exits "seed $seed, $how" 0
        $PYTHON "$support/explain_judge.py" "$PARDUP" sentences.jsonl e.h5 40 >out 2>err
        verdict "seed $seed, $how: the judge agrees" [ $? -eq 0 ]
        tail -n 1 out
        for k in 1 2 3 4 5 6; do
            run explain e.h5 0 $k
            verdict "0 and $k: no line is wider than 80 columns" awk 'length($0) > 80 {exit 1}' out
        done
    done
done
finish
