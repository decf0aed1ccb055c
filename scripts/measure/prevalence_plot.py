#!/usr/bin/python3
"""Figure 4.6 of Nikkhoo's thesis: runs and topics against their share of near duplicates.

    pardup prevalence --table shares --run FILE... RESULT.h5 | prevalence_plot.py OUT.png

One line for each number n of first documents, one panel for each resemblance.
"""

import csv
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot


def main():
    rows = list(csv.DictReader(sys.stdin, delimiter="\t"))
    if len(sys.argv) != 2 or not rows:
        sys.exit(__doc__)
    bound = list(rows[0])[1]
    levels = list(dict.fromkeys(row["rr"] for row in rows))
    figure, panels = pyplot.subplots(1, len(levels), figsize=(6 * len(levels), 4), squeeze=False)
    for level, axes in zip(levels, panels[0]):
        chosen = [row for row in rows if row["rr"] == level]
        for name in [name for name in rows[0] if name.startswith("n")]:
            axes.plot([100 * float(row[bound]) for row in chosen],
                      [100 * float(row[name]) for row in chosen], marker=".", label=f"n = {name[1:]}")
        axes.set(xlabel=f"{bound.replace('_', ' ')} this % of near duplicates, RR >= {level}",
                 ylabel="% of run-topics", xlim=(0, 100), ylim=(0, 100))
        axes.legend()
    figure.tight_layout()
    figure.savefig(sys.argv[1], dpi=120)


if __name__ == "__main__":
    main()
