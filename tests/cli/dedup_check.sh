#!/bin/bash
# pardup dedup of a result of check: what a target shares with a source of the index goes, and is proved by the source. It
# removes the same bytes as detect --against and dedup do, with texts from the index and from the files, on any number of ranks.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
support=$here/../support
export PYTHONPATH=$support PYTHONDONTWRITEBYTECODE=1

# random SEED: sources.jsonl, and targets in three files, the last one with an empty text; targets share edited text with sources
random() {
    python3 - "$1" <<'P'
import json, random, sys
import random_collection as made
seed = int(sys.argv[1])
rng, author = random.Random(f"contaminated {seed}"), made.Author(seed, True)
sides = [open(name, "w") for name in ("sources.jsonl", "targets/a.jsonl", "targets/b.jsonl")]
open("targets/c.jsonl", "w")
for number, (_, paragraphs) in enumerate(made.documents(seed, 90, near=True)):
    out = sides[0 if number % 3 == 0 else 1 + (number > 50)]
    out.write(json.dumps({"id": f"d{number}", "score": rng.randrange(9), "text": made.as_text(paragraphs)}, ensure_ascii=False) + "\n")
for chain in range(4):
    text = [made.punctuated(rng.choices(author.words, k=rng.randint(8, 20)), ".") for _ in range(10)]
    for link in range(5):
        sides[link % 3].write(json.dumps({"id": f"c{chain}.{link}", "score": link, "text": " ".join(text)}) + "\n")
        place = rng.randrange(len(text))
        text[place] = made.punctuated(author.nearly(text[place][:-1].split()), ".")
for out in sides:
    out.close()
P
}

# A source is a row of /documents after --against, of /sources after check: kept_doc is another number.
same() { # same NAME A B: two folders that dedup wrote
    local proofs=("$2" "$3") k
    [ ! -d "$2.proof" ] || proofs=("$2.proof" "$3.proof")
    diff -r -x removed.jsonl.zst "$2" "$3" >differs 2>&1
    diff -r -x removed.jsonl.zst "${proofs[@]}" >>differs 2>&1
    for k in 0 1; do zstd -dcq "${proofs[k]}/removed.jsonl.zst" | sed 's/"kept_doc":[0-9]*//' >"removed.$k"; done
    cmp removed.0 removed.1 >>differs 2>&1
    verdict "$1: the same files ($(head -n 1 differs))" [ ! -s differs ]
}

removed=0
for seed in 1 2 3 4 5; do
    rm -rf targets index index.texts against* check*
    mkdir targets
    random $seed
    case $seed in
        1) job=(--method sentence-fp-sd --gamma 1) what=() judge=() ;;
        2) job=(--preset texts --idf 0,1 --gamma 1) what=(--min-left 0.5) judge=(--min-left 0.5) ;;
        3) job=(--method pdc-shingle3 --tau 0.6 --gamma 1 --gap 3) what=(--remove documents --min-left 1) judge=(--min-left 1) ;;
        4) job=(--method sentence-fp --gamma 2) what=(--keep field:score) judge=() ;;
        5) job=(--preset texts --idf 0,1 --gamma 1 --passages all --edges far) what=(--min-agreement 0.6 --keep longest) judge=(--agreement 0.6) ;;
    esac
    run detect "${job[@]}" --against sources.jsonl -o against.h5 targets
    exits "seed $seed: detect --against" 0
    run dedup "${what[@]}" -o against.out against.h5
    exits "seed $seed: dedup after --against" 0
    run index "${job[@]}" -o index sources.jsonl
    run index "${job[@]}" --with-text -o index.texts sources.jsonl
    run check --index index -o check.h5 targets
    run check --index index.texts -o texts.h5 targets
    run_np $((1 + seed % 3)) dedup "${what[@]}" -o check.out check.h5
    exits "seed $seed: dedup after check" 0
    [ $seed = 4 ] || same "seed $seed: check and --against" against.out check.out # sources are kept in their own order
    run dedup "${what[@]}" -o texts.out texts.h5
    exits "seed $seed: texts from the index" 0
    same "seed $seed: texts from the index" check.out texts.out
    rm -rf texts.out texts.out.proof
    verdict "seed $seed: the file without text is there" rm check.out/c.jsonl # the judge knows no such file
    python3 "$support/removed.py" "$PARDUP" check.out "${judge[@]}" --sources sources.jsonl targets/[ab].jsonl >checked 2>&1
    code=$?
    touch check.out/c.jsonl
    verdict "seed $seed: each removal is proved ($(tail -n 1 checked))" [ $code -eq 0 ]
    removed=$((removed + $(zstd -dcq check.out.proof/removed.jsonl.zst | wc -l)))
