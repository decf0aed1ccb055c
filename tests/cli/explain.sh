#!/usr/bin/env bash
# pardup explain: for each reason a pair of documents where it is known, and every pair that detect found.
. "$(dirname "$0")/lib.sh"

explain() { # explain NAME RESULT A B WHAT...: the answer, and what stands in the lines before it
    local name=$1 what
    run explain --width 80 --limit 0 "$2" "$3" "$4"
    exits "$name" 0
    verdict "$name: no line is wider than 80 columns" awk 'length($0) > 80 {exit 1}' out
    tr '\n' ' ' <out | tr -s ' ' >all
    tail -n 3 out | tr '\n' ' ' | tr -s ' ' >end
    shift 4
    verdict "$name: it ends with '$1'" grep -qF -- "$1" end
    shift
    for what in "$@"; do
        verdict "$name: it says '$what'" grep -qF -- "$what" all
    done
}
made() { # made RESULT OPTION...: the result of c/
    run detect --quiet --preset paper --always-df 1000 --edges word -o "$@" c
    exits "made $1" 0
}

mkdir c
sentences 1 9 >c/a.txt
{ sentences 100 102; sentences 2 8; } >c/b.txt
{ sentences 200 202; sentences 2 3; sentences 300 301; sentences 4 5; } >c/c.txt
sentences 400 403 >c/d.txt
{ sentences 2 8 | sed 's/ speaks / talks /'; echo "Too short, w1."; } >c/e.txt
{ sentences 1 1; sentences 1 1; sentences 1 1; sentences 1 1; sentences 1 1; } >c/f.txt

# ---- paper: runs of equal sentences
made o.h5
explain "a run" o.h5 c/a.txt c/b.txt "They share 1 passage." "match: equal signatures" \
    "A 1 to 7, B 3 to 9, 7 matched." "| # |"
explain "row numbers, turned round" o.h5 1 0 "They share 1 passage." "A: c/a.txt (row 0"
explain "ids without folder and ending" o.h5 a b "They share 1 passage."
explain "a gap too wide" o.h5 c/a.txt c/c.txt \
    "No passage: the longest run has 2 matching sentences in a row, 4 are needed (--gamma 3); with --gap 2 it would have 4."
explain "nothing alike" o.h5 c/a.txt c/d.txt \
    "No passage: no sentence of one matches a sentence of the other, 4 are needed (--gamma 3)." \
    "similarity 0.60, and equal signatures are needed (--join equal)"
explain "one word differs" o.h5 c/b.txt c/e.txt "No passage: no sentence" "similarity 0.85, and equal"
for columns in 30 36 40 45; do
    run explain --width $columns --limit 0 o.h5 c/b.txt c/e.txt
    verdict "no line is wider than $columns columns" awk -v n=$columns 'length($0) > n {exit 1}' out
done
run explain o.h5 c/a.txt c/a.txt
exits "the same document" 2
says "the same document" "are the same document"
run explain o.h5 c/a.txt nowhere
exits "no such document" 1
says "no such document" "nowhere: no document with this id"
run explain o.h5 c/a.txt
exits "one document only" 2
one_error "one document only"
run explain missing.h5 1 2
exits "no result" 1
one_error "no result"

# ---- runs of words: what follows each other is told once
for option in --max-repeats=16 --winnow=3; do
    run detect --quiet --preset texts $option -o grams.h5 c
    explain "runs of words, $option" grams.h5 a b "They share 1 passage." \
        "A 0 to 7 Sentence number w1" "A 8 to 91 | B 32 to 115 in its own words" "match: equal signatures"
done

# ---- similar sentences
made j.h5 --join jaccard --tau 0.8
explain "similar" j.h5 c/b.txt c/e.txt "They share 1 passage." "match: similar, 0.85"
made k.h5 --join jaccard --tau 0.9
explain "below tau" k.h5 c/b.txt c/e.txt "No passage: no sentence" "similarity 0.85, below --tau 0.9"
mkdir near
cp c/b.txt c/e.txt near
sentences 2 8 | sed 's/ speaks / tells /' >near/g.txt
run detect --quiet --preset paper --always-df 1000 --edges word --join jaccard --tau 0.8 --max-near 1 -o near.h5 near
explain "crowded" near.h5 near/b.txt near/e.txt "No passage: no sentence" "similar to more than --max-near 1 others; set aside"

