#!/bin/bash
# pardup dedup on random collections: each removed sentence stands in text that stays, every family that loses text
# keeps a member, and all other text stays byte for byte. removed.py judges by the definition, in one go for each job.
. "$(dirname "$0")/lib.sh"
support=$here/../support
export PYTHONPATH=$support PYTHONDONTWRITEBYTECODE=1

# random SEED COUNT FILE: JSON lines with ids of their own; chains of copies of copies, edited at each step
random() {
    python3 - "$@" <<'P'
import json, random, sys
import random_collection as made
seed, count, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
rng, author = random.Random(f"chains {seed}"), made.Author(seed, True)
with open(path, "w", encoding="utf-8") as out:
    for number, (_, paragraphs) in enumerate(made.documents(seed, count, near=True)):
        out.write(json.dumps({"id": f"d{number}", "score": rng.randrange(9), "text": made.as_text(paragraphs)}, ensure_ascii=False) + "\n")
    for chain in range(4):  # a text that is copied from copy to copy, a little different each time
        text = [made.punctuated(rng.choices(author.words, k=rng.randint(8, 20)), ".") for _ in range(10)]
        for link in range(7):
            out.write(json.dumps({"id": f"c{chain}.{link}", "score": rng.randrange(9), "text": " ".join(text)}) + "\n")
            place = rng.randrange(len(text))
            for at in {place, (place + 5) % 10}:
                text[at] = made.punctuated(author.nearly(text[at][:-1].split()), ".")
P
}

judged=0
for seed in 1 2 3 4 5 6; do
    random $seed 90 in$seed.jsonl
    case $seed in
        1) job=(--preset web) what=() judge=() ;;
        2) job=(--preset edited) what=(--keep longest) judge=() ;;
        3) job=(--method pdc-shingle3 --tau 0.6 --gamma 1 --gap 3 --passages all) what=(--keep field:score --min-left 0.5) judge=(--min-left 0.5) ;;
        4) job=(--preset texts --max-df 6 --common first) what=(--min-agreement 0.6) judge=(--agreement 0.6) ;;
        5) job=(--preset web --gamma 1) what=(--remove documents --min-left 0.4) judge=(--min-left 0.4) ;;
        6) job=(--method pdc-shingle2 --tau 0.5 --gamma 0) what=(--min-left 0 --min-agreement 0.5) judge=(--min-left 0 --agreement 0.5) ;;
    esac
    run detect "${job[@]}" -o $seed.h5 in$seed.jsonl
    exits "seed $seed: detect" 0
    run_np $((1 + seed % 3)) dedup "${what[@]}" -o out$seed $seed.h5
    exits "seed $seed: dedup" 0
    python3 "$support/removed.py" "$PARDUP" out$seed "${judge[@]}" in$seed.jsonl >checked 2>&1
    code=$?
    verdict "seed $seed: each removal is proved ($(tail -n 1 checked))" [ $code -eq 0 ]
    judged=$((judged + $(zstd -dcq out$seed.proof/removed.jsonl.zst | wc -l)))
done

# ---- --check says what a second job, made by hand, removes ----
run detect --preset texts --max-df 6 --common first -o found.h5 in6.jsonl
run dedup --check --min-agreement 0.6 -o checked.out found.h5
exits "--check" 0
run detect --preset texts --max-df 6 --common first -o again.h5 checked.out/in6.jsonl
run dedup --min-agreement 0.6 -o again again.h5
counts=$(zstd -dcq again.proof/removed.jsonl.zst | wc -l)
verdict "--check: the second job finds something ($counts)" [ "$counts" -gt 0 ]
verdict "--check: as a second job by hand" grep -qF "\"removals\":$counts," checked.out.proof/check.json
verdict "enough removals are judged ($judged)" [ $judged -gt 150 ]
finish
