"""Tests of the judge itself: hand-computed cases of every definition, a second implementation in
plain loops that must agree on random collections, and results that are wrong on purpose.

Run by `oracle.py --self-test`.
"""

import contextlib
import io
import json
import math
import os
import random
import sys
import tempfile
import unittest

import h5py
import numpy

import oracle
import result_file
from sentence_file import Collection, Unusable, read_sentences

ALL_WORDS = (-1.0, 2.0)  # an idf range that counts every word


def records(texts):
    """Lines of S.jsonl for documents given as lists of sentences, a sentence as 'a b c'.

    The text of a document is its sentences with '. ' after each.
    """
    for row, sentences in enumerate(texts):
        place = 0
        for k, sentence in enumerate(sentences):
            words, spans, begin = sentence.split(), [], place
            for word in words:
                spans.append([place, place + len(word)])
                place += len(word) + 1
            end = max(place, begin + 1)  # the full stop belongs to the sentence
            yield {"row": row, "doc": f"d{row}", "sentence": k, "begin": begin, "end": end,
                   "words": words, "spans": spans}
            place = end + 1


def collection_of(texts):
    """The same as a Collection."""
    collection = Collection()
    for record in records(texts):
        collection.add(record["row"], record["doc"], (record["begin"], record["end"],
                                                      record["words"], record["spans"]))
    collection.ndocuments = len(texts)
    return collection


def options(**changes):
    """Default options that count every word, with changes."""
    return oracle.DEFAULTS._replace(idf=ALL_WORDS)._replace(**changes)


def expect(texts, **changes):
    """The expected tables of a small collection."""
    return oracle.Judge(collection_of(texts)).expect(options(**changes))


def boxes(expected):
    """Passages without offsets and similarity."""
    return [tuple(p[:6]) + (p.matched,) for p in expected.passages]


class Classes(unittest.TestCase):
    """idf range, min-words, max-df."""

    def test_df_counts_documents_once(self):
        df = oracle.document_frequency(collection_of([["a a", "a"], ["a b"], []]))
        self.assertEqual(df, {"a": 2, "b": 1})

    def test_idf_bounds_are_inclusive(self):
        df = {"one": 1, "two": 2, "four": 4, "eight": 8, "sixteen": 16}  # N = 16: 1 .75 .5 .25 0
        self.assertEqual(oracle.counted_words(df, 16, (0.25, 0.75)), {"two", "four", "eight"})
        self.assertEqual(oracle.counted_words(df, 16, (0.1, 1.0)), {"one", "two", "four", "eight"})
        self.assertEqual(oracle.counted_words(df, 16, (0.0, 0.0)), {"sixteen"})

    def test_n_is_documents_with_sentences(self):
        # N = 4 (the empty documents do not count): idf(x) = log(4/2)/log 4 = 0.5; with N = 6, 0.61
        texts = [["x"], ["x"], ["y"], ["z"], [], []]
        self.assertEqual(boxes(expect(texts, gamma=0, idf=(0.5, 0.5))), [(0, 1, 0, 0, 1, 1, 1)])

    def test_single_document_matches_nothing(self):
        self.assertEqual(expect([["a b", "a b"]], gamma=0), oracle.Expected([], [], []))

    def test_sets_not_lists(self):
        self.assertEqual(len(expect([["a b a"], ["b a"]], gamma=0).passages), 1)

    def test_uncounted_words_do_not_hinder_a_match(self):
        texts = [["the x"], ["x the the"], ["the y"], ["the z"]]
        self.assertEqual(boxes(expect(texts, gamma=0, idf=(0.1, 1.0))), [(0, 1, 0, 0, 1, 1, 1)])

    def test_sentence_without_counted_word_takes_no_part(self):
        texts = [["the"], ["the"], ["the a"], ["the b"]]
        self.assertEqual(expect(texts, gamma=0, idf=(0.1, 1.0)).passages, [])

    def test_min_words_counts_repetitions(self):
        texts = [["a a a", "b b"], ["a a a", "b b"]]
        self.assertEqual(boxes(expect(texts, gamma=0, min_words=3)), [(0, 1, 0, 0, 1, 1, 1)])
        self.assertEqual(expect(texts, gamma=0, min_words=4).passages, [])

    def test_short_sentences_count_for_df(self):
        # x: df 3 of N 3 through the short sentence of the third document, so its idf is 0
        texts = [["x y"], ["x z"], ["x"]]
        self.assertEqual(expect(texts, gamma=0, min_words=2, idf=(0.3, 0.4)).passages, [])
        self.assertEqual(len(expect(texts, gamma=0, min_words=2, idf=(0.0, 0.0)).passages), 1)

    def test_max_df_is_exclusive_and_lists_the_first(self):
        texts = [["q", "x"], ["x", "x"], ["x"]]
        self.assertEqual(expect(texts, gamma=0, max_df=3).common, [])
        self.assertEqual(len(expect(texts, gamma=0, max_df=3).passages), 5)
        aside = expect(texts, gamma=0, max_df=2)
        self.assertEqual(aside, oracle.Expected([], [], [(3, 0, 1)]))
        self.assertEqual(len(expect(texts, gamma=0, max_df=0).passages), 5)

    def test_max_df_counts_documents_not_sentences(self):
        self.assertEqual(expect([["x", "x", "x"], ["x"]], gamma=0, max_df=2).common, [])

    def test_ledger_leaves_out_short_sentences(self):
        texts = [["x"], ["x x"], ["x x"], ["x x"]]
        self.assertEqual(expect(texts, min_words=2, max_df=2).common, [(3, 1, 0)])


