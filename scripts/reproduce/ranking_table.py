#!/usr/bin/python3
"""Tables 2 to 5 and figure 4 of Wang & Chang (AIRS 2009) from rankings, as Markdown.

    ranking_table.py [--figure OUT.png] TRUTH.tsv RUNS.tsv

TRUTH.tsv is that of excerpts.py.  Each line of RUNS.tsv is one kind of feature: its name; the folder
of documents.tsv, sources.tsv and ranking.tsv, which `pardup export` wrote; different features of the sources; those
that several sources have; bytes of the index;
seconds of `pardup index` and of `pardup check`; bytes of the sources' text.
"""

import argparse
import collections
import csv
import pathlib

JOINED = "all"  # id of the query that is all excerpts
DEPTH = 180  # k of table 5
STEP, MOST = 5, 225  # k of figure 4
WHOLE = 1 - 1e-9  # the score of a source that has all features, with room for rounding

Run = collections.namedtuple("Run", "name folder features shared index_bytes index_seconds check_seconds text_bytes")


def rows_of(path):
    """The rows of a table with a header, as dictionaries."""
    with open(path, encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def rankings_of(folder):
    """({id of the query: ids of the sources, the best first}, the sources that hold all features of
    an excerpt)."""
    folder = pathlib.Path(folder)
    queries = [row["id"] for row in rows_of(folder / "documents.tsv")]
    sources = [row["id"] for row in rows_of(folder / "sources.tsv")]
    rankings = {name: [] for name in queries}
    whole = set()
    for row in rows_of(folder / "ranking.tsv"):
        source = sources[int(row["source"])]
        rankings[queries[int(row["doc"])]].append(source)
        if float(row["score"]) > WHOLE:
            whole.add(source)
    return rankings, whole


def measures(ranking, right, k):
    """Precision, recall and F1 of the first k of a list."""
    found = sum(source in right for source in ranking[:k])
    precision = found / min(k, len(ranking)) if ranking else 0
    recall = found / len(right)
    return precision, recall, 2 * found / (min(k, len(ranking)) + len(right))


def print_table(head, rows):
    """A Markdown table whose first column is text."""
    print(f"\n| {' | '.join(head)} |\n|---{'|--:' * (len(head) - 1)}|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def collision_row(run):
    """How many features collide: several sources have them."""
    return (run.name, f"{int(run.features):,}", f"{int(run.shared):,}",
            f"{100 * int(run.shared) / max(int(run.features), 1):.2f} %")


def index_row(run):
    """What the index costs."""
    return (run.name, f"{int(run.index_bytes) / 1e6:.2f}",
            f"{100 * int(run.index_bytes) / int(run.text_bytes):.1f} %", f"{float(run.index_seconds):.2f}")


def search_row(run, rankings, truth):
    """What is found: by the joined query, and by each query alone."""
    joined, right = rankings[JOINED], set(truth.values())
    ranks = [k for k, source in enumerate(joined, 1) if source in right]
    alone = [rankings[query].index(source) + 1 for query, source in truth.items()
             if source in rankings[query]]
    return (run.name, str(len(joined)), f"{len(ranks)}", str(ranks[-1] if ranks else "-"),
            f"{sum(rank == 1 for rank in alone)}", f"{len(alone)}",
            f"{sum(1 / rank for rank in alone) / len(truth):.3f}", f"{float(run.check_seconds):.2f}")


def table5_row(name, ranking, right, whole):
    """Measures at one depth; wrong sources that have all features of an excerpt are copies."""
    values = measures(ranking, right, DEPTH)
    wrong = set(ranking[:DEPTH]) - right
    return (name, *(f"{value:.3f}" for value in values), f"{len(wrong & whole)} of {len(wrong)}")


def draw(path, curves):
    """Figure 4: precision and F1 against k."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.5), sharex=True)
    for axis, which, label in ((axes[0], 0, "precision"), (axes[1], 2, "F1")):
        for name, curve in curves.items():
            axis.plot([k for k, _ in curve], [values[which] for _, values in curve], label=name)
        axis.set_xlabel("first k of the list")
        axis.set_ylabel(label)
    axes[1].legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth")
    parser.add_argument("runs")
    parser.add_argument("--figure")
    arguments = parser.parse_args()
    with open(arguments.truth, encoding="utf-8") as lines:
        truth = dict(line.split("\t")[:2] for line in lines)
    with open(arguments.runs, encoding="utf-8") as lines:
        runs = [Run(*line.rstrip("\n").split("\t")) for line in lines]
    rankings, whole = {}, {}
    for run in runs:
        rankings[run.name], whole[run.name] = rankings_of(run.folder)
    right = set(truth.values())
    print_table(("Table 2: collisions", "features", "of several documents", "rate"), map(collision_row, runs))
    print_table(("Table 3: index", "MB", "of the text", "seconds"), map(index_row, runs))
    print_table(("Table 4: search", "valid results", f"recognised of {len(right)}", "last right rank",
                 f"alone: right one first of {len(truth)}", "among the results", "mean 1/rank", "seconds"),
                [search_row(run, rankings[run.name], truth) for run in runs])
    print_table((f"Table 5: first {DEPTH}", "precision", "recall", "F1", "wrong ones that hold an excerpt"),
                [table5_row(name, ranking[JOINED], right, whole[name])
                 for name, ranking in rankings.items()])
    curves = {name: [(k, measures(ranking[JOINED], right, k)) for k in range(STEP, MOST + 1, STEP)]
              for name, ranking in rankings.items()}
    print_table(("Figure 4: precision, F1 at k", *(str(k) for k in (5, 50, 100, 150, 180, 200, 225))),
                [(name, *(f"{p:.2f}, {f:.2f}" for k, (p, _, f) in curve
                          if k in (5, 50, 100, 150, 180, 200, 225)))
                 for name, curve in curves.items()])
    if arguments.figure:
        draw(arguments.figure, curves)


if __name__ == "__main__":
    main()
