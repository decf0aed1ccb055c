#!/usr/bin/python3
"""A made-up collection whose families are known, and the judge of a result of it.

    known_texts.py make SEED COLLECTION.jsonl   also writes COLLECTION.jsonl.truth
    known_texts.py judge RESULT.h5 COLLECTION.jsonl.truth

There are TEXTS texts and FOOTERS footers. A document has words of its own, and one or two texts: alone, beside each
other without a word between, under a footer, quoted in part, or with every twentieth word changed. The judge prints
how many members lie in one text, by half of their bytes and more; how many places of texts are in the family that
has most places of this text; how many families and texts there are; and the largest family's share of the members.
"""
import collections
import json
import random
import sys

import h5py

TEXTS, FOOTERS, DOCUMENTS = 40, 3, 900


def make(seed, path):
    rng = random.Random(int(seed))
    words = ["".join(rng.choice("bcdfghjklmnprstvw") + rng.choice("aeiou") for _ in range(rng.randrange(1, 5)))
             for _ in range(20000)]

    def sentence():
        return " ".join(rng.choice(words) for _ in range(rng.randrange(8, 20))).capitalize() + "."

    texts = [[sentence() for _ in range(rng.randrange(6, 25))] for _ in range(TEXTS)]
    texts += [[sentence() for _ in range(3)] for _ in range(FOOTERS)]
    weights = [1 / (1 + k) ** .5 for k in range(TEXTS)]

    def quotation():
        which = rng.choices(range(TEXTS), weights)[0]
        of, how = texts[which], rng.random()
        if how < .2:  # a part of it
            n = rng.randrange(3, len(of))
            begin = rng.randrange(len(of) - n + 1)
            return which, " ".join(of[begin:begin + n])
        copied = " ".join(of).split(" ")
        if how < .4:  # edited
            copied = [rng.choice(words) if rng.random() < .05 else word for word in copied]
        return which, " ".join(copied)

    with open(path, "w", encoding="utf-8") as out, open(path + ".truth", "w", encoding="utf-8") as truth:
        for doc in range(DOCUMENTS):
            parts = [(-1, " ".join(sentence() for _ in range(rng.randrange(1, 6)))), quotation()]
            if rng.random() < .3:
                parts.append(quotation())
            elif rng.random() < .3:
                parts += [(-1, " ".join(sentence() for _ in range(rng.randrange(1, 4)))), quotation()]
            if rng.random() < .3:
                parts.append((-1, sentence()))
            if rng.random() < .5:
                footer = TEXTS + rng.randrange(FOOTERS)
                parts.append((footer, " ".join(texts[footer])))
            at = 0
            for which, part in parts:
                if which >= 0:
                    print(doc, at, at + len(part), which, sep="\t", file=truth)
                at += len(part) + 1
            print(json.dumps({"id": str(doc), "text": " ".join(part for _, part in parts)}), file=out)


def judge(path, truth):
    places = collections.defaultdict(list)
    with open(truth, encoding="utf-8") as lines:
        for line in lines:
            doc, begin, end, which = map(int, line.split())
            places[doc].append((begin, end, which))
    with h5py.File(path) as f:
        members = list(zip(*(f["members/" + name][()].tolist() for name in ("family", "doc", "begin", "end"))))
        families, largest = len(f["families/members"]), max(f["families/members"][()].tolist())
    text_of, bytes_in = collections.defaultdict(collections.Counter), collections.Counter()
    pure = 0
    for family, doc, begin, end in members:
        in_text = collections.Counter()
        for place in places[doc]:
            overlap = min(end, place[1]) - max(begin, place[0])
            if overlap > 0:
                in_text[place[2]] += overlap
                bytes_in[doc, place, family] += overlap
        if in_text:
            which, most = in_text.most_common(1)[0]
            pure += 2 * most > end - begin
            text_of[family][which] += 1
    one = sum(text_of[family].most_common(1)[0][1] for family in text_of)
    home = collections.defaultdict(collections.Counter)
    for (doc, place, family), n in bytes_in.items():
        if 2 * n > place[1] - place[0]:
            home[place[2]][family] += 1
    all_places = sum(map(len, places.values()))
    kept = sum(of.most_common(1)[0][1] for of in home.values())
    print(f"members in one text: {pure} of {len(members)}; in the text of their family: {one};"
          f" places in the family of their text: {kept} of {all_places}; {families} families of {len(home)} texts;"
          f" the largest has {largest}")
    # three of a hundred may be wrong: a quotation may end where a changed word stands
    return pure >= .97 * len(members) and one >= .97 * len(members) and kept >= .9 * all_places and families <= 1.5 * len(home)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(*sys.argv[2:])
    else:
        sys.exit(0 if judge(*sys.argv[2:]) else 1)
