#!/bin/bash
# Text that is nobody's copy (--ignore): out of matches, edges and shares, and told, wherever it stands.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}
export PYTHONPATH=$here/../support PYTHONDONTWRITEBYTECODE=1

# Essays that repeat the assignment: as it is, with other line ends, in one sentence with their own words, and changed.
"$python" - <<'END'
import json, random
task = ["Describe the causes of the flood, and say what the town could have done about it.",
        "Use at least three of the sources that we have read in the last two weeks of the course.",
        "I declare that this text is my own work and that all sources are named in it."]
copied = " ".join(f"The river had risen for {k} days when warning number w{k}x was read to all of them." for k in range(4))
rng = random.Random("essays")
def own(n, m=6):
    return " ".join(" ".join(f"word{rng.randrange(9999)}" for _ in range(13)).capitalize() + "." for _ in range(m))
forms = [" ".join(task), "\n".join(task), "Task: " + " ".join(task).replace(". ", "; "),
         " ".join(task).replace("at least three", "not fewer than four"), task[2] + " " + task[0]]
with open("essays.jsonl", "w") as out:
    for n in range(10):
        middle = copied if n in (3, 7) else own(n, 1)
        print(json.dumps({"id": f"e{n}", "text": f"{forms[n % 5]}\n\n{middle} {own(n)}"}), file=out)
    for n in (10, 11):  # nothing but the assignment was handed in
        print(json.dumps({"id": f"e{n}", "text": " ".join(task)}), file=out)
open("task.txt", "w").write("\n\n".join(task) + "\n")
import make_office
make_office.docx("task.docx", task)
END
job=(detect --preset texts --gamma 1 --reproducible)

run "${job[@]}" -o plain.h5 essays.jsonl
exits "without --ignore" 0
run export --table pairs -o plain.tsv plain.h5
verdict "without --ignore all essays share text" [ "$(wc -l <plain.tsv)" -gt 40 ]
run "${job[@]}" --ignore task.txt -o ignored.h5 essays.jsonl
exits "ignored" 0
says "ignored" "words in 12 documents aside"
run export --table pairs -o pairs.tsv ignored.h5
verdict "one pair is left" [ "$(wc -l <pairs.tsv)" -eq 2 ]
run export --text 400 --format jsonl -o passages.jsonl ignored.h5
verdict "it is what was copied, without the assignment" "$python" - <<'END'
import json
(row,) = [json.loads(line) for line in open("passages.jsonl")]
assert (row["id_a"], row["id_b"]) == ("e3", "e7"), row
assert "river" in row["text_a"] and "sources" not in row["text_a"] and "flood" not in row["text_a"], row
END
verdict "shares leave it out of both numbers" "$python" - <<'END'
import csv
(row,) = csv.DictReader(open("pairs.tsv"), delimiter="\t")
want = 4 * 17 / (4 * 17 + 6 * 13)
assert all(abs(float(row[f"coverage_{side}"]) - want) < .03 for side in "ab"), (row, want)
END
run export --table aside_spans ignored.h5
verdict "where it is, with its reason" [ "$(awk -F'\t' 'NR > 1 { print $1, $4 }' out | sort -u)" = $'3 ignored\n7 ignored' ]

# A file of another format, ranks, and a restart are the same.
run "${job[@]}" --ignore task.docx -o docx.h5 essays.jsonl
verdict "the assignment as a docx" cmp ignored.h5 docx.h5
for np in 2 4; do
    run_np "$np" "${job[@]}" --ignore task.txt -o ranks.h5 essays.jsonl
    verdict "$np ranks: the same bytes" cmp ignored.h5 ranks.h5
done
run explain --ignore task.txt ignored.h5 e3 e7
prints "explain" "text that is nobody's copy (--ignore)"

# An index, as a batch and line by line.
head -n 7 essays.jsonl | tail -n 4 >targets.jsonl
tail -n 5 essays.jsonl >sources.jsonl
run index --preset texts --gamma 1 -o index sources.jsonl
run check --index index --ignore task.txt -o check.h5 targets.jsonl
exits "check" 0
says "check" "words in 4 documents aside"
run export --table pairs check.h5
verdict "check finds one pair" [ "$(wc -l <out)" -eq 2 ]
"$PARDUP" check --index index --stdin --ignore task.txt <targets.jsonl >lines 2>err
verdict "check --stdin finds one pair" [ "$(grep -c '"source"' lines)" -eq 1 ]

