#!/bin/bash
# Families: equal to the definition (tests/support/families_reference.py), for any number of ranks and any memory.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1
same() { # same NAME A B: the tables of two results
    verdict "$1" "$PYTHON" "$here/../support/same_result.py" --tables passages,pairs,families,members,document_families,documents "$2" "$3"
}
best() { # best RESULT: rows of its families, best first, by definition
    "$PYTHON" "$here/../../scripts/measure/best_families.py" "$1"
}
ordered() { # ordered NAME RESULT: show has the families in this order
    "$PARDUP" show --limit 0 --lines 1 "$2" | sed -n 's/^family \([0-9]*\):.*/\1/p' >shown.txt
    best "$2" >best.txt
    verdict "$1: families, best first" cmp -s shown.txt best.txt
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
for name, documents in ("chain.jsonl", 300), ("long.jsonl", 1200):  # each document shares text with the next one only
    with open(name, "w") as f:
        for d in range(documents):
            link = lambda k: " ".join(f"Link {k} has sentence {n} of its own." for n in range(6))
            print(json.dumps({"id": str(d), "text": link(d) + f" Document {d}. " + link(d + 1)}), file=f)
EOF
"$PARDUP" synth --bytes 2M -o synth >/dev/null 2>&1

for options in "--preset texts random.jsonl" "--preset paper --gamma 1 --gap 1 random.jsonl" \
    "--preset texts --max-df 20 --common first --family-coverage 0.3 random.jsonl" "--preset paper --always-df 1000 chain.jsonl" "--preset web synth" \
    "--method imatch-doc synth" "--method nikkhoo random.jsonl" "--method spotsigs-doc --tau 0.4 random.jsonl"; do
    run detect --progress none -o alone.h5 $options
    exits "$options" 0
    run_np 3 detect --progress none -o three.h5 $options
    exits "$options, 3 ranks" 0
    verdict "$options: the definition" "$PYTHON" "$here/../support/families_reference.py" alone.h5
    same "$options: the same at 3 ranks" alone.h5 three.h5
    ordered "$options" three.h5
done
run detect --progress none -o alone.h5 --method nikkhoo --tau 0.2 --sct 60 random.jsonl
verdict "whole documents: the definition" "$PYTHON" "$here/../support/families_reference.py" alone.h5
verdict "whole documents: large families" [ "$("$PARDUP" export --table document_families alone.h5 | awk 'NR > 1 && $1 > 9' | wc -l)" -gt 0 ]
for ranks in 2 4; do
    run_np $ranks detect --progress none --memory 1M -o small.h5 --method nikkhoo --tau 0.2 --sct 60 random.jsonl
    same "whole documents: the same at $ranks ranks with little memory" alone.h5 small.h5
done
run_np 2 detect --progress none --memory 1M -o small.h5 --preset paper --gamma 1 --gap 1 random.jsonl
run detect --progress none -o alone.h5 --preset paper --gamma 1 --gap 1 random.jsonl
same "the same with little memory" alone.h5 small.h5

run detect --progress none -o chain.h5 --preset paper --always-df 1000 chain.jsonl
run export --table families chain.h5
verdict "each family has its row number" [ "$(awk -F'\t' 'NR > 1 && $NF == NR - 2' out | wc -l)" = 299 ]
run export --table families --sort words:desc --format jsonl chain.h5
verdict "row numbers go with sorted rows" [ "$(grep -o '"row":[0-9]*' out | sort -u | wc -l)" = 299 ]
run export --table families chain.h5
verdict "links of a chain are families of their own" [ "$(grep -c '^2	2	' out)" = 299 ]
verdict "300 documents, no longer family" [ "$(wc -l <out)" = 300 ]

# A chain of whole documents, each a byte shorter: more rounds than there are, and what they leave undecided.
run detect --progress none -o rounds.h5 --preset paper --always-df 5000 long.jsonl
"$PYTHON" -c 'import h5py
with h5py.File("rounds.h5", "r+") as f:
    for side in "ab":
        f["passages/begin_" + side][...] = 0
        f["passages/end_" + side][...] = 2000 - f["passages/doc_" + side][()]'
run families -o alone.h5 rounds.h5
verdict "more rounds than there are: the definition" "$PYTHON" "$here/../support/families_reference.py" alone.h5
run_np 3 families --memory 1M rounds.h5
same "more rounds than there are: the same at 3 ranks" alone.h5 rounds.h5

# Known texts, alone, beside each other, under footers, in parts and edited: the families are these texts.
for seed in 1 2; do
    "$PYTHON" "$here/../support/known_texts.py" make $seed known.jsonl
    run detect --progress none -o known$seed.h5 known.jsonl
    verdict "known texts, seed $seed" "$PYTHON" "$here/../support/known_texts.py" judge known$seed.h5 known.jsonl.truth
done

# Passages of one family.
run show --family 7 --limit 0 chain.h5
exits "show" 0
prints "show: the family" "family 7: 2 members in 2 documents"
verdict "show: where its members are" [ "$(sed -n 's/^  \(representative\|verified\), bytes \([0-9]*-[0-9]*\): .*/\2/p' out | tr '\n' ' ')" = \
    "$("$PARDUP" export --table members chain.h5 | awk -F'\t' '$1 == 7 {printf "%s-%s ", $3, $4}')" ]
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
says "older result" "has no families, as an earlier pardup wrote it: pardup families makes them"

# A family of which not all is shown: the representative is, though 24 members come before it.
"$PYTHON" - <<'EOF'
import json
line = lambda who, k: f"Sentence {k} of {who} says w{who}{k}, x{who}{k} and y{who}{k}."
with open("many.jsonl", "w") as f:
    for n in range(25):
        print(json.dumps({"id": f"d{n}", "text": " ".join(line("a", k) for k in range(21 if n == 24 else 20))}), file=f)
    print(json.dumps({"id": "last", "text": " ".join(line("a", k) for k in range(21))}), file=f)
EOF
run detect --progress none -o many.h5 many.jsonl
run show --family 0 --limit 1 many.h5
verdict "show: the representative comes first, then the first 19" [ "$(grep -o '^  [rv][a-z]*, .*' out | sed 's/, .*:/:/' | tr -d ' ' | tr '\n' ' ')" = \
    "representative:d24 $(for n in $(seq 0 18); do printf 'verified:d%s ' "$n"; done)" ]
prints "show: how many are left" "6 more members; --limit 0 shows all."
run show --document-family 0 --limit 1 many.h5
verdict "show --document-family: the same" [ "$(sed -n '2,21s/^  //p' out | tr '\n' ' ')" = "representative: d24 $(for n in $(seq 0 18); do printf 'd%s ' "$n"; done)" ]

# Families, best first: much text in few places; places of several sites before those of one; a document is told once.
"$PYTHON" - <<'EOF'
import json
line = lambda who, k: f"Sentence {k} of {who} says w{who}{k}, x{who}{k} and y{who}{k}."
text = lambda who, n: " ".join(line(who, k) for k in range(n))
pages = {f"http://one.org/signed{n}": text(f"own{n}", 3) + " " + text("signature", 3) for n in range(30)}
pages.update({f"http://{site}.org/{name}": text(f"own{site}{name}", 3) + " " + text(name, n)
              for name, n, sites in (("short", 6, "ab"), ("long", 30, "ab")) for site in sites})
for name, n in ("alike", 30), ("next", 7), ("again", 9):
    for half in "pq":
        page = f"http://one.org/{half if name != 'next' else 'r' + half}"
        pages[page] = pages.get(page, "") + text(f"own{name}{half}", 3) + " " + text(name, n) + " "
with open("best.jsonl", "w") as f:
    for name, page in pages.items():
        print(json.dumps({"id": name, "url": name, "text": page}), file=f)
EOF
run detect --progress none --preset texts -o best.h5 best.jsonl
exits "best first" 0
run show --limit 0 --lines 1 best.h5
exits "show: families" 0
verdict "show: families by what they hold" [ "$(sed -n 's/^    .* of \([a-z]*\) says.*/\1/p' out | tr '\n' ' ')" = "long alike short next again signature " ]
prints "show: nothing is left" "--family N shows all places of one"
ordered "sites" best.h5
run show --limit 1 --width 80 best.h5
verdict "show: one example, and its places" [ "$(sed -n '1,3s/, bytes [0-9-]*//p' out | tr '\n' ';')" = "  representative: http://a.org/long;  verified: http://b.org/long;" ]
prints "show: more families" "5 more families; --limit 2 shows more."
run report --quiet -o best.html best.h5
verdict "the page opens with the families, best first" [ "$("$PYTHON" "$here/../support/report_page.py" best.html '[data["start"]] + [f["row"] for f in data["families"]]')" = \
    "['families', $(best best.h5 | paste -sd , | sed 's/,/, /g')]" ]

# Families of documents: copies with little of their own, not documents that hold a copy among other text.
"$PYTHON" - <<'EOF'
import json
line = lambda who, k: f"Sentence {k} of {who} says w{who}{k}, x{who}{k} and y{who}{k}."
text = lambda *parts: " ".join(line(who, k) for who, n in parts for k in range(n))
docs = {"short": text(("a", 18)), "full": text(("a", 20)), "far": text(("a", 20), ("b", 80)), "other": text(("c", 30)),
        "cut": text(("c", 22), ("d", 2)), "full again": text(("a", 20))}
with open("docs.jsonl", "w") as f:
    for name, words in docs.items():
        print(json.dumps({"id": name, "text": words}), file=f)
EOF
run detect --progress none --preset texts -o docs.h5 docs.jsonl
exits "families of documents" 0
verdict "the best family is named" [ "$(sed -n 's/.*(best: show --family \([0-9]*\)).*/\1/p' err)" = "$(best docs.h5 | head -n 1)" ]
says "families of documents" "2 families of whole documents, 5 in all; the largest has 3"
verdict "families of documents: the definition" "$PYTHON" "$here/../support/families_reference.py" docs.h5
run export --table document_families docs.h5
verdict "the longest is the representative, then the first" [ "$(tr '\n\t' ';,' <out)" = "documents,representative,source,representative_id,row;3,1,,full,0;2,3,,other,1;" ]
run show --document-family 0 --limit 0 docs.h5
exits "show --document-family" 0
verdict "show --document-family: its documents" [ "$(head -n 4 out | tr '\n' ';')" = "family 0 of documents: 3 near duplicates;  short;  representative: full;  full again;" ]
verdict "show --document-family: passages between them" [ "$(grep -c '^# ' out):$(grep -c '^# .*far\|^# .*other' out)" = 3:0 ]
run show --document-family 2 docs.h5
exits "no such family of documents" 1
says "no such family of documents" "--document-family 2: the result has 2 of them"
run report --quiet -o docs.html docs.h5
is_kin() { "$PYTHON" "$here/../support/report_page.py" docs.html "$1" 2>/dev/null; }
verdict "the report has the families of documents" [ "$(is_kin '[(f["size"], f["representative"], [m[1] for m in f["members"]]) for f in data["kin"]]')" = "[(3, 1, ['short', 'full', 'full again']), (2, 3, ['other', 'cut'])]" ]
run export --table documents docs.h5
verdict "families of the documents" [ "$(cut -f 10 out | tr '\n' ' ')" = "family 0 0  1 1 0 " ]
verdict "the rule" "$PYTHON" -c 'import h5py
assert h5py.File("docs.h5")["document_families"].attrs["rule"] == b"coverage_a >= 0.6 and coverage_b >= the same"'
run detect --progress none --preset texts --family-coverage 0.85 -o docs.h5 docs.jsonl
says "a higher coverage" "1 family of whole documents, 3 in all; the largest has 3"

run detect --progress none -o none.h5 --preset paper --gamma 1000 random.jsonl
exits "no passages" 0
run export --table members none.h5
verdict "no passages, no members" [ "$(wc -l <out)" = 1 ]
finish
