#!/usr/bin/python3
"""What a page of `pardup report` holds, for tests: report_page.py PAGE.html EXPRESSION...

Each expression of Python is printed after evaluation, with `data` (the data of the page), `page` (its
bytes) and `elements` (all names of elements). The page is refused when it loads anything.
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


def main(path, *expressions):
    with open(path, "rb") as f:
        page = f.read()
    parser = Page()
    parser.feed(page.decode("utf-8"))
    names = {"data": json.loads(parser.data), "page": page, "elements": parser.elements}
    for expression in expressions:
        print(eval(expression, names))


if __name__ == "__main__":
    main(*sys.argv[1:])
