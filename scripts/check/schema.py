#!/usr/bin/env python3
"""Compare the tables of docs/result-file.md with the schema of the result file, or write them. Run by ctest as `schema`.

    schema.py [--write]

The lines between the two markers are made from src/result/schema.c and include/pardup/result/schema.h.
"""
import pathlib
import re

import made_part

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "result-file.md"
BEGIN = "<!-- `scripts/check/schema.py --write` makes the tables from src/result/schema.c. -->\n"
END = "<!-- end of the tables -->\n"
STRINGS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'  # neighbouring literals are one string
TABLE = re.compile(r'TABLE\(\w+,\s*(\w+),\s*' + STRINGS + r'\)')
COLUMN = re.compile(r'\{"(\w+)",\s*(\w+)\([^)]*\),\s*(NULL|' + STRINGS + r'),\s*' + STRINGS + r'\}')
TYPES = {"U64": "uint64", "U32": "uint32", "F64": "double", "I64": "int64", "HIGH": "uint32", "LOW": "uint32", "TEXT": "text", "FIXED_TEXT": "text"}


def plain(literals):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def generated():
    header = (ROOT / "include" / "pardup" / "result" / "schema.h").read_text()
    source = (ROOT / "src" / "result" / "schema.c").read_text()
    parts = [BEGIN]
    for name, description in TABLE.findall(header):
        begin = source.index(f"{name}_columns[] = {{")
        rows = COLUMN.findall(source[begin:source.index("END}", begin)])
        parts.append(f"\n**`/{name}`**: {plain(description)}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n")
        parts += [f"| `{column}` | {TYPES[kind]} | {plain(unit)} | {plain(meaning)} |\n" for column, kind, unit, _, meaning in rows]
    return "".join(parts) + "\n" + END


def main():
    made_part.keep(PAGE, BEGIN, END, generated(), "the schema", "scripts/check/schema.py")


if __name__ == "__main__":
    main()
