#!/usr/bin/python3
"""Writes a collection that is hard on joins, as JSON lines: FOLDER/{site,pages,long}.jsonl.

    stress_collection.py FOLDER PAGES [--seed 1]

One site of PAGES nearly identical pages: the same boilerplate, sentences that differ in a date, a
price or the page's number, a few of each page's own. PAGES / 5 ordinary pages, some with a copied
run of sentences. One document of 50 * PAGES sentences, with runs of the ordinary pages in it.
And one sentence that every document has.
"""

import argparse
import itertools
import json
import pathlib
import random

WORDS = 40_000
FLAT = 50                  # Zipf's law behind the most frequent words
SENTENCE_WORDS = (6, 18)
BOILERPLATE = 40           # sentences
OWN = 3
PAGE_SENTENCES = 30        # in an ordinary page
PAGES_PER_ORDINARY = 5
LONG_PER_PAGE = 50         # sentences of the long document
RUN = 8                    # sentences copied
COPY_SHARE = 0.3           # share of the ordinary pages that copy from an earlier one
LONG_RUN_EVERY = 200       # sentences
POOL = 1 << 20             # words drawn at a time
EVERYWHERE = "This sentence stands in every single document of the whole collection."
MONTHS = ("January February March April May June July August September October November "
          "December").split()


class Writer:
    """Makes sentences of invented words."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.words = [self.word() for _ in range(WORDS)]
        self.weights = list(itertools.accumulate(1 / (rank + FLAT) for rank in range(WORDS)))
        self.pool = []

    def word(self):
        """Two to four syllables."""
        return "".join(self.random.choice("bdfgklmnprstvz") + self.random.choice("aeiou")
                       for _ in range(self.random.randint(2, 4)))

    def sentence(self):
        """A few words, a capital, a full stop."""
        count = self.random.randint(*SENTENCE_WORDS)
        if len(self.pool) < count:
            self.pool = self.random.choices(self.words, cum_weights=self.weights, k=POOL)
        words = self.pool[-count:]
        del self.pool[-count:]
        return " ".join(words).capitalize() + "."

    def sentences(self, count):
        """A list of `count` sentences."""
        return [self.sentence() for _ in range(count)]


def differing(writer, number):
    """Sentences that most pages of the site have with another word or number in them."""
    draw = writer.random.randrange
    return [
        f"This page was last changed by our editors on {draw(1, 29)} {draw(1990, 2020)} "
        f"in {MONTHS[draw(12)]} at noon.",
        f"Buy this wonderful article today for only {draw(1000)} pounds including all taxes.",
        f"You are looking at page {number} of our large and beautiful catalogue now.",
    ]


def site(writer, pages):
    """(id, sentences) of the pages of one site."""
    boilerplate = writer.sentences(BOILERPLATE)
    middle = BOILERPLATE // 2
    for number in range(pages):
        yield (f"site-{number:06d}", [EVERYWHERE, *boilerplate[:middle],
                                      *differing(writer, number), *writer.sentences(OWN),
                                      *boilerplate[middle:]])


def ordinary(writer, pages):
    """Pages of their own, some with a run of another's sentences."""
    made = []
    for _ in range(pages):
        page = writer.sentences(PAGE_SENTENCES)
        if made and writer.random.random() < COPY_SHARE:
            source = writer.random.choice(made)
            begin = writer.random.randrange(PAGE_SENTENCES - RUN)
            page[begin:begin + RUN] = source[begin:begin + RUN]
        made.append(page)
    return made


def long_document(writer, count, pages):
    """A document of `count` sentences, now and then with a run of a page."""
    text = []
    while len(text) < count:
        text += writer.sentences(LONG_RUN_EVERY - RUN)
        text += writer.random.choice(pages)[:RUN]
    return text[:count]


def write(path, documents):
    """JSON lines of (id, sentences); a paragraph is ten sentences."""
    with open(path, "w", encoding="utf-8") as lines:
        for name, sentences in documents:
            paragraphs = (" ".join(sentences[k:k + 10]) for k in range(0, len(sentences), 10))
            lines.write(json.dumps({"id": name, "text": "\n\n".join(paragraphs)}) + "\n")


def main():
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("pages", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    writer = Writer(arguments.seed)
    write(arguments.folder / "site.jsonl", site(writer, arguments.pages))
    pages = ordinary(writer, max(1, arguments.pages // PAGES_PER_ORDINARY))
    write(arguments.folder / "pages.jsonl",
          ((f"page-{number:06d}", [EVERYWHERE, *page]) for number, page in enumerate(pages)))
    long = long_document(writer, LONG_PER_PAGE * arguments.pages - 1, pages)
    write(arguments.folder / "long.jsonl", [("long", [EVERYWHERE, *long])])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
