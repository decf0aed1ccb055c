#!/usr/bin/python3
"""The judge of `pardup detect --method pdc-imatch`: what the result file must hold, from scratch.

    oracle.py --sentences S.jsonl RESULT.h5...
    oracle.py --sentences S.jsonl --result RESULT.h5 --gamma 3 --gap 0 --max-df 300 --edges word
    oracle.py --sentences S.jsonl --list FILE
    oracle.py --self-test

S.jsonl is what `pardup sentences --offsets INPUT...` prints.  From it alone this program works out
the rows of /passages, /pairs and /common, comparing every sentence with every sentence, and then
looks whether each result file holds the same rows in the same order.  It shares no code with
pardup and knows no shortcut of it: its worth is that it is obviously right.

The options of a run are taken from the attributes of its result file.  An option that is also given
on the command line must agree with the attribute; where the file has no such attribute, the command
line counts, then pardup's default.  With --list every line of FILE names a result file and the
options that its run was given, as in `r1.h5 --gamma 1 --gap 2`.

Exit status: 0 all equal, 1 a difference, 2 unusable input.
"""

import argparse
import collections
import math
import shlex
import sys

import numpy

from sentence_file import Unusable, read_sentences
import result_file

IDF_TOLERANCE = 1e-12
EDGE_WORDS = 1024  # most words a passage is extended by at each of its ends
NO_CLASS = -1  # a sentence that takes no part, or whose class is set aside

Options = collections.namedtuple("Options", "gamma gap max_df idf min_words edges")
DEFAULTS = Options(gamma=3, gap=0, max_df=300, idf=(0.1, 1.0), min_words=1, edges="word")

# Columns as in /passages, /pairs and /common (there without the hash, which is opaque here).
Passage = collections.namedtuple(
    "Passage", "doc_a doc_b start_a start_b length_a length_b begin_a end_a begin_b end_b"
    " matched similarity")
Pair = collections.namedtuple(
    "Pair", "doc_a doc_b passages matched score coverage_a coverage_b resemblance")
Common = collections.namedtuple("Common", "df doc sentence")
Expected = collections.namedtuple("Expected", "passages pairs common")


# ------------------------------------------------------------------ sentences to classes

def document_frequency(collection):
    """word -> number of documents that have it in any of their sentences."""
    df = collections.Counter()
    for document in collection.documents.values():
        df.update(set(document.words))
    return df


def counted_words(df, ndocs, idf_range):
    """The words whose idf, log(N/df) / log N, lies in the range.  N = 1: none, log N is 0."""
    low, high = idf_range
    if ndocs < 2:
        return set()
    log_n = math.log(ndocs)
    return {word for word, n in df.items()
            if low - IDF_TOLERANCE <= math.log(ndocs / n) / log_n <= high + IDF_TOLERANCE}


def class_numbers(collection, idf_range, min_words):
    """For each sentence of the collection: the number of its class, or NO_CLASS.

    A class is a set of counted words; equal sets get equal numbers.  A sentence shorter than
    min_words, or left without a counted word, is in no class.
    """
    counted = counted_words(document_frequency(collection), len(collection.documents), idf_range)
    numbers = {}
    result = []
    for document in collection.documents.values():
        for k in range(document.nsentences):
            words = document.words_of(k)
            terms = frozenset(words) & counted
            if len(words) < min_words or not terms:
                result.append(NO_CLASS)
            else:
                result.append(numbers.setdefault(terms, len(numbers)))
    return numpy.array(result, dtype=numpy.int32)


def set_aside_common(collection, classes, max_df):
    """(classes without the common ones, the rows of /common).

    A class is common when it occurs in more than max_df documents; max_df 0 is no limit.
    """
    occurrences = collections.defaultdict(list)
    for number, place in zip(classes.tolist(), collection.places):
        if number != NO_CLASS:
            occurrences[number].append(place)
    remaining = classes.copy()
    rows = []
    for number, places in occurrences.items():
        df = len({doc for doc, _ in places})
        if 0 < max_df < df:
            doc, sentence = min(places)
            rows.append(Common(df, doc, sentence))
            remaining[classes == number] = NO_CLASS
    return remaining, rows


