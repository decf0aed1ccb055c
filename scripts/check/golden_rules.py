#!/usr/bin/env python3
"""Counts how many sentence tests of Pragmatic Segmenter pardup passes, by language.

    golden_rules.py [--verbose]

The 52 English Golden Rules are counted apart from the other English cases.  A case is left out when
its expected sentences are not the text cut into parts, because they were cleaned, too.  White space
and sentences without a letter or digit are not compared.  PARDUP, PARDUP_DATA: see suites.py.
"""

import json
import re
import sys

import suites


def group_of(case):
    """English rules, other English cases, or the language."""
    if case["lang"] != "en":
        return case["lang"]
    golden = case["file"].endswith("english_spec.rb") and "correctly" not in case["name"]
    if golden and re.search(r"#\d+$", case["name"]):
        return "en golden"
    return "en others"


def usable(case):
    """Are the expected sentences the text, cut into parts?"""
    if case["disabled"] or not suites.solid(case["text"] or ""):
        return False
    return suites.solid("".join(case["sentences"])) == suites.solid(case["text"])


def read_cases():
    """The cases that can be judged, each text once, golden rules first."""
    folder = suites.unpack("external-suites", "pragmatic_segmenter")
    seen, cases = set(), []
    with open(folder / "cases.jsonl", encoding="utf-8") as lines:
        for case in sorted(map(json.loads, lines), key=lambda c: group_of(c) != "en golden"):
            key = (group_of(case) == "en golden", case["text"])
            if usable(case) and key not in seen:
                seen.add(key)
                cases.append(case)
    return cases


def main():
    """Returns the exit status."""
    tally = suites.Tally(suites.arguments(__doc__).parse_args().verbose)
    cases = read_cases()
    found = suites.sentences([case["text"] for case in cases])
    for case, spans in zip(cases, found):
        want = suites.ends_expected(case["sentences"])
        got = suites.ends_found(case["text"], spans)
        tally.count(group_of(case), want == got, case["name"],
                    "want " + suites.marked(case["text"], want),
                    "got  " + suites.marked(case["text"], got))
    tally.print("golden rules")
    return 0


if __name__ == "__main__":
    sys.exit(main())
