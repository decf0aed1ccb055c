#!/usr/bin/python3
"""Mean spots (SpotSigs) of a sentence, for the numbers in figure 8 of Zhang et al. (SIGIR 2010).

    pardup sentences INPUT... | spot_counts.py ANTECEDENTS...

Prints a line for each number of antecedents: the number, the mean over all sentences, and the share of sentences
without a spot. The spots are those of `--method pdc-spotsigs`, by the definition of the tests' oracle.
"""

import collections
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "support"))
from oracle_features import Lexicon, english_stop_words, spots

DISTANCE, CHAIN = 1, 2  # the defaults of pardup


def main():
    """Count and print. A spot counts as soon as its first word is an antecedent, so one pass over the sentences does."""
    sentences = [json.loads(line)["words"] for line in sys.stdin]
    occurrences = collections.Counter(word for words in sentences for word in words)
    lexicon = Lexicon(set(), set(occurrences), english_stop_words())
    found = collections.Counter()  # spots, by the occurrences of their first words
    first = collections.Counter()  # sentences with a spot, by the most occurrences of a first word
    for words in sentences:
        frequencies = [occurrences[spot[0]] for spot in spots(words, lexicon, DISTANCE, CHAIN)]
        found.update(frequencies)
        first[max(frequencies, default=0)] += 1
    descending = sorted(occurrences.values(), reverse=True)
    for rank in map(int, sys.argv[1:]):
        least = descending[rank - 1] if rank <= len(descending) else 1
        count = sum(n for frequency, n in found.items() if frequency >= least)
        without = sum(n for frequency, n in first.items() if frequency < least)
        print(rank, f"{count / len(sentences):.2f}", f"{100 * without / len(sentences):.1f} %", sep="\t")


if __name__ == "__main__":
    main()