# ------------------------------------------------------------------ classes to dots

def matching_pairs(collection, classes):
    """All dots, as numpy columns (doc_a, doc_b, i, j): every sentence against every later one
    of another document.  Sentences are in collection order, so doc_a < doc_b."""
    docs = numpy.array([doc for doc, _ in collection.places], dtype=numpy.int64)
    sentences = numpy.array([k for _, k in collection.places], dtype=numpy.int64)
    next_document = numpy.searchsorted(docs, docs, side="right")
    left, right = [], []
    for k, number in enumerate(classes.tolist()):
        if number == NO_CLASS:
            continue
        first = next_document[k]
        found = numpy.flatnonzero(classes[first:] == number) + first
        left.append(numpy.full(len(found), k))
        right.append(found)
    a = numpy.concatenate(left) if left else numpy.empty(0, dtype=numpy.int64)
    b = numpy.concatenate(right) if right else numpy.empty(0, dtype=numpy.int64)
    return docs[a], docs[b], sentences[a], sentences[b]


def dots_by_pair(dots, gamma):
    """Yield (doc_a, doc_b, [(i, j), ...]) in order of the pair.

    Pairs with gamma dots or fewer are left out: no chain in them can be longer than gamma.
    """
    doc_a, doc_b, i, j = dots
    order = numpy.lexsort((j, i, doc_b, doc_a))
    doc_a, doc_b, i, j = doc_a[order], doc_b[order], i[order], j[order]
    changes = numpy.flatnonzero((numpy.diff(doc_a) != 0) | (numpy.diff(doc_b) != 0)) + 1
    starts = numpy.concatenate(([0], changes)) if len(doc_a) else numpy.empty(0, dtype=int)
    ends = numpy.append(changes, len(doc_a))
    long_enough = ends[:len(starts)] - starts > gamma
    for first, last in zip(starts[long_enough].tolist(), ends[:len(starts)][long_enough].tolist()):
        yield (int(doc_a[first]), int(doc_b[first]),
               list(zip(i[first:last].tolist(), j[first:last].tolist())))


# ------------------------------------------------------------------ dots to passages

def successors(dot, present, gap):
    """The dots of `present` that a chain may go on to from `dot`: 1..gap+1 further on in both."""
    i, j = dot
    for di in range(1, gap + 2):
        for dj in range(1, gap + 2):
            if (i + di, j + dj) in present:
                yield i + di, j + dj


def components(dots, gap):
    """The connected components of the dots, each a sorted list; linked as in successors()."""
    present = set(dots)
    neighbours = {dot: [] for dot in present}
    for dot in present:
        for later in successors(dot, present, gap):
            neighbours[dot].append(later)
            neighbours[later].append(dot)
    seen = set()
    result = []
    for root in sorted(present):
        if root in seen:
            continue
        seen.add(root)
        component = [root]
        for dot in component:  # grows while it is walked: a flood fill
            for other in neighbours[dot]:
                if other not in seen:
                    seen.add(other)
                    component.append(other)
        result.append(sorted(component))
    return result


def longest_chain(component, gap):
    """Number of dots on the longest chain of linked dots, rising in both documents."""
    present = set(component)
    longest_from = {}
    for dot in sorted(component, reverse=True):
        longest_from[dot] = 1 + max(
            (longest_from[later] for later in successors(dot, present, gap)), default=0)
    return max(longest_from.values())


def extend_backward(a, b, start_a, start_b):
    """(begin_a, begin_b) after taking equal words backward from the sentences start_a, start_b."""
    return extend(a, b, a.first_word[start_a] - 1, b.first_word[start_b] - 1, -1,
                  a.begin[start_a], b.begin[start_b], a.word_begin, b.word_begin,
                  start_a - 1, start_b - 1)


