#!/usr/bin/python3
"""Table and picture of the runs of scripts/measure/running_time.sh.

    running_time_plot.py RUNS.jsonl PICTURE.png
"""

import json
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  pylint: disable=wrong-import-position

STAGES = ("read", "count", "gather", "join", "align", "write")
HEAD = ("method", "documents", "GB of HTML", "seconds", "us a document", *STAGES, "passages", "document pairs", "MB a rank")
LABELS = {"pdc-imatch": "passages, I-Match (pdc-imatch)", "spotsigs-doc": "documents, SpotSigs (spotsigs-doc)"}


def cells(run):
    """One line of the table."""
    stages = [f"{run['stages'][s]['seconds']:.0f}" for s in STAGES]
    return [run["method"], f"{run['documents']:,}", f"{run['html_mb'] / 1e3:.1f}", f"{run['seconds']:.0f}",
            f"{run['seconds'] / run['documents'] * 1e6:.0f}", *stages, f"{run['passages']:,}", f"{run['pairs']:,}",
            f"{run['peak_mb']:.0f}"]


def draw(runs, path):
    """Seconds against millions of documents, a line a method."""
    figure, axes = pyplot.subplots(figsize=(6, 4))
    for method in dict.fromkeys(r["method"] for r in runs):
        mine = [r for r in runs if r["method"] == method]
        axes.plot([r["documents"] / 1e6 for r in mine], [r["seconds"] for r in mine], marker="o",
                  label=LABELS.get(method, method))
    axes.set_xlabel("documents, millions")
    axes.set_ylabel("seconds")
    axes.set_title(f"{runs[0]['ranks']} ranks on {runs[0]['cores']} cores")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=120, bbox_inches="tight")


def main():
    """Read, print, draw."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as lines:
        runs = sorted(map(json.loads, lines), key=lambda r: (r["method"], r["documents"]))
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    for run in runs:
        print("| " + " | ".join(cells(run)) + " |")
    draw(runs, sys.argv[2])


if __name__ == "__main__":
    main()
