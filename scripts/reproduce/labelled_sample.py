#!/usr/bin/python3
"""A collection with labelled sequences of duplicate sentences, like the labelled one of Zhang et al.
(SIGIR 2010), section 5.1.

    labelled_sample.py [--documents 2000] [--sentences 57135] [--seed 1] -o DIR -- ARGUMENT...

ARGUMENT... names a collection whose sentences are used: inputs and options of pardup.  Each sentence
of five words and more is used once, unless it is copied: a tenth of the sentences are copies, in runs
of 1 to 30 from one document to another.  Of the copied sentences 11 % are not exact copies, as in
the paper: half of these differ in marks and capitals, half have one word replaced, put in or left
out.  Both kinds are labelled as duplicates.  3 % are replaced by another sentence, which ends a
sequence.
DIR/collection.jsonl is the collection.  DIR/truth.tsv: `doc_a begin_a end_a doc_b begin_b end_b class
sentences`, a line for each sequence of labelled sentences, as `pardup eval` reads it.
DIR/pairs.tsv: `doc_a unit_a doc_b unit_b`, a line for each pair of labelled sentences.
PARDUP: the program.
"""

import argparse
import collections
import itertools
import pathlib
import random

import texts

LEAST_WORDS, LONGEST = 5, 30
COPIED, INEXACT, REPLACED = 0.1, 0.11, 0.03
SEPARATOR = "\n\n"


def distinct_sentences(arguments):
    """The sentences of a collection that differ in their words, each on one line."""
    found = {}
    for document in texts.read_documents(arguments, "sentence"):
        for k in range(len(document.begins)):
            words = document.excerpt(k, 1).split()
            if len(words) >= LEAST_WORDS:
                found.setdefault(" ".join(words).lower(), " ".join(words))
    return list(found.values())


def reworded(sentence, other, rng):
    """The sentence with one word replaced by one of another sentence, put in or left out."""
    words = sentence.split()
    place = rng.randrange(1, len(words))
    gone, come = rng.choice(((1, 1), (0, 1), (1, 0)))
    words[place:place + gone] = [rng.choice(other.split()).lower()] * come
    return " ".join(words)


def copied(sentence, other, rng):
    """The sentence as it stands in the copy."""
    dice = rng.random()
    if dice < INEXACT / 2:
        return sentence.upper() if rng.random() < 0.5 else sentence.replace(",", "").replace('"', "'")
    return reworded(sentence, other, rng) if dice < INEXACT else sentence


def make_documents(spare, ndocuments, nsentences, rng):
    """Documents as lists of (text, number of the sentence that it is or copies)."""
    share = nsentences * (1 - COPIED) / ndocuments
    documents, number = [], 0
    for _ in range(ndocuments):
        size = max(1, round(rng.expovariate(1 / share)))
        documents.append([(spare.pop(), number + k) for k in range(size)])
        number += size
    left = round(nsentences * COPIED)
    originals = [list(document) for document in documents]
    while left > 0:
        source, target = rng.sample(range(ndocuments), 2)
        first = rng.randrange(len(originals[source]))
        run = originals[source][first:first + rng.randint(1, LONGEST)]
        place = rng.randint(0, len(documents[target]))
        documents[target][place:place] = [
            (spare.pop(), None) if rng.random() < REPLACED else (copied(text, rng.choice(spare), rng), number)
            for text, number in run]
        left -= len(run)
    return documents


def labelled_pairs(documents):
    """{(a, b): [(i, j)]}: sentence i of document a and j of b are labelled as duplicates, a < b."""
    places = collections.defaultdict(list)
    for doc, sentences in enumerate(documents):
        for k, (_, number) in enumerate(sentences):
            if number is not None:
                places[number].append((doc, k))
    pairs = collections.defaultdict(set)
    for members in places.values():
        for (a, i), (b, j) in itertools.combinations(members, 2):
            if a != b:
                pairs[a, b].add((i, j))
    return pairs


def sequences(dots):
    """(i, j, length) of the maximal diagonals."""
    for i, j in sorted(dots):
        if (i - 1, j - 1) not in dots:
            length = 1
            while (i + length, j + length) in dots:
                length += 1
            yield i, j, length


def spans(sentences):
    """(begin, end) of each sentence in the text, in bytes."""
    begin, found = 0, []
    for text, _ in sentences:
        end = begin + len(text.encode())
        found.append((begin, end))
        begin = end + len(SEPARATOR)
    return found


def main():
    """Make the collection."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--sentences", type=int, default=57135)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path)
    parser.add_argument("arguments", nargs="+")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    spare = distinct_sentences(arguments.arguments)
    rng.shuffle(spare)
    documents = make_documents(spare, arguments.documents, arguments.sentences, rng)
    arguments.output.mkdir(parents=True, exist_ok=True)
    texts.write_lines(arguments.output / "collection.jsonl",
                      [(f"d{k}", SEPARATOR.join(text for text, _ in sentences))
                       for k, sentences in enumerate(documents)])
    places = [spans(sentences) for sentences in documents]
    units = [{begin: unit for unit, begin in enumerate(document.begins)}
             for document in texts.read_documents([str(arguments.output / "collection.jsonl")], "sentence")]
    with open(arguments.output / "pairs.tsv", "w", encoding="utf-8") as pairs:
        for (a, b), dots in sorted(labelled_pairs(documents).items()):
            for i, j in sorted(dots):
                print(f"d{a}", units[a][places[a][i][0]], f"d{b}", units[b][places[b][j][0]], sep="\t", file=pairs)
    with open(arguments.output / "truth.tsv", "w", encoding="utf-8") as truth:
        for (a, b), dots in sorted(labelled_pairs(documents).items()):
            for i, j, length in sequences(dots):
                print(f"d{a}", places[a][i][0], places[a][i + length - 1][1], f"d{b}", places[b][j][0],
                      places[b][j + length - 1][1], "sequence", length, sep="\t", file=truth)


if __name__ == "__main__":
    main()
