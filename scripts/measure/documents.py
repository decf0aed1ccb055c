#!/usr/bin/python3
"""Document methods on collections whose near duplicates are labelled, as Markdown tables.

    documents.py --pardup PROGRAM --data FOLDER --work FOLDER [--synth-bytes 20M] [--only PATTERN]

Each method runs on one rank.  Precision, recall and F1 count pairs of documents; seconds and
memory are those of the process.  For pairs that people have labelled, AUC is the chance that a
pair of equivalent pages has a greater resemblance than a pair of others; pairs that a method does
not report have 0.  Collections without their archive are left out.
"""

import argparse
import collections
import fnmatch
import glob
import itertools
import json
import os
import re
import subprocess
import sys
import time

import h5py

METHODS = [
    ("imatch-doc", "--method imatch-doc"),
    ("imatch-doc, 20 lexicons", "--method imatch-doc --lexicons 20"),
    ("spotsigs-doc, 10,000 words, tau 0.9", "--method spotsigs-doc --antecedents 10000 --tau 0.9"),
    ("spotsigs-doc, 10,000 words, tau 0.5", "--method spotsigs-doc --antecedents 10000 --tau 0.5"),
    ("words, tau 0.8", "--units document --gamma 0 --feature words --idf 0,1 --join jaccard"
                       " --tau 0.8"),
    ("4-shingles, tau 0.5", "--units document --gamma 0 --feature shingle --join jaccard"
                            " --tau 0.5"),
    ("nikkhoo, tau 0.5", "--method nikkhoo --tau 0.5"),
    ("nikkhoo, overlap 0.5", "--method nikkhoo --tau 0.5 --join overlap"),
    ("nikkhoo, 1 in 64, tau 0.5", "--method nikkhoo --tau 0.5 --sample 64"),
    ("nikkhoo, SCT 70, tau 0.5", "--method nikkhoo --tau 0.5 --sct 70"),
]

# What a collection is: its inputs; the true pairs, as sets of two ids; and the pairs that were
# judged at all, or None: every pair.
Labelled = collections.namedtuple("Labelled", "name inputs truth judged")


def unpacked(arguments, name):
    """The folder with the unpacked archive, or None."""
    archive = os.path.join(arguments.data, name + ".tar.zst")
    folder = os.path.join(arguments.work, name)
    if not os.path.exists(archive):
        return None
    if not os.path.exists(folder):
        os.makedirs(folder)
        subprocess.run(["tar", "-C", folder, "-I", "zstd --long=27", "-xf", archive], check=True)
    inner = os.path.join(folder, name)
    return inner if os.path.isdir(inner) else folder


def pair(a, b):
    """An unordered pair."""
    return frozenset((a, b))


def articles(folder):
    """News articles: all near duplicates are known."""
    path = os.path.join(folder, "articles_1000.jsonl")
    with open(os.path.join(folder, "articles_1000.train"), encoding="utf-8") as lines, \
            open(path, "w", encoding="utf-8") as out:
        for line in lines:
            name, _, text = line.partition(" ")
            out.write(json.dumps({"id": name, "text": text}) + "\n")
    with open(os.path.join(folder, "articles_1000.truth"), encoding="utf-8") as lines:
        truth = {pair(*line.split()) for line in lines if line.strip()}
    return Labelled("minhash-articles (1,000)", [path], truth, None)


def gov2(folder):
    """Pairs of pages that people have labelled."""
    with open(os.path.join(folder, "pairs.tsv"), encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines][1:]
    judged = {pair(r[0], r[1]): int(r[2]) >= 1 for r in rows}
    return Labelled("GOV2 pairs", [os.path.join(folder, "docs")],
                    {p for p, same in judged.items() if same}, judged)


def installguide(folder):
    """Pages of one name in five variants of a manual."""
    inputs = sorted(glob.glob(os.path.join(folder, "*", "en")))
    names = collections.defaultdict(list)
    for path in glob.glob(os.path.join(folder, "*", "en", "*")):
        names[os.path.basename(path)].append(path)
    truth = {pair(a, b) for paths in names.values() for a, b in itertools.combinations(paths, 2)}
    return Labelled("install guide (en)", inputs, truth, None)


def laws(folder):
    """Versions of one law. Other laws that copy each other are not in the truth."""
    with open(os.path.join(folder, "version-pairs.tsv"), encoding="utf-8") as lines:
        rows = [line.split("\t") for line in lines][1:]
    return Labelled("laws", [folder],
                    {pair(*(os.path.join(folder, name) for name in r[:2])) for r in rows}, None)


