#!/bin/bash
# The words that show finds alike are those that the agreement of a passage counts, at any gap.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
frames="match aside"

# Texts that were cut, moved about and edited, as plain files and as web pages with a menu in the middle.
"$PYTHON" - <<'EOF'
import os, random, re
random.seed(45)
vocabulary = [f"word{k}" for k in range(400)]
sentence = lambda: " ".join(random.choice(vocabulary) for _ in range(random.randint(6, 30))).capitalize() + "."
base = [sentence() for _ in range(160)]
def edited(sentences, rate):
    return " ".join(w if random.random() > rate else random.choice([w + " indeed", random.choice(vocabulary)])
                    for w in " ".join(sentences).split(" "))
new = lambda n: [sentence() for _ in range(n)]
versions = [base, base[:30] + new(45) + base[30:], base[:40] + base[85:], base[:20] + base[90:140] + base[20:90] + base[140:],
            base[:60] + new(50) + base[110:], new(10) + base[40:100] + new(10)]
os.makedirs("texts")
os.makedirs("pages")
for k, version in enumerate(versions):
    text = edited(version, 0.01 * k)
    open(f"texts/{k}.txt", "w").write(text + "\n")
    parts = re.findall(r".{1,600}(?:\. |$)", text)
    menu = "".join(f'<li><a href="/{n}">Menu item {n} of the site</a></li>' for n in range(12))
    parts.insert(len(parts) // 2, f"<nav><ul>{menu}</ul></nav>")
    body = "".join(part if part.startswith("<") else f"<p>{part}</p>" for part in parts)
    open(f"pages/{k}.html", "w").write(f"<html><body><article><h1>A long text</h1>{body}</article></body></html>")
EOF

# Passages whose line says another number than the result: "row: agreement, words, words alike".
differing() {
    "$PARDUP" export --format jsonl --table passages "$1" >rows.jsonl 2>/dev/null &&
        "$PARDUP" show --by-passage --limit 0 --lines 1 --width 1000 "$1" >shown.txt 2>/dev/null &&
        "$PYTHON" - <<'EOF'
import json, re
rows = [json.loads(line) for line in open("rows.jsonl")]
pattern = r"^# ([\d,]+): .*\n.*agreement [\d.]+: ([\d,]+) words? alike\n.* ([\d,]+) words? +\|.* ([\d,]+) words?$"
shown = [[int(n.replace(",", "")) for n in found] for found in re.findall(pattern, open("shown.txt").read(), re.M)]
if not rows or len(shown) != len(rows):
    print(f"{len(shown)} passages of {len(rows)}")
for row, alike, a, b in shown:
    r = rows[row]
    if (a, b) != (r["words_a"], r["words_b"]) or abs(alike - r["agreement"] * max(a, b)) > 0.01:
        print(f"{row}: {r['agreement']:.4f}, {r['words_a']} and {r['words_b']}, {alike} of {a} and {b}")
EOF
}

judge() { # judge NAME INPUT OPTION...: both commands say one number of each passage
    local name=$1
    run detect --min-agreement 0 "${@:3}" -o one.h5 "$2"
    exits "$name" 0
    verdict "$name: show counts what the agreement counts" [ "$(differing one.h5 | tee out | wc -l)" = 0 ]
}
for preset in web edited texts; do
    for gap in 30 800; do
        judge "$preset, gap $gap" texts --preset $preset --gap $gap
        for frame in $frames; do
            judge "$preset, gap $gap, pages, frame $frame" pages --preset $preset --gap $gap --templates match --frame "$frame"
        done
    done
done
finish
