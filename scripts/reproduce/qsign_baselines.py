#!/usr/bin/python3
"""Figure 7 of the qSign-lsh paper, in what is read instead of seconds: pairs of sentences by I, D, S, SP and SL.

    pardup sentences INPUT... | qsign_baselines.py [--seed 1] [--queries 300] [--bits 32] [--tau 0.6]

Some of the different sentences are drawn as queries, each against all others.  Two are similar if they share at least tau
of the words of the longer one; I says which are.
  I   inverted index of all words: every entry of the lists of a query's words is read
  D   DivideSkip (Li, Lu, Lu, ICDE 2008) at tau and above: the longest lists are only looked up in, and the short ones
      merged, where what cannot be enough is skipped
  S   signatures of at most diffbit different bits. A tree of signatures, such as the paper's Hybrid tree, reads these or
      more, so here all signatures are compared
  SP  PartEnum (Arasu, Ganti, Kaushik, VLDB 2006) on the signatures: finds what S finds and more. Of all its settings of
      at most 64 signatures the one with the fewest signatures and collisions, for a part of the queries
  SL  sampled bits in 8 tables, as `--method qsign-lsh --sketch bits` chooses how many bits (feature/superimposed.h)
What S, SP and SL find is compared word by word, as candidates.  Rows of a Markdown table, means of a query.
"""

import argparse
import bisect
import heapq
import itertools
import json
import math
import random
import sys
import zlib

import numpy

MU = 0.0085             # of DivideSkip: the longest T / (MU log2 (longest) + 1) lists are looked up in
MOST_SIGNATURES = 64    # of a sentence, by PartEnum
TABLES, TARGET = 8, 0.95  # of sampled bits
EPSILON = 1e-9


class Sentences:
    """Different sets of words, the list of each word, and signatures."""

    def __init__(self, lines, bits):
        self.sets = sorted({tuple(sorted(set(json.loads(line)["words"]))) for line in lines} - {()})
        self.sizes = numpy.array([len(words) for words in self.sets])
        self.lists = {}
        for number, words in enumerate(self.sets):
            for word in words:
                self.lists.setdefault(word, []).append(number)
        self.signatures = numpy.array([self.signature(words, bits) for words in self.sets], dtype=numpy.uint64)

    @staticmethod
    def signature(words, bits):
        """Each word sets one bit."""
        found = 0
        for word in words:
            found |= 1 << zlib.crc32(word.encode()) % bits
        return found

    def lists_of(self, query):
        """The lists of the words of a sentence, the shortest first."""
        return sorted((self.lists[word] for word in self.sets[query]), key=len)

    def similar(self, query, tau):
        """What I finds, and the entries that it reads."""
        lists = self.lists_of(query)
        shared = numpy.bincount(numpy.concatenate(lists), minlength=len(self.sets))
        found = shared >= tau * numpy.maximum(self.sizes, self.sizes[query]) - EPSILON
        found[query] = False
        return set(numpy.flatnonzero(found).tolist()), sum(map(len, lists))


def merge_skip(lists, least):
    """{sentence: in how many of the lists}, of those in at least so many; and the entries that are read."""
    places, found, read = [0] * len(lists), {}, len(lists)
    heap = [(of_word[0], k) for k, of_word in enumerate(lists)]
    heapq.heapify(heap)
    while len(heap) >= least:
        lowest, popped = heap[0][0], []
        while heap and heap[0][0] == lowest:
            popped.append(heapq.heappop(heap)[1])
        if len(popped) >= least:
            found[lowest] = len(popped)
            target = lowest + 1
        else:
            while heap and len(popped) < least - 1:
                popped.append(heapq.heappop(heap)[1])
            if not heap:
                break
            target = heap[0][0]
        for k in popped:
            places[k] = bisect.bisect_left(lists[k], target, places[k])
            if places[k] < len(lists[k]):
                heapq.heappush(heap, (lists[k][places[k]], k))
                read += 1
    return found, read


def divide_skip(sentences, query, tau):
    """What DivideSkip finds at tau, the entries that it reads or looks up, and its candidates."""
    lists = sentences.lists_of(query)
    least = math.ceil(tau * len(lists) - EPSILON)
    long = min(int(least / (MU * math.log2(len(lists[-1]) + 1) + 1)), least - 1)
    short, long = lists[:len(lists) - long], lists[len(lists) - long:]
    counts, read = merge_skip(short, least - len(long))
    found = set()
    for other, shared in counts.items():
        enough = tau * max(len(lists), sentences.sizes[other]) - EPSILON
        for k, of_word in enumerate(long):
            if shared >= enough or shared + len(long) - k < enough:
                break
            at = bisect.bisect_left(of_word, other)
            shared += at < len(of_word) and of_word[at] == other
            read += 1
        if shared >= enough:
            found.add(other)
    return found - {query}, read, len(counts)


