#!/usr/bin/env python3
"""Compare the table of deviations in docs/methods.md with the headers, or write it. Run by ctest as `deviations`.

    deviations.py [--write]

A deviation is a paragraph of a header's comment: " * Deviation from NAME: text". It ends before the next one, before an
empty line of the comment, and with the comment. NAME is a key of PAPERS. All headers of include/ and src/ are read.
A file of the folders feature, join and passage may have no deviation of another form, and a .c file none at all.
"""
import pathlib
import re
import sys

import made_part

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "methods.md"
BEGIN = "<!-- `scripts/check/deviations.py --write` makes the table from the headers. -->\n"
END = "<!-- end of the deviations -->\n"
STRICT = re.compile(r"(include/pardup|src)/(feature|join|passage)/")
DEVIATION = re.compile(r"^ \* Deviation from ([^:\n]+):((?:.*\n)(?: \* (?!Deviation from ).*\n)*)", re.MULTILINE)

# Names, in the order of the table, and numbers in the list of papers of docs/methods.md.
PAPERS = {
    "Zhang": "1", "Yoon": "4", "qSign-lsh": "5", "Wang and Chang": "6", "Nikkhoo": "8", "SpotSigs": "3",
    "Sanchez-Perez": "7", "CoReMo": None, "Winnowing": None, "PPJoin": None, "Bitmap filter": None, "Star clusters": None,
    "Bentley": None, "Wise": None, "Hyyro": None, "Hirschberg": None, "Zhang et al., Aligning DNA": None, "Potthast": None,
    "Mosaic memory": None,
}


def deviations_of(path, wrong):
    """(name, header, text) of each deviation of a file; what has no right form goes into `wrong`."""
    text, shown = path.read_text(), path.relative_to(ROOT).as_posix()
    found = [(m[1], shown.removeprefix("include/pardup/").removeprefix("src/"), " ".join(m[2].replace("\n * ", "\n").split()))
             for m in DEVIATION.finditer(text)]
    wrong += [f"{shown}: Deviation from {name}: no such name in scripts/check/deviations.py" for name, _, _ in found
              if name not in PAPERS]
    every = len(re.findall(r"\bDeviations?\b", text))
    if path.suffix == ".c" and found:
        wrong.append(f"{shown}: a deviation belongs into the header")
    elif STRICT.match(shown) and every != len(found):
        wrong.append(f"{shown}: {every - len(found)} times Deviation without the form ` * Deviation from NAME: text`")
    return found


def generated():
    """The table; ends the program if a file has a deviation of a wrong form."""
    wrong, rows = [], []
    for folder in ("include", "src"):
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            rows += deviations_of(path, wrong)
    if wrong:
        sys.exit("\n".join(wrong))
    names = list(PAPERS)
    rows.sort(key=lambda row: names.index(row[0]))
    missing = set(names) - {row[0] for row in rows}
    if missing:
        sys.exit(f"scripts/check/deviations.py: no header deviates from {', '.join(sorted(missing))}")
    lines = ["\n| from | header | pardup |\n|---|---|---|\n"]
    for name, header, text in rows:
        number = f" [{PAPERS[name]}]" if PAPERS[name] else ""
        cell = re.sub(r"(?<![`\w-])(--[a-z][\w-]*)", r"`\1`", text.replace("|", "\\|"))
        lines.append(f"| {name}{number} | `{header}` | {cell[0].upper() + cell[1:]} |\n")
    return BEGIN + "".join(lines) + "\n" + END


def main():
    made_part.keep(PAGE, BEGIN, END, generated(), "the headers", "scripts/check/deviations.py")


if __name__ == "__main__":
    main()