class Diagonals(unittest.TestCase):
    """Components, chains, gamma."""

    def test_run_of_gamma_is_dropped(self):
        texts = [["a", "b", "c", "d"], ["x", "a", "b", "c", "d"]]
        self.assertEqual(boxes(expect(texts, gamma=3)), [(0, 1, 0, 1, 4, 4, 4)])
        self.assertEqual(expect(texts, gamma=4), oracle.Expected([], [], []))

    def test_gap_zero_cuts_at_the_edit(self):
        texts = [["a", "b", "x", "c", "d"], ["a", "b", "y", "c", "d"]]
        self.assertEqual(boxes(expect(texts, gamma=1)),
                         [(0, 1, 0, 0, 2, 2, 2), (0, 1, 3, 3, 2, 2, 2)])
        self.assertEqual(boxes(expect(texts, gamma=1, gap=1)), [(0, 1, 0, 0, 5, 5, 4)])

    def test_gap_joins_over_an_insertion_on_one_side(self):
        texts = [["a", "b", "c", "d"], ["a", "b", "y", "c", "d"]]
        self.assertEqual(boxes(expect(texts, gamma=3, gap=1)), [(0, 1, 0, 0, 4, 5, 4)])
        self.assertEqual(expect(texts, gamma=3, gap=0).passages, [])

    def test_gap_limit_is_per_side(self):
        texts = [["a", "1", "2", "b"], ["a", "3", "4", "b"]]
        self.assertEqual(len(expect(texts, gamma=1, gap=1).passages), 0)
        self.assertEqual(boxes(expect(texts, gamma=1, gap=2)), [(0, 1, 0, 0, 4, 4, 2)])

    def test_links_rise_strictly(self):
        self.assertEqual(oracle.components([(0, 0), (0, 1), (1, 0)], 5),
                         [[(0, 0)], [(0, 1)], [(1, 0)]])

    def test_component_can_hold_side_branches(self):
        dots = [(0, 0), (1, 1), (1, 2), (2, 3)]  # gap 1: (0,0)-(1,1), (0,0)-(1,2), (1,2)-(2,3) ...
        self.assertEqual(oracle.components(dots, 1), [dots])
        self.assertEqual(oracle.longest_chain(dots, 1), 3)

    def test_matched_counts_the_chain_not_the_dots(self):
        texts = [["a", "a", "b"], ["a", "a", "b"]]
        found = expect(texts, gamma=1, gap=0)
        self.assertEqual(boxes(found), [(0, 1, 0, 0, 3, 3, 3)])
        wide = expect(texts, gamma=0, gap=1)  # (0,1) links to (1,?) no: only to (2,2) over the gap
        self.assertEqual(boxes(wide), [(0, 1, 0, 0, 3, 3, 3)])

    def test_repeats_inside_a_document(self):
        texts = [["a", "b", "a", "b"], ["a", "b"]]
        self.assertEqual(boxes(expect(texts, gamma=1)),
                         [(0, 1, 0, 0, 2, 2, 2), (0, 1, 2, 0, 2, 2, 2)])

    def test_nothing_inside_one_document(self):
        self.assertEqual(expect([["a", "b", "a", "b"], ["x"]], gamma=0).passages, [])


