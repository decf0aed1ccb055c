#!/usr/bin/env bash
# detect --matches: every pair of units that match, as the judge has them, at any number of ranks.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}
here=$(dirname "$0")

# Random documents of few sentences, of which some differ in a word, repeat, or are whole copies.
"$python" - <<'END'
import json, random
rng = random.Random("matches")
words = [f"word{k}" for k in range(60)]
stock = [rng.choices(words, k=rng.randint(3, 12)) for _ in range(40)]
with open("random.jsonl", "w") as out:
    for number in range(40):
        text = ""
        for _ in range(rng.randint(1, 14)):
            sentence = list(rng.choice(stock))
            if rng.random() < .4:
                sentence[rng.randrange(len(sentence))] = rng.choice(words)
            text += "The " + " ".join(sentence) + ". "
        for copy in range(1 + (number % 10 == 0)):
            print(json.dumps({"id": f"d{number}-{copy}", "url": f"http://host{number % 4}.example/{number}-{copy}", "text": text}), file=out)
END
"$PARDUP" sentences --offsets random.jsonl >random.sentences
while read -r number options; do
    run detect $options --matches -o "judged$number.h5" random.jsonl
    exits "$options" 0
    echo "judged$number.h5 $options"
done >runs <<'END'
1 --preset paper
2 --preset paper --join jaccard --tau .4 --gamma 0
3 --method pdc-spotsigs --tau .5
4 --preset texts
5 --preset texts --max-df 2 --common first
6 --preset texts --copies report --max-repeats 1
7 --preset edited
8 --method qsign-exact --tau .6
9 --preset paper --idf .1,1 --lexicons 3 --max-repeats 2
10 --preset texts --winnow 3
11 --preset paper --within --gamma 0
12 --preset paper --within --gap 2 --gamma 1 --edges word --max-df 9
13 --method pdc-shingle2 --tau .4 --within --gamma 0 --gap 1
14 --method qsign-exact --tau .3 --within --window 2,2
15 --preset texts --within
16 --preset texts --within --max-repeats 0 --passages all --edges word
17 --preset edited --within
END
"$python" "$here/../support/oracle.py" --sentences random.sentences --list runs >out 2>err
verdict "random documents: as the judge has it" [ $? -eq 0 -a "$(grep -c ': equal' out)" = 17 ]

# What reads a result takes a document that is paired with itself, but dedup, which would cut a text by itself.
cp judged15.h5 self.h5
run families self.h5
exits "families of documents with themselves" 0
run dedup -o clean judged15.h5
exits "dedup of documents with themselves" 1
says "dedup of documents with themselves" "judged15.h5: was made with --within"
verdict "dedup leaves nothing" [ ! -e clean ]
yes "$(printf 'word%s ' $(seq 40))" | head -n 2 >twice.txt
printf 'other%s ' $(seq 40) >other.txt
run detect --quiet --within -o twice.h5 twice.txt other.txt
run export --table pairs twice.h5
prints "a text twice in a document, by default" "	twice.txt	twice.txt"
run detect --within -o twice.h5 twice.txt other.txt
says "a text twice in a document, by default" "preset texts"

# The matches of a small --gamma are the dots of its passages: a passage of one sentence is a match.
run detect --preset paper --gamma 0 --edges sentence --matches -o few.h5 random.jsonl
"$PARDUP" export --table matches few.h5 >matches.tsv
verdict "columns as documented" [ "$(head -n 1 matches.tsv | cut -f 1-5 | tr '\t' ' ')" = "doc_a unit_a doc_b unit_b similarity" ]
verdict "there are matches" [ "$(wc -l <matches.tsv)" -gt 100 ]
run detect --preset paper -o none.h5 random.jsonl
run export --table matches none.h5
exits "a result without matches" 1
one_error "a result without matches"
says "a result without matches" "--matches"

# ---- judged by pairs of units
cut -f 1-4,6-7 matches.tsv | awk -F'\t' 'NR > 1 { print $5 "\t" $2 "\t" $6 "\t" $4 }' >all.tsv
awk 'NR % 4 != 0' all.tsv >truth.tsv # a quarter of what is found is wrong
head -n 30 all.tsv | awk -F'\t' -v OFS='\t' '{ print $1, $2 + 100, $3, $4 }' >>truth.tsv # 30 are missed
run eval --bootstrap 0 --format tsv --truth truth.tsv few.h5
exits "eval" 0
verdict "eval: precision and recall of pairs" awk -F'\t' -v n="$(wc -l <all.tsv)" '
    BEGIN { right = n - int(n / 4); p = right / n; r = right / (right + 30) }
    $2 == "precision" { seen++; if ($3 - p > 1e-9 || p - $3 > 1e-9) exit bad = 1 }
    $2 == "recall" { seen++; if ($3 - r > 1e-9 || r - $3 > 1e-9) exit bad = 1 }
    END { exit bad || seen != 2 }' out
run eval --truth truth.tsv few.h5
exits "eval for people" 0
prints "eval for people" "lengths in units"
run eval --truth truth.tsv none.h5
exits "eval of a result without matches" 1
says "eval of a result without matches" "detect --matches"
printf 'd0-0\t0\t9\td1-0\t0\t9\n' >>truth.tsv
run eval --truth truth.tsv few.h5
exits "eval of units and passages" 1
says "eval of units and passages" "cannot be mixed"

# ---- the same bytes with other ranks, less memory, and after a stop
run detect --quiet --reproducible --preset texts --gamma 0 --matches -o one.h5 random.jsonl
"$PARDUP" synth --quiet --documents 300 --seed 3 --container jsonl -o made
run detect --quiet --reproducible --preset texts --matches -o whole.h5 made
run detect --quiet --reproducible --preset paper --gamma 0 --within --matches -o within.h5 random.jsonl
for ranks in 2 3; do
    run_np $ranks detect --quiet --reproducible --preset paper --gamma 0 --within --matches -o two.h5 random.jsonl
    verdict "$ranks ranks, with pairs within a document: the same bytes" cmp within.h5 two.h5
    run_np $ranks detect --quiet --reproducible --preset texts --gamma 0 --matches -o two.h5 random.jsonl
    verdict "$ranks ranks: the same bytes" cmp one.h5 two.h5
    run_np $ranks detect --quiet --reproducible --preset texts --matches -o spilled.h5 made
    verdict "$ranks ranks, more text: the same bytes" cmp whole.h5 spilled.h5
done
# ---- and so are the papers' own readings
for options in "--method qsign-index --feature multiset" "--method nikkhoo --shingle-blanks keep" "--empty match --idf .4,1" \
    "--method yoon --max-df 4" "--method pdc-shingle2 --tau .5 --within --max-df 3 --common first"; do
    run detect --quiet --reproducible --matches $options -o one.h5 --force made
    exits "$options" 0
    for ranks in 2 3; do
        run_np $ranks detect --quiet --reproducible --matches $options -o two.h5 --force made
        verdict "$options, $ranks ranks: the same bytes" cmp one.h5 two.h5
    done
done
run detect --quiet --reproducible --preset texts --matches --memory 32M --scratch . -o spilled.h5 made
verdict "32 MB: the same bytes" cmp whole.h5 spilled.h5
finish
