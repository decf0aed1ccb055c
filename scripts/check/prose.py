#!/usr/bin/env python3
"""Count what makes comments and documents hard to read, and fail above a limit. Run by ctest as `language`.

    prose.py [--vague X] [--chained N] [--openings N] [--worst N] [FILE...]

Three things are counted, in comments (.c, .h) and in documents (.md) apart:

    vague      references to something named elsewhere ("those", "of which", "the one" ...), per 1,000 words
    chained    texts that begin or end with "...", so that they cannot be read alone
    openings   texts that open with Of, As, Likewise, Those or What is

A text is a whole comment; in a document a paragraph, a heading, an item of a list or a cell of a table.
Code is left out. --vague, --chained and --openings are the limits of each count [none]; --worst prints
the N texts with the most findings, and when a limit is exceeded ten of them are printed in any case.
Without FILE: all of src/ and include/, the documents of the top folder, and those directly in docs/.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
VAGUE = re.compile(r"\b(?:those|these|likewise|so many|of which|of whom|as many|that one|the one)\b", re.I)
OPENING = re.compile(r"(?:Of|As|Likewise|Those|What is)\b")
DOTS = "..."
C_TOKEN = re.compile(r"""/\*(.*?)\*/ | //([^\n]*) | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""", re.S | re.X)
C_MARGIN = re.compile(r"^[\s*!<]*", re.M)  # what begins a line of a comment
MD_BLOCK = re.compile(r"\s*(?:[-*+]|\d+\.)\s+|#+\s+")  # an item of a list, a heading


def comments(text):
    """(line, text) of each comment of a C file."""
    for token in C_TOKEN.finditer(text):
        body = token[1] if token[1] is not None else token[2]
        if body is not None:
            yield text.count("\n", 0, token.start()) + 1, " ".join(C_MARGIN.sub("", body).split())


def blocks(text):
    """(line, text) of each paragraph, heading, item and cell of a Markdown file, without code."""
    start, words, fenced = 1, [], False
    for n, line in enumerate(text.splitlines() + [""], 1):
        if line.startswith("```"):
            fenced = not fenced
        plain = re.sub(r"`[^`]*`", "CODE", line)
        table = line.startswith("|")
        ends = fenced or not line.strip() or line.startswith(("```", "    ")) or table
        if words and (ends or MD_BLOCK.match(line)):
            yield start, " ".join(words)
            words = []
        if table:
            yield from ((n, cell.strip()) for cell in plain.strip("| ").split("|"))
        elif not ends:
            start = start if words else n
            words += MD_BLOCK.sub("", plain, count=1).split() if not words else plain.split()


class Group:
    """The texts of one kind, and what is found in them."""

    def __init__(self, name):
        self.name, self.texts, self.words, self.vague, self.chained, self.openings = name, 0, 0, 0, 0, 0
        self.found = []

    def add(self, where, text):
        if not re.search(r"\w", text):
            return
        vague = len(VAGUE.findall(text))
        chained = text.startswith(DOTS) or text.endswith(DOTS)
        opening = bool(OPENING.match(text))
        self.texts += 1
        self.words += len(text.split())
        self.vague += vague
        self.chained += chained
        self.openings += opening
        if vague + chained + opening:
            self.found.append((-(vague + chained + opening), where, text))

    def rate(self):
        return 1000 * self.vague / max(1, self.words)

    def exceeds(self, limits):
        return self.texts > 0 and (self.rate() > limits.vague or self.chained > limits.chained
                                   or self.openings > limits.openings)

    def show(self, worst):
        print(f"{self.name}: {self.texts} texts, {self.words} words: vague {self.rate():.2f} per 1,000 words, "
              f"chained {self.chained}, openings {self.openings}")
        for _, where, text in sorted(self.found)[:worst]:
            print(f"  {where}: {text[:150]}")


def all_files():
    for folder in ("src", "include"):
        yield from sorted((ROOT / folder).rglob("*.[ch]"))
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted((ROOT / "docs").glob("*.md"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    none = float("inf")
    parser.add_argument("--vague", type=float, default=none)
    parser.add_argument("--chained", type=float, default=none)
    parser.add_argument("--openings", type=float, default=none)
    parser.add_argument("--worst", type=int, default=0)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    limits = parser.parse_args()
    groups = {".md": Group("documents"), ".c": Group("comments")}
    groups[".h"] = groups[".c"]
    for path in limits.files or all_files():
        if path.suffix in groups:
            text = path.read_text(errors="replace")
            shown = path.resolve()
            shown = shown.relative_to(ROOT) if shown.is_relative_to(ROOT) else path
            for line, body in (blocks if path.suffix == ".md" else comments)(text):
                groups[path.suffix].add(f"{shown}:{line}", body)
    bad = False
    for group in (groups[".c"], groups[".md"]):
        exceeds = group.exceeds(limits)
        group.show(max(limits.worst, 10 * exceeds))
        bad |= exceeds
    if bad:
        print(f"limits: vague {limits.vague}, chained {limits.chained}, openings {limits.openings}")
    sys.exit(bad)


if __name__ == "__main__":
    main()
