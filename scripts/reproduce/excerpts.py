#!/usr/bin/python3
"""Queries made of excerpts, as in Wang & Chang (AIRS 2009), section 4.

    excerpts.py [--queries 180] [--seed 1] -o QUERIES.jsonl -t TRUTH.tsv -- ARGUMENT...

ARGUMENT... names the collection: inputs and options of pardup.  Documents are drawn at random.  The
first third of them gives its first sentences, the second third sentences from the middle, the last
third its last ones: 2 to 10, 6 in the mean.  Sentences end at . ; ! ? only.  Each excerpt is a
query; the last query, "all", is all excerpts one after the other, which is the query of the paper.
TRUTH.tsv: id of a query, id of the document that it is from, "first", "middle" or "last".
PARDUP: the program.
"""

import argparse
import random

import texts

LEAST, MOST = 2, 10  # sentences of an excerpt
PLACES = ("first", "middle", "last")


def excerpt(document, place, rng):
    """Sentences from one place of the document."""
    count = rng.randint(LEAST, MOST)
    spare = len(document.begins) - count
    return document.excerpt({"first": 0, "middle": spare // 2, "last": spare}[place], count)


def main():
    """Draw and write."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=180)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("-t", "--truth", required=True)
    parser.add_argument("arguments", nargs="+")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    able = [document for document in texts.read_documents(arguments.arguments, "stop")
            if len(document.begins) > MOST]
    drawn = rng.sample(able, arguments.queries)
    queries = []
    with open(arguments.truth, "w", encoding="utf-8") as truth:
        for k, document in enumerate(drawn):
            place = PLACES[k * len(PLACES) // len(drawn)]
            queries.append((f"q{k:03d}", excerpt(document, place, rng)))
            truth.write(f"{queries[-1][0]}\t{document.name}\t{place}\n")
    whole = "\n\n".join(text if text[-1] in ".;!?" else text + "." for _, text in queries)
    texts.write_lines(arguments.output, queries + [("all", whole)])


if __name__ == "__main__":
    main()
