#!/usr/bin/python3
"""Precision, recall and F of decisions against labels, as Markdown: Yoon et al. (IEICE 2012), table 2
and figures 5 to 7.

    decisions_table.py TRUTH.tsv RUNS.tsv

TRUTH.tsv: id of a target, its label: "none", "story" for targets that nobody has labelled, else the
kind of duplicate.  Each line of RUNS.tsv is one model: its name; its document frequency cut-off
or "-"; the folder of documents.tsv and decisions.tsv, which `pardup export` wrote; bytes of the
index; entries; words left out; mean words of a sentence that are left; seconds of `pardup index`; milliseconds to open the index;
milliseconds for a target.
A target is told to be a duplicate when it has at least n collisions, that is more than delta = n - 1.
"""

import argparse
import collections
import csv

MOST = 8  # collisions of figure 7
NONE, STORY = "none", "story"

Run = collections.namedtuple("Run", "name cutoff folder bytes entries left_out mean_words index_seconds load_ms"
                             " request_ms")
Measures = collections.namedtuple("Measures", "precision recall f")


def rows_of(path):
    """The rows of a table with a header, as dictionaries."""
    with open(path, encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def collisions_of(run):
    """{id of a target: its collisions}."""
    ids = [row["id"] for row in rows_of(f"{run.folder}/documents.tsv")]
    return {ids[int(row["doc"])]: int(row["collisions"])
            for row in rows_of(f"{run.folder}/decisions.tsv")}


def measure(collisions, labels, least, stories=False):
    """Measures of all targets, stories among the negatives or left out."""
    told = [name for name, n in collisions.items() if n >= least
            and (stories or labels[name] != STORY)]
    right = sum(labels[name] not in (NONE, STORY) for name in told)
    wanted = sum(label not in (NONE, STORY) for label in labels.values())
    precision, recall = right / len(told) if told else 0, right / wanted
    return Measures(precision, recall, 2 * right / (len(told) + wanted))


def best(collisions, labels):
    """The n with the best F."""
    return max(range(1, MOST + 1), key=lambda least: measure(collisions, labels, least).f)


def per_cent(values):
    """Measures as the paper prints them."""
    return [f"{100 * value:.2f}" for value in values]


def print_table(head, rows):
    """A Markdown table whose first column is text."""
    print(f"\n| {' | '.join(head)} |\n|---{'|--:' * (len(head) - 1)}|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def print_models(models, found, labels):
    """Table 2: every model at its best number of collisions."""
    rows = []
    for run in models:
        least = best(found[run], labels)
        rows.append((run.name, f"{int(run.bytes) / 1e6:.2f}", run.entries, run.load_ms, run.request_ms,
                     str(least), *per_cent(measure(found[run], labels, least)),
                     per_cent(measure(found[run], labels, least, stories=True))[0]))
    print_table(("Table 2: model", "MB", "entries", "opening, ms", "target, ms", "collisions",
                 "precision", "recall", "F", "precision with stories"), rows)


def print_kinds(models, found, labels):
    """Recall of each kind of duplicate."""
    kinds = sorted(set(labels.values()) - {NONE, STORY})
    rows = []
    for run in models:
        least = best(found[run], labels)
        recalls = [[found[run][name] >= least for name, label in labels.items() if label == kind]
                   for kind in kinds]
        rows.append((run.name, str(least), *(f"{100 * sum(one) / len(one):.1f}" for one in recalls)))
    print_table(("Recall of", "collisions", *kinds), rows)


def print_sweep(sweep, chosen, found, labels):
    """Figures 5 to 7, of one model at several cut-offs."""
    least = best(found[chosen], labels)
    print_table((f"Figures 5 and 6, {chosen.name}: cut-off (at least {least} collisions)", "words left out", "words left in a sentence",
                 "entries", "precision", "recall", "F"),
                [(run.cutoff, run.left_out, run.mean_words, run.entries, *per_cent(measure(found[run], labels, least)))
                 for run in sweep])
    print_table((f"Figure 7, {chosen.name}: collisions (cut-off {chosen.cutoff})", "precision", "recall", "F",
                 "precision with stories"),
                [(str(least), *per_cent(measure(found[chosen], labels, least)),
                  per_cent(measure(found[chosen], labels, least, stories=True))[0])
                 for least in range(1, MOST + 1)])


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth")
    parser.add_argument("runs")
    arguments = parser.parse_args()
    with open(arguments.truth, encoding="utf-8") as lines:
        labels = dict(line.rstrip("\n").split("\t") for line in lines)
    with open(arguments.runs, encoding="utf-8") as lines:
        runs = [Run(*line.rstrip("\n").split("\t")) for line in lines]
    found = {run: collisions_of(run) for run in runs}
    times = collections.Counter(run.name for run in runs)
    sweeps = [[run for run in runs if run.name == name] for name, n in times.items() if n > 1]
    chosen = [max(sweep, key=lambda run: measure(found[run], labels, best(found[run], labels)).f) for sweep in sweeps]
    models = [run for run in runs if times[run.name] == 1] + chosen
    print_models(models, found, labels)
    print_kinds(models, found, labels)
    for sweep, one in zip(sweeps, chosen):
        print_sweep(sweep, one, found, labels)


if __name__ == "__main__":
    main()
