#!/usr/bin/env python3
"""Compare docs/usage.md with what `pardup COMMAND --help all` prints, or write it. Run by ctest as `usage`.

    usage.py [--write]

The part of the file behind the marker is made from the program; the part before it is written by hand.
PARDUP: the program [build/release/pardup].
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARDUP = os.environ.get("PARDUP", ROOT / "build" / "release" / "pardup")
PAGE = ROOT / "docs" / "usage.md"
MARKER = "<!-- From here on, `scripts/check/usage.py --write` makes this page from the program's --help. -->\n"


def help_of(*arguments):
    run = subprocess.run([PARDUP, *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return run.stdout


def block(text):
    return "```text\n" + text.rstrip() + "\n```\n"


def generated():
    top = help_of("--help")
    commands = [m[1] for m in re.finditer(r"^  ([a-z]+)  +\S", top, re.M)]
    parts = [MARKER, "\n## pardup\n\n", block(top)]
    for command in commands:
        parts += [f"\n## pardup {command}\n\n", block(help_of(command, "--help", "all"))]
    parts += ["\n## Methods and their parameters\n\n", block(help_of("help", "method"))]
    return "".join(parts)


def main():
    page = PAGE.read_text()
    by_hand, found, old = page.partition(MARKER)
    new = generated()
    if "--write" in sys.argv[1:]:
        PAGE.write_text((by_hand if found else page + "\n") + new)
        return
    if found and found + old == new:
        print("docs/usage.md ok")
        return
    sys.stdout.writelines(difflib.unified_diff((found + old).splitlines(True), new.splitlines(True), "docs/usage.md", "--help"))
    sys.exit("docs/usage.md is not what --help prints: run scripts/check/usage.py --write")


if __name__ == "__main__":
    main()
