#!/usr/bin/python3
"""Tables 3.1 to 3.4, figure 3.9 and table 4.1 of Nikkhoo's thesis (Waterloo 2010), published beside ours,
as Markdown.

    nikkhoo_tables.py sampling FULL.h5 M=FILE.h5...
    nikkhoo_tables.py sct FULL.h5 N=FILE.h5...
    nikkhoo_tables.py blanks FULL.h5 KEPT.h5
    nikkhoo_tables.py addresses FULL.h5
    nikkhoo_tables.py pairs SHINGLES
    nikkhoo_tables.py prevalence SHARES.tsv TOPICS.tsv

A cell has our figure, then the published one in parentheses.  FULL.h5 has every pair that shares a
shingle, KEPT.h5 the same with blanks in shingles.  SHINGLES: one line for each number of documents that a shingle is in, "documents shingles".
SHARES.tsv and TOPICS.tsv: tables of `pardup prevalence`.
"""

import csv
import collections
import math
import re
import sys
import urllib.parse

import h5py
import numpy

STEPS = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
NEAR = 0.5

# Tables 3.1 and 3.3: per cent of documents at RR >= 0.9, 0.8 ... 0.1, by 1 / share of shingles and by SCT.
SAMPLED = {
    1: (7.44, 10.05, 12.37, 14.64, 17.36, 20.08, 23.07, 26.90, 34.12),
    2: (7.44, 10.09, 12.43, 14.67, 17.30, 20.07, 23.06, 26.81, 34.05),
    4: (7.42, 10.13, 12.49, 14.71, 17.37, 20.19, 23.10, 26.84, 34.22),
    8: (7.53, 10.14, 12.80, 14.97, 17.53, 20.42, 23.16, 26.87, 34.38),
    16: (7.67, 10.37, 12.75, 14.92, 17.80, 20.38, 23.09, 26.98, 34.20),
    32: (7.79, 10.54, 12.81, 15.15, 17.88, 20.38, 23.35, 27.14, 34.67),
    64: (8.08, 10.92, 13.26, 15.54, 18.03, 20.35, 23.23, 26.92, 33.55),
    128: (8.42, 10.78, 12.75, 15.01, 17.28, 19.37, 21.76, 24.97, 29.84),
    256: (9.00, 10.66, 12.38, 14.74, 16.57, 18.16, 19.94, 22.16, 25.42),
    512: (8.51, 9.59, 10.73, 12.41, 13.83, 14.73, 15.76, 17.24, 19.57),
}
COMMON = {
    100: (6.33, 9.29, 12.00, 14.26, 16.62, 19.08, 21.90, 25.54, 32.65),
    90: (6.31, 9.27, 11.98, 14.25, 16.61, 19.06, 21.88, 25.53, 32.64),
    80: (6.00, 8.81, 11.69, 14.03, 16.44, 18.89, 21.64, 25.30, 32.44),
    70: (5.89, 8.61, 11.16, 13.77, 16.32, 18.69, 21.36, 24.94, 32.03),
    60: (5.81, 8.59, 11.08, 13.34, 15.34, 17.87, 20.72, 24.16, 31.51),
    50: (5.80, 8.58, 11.06, 13.32, 15.31, 17.82, 20.69, 24.16, 31.08),
    40: (5.77, 8.55, 10.98, 13.12, 14.94, 17.13, 19.93, 23.51, 30.19),
    30: (5.68, 8.50, 10.93, 13.07, 14.88, 17.00, 19.52, 23.22, 29.84),
    20: (5.24, 8.01, 10.36, 12.43, 14.27, 16.22, 18.50, 22.12, 28.34),
    10: (4.31, 6.48, 8.54, 10.57, 12.05, 13.94, 16.10, 19.26, 25.00),
}
# Tables 3.2 and 3.4: average error, correlation, recall, precision.
SAMPLED_QUALITY = {
    2: (0.0087, 0.9972, 0.9681, 0.9659), 4: (0.0177, 0.9888, 0.9378, 0.9086),
    8: (0.0444, 0.9371, 0.8810, 0.7922), 16: (0.0715, 0.8640, 0.8211, 0.7187),
    32: (0.0940, 0.7714, 0.8330, 0.6746), 64: (0.1053, 0.7191, 0.8607, 0.6791),
    128: (0.1627, 0.5465, 0.7258, 0.7695), 256: (0.2656, 0.2777, 0.6929, 0.5939),
    512: (0.3292, 0.1521, 0.6079, 0.6479),
}
COMMON_QUALITY = {
    100: (0.0433, 0.8511, 0.9127, 1), 90: (0.0443, 0.8484, 0.9117, 1), 80: (0.0508, 0.8273, 0.9014, 1),
    70: (0.0628, 0.7756, 0.8982, 1), 60: (0.1333, 0.7639, 0.7310, 1), 50: (0.1366, 0.7611, 0.7287, 1),
    40: (0.2054, 0.7767, 0.6321, 1), 30: (0.2126, 0.7730, 0.6261, 1), 20: (0.2582, 0.7559, 0.5563, 1),
    10: (0.3922, 0.6212, 0.3706, 1),
}
# Table 4.1: per cent of run-topics at 5, 10 ... 95 % of near duplicates, for n = 10 ... 500.
RUN_TOPICS = [
    (None, 67.46, 73.80, 86.00, 92.25, 95.92), (45.41, 49.13, 57.77, 66.79, 75.35, 84.65),
    (45.41, 37.46, 42.11, 50.17, 57.15, 66.62), (27.10, 30.00, 34.85, 37.32, 41.38, 48.68),
    (27.10, 23.89, 26.85, 27.35, 29.86, 34.99), (19.46, 20.17, 21.55, 21.24, 22.76, 24.17),
    (19.46, 17.32, 16.62, 16.28, 17.89, 16.42), (14.62, 14.28, 13.83, 13.21, 13.66, 13.07),
    (14.62, 12.56, 11.15, 11.01, 10.56, 10.28), (11.69, 11.07, 9.92, 9.24, 8.17, 7.66),
    (11.69, 9.69, 7.86, 7.49, 6.45, 5.52), (8.85, 8.34, 7.04, 5.86, 4.99, 3.86),
    (8.85, 6.85, 5.46, 4.59, 3.46, 2.70), (6.11, 5.75, 4.28, 3.44, 2.45, 1.61),
    (6.11, 4.39, 3.01, 2.42, 1.61, 0.96), (3.66, 3.52, 2.37, 1.55, 0.93, 0.65),
    (3.66, 2.45, 1.80, 0.90, 0.59, 0.28), (1.92, 1.69, 1.30, 0.51, 0.25, 0.17),
    (1.92, 0.76, 0.62, 0.17, 0.08, 0.08),
]


