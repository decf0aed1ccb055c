#!/usr/bin/python3
"""Leaks of a benchmark into pages: makes a set from public text, and judges who finds them.

    PARDUP=build/release/pardup scripts/measure/leaks.py [--items N] [--seed N] [--keep DIR] \\
        [--way NAME=OPTIONS]... FOLDER...

Text comes from the files of the folders, plain text or HTML: half of the files give items, the other
half pages. A set has N items (3, 3000, 30000) in suites of up to 10,000, each with the fields question and
answer. Pages with a leak have an item in one of these families:

    whole      question and answer, a paragraph each
    embedded   a run of 15 to 25 words of the question inside a sentence
    lines      the item in lines of 3 to 6 words
    edited     the item with a tenth to a quarter of its words replaced
    answer     the answer alone
    half       one half of the item
    short      an item of fewer than 13 words, whole

Pages without a leak are drawn text, and these families:

    quote      a well-known passage that items quote, too; 30 to 300 pages have it
    template   the instruction of a suite ("Read the following passage ..."); 30 to 300 pages
    identity   name, address, licence notice below a text; 30 to 300 pages, and items
    topic      text of the document that an item was made from, around it

Drawn text that shares a run of 8 words with an item is left out before anything is planted.
A way is what is run: `remove` runs `pardup decontaminate`; `documented` what docs/dedup.md had before;
anything else gives options of `pardup detect --against`. Prints, for each way, precision and recall of pages
over all sets, recall by family, processor time a page, and for `remove` how many runs of 13 words of
items are left that are not common: a second look by a dictionary of all runs of all pages.
"""

import argparse
import collections
import html
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import tempfile
import time

PARDUP = os.environ.get("PARDUP", "pardup")
RUN = 13
CLEAN = 8
COMMON = 20
WORD = re.compile(r"\d+(?:[.,]\d+)+|\w+(?:['’]\w+)*")
HEAD = re.compile(r"(Xref|Path|Newsgroups|From|Message-ID):")  # of a letter: no text
LEAKS = ("whole", "embedded", "lines", "edited", "answer", "half")
INSTRUCTIONS = (
    "Read the following passage carefully and then answer the question below it in one complete sentence, "
    "using only what the passage says.",
    "You are given a text and a question about it. Choose the best of the four answers, and write only the "
    "letter of your choice.",
    "The following is a question of an examination for first year students. Think step by step, and give the "
    "final answer on a line of its own.")


def words_of(text):
    """The words of a text, in small letters."""
    return WORD.findall(text.lower())


def runs_of(words, n=RUN):
    """The runs of n words."""
    return [" ".join(words[k:k + n]) for k in range(len(words) - n + 1)]


# ---- text ----

def read_text(path):
    """Paragraphs of a file."""
    text = path.read_bytes().decode("utf-8", "replace")
    if re.search(r"<(html|body|p)\b", text[:5000], re.I):
        text = re.sub(r"(?is)<(script|style|head)\b.*?</\1>", " ", text)
        text = re.sub(r"(?i)</?(p|div|li|h\d|tr|td|br|ul|table|section|article)\b[^>]*>", "\n\n", text)
        text = html.unescape(re.sub(r"<[^>]*>", "", text))
    paragraphs = [re.sub(r"\s+", " ", p).strip() for p in re.split(r"\n\s*\n", text)]
    return [p for p in paragraphs if len(p.split()) >= 15 and not HEAD.match(p)]


def read_folders(folders):
    """Lists of paragraphs of files; no paragraph comes twice."""
    seen, found = set(), []
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if not path.is_file() or path.suffix in (".json", ".tsv", ".py", ".dtd", ".xml"):
                continue
            fresh = [p for p in read_text(path) if p not in seen]
            seen.update(fresh)
            if fresh:
                found.append(fresh)
    return found


# ---- the set ----

