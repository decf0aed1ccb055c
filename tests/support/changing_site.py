#!/usr/bin/env python3
"""Write the crawls of a site that changes from month to month: FOLDER/01/part-0.jsonl and so on.

usage: changing_site.py FOLDER [--months N] [--pages N] [--seed N] [--sentences N] [--words] [--url]

Each month a page keeps most of its paragraphs, gets a new one, repeats an old one, or goes; new pages come, and some of
them begin with a paragraph of another page. A paragraph has --sentences [3] sentences, or up to three more. With --words a word is replaced here and there, and with --url pages have
the addresses of three hosts. Each crawl has all pages that are there, in two files.
"""
import argparse
import json
import pathlib
import random


class Site:
    def __init__(self, seed, sentences):
        self.sentences = sentences
        self.rng = random.Random(f"site {seed}")
        letters = "abcdefghijklmnopqrstuvwxyz"
        self.words = ["".join(self.rng.choices(letters, k=self.rng.randint(3, 9))) for _ in range(4000)]
        self.pages, self.old = {}, []

    def paragraph(self):
        lengths = (self.rng.randint(7, 16) for _ in range(self.rng.randint(self.sentences, self.sentences + 3)))
        return " ".join(" ".join(self.rng.choices(self.words, k=n)).capitalize() + "." for n in lengths)

    def repeated(self, page):
        """A paragraph of another page, or an earlier one: a page has it once."""
        return self.rng.choice([text for text in self.old if text not in page])

    def change(self, name, edits):
        page, chance = self.pages[name], self.rng.random()
        at = self.rng.randrange(len(page))
        if chance < 0.3:
            page[at] = self.paragraph()
        elif chance < 0.4:
            page.insert(at, self.repeated(page))
        elif chance < 0.5:
            del self.pages[name]
        elif chance < 0.6 and edits:
            words = page[at].split()
            words[self.rng.randrange(1, len(words))] = self.rng.choice(self.words)
            page[at] = " ".join(words)

    def month(self, number, pages, edits):
        for name in list(self.pages):
            self.change(name, edits)
        for n in range(pages):
            page = [self.paragraph() for _ in range(self.rng.randint(2, 6))]
            if self.old and self.rng.random() < 0.4:
                page[0] = self.repeated(page)
            self.pages[f"{number}.{n}"] = page
            self.old += page


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    for name, default in (("--months", 12), ("--pages", 12), ("--seed", 1), ("--sentences", 3)):
        parser.add_argument(name, type=int, default=default)
    for name in ("--words", "--url"):
        parser.add_argument(name, action="store_true")
    args = parser.parse_args()
    site = Site(args.seed, args.sentences)
    for month in range(1, args.months + 1):
        site.month(month, args.pages, args.words)
        folder = args.folder / f"{month:02}"
        folder.mkdir(parents=True)
        for part in range(2):
            with open(folder / f"part-{part}.jsonl", "w") as out:
                for name, page in list(site.pages.items())[part::2]:
                    row = {"id": f"m{month}/{name}", "text": "\n\n".join(page)}
                    if args.url:
                        row["url"] = f"http://site{len(page) % 3}.example/{name}"
                    out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
