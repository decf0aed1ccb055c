#!/usr/bin/python3
"""Runs of words of a small test, whole sentences or not, in other text: which presets find them.

    PARDUP=build/release/pardup scripts/measure/planted_runs.py OTHERS DOCUMENT.txt...

A test of three items is made from sentences of the documents.  Pages are other sentences of them.  In
480 pages a run of 8, 10, 13 or 20 words of an item stands in the middle of a sentence, on one line, in
broken lines, or in pieces with empty lines between them; 200 pages have nothing of the test.  Prints how
many of each 40 `check` and `detect --against` find, with the three items as sources, and with up to 2,997
files of the folder OTHERS beside them.
"""

import collections
import json
import pathlib
import random
import shutil
import sys
import tempfile

from quoted import pardup, runs, sentences_of

OPTIONS = ("--method full-fp --ngram 13 --gamma 0", "--method sentence-fp-sd --gamma 0", "--preset texts",
           "--preset web", "--preset characters", "--preset edited", "--preset edited --frequencies")
LENGTHS = (8, 10, 13, 20)
BETWEEN = {"plain": [" "], "lines": ["\n", "\n", "  ", " ", " ", " "], "pieces": ["\n\n"] + 5 * [" "]}


def write(path, texts):
    """JSON lines of (id, text)."""
    path.write_text("".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in texts))


def planted(rng, items, others, length, between):
    """A page with a run of an item."""
    words = rng.choice(items).split()
    at = rng.randrange(len(words) - length)
    own = " ".join(rng.sample(others, 14)).split()
    cut = rng.randrange(60, len(own) - 60)
    return "".join(word + rng.choice(between) for word in own[:cut] + words[at:at + length] + own[cut:])


def make(folder, others_of, paths):
    """Write 3.jsonl, 3000.jsonl and pages.jsonl."""
    rng = random.Random(13)
    sentences = sentences_of(paths)
    rng.shuffle(sentences)
    tests = [[sentences.pop() for _ in range(8)] for _ in range(3)]
    tested = set().union(*(runs(s) for item in tests for s in item))
    others = [s for s in sentences if not runs(s) & tested]
    items = [" ".join(item) for item in tests]
    more = sorted(path for path in pathlib.Path(others_of).rglob("*") if path.is_file())
    rng.shuffle(more)
    write(folder / "3.jsonl", [(f"item{k}", text) for k, text in enumerate(items)])
    write(folder / "3000.jsonl", [(f"item{k}", text) for k, text in enumerate(items)]
          + [(f"other{k}", path.read_text(errors="replace")) for k, path in enumerate(more[:2997])])
    pages = [(f"{n} {how} {k}", planted(rng, items, others, n, BETWEEN[how]))
             for n in LENGTHS for how in BETWEEN for k in range(40)]
    pages += [(f"no run {k}", " ".join(rng.sample(others, 14))) for k in range(200)]
    write(folder / "pages.jsonl", pages)
    pardup("frequencies", "-o", folder / "table.tsv", folder / "pages.jsonl")


def found(result):
    """Pages with a passage of an item, of each kind."""
    rows = map(json.loads, pardup("export", "--format", "jsonl", result).splitlines())
    pages = {row["id_a"] for row in rows if row["id_b"].startswith("item")}
    counts = collections.Counter(tuple(page.split()[:2]) for page in pages)
    return " ".join(f"{n}: " + "/".join(str(counts[str(n), how]) for how in BETWEEN) for n in LENGTHS) \
        + f" none: {counts['no', 'run']}"


def main(others_of, *paths):
    """Prints a line for each choice of options and number of sources."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make(folder, others_of, paths)
        for options in OPTIONS:
            words = [*options.split(), *[folder / "table.tsv"] * options.endswith("--frequencies")]
            for sources in ("3", "3000"):
                against, index, checked = folder / "d.h5", folder / "index", folder / "c.h5"
                source = folder / f"{sources}.jsonl"
                shutil.rmtree(index, ignore_errors=True)
                pardup("detect", *words, "--against", source, "-o", against, folder / "pages.jsonl")
                pardup("index", *words, "-o", index, source)
                pardup("check", "--index", index, "-o", checked, folder / "pages.jsonl")
                print(f"{options}, {sources} sources: detect {found(against)}; check {found(checked)}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
