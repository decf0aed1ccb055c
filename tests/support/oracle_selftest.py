"""Tests of the judge itself: hand-computed cases of what all methods share, and results that are
wrong on purpose.  Those of single methods are in oracle_selftest_methods.py, those of targets and
sources in oracle_selftest_queries.py; in oracle_selftest_second.py is a second implementation in plain loops that must agree.

Run by `oracle.py --self-test`.
"""

import contextlib
import io
import json
import os
import pickle
import random
import sys
import tempfile
import time
import unittest

import h5py
import numpy

import oracle
import oracle_agreement
import oracle_copies
import oracle_features
import oracle_known
import oracle_options
import oracle_passages
import oracle_selftest_methods
import oracle_selftest_queries
import oracle_selftest_second
import result_file
from oracle_selftest_cases import boxes, collection_of, expect, options, records
from sentence_file import Unusable, read_sentences


class Agreement(unittest.TestCase):
    """Words that agree, exactly and with the bound for long unlike texts."""

    def agreed(self, a, b, **limits):
        """agreed_words() of texts whose words are letters."""
        return oracle_agreement.agreed_words(list(a), list(b), **limits)

    def test_order_counts(self):
        self.assertEqual(self.agreed("abcd", "acbd"), 3)
        self.assertEqual(self.agreed("abab", "baba"), 3)
        self.assertEqual(self.agreed("abc", "xyz"), 0)
        self.assertEqual(oracle_agreement.agreement(list("abc"), list("abxc")), 3 / 4)

    def test_pivots_divide(self):
        # after the common end z: pivots p and q ascend; between them "ab" against "ba" is divided
        bound = {"exact_cells": 1, "edits": 0}
        self.assertEqual(oracle_agreement.pivots_of(list("1p2"), list("3p4")), [(1, 1)])
        self.assertEqual(oracle_agreement.pivots_of(list("pqr"), list("qrp")), [(1, 0), (2, 1)])
        self.assertEqual(self.agreed("1paabq2z", "3pbaaq4z", **bound), 4)
        self.assertEqual(self.agreed("1paabq2z", "3pbaaq4z"), 5)

    def test_bound_is_no_more(self):
        rng = random.Random(1)
        for _ in range(200):
            a, b = (rng.choices("abcdefghijklmnop", k=rng.randint(0, 30)) for _ in range(2))
            longest = oracle_agreement.longest_common(a, b)
            self.assertEqual(oracle_agreement.agreed_words(a, b), longest)
            self.assertLessEqual(oracle_agreement.agreed_words(a, b, rng.randint(1, 50), 0),
                                 longest)


class Classes(unittest.TestCase):
    """idf range, min-words, max-df."""

    def test_df_counts_documents_once(self):
        df, _ = oracle_features.document_frequency(collection_of([["a a", "a"], ["a b"], []]))
        self.assertEqual(df, {"a": 2, "b": 1})

    def test_idf_bounds_are_inclusive(self):
        df = {"one": 1, "two": 2, "four": 4, "eight": 8, "sixteen": 16}  # N = 16: 1 .75 .5 .25 0
        counted = lambda *bounds: oracle_features.counted_words(df, 16, bounds)
        self.assertEqual(counted(0.25, 0.75), {"two", "four", "eight"})
        self.assertEqual(counted(0.1, 1.0), {"one", "two", "four", "eight"})
        self.assertEqual(counted(0.0, 0.0), {"sixteen"})

    def test_n_is_documents_with_sentences(self):
        # N = 4 (the empty documents do not count): idf(x) = log(4/2)/log 4 = 0.5; with N = 6, 0.61
        texts = [["x"], ["x"], ["y"], ["z"], [], []]
        self.assertEqual(boxes(expect(texts, gamma=0, idf=(0.5, 0.5))), [(0, 1, 0, 0, 1, 1, 1)])

    def test_single_document_matches_nothing(self):
        self.assertEqual(expect([["a b", "a b"]], gamma=0), oracle_passages.Expected([], [], []))

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
        self.assertEqual(aside, oracle_passages.Expected([], [], [(3, 0, 1)]))
        self.assertEqual(len(expect(texts, gamma=0, max_df=0).passages), 5)

    def test_max_df_counts_documents_not_sentences(self):
        self.assertEqual(expect([["x", "x", "x"], ["x"]], gamma=0, max_df=2).common, [])

    def test_ledger_leaves_out_short_sentences(self):
        texts = [["x"], ["x x"], ["x x"], ["x x"]]
        self.assertEqual(expect(texts, min_words=2, max_df=2).common, [(3, 1, 0)])


