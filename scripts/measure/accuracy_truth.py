#!/usr/bin/python3
"""Writes the truth of collections that come with labels of their own, for `pardup eval --truth`.

    accuracy_truth.py NAME FOLDER OUT

NAME is clough, gov2, spdx, chinese-laws or installguide; FOLDER is the collection unpacked by
tests/support/make_collection.py, named as it was given to `pardup detect` (ids begin with it).

Where every document pair that counts has a label (clough, gov2), OUT becomes a folder in PAN's
format, because there only the pairs that are listed are judged; a positive pair gets one passage,
all of both documents, so only the measures of pairs mean anything.  Elsewhere OUT becomes a file of
document pairs, and reuse that nobody labelled counts as wrong: precision is a lower bound.
"""

import csv
import itertools
import json
import pathlib
import re
import sys
from xml.sax.saxutils import quoteattr

NO_VERSION = re.compile(r"-\d.*")  # what makes a licence one of a family: GFDL-1.1-only is a GFDL
GOV2_DUPLICATE = 1                 # labels from here on are duplicates


def write_pairs(path, pairs):
    """A file of document pairs."""
    with open(path, "w", encoding="utf-8") as out:
        for pair in pairs:
            print(*pair, sep="\t", file=out)


def tag(element, **attributes):
    """An XML start tag."""
    return f"<{element}" + "".join(f" {key}={quoteattr(str(value))}"
                                   for key, value in attributes.items()) + ">"


def write_pan(folder, judged):
    """A folder in PAN's format from (path, path, whether duplicates) of every pair to judge."""
    folder.mkdir(parents=True)
    with open(folder / "pairs", "w", encoding="utf-8") as pairs:
        for one, other, duplicate in judged:
            print(one.name, other.name, file=pairs)
            lines = [tag("document", reference=one.name)]
            if duplicate:
                lines.append(tag("feature", name="plagiarism", source_reference=other.name,
                                 this_offset=0, this_length=characters(one),
                                 source_offset=0, source_length=characters(other)))
            (folder / f"{one.stem}-{other.stem}.xml").write_text("\n".join(lines) + "\n", "utf-8")


def characters(path):
    """The length of a text."""
    return len(path.read_bytes().decode("utf-8", "replace"))


def table(path, delimiter):
    """The rows of a file with a header line, as dictionaries."""
    with open(path, encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows, delimiter=delimiter))


def clough(folder, out):
    """Answers against the original of their task; a folder for each way of writing them."""
    kinds = {}
    for row in table(folder / "file_information.csv", ","):
        if row["Category"] != "orig":
            kinds.setdefault(row["Category"], []).append(
                (folder / row["File"], folder / f"orig_task{row['Task']}.txt",
                 row["Category"] != "non"))
    for kind, judged in kinds.items():
        write_pan(out / kind, judged)


def gov2(folder, out):
    """The pairs that people judged."""
    docs = folder / "docs"
    write_pan(out, [(docs / f"{row['docA']}.txt", docs / f"{row['docB']}.txt",
                     int(row["label"]) >= GOV2_DUPLICATE)
                    for row in table(folder / "pairs.tsv", "\t")])


def spdx(folder, out):
    """Licences of one family: the id up to the version."""
    families = {}
    with open(folder / "licenses.jsonl", encoding="utf-8") as lines:
        for line in lines:
            name = json.loads(line)["id"]
            families.setdefault(NO_VERSION.sub("", name), []).append(name)
    write_pairs(out, (pair for family in families.values()
                      for pair in itertools.combinations(family, 2)))


def chinese_laws(folder, out):
    """Two versions of one law."""
    write_pairs(out, ((folder / row["older"], folder / row["newer"])
                      for row in table(folder / "version-pairs.tsv", "\t")))


def installguide(folder, out):
    """Pages of the same name and language in the manuals of two architectures."""
    pages = {}
    for path in sorted(folder.glob("*/*/*.html")):
        pages.setdefault(path.parts[-2:], []).append(path)
    write_pairs(out, (pair for variants in pages.values()
                      for pair in itertools.combinations(variants, 2)))


TRUTHS = {"clough": clough, "gov2": gov2, "spdx": spdx, "chinese-laws": chinese_laws,
          "installguide": installguide}


def main(argv):
    """Returns the exit status."""
    if len(argv) != 3 or argv[0] not in TRUTHS:
        sys.exit(__doc__)
    TRUTHS[argv[0]](pathlib.Path(argv[1]), pathlib.Path(argv[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
