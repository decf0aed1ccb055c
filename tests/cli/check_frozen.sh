#!/bin/bash
# check with --join lsh, --sct and --max-near finds exactly what detect --against finds with the same frequencies, whatever the
# ranks; after --add; and what --stdin answers. Random texts, in which each of the three decides about many pairs.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

"$PYTHON" - <<'PY'
# unlike/: sentences that were edited a little or much.
# near/: the same, but targets have whole sentences of sources, or sentences that resemble nothing, so that the numbers of
#   similar sentences are those among the sources.
# shared/: documents of paragraphs, of which some stand in nearly all sources, and the others in four documents at most. A long
#   one is in two equal documents of the first sources, which in steps are a segment, and in the last eight, which are ten.
import os, random
rng = random.Random(31)
words = ["".join(rng.choice("bcdfgklmnprstv") + rng.choice("aeiou") for _ in range(rng.randint(2, 4))) for _ in range(700)]

def fresh():
    return rng.sample(words, rng.randint(8, 14))

def edited(sentence, most):
    copy = list(sentence)
    for _ in range(rng.randint(0, most)):
        copy[rng.randrange(len(copy))] = rng.choice(words)
    return copy

def write(path, sentences):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        for sentence in sentences:
            out.write(" ".join(sentence).capitalize() + ".\n")

pool = [fresh() for _ in range(40)]
crowd = [fresh() for _ in range(4)]
def document():
    return [edited(rng.choice(pool + 2 * crowd), 4) if rng.random() < 0.8 else fresh() for _ in range(14)]
sources = [document() for _ in range(20)]
for k, source in enumerate(sources):
    write(f"unlike/sources/s{k:02}.txt", source)
    write(f"near/sources/s{k:02}.txt", source)
for k in range(8):
    write(f"unlike/targets/t{k}.txt", document())
    write(f"near/targets/t{k}.txt", [rng.choice(rng.choice(sources)) if rng.random() < 0.8 else fresh() for _ in range(14)])

frames = [[fresh() for _ in range(3)] for _ in range(2)]
own = [[fresh() for _ in range(4)] for _ in range(30)]
def shared(k):
    return frames[0] * (k % 9 != 4) + own[k] + frames[1] + (own[k - 1][:3] if k % 2 else own[(k + 7) % 30])
late, few = [fresh() for _ in range(16)], [fresh() for _ in range(4)]
for k in range(24):
    text = own[1][:2] + late if k in (1, 3) else shared(k) if k % 8 else frames[0] + frames[1]
    write(f"shared/sources/s{k:02}.txt", text + few * (k in (1, 2, 3, 4)) + late * (k > 15))
for k in range(6):
    write(f"shared/targets/t{k}.txt", shared(24 + k) if k % 4 else frames[0] + frames[1])
write("shared/targets/t6.txt", few + [fresh(), fresh()])
for path in ["targets/t7"] + [f"sources/s{k}" for k in range(24, 34)]: # nothing of them counts
    write(f"shared/{path}.txt", frames[1])
PY

job() { # job RANKS ARGUMENT...
    local ranks=$1
    shift
    if [ "$ranks" -eq 1 ]; then run "$@"; else run_np "$ranks" "$@"; fi
}

# Rows of a result of check, as expected: those of detect --against.
agree() { # agree NAME CHECK LEAST: against.h5 and CHECK have the same rows, of each table more than LEAST
    local name=$1 table
    for table in passages pairs; do
        rows $table against.h5
        awk -F'\t' -v OFS='\t' -v t="$targets" 'NR > 1 {$2 -= t} {print}' out >expected
        rows $table "$2"
        verdict "$name: $table" cmp -s expected out
        verdict "$name: there are $table ($(wc -l <expected))" [ "$(wc -l <expected)" -gt "$3" ]
    done
}

agrees() { # agrees NAME DATA LEAST RANKS OPTION...: RANKS, as in "1 2"; `found` is how many passages there are
    local name=$1 data=$2 least=$3 ranks=$4 np
    shift 4
    targets=$(ls "$data/targets" | wc -l)
    run detect "$@" --preset paper --against "$data/sources" -o against.h5 "$data/targets"
    exits "$name, against" 0
    for np in $ranks; do
        rm -rf "index.$np"
        job "$np" index "$@" --preset paper -o "index.$np" "$data/sources"
        exits "$name, index" 0
        job "$np" check --index "index.$np" -o check.h5 "$data/targets"
        exits "$name, check" 0
        agree "$name, $np ranks" check.h5 "$least"
    done
    rows passages check.h5
    found=$(wc -l <out)
}

