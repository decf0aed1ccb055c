"""Tests of the judge by hand: targets and sources, decisions, rankings.  Run by `oracle.py --self-test`."""

import math
import unittest

import oracle
import oracle_queries
from oracle_selftest_cases import boxes, collection_of, expect, options


def answers(texts, targets, **changes):
    """(Answers, expected tables) of a check of the first texts against the others."""
    judge = oracle.Judge(collection_of(texts))
    opts = options(targets=targets, check=True, gamma=0, **changes)
    signed, _, _ = judge.join(opts)
    return oracle_queries.Answers(signed, opts, len(texts) - targets), judge.expect(opts)


class TargetsAndSources(unittest.TestCase):
    """Which pairs there are."""

    TEXTS = [["a"], ["a", "b"], ["a"], ["b", "a"], ["a"]]

    def pairs(self, **changes):
        """(doc_a, doc_b) of all pairs, in order."""
        return [pair[:2] for pair in expect(self.TEXTS, gamma=0, **changes).pairs]

    def test_only_across(self):
        self.assertEqual(self.pairs(targets=2), [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)])

    def test_common_units_match_the_first_source(self):
        found = self.pairs(targets=2, max_df=4, common="first")
        self.assertEqual(found, [(0, 2), (1, 2), (1, 3)])  # (1, 3) shares b

    def test_equal_documents_match_the_first_source(self):
        texts = [["a"], ["b"], ["a"], ["a"], ["a"]]
        found = expect(texts, gamma=9, targets=3, copies="report", max_df=3, common="first")
        self.assertEqual([pair[:2] for pair in found.pairs], [(0, 3), (2, 3)])


class Index(unittest.TestCase):
    """Frequencies of words are those of the sources; targets make a class common, too."""

    def test_targets_make_a_class_common(self):
        texts = [["a"], ["a"], ["a"], ["a"], ["b"]]
        _, tables = answers(texts, 3, max_df=4)
        self.assertEqual([pair[:2] for pair in tables.pairs], [(0, 3), (1, 3), (2, 3)])
        _, tables = answers(texts, 3, max_df=3)
        self.assertEqual(tables.pairs, [])
        _, tables = answers(texts, 2, max_df=1)
        self.assertEqual(tables.pairs, [])

    def test_common_units_match_the_first_source(self):
        texts = [["a"], ["a"], ["c"], ["a"], ["a"]]
        _, tables = answers(texts, 2, max_df=1, common="first")
        self.assertEqual([pair[:2] for pair in tables.pairs], [(0, 3), (1, 3)])

    def test_frequencies_are_frozen(self):
        # x is in one source of two, and in all targets: its idf is 1, and it counts
        texts = [["x"], ["x y"], ["x"], ["z"]]
        _, tables = answers(texts, 2, idf=(0.5, 1.0))
        self.assertEqual([pair[:2] for pair in tables.pairs], [(0, 2)])  # y makes x y another set
        _, tables = answers(texts, 2, idf=(0.5, 1.0), join="overlap", tau=0.5)
        self.assertEqual([pair[:2] for pair in tables.pairs], [(0, 2), (1, 2)])

    def test_sources_are_sampled(self):
        texts = [["a b c d"], ["a b c d e"]]
        _, tables = answers(texts, 1, units="gram", ngram=2, sample=2, feature="sequence", gap=1)
        self.assertEqual(boxes(tables), [(0, 1, 0, 0, 3, 3, 2)])


class Answers(unittest.TestCase):
    """Decisions and rankings."""

    TEXTS = [["a", "a", "b", "n"], ["n"], [], ["a"], ["a", "b", "b"], ["c"], ["c"]]

    def test_collisions_are_sentences(self):
        found, _ = answers(self.TEXTS, 3)
        self.assertEqual([tuple(row) for row in found.decide(2)], [(0, 3, 1), (1, 0, 0), (2, 0, 0)])
        self.assertEqual([row.duplicate for row in found.decide(3)], [0, 0, 0])
        self.assertEqual([row.duplicate for row in found.decide(0, copied={1})], [0, 0, 0])
        self.assertEqual([row.duplicate for row in found.decide(0, copied={0, 1})], [1, 0, 0])

    def test_grams_need_a_passage(self):
        # "a b" and "c d" of two sources meet document 0 by chance; "m n o" is copied into document 1
        texts = [["a b x c d"], ["l m n o p"], ["a b y"], ["z c d"], ["q m n o r"]]
        how = {"units": "gram", "ngram": 2, "feature": "sequence", "min_passage_words": 3}
        found, tables = answers(texts, 2, **how)
        copied = oracle_queries.targets_in_passages(tables, options(check=True, **how))
        self.assertEqual(copied, {1})
        self.assertEqual([tuple(row) for row in found.decide(1, copied)], [(0, 2, 0), (1, 2, 1)])
        self.assertIsNone(oracle_queries.targets_in_passages(tables, options(check=True)))
        found.equal = {0}  # with --copies report
        self.assertEqual([row.duplicate for row in found.decide(2, copied)], [1, 0])

    def test_scores(self):
        found, _ = answers(self.TEXTS, 3)
        a, b, n = math.log(4 / 2), math.log(4 / 1), math.log(4 / 1)
        scores = found.rank(0)
        self.assertEqual([source for _, source in scores], [4, 3])
        self.assertAlmostEqual(scores[0][0], (a + b) / (a + b + n))
        self.assertAlmostEqual(scores[1][0], a / (a + b + n))
        self.assertEqual(found.rank(1), [])
        self.assertEqual(found.rank(2), [])

    def test_common_features_count_for_nothing(self):
        found, _ = answers(self.TEXTS, 3, max_df=2)
        self.assertEqual([row.collisions for row in found.decide(0)], [1, 0, 0])
        (score, source), = found.rank(0)
        self.assertEqual(source, 4)
        self.assertAlmostEqual(score, 1 / 2)  # b of b and n

    def test_what_all_sources_have_says_nothing(self):
        found, _ = answers([["a"], ["a"]], 1)
        self.assertEqual(found.rank(0), [])