class BriefDocuments(unittest.TestCase):
    """Documents of few sentences outside their templates."""

    def brief(self, document, aside, given):
        """The own sentences of a brief document; of another one none."""
        own = oracle_copies.own_text(document, aside, given)
        return own if oracle_copies.is_brief(document, own, given) else []

    def test_one_more_sentence_than_gamma_outside_templates(self):
        document = collection_of([["m n", "x y", "z"]]).documents[0]
        own = lambda aside, **changes: self.brief(
            document, aside, options(**{"templates": "aside", **changes}))
        self.assertEqual(own({0}, gamma=1), [1, 2])
        self.assertEqual(own({0}, gamma=0), [])
        self.assertEqual(own({0}, gamma=1, min_copy_words=4), [])
        self.assertEqual(own((), gamma=2, templates="match"), [])
        self.assertEqual(own((), gamma=2, templates="match", min_copy_agreement=0.9), [0, 1, 2])

    def test_grams_need_long_sentences(self):
        document = collection_of([["m n o p", "x y", "z"]]).documents[0]
        own = lambda **changes: self.brief(
            document, {}, options(**{"templates": "aside", "units": "gram", **changes}))
        self.assertEqual(own(), [])
        self.assertEqual(own(min_words=4), [])
        self.assertEqual(own(min_words=5), [0, 1, 2])
        self.assertEqual(own(min_words=4, min_passage_words=2), [])
        self.assertEqual(own(min_words=4, min_passage_words=3), [0, 1, 2])

    def test_ends_are_grams(self):
        document = collection_of([["m n", "x y", "z"]]).documents[0]
        ends = lambda own, size: oracle_copies.ends_of(document, range(6 - size), own, options(units="gram", ngram=size))
        self.assertEqual(ends([0, 1], 2), (0, 2))
        self.assertEqual(ends([2], 2), (3, 3))
        self.assertEqual(ends([0], 4), (0, 0))

    def test_the_longest_sentences_are_shared(self):
        document = collection_of([["a b c d", *"efghijklmnopqrstuv", "w x"]]).documents[0]
        shared = lambda least, address="", gamma=19: oracle_copies.shared_texts(
            document, range(20), address, options(min_copy_agreement=least, gamma=gamma))
        every = {tuple("abcdefghijklmnopqrstuvwx")}
        self.assertEqual(shared(1.0), every)
        self.assertEqual(shared(0.5), every | {tuple("abcd"), tuple("wx")} | {(one,) for one in "efghijklmnopqr"})
        self.assertEqual(shared(0.5, "http://x.org/a/b.html?c", gamma=18), {"b.html"})
        self.assertEqual(shared(1.0, "a/b.html", gamma=18), set())

    def test_brief_documents_are_judged_by_the_words_of_their_span(self):
        texts = [["a b c d", "e f g h"], ["a b c d", "e f x h"], ["a b c d", "y z y z"]]
        find = lambda least: boxes(expect(texts, copies="report", min_copy_agreement=least, gamma=3, max_df=0))
        self.assertEqual(find(0.8), [(0, 1, 0, 0, 2, 2, 2)])
        self.assertEqual(find(0.5), [(0, 1, 0, 0, 2, 2, 2), (0, 2, 0, 0, 2, 2, 2), (1, 2, 0, 0, 2, 2, 2)])
        self.assertEqual(find(1.0), [])

    def test_brief_documents_are_copies_where_delta_leaves_passages_out(self):
        texts = [["a b c d e f", "g h"], ["a b c d e f", "x y"]]
        find = lambda **changes: boxes(expect(texts, **{"copies": "report", "min_copy_agreement": 0.7, "units": "gram", "ngram": 3, "feature": "sequence",
                                                        "min_passage_words": 5, "gamma": 1, "delta": 4, **changes}))
        self.assertEqual(find(delta=3), [(0, 1, 0, 0, 4, 4, 4)])
        self.assertEqual(find(), [(0, 1, 0, 0, 6, 6, 6)])
        self.assertEqual(find(min_copy_agreement=0.8), [])