def extend_forward(a, b, last_a, last_b):
    """(end_a, end_b) after taking equal words forward from the sentences last_a, last_b."""
    return extend(a, b, a.first_word[last_a + 1], b.first_word[last_b + 1], 1,
                  a.end[last_a], b.end[last_b], a.word_end, b.word_end,
                  last_a + 1, last_b + 1)


def extend(a, b, x, y, step, edge_a, edge_b, offsets_a, offsets_b, neighbour_a, neighbour_b):
    """Walk word by word from word x of a and word y of b while the words agree.

    The walk ends where a document ends, where the words differ, where both walks would leave their
    neighbouring sentence, and after EDGE_WORDS words.  Returns the edges: those given when no word
    was taken, else the offsets of the last words taken.
    """
    for _ in range(EDGE_WORDS):
        if not (0 <= x < len(a.words) and 0 <= y < len(b.words)):
            break
        left_a = (a.word_sentence[x] - neighbour_a) * step > 0
        left_b = (b.word_sentence[y] - neighbour_b) * step > 0
        if a.words[x] != b.words[y] or (left_a and left_b):
            break
        edge_a, edge_b = offsets_a[x], offsets_b[y]
        x += step
        y += step
    return edge_a, edge_b


def make_passage(a, b, component, matched, edges):
    """The row of /passages for one component of the dots of documents a and b."""
    start_a, last_a = min(i for i, _ in component), max(i for i, _ in component)
    start_b, last_b = min(j for _, j in component), max(j for _, j in component)
    begin_a, begin_b = a.begin[start_a], b.begin[start_b]
    end_a, end_b = a.end[last_a], b.end[last_b]
    if edges == "word":
        begin_a, begin_b = extend_backward(a, b, start_a, start_b)
        end_a, end_b = extend_forward(a, b, last_a, last_b)
    return Passage(a.row, b.row, start_a, start_b, last_a - start_a + 1, last_b - start_b + 1,
                   begin_a, end_a, begin_b, end_b, matched, 1.0)


def pair_passages(a, b, dots, options):
    """The kept passages of one pair of documents, in the order of the result."""
    kept = []
    for component in components(dots, options.gap):
        matched = longest_chain(component, options.gap)
        if matched > options.gamma:
            kept.append(make_passage(a, b, component, matched, options.edges))
    return sorted(kept)


def coverage(nsentences, ranges):
    """Share of a document's sentences that lie in the union of (start, length) ranges."""
    covered = set()
    for start, length in ranges:
        covered.update(range(start, start + length))
    return len(covered) / nsentences


def make_pair(a, b, passages):
    """The row of /pairs for one pair of documents with at least one passage."""
    return Pair(a.row, b.row, len(passages),
                sum(p.matched for p in passages),
                sum(p.matched * p.similarity for p in passages),
                coverage(a.nsentences, [(p.start_a, p.length_a) for p in passages]),
                coverage(b.nsentences, [(p.start_b, p.length_b) for p in passages]), 0.0)


# ------------------------------------------------------------------ the whole

class Judge:
    """Expected tables for one collection; dots are kept from one result file to the next."""

    def __init__(self, collection):
        self.collection = collection
        self.matches_for = None
        self.matches = None

    def dots_and_common(self, options):
        """(dots, rows of /common) for the options, worked out anew only when they differ."""
        wanted = (options.idf, options.min_words, options.max_df)
        if self.matches_for != wanted:
            classes = class_numbers(self.collection, options.idf, options.min_words)
            classes, common = set_aside_common(self.collection, classes, options.max_df)
            self.matches = matching_pairs(self.collection, classes), common
            self.matches_for = wanted
        return self.matches

    def expect(self, options):
        """All rows that the result file must hold under these options."""
        dots, common = self.dots_and_common(options)
        documents = self.collection.documents
        passages, pairs = [], []
        for doc_a, doc_b, pair_dots in dots_by_pair(dots, options.gamma):
            a, b = documents[doc_a], documents[doc_b]
            kept = pair_passages(a, b, pair_dots, options)
            if kept:
                passages.extend(kept)
                pairs.append(make_pair(a, b, kept))
        return Expected(passages, pairs, sorted(common))


