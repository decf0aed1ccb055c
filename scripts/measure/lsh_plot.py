#!/usr/bin/python3
"""Draws what scripts/measure/lsh_curve.sh measured, and prints the settings that no other beats.

    lsh_plot.py CURVE.tsv [PICTURE.png]

The picture: recall against seconds of the join stage, a column of panels a collection; the exact
join is a vertical line, a dashed one that by an index of all words. The Markdown table: settings that find more than every faster one.
"""

import csv
import sys

PARAMETERS = ("bits", "word_bits", "diffbit", "rows", "tables")
RECALLS = {"class_recall": "pairs of similar classes", "recall_5": "document pairs, theta-d 5"}
JUDGED = "class_recall"    # identical sentences alone make most document pairs be found
EXACT = {"exact": "-", "index": "--"}  # the rows that others are compared with, and their lines
GOOD = 0.95                # the wanted recall, drawn as a horizontal line
MARKERS = "osD^vPX*"       # one marker for each number of tables
PANEL_INCHES = (5.5, 3.5)


def read(path):
    """The rows of each collection, in order."""
    collections = {}
    with open(path, encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            for name in ("seconds", "class_recall", "recall_0", "recall_5"):
                row[name] = float(row[name]) if row[name] else None
            collections.setdefault(row["collection"], []).append(row)
    return collections


def kind(row):
    """What decides the colour: how buckets are made, and from how much."""
    return f"{row['bits']} bits" if row["join"] == "bits" else f"minhash, {row['rows']} rows"


def kind_order(row):
    """Kinds in order of how much they are made from."""
    return row["join"], int(row["bits"] if row["join"] == "bits" else row["rows"])


def unbeaten(rows):
    """The settings that find more than every faster one."""
    best, chosen = -1.0, []
    for row in sorted(rows, key=lambda row: (row["seconds"], -row[JUDGED])):
        if row[JUDGED] > best:
            best = row[JUDGED]
            chosen.append(row)
    return chosen


def cells(row):
    """A row of the Markdown table."""
    parameters = [row[name] for name in PARAMETERS]
    return "| " + " | ".join([row["collection"], row["join"], *parameters,
                              f"{row['seconds']:.2f}", row["candidates"],
                              *(f"{row[name]:.3f}" for name in ("class_recall", "recall_0",
                                                                "recall_5"))]) + " |"


def table(collections):
    """Prints it."""
    print("| collection | join | bits | word-bits | diffbit | rows | tables | join s "
          "| candidates | recall, classes | pairs, theta-d 0 | theta-d 5 |")
    print("|---|---|" + "--:|" * 10)
    stopped = 0
    for rows in collections.values():
        finished = [row for row in rows if row["join"] not in EXACT and row["seconds"] is not None]
        stopped += sum(row["seconds"] is None for row in rows)
        for row in [row for row in rows if row["join"] in EXACT] + unbeaten(finished):
            print(cells(row))
    print(f"\n{sum(map(len, collections.values()))} settings; {stopped} of them took too long, "
          "by themselves or as one that makes fewer candidates did.")


def panel(axes, recall, rows, style):
    """Draw one recall of one collection."""
    colours, markers = style
    for row in rows:
        if row["seconds"] is None:
            continue
        if row["join"] in EXACT:
            axes.axvline(row["seconds"], color="black", linestyle=EXACT[row["join"]])
        else:
            axes.plot(row["seconds"], row[recall], markers[row["tables"]], markersize=5,
                      color=colours[kind(row)], alpha=0.7)
    axes.axhline(GOOD, color="grey", linestyle=":")
    axes.set_xscale("log")
    axes.set_ylim(-0.02, 1.02)


def styles(collections):
    """A colour for each kind, a marker for each number of tables."""
    rows = [row for rows in collections.values() for row in rows if row["join"] not in EXACT]
    kinds = dict.fromkeys(kind(row) for row in sorted(rows, key=kind_order))
    tables = sorted({row["tables"] for row in rows}, key=int)
    return ({one: f"C{k}" for k, one in enumerate(kinds)},
            {one: MARKERS[k % len(MARKERS)] for k, one in enumerate(tables)})


def picture(collections, path):
    """Draw all of them side by side."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    style = styles(collections)
    width, height = PANEL_INCHES
    figure, panels = pyplot.subplots(
        len(RECALLS), len(collections), squeeze=False, sharey=True, sharex="col",
        figsize=(width * len(collections) + 1, height * len(RECALLS)))
    for line_of_panels, (recall, title) in zip(panels, RECALLS.items()):
        for axes, (name, rows) in zip(line_of_panels, collections.items()):
            panel(axes, recall, rows, style)
            axes.set_title(f"{name}: {title}")
        line_of_panels[0].set_ylabel("recall")
    for axes in panels[-1]:
        axes.set_xlabel("seconds of the join stage")
    colours, markers = style
    line = pyplot.Line2D
    handles = [line([], [], color="black", label="exact join")]
    handles += [line([], [], color=colour, marker="o", linestyle="", label=name)
                for name, colour in colours.items()]
    handles += [line([], [], color="grey", marker=marker, linestyle="", label=f"{tables} tables")
                for tables, marker in markers.items()]
    panels[0][-1].legend(handles=handles, loc="center left", bbox_to_anchor=(1.01, 0.5))
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main(argv):
    """Returns the exit status."""
    if len(argv) not in (1, 2):
        sys.exit(__doc__)
    collections = read(argv[0])
    table(collections)
    if len(argv) == 2:
        picture(collections, argv[1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