class Diagonals(unittest.TestCase):
    """Components, chains, gamma."""

    def test_run_of_gamma_is_dropped(self):
        texts = [["a", "b", "c", "d"], ["x", "a", "b", "c", "d"]]
        self.assertEqual(boxes(expect(texts, gamma=3)), [(0, 1, 0, 1, 4, 4, 4)])
        self.assertEqual(expect(texts, gamma=4), oracle_passages.Expected([], [], []))

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
        self.assertEqual(oracle_passages.components([(0, 0), (0, 1), (1, 0)], 5),
                         [[(0, 0)], [(0, 1)], [(1, 0)]])

    def test_component_can_hold_side_branches(self):
        dots = [(0, 0), (1, 1), (1, 2), (2, 3)]  # gap 1: (0,0)-(1,1), (0,0)-(1,2), (1,2)-(2,3) ...
        self.assertEqual(oracle_passages.components(dots, 1), [dots])
        self.assertEqual(oracle_passages.best_chain(dots, dict.fromkeys(dots, 1.0), 1), (3, 3.0))

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
        self.assertEqual(pair, (0, 1, 2, 4, 4.0, 0.5, 0.8, None))

    def test_order(self):
        texts = [["a"], ["b", "a"], ["b", "a"]]
        self.assertEqual([p[:4] for p in expect(texts, gamma=0).passages],
                         [(0, 1, 0, 1), (0, 2, 0, 1), (1, 2, 0, 0)])


# ------------------------------------------------------------------ the file comparison

def write_asides(result, texts, common):
    """/aside, of common sentences only, and an empty /templates."""
    rows = sorted((doc, unit, df, len(texts[doc][unit].split()), 10 + n) for n, (df, doc, unit) in enumerate(common))
    for n, column in enumerate(("doc", "unit", "documents", "words", "hash")):
        result[f"/aside/{column}"] = numpy.array([row[n] for row in rows], dtype="u8")
    result["/aside/reason"] = numpy.array([b"common"] * len(rows), dtype="S16")
    result["/aside/site"] = numpy.array([b""] * len(rows), dtype="S1")
    for column in ("doc", "sentence", "host", "hash", "pages", "words"):
        result[f"/templates/{column}"] = numpy.array([], dtype="S1" if column == "host" else "u8")


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
        write_asides(result, texts, expected.common)
        for name, value in opts._asdict().items():
            result.attrs[name] = ",".join(map(str, value)) if isinstance(value, tuple) else value


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
                def change(result, name=f"/{table}/{column}", none=column == "resemblance"):
                    result[name][-1] = 0.0 if none else result[name][-1] + 1  # NaN + 1 is NaN
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
        for column in ("doc", "unit", "documents", "words"):
            def change_aside(result, name=f"/aside/{column}"):
                result[name][0] += 1
            self.wrong_after(change_aside, "/aside")
        def other_reason(result):
            result["/aside/reason"][0] = b"crowded"
        self.wrong_after(other_reason, "/aside")
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

    def test_doubles_to_the_last_bit(self):
        for name in ("pairs/coverage_a", "pairs/score", "passages/similarity"):
            def slightly(result, name=name):
                result[name][0] = numpy.nextafter(result[name][0], 0)
            self.wrong_after(slightly, name.split("/")[1])

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

    def test_complete_options(self):
        write_result(self.result, self.texts, self.expected, self.opts)
        changed = ("--complete", "--gap=1", "--max-df=0", "--idf=-1,2", "--edges=word")
        self.assertEqual(self.judge(*changed, "--gamma=1")[0], 0)
        status, printed = self.judge(*changed)
        self.assertEqual((status, "gamma = 1, expected 3" in printed), (1, True), printed)
        with h5py.File(self.result, "r+") as result:
            del result.attrs["jump"]
        status, printed = self.judge(*changed, "--gamma=1")
        self.assertEqual((status, "does not record jump" in printed), (1, True), printed)

    def test_gap_of_sampled_grams(self):
        chosen = oracle_options.with_defaults({"method": "full-fp", "sample": 3})
        self.assertEqual((chosen.gap, chosen.sample), (2, 3))
        self.assertEqual(oracle_options.with_defaults({"method": "full-fp"}).gap, 0)
        self.assertEqual(
            oracle_options.with_defaults({"method": "full-fp", "sample": 3, "gap": 0}).gap, 0)

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
            for name in oracle_options.DEFAULTS:
                del result.attrs[name]
        right = ("--gamma=1", "--gap=1", "--max-df=0", "--idf=-1,2", "--always-df=0", "--edges=word")
        self.assertEqual(self.judge(*right)[0], 0)
        self.assertEqual(self.judge(*right, "--max-df=2")[0], 1)

    def test_approximate_join(self):
        overlap = {"method": "qsign-lsh", "join": "lsh", "tau": 0.5, "theta_d": 0.0, "gap": 0}
        self.opts = self.opts._replace(gamma=0, **overlap)
        whole = oracle.Judge(collection_of(self.texts)).expect(self.opts)
        write_result(self.result, self.texts, whole, self.opts)
        status, printed = self.judge("--least-recall", "1")
        self.assertEqual((status, "recall 1.0000: equal" in printed), (0, True), printed)
        (single,) = [n for n, p in enumerate(whole.passages) if p[:4] == (0, 1, 3, 3)]
        self.assertEqual(whole.passages[single].matched, 1)
        rows = whole.passages[:single] + whole.passages[single + 1:]
        pairs = whole.pairs[:]
        pairs[0] = pairs[0]._replace(passages=pairs[0].passages - 1, matched=pairs[0].matched - 1,
                                     score=sum(p.matched * p.similarity for p in rows
                                               if p[:2] == (0, 1)), coverage_a=0.4, coverage_b=0.4)
        write_result(self.result, self.texts, whole._replace(passages=rows, pairs=pairs), self.opts)
        ndots = sum(p.matched for p in whole.passages)
        status, printed = self.judge("--least-recall", str((ndots - 1) / ndots))
        self.assertEqual(status, 0, printed)
        status, printed = self.judge("--least-recall", "1")
        self.assertEqual((status, "is below 1.0" in printed), (1, True), printed)
        for column in ("start_a", "similarity", "length_a"):
            def change(result, name=f"/passages/{column}"):
                result[name][0] += 1
            self.expected = whole
            self.wrong_after(change, "/passages")
        def false_dot(result):
            result["/passages/start_a"][0] += 2
        self.wrong_after(false_dot, "not of the exact join: doc_a=0 doc_b=1 unit")

    def test_approximate_join_wants_options_that_show_dots(self):
        self.opts = self.opts._replace(method="qsign-lsh", join="lsh", gamma=0, gap=0, delta=1)
        write_result(self.result, self.texts, self.expected, self.opts)
        self.assertEqual(self.judge()[0], 2)

    def test_unusable(self):
        write_result(self.result, self.texts, self.expected, self.opts)
        with h5py.File(self.result, "r+") as result:
            result.attrs["method"] = "nothing"
        self.assertEqual(self.judge()[0], 2)
        os.remove(self.result)
        self.assertEqual(self.judge()[0], 2)


