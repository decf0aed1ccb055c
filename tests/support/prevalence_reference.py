#!/usr/bin/env python3
"""What `pardup prevalence --table T` should print, worked out again in the slowest plain way.

    prevalence_reference.py TABLE LEAST TOP RESULT.h5 QRELS RUN...

TABLE is topics, runs, shares, more (shares with --bound more-than), relevant, run-topics or kept
(the lines "file topic document" that --unique keeps). LEAST and TOP have commas; QRELS may be -.
"""

import sys

import h5py

table, least, top, result, qrels_file, *run_files = sys.argv[1:]
with h5py.File(result) as h5:
    ids = [name.decode() for name in h5["/documents/id"][:]]
    rr = {frozenset((ids[a], ids[b])): value for a, b, value in
          zip(*(h5[f"/pairs/{name}"][:] for name in ("doc_a", "doc_b", "resemblance")))}
lines = [(f, tag, topic, int(rank), -float(score), k, doc) for f in run_files
         for k, (topic, _, doc, rank, score, tag) in enumerate(map(str.split, open(f)))]
runs, topics = [], {}
for f, tag, topic, _, _, _, doc in lines:
    topics.setdefault(topic, set()).add(doc)
    if (f, tag) not in runs:
        runs.append((f, tag))
qrels = [] if qrels_file == "-" else [line.split() for line in open(qrels_file)]
judged = {q[0]: {r[2] for r in qrels if r[0] == q[0] and int(r[3]) > 0} for q in qrels}
names = sorted({*topics, *judged}, key=int)


def found(run, topic):
    chosen = sorted(line[3:] for line in lines if line[:2] == run and line[2] == topic)
    return list(dict.fromkeys(line[-1] for line in chosen))


def near(x, others, t):
    return any(rr.get(frozenset((x, y)), -1) >= t for y in others if y != x)


def later(docs, t):
    return sum(near(x, docs[:k], t) for k, x in enumerate(docs))


def kept(docs, t):
    chosen = []
    for x in docs:
        if not near(x, chosen, t):
            chosen.append(x)
    return chosen


def share(part, whole):
    return f"{part / whole if whole else 0:.6f}"


def counts(sets, t):
    n, unknown = sum(map(len, sets)), sum(x not in ids for s in sets for x in s)
    dup = sum(near(x, s, t) for s in sets for x in s)
    return [n, unknown, dup, share(dup, n)]


def redundant(sets, t):
    """Sets: (topic, documents in their order)."""
    sets = [[x for x in docs if x in judged.get(topic, ())] for topic, docs in sets]
    n, again = sum(map(len, sets)), sum(later(s, t) for s in sets)
    return [n, again, share(again, n)] if qrels else []


def out(*row):
    print(*row, sep="\t")


run_topics = [(run, topic, found(run, topic)) for run in runs for topic in names
              if found(run, topic)]
for t in map(float, least.split(",")):
    if table == "topics":
        every = [topics[topic] for topic in names if topic in topics]
        for topic, docs in zip([n for n in names if n in topics], every):
            row = counts([docs], t)
            out(f"{t:g}", topic, sum(q == topic for _, q, _ in run_topics), *row, row[-1])
        means = [counts([s], t)[2] / len(s) for s in every]
        out(f"{t:g}", "all", len(run_topics), *counts(every, t), share(sum(means), len(means)))
    if table == "runs":
        for run in runs:
            sets = [(topic, docs) for r, topic, docs in run_topics if r == run]
            out(f"{t:g}", run[1], run[0], len(sets), *counts([d for _, d in sets], t),
                *redundant(sets, t))
    if table in ("shares", "more"):
        for step in range(1, 20):
            row = []
            for n in map(int, top.split(",")):
                have = [(20 * counts([d[:n]], t)[2], step * len(d[:n])) for _, _, d in run_topics]
                row.append(share(sum(a > b if table == "more" else a >= b for a, b in have),
                                 len(have)))
            out(f"{t:g}", f"{step / 20:.2f}", *row)
    if table == "relevant":
        every = [topic for topic in names if judged.get(topic)]
        sets = [(topic, docs) for _, topic, docs in run_topics if topic in every]
        for topic in every:
            out(f"{t:g}", topic, *counts([judged[topic]], t),
                *redundant([s for s in sets if s[0] == topic], t))
        out(f"{t:g}", "all", *counts([judged[topic] for topic in every], t), *redundant(sets, t))
    if table == "run-topics":
        for run, topic, docs in run_topics:
            for n in map(int, top.split(",")):
                out(f"{t:g}", run[1], run[0], topic, n, *counts([docs[:n]], t),
                    *redundant([(topic, docs[:n])], t))
    if table == "kept":
        for run, topic, docs in run_topics:
            for x in kept(docs, t):
                out(run[0], topic, x)
        for topic in dict.fromkeys(q[0] for q in qrels):
            for x in kept([q[2] for q in qrels if q[0] == topic], t):
                out(qrels_file, topic, x)