class Set:
    """Items and pages of a set; `truth`: page -> (family, item)."""

    def __init__(self, texts, nitems, seed):
        self.rng = random.Random(seed)
        self.items, self.pages, self.truth = {}, {}, {}
        texts = texts[:]
        self.rng.shuffle(texts)
        half = len(texts) // 2
        self.sources, self.ground = texts[:half], texts[half:]
        self.spare = [w for t in self.ground[:200] for w in words_of(" ".join(t)) if len(w) > 3]
        self.known = [self.passage(20, 60) for _ in range(max(1, nitems // 1000))]
        self.make_items(nitems)
        self.clean_ground()
        self.make_pages(nitems)

    def passage(self, least, most):
        """A run of words out of the ground, which is taken from it."""
        while True:
            text = self.rng.choice(self.ground)
            paragraph = self.rng.choice(text)
            tokens = paragraph.split()
            if len(tokens) >= least:
                text.remove(paragraph)
                if not text:
                    self.ground.remove(text)
                return " ".join(tokens[:self.rng.randint(least, min(most, len(tokens)))])

    def identity(self, number):
        """A name with an address and a notice."""
        rng = random.Random(number)
        name = "".join(rng.choice(("Al", "Ber", "Cor", "Dan", "El", "Far")) +
                       rng.choice(("ton", "mann", "ley", "wick")) + " " for _ in range(3))
        return (f"{name}, Department of Physics, University of {name.split()[0]}ford, "
                f"{number} Long Street, {name.split()[1]}ville. Opinions are those of {name}alone "
                "and not of the university, which has none at all.")

    def make_items(self, nitems):
        """Items are cut out of paragraphs, and keep what stood around them."""
        rng, self.around = self.rng, {}
        pieces = []
        for text in self.sources:
            tokens = [w for p in text for w in p.split() + ["\n"]]
            at = rng.randint(0, 10)
            while at + 60 <= len(tokens):
                n, m = rng.randint(20, 45), rng.randint(15, 30)
                pieces.append((" ".join(tokens[at:at + n]).replace("\n", " "),
                               " ".join(tokens[at + n:at + n + m]).replace("\n", " "),
                               " ".join(tokens[max(0, at - 60):at] + ["\n"] +
                                        tokens[at + n + m + 5:at + n + m + 65])))
                at += n + m + rng.randint(1, 8)
        rng.shuffle(pieces)
        for k, (question, answer, around) in enumerate(pieces[:nitems]):
            name = f"i{k}"
            self.around[name] = around
            if k % 20 == 7:
                question, answer = " ".join(question.split()[:8]), answer.split()[0]
            elif k % 3 == 0 and self.known:
                question += " " + self.known[k // 3 % len(self.known)] if k % 30 == 0 else ""
            elif k % 3 == 1:
                question = INSTRUCTIONS[k // 10000 % 3] + "\n" + question
            elif k % 10 == 2:
                answer += "\n" + self.identity(k // 10 % max(1, nitems // 500))
            self.items[name] = {"id": name, "question": question, "answer": answer}
        self.nitems = len(self.items)

    def bare(self, name):
        """(question, answer) without what is common."""
        item = self.items[name]
        question, answer = item["question"], item["answer"]
        for text in INSTRUCTIONS:
            question = question.replace(text + "\n", "")
        for text in self.known:
            question = question.replace(" " + text, "")
        return question, answer.split("\n")[0]

    def clean_ground(self):
        """Leave out paragraphs that share a run of 8 words with an item: replies quote, and change words."""
        tested = set()
        for name in self.items:
            tested.update(runs_of(self.words(name), CLEAN))
        clean = []
        for text in self.ground:
            text = [p for p in text if not tested.intersection(runs_of(words_of(p), CLEAN))]
            if text:
                clean.append(text)
        self.ground = clean
        for name in list(self.around):
            kept = [p for p in self.around[name].split("\n") if
                    not tested.intersection(runs_of(words_of(p), CLEAN))]
            self.around[name] = "\n\n".join(kept)

    def words(self, name):
        """The words of an item."""
        return words_of(self.items[name]["question"] + "\n\n" + self.items[name]["answer"])

    def own(self):
        """Paragraphs of a drawn text, some 100 to 300 words."""
        paragraphs, n, least = [], 0, self.rng.randint(100, 300)
        while n < least:
            text = self.rng.choice(self.ground)
            at = self.rng.randrange(len(text))
            for p in text[at:at + 3]:
                paragraphs.append(p)
                n += len(p.split())
        return paragraphs

    def page(self, family, item, planted):
        """Add a page with something planted between its paragraphs."""
        own = self.own()
        at = self.rng.randint(0, len(own))
        name = f"p{len(self.pages)}"
        self.pages[name] = "\n\n".join(own[:at] + planted + own[at:])
        self.truth[name] = (family, item)

    def edit(self, text):
        """Replace a tenth to a quarter of the words."""
        rng, share = self.rng, self.rng.uniform(0.1, 0.25)
        return " ".join(rng.choice(self.spare) if rng.random() < share else w for w in text.split())

    def leak(self, family, name):
        """The paragraphs of a leak."""
        rng = self.rng
        question, answer = self.bare(name)
        both = question + " " + answer
        if family in ("whole", "short"):
            return [question, answer] if family == "whole" else [f"Yes, {question} {answer} he said"]
        if family == "embedded":
            tokens = question.split()
            n = min(len(tokens), rng.randint(16, 25))
            at = rng.randint(0, len(tokens) - n)
            return ["As somebody put it, " + " ".join(tokens[at:at + n]) + " and so on and so forth."]
        if family == "lines":
            tokens, lines = both.split(), []
            while tokens:
                n = rng.randint(3, 6)
                lines.append(" ".join(tokens[:n]))
                tokens = tokens[n:]
            return [rng.choice(("\n", "\n    ")).join(lines)]
        if family == "edited":
            return [self.edit(both)]
        if family == "answer":
            return ["The answer is: " + answer]
        tokens = both.split()
        middle = len(tokens) // 2
        return [" ".join(tokens[:middle] if rng.random() < 0.5 else tokens[middle:])]

    def make_pages(self, nitems):
        """Pages with leaks, and pages that only look so."""
        rng = self.rng
        names = list(self.items)
        short = [n for n in names if len(words_of(" ".join(self.bare(n)))) < RUN]
        long = [n for n in names if len(words_of(self.bare(n)[1])) >= 14]
        for k in range(min(3000, max(len(LEAKS), nitems // 10))):
            name = rng.choice(long)
            for _ in range(1 if rng.random() < 0.8 else rng.randint(2, 8)):
                self.page(LEAKS[k % 6], name, self.leak(LEAKS[k % 6], name))
        for name in short[:200]:
            self.page("short", name, self.leak("short", name))

        def many():
            return int(math.exp(rng.uniform(math.log(30), math.log(300))))
        for passage in self.known:
            for _ in range(many()):
                self.page("quote", None, ["They say: " + passage])
        for text in INSTRUCTIONS:
            for _ in range(many()):
                self.page("template", None, [text])
        for number in range(min(10, max(1, nitems // 500))):
            for _ in range(many()):
                self.page("identity", None, [self.identity(number)])
        for name in rng.sample(names, min(1000, len(names))):
            if self.around[name].strip():
                self.page("topic", None, [self.around[name]])
        while len(self.pages) < 2000:
            self.page("none", None, [])

    def write(self, folder):
        """items in suites, the same with one text field, and the pages in an order of their own."""
        names = list(self.items)
        for n, at in enumerate(range(0, len(names), 10000)):
            with open(folder / f"suite{n}.jsonl", "w") as file, open(folder / f"text{n}.jsonl", "w") as text:
                for name in names[at:at + 10000]:
                    item = self.items[name]
                    print(json.dumps(item), file=file)
                    print(json.dumps({"id": name, "text": item["question"] + "\n\n" + item["answer"]}),
                          file=text)
        order = list(self.pages)
        self.rng.shuffle(order)
        with open(folder / "pages.jsonl", "w") as file:
            for name in order:
                print(json.dumps({"id": name, "text": self.pages[name]}), file=file)


# ---- ways ----

def pardup(*arguments):
    """What pardup prints, and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([PARDUP, *map(str, arguments)], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"pardup {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pages_in(folder):
    """Pages of a folder of shards."""
    return {p["id"]: p["text"] for path in sorted(folder.glob("pages*.jsonl"))
            for p in map(json.loads, open(path))}


def run_way(options, folder):
    """(pages that are found, seconds, folder of the cleaned pages or None)."""
    texts, suites = sorted(folder.glob("text*.jsonl")), sorted(folder.glob("suite*.jsonl"))
    result, clean = folder / "r.h5", folder / "clean"
    shutil.rmtree(clean, ignore_errors=True)
    if options.split()[:1] == ["remove"]:
        against = [a for s in suites for a in ("--against", s)]
        _, seconds = pardup("decontaminate", *options.split()[1:], *against, "--text-field", "question,answer",
                            "-o", clean, folder / "pages.jsonl")
    else:
        against = [a for s in texts for a in ("--against", s)]
        given = [] if options == "documented" else options.split()
        _, seconds = pardup("detect", *given, *against, "-o", result, folder / "pages.jsonl")
        if options != "documented":
            rows, _ = pardup("export", "--format", "jsonl", result)
            return {json.loads(r)["id_a"] for r in rows.splitlines()}, seconds, None
        _, more = pardup("dedup", "--remove", "documents", "--min-left", "1", "-o", clean, result)
        seconds += more
    before, after = pages_in(folder), pages_in(clean)
    return {p for p, text in before.items() if p.startswith("p") and after.get(p) != text}, seconds, clean


class Brute:
    """All runs of RUN words of items, and in how many pages and items each stands."""

    def __init__(self, made):
        self.count = collections.Counter()
        for name in made.items:
            self.count.update(set(runs_of(made.words(name))))
        for text in made.pages.values():
            self.count.update(self.count.keys() & set(runs_of(words_of(text))))

    def leaks(self, text):
        """Runs of items in a text, of which no word is in a run that more than COMMON have."""
        runs = runs_of(words_of(text))
        known = [self.count.get(r, 0) for r in runs]
        common = bytearray(len(runs) + RUN)
        for k, n in enumerate(known):
            if n > COMMON:
                common[k:k + RUN] = b"\1" * RUN
        return [r for k, r in enumerate(runs) if known[k] and not any(common[k:k + RUN])]


def main():
    """Makes sets, and judges each way by them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--items", type=int, default=3)
    parser.add_argument("--sets", type=int, default=0, help="how many [20 of 3 items, else 1]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for the last set")
    parser.add_argument("--misses", type=int, default=0, help="print so many pages that a way misses")
    parser.add_argument("--way", action="append", default=[])
    parser.add_argument("folder", nargs="+")
    o = parser.parse_args()
    texts = read_folders(o.folder)
    ways = [w.split("=", 1) if "=" in w.split(" ")[0] else [w, w] for w in o.way] or [
        ["documented", "documented"], ["remove", "remove"]]
    sums = {name: collections.Counter() for name, _ in ways}
    for k in range(o.sets or (20 if o.items < 100 else 1)):
        made = Set([t[:] for t in texts], o.items, o.seed * 1000 + k)
        folder = pathlib.Path(o.keep or tempfile.mkdtemp())
        folder.mkdir(exist_ok=True)
        made.write(folder)
        brute = Brute(made)
        for page, (family, item) in made.truth.items():
            if item is None and brute.leaks(made.pages[page]):
                made.truth[page] = ("natural", "?")
        for name, options in ways:
            found, seconds, clean = run_way(options, folder)
            s = sums[name]
            s["pages"] += len(made.pages)
            s["seconds"] += seconds
            for page, (family, item) in made.truth.items():
                s["of " + family] += 1
                s["in " + family] += page in found
                s["right"] += item is not None and page in found
                s["leaks"] += item is not None
                s["found"] += page in found
                if (item is not None) != (page in found) and s["told"] < o.misses:
                    s["told"] += 1
                    print(name, page, family, item, made.items.get(item), made.pages[page][:600], sep="\n  ")
            if clean:
                left = [(page, len(runs), runs[0]) for page, text in pages_in(clean).items()
                        for runs in [brute.leaks(text)] if runs]
                s["left"] += len(left)
                for row in left[:o.misses]:
                    print("left", row, made.truth[row[0]])
        if not o.keep:
            shutil.rmtree(folder)
    for name, _ in ways:
        s = sums[name]
        print(f"{name}: {o.items} items: precision {s['right'] / max(1, s['found']):.3f} "
              f"recall {s['right'] / max(1, s['leaks']):.3f} of {s['leaks']} leaks, {s['pages']} pages, "
              f"{1e6 * s['seconds'] / s['pages']:.0f} us a page, pages with a run left {s['left']}")
        print("   " + " ".join(f"{f[3:]} {s['in ' + f[3:]]}/{n}" for f, n in s.items() if f.startswith("of ")))


if __name__ == "__main__":
    main()