# ---- units that take no part
made m.h5 --max-df 1
explain "common, aside" m.h5 c/a.txt c/b.txt "No passage: no sentence" \
    "common: in 2 documents, more than --max-df 1; matched with nothing"
made n.h5 --max-df 1 --common first
explain "common, with the first" n.h5 c/a.txt c/b.txt "They share 1 passage."
explain "common, with another first" n.h5 c/b.txt c/c.txt "No passage: " "matched with the first of them only"
made w.h5 --min-words 5
explain "too short" w.h5 c/a.txt c/e.txt "No passage: " "takes no part, too few words (--min-words 5)"
made x.h5 --min-counted 10 --max-word-df 0.5 --always-df 1
explain "too few counted words" x.h5 c/a.txt c/b.txt "No passage: " \
    "too few counted words (--min-counted 10)" "{Sentence} {number} w1" "A word counts if it is in 1 to 3 of the 6 documents"
made y.h5 --max-repeats 3
explain "repeated" y.h5 c/a.txt c/f.txt "No passage: " "occurs in its document more than 3 times (--max-repeats)"
made z.h5 --idf 0.9,1 --always-df 0
explain "no word counts" z.h5 c/a.txt c/b.txt "No passage: no sentence" "{w2}"

# ---- runs that are left out
page() { # page ID HOST FROM TO
    printf '{"id": "%s", "url": "http://%s/%s", "text": "%s"}\n' "$1" "$2" "$1" "$(sentences "$3" "$4" | tr '\n' ' ')"
}
{ page p one.example 1 6; page q one.example 1 7; page r two.example 2 6; } >pages.jsonl
run detect --quiet --preset paper --always-df 1000 --edges word --skip-same-host -o g.h5 pages.jsonl
explain "one site" g.h5 p q "both documents are of one site (--skip-same-host)."
explain "two sites" g.h5 p r "They share 1 passage."
sed 's/"url"/"owner"/; s|http://\([a-z.]*\)/.|\1|' pages.jsonl >owners.jsonl
run detect --quiet --preset paper --always-df 1000 --edges word --skip-same owner -o owner.h5 owners.jsonl
explain "one owner" owner.h5 p q "both documents have the same value of a field (--skip-same)."
explain "two owners" owner.h5 p r "They share 1 passage."
made h.h5 --delta 7
explain "delta" h.h5 c/a.txt c/b.txt "below --theta-d 0, or not above --delta 7."
made i.h5 --min-passage-words 500
explain "too few words" i.h5 c/a.txt c/b.txt "shorter than --min-passage-words 500"
run detect --quiet --preset paper --always-df 1000 --edges word -o t.h5 --against c/c.txt c/a.txt c/b.txt
explain "two targets" t.h5 c/a.txt c/b.txt "No passage: both are targets, or both are sources, of --against."

# ---- templates
for k in $(seq 10 21); do
    printf '{"id": "s%d", "url": "http://one.example/%d", "text": "Home of one. All our offers. Contact and help. %s Nothing here may be copied by anybody."}\n' \
        "$k" "$k" "$(sentences $((10 * k)) $((10 * k + 8)) | tr '\n' ' ')"
done >site.jsonl
run detect --quiet --preset paper --always-df 1000 --edges word --templates aside -o s.h5 site.jsonl
explain "templates" s.h5 s10 s14 "No passage: no sentence" "takes no part, template of the site (--aside templates)"
sed 's/Nothing here/All our offers. &/' site.jsonl >twice.jsonl
run detect --quiet --preset paper --always-df 1000 --edges word --templates aside --max-repeats 1 -o u.h5 twice.jsonl
explain "templates that recur" u.h5 s10 s14 "No passage: no sentence" "takes no part, template of the site (--aside templates)"
verdict "templates that recur are templates" [ "$(grep -c "more than 1 times" out)" -eq 0 ]