def licences(folder):
    """Licences of one family, by the first part of their ids: a light label."""
    path = os.path.join(folder, "licenses.jsonl")
    with open(path, encoding="utf-8") as lines:
        ids = [json.loads(line)["id"] for line in lines]
    families = collections.defaultdict(list)
    for name in ids:
        families[re.split(r"[-.0-9]", name)[0]].append(name)
    truth = {pair(a, b) for members in families.values()
             for a, b in itertools.combinations(members, 2)}
    return Labelled("SPDX (family by id)", [path], truth, None)


def generated(arguments):
    """Groups of near duplicates that pardup synth has made."""
    folder = os.path.join(arguments.work, "synth")
    if not os.path.exists(folder):
        subprocess.run([arguments.pardup, "synth", "--bytes", arguments.synth_bytes, "-o", folder],
                       check=True, stderr=subprocess.DEVNULL)
    truth = set()
    with open(os.path.join(folder, "truth.tsv"), encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if not line.startswith("#") and fields[6] in ("near", "near-short"):
                truth.add(pair(fields[0], fields[3]))
    return Labelled("synth, near groups", sorted(glob.glob(os.path.join(folder, "part-*"))), truth,
                    None)


def detect(arguments, options, inputs):
    """({pair: resemblance}, seconds, MB) of one run; None if it fails."""
    result = os.path.join(arguments.work, "result.h5")
    command = [arguments.pardup, "detect", *options.split(), "--compress", "none", "--progress", "none",
               "-o", result, *inputs]
    began = time.monotonic()
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - began
    if process.returncode:
        print(options, said.decode(), file=sys.stderr)
        return None
    with h5py.File(result) as h5:
        ids = [name.decode() for name in h5["/documents/id"][:]]
        found = {pair(ids[a], ids[b]): value for a, b, value in zip(
            h5["/pairs/doc_a"][:], h5["/pairs/doc_b"][:], h5["/pairs/resemblance"][:])}
    return found, seconds, usage.ru_maxrss / 1024


def auc(found, judged):
    """The chance that an equivalent pair has a greater resemblance than another pair."""
    same = [found.get(p, 0) for p, label in judged.items() if label]
    other = [found.get(p, 0) for p, label in judged.items() if not label]
    wins = sum((x > y) + (x == y) / 2 for x in same for y in other)
    return wins / len(same) / len(other)


def with_plain_ids(found):
    """The pairs by the names of the files, without folders and endings."""
    def plain(path):
        return os.path.splitext(os.path.basename(path))[0]
    return {pair(*(plain(name) for name in p)): value for p, value in found.items() if len(p) == 2}


def row(arguments, name, options, labelled):
    """The row of one method."""
    run = detect(arguments, options, labelled.inputs)
    if not run:
        return f"| {name} | failed | | | | | |"
    found, seconds, megabytes = run
    area = ""
    if labelled.judged:
        found = with_plain_ids(found)
        found = {p: v for p, v in found.items() if p in labelled.judged}
        if "equal" not in options and "imatch" not in options:
            every = detect(arguments, options + " --tau 0", labelled.inputs)
            area = f"{auc(with_plain_ids(every[0]), labelled.judged):.4f}"
        else:
            area = f"{auc(found, labelled.judged):.4f}"
    hits = len(set(found) & labelled.truth)
    precision = hits / len(found) if found else 1
    recall = hits / len(labelled.truth)
    f1 = 2 * precision * recall / (precision + recall) if hits else 0
    return (f"| {name} | {len(found):,} | {precision:.3f} | {recall:.3f} | {f1:.3f} | {area} |"
            f" {seconds:.1f} | {megabytes:.0f} |")


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pardup", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--synth-bytes", default="20M")
    parser.add_argument("--only", default="*", help="pattern of the collections")
    arguments = parser.parse_args()
    makers = [("minhash-articles", articles), ("trec-neardup-pairs-gov2", gov2),
              ("debian-installguide-html", installguide), ("chinese-laws-national", laws),
              ("spdx-licenses", licences)]
    for archive, make in makers + [("synth", None)]:
        if not fnmatch.fnmatch(archive, arguments.only):
            continue
        folder = unpacked(arguments, archive) if make else None
        if make and not folder:
            print(f"{archive}: no archive, left out", file=sys.stderr)
            continue
        labelled = make(folder) if make else generated(arguments)
        print(f"\n**{labelled.name}**: {len(labelled.truth):,} true pairs"
              + (f" of {len(labelled.judged)} judged" if labelled.judged else "") + "\n")
        print("| method | pairs found | precision | recall | F1 | AUC | seconds | MB |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|")
        for name, options in METHODS:
            print(row(arguments, name, options, labelled), flush=True)


if __name__ == "__main__":
    main()
