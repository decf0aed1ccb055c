#!/usr/bin/python3
"""What a page of `pardup report` holds, for tests: report_page.py PAGE.html EXPRESSION...

Each expression of Python is printed after evaluation, with `data` (the data of the page), `page` (its
bytes), `elements` (all names of elements), and `alike` and `differing`: the parts of one side of a passage
whose words have a match, and those that are marked. The page is refused when it loads anything.
"""
import html.parser
import json
import sys


class Page(html.parser.HTMLParser):
    """The elements of a page, and the data in it."""

    def __init__(self):
        super().__init__()
        self.elements, self.data, self.in_data = [], "", False

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.append(tag)
        self.in_data = attrs.get("id") == "data"
        loads = [name for name in ("src", "srcset", "data", "action") if name in attrs]
        assert not loads, f"<{tag}> loads {loads}"
        assert tag != "link" and not attrs.get("href", "#").startswith(("http", "//")), attrs

    def handle_endtag(self, tag):
        self.in_data = False

    def handle_data(self, data):
        if self.in_data:
            self.data += data


def parts(data, passage, side):
    """The parts of one side of a passage of the data: the even ones have matches, the odd ones are marked."""
    text = data["docs"][passage[1 + side]][4]
    begin, end = passage[3 + 2 * side:5 + 2 * side]
    text = passage[14 + side].encode() if text is None else text.encode()[begin:end]
    out, at = [], 0
    for n in passage[12 + side]:
        out.append(text[at:at + n].decode())
        at += n
    return out + [text[at:].decode()]


def main(path, *expressions):
    with open(path, "rb") as f:
        page = f.read()
    parser = Page()
    parser.feed(page.decode("utf-8"))
    data = json.loads(parser.data)
    names = {"data": data, "page": page, "elements": parser.elements,
             "alike": lambda p, side: parts(data, p, side)[::2], "differing": lambda p, side: parts(data, p, side)[1::2]}
    for expression in expressions:
        print(eval(expression, names))


if __name__ == "__main__":
    main(*sys.argv[1:])
