#!/usr/bin/env bash
# pardup eval --sheet and --labels: what is drawn, with which texts; kappa, majority and precision beside formulas in Python; broken sheets.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}
"$PARDUP" synth --quiet --documents 150 --seed 5 --container jsonl -o made
"$PARDUP" synth --quiet --documents 60 --seed 6 --container warc -o pages
"$PARDUP" detect --quiet --reproducible --preset paper --matches -o one.h5 made
run_np 2 detect --quiet --reproducible --preset paper --matches -o two.h5 made
gzip -dc made/part-*.jsonl.gz >texts.jsonl
cat >check.py <<'END'
"""check.py KIND SHEET ROWS.tsv TEXTS.jsonl: is each row of a sheet a row of the table, with its ids, places and texts?"""
import csv, json, sys
kind, sheet, table, texts = sys.argv[1:]
csv.field_size_limit(1 << 24)
texts = {d["id"]: d["text"].encode() for d in map(json.loads, open(texts))}
table = list(csv.DictReader(open(table), delimiter="\t"))
rows = list(csv.DictReader(open(sheet)))
numbers = [int(row[kind]) for row in rows]
assert numbers == sorted(set(numbers)), "rows are not in order, or twice"
for number, row in zip(numbers, rows):
    for side in "ab":
        assert row["doc_" + side] == table[number]["id_" + side], row
        begin, end = int(row["begin_" + side]), int(row["end_" + side])
        text = b" ".join(texts[row["doc_" + side]][begin:end].split()).decode()
        shown = row["text_" + side].replace("\\\\", "\\")
        if len(text.encode()) > 29000:
            assert shown.endswith(" [...]") and text.startswith(shown[:-6].rstrip()), number
        else:
            assert shown.strip(" ") == text, number
        if kind == "passage":
            assert (begin, end) == (int(table[number]["begin_" + side]), int(table[number]["end_" + side]))
    if kind == "match":
        words = [set(row["text_" + side].lower().replace(".", "").split()) for side in "ab"]
        assert words[0] & words[1], "two units that match have no word in common"
    assert row["label"] == ""
print(len(rows))
END
for kind in match passage pair; do
    plural=${kind}s
    [ $kind != match ] || plural=matches
    run eval --sheet $plural --count 60 --seed 4 -o $kind.csv one.h5
    exits "a sheet of $plural" 0
    says "a sheet of $plural" "60 of"
    "$PARDUP" export --table $plural one.h5 >$kind.tsv 2>err
    "$python" check.py $kind $kind.csv $kind.tsv texts.jsonl >out 2>err
    verdict "$plural: rows, ids, places and texts" [ "$(cat out)" = 60 ]
    "$PARDUP" eval --quiet --sheet $plural --count 60 --seed 4 two.h5 >again.csv
    verdict "$plural: the same rows of a result of 2 ranks" cmp -s $kind.csv again.csv
    "$PARDUP" eval --quiet --sheet $plural --count 60 --seed 5 one.h5 >other.csv
    verdict "$plural: another seed draws others" [ "$(comm -12 <(sort $kind.csv) <(sort other.csv) | wc -l)" -lt 30 ]
done

# The page holds the sheet, byte for byte; with keys it gets labels that --labels reads, where a browser is at hand.
run eval --sheet passages --count 60 --seed 4 -o page.html one.h5
exits "a page" 0
verdict "a page: loads nothing" "$python" "$here/../support/report_page.py" page.html 'len(data)' 2>err
"$python" - >out 2>err <<'END'
import json, re
page = open("page.html", encoding="utf-8").read()
data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1]
assert json.loads(data) == open("passage.csv", encoding="utf-8").read()
assert "<" not in data
keys = '''<script>
for (const key of ["1", "2", "ArrowLeft", "3", "ArrowRight", "0", "9", "2"]) document.dispatchEvent(new KeyboardEvent("keydown", { key }));
document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: sheet() }));
</script></body>'''
open("keyed.html", "w", encoding="utf-8").write(page.replace("</body>", keys))
print("equal")
END
verdict "a page: the rows of the sheet" grep -q equal out
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -n "$browser" ] && HOME=$work timeout 60 "$browser" --headless=new --no-sandbox --disable-gpu --dump-dom "file://$work/keyed.html" >dom.html 2>err; then
    "$python" - >out 2>err <<'END'
