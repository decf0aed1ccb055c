#!/bin/bash
# pardup eval: its numbers against tests/support/eval_reference.py on random truths and results, the
# forms of its output, and what it says of bad truth.
. "$(dirname "$0")/lib.sh"
py=/usr/bin/python3 # the one that has the distribution's h5py
$py -c 'import h5py' 2>/dev/null || exit 77
reference=$here/../support/eval_reference.py

# ---- random truths and results: case ROUND, all in folder r.ROUND ----
make_random() {
    $py - "$@" <<'END'
import pathlib, random, sys
import h5py, numpy

rounds = int(sys.argv[1])
LETTERS = "ab cd\u00e9fg\u4e2d\U0001F600\n"
DOCS, LENGTH, LONGEST = 8, 400, 40


def stretch(rng):
    begin = rng.randrange(LENGTH - LONGEST)
    return begin, begin + rng.randint(1, LONGEST)


def near(rng, at):
    """A stretch not far from another one."""
    begin = max(0, at[0] + rng.randint(-8, 8))
    return begin, max(begin + 1, min(LENGTH, at[1] + rng.randint(-8, 8)))


def write_result(path, names, texts, rows):
    with h5py.File(path, "w") as h5:
        columns = list(zip(*rows)) if rows else [()] * 6
        for name, values in zip(("doc_a", "doc_b", "begin_a", "end_a", "begin_b", "end_b"), columns):
            h5[f"/passages/{name}"] = numpy.array(values, dtype="u8")
        width = max(map(len, names))
        h5["/documents/id"] = numpy.array([n.encode() for n in names], dtype=f"S{width}")
        h5["/documents/file"] = numpy.arange(len(names), dtype="u8")
        for name in ("offset", "skip"):
            h5[f"/documents/{name}"] = numpy.zeros(len(names), dtype="u8")
        h5["/files/path"] = h5["/documents/id"][:]
        h5["/files/bytes"] = numpy.array([len(t.encode()) for t in texts], dtype="u8")
        h5["/documents/text_bytes"] = h5["/files/bytes"][:]
        for name, value in (("format", "text"), ("id_field", "id"), ("text_field", "text"),
                            ("url_field", "url")):
            h5.attrs[name] = numpy.bytes_(value)


def in_bytes(text, at):
    return tuple(len(text[:k].encode()) for k in at)


for number in range(rounds):
    rng = random.Random(number)
    folder = pathlib.Path(f"r.{number}")
    pan, classes = folder / "pan", ["one", "two"][: rng.randint(1, 2)]
    for name in classes:
        (pan / name).mkdir(parents=True)
    names = [str(folder / f"doc{k}.txt") for k in range(DOCS)]
    texts = ["".join(rng.choice(LETTERS) for _ in range(LENGTH)) for _ in range(DOCS)]
    for name, text in zip(names, texts):
        pathlib.Path(name).write_text(text, newline="")
    pairs = [(a, b) for a in range(DOCS) for b in range(a + 1, DOCS) if rng.random() < 0.6]
    cases, found, labels, lists = [], [], [], {name: [] for name in classes}
    for a, b in pairs:
        group = rng.choice(classes)
        features = ""
        lists[group].append(f"doc{b}.txt doc{a}.txt")
        for _ in range(rng.choice((0, 0, 1, 1, 2, 4))):
            x, y = stretch(rng), stretch(rng)
            row = [names[a], *in_bytes(texts[a], x), names[b], *in_bytes(texts[b], y)]
            row = row[3:] + row[:3] if rng.random() < 0.5 else row
            cases.append(row + [rng.choice(["", *classes])][: rng.randint(0, 1)])
            features += (f'<feature name="plagiarism" this_offset="{y[0]}" this_length='
                         f'"{y[1] - y[0]}" source_reference="doc{a}.txt" source_offset="{x[0]}" '
                         f'source_length="{x[1] - x[0]}" />\n')
            for _ in range(rng.choice((0, 1, 1, 3))):
                u, v = near(rng, x), near(rng, y)
                found.append((a, b, *in_bytes(texts[a], u), *in_bytes(texts[b], v)))
        (pan / group / f"doc{b}-doc{a}.xml").write_text(
            f'<document reference="doc{b}.txt">\n{features}</document>\n')
    for name, lines in lists.items():
        (pan / name / "pairs").write_text("\n".join(lines) + "\n")
    for _ in range(rng.randint(0, 12)):
        a, b = sorted(rng.sample(range(DOCS), 2))
        found.append((a, b, *in_bytes(texts[a], stretch(rng)), *in_bytes(texts[b], stretch(rng))))
    for _ in range(rng.choice((0, 0, 3))):
        labels.append([*rng.sample(names, 2)] + classes[: rng.randint(0, 1)])
    if rng.random() < 0.5:
        cases.append(["nowhere.txt", 3, 9, names[0], *in_bytes(texts[0], (5, 7))])
    lines = ["\t".join(map(str, row)) for row in cases + labels]
    rng.shuffle(lines)
    (folder / "truth.tsv").write_text("\n".join(["# truth", *lines, ""]))
    (folder / "labels.tsv").write_text(f"{names[0]}\t{names[1]}\n{names[2]}\t{names[3]}\tone\n")
    write_result(folder / "result.h5", names, texts, sorted(found))
    with open(folder / "ignore.tsv", "w") as ignore, open(folder / "ignore-pan.tsv", "w") as pan:
        for _ in range(3 * DOCS):
            k = rng.randrange(DOCS)
            begin, end = in_bytes(texts[k], stretch(rng))
            print(names[k], begin, end, "host", sep="\t", file=ignore)
            print(pathlib.Path(names[k]).name, begin, end, sep="\t", file=pan)
END
}

