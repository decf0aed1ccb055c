#!/usr/bin/python3
"""Makes Chinese laws with copies planted in them, and the truth for `pardup eval --truth`.

    chinese_collection.py FOLDER OUT SEED

FOLDER is the collection chinese-laws of tests/support/make_collection.py, unpacked.  OUT/laws gets
the laws that hardly share a sentence with an earlier one, so that anything found beside the plants
is wrong.  Every second of them gets a run of 4 to 20 sentences of the law before it, as a
paragraph of its own; every run is from another law.  OUT/truth.tsv has the classes

    same    nothing was changed
    few     in about one sentence of ten (the share the paper's authors saw) a character or two are
            replaced, left out or added
    many    the same in every second sentence
"""

import pathlib
import random
import re
import sys

SENTENCE = re.compile(r"[^。；\n]+[。；\n]*")
SHORT = 8            # characters: shorter sentences are alike by chance
SHARED_MOST = 2      # sentences that a law may share with the laws before it
LENGTHS = 4, 20      # sentences of a plant
CHANGED = {"same": 0.0, "few": 0.1, "many": 0.5}


def laws_apart(folder):
    """The texts that share no more than SHARED_MOST sentences with the texts before them."""
    seen = set()
    for path in sorted(folder.rglob("*.md")):
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        own = {s.strip() for s in SENTENCE.findall(text) if len(s.strip()) >= SHORT}
        if path.name != "_index.md" and len(own & seen) <= SHARED_MOST:
            seen |= own
            yield text


def change(sentence, rng, characters):
    """The sentence with a character or two replaced, left out or added."""
    for _ in range(rng.randrange(1, 3)):
        at = rng.randrange(len(sentence) - 1)  # what ends it stays
        cut = rng.randrange(2)
        sentence = sentence[:at] + rng.choice(("", rng.choice(characters))) + sentence[at + cut:]
    return sentence


def run_of(source, rng):
    """Consecutive sentences of a law: (offset, text), or None when it has too few."""
    found = [m for m in SENTENCE.finditer(source) if "。" in m[0] and len(m[0]) >= SHORT]
    n = rng.randrange(LENGTHS[0], LENGTHS[1] + 1)
    if len(found) < n:
        return None
    first = rng.randrange(len(found) - n + 1)
    begin, end = found[first].start(), found[first + n - 1].end()
    return begin, source[begin:end].rstrip("\n")


def plant(source, target, share, rng, characters):
    """Where in the source the run is, and the target with it: (begin, end), (begin, end), text."""
    chosen = run_of(source, rng)
    if chosen is None:
        return None
    begin, run = chosen
    copy = "".join(change(s, rng, characters) if rng.random() < share and len(s) >= SHORT else s
                   for s in SENTENCE.findall(run))
    ends = [0] + [m.end() for m in re.finditer("\n", target)]
    at = rng.choice(ends)
    text = f"{target[:at]}\n{copy}\n\n{target[at:]}"

    def place(whole, start, length):
        first = len(whole[:start].encode())
        return first, first + len(whole[start:start + length].encode())

    return place(source, begin, len(run)), place(text, at + 1, len(copy)), text


def main(argv):
    """Returns the exit status."""
    if len(argv) != 3:
        sys.exit(__doc__)
    out, rng = pathlib.Path(argv[1]), random.Random(int(argv[2]))
    texts = list(laws_apart(pathlib.Path(argv[0])))
    characters = [c for c in texts[0] if "\u4e00" <= c <= "\u9fff"]
    rng.shuffle(texts)
    rows, kinds = [], list(CHANGED)
    for k in range(1, len(texts), 2):
        kind = kinds[k // 2 % len(kinds)]
        planted = plant(texts[k - 1], texts[k], CHANGED[kind], rng, characters)
        if planted:
            (begin_a, end_a), (begin_b, end_b), texts[k] = planted
            rows.append((f"laws/{k - 1:04}.txt", begin_a, end_a,
                         f"laws/{k:04}.txt", begin_b, end_b, kind))
    (out / "laws").mkdir(parents=True)
    for k, text in enumerate(texts):
        (out / f"laws/{k:04}.txt").write_bytes(text.encode())
    with open(out / "truth.tsv", "w", encoding="utf-8") as truth:
        for row in rows:
            print(*row, sep="\t", file=truth)
    print(f"{len(texts)} laws, {len(rows)} copies planted", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
