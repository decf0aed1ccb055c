#!/usr/bin/env python3
"""What dedup leaves of planted copies that a passage proves.

usage: dedup_planted.py OUT TRUTH PASSAGES      output folder, truth file of pardup synth, pardup export --table passages

A planted copy is verified if one passage of its two documents, in which at least 0.8 of the words agree, has 0.9 of its bytes
in both. Its text is removed as far as it went from one of the two documents. The rest is sentences that were edited.
"""
import collections
import json
import subprocess
import sys

AGREEMENT, COVERED = 0.8, 0.9


def common(begin, end, other):
    return max(0, min(end, other[1]) - max(begin, other[0]))


def read_removals(out):
    cut, gone = collections.defaultdict(list), set()
    lines = subprocess.run(["zstd", "-dcq", f"{out}.proof/removed.jsonl.zst"], check=True, capture_output=True).stdout
    for row in map(json.loads, lines.splitlines()):
        cut[row["id"]].append((row["begin"], row["end"]))
        if row["removed"] == "document":
            gone.add(row["id"])
    return cut, gone


def read_passages(path):
    """Places of passages that agree enough, by both ids."""
    passages = collections.defaultdict(list)
    with open(path) as f:
        names = next(f).rstrip("\n").split("\t")
        for line in f:
            row = dict(zip(names, line.rstrip("\n").split("\t")))
            if float(row["agreement"]) >= AGREEMENT:
                places = [(int(row[f"begin_{s}"]), int(row[f"end_{s}"])) for s in "ab"]
                passages[row["id_a"], row["id_b"]].append(places)
    return passages


def main(out, truth, path):
    cut, gone = read_removals(out)
    passages = read_passages(path)
    planted = verified = most = text = removed = 0
    for line in open(truth):
        if line.startswith("#"):
            continue
        a, begin_a, end_a, b, begin_b, end_b = line.split("\t")[:6]
        copies = [(a, int(begin_a), int(end_a)), (b, int(begin_b), int(end_b))]
        planted += 1
        if not any(all(common(begin, end, place) >= COVERED * (end - begin) for (_, begin, end), place in zip(copies, places))
                   for places in passages[a, b]):
            continue
        share = max(1 if doc in gone else sum(common(begin, end, span) for span in cut[doc]) / (end - begin)
                    for doc, begin, end in copies)
        size = copies[1][2] - copies[1][1]
        verified += 1
        most += share >= COVERED
        text += size
        removed += share * size
    print(f"{planted} planted copies, {verified} verified: {100 * removed / text:.2f} % of their text is gone, "
          f"nine tenths of it in {100 * most / verified:.2f} % of them")


main(*sys.argv[1:])
