#!/usr/bin/env python3
"""What `pardup eval --format json` should say, worked out again in the slowest plain way.

Text is a set of positions, overlap is set intersection, every case meets every detection. The
definitions are those of the header of tools/eval/measures.h (Potthast et al., COLING 2010).

    eval_reference.py [--unit char|byte] [--bootstrap N] [--seed S] [--ignore FILE]
                      --truth FILE... RESULT.h5 < JSON

reads pardup's answer from standard input and complains about every number that is different.
"""

import argparse
import collections
import json
import math
import pathlib
import sys
import xml.etree.ElementTree

import h5py

TOLERANCE = 1e-9
Match = collections.namedtuple("Match", "docs ranges label")  # ranges: document -> (begin, end)


# ------------------------------------------------------------------ reading

def text(value):
    return value.rstrip(b"\0").decode() if isinstance(value, bytes) else str(value)


def read_result(path):
    """Ids of the documents, and detections as (id, begin, end, id, begin, end)."""
    with h5py.File(path, "r") as h5:
        ids = [text(name) for name in h5["/documents/id"][:]]
        table = h5["/passages"]
        names = ("doc_a", "begin_a", "end_a", "doc_b", "begin_b", "end_b")
        rows = zip(*(map(int, table[name][:]) for name in names))
        return ids, [(ids[a], i, j, ids[b], k, l) for a, i, j, b, k, l in rows]


def read_tsv(path):
    """Cases, labels: [(row, class)], [(pair, class)]."""
    cases, labels = [], []
    for line in pathlib.Path(path).read_text().splitlines():
        field = line.split("\t")
        if not line or line.startswith("#"):
            continue
        if len(field) >= 6:
            row = (field[0], int(field[1]), int(field[2]), field[3], int(field[4]), int(field[5]))
            cases.append((row, field[6] if len(field) > 6 and field[6] else None))
        else:
            labels.append(((field[0], field[1]), field[2] if len(field) > 2 and field[2] else None))
    return cases, labels


def read_ignored(path, contents, unit):
    """The positions (document, offset) that are not judged."""
    ignored = set()
    for line in pathlib.Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            doc, begin, end = line.split("\t")[:3]
            row = (doc, int(begin), int(end), doc, 0, 0)
            ignored |= positions(in_characters(row, contents) if unit == "char" else row)
    return ignored


def read_pan(folder):
    """Cases and listed pairs of one of PAN's folders."""
    folder, cases, listed = pathlib.Path(folder), [], []
    for line in (folder / "pairs").read_text().splitlines():
        names = line.split()
        listed.append((tuple(names), folder.name))
        stem = "-".join(pathlib.Path(name).stem for name in names)
        root = xml.etree.ElementTree.parse(folder / f"{stem}.xml").getroot()
        for f in root.iter("feature"):
            if f.get("name") == "plagiarism":
                at, source_at = int(f.get("this_offset")), int(f.get("source_offset"))
                cases.append(((root.get("reference"), at, at + int(f.get("this_length")),
                               f.get("source_reference"), source_at,
                               source_at + int(f.get("source_length"))), folder.name))
    return cases, listed


def in_characters(row, contents):
    """The row with byte offsets restated in characters; documents without text stay."""
    def restate(doc, offset):
        return len(contents[doc][:offset].decode()) if doc in contents else offset
    a, i, j, b, k, l = row
    return a, restate(a, i), restate(a, j), b, restate(b, k), restate(b, l)


# ------------------------------------------------------------------ measures

IGNORED = set()  # positions that are not judged


def positions(row):
    """Every position of the text of a row, in either document, that is judged."""
    a, i, j, b, k, l = row
    return ({(a, p) for p in range(i, j)} | {(b, p) for p in range(k, l)}) - IGNORED


def is_judged(row):
    """Is anything left of the row in both documents?"""
    return {doc for doc, _ in positions(row)} == {row[0], row[3]}


def finds(detection, case):
    """Do they share text in both documents?"""
    shared = positions(detection) & positions(case)
    return {doc for doc, _ in shared} == {case[0], case[3]}


def pair_of(row):
    return tuple(sorted((row[0], row[3])))


def mean(values, other):
    return sum(values) / len(values) if values else float(not other)


def f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def part(some, of, other):
    return some / of if of else float(not other)


