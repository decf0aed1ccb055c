#!/usr/bin/python3
"""Prints how many common classes a result lists, and of the most common one its documents and words.

    stress_example.py PARDUP RESULT INPUT...

PARDUP is the program, INPUT what RESULT was made from.  Fields are separated by tabs.
"""

import itertools
import json
import subprocess
import sys

import h5py

MOST_WORDS = 6  # shown


def base_units(program, units, document, inputs):
    """The words of each base unit of a document, in order."""
    run = [program, "sentences", "--units", "sentence" if units == "gram" else units,
           "--doc", document, *inputs]
    with subprocess.Popen(run, stdout=subprocess.PIPE, encoding="utf-8") as lines:
        for line in lines.stdout:
            yield json.loads(line)["words"]


def words_of(attributes, units, number):
    """The words of unit `number`, of all that the base units make."""
    if attributes["units"] == "gram":
        words = itertools.chain.from_iterable(units)
        return list(itertools.islice(words, number, number + int(attributes["ngram"])))
    width = int(attributes["window"].split(",")[0])
    return list(itertools.chain.from_iterable(itertools.islice(units, number, number + width)))


def main(argv):
    """Returns the exit status."""
    if len(argv) < 3:
        sys.exit(__doc__)
    program, result, *inputs = argv
    with h5py.File(result) as file:
        attributes = {name: value.decode() if isinstance(value, bytes) else value
                      for name, value in file.attrs.items()}
        common = {name: file[f"common/{name}"][:] for name in ("df", "doc", "sentence")}
        if len(common["df"]) == 0:
            print(0, 0, "", sep="\t")
            return 0
        most = int(common["df"].argmax())
        document = file["documents/id"].asstr()[int(common["doc"][most])]
    units = base_units(program, attributes["units"], document, inputs)
    words = words_of(attributes, units, int(common["sentence"][most]))
    text = " ".join(words[:MOST_WORDS]) + (" ..." if len(words) > MOST_WORDS else "")
    print(len(common["df"]), int(common["df"][most]), text, sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