class Edges(unittest.TestCase):
    """Word by word beyond the matched sentences.  Offsets: one byte a word, see records()."""

    def edges(self, texts, **changes):
        """begin_a, end_a, begin_b, end_b of the only passage."""
        (passage,) = expect(texts, gamma=0, **changes).passages
        return passage[6:10]

    def test_sentence_edges(self):
        texts = [["k a", "m n"], ["z a", "m n"]]
        self.assertEqual(self.edges(texts, edges="sentence"), (5, 9, 5, 9))

    def test_backward_and_forward(self):
        texts = [["k a", "m n", "c d"], ["z a", "m n", "c e"]]
        self.assertEqual(self.edges(texts), (2, 11, 2, 11))

    def test_nothing_taken_keeps_the_sentence(self):
        texts = [["k a", "m n", "c d"], ["z b", "m n", "f e"]]
        self.assertEqual(self.edges(texts), (5, 9, 5, 9))

    def test_stops_when_both_leave_the_neighbour(self):
        # "h" is too short to match, so it is a neighbour that agrees; the "r"s lie beyond it
        texts = [["x r", "h", "m n", "g", "r k"], ["y r", "h", "m n", "g", "r j"]]
        self.assertEqual(self.edges(texts, min_words=2), (5, 14, 5, 14))

    def test_one_walk_may_go_on_beyond_its_neighbour(self):
        # a: neighbour "w" then "v u"; b: neighbour "t v w": w v are taken, u against t differs
        texts = [["u", "v", "w", "m n"], ["t v w", "m n"]]
        self.assertEqual(self.edges(texts)[0::2], (3, 2))
        # both leave: a after "w", b after "v w"; the word before (u, u) is out of reach
        texts = [["u v", "w", "m n"], ["u", "v w", "m n"]]
        self.assertEqual(self.edges(texts)[0::2], (2, 3))

    def test_empty_sentences_are_walked_over(self):
        texts = [["a", "m n"], ["x a", "", "m n"]]
        # b's neighbour is empty: its walk has left it at once, a's has not
        self.assertEqual(self.edges(texts)[0::2], (0, 2))

    def test_stops_at_both_ends_of_the_text(self):
        texts = [["a b", "m n"], ["c", "a b x", "m n", "t"]]
        self.assertEqual(self.edges(texts), (5, 9, 10, 14))

    def test_at_most_1024_words(self):
        tail = " ".join(["a"] * 1030)
        texts = [["x " + tail, "m n"], ["y " + tail, "m n"]]
        begin_a, _, begin_b, _ = self.edges(texts)
        self.assertEqual((begin_a, begin_b), (2 + 2 * 6, 2 + 2 * 6))


class PairRows(unittest.TestCase):
    """/pairs and the order of rows."""

    def test_sums_and_union(self):
        texts = [["a", "b", "x", "y"], ["a", "b", "q", "a", "b"]]
        (pair,) = expect(texts, gamma=1).pairs
        self.assertEqual(pair, (0, 1, 2, 4, 4.0, 0.5, 0.8, 0.0))

    def test_order(self):
        texts = [["a"], ["b", "a"], ["b", "a"]]
        self.assertEqual([p[:4] for p in expect(texts, gamma=0).passages],
                         [(0, 1, 0, 1), (0, 2, 0, 1), (1, 2, 0, 0)])


# ------------------------------------------------------------------ second implementation

def slow_classes(texts, opts):
    """{(doc, k): frozenset} of the sentences that take part."""
    filled = [doc for doc in texts if doc]
    count = lambda word: sum(any(word in s.split() for s in doc) for doc in filled)
    weight = {word: math.log(len(filled) / count(word)) / math.log(len(filled))
              for doc in filled for s in doc for word in s.split()} if len(filled) > 1 else {}
    result = {}
    for d, doc in enumerate(texts):
        for k, sentence in enumerate(doc):
            terms = frozenset(word for word in sentence.split()
                              if opts.idf[0] - 1e-12 <= weight.get(word, math.nan)
                              <= opts.idf[1] + 1e-12)
            if terms and len(sentence.split()) >= opts.min_words:
                result[d, k] = terms
    return result


def slow_common(classes, opts):
    """{set of terms: row of /common}."""
    rows = {}
    for place, terms in classes.items():
        holders = sorted(p for p in classes if classes[p] == terms)
        df = len({d for d, _ in holders})
        if opts.max_df and df > opts.max_df:
            rows[terms] = (df,) + holders[0]
    return rows