def triple(prefix, precision, recall):
    return {prefix + "precision": precision, prefix + "recall": recall,
            prefix + "f1": f1(precision, recall)}


class Pair:
    """All that is known of one document pair, from the view of a class (None: of all)."""

    def __init__(self, cases, detections, labels, duplicate_label, name):
        self.true = bool(cases) or duplicate_label
        self.found = bool(detections)
        self.judged = bool(cases) or not duplicate_label
        rows = [row for row, _ in cases]
        own = [row for row, label in cases if name is None or label == name]
        if not self.judged:
            detections = []
        self.recalls, self.hits, self.precisions = [], [], []
        self.case_text, self.case_found, self.text, self.text_true = set(), set(), set(), set()
        for case in own:
            by = [d for d in detections if finds(d, case)]
            covered = positions(case) & set().union(*map(positions, by))
            self.recalls.append(len(covered) / len(positions(case)))
            self.hits += [len(by)] if by else []
            self.case_text |= positions(case)
            self.case_found |= covered
        for detection in detections:
            by = [c for c in rows if finds(detection, c)]
            covered = positions(detection) & set().union(*map(positions, by))
            self.precisions.append(len(covered) / len(positions(detection)))
            self.text |= positions(detection)
            self.text_true |= covered


def passage_measures(pairs):
    recalls = [x for p in pairs for x in p.recalls]
    precisions = [x for p in pairs for x in p.precisions]
    hits = [x for p in pairs for x in p.hits]
    out = triple("", mean(precisions, recalls), mean(recalls, precisions))
    out["granularity"] = sum(hits) / len(hits) if hits else 1.0
    out["plagdet"] = out["f1"] / math.log2(1 + out["granularity"])
    size = {name: sum(len(getattr(p, name)) for p in pairs)
            for name in ("case_text", "case_found", "text", "text_true")}
    out |= triple("micro_", part(size["text_true"], size["text"], size["case_text"]),
                  part(size["case_found"], size["case_text"], size["text"]))
    return out


def set_measures(prefix, true, found):
    both = len(true & found)
    return triple(prefix, part(both, len(found), len(true)), part(both, len(true), len(found)))


def pair_measures(pairs):
    true = {k for k, p in enumerate(pairs) if p.true}
    return set_measures("pair_", true, {k for k, p in enumerate(pairs) if p.found})


# ------------------------------------------------------------------ bootstrap

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
    return x ^ x >> 31


def draws(seed, stream, resample, n):
    """The members of a resample: a counter-based stream for each."""
    start = mix((mix((seed * 2 + stream) & WORD) + resample * GOLDEN) & WORD)
    return [mix((start + k * GOLDEN) & WORD) * n >> 64 for k in range(n)]


def quantile(values, q):
    values = sorted(values)
    at = q * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def document_sample(kinds, drawn):
    count = collections.Counter(kinds[k] for k in drawn)
    both, true, found = count["both"], count["true"], count["found"]
    return triple("document_", part(both, both + found, both + true),
                  part(both, both + true, both + found))


# ------------------------------------------------------------------ a class

def evaluate(name, task, options):
    """The measures of a class: {measure: [value, low, high]} and counts."""
    pairs, true, found = [], set(), set()
    for key in sorted(task.keys, key=task.order):
        labels = task.labels[key]
        cases = task.cases[key]
        if name is not None and name not in ({c for _, c in cases} | {c for c in labels}):
            continue
        p = Pair(cases, task.detections[key], labels, key in task.duplicates, name)
        pairs.append(p)
        true |= set(key) if p.true else set()
        found |= set(key) if p.found else set()
    kinds = ["both"] * len(true & found) + ["true"] * len(true - found)
    kinds += ["found"] * len(found - true)
    judged = any(p.judged for p in pairs)

    def measures(some, drawn):
        out = passage_measures(some) | pair_measures(some) | document_sample(kinds, drawn)
        return out
    value = {k: [v] for k, v in measures(pairs, range(len(kinds))).items()}
    samples = [measures([pairs[k] for k in draws(options.seed, 0, r, len(pairs))],
                        draws(options.seed, 1, r, len(kinds)))
               for r in range(options.bootstrap if pairs else 0)]
    for key, v in value.items():
        if options.bootstrap:
            some = [s[key] for s in samples] or v
            v += [quantile(some, 0.025), quantile(some, 0.975)]
        if not judged and not key.startswith(("pair_", "document_")):
            value[key] = None
    value |= {"class": name, "document_pairs": len(pairs),
              "cases": sum(len(p.recalls) for p in pairs),
              "cases_found": sum(len(p.hits) for p in pairs),
              "detections": sum(len(p.precisions) for p in pairs),
              "case_text": sum(len(p.case_text) for p in pairs),
              "found_text": sum(len(p.text) for p in pairs),
              "true_pairs": sum(p.true for p in pairs), "found_pairs": sum(p.found for p in pairs),
              "true_documents": len(true), "found_documents": len(found)}
    return value


