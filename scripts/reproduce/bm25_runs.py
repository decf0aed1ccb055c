#!/usr/bin/python3
"""Made-up runs, topics and judgements over a collection, always the same for a seed.

    pardup sentences INPUT... | bm25_runs.py [--seed S] [--topics N] [--depth N] -o DIR

Nobody searched for these topics: a topic is a few telling words of a document drawn at random.
A run is the ranking of one variant of BM25 (Robertson et al., TREC-3, 1994). A document of the pool, the
first 100 of every run, is called relevant when it has at least two thirds of the topic's words.
DIR gets topics.tsv, qrels.txt, pool.txt (every document of a run) and NAME.run for each variant.
"""

import argparse
import collections
import json
import math
import pathlib
import random
import sys

POOL_DEPTH = 100
TELLING = 25      # a topic's words come from the 25 most telling ones of its document
WORDS = (4, 8)    # words of a topic, at least and at most
LONG_ENOUGH = 80  # words of a document that a topic is made from

Variant = collections.namedtuple("Variant", "k1 b words prefix")
VARIANTS = {
    "bm25": Variant(1.2, 0.75, None, None),
    "bm25-short": Variant(1.2, 0.75, 3, None),      # the first three words of the topic
    "bm25-flat": Variant(1.2, 0.0, None, None),     # the length of a document does not count
    "bm25-full": Variant(1.2, 1.0, None, None),
    "bm25-frequent": Variant(8.0, 0.75, None, None),  # the frequency of a word counts much
    "bm25-once": Variant(0.01, 0.75, None, None),     # whether it occurs counts
    "bm25-prefix5": Variant(1.2, 0.75, None, 5),      # words are their first five letters
    "bm25-prefix5-short": Variant(1.2, 0.4, 3, 5),
}


class Index:
    """Postings of a collection. Words are cut to their first letters if `prefix` is given."""

    def __init__(self, names, texts, prefix):
        self.names, self.prefix = names, prefix
        self.postings, self.lengths = collections.defaultdict(dict), []
        for number, words in enumerate(texts):
            for word, count in collections.Counter(map(self.form, words)).items():
                self.postings[word][number] = count
            self.lengths.append(len(words))
        self.mean = sum(self.lengths) / len(self.lengths)

    def form(self, word):
        return word[:self.prefix]

    def idf(self, word):
        df, n = len(self.postings[word]), len(self.lengths)
        return math.log(1 + (n - df + 0.5) / (df + 0.5))

    def rank(self, words, variant, depth):
        scores = collections.defaultdict(float)
        for word in dict.fromkeys(map(self.form, words)):
            idf = self.idf(word)
            for doc, tf in self.postings[word].items():
                norm = variant.k1 * (1 - variant.b + variant.b * self.lengths[doc] / self.mean)
                scores[doc] += idf * tf * (variant.k1 + 1) / (tf + norm)
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:depth]


def read_collection(lines):
    texts = {}
    for line in lines:
        sentence = json.loads(line)
        texts.setdefault(sentence["doc"], []).extend(sentence["words"])
    return list(texts), list(texts.values())


def make_topics(index, texts, rng, wanted):
    """Words of a topic, drawn from the words of one document that tell it from others."""
    chosen = rng.sample([k for k, words in enumerate(texts) if len(words) >= LONG_ENOUGH], wanted)
    for doc in chosen:
        counts = collections.Counter(w for w in texts[doc] if w.isalpha() and len(w) > 3
                                     and len(index.postings[w]) > 2)
        telling = sorted(counts, key=lambda w: (-counts[w] * index.idf(w), w))[:TELLING]
        yield rng.sample(telling, min(len(telling), rng.randint(*WORDS)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("-o", dest="folder", type=pathlib.Path, required=True)
    args = parser.parse_args()
    names, texts = read_collection(sys.stdin)
    if not names:
        sys.exit("bm25_runs.py: no documents on standard input: give it what `pardup sentences` prints")
    rng = random.Random(args.seed)
    indexes = {prefix: Index(names, texts, prefix)
               for prefix in dict.fromkeys(v.prefix for v in VARIANTS.values())}
    topics = list(make_topics(indexes[None], texts, rng, args.topics))
    args.folder.mkdir(parents=True, exist_ok=True)
    pool, found = [set() for _ in topics], set()
    for name, variant in VARIANTS.items():
        with open(args.folder / f"{name}.run", "w", encoding="utf-8") as run:
            for number, words in enumerate(topics, 1):
                ranked = indexes[variant.prefix].rank(words[:variant.words], variant, args.depth)
                pool[number - 1].update(doc for doc, _ in ranked[:POOL_DEPTH])
                found.update(doc for doc, _ in ranked)
                for rank, (doc, score) in enumerate(ranked, 1):
                    run.write(f"{number} Q0 {names[doc]} {rank} {score:.6f} {name}\n")
    with open(args.folder / "topics.tsv", "w", encoding="utf-8") as out:
        out.writelines(f"{k}\t{' '.join(words)}\n" for k, words in enumerate(topics, 1))
    with open(args.folder / "qrels.txt", "w", encoding="utf-8") as out:
        for number, (words, docs) in enumerate(zip(topics, pool), 1):
            for doc in sorted(docs):
                has = sum(doc in indexes[None].postings[word] for word in words)
                out.write(f"{number} 0 {names[doc]} {int(3 * has >= 2 * len(words))}\n")
    with open(args.folder / "pool.txt", "w", encoding="utf-8") as out:
        out.writelines(f"{names[doc]}\n" for doc in sorted(found))


if __name__ == "__main__":
    main()
