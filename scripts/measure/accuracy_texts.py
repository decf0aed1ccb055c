#!/usr/bin/python3
"""Measures how much of the text that documents share a result covers, and how much of the result
something else supports.

    accuracy_texts.py [--alignments FILE] [--cache FILE.npz] RESULT.h5 INPUT...
    accuracy_texts.py --rows RESULT.h5

INPUT is what `pardup detect` was given, in the same folder; `pardup text INPUT...` prints the texts
(PARDUP: the program).  FILE has lines "doc_a begin_a end_a doc_b begin_b end_b ..." with tabs and a
header, where a document is named by its file name without suffix; its lines are alignments of
another program.  Output is one line of NAME=FIGURE:

passages, pairs   rows of /passages and of /pairs
most              rows of the document pair that has most
documents         documents with a passage
text              share of all bytes of the texts that some passage covers

and, with INPUT:

verbatim   bytes that lie in a window of 100 equal bytes found in two documents; white space is one
           byte of any kind, and a window with fewer than 50 letters and digits does not count
covered    share of the verbatim bytes that some passage covers
runs       longest stretches of verbatim bytes of one document
missed     share of the runs that no passage overlaps
touched    share of the alignments that a passage of their pair overlaps in both documents
supported  share of the passages that overlap, in both documents, an alignment of their pair or one
           window of 100 equal bytes
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

import h5py
import numpy

WINDOW = 100   # bytes of a verbatim window
LETTERS = 50   # letters and digits that a verbatim window has at least
BASE = 0x9E3779B97F4A7C15  # of the hash of a window
WHITE = bytes.maketrans(b"\t\n\r\f\v", b"     ")


# ------------------------------------------------------------------ texts

def read_texts(inputs, ids):
    """The texts of the documents, in order; each may have a line end more than its document."""
    pardup = os.environ.get("PARDUP", "build/release/pardup")
    printed = subprocess.run([pardup, "text", *inputs], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=True).stdout
    known = set(ids)
    heads = [head for head in re.finditer(rb"^==> (.+) <==\n", printed, re.MULTILINE)
             if os.fsdecode(head[1]) in known]
    ends = [head.start() for head in heads[1:]] + [len(printed)]
    texts = {os.fsdecode(head[1]): printed[head.end():end] for head, end in zip(heads, ends)}
    return [texts.get(name, b"") for name in ids]


def join_windows(halves, count):
    """Hashes of the windows of WINDOW bytes from those of all powers of two, longest first."""
    total, at = numpy.zeros(count, numpy.uint64), 0
    for length in sorted(halves, reverse=True):
        if WINDOW & length:
            total *= numpy.uint64(pow(BASE, length, 2**64))
            total += halves[length][at:at + count]
            at += length
    return total


def window_hashes(data):
    """A 64-bit hash of each window of WINDOW bytes; window i begins at byte i."""
    codes = numpy.random.default_rng(1).integers(0, 2**64, 256, dtype=numpy.uint64, endpoint=False)
    halves, length = {1: codes[data]}, 1
    while 2 * length <= WINDOW:
        short = halves[length]
        halves[2 * length] = (short[:-length] * numpy.uint64(pow(BASE, length, 2**64))
                              + short[length:])
        length *= 2
    return join_windows(halves, len(data) - WINDOW + 1)


class Verbatim:
    """The windows that two documents have: their offsets in all texts, and a number of what is in
    them. Document k begins at starts[k] of all texts."""

    def __init__(self, starts, at, content):
        self.starts, self.at, self.content = starts, at, content

    @classmethod
    def of(cls, texts):
        """The windows of some texts."""
        starts = numpy.concatenate([[0], numpy.cumsum([len(text) for text in texts])])
        data = numpy.frombuffer(b"".join(texts).translate(WHITE), numpy.uint8)
        document = numpy.repeat(numpy.arange(len(texts)), numpy.diff(starts))
        hashes = window_hashes(data)
        letter = numpy.array([c >= 128 or chr(c).isalnum() for c in range(256)])
        letters = numpy.concatenate([[0], numpy.cumsum(letter[data])])
        at = numpy.flatnonzero((document[:len(hashes)] == document[WINDOW - 1:])
                               & (letters[WINDOW:] - letters[:-WINDOW] >= LETTERS))
        at = at[numpy.argsort(hashes[at], kind="stable")]
        new = numpy.concatenate([[True], hashes[at][1:] != hashes[at][:-1]])
        first, content = numpy.flatnonzero(new), numpy.cumsum(new) - 1
        shared = (numpy.minimum.reduceat(document[at], first)
                  < numpy.maximum.reduceat(document[at], first))[content]
        at, content = at[shared], content[shared]
        order = numpy.argsort(at)
        return cls(starts, at[order], content[order])

    def covered(self):
        """A flag for each byte of all texts."""
        return stretches(self.starts[-1], self.at, self.at + WINDOW)

    def overlapping(self, begin, end):
        """Contents of the windows of one document that overlap a stretch of all texts."""
        i, j = numpy.searchsorted(self.at, [begin - WINDOW + 1, end])
        return self.content[i:j]


def windows(args, ids):
    """The windows of the collection, from the cache if it has them."""
    if args.cache and os.path.exists(args.cache):
        with numpy.load(args.cache) as kept:
            return Verbatim(kept["starts"], kept["at"], kept["content"])
    found = Verbatim.of(read_texts(args.inputs, ids))
    if args.cache:
        numpy.savez(args.cache, starts=found.starts, at=found.at, content=found.content)
    return found


# ------------------------------------------------------------------ measures

def stretches(size, begins, ends):
    """A flag for each of size bytes: does it lie in a stretch?"""
    change = numpy.bincount(begins, minlength=size + 1) - numpy.bincount(ends, minlength=size + 1)
    return numpy.cumsum(change)[:size] > 0


def runs(flags, starts):
    """Begins and ends of the longest stretches of set flags that stay in one document."""
    edges = numpy.flatnonzero(flags[1:] != flags[:-1]) + 1
    cuts = numpy.unique(numpy.concatenate([[0], edges, starts]))
    set_ = flags[cuts[:-1]]
    return cuts[:-1][set_], cuts[1:][set_]


def read_alignments(path, ids):
    """Alignments of each document pair, as rows of begin_a, end_a, begin_b, end_b."""
    number = {pathlib.PurePath(name).stem: row for row, name in enumerate(ids)}
    found = {}
    with open(path, encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            cells = line.split("\t")
            sides = [(number[cells[k]], int(cells[k + 1]), int(cells[k + 2])) for k in (0, 3)]
            (a, *first), (b, *second) = sorted(sides)
            found.setdefault((a, b), []).append((*first, *second))
    return {pair: numpy.array(rows) for pair, rows in found.items()}


def by_alignments(rows, known):
    """Which passages overlap an alignment, and the share of the alignments that are overlapped."""
    supported = numpy.zeros(len(rows["doc_a"]), bool)
    touched = 0
    for (a, b), alignments in known.items():
        mine = numpy.flatnonzero((rows["doc_a"] == a) & (rows["doc_b"] == b))
        both = numpy.ones((len(mine), len(alignments)), bool)
        for side, at in (("a", 0), ("b", 2)):
            both &= rows["begin_" + side][mine][:, None] < alignments[:, at + 1]
            both &= rows["end_" + side][mine][:, None] > alignments[:, at]
        touched += int(both.any(0).sum())
        supported[mine] = both.any(1)
    return supported, touched / max(sum(map(len, known.values())), 1)


def by_windows(rows, verbatim):
    """Which passages overlap one window of equal bytes in both documents."""
    supported = numpy.zeros(len(rows["doc_a"]), bool)
    for k, (a, b) in enumerate(zip(rows["doc_a"], rows["doc_b"])):
        first = verbatim.overlapping(verbatim.starts[a] + rows["begin_a"][k],
                                     verbatim.starts[a] + rows["end_a"][k])
        if len(first):
            second = verbatim.overlapping(verbatim.starts[b] + rows["begin_b"][k],
                                          verbatim.starts[b] + rows["end_b"][k])
            supported[k] = bool(numpy.isin(first, second).any())
    return supported


def covered_bytes(rows, starts):
    """A flag for each byte of all texts: does a passage cover it?"""
    begins = [starts[rows["doc_" + side]] + rows["begin_" + side] for side in "ab"]
    ends = [starts[rows["doc_" + side]] + rows["end_" + side] for side in "ab"]
    return stretches(starts[-1], numpy.concatenate(begins), numpy.concatenate(ends))


def row_measures(result, rows):
    """The measures that need the result alone."""
    sizes = result["documents/text_bytes"][:].astype(numpy.int64)
    starts = numpy.concatenate([[0], numpy.cumsum(sizes)])
    pairs = rows["doc_a"] * len(sizes) + rows["doc_b"]
    return {"passages": len(pairs), "pairs": len(result["pairs/doc_a"]),
            "most": int(numpy.unique(pairs, return_counts=True)[1].max(initial=0)),
            "documents": len(numpy.union1d(rows["doc_a"], rows["doc_b"])),
            "text": float(covered_bytes(rows, starts).mean())}


def text_measures(rows, verbatim, known):
    """The measures that need the texts."""
    covered, wanted = covered_bytes(rows, verbatim.starts), verbatim.covered()
    begins, ends = runs(wanted, verbatim.starts)
    before = numpy.concatenate([[0], numpy.cumsum(covered)])
    measures = {"verbatim": int(wanted.sum()), "covered": float(covered[wanted].mean()),
                "runs": len(begins), "missed": float((before[begins] == before[ends]).mean())}
    supported = by_windows(rows, verbatim)
    if known is not None:
        aligned, measures["touched"] = by_alignments(rows, known)
        supported |= aligned
    measures["supported"] = float(supported.mean()) if len(supported) else 0.0
    return measures


def main():
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--alignments")
    parser.add_argument("--cache")
    parser.add_argument("result")
    parser.add_argument("inputs", nargs="*")
    args = parser.parse_args()
    if args.rows == bool(args.inputs):
        parser.error("either --rows or INPUT")
    with h5py.File(args.result) as result:
        ids = [os.fsdecode(name) for name in result["documents/id"][:]]
        names = ["doc_a", "doc_b", "begin_a", "end_a", "begin_b", "end_b"]
        rows = {name: result["passages"][name][:].astype(numpy.int64) for name in names}
        measures = row_measures(result, rows)
    if args.inputs:
        known = read_alignments(args.alignments, ids) if args.alignments else None
        measures.update(text_measures(rows, windows(args, ids), known))
    print(" ".join(f"{name}={x:.3f}" if isinstance(x, float) else f"{name}={x}"
                   for name, x in measures.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
