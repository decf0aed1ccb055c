#!/usr/bin/python3
"""Labels of PAN13's suspicious documents, from the XML files of the training corpus.

    pan13_split.py CORPUS >TRUTH.tsv

TRUTH.tsv: the path of a suspicious document below CORPUS, and the classes in which it has a passage of
a source, "02", "03", "04", "05", with commas between; "none" when it has none in any.
"""

import collections
import pathlib
import sys
import xml.etree.ElementTree


def main():
    """Print a line for each suspicious document."""
    corpus = pathlib.Path(sys.argv[1])
    classes = collections.defaultdict(set)
    for path in sorted(corpus.glob("0[1-5]-*/*.xml")):
        tree = xml.etree.ElementTree.parse(path).getroot()
        if any(feature.get("name") == "plagiarism" for feature in tree.iter("feature")):
            classes[tree.get("reference")].add(path.parent.name[:2])
    for document in sorted(path.name for path in (corpus / "susp").iterdir()):
        print(f"susp/{document}", ",".join(sorted(classes[document])) or "none", sep="\t")


if __name__ == "__main__":
    main()
