#!/usr/bin/env python3
"""Counts how many of html5lib's tokenizer tests pardup passes.

    html5lib.py [--verbose]

A test passes when pardup's text has the characters that the test expects.  A test names one or more
states of the tokenizer; it is run for each, as the content of <pre> (data), <textarea> (RCDATA), <xmp>
(RAWTEXT), <plaintext>, <svg><![CDATA[ or <script>.  After <script> only what follows its end tag is
text.  White space at both ends is not compared.  Where the test expects tags, no white space is
compared, because pardup turns tags into line ends.  NUL counts as U+FFFD in all states.

Two kinds of tests are left out: tests with lone surrogates, which UTF-8 cannot express, and tests with
a tag such as <script> or <title>, which switches pardup's tokenizer and not that of the tests.
PARDUP, PARDUP_DATA: see suites.py.
"""

import json
import re
import sys

import suites

PREFIX = {
    "Data state": "<pre>",
    "RCDATA state": "<textarea>",
    "RAWTEXT state": "<xmp>",
    "PLAINTEXT state": "<plaintext>",
    "CDATA section state": "<pre><svg><![CDATA[",
    "Script data state": "<script>",
}
ELEMENT = {"RCDATA state": "textarea", "RAWTEXT state": "xmp"}
SWITCHING = {"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes",
             "noscript", "plaintext", "template", "svg", "math", "desc", "pre", "listing", "image"}
MEDIA = "text/html; charset=utf-8"


def unescape(value):
    """The second round of unescaping that `doubleEscaped` asks for."""
    if isinstance(value, str):
        return re.sub(r"\\u([0-9A-Fa-f]{4})", lambda m: chr(int(m[1], 16)), value)
    if isinstance(value, list):
        return [unescape(item) for item in value]
    return value


def rename(value, old, new):
    """Another name for an element, wherever it stands."""
    if isinstance(value, str):
        return re.sub(re.escape(old), new, value, flags=re.IGNORECASE)
    if isinstance(value, list):
        return [rename(item, old, new) for item in value]
    return value


def join_surrogates(text):
    """UTF-16 pairs as characters; None when one is alone."""
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        return None


def is_tag(token, name=None):
    """Is the token a start or end tag (with that name)?"""
    return token[0] in ("StartTag", "EndTag") and (name is None or token[1] == name)


class Case:
    """A test in one of its states: the page, and the text that is to come out."""

    def __init__(self, name, test, state):
        escaped = test.get("doubleEscaped")
        source = unescape(test["input"]) if escaped else test["input"]
        output = unescape(test["output"]) if escaped else test["output"]
        last = test.get("lastStartTag")
        element = ELEMENT.get(state)
        if element and last:
            source, output = rename([source, output], last, element)
        self.title = f"{name}: {test['description']} ({state})"
        self.state, self.source = state, join_surrogates(source)
        if state == "Script data state":
            output = self.behind_script(output)
        self.tags = [t for t in output if is_tag(t)]
        text = join_surrogates("".join(t[1] for t in output if t[0] == "Character"))
        self.usable = (self.source is not None and text is not None
                       and not any(t[1] in SWITCHING - {element} for t in self.tags))
        self.text = text and text.replace("\0", "\ufffd")

    @staticmethod
    def behind_script(output):
        """What comes behind the script's end tag."""
        for k, token in enumerate(output):
            if token[0] == "EndTag" and token[1] == "script":
                return output[k + 1:]
        return []

    def page(self):
        """What pardup is to read."""
        return MEDIA, (PREFIX[self.state] + self.source).encode("utf-8")

    def passed(self, found):
        """Is this the text?"""
        if self.tags:
            return found is not None and suites.solid(found) == suites.solid(self.text)
        return found is not None and found.strip() == self.text.strip()


def read_cases():
    """All tests of all files in all their states."""
    folder = suites.unpack("external-suites", "html5lib-tests")
    for path in sorted((folder / "tokenizer").glob("*.test")):
        tests = json.loads(path.read_text("utf-8"))
        for test in tests.get("tests", []):  # the others say what XML cannot hold
            for state in test.get("initialStates", ["Data state"]):
                yield Case(path.name, test, state)


def main():
    """Returns the exit status."""
    tally = suites.Tally(suites.arguments(__doc__).parse_args().verbose)
    cases = list(read_cases())
    judged = [case for case in cases if case.usable]
    for case, found in zip(judged, suites.texts([case.page() for case in judged])):
        tally.count(case.state.removesuffix(" state"), case.passed(found), case.title,
                    f"in   {case.source!a}", f"want {case.text!a}", f"got  {found!a}")
    tally.print("html5lib")
    print(f"html5lib: left out: {len(cases) - len(judged)} of {len(cases)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