def slow_components(dots, gap):
    """Components by merging labels until nothing changes."""
    label = {dot: n for n, dot in enumerate(dots)}
    linked = [(p, q) for p in dots for q in dots
              if 0 < q[0] - p[0] <= gap + 1 and 0 < q[1] - p[1] <= gap + 1]
    changed = True
    while changed:
        changed = False
        for p, q in linked:
            if label[p] != label[q]:
                label[p] = label[q] = min(label[p], label[q])
                changed = True
    return [[d for d in dots if label[d] == n] for n in sorted(set(label.values()))], linked


def slow_chain(component, linked):
    """Longest chain by trying all."""
    def from_dot(dot):
        return 1 + max((from_dot(q) for p, q in linked if p == dot), default=0)
    return max(map(from_dot, component))


def slow_words(sentences, numbers):
    """[(word, sentence, index in the sentence)] over the sentences in order of `numbers`."""
    return [(word, n, x) for n in numbers for x, word in enumerate(sentences[n].split())]


def slow_walk(walk_a, walk_b):
    """The last words taken (sentence, index) on both sides, or None."""
    taken = None
    for (word_a, sentence_a, x, far_a), (word_b, sentence_b, y, far_b) in zip(walk_a, walk_b):
        if word_a != word_b or (far_a and far_b):
            break
        taken = (sentence_a, x), (sentence_b, y)
    return taken


def slow_passage(texts, spans, pair, component, matched, edges):
    """A row of /passages."""
    row, begins, ends = list(pair), [], []
    firsts = [min(dot[side] for dot in component) for side in (0, 1)]
    lasts = [max(dot[side] for dot in component) for side in (0, 1)]
    back, forward = [], []
    for side in (0, 1):
        doc, first, last = texts[pair[side]], firsts[side], lasts[side]
        back.append([(w, n, x, n < first - 1)
                     for w, n, x in reversed(slow_words(doc, range(first)))])
        forward.append([(w, n, x, n > last + 1)
                        for w, n, x in slow_words(doc, range(last + 1, len(doc)))])
    taken_back, taken_forward = slow_walk(*back), slow_walk(*forward)
    for side in (0, 1):
        begin = spans[pair[side], firsts[side]]["begin"]
        end = spans[pair[side], lasts[side]]["end"]
        if edges == "word" and taken_back:
            n, x = taken_back[side]
            begin = spans[pair[side], n]["spans"][x][0]
        if edges == "word" and taken_forward:
            n, x = taken_forward[side]
            end = spans[pair[side], n]["spans"][x][1]
        begins.append(begin)
        ends.append(end)
    lengths = [lasts[side] - firsts[side] + 1 for side in (0, 1)]
    return tuple(row + firsts + lengths + [begins[0], ends[0], begins[1], ends[1], matched, 1.0])


def slow_expect(texts, opts):
    """The expected tables, by loops over everything."""
    spans = {(r["row"], r["sentence"]): r for r in records(texts)}
    classes = slow_classes(texts, opts)
    common = slow_common(classes, opts)
    passages, pairs = [], []
    for a in range(len(texts)):
        for b in range(a + 1, len(texts)):
            dots = [(i, j) for i in range(len(texts[a])) for j in range(len(texts[b]))
                    if classes.get((a, i)) and classes.get((a, i)) == classes.get((b, j))
                    and classes[a, i] not in common]
            groups, linked = slow_components(dots, opts.gap)
            mine = []
            for group in groups:
                matched = slow_chain(group, linked)
                if matched > opts.gamma:
                    mine.append(slow_passage(texts, spans, (a, b), group, matched, opts.edges))
            if mine:
                passages += mine
                share = [len({k for p in mine for k in range(p[2 + s], p[2 + s] + p[4 + s])})
                         / len(texts[d]) for s, d in ((0, a), (1, b))]
                total = sum(p[10] for p in mine)
                pairs.append((a, b, len(mine), total, float(total), share[0], share[1], 0.0))
    return oracle.Expected(sorted(passages), pairs, sorted(common.values()))


