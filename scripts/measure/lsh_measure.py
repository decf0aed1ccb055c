#!/usr/bin/python3
"""What bit sampling found of what the exact join finds: fields of a row, separated by tabs.

    lsh_measure.py EXACT.h5 FOUND.h5 SCORE...

Both results were made with --theta-d 0.  Fields: seconds of the join stage, candidates, pairs of
similar classes, these pairs as a share of those in EXACT; then a field for each SCORE: of the document
pairs that have at least this score in EXACT, the share that has it in FOUND, too.
"""

import sys

import h5py
import numpy


def pairs_of(file, score):
    """Document pairs of at least this score, each as one number."""
    pairs = file["pairs"]
    enough = pairs["score"][:] >= score
    documents = len(file["documents/id"])
    return pairs["doc_a"][:][enough].astype(numpy.int64) * documents + pairs["doc_b"][:][enough]


def share(part, whole):
    """part / whole; nothing is all of nothing."""
    return part / whole if whole else 1.0


def main(argv):
    """Returns the exit status."""
    if len(argv) < 2:
        sys.exit(__doc__)
    with h5py.File(argv[0]) as exact, h5py.File(argv[1]) as found:
        similar = int(found.attrs["similar_classes"])
        fields = [f"{found.attrs['seconds_join']:.3f}", int(found.attrs["candidates"]), similar,
                  f"{share(similar, int(exact.attrs['similar_classes'])):.4f}"]
        for score in map(float, argv[2:]):
            expected = pairs_of(exact, score)
            both = numpy.intersect1d(expected, pairs_of(found, score))
            fields.append(f"{share(len(both), len(expected)):.4f}")
    print(*fields, sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
