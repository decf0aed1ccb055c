#!/usr/bin/python3
"""How many different shingles are in how many documents, for figure 3.9 of Nikkhoo's thesis.

    pardup sentences INPUT... | nikkhoo_shingles.py [BYTES]

The words of a document stand one after the other without anything between them, and a shingle of
BYTES bytes [64] begins at each word. Prints lines "documents shingles". What MapReduce #1 of the thesis puts
out with a threshold SCT is the sum of documents (documents - 1) / 2 over the shingles of at most SCT documents.
"""

import collections
import json
import sys


def documents(lines):
    """The words of each document, without punctuation in them."""
    name, words = None, []
    for line in lines:
        sentence = json.loads(line)
        if sentence["doc"] != name and words:
            yield words
            words = []
        name = sentence["doc"]
        forms = ("".join(filter(str.isalnum, word)) for word in sentence["words"])
        words += filter(None, forms)
    if words:
        yield words


def shingles(words, size):
    """Different shingles of a document; the last words are too near the end for one. A document of
    fewer bytes is one shingle."""
    text, at, found = "".join(words).encode(), 0, set()
    if 0 < len(text) < size:
        found.add(hash(text))
    for word in words:
        if at + size > len(text):
            break
        found.add(hash(text[at:at + size]))
        at += len(word.encode())
    return found


def main():
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    df = collections.Counter()
    for words in documents(sys.stdin):
        df.update(shingles(words, size))
    for count, number in sorted(collections.Counter(df.values()).items()):
        print(count, number)


if __name__ == "__main__":
    main()
