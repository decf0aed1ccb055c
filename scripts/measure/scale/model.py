#!/usr/bin/python3
"""What `pardup detect` needs on a cluster: a cost model, its errors, and a table.

    model.py [--net ethernet|infiniband] [--cores 32] [--memory 2] [--pages N] [--nodes N,N,...]
    model.py --page [--write]     are the tables of the documents what the model says? --write: make them so

It is fitted to simulated.tsv (simulate.sh) and measured.tsv (measure.sh), both beside this script,
with the volumes of profile.txt. docs/lab/scale.md explains it.

seconds of a stage = documents a rank * its cost a document on one core of the machine measured
                   + its exchanges + its share of what goes through the nodes' disks
seconds of an exchange = seconds a byte * bytes a node sends and receives over its interface
                       + seconds a byte * bytes that stay within the node
                       + rounds * (seconds a rank * ranks of the node + seconds a rank * others)
"""

import argparse
import collections
import math
import os
import sys

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
MIB = 1 << 20
PEER, LEAST, MOST = MIB // 8, MIB, 16 * MIB  # comm/exchange.h
Collection = collections.namedtuple("Collection", "name pages packed html")
HTML = 22_500       # bytes of HTML a page of the collection measured
PAGE = 5_300        # bytes of compressed input a page, of it
COLLECTIONS = [Collection("ClueWeb09-B", 50_220_423, PAGE, HTML),
               Collection("ClueWeb09, English", 503_903_810, PAGE, HTML),
               Collection("ClueWeb22-A, English", 800_000_000, PAGE, HTML),
               Collection("ClueWeb22-A", 2_000_000_000, PAGE, HTML),
               Collection("Common Crawl, a month", 3_000_000_000, 30_000, 133_000),
               Collection("10^10 pages", 10_000_000_000, PAGE, HTML)]
NODES = [1, 4, 16, 32, 64, 128]
SECONDS_SHOWN = (120, 2 * 24 * 3600)  # rows of the table
NETS = ["ethernet", "infiniband"]
# What a node has: assumed, like the interfaces in platform.py.
DISK = 1e9          # bytes a second, of scratch, written and read
INPUT = 5e9         # bytes a second that the shared file system gives to all nodes together
MPI_MEMORY = 60e6   # bytes a rank that are not pardup's, on many nodes
# Bytes a document, measured (docs/lab/scale.md): in scratch at most; in volumes, a part of scratch; in the
# result. Bytes that every rank keeps for a piece of input (run/stage/collection/, run/stage/align/holders.c).
SCRATCH = 5_700
VOLUMES = 3_700
RESULT = 420
SEGMENT, PIECE = 128, 16 * MIB
# Slices of first documents: constants of run/stage/align/align.c, and the share of --memory in which volumes stay.
SLICE_SHARE, SLICE_MOST, LOADING_SHARE, LOADING_LEAST = 64, 8 * MIB, 8, 4
SHORTEST, REPLIES, SLICES_MOST, LIBRARY_SHARE = 8, 32 * MIB, 512, 4
WRITE = 1e9         # bytes a second of the result, written by rank 0 alone; assumed
STAGE_OF = {"ids": "read", "counts": "count", "answers": "count", "standings": "gather",
            "postings": "gather", "families": "write"}
STAGES = ["read", "count", "gather", "align", "write"]

Flow = collections.namedtuple("Flow", "name records bytes make take batch")


def load_profile(path):
    """The exchanges."""
    flows = []
    with open(path, encoding="ascii") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if words and words[0] != "read":
                numbers = [float(w) for w in words[1:]] + [0.0]
                flows.append(Flow(words[0], *numbers[:5]))
    return flows


def rounds_of(sent, ranks):
    """Rounds in which a rank's bytes are gone."""
    at_once = min(MOST, max(LEAST, PEER * ranks))
    return max(1, math.ceil(sent / at_once))


def features(sent, ranks, cores, rounds):
    """What the seconds of an exchange are made of; sent: bytes to other ranks, by each."""
    cores = min(cores, ranks)
    away = (ranks - cores) / (ranks - 1) if ranks > 1 else 0.0
    return numpy.array([cores * sent * away, cores * sent * (1 - away),
                        rounds * cores, rounds * (ranks - cores)])


def least_squares(rows, seconds):
    """Coefficients of 0 and above with the least relative errors."""
    rows, seconds = numpy.array(rows), numpy.array(seconds)
    used = list(range(rows.shape[1]))
    while True:
        x = numpy.zeros(rows.shape[1])
        scaled = rows[:, used] / seconds[:, None]
        size = numpy.abs(scaled).max(axis=0)
        size[size == 0] = 1
        x[used] = numpy.linalg.lstsq(scaled / size, numpy.ones(len(seconds)), rcond=None)[0] / size
        if (x >= 0).all():
            return x
        used.remove(int(numpy.argmin(x * rows.mean(axis=0))))


