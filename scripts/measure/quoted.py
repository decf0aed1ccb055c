#!/usr/bin/python3
"""Leaks of a small test into pages, a hundred of which quote what an item of the test quotes.

    PARDUP=build/release/pardup scripts/measure/quoted.py DOCUMENT.txt...

Makes five sets from sentences of the documents: a test of three items, and 103 pages.  A hundred pages
quote a paragraph of the first item, and nothing else of the test.  Three have text of an item: three
sentences, three sentences in broken lines, and a sentence of 31 words of which eight were changed.
Prints how many of the pages and of the leaks `check` and `detect --against` find, for some options:
check without a table, check and detect with a table of the pages (--frequencies), and, if the
environment names one, check with another table (TABLE).
"""

import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

PARDUP = os.environ.get("PARDUP", "pardup")
TABLE = os.environ.get("TABLE", "")
OPTIONS = ("--method sentence-fp-sd --gamma 0 --max-df 10",
           "--preset texts --max-df 10 --common aside",
           "--preset edited --max-df 10 --common aside",
           "--preset edited --max-df 10 --common aside --gamma 5",
           "--preset edited")
NEW_WORDS = ("otherwise", "whatever", "somewhere", "nobody", "seldom", "plainly", "gladly", "again")


def sentences_of(paths):
    """Different sentences of 12 to 60 words."""
    found = {}
    for path in paths:
        text = re.sub(r"\s+", " ", pathlib.Path(path).read_text(errors="replace"))
        for sentence in re.split(r"(?<=[.;:]) (?=[A-Z\"(])", text):
            if 12 <= len(sentence.split()) <= 60:
                found[sentence] = True
    return list(found)


def runs(text):
    """The runs of four words of a text."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {tuple(words[k:k + 4]) for k in range(len(words) - 3)}


def make(sentences, seed, folder):
    """Write items.jsonl and pages.jsonl."""
    rng = random.Random(seed)
    sentences = sentences[:]
    rng.shuffle(sentences)
    changed = sentences.pop(next(k for k, s in enumerate(sentences) if len(s.split()) == 31))

    def take(n):
        return [sentences.pop() for _ in range(n)]

    speech = take(6)
    items = [take(4) + speech, take(8), take(3) + [changed] + take(3)]
    tested = set().union(*(runs(s) for item in items for s in item))
    others = [s for s in sentences if not runs(s) & tested]

    def own():
        return rng.sample(others, 7)

    broken = re.sub(" ", lambda _: "\n" if rng.random() < 0.2 else "  ", " ".join(items[1][2:5]))
    words = changed.split()
    for k, at in enumerate(range(1, 31, 4)):
        words[at] = NEW_WORDS[k]
    pages = {f"quotes{k}": own() + speech + own() for k in range(100)}
    pages.update({"leak-whole": own() + items[0][:3] + own(), "leak-broken": own() + [broken] + own(),
                  "leak-changed": own() + [" ".join(words)] + own()})
    for name, texts in (("items", dict(enumerate(items))), ("pages", pages)):
        lines = [json.dumps({"id": str(k), "text": " ".join(text)}) for k, text in texts.items()]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


def pardup(*arguments):
    """What pardup prints."""
    return subprocess.run([PARDUP, *arguments], check=True, capture_output=True, text=True).stdout


def found(result):
    """(pages that only quote, leaks) with a passage."""
    rows = pardup("export", "--format", "jsonl", result).splitlines()
    ids = {json.loads(row)["id_a"] for row in rows}
    quotes = sum(name.startswith("quotes") for name in ids)
    return quotes, len(ids) - quotes


def check(folder, options):
    """(pages that only quote, leaks) that check finds with these options of the index."""
    index, result = folder / "index", folder / "c.h5"
    shutil.rmtree(index, ignore_errors=True)
    pardup("index", *options, "-o", index, folder / "items.jsonl")
    pardup("check", "--index", index, "-o", result, folder / "pages.jsonl")
    return found(result)


def detect(folder, options):
    """The same for detect --against."""
    result = folder / "d.h5"
    pardup("detect", *options, "--against", folder / "items.jsonl", "-o", result, folder / "pages.jsonl")
    return found(result)


def measure(folder, options):
    """{how: (pages that only quote, leaks)}."""
    table = folder / "table.tsv"
    pardup("frequencies", "-o", table, folder / "pages.jsonl")
    counts = {"check": check(folder, options), "detect --against": detect(folder, options),
              "check, table": check(folder, [*options, "--frequencies", table]),
              "detect --against, table": detect(folder, [*options, "--frequencies", table])}
    if TABLE:
        counts["check, other table"] = check(folder, [*options, "--frequencies", TABLE])
    return counts


def main(paths):
    """Prints a line for each choice of options."""
    if not paths:
        sys.exit(__doc__)
    sentences = sentences_of(paths)
    print(f"{len(sentences)} sentences; of 500 pages that quote and of 15 leaks are found")
    for options in OPTIONS:
        sums = collections.defaultdict(collections.Counter)
        for seed in range(5):
            with tempfile.TemporaryDirectory() as name:
                make(sentences, seed, pathlib.Path(name))
                for how, (quotes, leaks) in measure(pathlib.Path(name), options.split()).items():
                    sums[how].update(quotes=quotes, leaks=leaks)
        figures = "; ".join(f"{how} {sums[how]['quotes']}, {sums[how]['leaks']}" for how in sums)
        print(f"{options}: {figures}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
