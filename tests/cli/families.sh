#!/bin/bash
# Families: equal to the definition (tests/support/families_reference.py), for any number of ranks and any memory.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1
same() { # same NAME A B: the tables of two results
    verdict "$1" "$PYTHON" "$here/../support/same_result.py" --tables passages,pairs,families,members "$2" "$3"
}

"$PYTHON" - <<'EOF'
import json, random
rng = random.Random(11)
texts = [[f"Text {t} has sentence {k} with w{rng.randrange(10**6)} and w{rng.randrange(10**6)} in it." for k in range(30)] for t in range(12)]
with open("random.jsonl", "w") as f:  # parts of a few texts, of all lengths, in chains and stars
    for d in range(150):
        parts = []
        for _ in range(rng.randrange(1, 5)):
            text, begin = rng.choice(texts), rng.randrange(26)
            parts += text[begin:begin + rng.randrange(2, 14)] + [f"Only document {d} says w{rng.randrange(10**9)} here."]
        print(json.dumps({"id": str(d), "text": " ".join(parts)}), file=f)
with open("chain.jsonl", "w") as f:  # each document shares text with the next one only
    for d in range(300):
        link = lambda k: " ".join(f"Link {k} has sentence {n} of its own." for n in range(6))
        print(json.dumps({"id": str(d), "text": link(d) + f" Document {d}. " + link(d + 1)}), file=f)
EOF
"$PARDUP" synth --bytes 2M -o synth >/dev/null 2>&1

for options in "--preset texts random.jsonl" "--preset paper --gamma 1 --gap 1 random.jsonl" \
    "--preset texts --max-df 20 --common first random.jsonl" "--preset paper chain.jsonl" "--preset web synth" \
    "--method imatch-doc synth"; do
    run detect --progress none -o alone.h5 $options
    exits "$options" 0
    run_np 3 detect --progress none -o three.h5 $options
    exits "$options, 3 ranks" 0
    verdict "$options: the definition" "$PYTHON" "$here/../support/families_reference.py" alone.h5
    same "$options: the same at 3 ranks" alone.h5 three.h5
done
run_np 2 detect --progress none --memory 1M -o small.h5 --preset paper --gamma 1 --gap 1 random.jsonl
run detect --progress none -o alone.h5 --preset paper --gamma 1 --gap 1 random.jsonl
same "the same with little memory" alone.h5 small.h5

run detect --progress none -o chain.h5 --preset paper chain.jsonl
run export --table families chain.h5
verdict "links of a chain are families of their own" [ "$(grep -c '^2	2	' out)" = 299 ]
verdict "300 documents, no longer family" [ "$(wc -l <out)" = 300 ]

# Passages of one family.
run show --family 7 --limit 0 chain.h5
exits "show" 0
prints "show: the family" "family 7: 2 members in 2 documents"
verdict "show: its only passage" [ "$(grep -c '^# ' out)" = 1 ]
prints "show: the passage of documents 7 and 8" "7 ~ 8"
run show --family 299 chain.h5
exits "no such family" 1
one_error "no such family"
says "no such family" "the result has 299 families"
"$PYTHON" -c 'import h5py; f = h5py.File("chain.h5", "r+"); del f["passages/family"], f["families"], f["members"]'
run show --family 7 chain.h5
exits "older result" 1
one_error "older result"
says "older result" "has no families"

run detect --progress none -o none.h5 --preset paper --gamma 1000 random.jsonl
exits "no passages" 0
run export --table members none.h5
verdict "no passages, no members" [ "$(wc -l <out)" = 1 ]
finish
