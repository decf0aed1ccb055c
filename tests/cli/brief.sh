#!/bin/bash
# Brief documents: pages that say little outside templates, and nearly the same, are copies (--copies report,
# --min-copy-agreement). Judged by their definition, with many options, whatever the ranks, the memory and the sides.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

"$PYTHON" - <<'PY'
# Pages of three sites, with a menu in two parts. Most say one to six sentences, many of which they take from earlier pages, with a
# word changed here and there, in other sentences, or with empty ones between. Some have the name of the page that they take from,
# and some no name. Then there are lists of which each line stands on many pages, and only the name tells which are one.
import json, random
rng = random.Random(5)
words = ["".join(rng.choice("bcdfgklmnprstv") + rng.choice("aeiou") for _ in range(rng.randint(2, 4))) for _ in range(300)]
def sentence():
    return " ".join(rng.sample(words, rng.choice((2, 5, 9, 9)))).capitalize() + "."
menus = [[sentence() for _ in range(4)] for _ in range(3)]
entries = [sentence() for _ in range(40)]
earlier, lists = [], {}
with open("pages.jsonl", "w") as out, open("own.jsonl", "w") as own:
    for k in range(120):
        site = k % 3
        said, name = [sentence() for _ in range(rng.choice((1, 2, 2, 3, 4, 5, 6)))], f"{k}.html?{k}"
        if earlier and rng.random() < .7:
            name, said = rng.choice(earlier)
            said, name = list(said), rng.choice((name, name, f"{k}/", ""))
            for _ in range(rng.choice((0, 1, 1, 2))):
                at = rng.randrange(len(said))
                said[at] = rng.choice((sentence(), said[at][:-1] + " " + rng.choice(words) + ".", "- - -"))
        if k % 4 == 0:
            said, name = rng.sample(entries, 10), f"list-{k % 40}.html"
            said = said[:k // 40 % 2] + lists.setdefault(name, said)[:9] + said[-2:]
        earlier.append((name, said))
        menu = menus[site] if rng.random() < .8 else ["", ""]
        page = {"id": f"p{k}", "url": f"http://site{site}.example/d/{name}", "text": "\n\n".join(menu[:2] + [" ".join(said)] + menu[2:])}
        out.write(json.dumps(page) + "\n")
        own.write(json.dumps({"id": f"d{k}/{name}", "text": " ".join(said)}) + "\n")
PY
head -60 pages.jsonl >targets.jsonl
tail -60 pages.jsonl >sources.jsonl
"$PARDUP" sentences --offsets pages.jsonl >sentences.tsv

web="--preset web --min-copy-words 6 --min-passage-words 0"
sentences="$by_sentence --min-copy-words 6 --min-passage-words 0 --idf 0,1"
while read -r name options; do
    run detect $web $options -o "$name.h5" pages.jsonl
    exits "$name" 0
    echo "$name.h5" >>runs
    run_np 3 detect $web $options --memory 16M -o other.h5 pages.jsonl
    exits "$name, 3 ranks" 0
    verdict "$name: the same on 3 ranks" "$PYTHON" "$here/../support/same_result.py" "$name.h5" other.h5
done <<OPTIONS
plain
grams --min-copy-agreement 0.5 --min-passage-words 12 --max-df 300
lists --min-copy-agreement 0.4 --min-words 10 --templates match --gamma 2
delta --min-copy-agreement 0.5 --min-words 3 --delta 12 --max-df 300
few --min-words 1 --min-passage-words 4 --ngram 6 --max-df 2 --common aside
ordered $sentences
most $sentences --min-copy-agreement 0.5 --min-agreement 0 --gap 0
all $sentences --min-copy-agreement 0 --min-agreement 0 --gamma 1 --passages all --edges far
same $sentences --min-copy-agreement 1 --max-df 3 --common aside
common $sentences --min-copy-agreement 0.6 --max-df 2 --common first --max-repeats 1
match $sentences --min-copy-agreement 0.6 --templates match --edges sentence --gamma 2
jaccard $sentences --join jaccard --tau 0.5 --gamma 1 --theta-d 2 --delta 2
short $sentences --gamma 5 --repeats first --max-repeats 1
OPTIONS
run detect $web --min-agreement 0 --against sources.jsonl -o against.h5 targets.jsonl
exits "against" 0
echo "against.h5 --targets 60" >>runs
verdict "as the judge has it" "$PYTHON" "$here/../support/oracle.py" --sentences sentences.tsv --list runs
cp out judged
run export --table pairs plain.h5
verdict "there are pairs ($(wc -l <out))" [ "$(wc -l <out)" -ge 40 ]

# Names of copies stand twice in a brief document: for its first and for its last sentence. --max-repeats is about units, so an index
# keeps them, and `check` finds what `detect --against` finds.
head -60 own.jsonl >targets.own.jsonl
tail -60 own.jsonl >sources.own.jsonl
while read -r name options; do
    how="$web --templates match --min-copy-agreement 0.6 --max-repeats 1 $options"
    run detect $how --against sources.own.jsonl -o against.h5 targets.own.jsonl
    exits "$name, against" 0
    rm -rf index
    run index $how --with-text -o index sources.own.jsonl
    exits "$name, index" 0
    run check --index index -o check.h5 targets.own.jsonl
    exits "$name, check" 0
    run export --table pairs against.h5
    awk -F'\t' -v OFS='\t' 'NR > 1 {$2 -= 60} {print}' out >expected
    run export --table pairs check.h5
    verdict "$name: check has the pairs of detect --against" cmp -s expected out
    verdict "$name: there are pairs" [ "$(wc -l <expected)" -ge 40 ]
done <<OPTIONS
repeats-none --repeats none
repeats-first --repeats first
repeats-sentences $sentences --max-repeats 1
repeats-sets $sentences --max-repeats 1 --join jaccard --tau 0.9
OPTIONS

# One target of two sentences, and sources that share one of them: more than memory holds at a time. Each 501st source says more,
# and is not brief.
echo '{"id": "one", "text": "This sentence is on all of the pages that are here. Nobody else says this."}' >one.jsonl
awk 'BEGIN { for (k = 0; k < 20040; k++) {
    more = ""
    for (n = 0; k % 501 == 0 && n < 8; n++) more = more sprintf(" Sentence %d of page %d says z%d of it.", n, k, 9 * k + n)
    printf "{\"id\": \"%d\", \"text\": \"This sentence is on all of the pages that are here. Page %d says x%d.%s\"}\n", k, k, k, more } }' >many.jsonl
crowd="--idf 0,1 --max-df 0 --copies report --min-copy-agreement 0.5 --against many.jsonl"
run detect $crowd -o reference.h5 one.jsonl
exits "many" 0
says "many" "document pairs              20000"
run_np 2 detect $crowd --memory 16M -o other.h5 one.jsonl
exits "many, little memory" 0
verdict "many, little memory: the same" "$PYTHON" "$here/../support/same_result.py" reference.h5 other.h5

# An index of documents whose postings end where the buffer ends: units with many names, and copies behind them.
"$PYTHON" - <<'EOF'
import json, random
r = random.Random(4)
with open("full.jsonl", "w") as f:
    for k in range(9000):
        text = " ".join(" ".join(f"w{r.randrange(9000)}" for _ in range(9)).capitalize() + "." for _ in range(r.randint(1, 4)))
        f.write(json.dumps({"id": str(k), "text": text}) + "\n")
EOF
for lexicons in 63 64; do
    rm -rf full
    run index --preset paper --lexicons $lexicons --copies report --min-copy-agreement 0.5 -o full full.jsonl
    exits "index, $lexicons lexicons" 0
done
finish
