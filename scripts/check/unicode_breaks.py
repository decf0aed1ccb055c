#!/usr/bin/env python3
"""Counts how many of Unicode's sentence-break tests pardup passes.

    unicode_breaks.py [--verbose]

Judged are the tests of SentenceBreakTest.txt in which Unicode and pardup mean the same by a
sentence: tests without line ends (Unicode ends a sentence at each, pardup reads how the lines are
laid out), without control characters and without combining marks on white space, and with a letter
or digit in every sentence.  White space is not compared.  The others are counted and left out.
PARDUP, PARDUP_DATA: see suites.py.
"""

import re
import sys
import unicodedata

import suites

LINE_ENDS = "\r\n\x85\u2028\u2029"


def parse(line):
    """The strings between the break marks of a test line."""
    parts, part = [], ""
    for token in line.split("#")[0].split():
        if token == "÷":
            parts.append(part)
            part = ""
        elif token != "×":
            part += chr(int(token, 16))
    return [part for part in parts if part]


def has_word(part):
    """Is there a letter or digit in it?"""
    return any(unicodedata.category(c)[0] in "LN" for c in part)


def comparable(parts):
    """Do Unicode and pardup mean the same by a sentence here?"""
    text = "".join(parts)
    controls = any(unicodedata.category(c) == "Cc" for c in text)
    astray = re.search("[\\s)\u2019]\u0308", text)
    return not controls and not astray and not set(text) & set(LINE_ENDS) and all(
        map(has_word, parts))


def main():
    """Returns the exit status."""
    tally = suites.Tally(suites.arguments(__doc__).parse_args().verbose)
    folder = suites.unpack("external-suites", "unicode-15.0")
    lines = (folder / "SentenceBreakTest.txt").read_text("utf-8").splitlines()
    tests = [parse(line) for line in lines if not line.startswith("#")]
    judged = [parts for parts in tests if comparable(parts)]
    found = suites.sentences(["".join(parts) for parts in judged])
    for parts, spans in zip(judged, found):
        text = "".join(parts)
        want, got = suites.ends_expected(parts), suites.ends_found(text, spans)
        tally.count("judged", want == got, "want " + ascii(suites.marked(text, want)),
                    "got  " + ascii(suites.marked(text, got)))
    tally.print("unicode breaks")
    print(f"unicode breaks: left out: {len(tests) - len(judged)} of {len(tests)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
