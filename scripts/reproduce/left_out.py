#!/usr/bin/python3
"""How many words a document frequency cut-off leaves out.

    left_out.py CUTOFF,CUTOFF... ARGUMENT...

CUTOFF is a share of the documents, ARGUMENT... inputs and options of pardup.  Prints a line for each
cut-off: the cut-off, a tab, and the number of words that more documents have.
PARDUP: the program.
"""

import collections
import json
import os
import subprocess
import sys


def main():
    """Count and print."""
    cutoffs, arguments = sys.argv[1].split(","), sys.argv[2:]
    frequency, documents = collections.Counter(), 0
    words, of = set(), None
    with subprocess.Popen([os.environ["PARDUP"], "sentences", "--offsets", *arguments],
                          stdout=subprocess.PIPE) as sentences:
        for line in sentences.stdout:
            sentence = json.loads(line)
            if sentence["row"] != of:
                frequency.update(words)
                words, of, documents = set(), sentence["row"], documents + 1
            words.update(sentence["words"])
    frequency.update(words)
    if sentences.returncode:
        sys.exit(sentences.returncode)
    for cutoff in cutoffs:
        print(cutoff, sum(n > float(cutoff) * documents for n in frequency.values()), sep="\t")


if __name__ == "__main__":
    main()