import csv, html, re
saved = html.unescape(re.search(r"<pre>(.*?)</pre>", open("dom.html", encoding="utf-8").read(), re.DOTALL)[1])
open("keyed.csv", "w", encoding="utf-8").write(saved)
rows, drawn = (list(csv.DictReader(open(name))) for name in ("keyed.csv", "passage.csv"))
assert [row["label"] for row in rows[:5]] == ["yes", "partly", "", "no", ""], rows[:5]
assert [{**row, "label": ""} for row in rows] == drawn
print("labelled")
END
    verdict "a page: keys give labels" grep -q labelled out
    run eval --labels keyed.csv one.h5
    exits "a page: its sheet is read" 0
    prints "a page: its sheet is read" "label partly"
fi

# Each row is drawn about as often: 20 of n passages with 300 seeds.
"$PARDUP" detect --quiet --preset paper --limit-docs 40 -o few.h5 made
"$PARDUP" eval --quiet --sheet pairs --count 100000 few.h5 >all.csv
n=$(($(wc -l <all.csv) - 1))
verdict "all rows, when more are asked for" [ "$n" = "$("$PARDUP" export --table pairs few.h5 | tail -n +2 | wc -l)" ]
for seed in $(seq 200); do
    "$PARDUP" eval --quiet --sheet pairs --count 10 --seed "$seed" few.h5 | tail -n +2 | cut -d , -f 1
done >drawn
verdict "200 draws of 10 rows" [ "$(wc -l <drawn)" = 2000 ]
"$python" - "$n" >out 2>err <<'END'
import sys
from collections import Counter
n, drawn = int(sys.argv[1]), Counter(map(int, open("drawn")))
mean = 2000 / n
chi = sum((drawn[k] - mean) ** 2 / mean for k in range(n))
assert abs(chi - n) < 5 * (2 * n) ** .5, (chi, n)  # five deviations of chi-squared
print("even")
END
verdict "each row about as often" grep -q even out

# ---- units without the frames of pages, windows and grams: the units of a match of equal sets have the same words
for options in "--frame aside" "--frame aside --method sentence-fp" "--method full-fp" "--units gram --ngram 5 --preset paper" "--units clause --preset paper"; do
    run detect --quiet $options --matches --tau 1 -o units.h5 pages
    exits "$options" 0
    run eval --sheet matches --count 40 -o units.csv --force units.h5
    exits "$options: a sheet" 0
    "$python" - >out 2>err <<'END'
import csv, re
rows = list(csv.DictReader(open("units.csv")))
assert rows
print(sum(sorted(set(re.findall(r"\w+", row["text_a"].lower()))) == sorted(set(re.findall(r"\w+", row["text_b"].lower()))) for row in rows) / len(rows))
END
    verdict "$options: units of equal words" awk '{ exit !($1 > .9) }' out
done

# ---- labels: up to four labellers in rows of any order, beside formulas
cat >label.py <<'END'
import csv, json, random, sys
rng = random.Random(9)
rows = list(csv.DictReader(open("passage.csv")))
given = {}
for name in "abcd":
    given[name] = {}
    out = csv.DictWriter(open(name + ".csv", "w", newline=""), rows[0].keys(), delimiter=";" if name == "b" else ",")
    out.writeheader()
    for row in rng.sample(rows, len(rows)):
        label = rng.choice(["yes", "no", "news", ""]) if rng.random() < .4 else ["yes", "no", "news"][int(row["passage"]) % 3]
        given[name][row["passage"]] = label
        out.writerow({**row, "label": rng.choice([label, label.upper(), f" {label} "])})
json.dump(given, open("given.json", "w"))
END
"$python" label.py
cat >kappa.py <<'END'
import json, math, sys
from collections import Counter
names, said = sys.argv[1], json.load(open("out"))
given = json.load(open("given.json"))
items = [[given[name][row] for name in names] for row in given["a"]]
full = [item for item in items if all(item)]
share = lambda labels: {label: n / len(labels) for label, n in Counter(labels).items()}
if len(names) == 2:
    one, two = (share([item[k] for item in full]) for k in (0, 1))
    chance = sum(one[label] * two.get(label, 0) for label in one)
    seen = sum(a == b for a, b in full) / len(full)
elif len(names) > 2:
    chance = sum(p * p for p in share([label for item in full for label in item]).values())
    m = len(names)
    seen = sum(sum(n * (n - 1) for n in Counter(item).values()) / (m * (m - 1)) for item in full) / len(full)
if len(names) > 1:
    kappa = said["Cohen's kappa" if len(names) == 2 else "Fleiss' kappa"]
    assert math.isclose(kappa, (seen - chance) / (1 - chance)), (kappa, seen, chance)
    assert said["labelled by all"] == len(full) and math.isclose(said["agreement"], seen)
