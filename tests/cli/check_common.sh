#!/bin/bash
# A text that many targets have is common in check, as in detect --against: pages that quote what a test item quotes are no leaks,
# and real leaks are found. The same whatever the ranks, the order of the targets, and the memory.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

"$PYTHON" - <<'PY'
# Three test items, of which one quotes a speech. A hundred pages quote it, too. Three pages have text of an item: as it is, in
# broken lines, and a sentence of 31 words of which eight were changed.
import json, random
rng = random.Random(5)
words = ["".join(rng.choice("bcdfgklmnprstv") + rng.choice("aeiou") for _ in range(rng.randint(2, 4))) for _ in range(4000)]

def sentence(n=0):
    return " ".join(rng.sample(words, n or rng.randint(9, 15))).capitalize() + "."

def text(n):
    return [sentence() for _ in range(n)]

def page(name, *parts):
    return {"id": name, "text": " ".join(sum(parts, []))}

speech, long = text(6), sentence(31)
items = [text(40) + speech, text(80), text(30) + [long] + text(30)]
pages = [page(f"quotes{k}", text(5), speech, text(5)) for k in range(100)]
changed = long.split()
for at in range(2, 31, 4)[:8]:
    changed[at] = rng.choice(words)
broken = [" ".join(word + rng.choice(["", "", "", "\n"]) for word in " ".join(items[1][2:5]).split(" "))]
pages += [page("leak-whole", text(4), items[0][:3], text(4)), page("leak-broken", text(4), broken, text(4)),
          page("leak-changed", text(4), [" ".join(changed)], text(4))]
rng.shuffle(pages)
for name, documents in ("items", items), ("pages", pages), ("turned", pages[::-1]):
    with open(name + ".jsonl", "w") as out:
        for k, one in enumerate(documents):
            out.write(json.dumps({"id": f"item{k}", "text": " ".join(one)} if name == "items" else one) + "\n")
PY

leaks() { # leaks NAME RESULT WANTED: duplicates, and targets with passages
    run export --table decisions --format jsonl "$2"
    "$PYTHON" -c 'import json, sys
ids = [json.loads(line)["id"] for line in open(sys.argv[1])]
print(*sorted(ids[d["doc"]] for d in map(json.loads, sys.stdin) if d["duplicate"]))' "${4:-pages.jsonl}" <out >got
    verdict "$1: duplicates are $(head -c 60 got)" [ "$(cat got)" = "$3" ]
    run export --format jsonl "$2"
    grep -o '"id_a":"[^"]*' out | cut -d'"' -f 4 | sort -u | tr '\n' ' ' >got
    verdict "$1: passages are in $(head -c 60 got)" [ "$(cat got)" = "$3 " ]
}

run index --preset edited --max-df 10 --common aside -o index items.jsonl
exits "index" 0
for ranks in 1 2 4; do
    run_np $ranks check --index index -o leaks.$ranks.h5 pages.jsonl
    exits "$ranks ranks" 0
    leaks "$ranks ranks" leaks.$ranks.h5 "leak-broken leak-changed leak-whole"
    for table in passages decisions ranking; do
        run export --table $table leaks.$ranks.h5
        cp out $table.$ranks
        verdict "$ranks ranks: the same $table" cmp -s $table.1 $table.$ranks
    done
done
run check --index index -o turned.h5 turned.jsonl
leaks "other order" turned.h5 "leak-broken leak-changed leak-whole" turned.jsonl
run index --preset texts --max-df 10 --common aside -o texts items.jsonl
run check --index texts -o leaks.h5 pages.jsonl
leaks "texts" leaks.h5 "leak-broken leak-whole"

# A page alone quotes what no other target quotes.
grep '"quotes7"' pages.jsonl >one.jsonl
run check --index index -o one.h5 one.jsonl
leaks "one page" one.h5 "quotes7" one.jsonl
timeout "$RUN_SECONDS" "$PARDUP" check --index index --stdin <pages.jsonl >answers 2>err
verdict "lines: each is the only target" [ "$(grep -c '"duplicate":true' answers)" -eq 103 ]

# The rows of detect --against, in text where each unit is in some targets and some sources.
"$PYTHON" - <<'PY'
import json, random
rng = random.Random(8)
words = ["".join(rng.choice("bcdfgklmnprstv") + rng.choice("aeiou") for _ in range(rng.randint(2, 4))) for _ in range(900)]
blocks = [" ".join(" ".join(rng.sample(words, 11)).capitalize() + "." for _ in range(3)) for _ in range(24)]
lines = ["".join(f"x{rng.choice(['+', '-', '*', '/', '<<', '>>', '[3]', '(y)', '&&', '%'])}" for _ in range(9)) + ";" for _ in range(72)]
programs = [chr(10).join(lines[k:k + 3]) for k in range(0, 72, 3)]
for kind, parts in ("", blocks), ("code-", programs):
    for name, n in ("targets", 30), ("sources", 20):
        with open(f"{kind}{name}.jsonl", "w") as out:
            for k in range(n):
                out.write(json.dumps({"id": f"{name[0]}{k}", "text": chr(10).join(rng.sample(parts, 5))}) + "\n")
PY
kind=
agrees() { # agrees NAME RANKS OPTION...: of ${kind}targets.jsonl and ${kind}sources.jsonl
    local name=$1 ranks=$2 table
    shift 2
    run detect "$@" --against ${kind}sources.jsonl -o against.h5 ${kind}targets.jsonl
    exits "$name: against" 0
    rm -rf index
    run index "$@" -o index ${kind}sources.jsonl
    exits "$name: index" 0
    run_np "$ranks" check --index index -o check.h5 ${kind}targets.jsonl
    exits "$name: check" 0
    for table in passages pairs; do
        run export --table $table against.h5
        awk -F'\t' -v OFS='\t' 'NR > 1 {$2 -= 30} {print}' out >expected
        run export --table $table check.h5
        verdict "$name, $ranks ranks: $table ($(($(wc -l <expected) - 1)))" cmp -s expected out
        verdict "$name: there are $table" [ "$(wc -l <expected)" -gt 8 ]
    done
}
for most in 8 11 20; do
    agrees "texts, $most" 2 --preset texts --max-df $most
    agrees "texts aside, $most" 1 --preset texts --max-df $most --common aside
    agrees "web, $most" 3 --preset web --templates match --max-df $most
    agrees "sets, $most" 2 --method pdc-shingle2 --tau 0.5 --gamma 0 --max-df $most
done
kind=code-
for most in 8 11 20; do agrees "code, $most" 2 --preset code --max-df $most; done
kind=
agrees "little memory" 2 --preset texts --max-df 11 --memory 1M
finish
