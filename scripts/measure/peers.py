#!/usr/bin/env python3
"""Steps of peers.sh that need Python.

usage: peers.py words IN.jsonl DIR        a file for each document with a word a line; prints the names
       peers.py joined IN.jsonl OUT       all texts in one file
       peers.py series IN.jsonl OUT       JSON lines in which each document is a series of its own
       peers.py datatrove IN.jsonl WORK   its minhash, up to the clusters
       peers.py rensa IN.jsonl            its deduplicator; prints positions of documents that have a duplicate
       peers.py judge IN.jsonl SYNTH KIND FILE   three cells of the table

Every program marks text that it takes for copied: passages, or whole documents. A planted copy is found if at least half
of its bytes are marked, on both sides. The last cell is the share of the marked bytes that are in no planted copy, and in no
text that `pardup synth` gives to the pages of a host.
"""
import collections
import json
import pathlib
import pickle
import re
import struct
import sys

WORD = re.compile(r"\S+")
LONG = 4  # sentences


def documents(path):
    with open(path) as f:
        for line in f:
            row = json.loads(line)
            yield row["id"], row["text"]


def words(source, folder):
    pathlib.Path(folder).mkdir()
    for k, (_, text) in enumerate(documents(source)):
        name = f"{folder}/{k}"
        pathlib.Path(name).write_text("\n".join(WORD.findall(text)))
        print(name)


def joined(source, out):
    with open(out, "wb") as f:
        for _, text in documents(source):
            f.write(text.encode() + b"\xff")


def series(source, out):
    with open(out, "w") as f:
        for name, text in documents(source):
            print(json.dumps({"id": name, "series": name, "text": text}), file=f)


def datatrove(source, work):
    import dedup_peers
    dedup_peers.minhash_clusters(source, work)


def rensa(source):
    from rensa import RMinHash, RMinHashDeduplicator
    dedup = RMinHashDeduplicator(threshold=0.8, num_perm=128, use_lsh=True)
    for k, (_, text) in enumerate(documents(source)):
        sketch = RMinHash(num_perm=128, seed=42)
        sketch.update(text.split())
        same = dedup.get_duplicates(sketch)
        for other in same:
            print(other)
        if same:
            print(k)
        dedup.add(str(k), sketch)


# Readers of what programs mark: (document, begin, end) in bytes; None as the end is the whole document.

def whole(texts, positions):
    names = list(texts)
    return [(names[int(k)], 0, None) for k in positions]


def marked_by_pardup(texts, path):
    rows = (line.rstrip("\n").split("\t") for line in open(path))
    at = {name: k for k, name in enumerate(next(rows))}
    for row in rows:
        for side in "ab":
            yield row[at[f"id_{side}"]], int(row[at[f"begin_{side}"]]), int(row[at[f"end_{side}"]])


def marked_by_sim_text(texts, path):
    names, spans = list(texts), {}
    for line in open(path):
        for k, first, last in re.findall(r"(\d+): line (\d+)(?:-(\d+))?", line):
            name = names[int(k)]
            if name not in spans:
                spans[name] = [(m.start(), m.end()) for m in WORD.finditer(texts[name])]
            begin, end = spans[name][int(first) - 1][0], spans[name][int(last or first) - 1][1]
            yield name, len(texts[name][:begin].encode()), len(texts[name][:end].encode())


def marked_by_exactsubstr(texts, path):
    starts, at = [], 0
    for name, text in texts.items():
        starts.append((at, name))
        at += len(text.encode()) + 1
    k = 0
    for line in open(path):
        cells = line.split()
        if len(cells) != 2 or not cells[0].isdigit():
            continue
        begin, end = map(int, cells)
        while k + 1 < len(starts) and starts[k + 1][0] <= begin:
            k += 1
        yield starts[k][1], begin - starts[k][0], end - starts[k][0]


def marked_by_passim(texts, path):
    for part in sorted(pathlib.Path(path).glob("part-*")):
        for line in open(part):
            row = json.loads(line)
            text = texts[row["id"]]
            yield row["id"], len(text[:row["begin"]].encode()), len(text[:row["end"]].encode())


def marked_by_datatrove(texts, path):
    return whole(texts, (k for k, _ in struct.iter_unpack("<2I", pathlib.Path(path).read_bytes())))


def marked_by_text_dedup(texts, path):
    clusters = pickle.load(open(path, "rb"))
    roots = {k: clusters.find(k) for k in list(clusters.parent)}
    sizes = collections.Counter(roots.values())
    return whole(texts, (k for k, root in roots.items() if sizes[root] > 1))


def marked_by_rensa(texts, path):
    return whole(texts, set(pathlib.Path(path).read_text().split()))


def merged(spans):
    out = []
    for begin, end in sorted(spans):
        if out and begin <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([begin, end])
    return out


def covered(spans, begin, end):
    return sum(max(0, min(e, end) - max(b, begin)) for b, e in spans)


def judge(source, synth, kind, path):
    texts = dict(documents(source))
    size = {name: len(text.encode()) for name, text in texts.items()}
    marks = collections.defaultdict(list)
    for name, begin, end in globals()[f"marked_by_{kind.replace('-', '_')}"](texts, path):
        marks[name].append((begin, size[name] if end is None else min(end, size[name])))
    marks = {name: merged(spans) for name, spans in marks.items()}
    planted, found, total = collections.defaultdict(list), [0, 0], [0, 0]
    for line in open(f"{synth}/truth.tsv"):
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        sides = [(doc, int(b), int(e)) for doc, b, e in (cells[:3], cells[3:6])]
        short = int(cells[7]) < LONG
        total[short] += 1
        found[short] += all(2 * covered(marks.get(doc, []), b, e) >= e - b for doc, b, e in sides)
        for doc, b, e in sides:
            planted[doc].append((b, e))
    for line in open(f"{synth}/boilerplate.tsv"):
        if not line.startswith("#"):
            doc, b, e = line.split("\t")[:3]
            planted[doc].append((int(b), int(e)))
    all_marked = inside = 0
    for name, spans in marks.items():
        known = merged(planted[name])
        for b, e in spans:
            all_marked += e - b
            inside += covered(known, b, e)
    cells = [f"{100 * f / t:.1f} %" for f, t in zip(found, total)]
    print(*cells, f"{100 * (1 - inside / all_marked):.1f} %" if all_marked else "none", sep=" | ")


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    {"words": words, "joined": joined, "series": series, "datatrove": datatrove, "rensa": rensa,
     "judge": judge}[what](*rest)
