#!/usr/bin/python3
"""Writes small collections in which a text stands more than once.

    copies_collection.py KIND OUT [--seed 1]

KIND is one of:

twins     a folder OUT of two equal files
versions  150 versions of one law, as JSON lines: 60 articles, two of them rewritten in each version
copies    3,350 pages, as JSON lines: 350 copies of one page at random places among 3,000 other ones
"""

import argparse
import json
import pathlib
import random

SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()
WORDS = 8_000
FLAT = 50                  # Zipf's law behind the most frequent words
SENTENCE_WORDS = (6, 18)
PAGE_SENTENCES = 30
ARTICLES, OWN_ARTICLES, VERSIONS = 60, 2, 150
COPIES, OTHERS = 350, 3_000


class Author:
    """Writes sentences from one stream of random numbers."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.words = [a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES]
        self.rng.shuffle(self.words)
        del self.words[WORDS:]
        self.weights = [1 / (rank + FLAT) for rank in range(WORDS)]

    def sentence(self):
        """One sentence."""
        words = self.rng.choices(self.words, self.weights, k=self.rng.randint(*SENTENCE_WORDS))
        return " ".join(words).capitalize() + "."

    def sentences(self, count):
        """A list of sentences."""
        return [self.sentence() for _ in range(count)]


def twins(author, out):
    """Two files with the same text."""
    out.mkdir(parents=True, exist_ok=True)
    text = " ".join(author.sentences(PAGE_SENTENCES)) + "\n"
    for name in ("a.txt", "b.txt"):
        (out / name).write_text(text, encoding="utf-8")


def write_jsonl(out, texts):
    """Texts as JSON lines."""
    with open(out, "w", encoding="utf-8") as lines:
        for number, sentences in enumerate(texts):
            print(json.dumps({"id": f"d{number}", "text": " ".join(sentences)}), file=lines)


def versions(author, out):
    """One law; each version has other articles of its own."""
    law = author.sentences(ARTICLES)
    texts = []
    for _ in range(VERSIONS):
        text = list(law)
        for place in author.rng.sample(range(ARTICLES), OWN_ARTICLES):
            text[place] = author.sentence()
        texts.append(text)
    write_jsonl(out, texts)


def copies(author, out):
    """Copies of one page among pages that share nothing."""
    texts = [author.sentences(PAGE_SENTENCES)] * COPIES
    texts += [author.sentences(PAGE_SENTENCES) for _ in range(OTHERS)]
    author.rng.shuffle(texts)
    write_jsonl(out, texts)


KINDS = {"twins": twins, "versions": versions, "copies": copies}


def main():
    """Writes the collection."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    KINDS[args.kind](Author(args.seed), args.out)


if __name__ == "__main__":
    main()