class Result:
    """Pairs of a result: their keys, ascending, and their resemblance."""

    def __init__(self, path):
        with h5py.File(path) as h5:
            self.documents = len(h5["/documents/id"])
            pairs = h5["/pairs"]
            a, b = pairs["doc_a"][:].astype("u8"), pairs["doc_b"][:].astype("u8")
            self.keys = a * numpy.uint64(self.documents) + b
            self.resemblance = pairs["resemblance"][:]
            self.seconds = sum(h5.attrs[name] for name in h5.attrs if name.startswith("seconds_"))
        order = numpy.argsort(self.keys)
        self.keys, self.resemblance = self.keys[order], self.resemblance[order]

    def near(self, least):
        """Documents with a partner at this resemblance."""
        keys = self.keys[self.resemblance >= least]
        return numpy.unique(numpy.concatenate([keys // numpy.uint64(self.documents),
                                               keys % numpy.uint64(self.documents)]))

    def of(self, keys):
        """The resemblance of pairs; 0 for a pair that this result does not have."""
        if not len(self.keys):
            return numpy.zeros(len(keys))
        at = numpy.minimum(numpy.searchsorted(self.keys, keys), len(self.keys) - 1)
        return numpy.where(self.keys[at] == keys, self.resemblance[at], 0)


# The text of section 3.3.1, in seconds without those in which clusters start: by 1 / share of shingles.
SECONDS = {None: 750, 64: 90}