def judge_results(sentences, runs, show):
    """Compare the result file of every run (path, options given); print a line each.

    Returns the number of files that differ.
    """
    collection = read_sentences(sentences)
    judge = Judge(collection)
    differing = 0
    for path, given in runs:
        with result_file.open_result(path) as result:
            complaints = result_file.option_complaints(result, given)
            options = result_file.options_of(result, given, DEFAULTS)
            complaints += result_file.document_complaints(result, collection)
            expected = judge.expect(options)
            complaints += result_file.table_complaints(result, expected, collection, show)
        for complaint in complaints:
            print(f"oracle: {path}: {complaint}")
        differing += bool(complaints)
        print(verdict(collection, expected, complaints, path, len(runs) > 1))
    return differing


def verdict(collection, expected, complaints, path, name_it):
    """The closing line for one result file."""
    ndocs = max(collection.ndocuments, len(collection.documents))
    line = (f"oracle: {ndocs} documents, {len(collection.places)} sentences,"
            f" {len(expected.passages)} passages, {len(expected.pairs)} pairs,"
            f" {len(expected.common)} common: {'DIFFERENT' if complaints else 'equal'}")
    return f"{line} ({path})" if name_it else line


def idf_range(text):
    """'LO,HI' -> (lo, hi)."""
    low, high = text.split(",")
    return float(low), float(high)


def run_parser():
    """What names one run: a result file and the options that were given."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("results", metavar="RESULT.h5", nargs="*")
    parser.add_argument("--gamma", type=int)
    parser.add_argument("--gap", type=int)
    parser.add_argument("--max-df", type=int)
    parser.add_argument("--idf", type=idf_range, metavar="LO,HI")
    parser.add_argument("--min-words", type=int)
    parser.add_argument("--edges", choices=("word", "sentence"))
    return parser


def runs_of(arguments):
    """[(path, options given)] of parsed arguments."""
    given = {name: getattr(arguments, name) for name in Options._fields
             if getattr(arguments, name) is not None}
    return [(path, given) for path in arguments.results]


def listed_runs(path):
    """The runs named in a --list file."""
    try:
        with open(path, encoding="utf-8") as lines:
            return [run for line in lines
                    for run in runs_of(run_parser().parse_args(shlex.split(line)))]
    except OSError as reason:
        raise Unusable(f"{path}: {reason}") from reason


def parse_arguments(argv):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, parents=[run_parser()],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", metavar="S.jsonl", help="pardup sentences --offsets ...")
    parser.add_argument("--result", metavar="OUT.h5", action="append", default=[])
    parser.add_argument("--list", metavar="FILE", help="of result files and their options")
    parser.add_argument("--show", type=int, default=5, help="rows printed of each difference [5]")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args(argv)
    arguments.results += arguments.result
    named = arguments.results or arguments.list
    if not arguments.self_test and not (arguments.sentences and named):
        parser.error("give --sentences and at least one result, or --self-test")
    return arguments


def main(argv):
    """Returns the exit status."""
    arguments = parse_arguments(argv)
    if arguments.self_test:
        import oracle_selftest  # it imports this module: not at the top
        return oracle_selftest.run()
    try:
        runs = runs_of(arguments) + (listed_runs(arguments.list) if arguments.list else [])
        return 1 if judge_results(arguments.sentences, runs, arguments.show) else 0
    except Unusable as reason:
        print(f"oracle: {reason}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
