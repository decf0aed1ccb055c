#!/usr/bin/env python3
"""Draw documents side by side, with their common passages joined by bands: the picture of README.md.

    picture.py [OUT.svg [FILE FILE...]]     [docs/passages.svg, three versions of the GPL]

Every FILE is plain text, one document. The script runs `pardup detect` with the options for short passages,
and draws the passages of neighbouring documents. A thin grey line stands for a line of text.
PARDUP: the program [build/release/pardup].
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARDUP = os.environ.get("PARDUP", ROOT / "build" / "release" / "pardup")
LICENCES = [f"/usr/share/common-licenses/GPL-{k}" for k in (1, 2, 3)]
OPTIONS = "--units clause --edges far --gamma 0 --gap 8 --min-words 5 --min-passage-words 20 --idf 0,1".split()
COLOURS = "#4477aa #ee6677 #228833 #ccbb44 #66ccee #aa3377".split()  # Paul Tol's "bright", fit for colour blindness

WIDTH, GAP = 150, 150            # pixels: of a document, between two documents
LINE_HEIGHT, CHARACTER = 0.62, 1.7  # pixels: of a line of text, of a character in it
LEFT, TOP = 20, 34


class Page:
    """One document as it is drawn."""

    def __init__(self, path, column):
        text = subprocess.run([PARDUP, "text", path], check=True, stdout=subprocess.PIPE).stdout
        self.name = pathlib.Path(path).name
        self.x = LEFT + column * (WIDTH + GAP)
        self.lines = text.split(b"\n")
        self.bytes = len(text)
        self.starts = [0]        # byte offset of each line
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def y(self, offset):
        """The height at which a byte is drawn."""
        low, high = 0, len(self.lines) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.starts[middle] <= offset else (low, middle - 1)
        share = (offset - self.starts[low]) / (len(self.lines[low]) + 1)
        return TOP + (low + min(share, 1)) * LINE_HEIGHT

    def strokes(self):
        for k, line in enumerate(self.lines):
            body = line.strip()
            if body:
                begin = 8 + (len(line) - len(line.lstrip())) * CHARACTER
                end = min(begin + len(body) * CHARACTER, WIDTH - 8)
                yield f"M{self.x + begin:.0f} {TOP + k * LINE_HEIGHT + .4:.1f}H{self.x + end:.0f}"

    def draw(self):
        height = len(self.lines) * LINE_HEIGHT
        return [f'<rect x="{self.x}" y="{TOP - 4}" width="{WIDTH}" height="{height + 8:.0f}" fill="#fff" stroke="#999"/>',
                f'<path d="{"".join(self.strokes())}" stroke="#aaa" stroke-width=".5"/>',
                f'<text x="{self.x + WIDTH / 2:.0f}" y="20" text-anchor="middle">{self.name}</text>']


def band(left, right, row, colour, covered):
    """A passage: a block in both documents, and the band between them."""
    x, to = left.x + WIDTH, right.x
    a, b = left.y(row["begin_a"]), left.y(row["end_a"])
    c, d = right.y(row["begin_b"]), right.y(row["end_b"])
    middle = (x + to) / 2
    return (f'<path fill="{colour}" fill-opacity=".4" d="M{x - covered[0]} {a:.1f}h{covered[0]}'
            f'C{middle:.0f} {a:.1f} {middle:.0f} {c:.1f} {to} {c:.1f}h{covered[1]}V{d:.1f}h{-covered[1]}'
            f'C{middle:.0f} {d:.1f} {middle:.0f} {b:.1f} {x} {b:.1f}h{-covered[0]}Z"/>')


def passages(paths):
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "passages.h5"
        subprocess.run([PARDUP, "detect", "--progress", "none", *OPTIONS, "-o", result, *paths], check=True,
                       stderr=subprocess.DEVNULL)
        rows = subprocess.run([PARDUP, "export", "--format", "jsonl", result], check=True, stdout=subprocess.PIPE).stdout
    return [json.loads(line) for line in rows.splitlines()]


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "passages.svg"
    paths = sys.argv[2:] or LICENCES
    rows = passages(paths)
    pages = [Page(path, k) for k, path in enumerate(paths)]
    width = pages[-1].x + WIDTH + LEFT
    height = TOP + max(len(p.lines) for p in pages) * LINE_HEIGHT + 14
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" width="{width}" height="{height:.0f}"'
             ' font-family="sans-serif" font-size="14">', f'<rect width="{width}" height="{height:.0f}" fill="#fff"/>']
    for page in pages:
        parts += page.draw()
    for k in range(len(pages) - 1):
        # a document with two neighbours is coloured on one half for each
        covered = (WIDTH // (2 if k > 0 else 1), WIDTH // (2 if k + 2 < len(pages) else 1))
        between = [r for r in rows if (r["doc_a"], r["doc_b"]) == (k, k + 1)]
        parts += [band(pages[k], pages[k + 1], r, COLOURS[n % len(COLOURS)], covered) for n, r in enumerate(between)]
    out.write_text("\n".join(parts + ["</svg>"]) + "\n")
    print(f"{out}: {len(rows)} passages, {out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
