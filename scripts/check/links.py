#!/usr/bin/env python3
"""Fail when a file of the repository names another one that is not there. Run by ctest as `links`.

    links.py

Checked are the links of Markdown files with their #anchors; paths that begin with docs/, scripts/, slurm/ or tests/ in
documents, scripts, tests and comments; and that scripts/README.md names every script.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = "docs include scripts slurm src tests .ci".split()
SUFFIXES = {".md", ".txt", ".c", ".h", ".py", ".sh", ".sbatch", ".cff", ".json", ""}
# "docs/s" is documents a second
PATH = re.compile(r"(?<![\w/.$}\-])(?:docs|scripts|slurm|tests)/(?!s\b)[\w./\-]*\w/?(?![\w*{$<(])")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def files():
    yield from sorted(p for p in ROOT.glob("*") if p.is_file() and not p.name.startswith("."))
    for folder in FOLDERS:
        yield from sorted(p for p in (ROOT / folder).rglob("*") if p.is_file())


def anchors(path):
    """The anchors of a Markdown file's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.S | re.M)
    for heading in re.findall(r"^#+ (.*)", text, re.M):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def broken_links(path, text):
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
        if re.match(r"\w+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        if not target.exists():
            yield f"{link}: no such file"
        elif anchor and anchor not in anchors(target):
            yield f"{link}: no such heading"


def main():
    bad = []
    for path in files():
        name = path.relative_to(ROOT)
        if path.suffix not in SUFFIXES or str(name).startswith("tests/fuzz/corpus") or path == pathlib.Path(__file__).resolve():
            continue
        text = path.read_text(errors="replace")
        bad += [f"{name}: {p}: no such file" for p in sorted(set(PATH.findall(text)))
                if not (ROOT / p).exists() and not pathlib.Path(p).stem.isupper()]  # NAME.sh stands for a name
        if path.suffix == ".md":
            bad += [f"{name}: {reason}" for reason in broken_links(path, text)]
    listed = (ROOT / "scripts" / "README.md").read_text()
    for script in sorted((ROOT / "scripts").rglob("*")):
        kept_apart = script.parent.name == "scale" or "__pycache__" in script.parts
        if script.is_file() and not kept_apart and script.name != "README.md" and f"`{script.name}`" not in listed:
            bad.append(f"scripts/README.md: {script.relative_to(ROOT)} is missing")
    print("\n".join(bad) or "links ok")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