def same_bits(signatures, query, masks):
    """For each sentence in how many masks its signature has the query's bits."""
    differ = signatures ^ signatures[query]
    return sum(((differ & mask) == 0).astype(numpy.int32) for mask in masks)


def part_enum(bits, diffbit):
    """Every choice of masks so that two signatures of at most diffbit different bits agree in a mask."""
    for first in range(1, diffbit + 2):
        spare = diffbit // first  # in one of the parts at most so many bits differ
        for second in range(spare + 1, bits // first + 1):
            if first * math.comb(second, spare) > MOST_SIGNATURES:
                break
            masks = []
            for part in range(first):
                cells = [sum(1 << bit for bit in range(part, bits, first) if bit // first % second == cell)
                         for cell in range(second)]
                masks += [sum(chosen) for chosen in itertools.combinations(cells, second - spare)]
            yield [numpy.uint64(mask) for mask in masks]


def sampled_bits(bits, diffbit, rng):
    """Masks of so many bits that a pair with diffbit different ones most likely agrees in a table."""
    count = next(k for k in range(bits, 0, -1)
                 if k == 1 or 1 - (1 - (1 - diffbit / bits) ** k) ** TABLES >= TARGET)
    return [numpy.uint64(sum(1 << bit for bit in rng.sample(range(bits), count))) for _ in range(TABLES)]


def row(name, setting, similar, found, read, candidates):
    """Print a row of means; found, read and candidates are of each query."""
    right, pairs = (sum(map(len, sets)) for sets in (map(set.intersection, similar.values(), found.values()), similar.values()))
    print(f"| {name} | {setting} | {f'{right / pairs:.3f}' if pairs else '-'} |"
          f" {sum(read) / len(similar):,.0f} | {sum(candidates) / len(similar):,.0f} |")


def by_signatures(name, setting, sentences, similar, is_candidate):
    """A row of what is found by comparing the words of all candidates."""
    found, counts = {}, []
    for query in similar:
        candidates = is_candidate(query)
        counts.append(int(candidates.sum()) - 1)
        found[query] = {other for other in similar[query] if candidates[other]}
    row(name, setting, similar, found, [count * sentences.sizes.mean() for count in counts], counts)


def main():
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--bits", type=int, default=32)
    parser.add_argument("--tau", type=float, default=0.6)
    parser.add_argument("--diffbits", default="1,2,3,5")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    sentences = Sentences(sys.stdin, arguments.bits)
    queries = sorted(rng.sample(range(len(sentences.sets)), min(arguments.queries, len(sentences.sets))))
    answers = {query: sentences.similar(query, arguments.tau) for query in queries}
    similar = {query: found for query, (found, _) in answers.items()}
    print(f"\n{len(sentences.sets):,} different sentences, {len(queries):,} queries,"
          f" {sum(map(len, similar.values())):,} similar pairs.\n")
    print("| baseline | setting | recall of pairs | words and entries read | candidates |\n|---|---|--:|--:|--:|")
    row("I", "all words", similar, similar, [read for _, read in answers.values()], [0])
    for tau in sorted({arguments.tau, 0.7, 0.8, 0.9, 1.0}):
        merged = {query: divide_skip(sentences, query, tau) for query in queries}
        if tau == arguments.tau and any(merged[query][0] != similar[query] for query in queries):
            raise SystemExit("D does not find what I finds")
        row("D", f"tau {tau:g}", similar, {query: m[0] for query, m in merged.items()},
            [m[1] for m in merged.values()], [m[2] for m in merged.values()])
    counts = numpy.array([bin(n).count("1") for n in range(1 << 16)], dtype=numpy.uint8)
    signatures = sentences.signatures
    for diffbit in map(int, arguments.diffbits.split(",")):
        by_signatures("S", f"diffbit {diffbit}", sentences, similar, lambda query, most=diffbit: counts[
            (signatures ^ signatures[query])[:, None].view(numpy.uint16)].sum(axis=1) <= most)
        _, masks = min(((len(masks) + sum(same_bits(signatures, query, masks).sum() for query in queries[::10])
                         / len(queries[::10]), masks) for masks in part_enum(arguments.bits, diffbit)),
                       key=lambda choice: choice[0])
        by_signatures("SP", f"diffbit {diffbit}, {len(masks)} signatures", sentences, similar,
                      lambda query, masks=masks: same_bits(signatures, query, masks) > 0)
        masks = sampled_bits(arguments.bits, diffbit, rng)
        by_signatures("SL", f"diffbit {diffbit}, {len(masks)} tables", sentences, similar,
                      lambda query, masks=masks: same_bits(signatures, query, masks) > 0)


if __name__ == "__main__":
    main()
