#!/bin/bash
# pardup decontaminate: planted leaks of a benchmark go from a corpus, and what only looks like a leak stays. A second look at all
# runs of 13 words, in Python, finds none of an item that is left. Any number of ranks writes the same bytes.
. "$(dirname "$0")/lib.sh"

# made SEED ITEMS: suites a.jsonl and b.jsonl, corpus/1.jsonl and 2.jsonl, truth.json (page -> family of its leak or null)
made() {
    rm -rf a.jsonl b.jsonl corpus truth.json
    mkdir corpus
    python3 - "$1" "$2" <<'P'
import json, random, sys
rng, nitems = random.Random(int(sys.argv[1])), int(sys.argv[2])
letters = "bdfgklmnprstvz"
words = sorted({"".join(rng.choice(letters) + rng.choice("aeiou") for _ in range(rng.randint(1, 4))) for _ in range(4000)})
def text(n): return " ".join(rng.choice(words) for _ in range(n))
def sentences(n): return " ".join(text(rng.randint(6, 18)).capitalize() + "." for _ in range(n))
quote, template, notice = sentences(3), text(20).capitalize() + ".", text(24).capitalize() + "."
items, pages, truth = {}, {}, {}
for k in range(nitems):
    question, answer = sentences(3), sentences(2)
    items[f"i{k}"] = [question, answer]
    if k % 7 == 3:
        items[f"i{k}"] = [text(5), text(3)]
def page(family, leak):
    name = f"p{len(pages)}"
    pages[name] = "\n\n".join([sentences(5), leak, sentences(5)]) if leak else sentences(9)
    truth[name] = family
def lines(s):
    out = s.split()
    return "\n".join(" ".join(out[k:k + 4]) for k in range(0, len(out), 4))
def edited(s): return " ".join(rng.choice(words) if k % 7 == 3 else w for k, w in enumerate(s.split()))
for name in rng.sample(list(items), min(20, nitems)):
    question, answer = items[name]
    if len(question.split()) == 5:
        page("short", f"As {question} {answer} and so on.")
        continue
    both = f"{question} {answer}"
    run = question.split()[2:16]
    page("whole", f"{question}\n\n{answer}")
    page("embedded", "Somebody " + " ".join(run) + " and so on.")
    page("lines", lines(both))
    page("edited", edited(both))
    page("answer", f"Sure: {answer} {text(3)}.") if len(answer.split()) > 14 else None
    page("half", " ".join(both.split()[:len(both.split()) // 2]))
for item in list(items.values())[::2]:
    if len(item[0].split()) > 5:
        item[0] = f"{template} {item[0]} {quote}"
        item[1] += " " + notice
for _ in range(40):
    page(None, quote), page(None, template), page(None, notice), page(None, None)
for name, half in (("a", list(items)[::2]), ("b", list(items)[1::2])):
    with open(name + ".jsonl", "w") as out:
        for k in half:
            print(json.dumps({"id": k, "question": items[k][0], "answer": items[k][1], "level": 3}), file=out)
names = list(pages)
rng.shuffle(names)
for number, part in ((1, names[::2]), (2, names[1::2])):
    with open(f"corpus/{number}.jsonl", "w") as out:
        for name in part:
            print(json.dumps({"id": name, "text": pages[name]}), file=out)
json.dump(truth, open("truth.json", "w"))
P
}

# judged FOLDER: "leaks missed, pages falsely changed, pages with a run of 13 words of an item that is not common"
judged() {
    python3 - "$1" <<'P'
import collections, json, pathlib, re, sys
def load(pattern): return {d["id"]: d for f in sorted(pathlib.Path(".").glob(pattern)) for d in map(json.loads, open(f))}
def runs(s):
    w = re.findall(r"\w+", s.lower())
    return [" ".join(w[k:k + 13]) for k in range(len(w) - 12)]
truth, before, after = json.load(open("truth.json")), load("corpus/*.jsonl"), load(f"{sys.argv[1]}/*.jsonl")
changed = {p for p in before if after.get(p) != before[p]}
missed = sorted({truth[p] for p in truth if truth[p]} and {f"{truth[p]} {p}" for p in truth if truth[p] and p not in changed})
tested = collections.Counter(r for i in load("[ab].jsonl").values() for r in set(runs(i["question"] + "\n\n" + i["answer"])))
for p in before.values():
    tested.update(tested.keys() & set(runs(p["text"])))
def leaks(s):
    known = [tested.get(r, 0) for r in runs(s)]
    common = {j for k, n in enumerate(known) if n > 20 for j in range(k, k + 13)}
    return any(n and not common.intersection(range(k, k + 13)) for k, n in enumerate(known))
print(len(missed), sum(truth[p] is None for p in changed), sum(leaks(p["text"]) for p in after.values()), *missed[:4])
P
}

for n in 3 300; do
    made $((n + 5)) "$n"
    rm -rf clean clean.proof whole whole.proof
    run decontaminate --against a.jsonl --against b.jsonl --text-field question,answer -o clean corpus
    verdict "$n items: status 0" [ "$status" = 0 ]
    verdict "$n items: all leaks, nothing else, no run is left: $(judged clean)" [ "$(judged clean)" = "0 0 0" ]
    verdict "$n items: the corpus is alone in its folder: $(ls clean | tr '\n' ' ')" [ "$(ls clean | tr '\n' ' ')" = "1.jsonl 2.jsonl " ]
    verdict "$n items: the suites are told" grep -q "found in a.jsonl" err
    run decontaminate --remove documents --against a.jsonl --against b.jsonl --text-field question,answer -o whole corpus
    verdict "$n items: documents go whole: $(judged whole)" [ "$(judged whole)" = "0 0 0" ]
    python3 - <<'P' >out
import json
truth = json.load(open("truth.json"))
kept = {json.loads(line)["id"] for k in "12" for line in open(f"whole/{k}.jsonl")}
print(kept == {p for p in truth if truth[p] is None})
P
    verdict "$n items: with --remove documents exactly the pages with a leak are missing" grep -q True out
    # whole sentences of passages that detect finds by itself, word for word
    cat a.jsonl b.jsonl | python3 -c 'import json, sys
for d in map(json.loads, sys.stdin): print(json.dumps({"id": d["id"], "text": d["question"] + "\n\n" + d["answer"]}))' >text.jsonl
    run detect --quiet --against text.jsonl -o before.h5 corpus
    rm -rf before before.proof
    run dedup --quiet --remove passages --min-agreement 1 -o before before.h5
    verdict "$n items: detect and dedup alone leave leaks, so the sets can fail: $(judged before)" [ "$(judged before | cut -d' ' -f1)" != 0 ]
done

# the last set, 300 items
python3 - <<'P' >out
import json
items = [json.loads(line) for line in open("clean.proof/items.jsonl")]
suites = [json.loads(line) for line in open("clean.proof/suites.jsonl")]
pages = {d["id"]: d["text"].encode() for k in "12" for d in map(json.loads, open(f"corpus/{k}.jsonl"))}
texts = {d["id"]: (d["question"] + "\n\n" + d["answer"]).encode() for s in "ab" for d in map(json.loads, open(f"{s}.jsonl"))}
found = [i for i in items if i["documents"]]
equal = [pages[i["doc"]][i["begin"]:i["end"]].lower().split() == texts[i["id"]][i["item_begin"]:i["item_end"]].lower().split()
         for i in found if i["found"] == "part"]
print("items", len(items), "found", len(found), "suites", [(s["suite"], s["items"], s["found"]) for s in suites])
print("sums", sum(s["found"] for s in suites) == len(found), sum(s["items"] for s in suites) == 300)
print("places", len(equal) > 0 and all(equal))
P
verdict "a line for each item: $(sed -n 1p out)" grep -q "items 300" out
verdict "a line for each suite, and they add up: $(sed -n 2p out)" grep -q "sums True True" out
verdict "a part of an item is where its line says, in page and item (fields joined by an empty line)" grep -q "places True" out
verdict "the result stays beside the proof" [ -s clean.proof/leaks.h5 ]

need_ranks 2
for np in 1 2 4; do
    rm -rf "np$np" "np$np.proof"
    run_np $np decontaminate --memory 64M --against a.jsonl --against b.jsonl --text-field question,answer -o "np$np" corpus
    diff -r clean "np$np" >differs 2>&1
    diff -r clean.proof "np$np.proof" >>differs 2>&1
    verdict "$np ranks: the same bytes ($(head -n 1 differs))" [ ! -s differs ]
done

run decontaminate -j 1 --memory 1M --against a.jsonl --against b.jsonl --text-field question,answer -o little corpus
diff -r clean.proof little.proof >differs 2>&1
verdict "with little memory: the same bytes ($(head -n 1 differs err | tr '\n' ' '))" [ ! -s differs ]
run decontaminate --max-df 0 --against a.jsonl --against b.jsonl --text-field question,answer -o all corpus
verdict "--max-df 0: quotations and templates go, too: $(judged all)" [ "$(judged all | cut -d' ' -f2)" -gt 100 ]
run decontaminate --run 40 --against a.jsonl --against b.jsonl --text-field question,answer -o forty corpus
verdict "--run 40: runs of 14 words stay: $(judged forty)" [ "$(judged forty | cut -d' ' -f1)" -gt 20 ]
run decontaminate --against a.jsonl -o clean corpus
verdict "a folder with something in it is refused" [ "$status" = 2 ]
verdict "and named" grep -q "clean: not empty" err
run decontaminate -o other corpus
verdict "without --against: status 2" [ "$status" = 2 ]
run decontaminate --against a.jsonl --text-field nothing -o other corpus
verdict "no item has the field: status 1" [ "$status" = 1 ]
verdict "nothing is written then" [ ! -e other ]

run decontaminate --against a.jsonl --against b.jsonl --text-field question,answer -o listed --files-from <(ls corpus/*.jsonl)
verdict "a list of inputs from a pipe: the same corpus" diff -r clean listed
printf 'id,text\nx,"Hello there. %s Bye."\n' "$(head -n 1 b.jsonl | python3 -c 'import json, sys; print(json.loads(sys.stdin.read())["answer"])')" >table.csv
run decontaminate --against b.jsonl --text-field question,answer -o tables table.csv
verdict "a table has one column of text: $(tail -n 1 tables/table.csv)" grep -q '^x,"*Hello there. Bye."*$' tables/table.csv

# formats whose records cannot be cut are told before anything is looked for
printf 'From a Thu Jan  1 00:00:00 1970\nFrom: a@b.c\nSubject: x\n\nSome words of a letter.\n\nFrom b Thu Jan  1 00:00:00 1970\nFrom: b@b.c\nSubject: y\n\nMore words of a letter.\n\n' >letters.mbox
run decontaminate --against a.jsonl --text-field question,answer -o mail letters.mbox
verdict "a mail folder cannot be cut: status 1" [ "$status" = 1 ]
verdict "the message says what to do" grep -q "letters.mbox: parts of records.*--remove documents" err
verdict "nothing was written" [ ! -e mail.proof ]
run decontaminate --remove documents --against a.jsonl --text-field question,answer -o mail letters.mbox
verdict "whole letters can go" [ "$status" = 0 ]
finish
