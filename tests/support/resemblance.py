#!/usr/bin/python3
"""Whether /pairs holds the resemblance of all pairs of documents, to the last bit.

    resemblance.py --sentences S.jsonl RESULT.h5...

S.jsonl is what `pardup sentences --offsets` prints for the same inputs.  Every document is compared
with every other by the definition of the options that the result records: --feature bytes,
--shingle-blanks, --sample, --sct, --tau, --join jaccard or overlap.  Prints a line for each result.  Exit status: 0
equal, 1 different, 2 unreadable.
"""

import argparse
import collections
import sys

import numpy

import oracle_features
import oracle_options
import result_file
from sentence_file import Unusable, read_sentences


def sets_of(collection, options):
    """{row: the shingles of the document}, without documents that have none."""
    blank = b" " if options.shingle_blanks == "keep" else b""
    sets = {row: oracle_features.byte_shingles(document.words, options.shingle_bytes,
                                               options.sample, blank)
            for row, document in collection.documents.items()}
    if options.sct:
        df = collections.Counter(shingle for found in sets.values() for shingle in found)
        sets = {row: {shingle for shingle in found if df[shingle] <= options.sct}
                for row, found in sets.items()}
    return {row: found for row, found in sets.items() if found}


def resemblances(sets, options):
    """{(row, row): resemblance} of all pairs that share a shingle and reach tau."""
    rows = sorted(sets)
    sizes = numpy.array([len(sets[row]) for row in rows])
    holders = collections.defaultdict(list)
    for k, row in enumerate(rows):
        for shingle in sets[row]:
            holders[shingle].append(k)
    holders = {shingle: numpy.array(ks) for shingle, ks in holders.items()}
    found = {}
    for k, row in enumerate(rows):
        shared = numpy.bincount(numpy.concatenate([holders[s] for s in sets[row]]),
                                minlength=len(rows))
        whole = (sizes + sizes[k] - shared if options.join == "jaccard"
                 else numpy.maximum(sizes, sizes[k]))
        values = shared / whole
        for m in numpy.flatnonzero((shared > 0) & (values >= options.tau)).tolist():
            if m > k:
                found[row, rows[m]] = float(values[m])
    return found


def judge(collection, path, known):
    """(whether the result is right, its verdict in words)."""
    with result_file.open_result(path) as result:
        options = oracle_options.options_of(result, oracle_options.Run(path, {}))[0]
        key = (options.shingle_bytes, options.shingle_blanks, options.sample, options.sct,
               options.tau, options.join)
        if key not in known:
            known[key] = resemblances(sets_of(collection, options), options)
        expected = known[key]
        columns = [result[f"/pairs/{name}"][:].tolist() for name in ("doc_a", "doc_b",
                                                                     "resemblance")]
    got = {(a, b): value for a, b, value in zip(*columns)}
    wrong = [pair for pair in set(got) | set(expected) if got.get(pair) != expected.get(pair)]
    note = "".join(f"; {pair}: {got.get(pair)}, expected {expected.get(pair)}"
                   for pair in sorted(wrong)[:3])
    largest = max((len(document.words) for document in collection.documents.values()), default=0)
    return not wrong, (f"{len(collection.documents)} documents of up to {largest} words,"
                       f" {len(expected)} pairs, {len(wrong)} wrong{note} ({path})")


def main():
    """Judge every result; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", required=True)
    parser.add_argument("results", metavar="RESULT.h5", nargs="+")
    arguments = parser.parse_args()
    known, status = {}, 0
    try:
        collection = read_sentences(arguments.sentences)
        for path in arguments.results:
            right, words = judge(collection, path, known)
            print("equal:" if right else "DIFFERENT:", words)
            status = max(status, 0 if right else 1)
    except Unusable as reason:
        print(reason, file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
