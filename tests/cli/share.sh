#!/bin/bash
# The share of a document that another one has is one number: in compare, report and /pairs.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1

# A copy with other words in the middle, some words left out, and a text around it; texts of which a third differs.
{ sentences 1 9; sentences 200 206; } >essay.txt
{ sentences 300 304; sentences 1 4; echo "Nobody else ever wrote this one down. Not once."; sentences 5 9 | sed 's/ in its own / /'; } >source.txt
"$PYTHON" - <<'EOF'
import random
words = [f"term{k}" for k in range(300)]
random.seed(7)
base = [" ".join(random.choice(words) for _ in range(random.randint(5, 25))) for _ in range(90)]
for name in "long.txt", "longer.txt":
    text = [t if random.random() < 0.7 else " ".join(random.choice(words) for _ in range(11)) for t in base]
    open(name, "w").write(". ".join(t.capitalize() for t in text) + ".\n")
EOF

# What each command says of the two documents of pair.h5, in percent.
compare() { # compare PRESET FIRST SECOND: makes pair.h5
    rm -f pair.h5
    "$PARDUP" compare --preset "$1" -o pair.h5 "$2" "$3" 2>/dev/null |
        sed -n 's/^Share of A that B has: \([0-9.]*\) %; share of B that A has: \([0-9.]*\) %.*/\1 \2/p'
}
report() {
    "$PARDUP" report --quiet -o page.html pair.h5 &&
        "$PYTHON" "$here/../support/report_page.py" page.html \
            '" ".join(str(round(100 * p[2 + s] / data["docs"][p[s]][6], 6)) for p in data["pairs"] for s in (0, 1))'
}
pairs() {
    "$PARDUP" export --format jsonl --table pairs pair.h5 2>/dev/null |
        "$PYTHON" -c 'import json, sys; r = json.loads(sys.stdin.read()); print(*(round(100 * r["coverage_" + side], 6) for side in "ab"))'
}

# What differs from the definition, word by word. [BEGIN, END): bytes of the first document that are set aside.
differing() { # differing FIRST SECOND "SHARE SHARE" [BEGIN END]
    "$PARDUP" export --format jsonl --table passages pair.h5 2>/dev/null | "$PYTHON" -c '
import json, re, sys
rows, said, aside = [json.loads(line) for line in sys.stdin], sys.argv[3].split(), [int(n) for n in sys.argv[4:]]
if len(said) != 2 or not rows:
    print(f"{len(said)} shares, {len(rows)} passages")
for side, name, one in zip("ab", sys.argv[1:3], said):
    words = [m.span() for m in re.finditer(r"\w+", open(name).read())]
    if aside and side == "a":
        words = [w for w in words if not (aside[0] <= w[0] and w[1] <= aside[1])]
    covered = sum(any(r["begin_" + side] <= begin and end <= r["end_" + side] for r in rows) for begin, end in words)
    digits = len(one.partition(".")[2])
    if not 0 < covered < len(words) or abs(100 * covered / len(words) - float(one)) > 0.5 * 10.0 ** -digits + 1e-9:
        print(f"{name}: {one}, where {covered} of {len(words)} words are {100 * covered / len(words):.3f} %")' "$@"
}

judge() { # judge PRESET FIRST SECOND
    local said
    for answer in compare report pairs; do
        said=$($answer "$@")
        verdict "$2, $1: $answer" [ -z "$(differing "$2" "$3" "$said" | tee out)" ]
    done
}
judge texts essay.txt source.txt
judge edited essay.txt source.txt
judge texts long.txt longer.txt
judge edited long.txt longer.txt

