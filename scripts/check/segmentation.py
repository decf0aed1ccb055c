#!/usr/bin/env python3
"""Measures Chinese words against the segmentations of the SIGHAN 2005 bakeoff's test sets.

    segmentation.py [--verbose]

A word counts as found when both its ends agree.  Punctuation is no word here, so words without a
letter or digit are left out on both sides.  --verbose lists the commonest words that were missed.
PARDUP, PARDUP_DATA: see suites.py.
"""

import collections
import json
import sys
import unicodedata

import suites

SETS = {"pku": "Peking University", "msr": "Microsoft Research", "as": "Academia Sinica",
        "cityu": "City University of Hong Kong"}
LISTED = 20  # words of --verbose


def is_word(word):
    """Is there a letter or digit in it?"""
    return any(unicodedata.category(c)[0] in "LN" for c in word)


def gold_of(path):
    """(text, {(begin, end) in bytes: word}) of each line."""
    for line in path.read_text("utf-8-sig").splitlines():
        text, spans = b"", {}
        for word in line.split():
            begin = len(text)
            text += word.encode()
            if is_word(word):
                spans[begin, len(text)] = word
        if spans:
            yield text.decode(), spans


def found_in(texts, words):
    """The spans of the words that pardup sees in each text."""
    path = suites.scratch() / "lines.jsonl"
    with open(path, "w", encoding="utf-8") as lines:
        for number, text in enumerate(texts):
            lines.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
    found = [set() for _ in texts]
    for line in suites.run("sentences", path, "--offsets", "--words", words).splitlines():
        row = json.loads(line)
        found[int(row["doc"])].update(map(tuple, row["spans"]))
    return found


def measure(gold, words, missed):
    """(words of the gold standard, precision, recall)"""
    right = of = got = 0
    for (_, spans), found in zip(gold, found_in([text for text, _ in gold], words)):
        right += len(spans.keys() & found)
        of += len(spans)
        got += len(found)
        missed.update(word for span, word in spans.items() if span not in found)
    return of, right / got, right / of


def main():
    """Returns the exit status."""
    verbose = suites.arguments(__doc__).parse_args().verbose
    folder = suites.unpack("sighan2005-encodings", "gold")
    print("| test set | --words | words | precision | recall | F1 |")
    print("|---|---|--:|--:|--:|--:|")
    for name, title in SETS.items():
        (path,) = folder.glob(f"{name}_test*_gold.utf8")
        gold = list(gold_of(path))
        for words in ("char", "icu"):
            missed = collections.Counter()
            of, precision, recall = measure(gold, words, missed)
            f1 = 2 * precision * recall / (precision + recall)
            print(f"| {title} | {words} | {of} | {precision:.3f} | {recall:.3f} | {f1:.3f} |")
            if verbose:
                print(f"{name}, {words}: missed:", *(f"{word} {n}" for word, n in
                                                    missed.most_common(LISTED)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