agrees() { # agrees NAME RESULT ARGUMENT...: the reference says the same as the last run
    local name=$1
    shift
    $py "$reference" "$@" <out >complaints
    verdict "$name: the reference agrees" [ $? -eq 0 ]
    [ -s complaints ] && head -n 5 complaints
}

rounds=${ROUNDS:-12}
make_random $rounds || exit 1
for k in $(seq 0 $((rounds - 1))); do
    h5=r.$k/result.h5
    for unit in byte char; do
        run eval --format json --bootstrap 7 --seed "$k" --unit $unit --truth r.$k/truth.tsv $h5
        exits "round $k, $unit" 0
        agrees "round $k, $unit" --unit $unit --bootstrap 7 --seed "$k" --truth r.$k/truth.tsv $h5
        ignore=(--unit $unit --ignore r.$k/ignore.tsv --truth r.$k/truth.tsv $h5)
        run eval --format json --bootstrap 0 "${ignore[@]}"
        exits "round $k, $unit, --ignore" 0
        agrees "round $k, $unit, --ignore" "${ignore[@]}"
    done
    folders=()
    for folder in r.$k/pan/*; do folders+=(--truth "$folder"); done
    run eval --format json --bootstrap 3 "${folders[@]}" $h5
    exits "round $k, PAN" 0
    agrees "round $k, PAN" --unit char --bootstrap 3 "${folders[@]}" $h5
    mv out one
    run eval --format json --bootstrap 0 --ignore r.$k/ignore-pan.tsv "${folders[@]}" $h5
    agrees "round $k, PAN, --ignore" --unit char --ignore r.$k/ignore-pan.tsv "${folders[@]}" $h5
    run eval --format json --bootstrap 3 --truth r.$k/pan $h5
    verdict "round $k: PAN's folder of folders" cmp -s one out
    run eval --format json --bootstrap 0 --truth r.$k/labels.tsv $h5
    agrees "round $k, labels" --unit byte --truth r.$k/labels.tsv $h5
done

# ---- what detect found, judged by what was planted ----
{ sentences 1 30; sentences 101 110; } >a.txt
{ sentences 201 220; sentences 101 110; } >b.txt
planted=$(grep -b 'number w101 ' a.txt | cut -d: -f1)
printf 'a.txt\t%d\t%d\tb.txt\t%d\t%d\n' "$planted" "$(stat -c %s a.txt)" \
    "$(grep -b 'number w101 ' b.txt | cut -d: -f1)" "$(stat -c %s b.txt)" >truth.tsv
run detect -o x.h5 --edges sentence --idf 0,1 a.txt b.txt
exits "detect" 0
for np in alone 1 3; do
    if [ $np = alone ]; then
        run eval --truth truth.tsv --format tsv x.h5
    else
        run_np $np eval --truth truth.tsv --format tsv x.h5
    fi
    exits "eval $np" 0
    verdict "eval $np: one report" [ "$(grep -c '^class' out)" -eq 1 ]
    verdict "eval $np: precision 1" grep -qP '^all\tprecision\t1\t1\t1$' out
    verdict "eval $np: one case" grep -qP '^all\ttrue_passages\t1\t\t$' out
done
verdict "recall: all but the last line end" awk -F'\t' \
    '$2 == "recall" && $3 > 0.99 && $3 < 1 { ok = 1 } END { exit !ok }' out
run eval --truth truth.tsv x.h5
exits "table" 0
prints "table" "document pairs"
prints "table" "1,000 resamples, seed 1"
run eval --truth truth.tsv --bootstrap 0 x.h5
verdict "table without intervals" [ "$(grep -c interval out)" -eq 0 ]
printf '# doc\tbegin\tend\tkind\na.txt\t%d\t%d\thost\n' "$planted" "$(stat -c %s a.txt)" >ignore.tsv
run eval --truth truth.tsv --ignore ignore.tsv x.h5
exits "--ignore" 0
prints "--ignore" "1 detections are all in text to be ignored"
verdict "--ignore: no document pair left" grep -q ' 0 document pairs judged' out
printf 'a.txt\t7\t5\n' >bad.tsv
run eval --truth truth.tsv --ignore bad.tsv x.h5
exits "bad --ignore" 1
says "bad --ignore" "bad.tsv:1: columns 2 and 3"
printf 'a.txt\tb.txt\n' >labels.tsv
run eval --truth labels.tsv x.h5
exits "labels" 0
verdict "labels: no table of passages" [ "$(grep -c '^passages' out)" -eq 0 ]
run eval --format pan --truth r.0/pan r.0/result.h5
exits "--format pan" 0
prints "--format pan" "lengths in characters"

# ---- unknown documents, bad truth ----
printf 'gone.txt\t1\t2\tb.txt\t3\t4\n' >>truth.tsv
run eval --truth truth.tsv --format tsv x.h5
exits "unknown document" 0
says "unknown document" "gone.txt: named in the truth, but not a document of the result"
verdict "unknown document: one case missed" grep -qP '^all\tpair_recall\t0.5\t' out
run eval x.h5
exits "no truth" 2
says "no truth" "--truth FILE is required"
run eval --truth truth.tsv
exits "no result" 2
run eval --truth truth.tsv --truth r.0/pan x.h5
exits "mixed truth" 2
says "mixed truth" "cannot be mixed"
run eval --truth missing.tsv x.h5
exits "missing truth" 1
says "missing truth" "missing.tsv: No such file"
printf '# x\na.txt\t1\tb.txt\n\na.txt\n' >bad.tsv
run eval --truth bad.tsv x.h5
exits "bad truth" 1
says "bad truth" "bad.tsv:4: expected 6 columns"
printf 'a.txt\t1\t2\tb.txt\n' >bad.tsv
run eval --truth bad.tsv x.h5
exits "a truth of four columns" 1
says "a truth of four columns" "bad.tsv:1: columns 2 and 4 must be units"
one_error "bad truth"
run eval --truth truth.tsv truth.tsv
exits "not a result" 1
rm a.txt
run eval --offsets chars --truth truth.tsv x.h5
exits "the texts are gone" 1
says "the texts are gone" "a.txt"

finish
