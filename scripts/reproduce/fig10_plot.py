#!/usr/bin/python3
"""Bars like those of figure 10 of Zhang et al. (2010), from the rows of scripts/reproduce/fig10.sh.

    fig10_plot.py ROWS.tsv PICTURE.png

A row has a collection, its documents, the documents with a near-duplicate document, and the others that share a passage.
"""

import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  pylint: disable=wrong-import-position


def main():
    """Read, draw."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    names = list(dict.fromkeys(row[0] for row in rows))
    figure, panes = pyplot.subplots(1, len(names), figsize=(4.5 * len(names), 3.6), squeeze=False)
    for pane, name in zip(panes[0], names):
        mine = [[int(cell) for cell in row[1:]] for row in rows if row[0] == name]
        labels = [f"{row[0]:,}" for row in mine]
        pane.bar(labels, [row[1] for row in mine], label="SpotSigs of documents")
        pane.bar(labels, [row[2] for row in mine], bottom=[row[1] for row in mine], label="others, by passages")
        pane.set_title(name)
        pane.set_xlabel("documents read")
        pane.set_ylabel("documents with duplicates")
        pane.legend()
    figure.tight_layout()
    figure.savefig(sys.argv[2], dpi=110)


if __name__ == "__main__":
    main()
