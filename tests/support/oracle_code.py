#!/usr/bin/env python3
"""The words of program text by a slow definition, and programs at random.

    oracle_code.py --make FOLDER --seed N     make files with all that the reader knows, and copies of parts
    oracle_code.py --judge S.jsonl            compare with `pardup sentences --words code --offsets FILE...`
"""

import argparse
import json
import pathlib
import random
import re
import sys

TOKEN = re.compile(
    rb"""(?P<comment>\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)|/\*.*?(?:\*/|\Z)|//[^\n]*
        |(?:(?<=[\ \t\n\v\f\r])|(?<!.))(?:\#|--(?=[-\ \t\n\v\f\r]|\Z))[^\n]*)
      |(?P<number>[0-9][0-9A-Za-z_$.\x80-\xff]*)
      |(?P<name>[A-Za-z_$\x80-\xff][0-9A-Za-z_$\x80-\xff]*)
      |(?P<string>(?P<quote>["'`])(?:\\[^\n]|(?!(?P=quote))[^\\\n]|\\(?=\n))*(?P=quote))
      |(?P<operator>[-+*/%=<>!&|^~?:])
      |(?P<other>.)""", re.DOTALL | re.VERBOSE)


def words_of(text):
    """[(begin, end, form)] of some bytes."""
    found = []
    for match in TOKEN.finditer(text):
        kind = next(k for k in ("comment", "number", "name", "string", "operator", "other") if match[k] is not None)
        if kind in ("name", "number"):
            found.append((match.start(), match.end(), kind))
        elif kind in ("string", "operator"):
            found.append((match.start(), match.end(), match[0].decode("utf-8", "surrogateescape")))
    return found


def lines_of(text):
    """The lines that have words: a list of words each."""
    lines, end = [], 0
    for word in words_of(text):
        if not lines or b"\n" in text[end:word[0]]:
            lines.append([])
        lines[-1].append(word)
        end = word[1]
    return lines


def judge(path):
    """Prints what differs. Returns the number of files that differ."""
    found = {}
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        found.setdefault(row["doc"], []).append(row)
    wrong = 0
    for name, rows in found.items():
        wanted = lines_of(pathlib.Path(name).read_bytes())
        got = [[(*span, word) for span, word in zip(row["spans"], row["words"])] for row in rows]
        edges = [(row["begin"], row["end"]) for row in rows]
        if got == wanted and edges == [(line[0][0], line[-1][1]) for line in wanted]:
            continue
        wrong += 1
        first = next((k for k, pair in enumerate(zip(got, wanted)) if pair[0] != pair[1]), min(len(got), len(wanted)))
        print(f"{name}: line {first} differs: {got[first:first + 1]}, not {wanted[first:first + 1]}")
    print(f"{len(found)} files, {wrong} differ")
    return wrong + (not found)


def make(folder, seed):
    """Thirty files of random pieces; the later ones have stretches of earlier ones with other names."""
    draw = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    signs = ["+", "-", "--", "---", "->", "*", "/", "//", "/*", "*/", "#", "=", "==", "<", ">", "!", "(", ")", "{", "}", ";",
             ",", ".", "@", "\\", "\"", "'", "`", "\"\"\"", "'''", "?", ":", " ", " ", " ", "\n", "\n", "\t", "\r\n", "é", "$"]

    def piece():
        kind = draw.random()
        if kind < .45:
            return draw.choice(signs)
        if kind < .75:
            return " " + "".join(draw.choice("abcXYZ_19") for _ in range(draw.randint(1, 6)))
        if kind < .85:
            return draw.choice(["0", "17", "0x1F", "1.5e-3", "1..2"])
        text = "".join(draw.choice("ab \\\\#/-'") for _ in range(draw.randint(0, 5)))
        return f' "{text}"\n' if kind < .95 else f"{draw.choice(['/*', '//', '# ', '-- '])} {text}\n"

    programs = []
    for k in range(30):
        pieces = [piece() for _ in range(draw.randint(0, 300))]
        if k % 3 == 2:
            begin = draw.randrange(len(programs[-1]) // 2 + 1)
            copied = programs[-1][begin:begin + 150]
            pieces += ["\n"] + [p.replace("a", "b").replace("X", "cc") if p[:1] == " " else p for p in copied]
        programs.append(pieces)
        (folder / f"p{k:02}.{draw.choice(['c', 'py', 'lua', 'java'])}").write_bytes(("begin\n" + "".join(pieces)).encode())


def main():
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judge")
    given = parser.parse_args()
    if given.make:
        make(given.make, given.seed)
    return int(judge(given.judge) > 0) if given.judge else 0


if __name__ == "__main__":
    sys.exit(main())