def random_texts(rng):
    """A small collection: few words, copied runs, empty documents and sentences."""
    vocabulary = "abcdefgh"[:rng.randint(2, 8)]
    sentence = lambda: " ".join(rng.choices(vocabulary, k=rng.randint(0, 3)))
    pool = [sentence() for _ in range(rng.randint(1, 8))]
    texts = []
    for _ in range(rng.randint(1, 7)):
        doc = [rng.choice(pool) if rng.random() < 0.6 else sentence()
               for _ in range(rng.randint(0, 7))]
        if texts and rng.random() < 0.6:
            source = rng.choice(texts)
            start = rng.randint(0, len(source))
            doc[rng.randint(0, len(doc)):0] = source[start:start + rng.randint(1, 6)]
        texts.append(doc)
    return texts


class SecondImplementation(unittest.TestCase):
    """The two implementations agree on random collections."""

    def test_agree(self):
        rng = random.Random(20100719)
        kept = aside = longer = 0
        for _ in range(1500):
            texts = random_texts(rng)
            opts = oracle.Options(gamma=rng.randint(0, 3), gap=rng.randint(0, 3),
                                  max_df=rng.choice((0, 1, 2, 3, 300)),
                                  idf=rng.choice((ALL_WORDS, (0.1, 1.0), (0.3, 0.8))),
                                  min_words=rng.randint(1, 2),
                                  edges=rng.choice(("word", "sentence")))
            got = oracle.Judge(collection_of(texts)).expect(opts)
            want = slow_expect(texts, opts)
            self.assertEqual(got, want, f"{texts} {opts}")
            kept += len(want.passages)
            aside += len(want.common)
            longer += sum(p[4] != p[5] for p in want.passages)
        self.assertGreater(min(kept, aside, longer), 100)  # the cases are not empty ones


# ------------------------------------------------------------------ the file comparison

def write_result(path, texts, expected, opts):
    """A result file that holds the expected rows."""
    with h5py.File(path, "w") as result:
        ids = numpy.array([f"d{row}" for row in range(len(texts))], dtype="S8")
        result["/documents/id"] = ids
        result["/documents/sentences"] = numpy.array([len(doc) for doc in texts], dtype="u4")
        for table, columns in result_file.EXPECTED_COLUMNS.items():
            rows = getattr(expected, table)
            for n, column in enumerate(columns):
                kind = "f8" if column in result_file.DOUBLES else "u8"
                result[f"/{table}/{column}"] = numpy.array([row[n] for row in rows], dtype=kind)
        result["/common/hash"] = numpy.arange(10, 10 + len(expected.common), dtype="u8")
        result.attrs["method"] = "pdc-imatch"
        result.attrs["idf"] = ",".join(map(str, opts.idf))
        result.attrs["edges"] = opts.edges
        for name in ("gamma", "gap", "max_df", "min_words"):
            result.attrs[name] = getattr(opts, name)