class Known(unittest.TestCase):
    """Rows that were worked out before."""

    def test_by_values(self):
        calls = []

        def busy(number, texts):
            calls.append(number)
            end = time.process_time() + oracle_known.SECONDS
            while time.process_time() < end:
                pass
            return [number, *texts]
        one = random.random()  # of a folder that is shared, too
        for _ in range(2):
            self.assertEqual(oracle_known.worked_out(busy, one, ["a", "b"]), [one, "a", "b"])
            self.assertEqual(oracle_known.worked_out(busy, one, ["a", "c"]), [one, "a", "c"])
        self.assertEqual(calls, [one, one])

    def test_names_of_documents_do_not_count(self):
        first, second, other = (collection_of([["a b", "c"]]) for _ in range(3))
        second.documents[0].name = "elsewhere"
        other.documents[0].words[1] = "c"
        kept = [pickle.dumps(collection.documents) for collection in (first, second, other)]
        self.assertEqual(kept[0], kept[1])
        self.assertNotEqual(kept[0], kept[2])


class SentenceFile(unittest.TestCase):
    """Malformed lines are refused."""

    def test_refusals(self):
        good = list(records([["a b", "c"], ["d"]]))
        for change in (lambda r: r[0].pop("row"), lambda r: r[1].update(sentence=0),
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
    load = unittest.defaultTestLoader.loadTestsFromModule
    suite = unittest.TestSuite(load(module) for module in (
        sys.modules[__name__], oracle_selftest_methods, oracle_selftest_queries,
        oracle_selftest_second))
    return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1