best = [Counter(filter(None, item)).most_common(2) for item in items]
best = [top[0][0] for top in best if top and (len(top) == 1 or top[0][1] > top[1][1])]
p, n, z = sum(label != "no" for label in best) / len(best), len(best), 1.959963984540054
roots = [((2 * n * p + z * z) + sign * z * math.sqrt(z * z + 4 * n * p * (1 - p))) / (2 * (n + z * z)) for sign in (-1, 1)]
assert all(math.isclose(a, b) for a, b in zip(said["precision"], [p, *roots])), (said, p, roots)
assert said["decided"] == n and said["items"] == said["decided"] + said["ties"] + said["unlabelled"]
for label, count in Counter(best).items():
    assert math.isclose(said["label " + label][0], count / n)
print("equal")
END
for names in a ab abc abcd; do
    run eval --format json $(echo $names | sed 's/./--labels &.csv /g') one.h5
    exits "labellers $names" 0
    "$python" kappa.py $names >judged 2>err
    verdict "labellers $names: as the formulas have it" grep -q equal judged
done
run eval --labels a.csv --labels b.csv --labels c.csv -o majority.csv --format json one.h5
cp out first.json
run eval --labels majority.csv --format json one.h5
"$python" -c 'import json; a, b = (json.load(open(n)) for n in ("first.json", "out")); assert a["precision"] == b["precision"] and a["decided"] == b["decided"]' 2>err
verdict "the sheet of the majority says the same" [ $? -eq 0 ]
run eval --labels a.csv --labels b.csv one.h5
prints "for people" "Cohen's kappa"
run eval --format tsv --labels a.csv --labels b.csv one.h5
verdict "rows of four cells" awk -F'\t' 'NF != 4 { exit bad = 1 } END { exit bad }' out

# ---- refused, with the file and the line
refused() { # refused NAME TEXT ARGUMENT...
    run eval "${@:3}" one.h5
    verdict "$1: refused" [ $status -ne 0 ]
    one_error "$1"
    says "$1" "$2"
}
cp a.csv labelled.csv
refused "a sheet is not replaced" "labelled.csv" --sheet pairs -o labelled.csv
refused "nor one that is read" "one of the inputs" --labels a.csv --force -o a.csv
verdict "it is as it was" cmp -s a.csv labelled.csv
echo mine >mine.csv
refused "a file of somebody else" "mine.csv" --sheet pairs -o mine.csv
refused "given twice" "given twice" --labels a.csv --labels a.csv
refused "another kind" "is a sheet of pairs" --labels a.csv --labels pair.csv
sed '4s/^[0-9]*/x7/' a.csv >bad.csv
refused "no number" "bad.csv: line 4" --labels bad.csv
sed '5s/^[0-9]*/99999999/' a.csv >bad.csv
refused "a number too large" "bad.csv: line 5" --labels bad.csv
sed '6s/synth-/other-/' a.csv >bad.csv
refused "another result" "bad.csv: line 6" --labels bad.csv
{ cat a.csv; sed -n 3p a.csv; } >bad.csv
refused "a row twice" "bad.csv: line 62" --labels bad.csv
sed 7d a.csv >bad.csv
refused "a row missing" "has 59 rows" --labels a.csv --labels bad.csv
refused "a row too many" "the first sheet does not have" --labels bad.csv --labels a.csv
sed '1s/label/lable/' a.csv >bad.csv
refused "no labels" "no column label" --labels bad.csv
printf 'x,y\n1,2\n' >bad.csv
refused "no sheet" "no column match, passage or pair" --labels bad.csv
sed '3s/$/,more/' a.csv >bad.csv
refused "a row of another length" "bad.csv: line 3" --labels bad.csv
refused "two tasks" "exclude each other" --labels a.csv --sheet pairs
refused "an output without a task" "-o is for" --mosaic -o new.csv
verdict "nothing is left behind" [ ! -e new.csv -a -z "$(ls ./*.part 2>/dev/null)" ]
run eval --sheet matches few.h5
says "no matches" "detect --matches"

# A folder of inputs passes over sheets that lie beside a result.
mkdir inputs
cp made/* inputs
cp one.h5 passage.csv inputs
run detect --preset paper -o again.h5 inputs
verdict "sheets are no inputs" [ "$("$PARDUP" export --table documents again.h5 | wc -l)" = "$("$PARDUP" export --table documents one.h5 | wc -l)" ]
finish
