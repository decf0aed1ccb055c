#!/bin/bash
# Text that is set aside is never copied text: edges end at it, shares leave it out of both numbers, and the result says
# where it is. Essays of a course begin with the text of the assignment; two of them share sentences right behind it.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}

"$python" - >essays.jsonl <<'END'
import json
task = "Describe the causes of the flood and say what the town could have done. Use at least three of the sources that we read."
copied = " ".join(f"The river had risen for {k} days when warning number w{k}x was read to all of them." for k in range(4))
for n in range(30):
    own = " ".join(f"Essay e{n} says in its sentence s{n}x{k} something that nobody else says here." for k in range(6))
    middle = copied if n in (3, 17) else f"Essay m{n} goes on with a thought of its own, m{n}y."
    print(json.dumps({"id": f"e{n}", "url": f"http://course.example/essay/{n}", "text": f"{task} {middle} {own}"}))
END
web="$pages_by_sentence --gamma 1 --min-counted 1"

# of FILE COLUMN...: the columns of the only passage
of() {
    local file=$1 column
    shift
    run export --table passages "$file"
    for column in "$@"; do
        awk -F'\t' -v name="$column" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } NR == 2 { print $at }' out
    done | paste -sd' '
}

run detect $web --edges far -o aside.h5 essays.jsonl
exits "aside" 0
run detect $web --edges far --templates match -o match.h5 essays.jsonl
exits "match" 0
run export --table templates aside.h5
verdict "the assignment is a template" [ "$(wc -l <out)" -eq 3 ]
run export --table aside aside.h5
verdict "it is in /aside, with its words" \
    [ "$(cut -f 1,2,4- out)" = $'reason\tsite\tdocuments\tdoc\tunit\twords\tid\n'$'template\tcourse.example\t30\t0\t0\t14\te0\ntemplate\tcourse.example\t30\t0\t1\t10\te0' ]
verdict "the passage begins behind it" [ "$(of aside.h5 begin_a words_a agreement)" = "120 69 1" ]

# The shares: the passage has four sentences of 17 words and the word "Essay", each essay 6 sentences of 13 words more.
# The assignment is in neither number.
run export --table pairs aside.h5
"$python" - out <<'END' || touch wrong
import csv, sys
(row,) = csv.DictReader(open(sys.argv[1]), delimiter="\t")
want = 69 / (68 + 6 * 13)
sys.exit(any(abs(float(row[f"coverage_{side}"]) - want) > 1e-12 for side in "ab"))
END
verdict "shares without the assignment" [ ! -e wrong ]
run export --table aside_spans aside.h5
verdict "where it is, in both essays" [ "$(awk -F'\t' 'NR > 1' out)" = $'3\t0\t119\ttemplate\n17\t0\t119\ttemplate' ]
run export --table aside_spans match.h5
verdict "nothing is set aside with --templates match" [ "$(wc -l <out)" -eq 1 ]

# Common text makes no passage, but is not set aside: beside one it is copied text, in edges and shares.
run detect $web --edges far --templates match --common aside --max-df 10 -o common.h5 essays.jsonl
exits "common" 0
verdict "the assignment is common" [ "$("$PARDUP" export --table common common.h5 | wc -l)" -eq 3 ]
verdict "the passage has it" [ "$(of common.h5 begin_a words_a agreement)" = "0 93 1" ]
run export --table pairs common.h5
verdict "its share counts it" "$python" -c 'import csv; (row,) = csv.DictReader(open("out"), delimiter="\t"); exit(abs(float(row["coverage_a"]) - 93 / 170) > 1e-12)'
run export --table aside_spans common.h5
verdict "no span is set aside" [ "$(wc -l <out)" -eq 1 ]

# The same for any number of ranks, and for an index.
for np in 2 4; do
    run_np "$np" detect $web --edges far -o ranks.h5 essays.jsonl
    exits "$np ranks" 0
    verdict "$np ranks: the same" "$python" "$here/../support/same_result.py" aside.h5 ranks.h5
done
head -n 15 essays.jsonl >targets.jsonl
tail -n +16 essays.jsonl >sources.jsonl
run detect $web --edges far --against sources.jsonl -o against.h5 targets.jsonl
exits "against" 0
for text in "" --with-text; do
    rm -rf index
    run index $web --edges far $text -o index sources.jsonl
    exits "index $text" 0
    run check --index index -o check.h5 targets.jsonl
    exits "check $text" 0
    verdict "check $text: as against" \
        [ "$(of check.h5 begin_a end_a begin_b end_b words_a words_b agreement)" = "$(of against.h5 begin_a end_a begin_b end_b words_a words_b agreement)" ]
    run export --table pairs against.h5
    cut -f 5-7 out >expected
    run export --table pairs check.h5
    verdict "check $text: shares" cmp -s expected <(cut -f 5-7 out)
    run export --table aside_spans check.h5
    verdict "check $text: where it is in the target" [ "$(awk -F'\t' 'NR > 1' out)" = $'3\t0\t119\ttemplate' ]
done
finish