def cell(ours, published, form):
    return format(ours, form) + ("" if published is None else f" ({published:{form}})")


def table(head, rows):
    print("\n| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def quality(full, reduced):
    """Average error and correlation over the pairs of the full run; recall and precision of documents."""
    ours, exact = reduced.of(full.keys), full.resemblance
    correlation = numpy.corrcoef(exact, ours)[0, 1] if ours.any() else math.nan
    dup, res = full.near(NEAR), reduced.near(NEAR)
    both = len(numpy.intersect1d(dup, res))
    return (numpy.abs(exact - ours).mean(), correlation, both / len(dup) if len(dup) else math.nan,
            both / len(res) if len(res) else math.nan)


def reduced_tables(full_path, named, shares, measures, name, label):
    full = Result(full_path)
    columns = [(None, full)] + [(int(k), Result(path)) for k, path in named]
    first = shares.get(1) or SAMPLED[1]  # the full run is the same in tables 3.1 and 3.3
    print(f"\n{full.documents:,} documents, {len(full.keys):,} pairs with a common shingle; per cent of"
          f" documents with a near duplicate.")
    table(["RR"] + [label(k) for k, _ in columns],
          [[f">= {step}"] + [cell(100 * len(r.near(step)) / r.documents,
                                  (shares.get(k) if k else first)[row], ".2f") for k, r in columns]
           for row, step in enumerate(STEPS)])
    print(f"\nAgainst the full run, over its {len(full.keys):,} pairs and {len(full.near(NEAR)):,}"
          f" documents at RR >= {NEAR}:")
    published_seconds = SECONDS if name == "shingles kept" else {None: SECONDS[None]}
    table([name, "average error", "correlation", "recall", "precision", "pairs", "seconds"],
          [[label(k)] + [cell(ours, published, ".4f") for ours, published
                         in zip(quality(full, r), measures.get(k, [None] * 4))]
           + [f"{len(r.keys):,}", cell(r.seconds, published_seconds.get(k), ".3g")] for k, r in columns])


def kept(m):
    return "100 %" if m is None else f"{100 / m:.3g} %"


def threshold(n):
    return "no limit" if n is None else str(n)


def pairs_table(path):
    counts = [tuple(map(int, line.split())) for line in open(path, encoding="utf-8")]
    def emitted(most):
        return sum(shingles * df * (df - 1) // 2 for df, shingles in counts if df <= most)
    every = emitted(math.inf)
    print(f"\n{sum(s for _, s in counts):,} different shingles, {sum(s * d for d, s in counts):,} in all"
          f" documents; {every:,} (shingle, pair of documents) without a limit.")
    table(["SCT", "emitted", "fewer by"],
          [[str(most), f"{emitted(most):,}", f"{100 * (1 - emitted(most) / every):.1f} %"
            + (" (about 25 %)" if most == 70 else "")] for most in COMMON])


def blanks_table(full_path, kept_path):
    """What blanks in shingles change, over the pairs of either result."""
    full, kept_ = Result(full_path), Result(kept_path)
    keys = numpy.union1d(full.keys, kept_.keys)
    moved = numpy.abs(full.of(keys) - kept_.of(keys))
    near = [full.near(NEAR), kept_.near(NEAR)]
    both = len(numpy.intersect1d(*near))
    table(["shingles", "pairs", f"documents at RR >= {NEAR}", "of both", "RR moves, mean", "most"],
          [["without blanks", f"{len(full.keys):,}", f"{len(near[0]):,}", f"{both:,}", "", ""],
           ["with blanks", f"{len(kept_.keys):,}", f"{len(near[1]):,}", f"{both:,}", f"{moved.mean():.4f}",
            f"{moved.max():.2f}"]])


def address(url):
    """(host, what is behind it) without what varies between addresses of one page (section 4.2)."""
    parts = urllib.parse.urlsplit(url.lower())
    host = parts.netloc.split(":")[0].removeprefix("www.")
    path = re.sub(r"(/(index|default|home)\.[a-z]+|/)$", "", parts.path)
    return host, path + ("?" + parts.query if parts.query else "")


def kind_of_addresses(one, other):
    """How the addresses of two near duplicates differ."""
    if one == other:
        return "the same address, captured again"
    (host, path), (other_host, other_path) = address(one), address(other)
    if (host, path) == (other_host, other_path):
        return "www, index page, capitals or scheme"
    if host == other_host:
        return "one host, other query" if path.split("?")[0] == other_path.split("?")[0] else "one host, other path"
    return "another host, the same path" if path == other_path and path else "another host and path"


def address_table(path):
    """Kinds of near duplicates by their addresses."""
    with h5py.File(path) as h5:
        urls = [url.decode("utf-8", "replace") if isinstance(url, bytes) else url for url in h5["/documents/url"][:]]
        near = h5["/pairs/resemblance"][:] >= NEAR
        pairs = list(zip(h5["/pairs/doc_a"][:][near].tolist(), h5["/pairs/doc_b"][:][near].tolist()))
    pairs = [(urls[a], urls[b]) for a, b in pairs if urls[a] and urls[b]]
    kinds = collections.Counter(kind_of_addresses(*pair) for pair in pairs)
    print(f"\n{len(urls):,} documents, {len(pairs):,} pairs with addresses at RR >= {NEAR}.")
    table(["near duplicates by address", "pairs", "share"],
          [[kind, f"{n:,}", f"{100 * n / len(pairs):.1f} %"] for kind, n in kinds.most_common()])


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def prevalence_tables(shares, topics):
    rows = rows_of(shares)
    tops = [name for name in rows[0] if name.startswith("n")]
    bound = "more_than" if "more_than" in rows[0] else "at_least"
    table([bound.replace("_", " ")] + [f"n = {top[1:]}" for top in tops],
          [[f"{100 * float(row[bound]):.0f} %"] + [cell(100 * float(row[top]), published[k], ".2f")
                                                   for k, top in enumerate(tops)]
           for row, published in zip(rows, RUN_TOPICS)])
    print("\nTopic collections (figures 4.1 to 4.5; the thesis has no numbers, and says that each is over"
          " 20 % at RR >= 0.5):")
    chosen = [row for row in rows_of(topics) if row["topic"] == "all"]
    every = {row["rr"]: [100 * float(r["share"]) for r in rows_of(topics)
                         if r["rr"] == row["rr"] and r["topic"] != "all"] for row in chosen}
    table(["RR", "mean of topics", "least", "most"],
          [[f">= {row['rr']}", f"{100 * float(row['mean_share']):.2f} %", f"{min(every[row['rr']]):.2f} %",
            f"{max(every[row['rr']]):.2f} %"] for row in chosen])


def main():
    what, *files = sys.argv[1:]
    named = [name.split("=", 1) for name in files[1:] if "=" in name]
    if what == "sampling":
        reduced_tables(files[0], named, SAMPLED, SAMPLED_QUALITY, "shingles kept", kept)
    elif what == "sct":
        reduced_tables(files[0], named, COMMON, COMMON_QUALITY, "SCT", threshold)
    elif what == "blanks":
        blanks_table(*files)
    elif what == "addresses":
        address_table(*files)
    elif what == "pairs":
        pairs_table(files[0])
    else:
        prevalence_tables(*files)


if __name__ == "__main__":
    main()
