#!/usr/bin/env python3
"""A table of the runs that scripts/measure/bench.sh recorded, a row for each program, collection, method
and number of ranks.

usage: scripts/measure/bench_table.py [--session S] [--markdown] FILE...

Seconds: fastest and median run by the clock, least processor time of all ranks.  MB/s are of HTML, a
core (of the fastest run; ranks beyond the cores do not count).  Stages: the least of each, of all
ranks' processors where the program told it, by the clock where it did not.
"""

import argparse
import json
import os
import statistics

STAGES = ("read", "count", "gather", "join", "align", "write")
HEAD = ("collection", "method", "ranks", "revision", "runs", "fastest", "median", "cpu", "MB/s/core",
        "docs/s", "moved MB", "peak MB", *STAGES, "after", "load")


def row(key, runs):
    """One line of the table."""
    best = min(runs, key=lambda r: r["seconds"])
    seconds = best["seconds"]
    used = min(best["ranks"], best["cores"])
    stages = [min(r["stages"][s].get("cpu", r["stages"][s]["seconds"]) for r in runs) for s in STAGES]
    after = sum(stages[3:]) / sum(stages)  # joining, aligning, writing; exchange of sets is in gather
    median = statistics.median(r["seconds"] for r in runs)
    return [*key, str(len(runs)), f"{seconds:.2f}", f"{median:.2f}", f"{min(r['cpu'] for r in runs):.2f}",
            f"{best['html_mb'] / seconds / used:.1f}", f"{best['documents'] / seconds:.0f}",
            f"{best['moved_mb']:.0f}", f"{max(r['peak_mb'] for r in runs):.0f}",
            *(f"{s:.2f}" for s in stages), f"{100 * after:.0f} %", f"{min(r['load'] for r in runs):.1f}"]


def print_table(rows, markdown):
    """The rows as text, each column as wide as its widest cell."""
    if markdown:
        for k, cells in enumerate([HEAD, *rows]):
            print("| " + " | ".join(cells) + " |")
            if k == 0:
                print("|---" * len(cells) + "|")
        return
    widths = [max(len(cells[k]) for cells in [HEAD, *rows]) for k in range(len(HEAD))]
    for cells in [HEAD, *rows]:
        words = (c.ljust(w) if k < 4 else c.rjust(w) for k, (c, w) in enumerate(zip(cells, widths)))
        print("  ".join(words).rstrip())


def main():
    """Group the lines, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--session", help="only the runs of one call of bench.sh")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("file", nargs="+")
    options = parser.parse_args()
    groups = {}
    for path in options.file:
        with open(path, encoding="utf-8") as lines:
            for run in map(json.loads, lines):
                if options.session and run["session"] != options.session:
                    continue
                key = (run["collection"], run["method"], str(run["ranks"]), str(run["revision"]))
                groups.setdefault(key, []).append(run)
    # programs of one job stand below each other, in order of their first run
    jobs = {}
    for key, runs in groups.items():
        jobs.setdefault(key[:3], []).append(row(key, runs))
    print_table([r for rows in jobs.values() for r in rows], options.markdown)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(1)