done
verdict "enough is removed ($removed)" [ $removed -gt 60 ]
sources=$(zstd -dcq check.out.proof/removed.jsonl.zst | grep -o '"kept_id":"[^"]*"' | cut -d'"' -f 4 | sort -u)
"$PYTHON" - check.h5 <(zstd -dcq check.out.proof/removed.jsonl.zst) >named <<'P'
import json, sys, h5py
with h5py.File(sys.argv[1]) as f:
    ids = {side: f[table + "/id"].asstr()[:] for side, table in (("", "documents"), ("kept_", "sources"))}
rows = [json.loads(line) for line in open(sys.argv[2])]
print(len(rows) > 5 and all(ids[side][row[side + "doc"]] == row[side + "id"] for row in rows for side in ids))
P
verdict "each line has the rows of both" [ "$(cat named)" = True ]
verdict "each line names a source" [ -z "$(comm -23 <(echo "$sources") <(grep -o '"id": "[^"]*"' sources.jsonl | cut -d'"' -f 4 | sort -u))" ]

# ---- other outputs; a second look; shard by shard ----
for how in --list --annotate; do
    run dedup $how --min-agreement 0.6 --keep longest -o against$how against.h5
    run dedup $how --min-agreement 0.6 --keep longest -o check$how check.h5
    exits "$how" 0
    same "$how" against$how check$how
done
printf 'c0.1\nnobody\n' >wanted # a target, and an id that neither a target nor a source has
for how in against check; do
    run dedup --keep list:wanted -o $how.listed $how.h5
    exits "--keep list after $how" 0
    says "--keep list after $how" "1 of its 2 ids are not found, the first is: nobody"
done
same "--keep list" against.listed check.listed
run_np 2 dedup --check --min-agreement 0.6 --keep longest -o looked texts.h5
exits "--check" 0
verdict "--check: a second job with the index finds little" [ "$(grep -o '"removals":[0-9]*' looked.proof/check.json | cut -d: -f 2)" -lt 9 ]
rm looked.proof/check.json
same "--check: nothing else is left" check.out looked
for shard in a b; do
    run check --quiet --index index.texts -o $shard.h5 targets/$shard.jsonl
    run dedup --quiet --min-agreement 0.6 --keep longest -o shard.$shard $shard.h5
    exits "shard $shard" 0
    verdict "shard $shard: as in one job" cmp -s shard.$shard/$shard.jsonl check.out/$shard.jsonl
done

printf '{"id"\n' >targets/d.jsonl
run check --quiet --index index.texts -o damaged.h5 targets
run dedup --quiet -o damaged damaged.h5
verdict "a file without documents stays as it is" cmp -s targets/d.jsonl damaged/d.jsonl
rm targets/d.jsonl

# ---- sources that are gone, or have changed ----
mkdir elsewhere
cd elsewhere || exit 1
run dedup --min-agreement 0.6 --keep longest -o ../far ../texts.h5
exits "from another folder" 0
cd ..
same "from another folder" check.out far
cp sources.jsonl kept.jsonl
rm sources.jsonl
run dedup --min-agreement 0.6 --keep longest -o gone texts.h5
exits "no file of a source" 0
same "no file of a source, but the index" check.out gone
run dedup -o nothing check.h5
exits "no text of a source" 1
one_error "no text of a source"
says "no text of a source" "sources.jsonl: No such file or directory"
verdict "no text of a source: nothing is left" [ ! -e nothing ]
cp kept.jsonl sources.jsonl
run index --add -o index.texts targets/a.jsonl
run dedup --min-agreement 0.6 --keep longest -o added texts.h5
same "sources were added to the index since" check.out added
rm -rf index.texts
run index "${job[@]}" --with-text -o index.texts targets
run dedup --min-agreement 0.6 --keep longest -o other texts.h5
same "another index has the name: files are read" check.out other
sed -i 's/a/b/g; s/"idx"/"id"/' sources.jsonl
run dedup -o changed texts.h5
exits "changed sources" 1
one_error "changed sources"
"$PYTHON" -c 'import h5py; del h5py.File("texts.h5", "r+").attrs["source_index"]'
run dedup -o old texts.h5
exits "a result of an earlier pardup" 1
one_error "a result of an earlier pardup"
says "a result of an earlier pardup" "source_index"
finish
