"""Frames of letters, as they are defined in src/document/letter.h.

usage: oracle_letter.py make N SEED        print N random letters as JSON lines
       oracle_letter.py judge LETTERS WHOLE LEFT
judge compares `pardup sentences` of the letters (WHOLE) with the same with --frame aside (LEFT): left is each sentence that
meets a line outside the frame.
"""

import json
import random
import re
import sys


def depth(line):
    return len(re.sub(r"\s", "", re.match(r"[\s>|:#]*", line).group()))


def frame_of(lines):
    """The numbers of the lines in the frame. The lines have no white space at their ends."""
    header = begin = 0
    while begin < len(lines):
        blank = lines.index("", begin) if "" in lines[begin:] else len(lines)
        fields = [line for k, line in enumerate(lines[begin:blank]) if k == 0 or not line.startswith((" ", "\t"))]
        if not all(re.match(r"[A-Za-z0-9-]+:", line) for line in fields) or not any(
                re.match(r"(from|date):", line, re.I) for line in fields):
            break
        header = begin = blank
        while begin < len(lines) and not lines[begin]:
            begin += 1
    end = len(lines)
    for k in range(header, len(lines)):
        after = [line for line in lines[k + 1:] if line]
        if (re.fullmatch(r"--|_{40,}", lines[k]) and any(lines[header:k]) and 1 <= len(after) <= 10
                and all(len(line.encode()) <= 100 for line in after)):
            end = k
            break
    frame = set(range(header)) | set(range(end, len(lines)))
    for k in range(header, end):
        following = [line for line in lines[k + 1:end] if line]
        if not lines[k].endswith(":") or not following or depth(following[0]) <= depth(lines[k]):
            continue
        if "@" in lines[k]:
            frame.add(k)
        elif k > header and "@" in lines[k - 1] and depth(lines[k - 1]) == depth(lines[k]):
            frame |= {k - 1, k}
    return frame


def kept_spans(text):
    """The bytes (begin, end) of each line outside the frame."""
    raw = text.split("\n")
    frame = frame_of([line.rstrip(" \t\r") for line in raw])
    at = 0
    for k, line in enumerate(raw):
        size = len(line.encode()) + 1
        if k not in frame:
            yield at, at + size
        at += size


def random_letter(rng):
    def words(n):
        return " ".join(rng.choice(["rain", "sun.", "Wind", "snow", "Cloud", "storm:"]) for _ in range(n))

    pieces = ["", "", "-- ", "--", "---", "_" * 40, "_" * 39, "> -- ", "a@b.c writes:", "In article <5@a.b>",
              "A. Bee writes:", "> > quoted by many:", "> c@d.e wrote:", "> on Friday c@d.e", "# > deep", ": : C.D. says:", "he@re said :", "On Monday a@b.c", "| bar", "  > far",
              "x" * 101, "@", ":", "From: in the body", "--\t", "\u00e9t\u00e9 a@b.c:"]
    lines = []
    while rng.random() < .6:
        lines += [rng.choice(["From: me@here", "from: me", "Date: today", "Dates: all", "X-1: sun", "\tgoes on", " more", "No field"])
                  for _ in range(rng.randint(1, 4))] + [""] * rng.randint(0, 2)
    for _ in range(rng.randint(0, 14)):
        lines.append(rng.choice(pieces) if rng.random() < .6 else words(rng.randint(1, 9)))
        if rng.random() < .2:
            lines.append(rng.choice(["", "> an answer", " "]))
    if rng.random() < .5:
        lines += ["Some text."] + [rng.choice(["-- ", "_" * 47])] + [words(3) for _ in range(rng.randint(0, 11))]
    return "\n".join(lines) + "\n" * rng.randint(0, 2)


def main(argv):
    if argv[1] == "make":
        rng = random.Random(int(argv[3]))
        for k in range(int(argv[2])):
            print(json.dumps({"id": f"d{k}", "text": random_letter(rng)}))
        return 0
    letters = {}
    for line in open(argv[2], encoding="utf-8"):
        record = json.loads(line)
        letters[record["id"]] = list(kept_spans(record["text"]))
    whole, left = ([json.loads(line) for line in open(path, encoding="utf-8")] for path in argv[3:5])
    place = lambda s: (s["doc"], s["begin"], s["end"])
    wanted = [place(s) for s in whole
              if any(begin < s["end"] and s["begin"] < end for begin, end in letters[s["doc"].rpartition("#")[2]])]
    got = [place(s) for s in left]
    for wrong in sorted(set(wanted) ^ set(got))[:10]:
        print("missing" if wrong in wanted else "too much", wrong)
    print(f"{len(whole)} sentences, {len(wanted)} outside frames")
    return wanted != got or len(wanted) == len(whole)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