class FileComparison(unittest.TestCase):
    """Equal files are equal, and every kind of wrong file is found wrong."""

    texts = [["a", "b", "x", "c c"], ["a", "b", "y", "c", "z"], [], ["z"], ["z", "a", "b"]]
    opts = options(gamma=1, max_df=2, gap=1)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.sentences = os.path.join(self.folder.name, "s.jsonl")
        self.result = os.path.join(self.folder.name, "r.h5")
        with open(self.sentences, "w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(record) + "\n" for record in records(self.texts))
        self.expected = oracle.Judge(collection_of(self.texts)).expect(self.opts._replace(max_df=0))
        self.opts = self.opts._replace(max_df=0)
        self.assertGreater(len(self.expected.passages), 2)

    def tearDown(self):
        self.folder.cleanup()

    def judge(self, *arguments):
        """(exit status, printed text)."""
        return self.judge_runs(self.result, *arguments)

    def judge_runs(self, *arguments):
        """The same without naming the result file."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            status = oracle.main(["--sentences", self.sentences, *arguments])
        return status, printed.getvalue()

    def wrong_after(self, change, expecting):
        """The judge must complain, in these words, after change(file)."""
        write_result(self.result, self.texts, self.expected, self.opts)
        with h5py.File(self.result, "r+") as result:
            change(result)
        status, printed = self.judge()
        self.assertEqual(status, 1, printed)
        self.assertIn(expecting, printed)
        self.assertIn("DIFFERENT", printed)

    def test_equal(self):
        write_result(self.result, self.texts, self.expected, self.opts)
        status, printed = self.judge()
        self.assertEqual(status, 0, printed)
        self.assertRegex(printed, r"^oracle: 5 documents, 13 sentences, \d+ passages, \d+ pairs,"
                                  r" 0 common: equal\n$")

    def test_every_integer_and_double_counts(self):
        for table in ("passages", "pairs"):
            for column in result_file.EXPECTED_COLUMNS[table]:
                def change(result, name=f"/{table}/{column}"):
                    result[name][-1] += 1
                self.wrong_after(change, f"/{table}")

    def test_common(self):
        self.opts = self.opts._replace(max_df=2)
        self.expected = oracle.Judge(collection_of(self.texts)).expect(self.opts)
        self.assertGreater(len(self.expected.common), 2)
        write_result(self.result, self.texts, self.expected, self.opts)
        self.assertEqual(self.judge()[0], 0)
        for column in ("df", "doc", "sentence"):
            def change(result, name=f"/common/{column}"):
                result[name][0] += 1
            self.wrong_after(change, "/common")
        def same_hash(result):
            result["/common/hash"][1] = result["/common/hash"][0]
        self.wrong_after(same_hash, "hashes do not rise")

    def test_rows_missing_extra_and_out_of_order(self):
        def cut(rows):
            self.expected = self.expected._replace(passages=rows)
        rows = self.expected.passages
        cut(rows[:-1])
        self.wrong_after(lambda result: None, "1 rows missing")
        cut(rows + [rows[-1]])
        self.wrong_after(lambda result: None, "1 rows extra")
        cut(rows[::-1])
        self.wrong_after(lambda result: None, "sorts before")

    def test_double_tolerance(self):
        def slightly(result):
            result["/pairs/coverage_a"][0] += 1e-9
        self.wrong_after(slightly, "coverage_a")

    def test_documents(self):
        def count(result):
            result["/documents/sentences"][2] = 1
        def name(result):
            result["/documents/id"][0] = b"other"
        def total(result):
            result.attrs["sentences"] = 12
        self.wrong_after(count, "1 sentences, expected 0")
        self.wrong_after(name, "id 'other'")
        self.wrong_after(total, "attribute sentences")

    def test_options_given_must_agree(self):
        write_result(self.result, self.texts, self.expected, self.opts)
        self.assertEqual(self.judge("--gamma", "1", "--gap", "1", "--idf=-1,2")[0], 0)
        status, printed = self.judge("--gamma", "2")
        self.assertEqual(status, 1)
        self.assertIn("gamma = 1, expected 2", printed)

    def test_list_of_results(self):
        write_result(self.result, self.texts, self.expected, self.opts)
        listed = os.path.join(self.folder.name, "list")
        for gap, status in (("1", 0), ("2", 1)):
            with open(listed, "w", encoding="utf-8") as lines:
                lines.write(f"{self.result} --gamma 1 --gap {gap}\n\n")
            self.assertEqual(self.judge_runs("--list", listed)[0], status)

    def test_options_not_recorded_are_taken_from_the_command_line(self):
        write_result(self.result, self.texts, self.expected, self.opts)
        with h5py.File(self.result, "r+") as result:
            for name in oracle.Options._fields:
                del result.attrs[name]
        right = ("--gamma=1", "--gap=1", "--max-df=0", "--idf=-1,2", "--edges=word")
        self.assertEqual(self.judge(*right)[0], 0)
        self.assertEqual(self.judge(*right, "--max-df=2")[0], 1)

    def test_unusable(self):
        write_result(self.result, self.texts, self.expected, self.opts)
        with h5py.File(self.result, "r+") as result:
            result.attrs["method"] = "nikkhoo"
        self.assertEqual(self.judge()[0], 2)
        os.remove(self.result)
        self.assertEqual(self.judge()[0], 2)


class SentenceFile(unittest.TestCase):
    """Malformed lines are refused."""

    def test_refusals(self):
        good = list(records([["a b", "c"], ["d"]]))
        for change in (lambda r: r[0].pop("row"), lambda r: r[1].update(sentence=2),
                       lambda r: r[2].update(row=-5), lambda r: r[1].update(doc="other"),
                       lambda r: r[0]["words"].append("x"), lambda r: r[0].update(end=2),
                       lambda r: r[1].update(begin=0), lambda r: r[0]["spans"].reverse()):
            lines = json.loads(json.dumps(good))
            change(lines)
            with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)
                file.flush()
                with self.assertRaises(Unusable):
                    read_sentences(file.name)


def run():
    """Run all tests; returns the exit status."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1
