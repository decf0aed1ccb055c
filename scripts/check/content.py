#!/usr/bin/env python3
"""Measures how well pardup finds the article of a page, against pages labelled by hand.

    content.py [--verbose]

Prints precision, recall and F1 of runs of four words (with their numbers of times) in what pardup
takes for the text, against the runs of the labelled article: means over the pages, for `--content all`
and `--content main`.  --verbose: a line a page.  The benchmark's own score also is that of runs of
four words.  PARDUP, PARDUP_DATA: see suites.py.
"""

import collections
import gzip
import json
import re
import sys

import suites

RUN = 4  # words


def shingles(text):
    """How often each run of words occurs."""
    words = re.findall(r"\w+", text)
    if len(words) < RUN:
        return collections.Counter([tuple(words)] if words else [])
    return collections.Counter(zip(*(words[k:] for k in range(RUN))))


def measure(found, wanted):
    """Precision, recall, F1 of one page."""
    found, wanted = shingles(found), shingles(wanted)
    common = sum((found & wanted).values())
    precision = common / sum(found.values()) if found else float(not wanted)
    recall = common / sum(wanted.values()) if wanted else 1.0
    return precision, recall, 2 * common / max(1, sum(found.values()) + sum(wanted.values()))


def main():
    """Returns the exit status."""
    verbose = suites.arguments(__doc__).parse_args().verbose
    folder = suites.unpack("article-extraction-A")
    labels = json.loads((folder / "ground-truth.json").read_text("utf-8"))
    names = sorted(path.name.removesuffix(".html.gz") for path in folder.glob("html/*.html.gz"))
    pages = [("text/html", gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes()))
             for name in names]
    for content in ("all", "main"):
        found = suites.texts(pages, "--content", content)
        rows = [measure(text or "", labels[name]["articleBody"])
                for name, text in zip(names, found)]
        for name, row in zip(names, rows):
            if verbose:
                print(f"{content} {name[:12]}", *(f"{value:.3f}" for value in row))
        means = [sum(column) / len(rows) for column in zip(*rows)]
        print(f"content {content}: precision {means[0]:.3f}, recall {means[1]:.3f}, "
              f"F1 {means[2]:.3f} of {len(rows)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
