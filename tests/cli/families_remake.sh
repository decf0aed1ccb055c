#!/bin/bash
# pardup families: families of an older result are those that detect writes; nothing is half written.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1
strip() { # strip RESULT: as an earlier pardup wrote it
    "$PYTHON" - "$1" <<'PY'
import h5py, sys
with h5py.File(sys.argv[1], "r+") as f:
    for name in "passages/family", "documents/family", "families", "members", "document_families":
        del f[name]
    del f.attrs["family_coverage"]
PY
}

"$PYTHON" - <<'EOF2'
import json, random
rng = random.Random(5)
texts = [[f"Text {t} has sentence {k} with w{rng.randrange(10**6)} and w{rng.randrange(10**6)} in it." for k in range(30)] for t in range(12)]
with open("random.jsonl", "w") as f:
    for d in range(120):
        parts = []
        for _ in range(rng.randrange(1, 4)):
            text, begin = rng.choice(texts), rng.randrange(26)
            parts += text[begin:begin + rng.randrange(2, 20)]
        print(json.dumps({"id": str(d), "text": " ".join(parts)}), file=f)
EOF2
for options in "--preset texts" "--preset paper --gamma 1 --compress none" "--method nikkhoo" "--preset paper --gamma 1000"; do
    run detect --progress none -o whole.h5 $options random.jsonl
    exits "$options" 0
    cp whole.h5 old.h5
    strip old.h5
    run families -o new.h5 old.h5
    exits "$options: new file" 0
    same "$options: as detect" whole.h5 new.h5
    run_np 3 families --memory 1M old.h5
    exits "$options: in place, 3 ranks" 0
    same "$options: as detect, in place" whole.h5 old.h5
    rm -f new.h5
done

run detect --progress none --preset paper --gamma 1 --compress zstd -o whole.h5 random.jsonl
run families -o new.h5 whole.h5
for table in members document_families passages documents; do # h5py has no zstd
    run export --table $table whole.h5
    mv out wanted
    run export --table $table new.h5
    verdict "zstd: $table" cmp out wanted
done

# Another coverage.
run detect --progress none --preset texts -o whole.h5 random.jsonl
run detect --progress none --preset texts --family-coverage 0.3 -o low.h5 random.jsonl
run families --family-coverage 0.3 -o new.h5 whole.h5
exits "another coverage" 0
same "another coverage: as detect" low.h5 new.h5
verdict "the coverage matters" [ -n "$("$PYTHON" "$here/../support/same_result.py" --tables document_families whole.h5 new.h5 2>&1)" ]

# What cannot be done leaves the result as it was.
damaged() { # damaged NAME CODE MESSAGE
    cp whole.h5 bad.h5
    "$PYTHON" -c "import h5py; f = h5py.File('bad.h5', 'r+'); $2"
    cp bad.h5 before.h5
    run families bad.h5
    exits "$1" 1
    one_error "$1"
    says "$1" "$3"
    verdict "$1: the result is as it was" cmp bad.h5 before.h5
    verdict "$1: nothing beside it" [ ! -e bad.h5.part ]
}
damaged "no such document" "f['pairs/doc_b'][3] = 10**9" "/pairs/doc_b names row 1000000000 of /"
damaged "a passage of another pair" "f['passages/doc_a'][0] = 77" "row 0 of /passages is damaged"
damaged "a passage that ends before it begins" "f['passages/end_b'][0] = 0" "row 0 of /passages is damaged"
damaged "too many passages" "f['pairs/passages'][0] += 1" "/pairs counts"
damaged "no pairs" "del f['pairs']" "is this a result of pardup detect?"
run families -o nowhere/new.h5 whole.h5
exits "no folder" 1
one_error "no folder"
echo text >text.h5
run families text.h5
exits "no result" 1
says "no result" "not a readable HDF5 file"
cp whole.h5 header.h5
"$PYTHON" - <<'P'
import h5py
with h5py.File("header.h5", "r") as f:
    at = h5py.h5o.get_info(f["families/members"].id).addr
with open("header.h5", "r+b") as f:
    f.seek(at)
    f.write(b"\xff" * 16)
P
run families -o fresh.h5 header.h5
exits "a damaged table of families" 1
one_error "a damaged table of families"
says "a damaged table of families" "header.h5: is damaged: its copy fresh.h5 cannot be changed"
absent "a damaged table of families" fresh.h5
run index --quiet -o index random.jsonl
run check --quiet --index index -o check.h5 random.jsonl
cp check.h5 old.h5
strip old.h5 # as an earlier check wrote it
"$PYTHON" -c 'import h5py; del h5py.File("old.h5", "r+")["sources/family"]'
run families -o new.h5 old.h5
exits "a result of check" 0
same "a result of check" check.h5 new.h5
run_np 3 families --memory 1M old.h5
exits "a result of check, in place" 0
same "a result of check, in place at 3 ranks" check.h5 old.h5
run check --quiet --index index --family-coverage 0.3 -o low.h5 random.jsonl
run families --family-coverage 0.3 -o new.h5 check.h5
same "a result of check with another coverage" low.h5 new.h5
verdict "the coverage matters to check" [ -n "$("$PYTHON" "$here/../support/same_result.py" --tables sources check.h5 new.h5 2>&1)" ]
cp check.h5 whole.h5
damaged "no such source" "f['pairs/doc_b'][3] = 10**9" "/pairs/doc_b names row 1000000000 of /"
finish