def fit_nets(path):
    """{net: coefficients}; prints the errors. Computation of known length is taken off."""
    found = {net: ([], [], []) for net in NETS}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            net, cores, ranks, _, name, seconds, spent, sent, rounds = line.split()
            rest = float(seconds) - float(spent)
            if name == "read" or rest <= 0.05 * float(seconds):  # next to no communication
                continue
            found[net][0].append(features(float(sent), int(ranks), int(cores), float(rounds)))
            found[net][1].append(rest)
            found[net][2].append((int(ranks), int(cores), float(spent), float(seconds)))
    fitted = {}
    print("simulated exchanges: error of the fit")
    for net, (rows, seconds, about) in found.items():
        if not rows:
            continue
        fitted[net] = least_squares(rows, seconds)
        alone = numpy.array(rows) @ fitted[net]
        error = numpy.abs(alone / numpy.array(seconds) - 1)
        whole = numpy.array([abs((t + spent) / all_seconds - 1)
                             for t, (_, _, spent, all_seconds) in zip(alone, about)])
        print(f"  {net:10}  {len(rows):3} exchanges, {min(a[0] for a in about)} to "
              f"{max(a[0] for a in about)} ranks: communication alone median "
              f"{numpy.median(error):.0%}, largest {error.max():.0%}; with computation "
              f"{numpy.median(whole):.0%}, {whole.max():.0%}")
        over, within, near, far = fitted[net]
        print(f"              {1e-9 / over if over else math.inf:.2f} GB/s a node, "
              f"{1e-9 / within if within else math.inf:.2f} GB/s within, "
              f"a round {near * 1e6:.2f} us a rank of the node + "
              f"{far * 1e6:.2f} us a rank elsewhere")
    return fitted