class Task:
    """Cases, labels and detections by document pair."""

    def __init__(self, options):
        pan = pathlib.Path(options.truth[0]).is_dir()
        ids, detections = read_result(options.result)
        paths = {name: pathlib.Path(name) for name in ids}
        if pan:
            ids = [pathlib.Path(name).name for name in ids]
            detections = [(pathlib.Path(a).name, i, j, pathlib.Path(b).name, k, l)
                          for a, i, j, b, k, l in detections]
        contents = {(path.name if pan else name): path.read_bytes()
                    for name, path in paths.items() if path.is_file()}
        if options.unit == "char":
            detections = [in_characters(row, contents) for row in detections]
        self.names, self.number = [], {name: k for k, name in reversed(list(enumerate(ids)))}
        self.cases, self.labels = collections.defaultdict(list), collections.defaultdict(list)
        self.detections, self.duplicates = collections.defaultdict(list), set()
        self.outside = self.ignored = 0
        mentioned = set()
        if options.ignore:
            IGNORED.update(read_ignored(options.ignore, contents, options.unit))
        for path in options.truth:
            cases, labels = read_pan(path) if pan else read_tsv(path)
            if options.unit == "char" and not pan:
                cases = [(in_characters(row, contents), label) for row, label in cases]
            for row, label in cases:
                mentioned |= {row[0], row[3]}
                if is_judged(row):
                    self.cases[pair_of(row)].append((row, label))
                self.name(label)
            for pair, label in labels:
                key = tuple(sorted(pair))
                self.labels[key].append(label)
                self.name(label)
                if not pan:
                    self.duplicates.add(key)
        self.truth = set(self.cases) | set(self.labels)
        for row in detections:
            if pan and pair_of(row) not in self.labels:
                self.outside += 1
            elif not is_judged(row):
                self.ignored += 1
            else:
                self.detections[pair_of(row)].append(row)
        self.keys = self.truth | set(self.detections)
        self.unknown = {doc for key in self.keys for doc in key} | mentioned
        self.unknown -= set(self.number)

    def name(self, label):
        if label is not None and label not in self.names:
            self.names.append(label)

    def order(self, key):
        """Where pardup has the pair: by row of /documents (tests know at most one unknown id)."""
        return sorted(self.number.get(doc, len(self.number)) for doc in key)


def differences(path, got, expected):
    """Everything in which two answers are different, as text."""
    if isinstance(expected, dict):
        for key in expected:
            yield from differences(f"{path}.{key}", (got or {}).get(key, "nothing"), expected[key])
    elif isinstance(expected, list):
        if not isinstance(got, list) or len(got) != len(expected):
            yield f"{path}: {got}, expected {expected}"
            return
        for k, (g, e) in enumerate(zip(got, expected)):
            yield from differences(f"{path}[{k}]", g, e)
    elif isinstance(expected, float):
        if not isinstance(got, (int, float)) or abs(got - expected) > TOLERANCE:
            yield f"{path}: {got}, expected {expected}"
    elif got != expected:
        yield f"{path}: {got}, expected {expected}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("result")
    parser.add_argument("--truth", action="append", required=True)
    parser.add_argument("--unit", choices=("char", "byte"), required=True)
    parser.add_argument("--bootstrap", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ignore")
    options = parser.parse_args()
    task = Task(options)
    got = json.load(sys.stdin)
    expected = {"outside": task.outside, "ignored": task.ignored, "unit": options.unit,
                "bootstrap": options.bootstrap,
                "classes": [evaluate(name, task, options) for name in [*task.names, None]]}
    complaints = list(differences("answer", got, expected))
    if sorted(got["unknown"]) != sorted(task.unknown):
        complaints.append(f"answer.unknown: {got['unknown']}, expected {sorted(task.unknown)}")
    for line in complaints[:20]:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
