#!/usr/bin/python3
"""Judges a result on a labelled collection and prints a cell of accuracy.sh.

    accuracy_sets.py NAME FOLDER RESULT.h5

FOLDER is the collection NAME unpacked.  What is counted:

code-civil-fr          pairs of articles of two states of the law of which half is covered on both sides:
                       the same, edited, little in common, other
bln600-ocr             share of OCR text covered by passages with what people typed, where less than 3,
                       6, 10, 20 % or more of the characters are wrong; passages with another article
hadith-arabic-bukhari  traditions that name their source and have a passage with it
licence-variants       pairs of variants of a licence, and those of which half of one is covered;
                       licences expected in a scenario that it shares text with
irplag-java            area under the curve: copied programs before others by the text shared with the
                       original
doxygen-versions       pairs of the same page in two versions; pairs within a version
"""

import bisect
import collections
import csv
import itertools
import os
import pathlib
import sys

import h5py

ERRORS = (0.03, 0.06, 0.10, 0.20)  # bounds of the groups of OCR texts


class Result:
    """Document ids and passages by document pair, either way round."""

    def __init__(self, path):
        with h5py.File(path) as result:
            self.ids = [os.fsdecode(name) for name in result["documents/id"][:]]
            self.size = dict(zip(self.ids, result["documents/text_bytes"][:].tolist()))
            columns = [result["passages"][name][:].tolist()
                       for name in ("doc_a", "begin_a", "end_a", "doc_b", "begin_b", "end_b")]
        self.rows = len(columns[0])
        self.passages = collections.defaultdict(list)
        for a, begin_a, end_a, b, begin_b, end_b in zip(*columns):
            a, b = self.ids[a], self.ids[b]
            self.passages[a, b].append((begin_a, end_a, begin_b, end_b))
            self.passages[b, a].append((begin_b, end_b, begin_a, end_a))

    def covered(self, one, other, span=(0, 1 << 62), other_span=(0, 1 << 62)):
        """Bytes of a span of `one` in passages with a span of `other`."""
        total = at = 0
        for begin, end, begin_b, end_b in sorted(self.passages.get((one, other), ())):
            if begin_b < other_span[1] and end_b > other_span[0]:
                begin, end = max(begin, span[0], at), min(end, span[1])
                total += max(0, end - begin)
                at = max(at, end)
        return total

    def share(self, one, other):
        """Share of the text of `one`."""
        return self.covered(one, other) / max(1, self.size[one])


def table(path):
    """The rows of a file with tabs."""
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines, delimiter="\t"))


def code_civil(folder, result):
    """Articles of the same number by class."""
    found, total = collections.Counter(), collections.Counter()
    for one, begin, end, other, begin_b, end_b, kind, *_ in table(folder / "truth.tsv"):
        sides = [(str(folder / "docs" / f"{one}.txt"), (int(begin), int(end))),
                 (str(folder / "docs" / f"{other}.txt"), (int(begin_b), int(end_b)))]
        total[kind] += 1
        found[kind] += all(2 * result.covered(a, b, span, span_b) >= span[1] - span[0]
                           for (a, span), (b, span_b) in (sides, sides[::-1]))
    return ", ".join(f"{found[kind]} of {total[kind]}" for kind in ("same", "edited", "little", "other"))


def bln600(folder, result):
    """OCR texts by errors."""
    groups = collections.defaultdict(list)
    own = set()
    for ocr, typed, errors, _ in table(folder / "truth.tsv"):
        groups[bisect.bisect_right(ERRORS, float(errors))].append(result.share(ocr, typed))
        own |= {(ocr, typed), (typed, ocr)}
    wrong = sum(len(rows) for pair, rows in result.passages.items() if pair not in own) // 2
    return (" ".join(f"{sum(group) / len(group):.2f}" for _, group in sorted(groups.items()))
            + f"; {wrong} of {result.rows}")


def hadith(folder, result):
    """Traditions without vowel marks that name their source."""
    quoting = {one for one, other in result.passages if other.startswith("bukhari-")}
    named = [name for name, source in table(folder / "truth.tsv")
             if source == "1" and not name.startswith("nawawi")]
    return f"{len(quoting.intersection(named))} of {len(named)}"


def licences(folder, result):
    """Variants of licences, and licences in other texts."""
    folders = collections.defaultdict(list)
    for name in result.ids:
        folders[os.path.dirname(name)].append(name)
    pairs = [pair for place, names in folders.items() if os.path.dirname(place).endswith("/License")
             for pair in itertools.combinations(names, 2)]
    half = sum(max(result.share(a, b), result.share(b, a)) >= 0.5 for a, b in pairs)
    with_it = collections.defaultdict(set)
    for one, other in result.passages:
        with_it[pathlib.Path(one).stem].add(pathlib.Path(other).parent.name)
    wanted = [(name, licence) for name, expected in table(folder / "truth.tsv")
              for licence in expected.split(",") if licence not in ("", "Copyright")]
    found = sum(licence in with_it[name] for name, licence in wanted)
    return (f"{sum(pair in result.passages for pair in pairs)}, half covered {half} of {len(pairs)}; "
            f"{found} of {len(wanted)}")


def irplag(_, result):
    """Programs that were copied and programs that were not, each against the original of its case."""
    scores = {True: [], False: []}
    for name in result.ids:
        path = pathlib.Path(name)
        if path.name != "original.java":
            scores[not path.name.startswith("non-")].append(
                result.share(name, str(path.parent / "original.java")))
    pairs = len(scores[True]) * len(scores[False])
    won = sum((a > b) + (a == b) / 2 for a in scores[True] for b in scores[False])
    return f"{won / pairs:.2f}"


def doxygen(folder, result):
    """The same page in two versions."""
    wanted = table(folder / "same-page.tsv")
    found = sum((str(folder / a), str(folder / b)) in result.passages for a, b in wanted)
    within = sum(os.path.dirname(a) == os.path.dirname(b) for a, b in result.passages) // 2
    return f"{found} of {len(wanted)}; {within}"


JUDGES = {"code-civil-fr": code_civil, "bln600-ocr": bln600, "hadith-arabic-bukhari": hadith,
          "licence-variants": licences, "irplag-java": irplag, "doxygen-versions": doxygen}


def main(argv):
    """Prints the cell."""
    if len(argv) != 3 or argv[0] not in JUDGES:
        sys.exit(__doc__)
    print(JUDGES[argv[0]](pathlib.Path(argv[1]), Result(argv[2])))


if __name__ == "__main__":
    main(sys.argv[1:])