def load_measured(path):
    """{(collection, documents): {ranks: {stage: least seconds}}}"""
    runs = {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            name, documents, ranks, stage, seconds = line.split()[:5]
            stages = runs.setdefault((name, int(documents)), {}).setdefault(int(ranks), {})
            stages[stage] = min(stages.get(stage, math.inf), float(seconds))
    return runs


def costs_of(runs):
    """
    Processor seconds a document of each stage, and the seconds that a rank takes to start. On a machine
    that others use, seconds by the clock say how stages compare, processor seconds how much they cost.
    """
    (name, documents), by_ranks = max(runs.items(), key=lambda item: item[0][1])
    ranks = sorted(by_ranks)
    start, work = numpy.polyfit(ranks, [by_ranks[n]["cpu"] for n in ranks], 1)
    together = sum(by_ranks[1][stage] for stage in STAGES)
    costs = {stage: by_ranks[1][stage] / together * work / documents for stage in STAGES}
    print(f"real runs ({name}, {documents} documents, the least of several): processor seconds, "
          f"measured / {work:.2f} + {start:.2f} a rank")
    for n in ranks:
        model = work + start * n
        error = model / by_ranks[n]["cpu"] - 1
        print(f"  {n} ranks: {by_ranks[n]['cpu']:.2f} / {model:.2f}  ({error:+.0%})")
    print("processor microseconds a document: " +
          ", ".join(f"{s} {costs[s] * 1e6:.0f}" for s in STAGES))
    return costs


def slices_of(documents, memory, flows):
    """How many slices a rank's documents are aligned in (run/stage/align/align.c: align_slices)."""
    sent = {flow.name: documents * flow.records * flow.bytes for flow in flows}
    fans, replies = sent.get("fans", 0), sent.get("visit_back", 0)
    if documents * VOLUMES > memory / LIBRARY_SHARE:  # volumes are loaded for each slice
        slices = max(LOADING_LEAST, fans / (memory / LOADING_SHARE))
    else:
        longest = fans / min(memory / SLICE_SHARE, SLICE_MOST)
        slices = max(longest, min(replies / REPLIES, SHORTEST * longest))
    return min(SLICES_MOST, max(1, math.ceil(slices)))


def predict(collection, nodes, a, flows, fitted, costs):
    """{stage: seconds}, and bytes: of scratch a node, of memory a rank."""
    ranks, pages = nodes * a.cores, collection.pages
    documents = pages / ranks
    seconds = {stage: documents * costs[stage] for stage in STAGES}
    seconds["read"] *= collection.html / HTML
    slices = slices_of(documents, a.memory * 2**30, flows)
    for flow in flows if ranks > 1 else []:
        sent = documents * flow.records * flow.bytes * (ranks - 1) / ranks
        exchanges = slices if flow.batch else 1
        rounds = exchanges * rounds_of(sent / exchanges, ranks)
        t = features(sent, ranks, a.cores, rounds) @ fitted[a.net]
        seconds[STAGE_OF.get(flow.name, "align")] += t
    seconds["read"] = max(seconds["read"], pages * collection.packed / INPUT)
    seconds["write"] += pages * RESULT / WRITE
    seconds["align"] += 2 * pages * SCRATCH / nodes / DISK
    exchange = 4 * min(MOST, max(LEAST, PEER * ranks))
    segments = pages * collection.packed / PIECE * SEGMENT  # all ranks know all
    memory = a.memory * 2**30 + exchange + segments + MPI_MEMORY
    return seconds, pages * SCRATCH / nodes, memory


def figures_of(of, nodes, a, flows, fitted, costs, net, short=False):
    """The cells of a line behind its name; short: nodes, hours, scratch and result alone."""
    a.net = net
    seconds, scratch, memory = predict(of, nodes, a, flows, fitted, costs)
    bare, _, _ = predict(of, nodes, a, [], fitted, costs)
    total = sum(seconds.values())
    over = fitted[net].copy()
    over[:2] = 0
    late, _, _ = predict(of, nodes, a, flows, {net: over}, costs)
    wire = total - sum(bare.values())
    slow = sum(late.values()) - sum(bare.values())
    result = f"{of.pages * RESULT / 1e9:,.0f} GB |"
    if short:
        return f" | {nodes} | {total / 3600:.2f} | {scratch / 1e9:,.0f} GB | {result}"
    return (f" | {nodes} | {nodes * a.cores} | {total / 3600:.2f} "
            f"| {wire / total:.0%}, {slow / total:.0%} | {scratch / 1e9:,.0f} GB "
            f"| {memory / 2**30:.2f} GiB | {result}")


def table(a, flows, fitted, costs):
    """One line for each collection and number of nodes."""
    print(f"\n{a.net}, {a.cores} ranks a node, --memory {a.memory:g}G a rank")
    print("| pages | nodes | ranks | hours | exchange, latency: share of the hours | scratch a node "
          "| memory a rank | result |")
    print("|---|---|---|---|---|---|---|---|")
    collections_ = COLLECTIONS
    if a.pages:
        collections_ = [Collection(f"{a.pages:.3g} pages", a.pages, PAGE, HTML)]
    for of in collections_:
        for nodes in a.nodes:
            total = sum(predict(of, nodes, a, flows, fitted, costs)[0].values())
            if SECONDS_SHOWN[0] <= total <= SECONDS_SHOWN[1]:
                print(f"| {of.name}" + figures_of(of, nodes, a, flows, fitted, costs, a.net))


# The rows of the table in docs/cluster.md: as it calls a collection, its name here, nodes.
CLUSTER_ROWS = (("ClueWeb09-B, 50 million", "ClueWeb09-B", 4), ("ClueWeb09 English, 504 million", "ClueWeb09, English", 16),
                ("ClueWeb22-A, 2,000 million", "ClueWeb22-A", 16), ("10,000 million", "10^10 pages", 64))


def rewritten(text, a, flows, fitted, costs):
    """A document whose lines of tables have the figures of the model: of all columns, or of docs/cluster.md's."""
    net = None
    lines = []
    for line in text.split("\n"):
        net = {"10 Gbit/s Ethernet:": "ethernet", "100 Gbit/s, fat tree:": "infiniband"}.get(line, net)
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        known = {of.name: of for of in COLLECTIONS}
        short = [row for row in CLUSTER_ROWS if cells and cells[0] == row[0]]
        if short:
            line = "| " + cells[0] + figures_of(known[short[0][1]], short[0][2], a, flows, fitted, costs, "infiniband", short=True)
        elif net and len(cells) == 8 and cells[0] in known:
            line = "| " + cells[0] + figures_of(known[cells[0]], int(cells[1]), a, flows, fitted, costs, net)
        lines.append(line)
    return "\n".join(lines)


def judge_pages(a, flows, fitted, costs, write):
    """Compare the tables of the documents with the model. Returns the exit status."""
    status = 0
    for page in ("docs/cluster.md", "docs/lab/scale.md"):
        path = os.path.join(HERE, "../../..", page)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        right = rewritten(text, a, flows, fitted, costs)
        if right != text and write:
            with open(path, "w", encoding="utf-8") as file:
                file.write(right)
        elif right != text:
            print(f"{page}: a table is not what the model says; scripts/measure/scale/model.py --page --write makes it so")
            status = 1
    return status


def main():
    """Fit, judge, print."""
    parser = argparse.ArgumentParser(description="Cost model of pardup detect.")
    parser.add_argument("--net", choices=NETS)
    parser.add_argument("--cores", type=int, default=32, help="ranks a node")
    parser.add_argument("--memory", type=float, default=2, help="GiB a rank: --memory")
    parser.add_argument("--pages", type=float)
    parser.add_argument("--nodes", default=NODES,
                        type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--data", default=HERE, help="folder of the tables")
    parser.add_argument("--page", action="store_true", help="judge the tables of the documents")
    parser.add_argument("--write", action="store_true", help="with --page: mend them")
    a = parser.parse_args()
    flows = load_profile(os.path.join(a.data, "profile.txt"))
    fitted = fit_nets(os.path.join(a.data, "simulated.tsv"))
    runs = load_measured(os.path.join(a.data, "measured.tsv"))
    costs = costs_of(runs)
    if a.page:
        sys.exit(judge_pages(a, flows, fitted, costs, a.write))
    for net in [a.net] if a.net else NETS:
        a.net = net
        if net in fitted:
            table(a, flows, fitted, costs)


if __name__ == "__main__":
    main()
