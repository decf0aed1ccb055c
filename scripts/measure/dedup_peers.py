#!/usr/bin/env python3
"""Steps of dedup_peers.sh that need Python.

usage: dedup_peers.py datatrove-minhash|datatrove-sentences IN.jsonl WORK OUT   run a pipeline of datatrove
       dedup_peers.py judge IN.jsonl TRUTH OUT...                             what is left, one line

`judge` reads JSON lines (plain or gzip) with `id` and `text` in OUT, files or folders. A planted copy is left if
more than a tenth of its runs of five words still stand in both documents. Text is unique if nothing was planted in it
and none of its words is in a run of five words that stands twice. It is lost if the output has no such run.
"""
import collections
import gzip
import json
import pathlib
import re
import sys

RUN = 5  # words


def minhash_clusters(source, work):
    """Its first three steps. Returns the step that reads, and a function that runs a pipeline."""
    from datatrove.executor import LocalPipelineExecutor as Local
    from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupSignature
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from datatrove.pipeline.readers import JsonlReader
    config = MinhashConfig()
    read = JsonlReader(str(pathlib.Path(source).parent), glob_pattern=pathlib.Path(source).name)

    def run(name, tasks, *pipeline):
        Local(pipeline=list(pipeline), tasks=tasks, workers=1, logging_dir=f"{work}/log-{name}").run()

    run("sign", 1, read, MinhashDedupSignature(output_folder=f"{work}/sig", config=config))
    run("bucket", config.num_buckets, MinhashDedupBuckets(f"{work}/sig", f"{work}/buckets", config=config))
    run("cluster", 1, MinhashDedupCluster(f"{work}/buckets", f"{work}/remove", config=config, save_cluster_id=True))
    return read, run


def minhash(source, work, out):
    from datatrove.pipeline.dedup import MinhashDedupFilter
    from datatrove.pipeline.writers.jsonl import JsonlWriter
    read, run = minhash_clusters(source, work)
    run("filter", 1, read, MinhashDedupFilter(f"{work}/remove"), JsonlWriter(out))


def sentences(source, work, out):
    from datatrove.executor import LocalPipelineExecutor as Local
    from datatrove.pipeline.dedup import SentenceDedupFilter, SentenceDedupSignature, SentenceFindDedups
    from datatrove.pipeline.dedup.sentence_dedup import SentDedupConfig
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter
    config = SentDedupConfig(n_sentences=3, split_sentences=True, only_dedup_in_index=False)
    read = JsonlReader(str(pathlib.Path(source).parent), glob_pattern=pathlib.Path(source).name)
    steps = [[read, SentenceDedupSignature(output_folder=f"{work}/sig", config=config, finder_workers=1)],
             [SentenceFindDedups(data_folder=f"{work}/sig", output_folder=f"{work}/dups", config=config)],
             [read, SentenceDedupFilter(data_folder=f"{work}/dups", config=config), JsonlWriter(out)]]
    for k, pipeline in enumerate(steps):
        Local(pipeline=pipeline, tasks=1, workers=1, logging_dir=f"{work}/log{k}").run()


def rows(path):
    path = pathlib.Path(path)
    files = sorted(p for p in path.rglob("*") if ".jsonl" in p.name) if path.is_dir() else [path]
    for name in files:
        with (gzip.open if name.suffix == ".gz" else open)(name, "rt") as f:
            for line in f:
                row = json.loads(line)
                yield row["id"], row["text"]


def runs(words):
    return {tuple(words[k:k + RUN]) for k in range(len(words) - RUN + 1)}


def word_spans(text):
    """First byte and end of each word."""
    at = last = 0
    for word in re.finditer(r"\S+", text):
        begin = at + len(text[last:word.start()].encode())
        at, last = begin + len(word[0].encode()), word.end()
        yield begin, at


def unique_runs(texts, planted):
    """The runs of unique text, as hashes. planted: by document the bytes of its copies."""
    hashes = {i: [hash(tuple(w)) for w in zip(*(t.split()[k:] for k in range(RUN)))] for i, t in texts.items()}
    times = collections.Counter(h for v in hashes.values() for h in v)
    unique = set()
    for i, v in hashes.items():
        alone = [not any(begin < e and end > b for b, e in planted[i]) for begin, end in word_spans(texts[i])]
        for k, h in enumerate(v):
            if times[h] > 1:
                alone[k:k + RUN] = [False] * RUN
        unique.update(h for k, h in enumerate(v) if all(alone[k:k + RUN]))
    return unique


def judge(source, truth, outs):
    before = dict(rows(source))
    after = {i: t for out in outs for i, t in rows(out)}
    words = sum(len(t.split()) for t in before.values())
    left_words = sum(len(t.split()) for t in after.values())
    kept, planted, left, places = {}, 0, 0, collections.defaultdict(set)
    for line in open(truth):
        if line.startswith("#"):
            continue
        planted += 1
        cells = line.rstrip("\n").split("\t")
        shares = []
        for doc, begin, end in (cells[:3], cells[3:6]):
            places[doc].add((int(begin), int(end)))
            copy = runs(before[doc].encode()[int(begin):int(end)].decode(errors="replace").split())
            if doc not in kept:
                kept[doc] = runs(after.get(doc, "").split())
            shares.append(len(copy & kept[doc]) / max(1, len(copy)))
        left += min(shares) > 0.1
    unique = unique_runs(before, places)
    lost = len(unique - {hash(run) for t in after.values() for run in runs(t.split())})
    print(f"{len(before)} -> {len(after)} documents, {words} -> {left_words} words "
          f"({100 * (1 - left_words / words):.1f} % less), {left} of {planted} planted copies left ({100 * left / planted:.2f} %), "
          f"{lost} of {len(unique)} runs of unique text lost ({100 * lost / len(unique):.2f} %)")


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    if what == "judge":
        judge(rest[0], rest[1], rest[2:])
    else:
        {"datatrove-minhash": minhash, "datatrove-sentences": sentences}[what](*rest)
