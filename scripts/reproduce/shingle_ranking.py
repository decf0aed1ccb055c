#!/usr/bin/python3
"""Rankings by shingles as Wang & Chang (AIRS 2009) define them, by a dictionary: for SG-63-Sym, whose queries are
sampled like the sources. With --query-step 1 the rankings are those of `pardup check` (SG-63).

    shingle_ranking.py [--step 3] [--query-step 3] [--words 6] FOLDER OUT QUERIES.jsonl -- ARGUMENT...

ARGUMENT... names the sources: inputs and options of pardup.  FOLDER has documents.tsv and sources.tsv of a check of the
same queries and sources; both are copied to OUT, which gets ranking.tsv and the seconds that the search took (seconds).
PARDUP: the program.
"""

import argparse
import collections
import json
import math
import os
import pathlib
import shutil
import subprocess
import time


def words_of(arguments):
    """{id: the words} of all documents."""
    found = collections.defaultdict(list)
    with subprocess.Popen([os.environ["PARDUP"], "sentences", *arguments],
                          stdout=subprocess.PIPE) as sentences:
        for line in sentences.stdout:
            sentence = json.loads(line)
            found[sentence["doc"]] += sentence["words"]
    if sentences.returncode:
        raise SystemExit(sentences.returncode)
    return found


def shingles(words, size, step):
    """The different shingles at every step-th word."""
    return {tuple(words[at:at + size]) for at in range(0, len(words) - size + 1, step)}


def ids_of(path):
    """The ids in a table that `pardup export` wrote, which are its first column."""
    return [line.split("\t")[0] for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def main():
    """Write the ranking."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step", type=int, default=3)
    parser.add_argument("--query-step", type=int, default=3)
    parser.add_argument("--words", type=int, default=6)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("queries")
    parser.add_argument("arguments", nargs="+")
    arguments = parser.parse_args()
    arguments.out.mkdir(exist_ok=True)
    ids = {}
    for table in ("documents", "sources"):
        shutil.copy(arguments.folder / f"{table}.tsv", arguments.out)
        ids[table] = ids_of(arguments.folder / f"{table}.tsv")
    sources, queries = words_of(arguments.arguments), words_of([arguments.queries])
    holders = collections.defaultdict(list)
    for row, name in enumerate(ids["sources"]):
        for shingle in shingles(sources[name], arguments.words, arguments.step):
            holders[shingle].append(row)
    begin = time.monotonic()
    with open(arguments.out / "ranking.tsv", "w", encoding="utf-8") as out:
        print("doc", "rank", "source", "score", sep="\t", file=out)
        for doc, name in enumerate(ids["documents"]):
            scores, all_of_them = collections.Counter(), 0
            for shingle in shingles(queries[name], arguments.words, arguments.query_step):
                having = holders.get(shingle, ())
                idf = math.log(len(ids["sources"]) / max(len(having), 1))
                all_of_them += idf
                for source in having:
                    scores[source] += idf
            for rank, (source, score) in enumerate(sorted(scores.items(), key=lambda s: (-s[1], s[0]))):
                print(doc, rank, source, f"{score / all_of_them if all_of_them else 0:.12f}", sep="\t", file=out)
    (arguments.out / "seconds").write_text(f"{time.monotonic() - begin:.3f}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