# Text that is set aside is in no share.
set_aside() { # set_aside RESULT.h5 PROGRAM: put the table /aside_spans that the program says in `rows` into a result
    "$PYTHON" - "$@" <<'EOF'
import sys, h5py, numpy
scope = {}
exec(sys.argv[2], scope)
with h5py.File(sys.argv[1], "a") as f:
    if "aside_spans" in f:
        del f["aside_spans"]
    for k, name in enumerate(("doc", "begin", "end")):
        f[f"aside_spans/{name}"] = numpy.array([row[k] for row in scope["rows"]], "u8")
    f["aside_spans/reason"] = numpy.array(["frame"] * len(scope["rows"]), "S16")
EOF
}
set_aside pair.h5 'rows = [(0, 300, 700)]'
verdict "report, with text set aside" [ -z "$(differing long.txt longer.txt "$(report)" 300 700 | tee out)" ]
mkdir many
for k in $(seq 100 160); do sentences $k $((k + 60)) >many/$k.txt; done
run detect --quiet -o many.h5 many
run report --limit 0 -o all.html many.h5
run report --limit 12 -o sample.html many.h5
shares='{(data["docs"][p[0]][1], data["docs"][p[1]][1]): (p[2:], data["docs"][p[0]][5:7], data["docs"][p[1]][5:7]) for p in data["pairs"]}'
for page in all sample; do
    "$PYTHON" "$here/../support/report_page.py" $page.html "$shares" >$page.txt
done
verdict "a page of a sample has the shares of the whole page" "$PYTHON" - <<'EOF'
import ast, sys
whole, sample = (ast.literal_eval(open(name).read()) for name in ("all.txt", "sample.txt"))
sys.exit(not 5 < len(sample) < len(whole) or any(whole[pair] != shares for pair, shares in sample.items()))
EOF
set_aside many.h5 'rows = [(d, 9 * k + 1, 9 * k + 5) for d in range(61) for k in range(d * 37 % 300)]'
run report -o many.html many.h5
verdict "each document has what is set aside of it" [ "$("$PYTHON" "$here/../support/report_page.py" many.html \
    'all(d[7] == [n for k in range(d[0] * 37 % 300) for n in (1 if k == 0 else 5, 4)] for d in data["docs"])' \
    'sum(len(d[7]) for d in data["docs"]) > 4 * 4096')" = "True
True" ]
set_aside many.h5 'rows = [(3, 10, 20), (3, 15, 30)]'
run report -o broken.html many.h5
exits "rows out of order" 1
one_error "rows out of order"
says "rows out of order" "row 1 of /aside_spans is out of order"

# Pages, whose menus are in no share.
for name in essay source; do
    { echo "<html><body><nav><ul>"
      for k in $(seq 20); do echo "<li><a href='/$k'>Menu item $k of the site</a></li>"; done
      echo "</ul></nav><article><h1>A page</h1>"
      sed 's,.*,<p>&</p>,' $name.txt
      echo "</article></body></html>"; } >$name.html
done
run detect --quiet --preset web -o pair.h5 essay.html source.html
verdict "pages: report and pairs" [ "$(report)" = "$(pairs)" ]
by_detect=$(pairs)
said=$(compare web essay.html source.html)
verdict "pages: compare has the result of detect" [ "$(pairs)" = "$by_detect" ]
rounded=$(awk '{ printf "%.0f %.0f", $1, $2 }' <<<"$by_detect")
verdict "pages: compare says so" [ "$(awk '{ printf "%.0f %.0f", $1, $2 }' <<<"$said")" = "$rounded" ]

# A document without a passage has a frame, too: half of the own words of the first folder are in the second one.
mkdir one two
cp essay.html one/a.html
cp essay.html two/b.html
"$PYTHON" - <<'EOF'
page = open("essay.html").read()
head, body = page.split("<h1>A page</h1>")
other = "".join(f"<p>Other{k} words{k} are{k} here{k} and{k} nowhere{k} else{k} at{k} all{k}.</p>" for k in range(16))
open("one/x.html", "w").write(head + "<h1>A page</h1>" + other + "</article></body></html>")
EOF
"$PARDUP" compare --preset web one two 2>/dev/null >out
words() { "$PARDUP" text --frame aside "$1" 2>/dev/null | grep -oP '\w+' | wc -l; }
wanted=$("$PYTHON" -c 'import sys; a, x = map(int, sys.argv[1:]); print(round(100 * a / (a + x)))' "$(words one/a.html)" "$(words one/x.html)")
prints "frames of documents without passages are in no share" "Share of A that B has: $wanted %; share of B that A has: 100 %"
finish
