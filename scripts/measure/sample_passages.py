#!/usr/bin/python3
"""Prints random passages or the first families of a result, texts side by side, to be read and judged.

    sample_passages.py [--families] [--count N] [--seed S] [--width W] [--full] RESULT.h5 INPUT...

INPUT is what `pardup detect` was given, in the same folder; `pardup text INPUT...` prints the texts
(PARDUP: the program).  A passage is drawn from all rows of /passages alike.  Its first and last 12
lines are printed, or all with --full.  Words that stand in one of the two texts only are in
brackets.

With --families the first families are printed, best first (best_families.py).  The representative stands beside the first member in another document, or else beside the
first other member.
"""

import argparse
import difflib
import os
import random
import re
import sys
import textwrap

import h5py

from accuracy_texts import read_texts
from best_families import best_families as best_rows

LINES = 12  # lines at either end of a long passage


def bare(words):
    """The words as they are compared: letters and digits, in small letters."""
    return [re.sub(r"\W", "", word).lower() for word in words]


def marked(words, others):
    """The words, with those that the other side lacks in brackets."""
    matcher = difflib.SequenceMatcher(None, bare(words), bare(others), autojunk=False)
    text, at = [], 0
    for block in matcher.get_matching_blocks():
        text += [f"[{word}]" if bare([word])[0] else word for word in words[at:block.a]]
        text += words[block.a:block.a + block.size]
        at = block.a + block.size
    return " ".join(text)


def columns(first, second, width, full):
    """Lines with both texts beside each other."""
    half = (width - 3) // 2
    left, right = (textwrap.wrap(text, half) for text in (first, second))
    size = max(len(left), len(right))
    lines = [f"{(left[k:k + 1] or [''])[0]:{half}} | {(right[k:k + 1] or [''])[0]}"
             for k in range(size)]
    if not full and size > 2 * LINES:
        lines[LINES:-LINES] = [f"... {size - 2 * LINES} lines ..."]
    return lines


def random_passages(result, args):
    """Titles and both places of random passages: document, begin, end."""
    rows = {name: column[:].tolist() for name, column in result["passages"].items()}
    size = len(rows["doc_a"])
    for k in sorted(random.Random(args.seed).sample(range(size), min(args.count, size))):
        more = "".join(f" {name} {rows[name][k]:.2f}" for name in ("similarity", "agreement")
                       if name in rows)
        yield (f"row {k}{more}", *((rows["doc_" + s][k], rows["begin_" + s][k], rows["end_" + s][k])
                                   for s in "ab"))


def best_families(result, args):
    """The same of families, best first."""
    rows = {name: result["families"][name][:].tolist()
            for name in ("documents", "members", "representative")}
    places, of = zip(*((place, family) for *place, family in zip(*(
        result["members"][name][:].tolist() for name in ("doc", "begin", "end", "family")))))
    members = {}
    for place, family in zip(places, of):
        members.setdefault(family, []).append(place)
    for k in best_rows(result)[:args.count]:
        first = places[rows["representative"][k]]
        others = sorted((place for place in members[k] if place != first),
                        key=lambda place: place[0] == first[0])
        yield (f"family {k}, {rows['members'][k]} places in {rows['documents'][k]} documents",
               first, others[0])


def main():
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", action="store_true")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=160)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("result")
    parser.add_argument("inputs", nargs="+")
    args = parser.parse_args()
    with h5py.File(args.result) as result:
        ids = [os.fsdecode(name) for name in result["documents/id"][:]]
        chosen = list((best_families if args.families else random_passages)(result, args))
    texts = read_texts(args.inputs, ids)
    for number, (title, *places) in enumerate(chosen, 1):
        spans = [texts[doc][begin:end].decode("utf-8", "replace").split()
                 for doc, begin, end in places]
        print(f"--- {number}: {title}: " + " | ".join(f"{ids[doc]} {begin}" for doc, begin, _ in places)
              + f"; {len(spans[0])} and {len(spans[1])} words")
        print(*columns(marked(spans[0], spans[1]), marked(spans[1], spans[0]), args.width,
                       args.full), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
