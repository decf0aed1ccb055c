#!/usr/bin/python3
"""How many words a document frequency cut-off leaves out, and how many words it leaves in a sentence.

    left_out.py CUTOFF,CUTOFF... [--frequencies TABLE] ARGUMENT...

CUTOFF is a share of the documents, ARGUMENT... inputs and options of pardup.  With a table of `pardup frequencies`, its
documents say how frequent words are.  Prints a line for each
cut-off: the cut-off, the number of words that more documents have, and the mean number of other words in a sentence
that has any, with tabs between them.
PARDUP: the program.
"""

import collections
import json
import os
import subprocess
import sys


def sentences_of(arguments):
    """The sentences of all inputs, as `pardup sentences` prints them."""
    with subprocess.Popen([os.environ["PARDUP"], "sentences", "--offsets", *arguments],
                          stdout=subprocess.PIPE) as sentences:
        yield from map(json.loads, sentences.stdout)
    if sentences.returncode:
        sys.exit(sentences.returncode)


def frequencies(arguments):
    """({word: its documents}, {word: its occurrences}, number of documents)."""
    in_documents, occurrences, documents = collections.Counter(), collections.Counter(), 0
    words, of = set(), None
    for sentence in sentences_of(arguments):
        if sentence["row"] != of:
            in_documents.update(words)
            words, of, documents = set(), sentence["row"], documents + 1
        words.update(sentence["words"])
        occurrences.update(sentence["words"])
    in_documents.update(words)
    return in_documents, occurrences, documents


def main():
    """Count and print."""
    cutoffs, arguments = sys.argv[1].split(","), sys.argv[2:]
    table = arguments[1] if arguments[0] == "--frequencies" else None
    arguments = arguments[2:] if table else arguments
    in_documents, occurrences, documents = frequencies(arguments)
    if table:
        with open(table, encoding="utf-8") as lines:
            documents = int(next(lines).split("\t")[1])
            of_table = {word: int(n) for word, n, _ in (line.rstrip("\n").split("\t") for line in lines)}
        in_documents = {word: of_table.get(word, 1) for word in in_documents}
    rarest = collections.Counter(min(map(in_documents.get, sentence["words"]), default=documents + 1)
                                 for sentence in sentences_of(arguments))  # a sentence has a word while its rarest counts
    for cutoff in cutoffs:
        most = float(cutoff) * documents
        left_out = sum(n > most for n in in_documents.values())
        words = sum(n for word, n in occurrences.items() if in_documents[word] <= most)
        sentences = sum(n for least, n in rarest.items() if least <= most)
        print(cutoff, left_out, f"{words / sentences if sentences else 0:.2f}", sep="\t")


if __name__ == "__main__":
    main()
