"""PDC-MR with I-Match, as Zhang et al. published it (SIGIR 2010, sections 3 and 4), by brute force.

usage: pdc_mr.py SENTENCES.jsonl [GAMMA]      SENTENCES.jsonl: what `pardup sentences` prints

Prints a line for each partial duplicate: the rows of both documents, the first sentence in each, and
how many sentences there are. Two sentences are duplicates if they have the same words whose
normalised idf is at least 0.1; a partial duplicate is a maximal diagonal of more than GAMMA [3] of them.
The paper has no limit for frequent sentences and no rule for small collections.
"""

import collections
import itertools
import json
import math
import sys

LEAST_IDF = 0.1
TOLERANCE = 1e-12


def documents_of(path):
    """The sentences of each document, as sets of words, in the order of the file."""
    documents = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            sentence = json.loads(line)
            documents.setdefault(sentence["doc"], []).append(frozenset(sentence["words"]))
    return list(documents.values())


def signatures_of(documents):
    """For each sentence the set of its words that count, or None if none does."""
    n = len(documents)
    df = collections.Counter(word for sentences in documents for word in set().union(*sentences))
    counts = {word: math.log(n / df[word]) / math.log(n) >= LEAST_IDF - TOLERANCE for word in df}
    return [[frozenset(word for word in words if counts[word]) or None for words in sentences]
            for sentences in documents]


def dots_of(signatures):
    """For each pair of documents the pairs of sentences that are duplicates."""
    places = collections.defaultdict(list)
    for doc, sentences in enumerate(signatures):
        for number, signature in enumerate(sentences):
            if signature:
                places[signature].append((doc, number))
    dots = collections.defaultdict(set)
    for same in places.values():
        for (a, i), (b, j) in itertools.combinations(same, 2):
            if a != b:
                dots[a, b].add((i, j))
    return dots


def diagonals_of(dots, gamma):
    """The maximal diagonals of more than gamma dots: (first dot, number of dots)."""
    for i, j in dots:
        if (i - 1, j - 1) in dots:
            continue
        length = 1
        while (i + length, j + length) in dots:
            length += 1
        if length > gamma:
            yield i, j, length


def main():
    gamma = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    dots = dots_of(signatures_of(documents_of(sys.argv[1])))
    rows = sorted((a, b, i, j, length) for (a, b), pair in dots.items()
                  for i, j, length in diagonals_of(pair, gamma))
    for row in rows:
        print(*row, sep="\t")


if __name__ == "__main__":
    main()