# As the judge has it: text of some documents of a random collection is ignored in all of them.
"$python" - <<'END'
import json, random
import random_collection as made
rng = random.Random("ignored")
task = []
with open("random.jsonl", "w") as out:
    for number, (_, paragraphs) in enumerate(made.documents(11, 90, near=True)):
        if number % 9 == 0:
            task.append(made.as_text(rng.sample(paragraphs, min(2, len(paragraphs)))))
        if number % 4 == 1 and task and task[-1].split():
            paragraphs = list(paragraphs)
        text = "\n\n".join(made.as_text([p]) for p in paragraphs)
        if number % 4 == 1 and task and task[-1].split():
            words = task[-1].split()
            words[rng.randrange(len(words))] = "other"
            text = " ".join(words) + "\n\n" + text
        print(json.dumps({"id": f"d{number}", "text": text}), file=out)
open("random.txt", "w").write("\n\n".join(task) + "\n")
END
"$PARDUP" sentences --offsets random.jsonl >random.sentences
"$PARDUP" sentences --offsets random.txt >ignored.sentences
while read -r number options; do
    run detect $options --ignore random.txt -o "judged$number.h5" random.jsonl
    exits "$options" 0
    echo "judged$number.h5 $options"
done >runs <<'END'
1 --preset texts --gamma 1
2 --preset paper --gamma 0 --idf 0.0,1.0
3 --preset texts --method pdc-shingle2 --gamma 0 --edges word
4 --preset texts --max-repeats 0 --passages best
5 --preset texts --copies report --min-copy-agreement 1
6 --preset texts --templates aside --gamma 1
7 --preset web --frame match
8 --preset edited
9 --preset edited --templates aside
END
says "random documents" "aside"
"$python" "$here/../support/oracle.py" --sentences random.sentences --ignored ignored.sentences --list runs >out 2>err
verdict "random documents: as the judge has it" [ $? -eq 0 -a "$(grep -c ': equal' out)" = 9 ]

# What stands around it in all essays makes no passage of it: a head with a number and an address.
"$python" - <<'END'
import os, random
rng = random.Random("heads")
os.mkdir("heads")
task = open("task.txt").read().replace("\n\n", " ")
for n, name in enumerate(["Eva", "Felix", "Anna"]):
    own = " ".join(" ".join(f"word{rng.randrange(9999)}" for _ in range(13)).capitalize() + "." for _ in range(6))
    open(f"heads/{name}.txt", "w").write(f"{name} Smith\n\nMatriculation number 300{n}, mail {name.lower()}@uni.example.org\n\n{task}\n\n{own}\n")
END
for preset in texts edited; do
    run detect --preset $preset --ignore task.txt -o heads.h5 heads
    run export heads.h5
    verdict "heads, $preset: no passage" [ "$(wc -l <out)" -eq 1 ]
    run explain --ignore task.txt heads.h5 heads/Eva.txt heads/Felix.txt
    verdict "heads, $preset: explain finds none either" [ "$(grep -c "^Found:\|no option here says why" out)" -eq 0 -a -s out ]
done

run index --preset edited -o heads.index heads/Eva.txt heads/Felix.txt
run check --index heads.index --ignore task.txt -o checked.h5 heads/Anna.txt
exits "heads, check" 0
run export checked.h5
verdict "heads, check: no passage" [ "$(wc -l <out)" -eq 1 ]

# Two files are compared without it.
"$python" -c 'import json
for line in open("essays.jsonl"):
    d = json.loads(line)
    open(d["id"] + ".txt", "w").write(d["text"])'
run compare e3.txt e7.txt --ignore task.txt
verdict "compare: the copy is shown" grep -q river out
verdict "compare: the assignment is not" [ "$(grep -c flood out)" -eq 0 ]
run compare e10.txt e11.txt --ignore task.txt
verdict "compare: two texts of the assignment alone share nothing" [ "$(grep -c flood out)" -eq 0 ]

run "${job[@]}" --ignore missing.txt -o x.h5 essays.jsonl
exits "a missing file" 1
says "a missing file" "missing.txt"
absent "a missing file" x.h5
finish