# ---- copies: pages that say little, and nearly the same
for page in "one|$(sentences 31 33)" "two|$(sentences 31 32) Sentence number 33 tells of w33, one word of its own." \
    "far|$(sentences 31 31) All of this page is about weather and what people say of rain in spring, when farmers sow." "other|$(sentences 41 41)"; do
    printf '{"id": "%s", "text": "%s"}\n' "${page%%|*}" "$(echo "${page#*|}" | tr '\n' ' ')"
done >brief.jsonl
run detect --quiet $pages_by_sentence --min-copy-words 0 --min-passage-words 0 --min-agreement 0 -o brief.h5 brief.jsonl
explain "brief pages" brief.h5 one two "They share 1 passage" "as copies (--copies report)"
explain "brief pages that differ" brief.h5 one far "agree less than --min-copy-agreement 0.6" "No passage: the longest run has 1"
explain "nothing shared" brief.h5 one other "No passage: no sentence"
verdict "nothing shared: copies are not told of" [ "$(grep -c -e "copies report" -e min-copy out)" -eq 0 ]
explain "a run is no copy" o.h5 c/a.txt c/b.txt "They share 1 passage."

# ---- control characters
mkdir bad
{ printf 'Sentence \033[31mred\033[m and more of it.\n'; sentences 1 3; } >bad/a.txt
sentences 1 6 >bad/b.txt
run detect --quiet --preset paper --always-df 1000 --edges word -o bad.h5 bad
explain "escape sequences" bad.h5 bad/a.txt bad/b.txt "No passage: "
verdict "escape sequences: none is printed" [ "$(tr -d '\n\040-\176' <out | wc -c)" -eq 0 ]

# ---- the collection has changed
cp c/a.txt was.txt
echo "One more." >>c/a.txt
run explain o.h5 c/a.txt c/b.txt
exits "changed" 1
says "changed" "has changed since the result was made"
cp was.txt c/a.txt

# ---- every pair that detect found has the same passages here
"$PARDUP" synth --quiet --documents 60 --seed 5 --container jsonl -o made
for how in "--preset web" "--preset texts" "--preset edited" "--method pdc-shingle2" "--method pdc-spotsigs" \
    "--method qsign-lsh" "--method sentence-fp" "--method full-fp" "--method yoon" "--preset paper --always-df 1000 --edges word --passages best --gap 2"; do
    # shellcheck disable=SC2086
    run detect --quiet $how -o all.h5 made
    exits "all pairs, $how" 0
    "$PARDUP" export --table pairs all.h5 | tail -n +2 | sort -R --random-source=<(yes) | head -n 4 >pairs
    while read -r a b _; do
        run explain --limit 1 all.h5 "$a" "$b"
        exits "$how: $a $b" 0
        prints "$how: $a $b" "They share "
        verdict "$how: $a $b: the same passages" awk '/are not found in the matches/ {exit 1}' out
    done <pairs
done

# ---- units with several names, some of which recur in a document
${PYTHON:-/usr/bin/python3} - >names.jsonl <<'END'
import json, random
rng = random.Random(4)
words = [f"w{k}" for k in range(40)]
stock = [rng.choices(words, k=rng.randint(4, 9)) for _ in range(30)]
for doc in range(40):
    text = ""
    for _ in range(12):
        sentence = list(rng.choice(stock))
        if rng.random() < 0.5:
            sentence[rng.randrange(len(sentence))] = rng.choice(words)
        text += "S " + " ".join(sentence) + ". "
    print(json.dumps({"id": f"d{doc}", "text": text}))
END
run detect --quiet --preset paper --always-df 1000 --idf 0,1 --lexicons 4 --max-repeats 1 --gamma 0 -o names.h5 names.jsonl
"$PARDUP" export --table pairs names.h5 | tail -n +2 | head -n 40 >pairs
while read -r a b _; do
    run explain --limit 1 names.h5 "$a" "$b"
    prints "several names: $a $b" "They share "
    verdict "several names: $a $b: the same passages" awk '/are not found in the matches/ {exit 1}' out
done <pairs
finish
