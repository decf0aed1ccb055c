#!/usr/bin/python3
"""Measures what --templates aside does, beside --templates match.

    templates.py [--synth BYTES]
    templates.py --versions FOLDER...

Prints the word F1 of the main content of the 90 news pages each of big9-2005-2009 (`text --content
main`); precision and recall of passages, and of their text, on pages of `pardup synth` with templates
judged as wrong; and the pairs of documents in debian-installguide-html, in English and Chinese, and in
doxygen-versions, whose folders are versions: within a version, and of the same page in two versions,
beside all that are the same by their path.  With --versions it does that alone, for a manual with
a FOLDER for each version.  PARDUP: the program [build/release/pardup]; PARDUP_DATA: the folder of the
archives [../shared/data].
"""

import argparse
import collections
import itertools
import os
import pathlib
import re
import subprocess
import tempfile

import h5py

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARDUP = os.environ.get("PARDUP", str(ROOT / "build/release/pardup"))
DATA = pathlib.Path(os.environ.get("PARDUP_DATA", ROOT.parent / "shared/data"))
HOW = ("match", "aside")


def pardup(*arguments):
    """What the program prints."""
    done = subprocess.run([PARDUP, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=True)
    return done.stdout.decode("utf-8", "replace")


def unpack(name, folder):
    """Unpack an archive of the shared data."""
    subprocess.run(["tar", "--zstd", "-xf", DATA / f"{name}.tar.zst", "-C", folder], check=True)
    return pathlib.Path(folder) / name


def words(text):
    """How often each word occurs."""
    return collections.Counter(re.findall(r"\w+", text.lower()))


def word_f1(found, wanted):
    """The harmonic mean of precision and recall of words."""
    found, wanted = words(found), words(wanted)
    return 2 * sum((found & wanted).values()) / max(1, sum((found + wanted).values()))


def news(folder):
    """Big9: main content of pages of nine sites in one folder."""
    for year in ("05", "09"):
        part = unpack("big9-2005-2009", folder) / f"big5-{year}"
        for how in HOW:
            printed = pardup("text", "--content", "main", "--templates", how, part / "html")
            pieces = re.split(r"^==> (.*) <==\n", printed, flags=re.M)[1:]
            values = []
            for page, text in zip(pieces[::2], pieces[1::2]):
                gold = part / "gold" / (re.sub(r"\.html?$", "", os.path.basename(page)) + ".txt")
                values.append(word_f1(text, gold.read_text("utf-8", "replace")))
            print(f"big9 20{year} {how}: word F1 {sum(values) / len(values):.4f}")


def columns(row):
    """Precision and recall in a row of eval's report, behind two counts."""
    return "precision {2}, recall {3}".format(*row.split())


def generated(folder, size):
    """Pages with known templates and copies."""
    made = pathlib.Path(folder) / "synth"
    pardup("synth", "--bytes", size, "-o", made)
    for how in HOW:
        result = made / f"{how}.h5"
        pardup("detect", "--preset", "web", "--templates", how, "-o", result,
               *sorted(made.glob("part-*")))
        report = pardup("eval", "--bootstrap", "0", "--truth", made / "truth.tsv", result)
        passages, text = re.findall(r"^all +(.*)$", report, flags=re.M)[:2]
        print(f"synth {how}: passages {columns(passages)}; text {columns(text)}")


def versions(title, folders):
    """Versions of a manual, a folder each."""
    pages = [{path.relative_to(folder) for path in folder.rglob("*.htm*")} for folder in folders]
    shared = sum(len(one & other) for one, other in itertools.combinations(pages, 2))
    of = {folder / page: (version, page) for version, folder in enumerate(folders)
          for page in pages[version]}
    for how in HOW:
        with tempfile.TemporaryDirectory() as out:
            path = pathlib.Path(out) / "out.h5"
            inputs = pathlib.Path(out) / "inputs"
            inputs.write_text("".join(f"{page}\n" for page in sorted(of)), "utf-8")
            pardup("detect", "--preset", "web", "--templates", how, "-o", path,
                   "--files-from", inputs)
            with h5py.File(path) as result:
                files = [pathlib.Path(os.fsdecode(name)) for name in result["/files/path"][:]]
                found = [of[files[k]] for k in result["/documents/file"][:]]
                pairs = list(zip(result["/pairs/doc_a"][:], result["/pairs/doc_b"][:]))
        within = sum(found[a][0] == found[b][0] for a, b in pairs)
        same = sum(found[a][0] != found[b][0] and found[a][1] == found[b][1] for a, b in pairs)
        print(f"{title} {how}: {len(pairs)} pairs, {within} within a version, "
              f"{same} of {shared} of one page")


def main():
    """Measures all."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--synth", metavar="BYTES", default="40M")
    parser.add_argument("--versions", metavar="FOLDER", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.versions:
        versions("manual", arguments.versions)
        return
    with tempfile.TemporaryDirectory() as folder:
        news(folder)
        generated(folder, arguments.synth)
        manual = unpack("debian-installguide-html", folder)
        for language in ("en", "zh_CN"):
            versions(f"manual {language}", sorted(manual.glob(f"*/{language}")))
        manual = unpack("doxygen-versions", folder)
        for library in ("cairomm", "pangomm"):
            versions(library, sorted(manual.glob(f"{library}-*")))


if __name__ == "__main__":
    main()