same_index() { # same_index NAME: 1, 2 and 4 ranks have made the same files
    local file
    for file in $(cd index.1 && ls); do
        verdict "$1: 1, 2 and 4 ranks make the same $file" cmp -s "index.1/$file" "index.2/$file"
        verdict "$1: 1, 2 and 4 ranks make the same $file" cmp -s "index.1/$file" "index.4/$file"
    done
}

fewer() { verdict "$1 decides about pairs ($2 of $3)" [ "$2" -lt "$3" ]; }

# Sources that come three at a time, so that some segments are merged, answer as sources that come at once.
stepwise() { # stepwise NAME DATA LEAST OPTION...: after agrees
    local name=$1 data=$2 least=$3 step next how
    shift 3
    how="$* --preset paper"
    rm -rf steps
    for step in $(seq 0 11); do
        next=$(ls "$data"/sources/* | awk -v k=$step 'NR > 3 * k && NR <= 3 * k + 3')
        [ "$next" ] || break
        run index $how -o steps $next
        exits "$name, step $step" 0
        how=--add
    done
    verdict "$name: there are segments" [ "$(ls steps | grep -c segment)" -ge 2 ]
    run check --index steps -o steps.h5 "$data/targets"
    exits "$name, steps" 0
    agree "$name, in steps" steps.h5 "$least"
}

# A line in, an answer out: its passages are those of check.h5.
streams() { # streams NAME DATA: after agrees
    "$PYTHON" - "$2" >lines <<'PY'
import json, os, sys
for name in sorted(os.listdir(sys.argv[1] + "/targets")):
    path = f"{sys.argv[1]}/targets/{name}"
    print(json.dumps({"id": path, "text": open(path).read()}))
PY
    timeout "$RUN_SECONDS" "$PARDUP" check --index index.1 --stdin <lines >answers 2>err
    verdict "$1, lines: exit status" [ $? -eq 0 ]
    "$PYTHON" -c 'import json, sys
for line in sys.stdin:
    answer = json.loads(line)
    for p in answer["passages"]:
        print(answer["id"], p["source"], p["begin_a"], p["end_a"], p["begin_b"], p["end_b"], sep="\t")' <answers | sort >got
    run export --format jsonl check.h5
    "$PYTHON" -c 'import json, sys
for p in map(json.loads, sys.stdin):
    print(p["id_a"], p["id_b"], p["begin_a"], p["end_a"], p["begin_b"], p["end_b"], sep="\t")' <out | sort >expected
    verdict "$1, lines: the same passages" cmp -s expected got
}

bits="--method qsign-lsh --theta-d 0 --sketch bits --bits 32 --diffbit 1 --tables 2 --max-df 0"
least="--method qsign-lsh --theta-d 0 --sketch minhash --rows 3 --tables 4 --tau 0.5 --max-df 0"
agrees "buckets of bits" unlike 60 "1 2 4" $bits
same_index "buckets"
bits_found=$found
agrees "buckets of least members" unlike 60 1 $least
streams "buckets of least members" unlike
stepwise "buckets of least members" unlike 60 $least
least_found=$found
agrees "exact" unlike 60 1 --method qsign-exact --theta-d 0 --max-df 0
fewer "bit sampling" "$bits_found" "$found"
agrees "exact" unlike 60 1 --method qsign-exact --theta-d 0 --tau 0.5 --max-df 0
fewer "min-wise hashing" "$least_found" "$found"

near="--method pdc-shingle2 --tau 0.3 --gamma 0 --max-df 0"
agrees "many in a bucket" near 60 1 $least --max-near 6
agrees "many similar" near 60 "1 2 4" $near --max-near 6
near_found=$found
streams "many similar" near
stepwise "many similar" near 60 $near --max-near 6
agrees "no limit" near 60 1 $near
fewer "--max-near" "$near_found" "$found"

sct="--method nikkhoo --shingle-bytes 12 --tau 0.3 --sct 9"
agrees "shared by many" shared 4 "1 2 4" $sct
same_index "shared by many"
sct_found=$found
streams "shared by many" shared
stepwise "shared by many" shared 4 $sct
agrees "overlap" shared 4 1 $sct --join overlap --tau 0.2
agrees "all count" shared 4 1 ${sct/--sct 9/--sct 0}
fewer "--sct" "$sct_found" "$found"
finish
