"""Hand-computed cases of units, features, joins, chains and thresholds.  Run by `oracle.py
--self-test`."""

import itertools
import os
import random
import tempfile
import unittest

import numpy

import oracle
import oracle_features
import oracle_joins
import oracle_options
import oracle_passages
from oracle_selftest_cases import boxes, collection_of, expect, options
from sentence_file import Unusable


def units(sentences, **changes):
    """The units of one document."""
    document = collection_of([sentences]).documents[0]
    return oracle_features.units_of(document, options(**changes))


def signatures(text, lexicon=None, lengths=(), **changes):
    """The signature set of one unit, as a plain set."""
    empty = oracle_features.Lexicon(set(), set(), set())
    return set(oracle_features.signature_set(text.split(), lengths, lexicon or empty,
                                             options(**changes)))


def dots(texts, **changes):
    """The dots of a collection, as tuples (doc_a, doc_b, i, j, similarity)."""
    _, _, found = oracle.Judge(collection_of(texts)).join(options(**changes))
    return list(zip(*(column.tolist() for column in found)))


class Units(unittest.TestCase):
    """Sentences, windows, grams; which of them are on the index side."""

    # offsets: one byte a letter and a blank, and two more behind each sentence: see records()
    doc = ["a b", "c", "d e f"]  # a 0-1, b 2-3, c 5-6, d 8-9, e 10-11, f 12-13

    def test_sentences(self):
        self.assertEqual(units(self.doc), [(0, 2, 0, 4, (2,), True), (2, 3, 5, 7, (1,), True),
                                           (3, 6, 8, 14, (3,), True)])

    def test_windows(self):
        self.assertEqual(units(self.doc, window=(2, 1)), [(0, 3, 0, 7, (2, 1), True),
                                                          (2, 6, 5, 14, (1, 3), True)])
        self.assertEqual(units(self.doc, window=(3, 1)), [(0, 6, 0, 14, (2, 1, 3), True)])
        self.assertEqual(units(self.doc, window=(4, 1)), [])

    def test_window_step(self):
        indexed = lambda **changes: [unit.indexed for unit in units(list("abcdefg"), **changes)]
        self.assertEqual(indexed(window=(1, 3)), [True, False, False, True, False, False, True])
        self.assertEqual(indexed(window=(5, 2)), [True, False, True])

    def test_jump_leaves_out_repeated_lengths(self):
        doc = ["a", "b", "c", "d d", "e e"]  # lengths 1 1 1 2 2
        kept = lambda **changes: [k for k, unit in enumerate(units(doc, **changes)) if unit.indexed]
        self.assertEqual(kept(jump=True), [0, 3])
        self.assertEqual(kept(window=(1, 2), jump=True), [0, 4])  # unit 2 as 0, unit 4 not as 2
        self.assertEqual(kept(window=(2, 1), jump=True), [0, 2, 3])  # 11 11 12 22
        self.assertEqual(kept(window=(2, 1)), [0, 1, 2, 3])

    def test_jump_compares_with_the_unit_before_kept_or_not(self):
        doc = ["a", "b", "c"]
        self.assertEqual([unit.indexed for unit in units(doc, jump=True)], [True, False, False])

    def test_grams(self):
        self.assertEqual(units(self.doc, units="gram", ngram=4),
                         [(0, 4, 0, 9, (), True), (1, 5, 2, 11, (), True), (2, 6, 5, 13, (), True)])
        self.assertEqual(len(units(self.doc, units="gram", ngram=6)), 1)
        self.assertEqual(units(self.doc, units="gram", ngram=7), [])

    def test_grams_of_characters_go_on(self):
        document = collection_of([["a b 天 か", "国 c กิ"]]).documents[0]
        compared = lambda **changes: [
            "".join(oracle_features.compared_words(document.words, unit, options(units="gram", **changes)))
            for unit in units(["a b 天 か", "国 c กิ"], units="gram", ngram=changes["ngram"])]
        self.assertEqual(compared(ngram=2), ["ab", "b天", "天か", "か国", "国c", "cกิ"])
        self.assertEqual(compared(ngram=2, char_ngram=3), ["ab", "b天か", "天か国", "か国c", "国cกิ", ""])
        self.assertEqual(compared(ngram=2, char_ngram=4), ["ab", "b天か", "天か国c", "か国c", "国cกิ", ""])
        self.assertEqual([oracle_features.is_single(word) for word in ("か", "ขา", "กิ", "カ", "天天", "a", "한")],
                         [True, True, True, False, False, False, False])

    def test_characters_count_less_in_passages(self):
        texts = [["a b 天 か 国", "x"], ["y", "a b 天 か 国"]]
        found = lambda **changes: len(expect(texts, units="gram", ngram=2, feature="sequence", gamma=0,
                                             **changes).passages)
        self.assertEqual([found(min_passage_words=n) for n in (4, 5, 6)], [1, 1, 0])
        self.assertEqual([found(min_passage_words=n, char_ngram=3) for n in (4, 5)], [1, 0])
        self.assertEqual([found(min_passage_words=n, char_ngram=4) for n in (3, 4)], [1, 0])

    def test_sample(self):
        found = units(["a b c d e f g"], units="gram", ngram=2, sample=3)
        self.assertEqual([unit.indexed for unit in found], [True, False, False, True, False, False])

    def test_only_the_earlier_document_is_sampled(self):
        texts = [["x", "y"], ["q", "y", "x"]]
        self.assertEqual(dots(texts), [(0, 1, 0, 2, 1.0), (0, 1, 1, 1, 1.0)])
        self.assertEqual(dots(texts, window=(1, 2)), [(0, 1, 0, 2, 1.0)])
        self.assertEqual(dots(texts[::-1], window=(1, 2)), [(0, 1, 2, 0, 1.0)])

    def test_coverage_is_of_words(self):
        changes = {"units": "gram", "ngram": 2, "feature": "sequence", "gamma": 0}
        (pair,) = expect([["a b c", "d"], ["a b", "x", "y"]], **changes).pairs
        self.assertEqual((pair.coverage_a, pair.coverage_b), (2 / 4, 2 / 4))

    def test_first_of_common_class_counts_units_of_either_side(self):
        texts = [["q", "x"], ["x"]]
        self.assertEqual(expect(texts, window=(1, 2), max_df=1).common, [(2, 0, 1)])

    def test_min_words_is_of_units(self):
        texts = [["a", "b", "c c"], ["a", "b", "c c"]]
        self.assertEqual([d[2:4] for d in dots(texts, window=(2, 1), min_words=3)], [(1, 1)])


class UnitEdges(unittest.TestCase):
    """Words taken beyond windows and grams: those that the neighbouring unit has more."""

    def test_grams(self):
        changes = {"units": "gram", "ngram": 2, "feature": "sequence", "gamma": 0, "sample": 2}
        found = expect([["p q r s t"], ["p q r s t"]], **changes).passages
        self.assertEqual([p[2:10] for p in found],
                         [(0, 0, 1, 1, 0, 5, 0, 5), (2, 2, 1, 1, 2, 9, 2, 9)])
        far = expect([["p q r s t"], ["p q r s t"]], **{**changes, "edges": "sentence"}).passages
        self.assertEqual([p[6:8] for p in far], [(0, 3), (4, 7)])

    def test_windows(self):
        texts = [["p", "q", "r u", "s", "t"], ["p", "q", "r u", "s", "t"]]
        found = expect(texts, window=(2, 3), gamma=0).passages
        # units pq, qr, rs, st; of document 0 units 0 and 3: before st lies r u (unit rs begins
        # there), behind pq lies r u (unit qr ends there)
        self.assertEqual([p[2:10] for p in found],
                         [(0, 0, 1, 1, 0, 9, 0, 9), (3, 3, 1, 1, 6, 16, 6, 16)])


class Features(unittest.TestCase):
    """Signature sets of single units."""

    def test_deltas(self):
        lexicon = oracle_features.Lexicon({"a", "b"}, set(), set())
        self.assertEqual(signatures("b a x a", lexicon), {"a", "b"})
        self.assertEqual(signatures("x y", lexicon), set())

    def test_bag(self):
        lexicon = oracle_features.Lexicon({"a", "b"}, set(), set())
        self.assertEqual(signatures("b a x a", lexicon, feature="bag"), {("a", "a", "b")})
        self.assertEqual(signatures("x", lexicon, feature="bag"), set())

    def test_bag_counts_repetitions_and_not_order(self):
        texts = [["a b a"], ["b a"], ["a a b"], ["a b b"]]
        self.assertEqual(dots(texts, feature="bag"), [(0, 2, 0, 0, 1.0)])

    def test_sequence(self):
        self.assertEqual(signatures("b a x a", feature="sequence"), {("b", "a", "x", "a")})
        texts = [["a b"], ["b a"], ["a b"]]
        self.assertEqual(dots(texts, feature="sequence", idf=(5.0, 6.0)), [(0, 2, 0, 0, 1.0)])

    def test_sequence_goes_over_sentence_ends_in_windows(self):
        texts = [["a b", "c"], ["a", "b c"]]
        self.assertEqual(dots(texts, feature="sequence", window=(2, 1)), [(0, 1, 0, 0, 1.0)])

    def test_shingles(self):
        self.assertEqual(signatures("a b c a b", feature="shingle", ngram=2),
                         {("a", "b"), ("b", "c"), ("c", "a")})
        self.assertEqual(signatures("a b c a b", feature="shingle", ngram=1),
                         {("a",), ("b",), ("c",)})
        self.assertEqual(signatures("a b c", feature="shingle", ngram=3), {("a", "b", "c")})
        self.assertEqual(signatures("a b", feature="shingle", ngram=3), {("a", "b")})

    def test_spots(self):
        lexicon = oracle_features.Lexicon(set(), {"the", "a"}, {"the", "of"})
        spots = lambda text, **changes: signatures(text, lexicon, feature="spot", **changes)
        # stop words are passed over, an antecedent that is none is not
        self.assertEqual(spots("the cat of a dog"),
                         {("the", "cat", "a")})  # behind "a" is one word only
        self.assertEqual(spots("the cat of a dog", spot_chain=1), {("the", "cat"), ("a", "dog")})
        self.assertEqual(spots("the 1 2 3 4 5", spot_distance=2), {("the", "2", "4")})
        self.assertEqual(spots("the 1 2 3 4 5", spot_distance=3), set())
        self.assertEqual(spots("the 1 2 3 4 5", spot_chain=5), {("the", "1", "2", "3", "4", "5")})
        self.assertEqual(spots("the 1 2 3 4 5", spot_chain=6), set())
        self.assertEqual(spots("x y z"), set())
        self.assertEqual(spots("the p q the p q"), {("the", "p", "q")})

    def test_lengths(self):
        self.assertEqual(signatures("a b c", lengths=(1, 2), feature="lengths"), {(1, 2)})
        texts = [["a b", "c", "d"], ["x", "y z w", "q"]]
        self.assertEqual(dots(texts, feature="lengths", window=(2, 1)), [])
        texts[1].insert(0, "v w")
        self.assertEqual(dots(texts, feature="lengths", window=(2, 1)), [(0, 1, 0, 0, 1.0)])


class Words(unittest.TestCase):
    """Which words are counted, antecedents, stop words."""

    def test_share_of_documents_is_inclusive(self):
        df = {"one": 1, "three": 3, "four": 4}
        counted = lambda share: oracle_features.counted_words(df, 5, (0.0, 1.0), share)
        self.assertEqual(counted(0.6), {"one", "three"})
        self.assertEqual(counted(0.599), {"one"})
        self.assertEqual(counted(1.0), {"one", "three", "four"})

    def test_share_and_idf_both_hold(self):
        df = {"one": 1, "two": 2, "four": 4}
        self.assertEqual(oracle_features.counted_words(df, 4, (0.0, 0.5), 0.5), {"two"})

    def test_antecedents_with_ties(self):
        collection = collection_of([["a a a b"], ["b c c d", "d e"]])  # a 3, b 2, c 2, d 2, e 1
        frequent = lambda rank: oracle_features.frequent_words(collection, rank)
        self.assertEqual(frequent(1), {"a"})
        self.assertEqual(frequent(2), {"a", "b", "c", "d"})
        self.assertEqual(frequent(4), {"a", "b", "c", "d"})
        self.assertEqual(frequent(5), {"a", "b", "c", "d", "e"})
        self.assertEqual(frequent(10000), {"a", "b", "c", "d", "e"})

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "words")
            with open(path, "w", encoding="utf-8") as lines:
                lines.write("The ＯＦ\n\n  straße\nمِنْ\n")
            words = {"the", "of", "strasse", "من"}
            self.assertEqual(oracle_features.words_in_file(path), words)
            self.assertEqual(oracle_features.stop_words_of(path), words)
            with self.assertRaises(Unusable):
                oracle_features.words_in_file(path + "x")

    def test_stop_words_by_name(self):
        self.assertEqual(oracle_features.stop_words_of("none"), set())
        english = oracle_features.stop_words_of("english")
        self.assertTrue({"the", "of", "and", "is"} <= english)
        self.assertFalse(english & {"", "english", "cat"})


class Joins(unittest.TestCase):
    """Similarities and thresholds."""

    def similar(self, join, tau, *texts):
        """[(text number, text number, similarity)] of word sets."""
        found = oracle_joins.similar_sets([frozenset(text) for text in texts], join, tau)
        return [(c, d, s) for c, others, similarity in found
                for d, s in zip(others.tolist(), similarity.tolist())]

    def test_jaccard(self):
        self.assertEqual(self.similar("jaccard", 0.5, "abc", "abd", "xyz", "abcd"),
                         [(0, 1, 0.5), (0, 3, 0.75), (1, 3, 0.75)])
        self.assertEqual(self.similar("jaccard", 0.6, "abc", "abd", "xyz", "abcd"),
                         [(0, 3, 0.75), (1, 3, 0.75)])

    def test_overlap(self):
        self.assertEqual(self.similar("overlap", 0.5, "abc", "abd", "a", "abcdef"),
                         [(0, 1, 2 / 3), (0, 3, 0.5), (1, 3, 0.5)])

    def test_thresholds_are_doubles(self):
        ten, nine = "abcdefghij", "abcdefghi"
        self.assertEqual(len(self.similar("jaccard", 0.9, ten, nine)), 1)
        self.assertEqual(len(self.similar("jaccard", numpy.nextafter(0.9, 1), ten, nine)), 0)
        self.assertEqual(len(self.similar("overlap", 0.6, "abcde", "abcxy")), 1)
        two_thirds = oracle_options.number("2/3")
        self.assertEqual(len(self.similar("jaccard", two_thirds, "ab", "abc")), 1)
        self.assertEqual(len(self.similar("jaccard", 0.6667, "ab", "abc")), 0)

    def test_equal_sets_are_one_class(self):
        texts = [["a b c"], ["c b a", "a b d"], ["x"]]
        self.assertEqual(dots(texts, join="jaccard", tau=0.5),
                         [(0, 1, 0, 0, 1.0), (0, 1, 0, 1, 0.5)])
        self.assertEqual(dots(texts, join="jaccard", tau=1.0), [(0, 1, 0, 0, 1.0)])

    def test_order_of_classes_is_not_that_of_documents(self):
        # the class of "a b" is met first, but one of its units lies in the later document
        texts = [["a b", "a b c"], ["a b c", "a b"]]
        self.assertEqual(dots(texts, join="overlap", tau=0.6),
                         [(0, 1, 0, 0, 2 / 3), (0, 1, 0, 1, 1.0),
                          (0, 1, 1, 0, 1.0), (0, 1, 1, 1, 2 / 3)])

    def test_common_classes_do_not_even_match_similar_ones(self):
        texts = [["a b"], ["a b"], ["a b c"], ["a b d"]]
        self.assertEqual(dots(texts, join="jaccard", tau=0.5, max_df=1), [(2, 3, 0, 0, 0.5)])

    def test_huge_sets_match_similar_ones(self):
        words = [f"w{n}" for n in range(4097)]
        whole, less = " ".join(words), " ".join(words[:-1])
        texts = [[whole], [less], [whole], [less + " x"], [less]]
        found = dots(texts, join="jaccard", tau=0.5)
        self.assertEqual([d[:2] for d in found],
                         [(a, b) for a in range(5) for b in range(a + 1, 5)])
        texts = [[less], [" ".join(words[:-2])]]
        self.assertEqual(dots(texts, join="jaccard", tau=0.5), [(0, 1, 0, 0, 4095 / 4096)])

    def test_index_side_of_similar_units(self):
        texts = [["q", "a b c"], ["a b d", "z", "a b"]]
        similar = {"join": "overlap", "tau": 0.6}
        self.assertEqual([d[:4] for d in dots(texts, **similar)], [(0, 1, 1, 0), (0, 1, 1, 2)])
        self.assertEqual(dots(texts, window=(1, 2), **similar), [])
        self.assertEqual([d[:4] for d in dots(texts[::-1], window=(1, 2), **similar)],
                         [(0, 1, 0, 1), (0, 1, 2, 1)])


class Chains(unittest.TestCase):
    """The similarity of passages, scores, thresholds on pairs."""

    def test_most_dots_before_the_greater_sum(self):
        similarity = {(0, 0): 1.0, (2, 2): 1.0, (1, 1): 0.1}
        self.assertEqual(oracle_passages.best_chain(list(similarity), similarity, 1), (3, 2.1))

    def test_greatest_sum_of_the_longest(self):
        similarity = {(0, 0): 0.7, (1, 1): 0.6, (1, 2): 0.9, (2, 3): 0.8}
        self.assertEqual(oracle_passages.best_chain(list(similarity), similarity, 1),
                         (3, 0.7 + 0.9 + 0.8))

    def test_sum_goes_from_the_first_dot(self):
        values = [0.1, 0.2, 0.3]
        self.assertNotEqual((0.1 + 0.2) + 0.3, (0.3 + 0.2) + 0.1)
        similarity = {(k, k): value for k, value in enumerate(values)}
        self.assertEqual(oracle_passages.best_chain(list(similarity), similarity, 0),
                         (3, (0.1 + 0.2) + 0.3))

    def test_best_chain_is_the_best_of_all(self):
        rng = random.Random(3)
        for _ in range(300):
            gap = rng.randint(0, 2)
            similarity = {(rng.randint(0, 4), rng.randint(0, 4)): rng.choice((0.6, 2 / 3, 0.9, 1.0))
                          for _ in range(rng.randint(1, 9))}
            for component in oracle_passages.components(similarity, gap):
                best = max(value for n in range(1, len(component) + 1)
                           for value in self.chains_of(component, n, similarity, gap))
                self.assertEqual(oracle_passages.best_chain(component, similarity, gap), best)

    def chains_of(self, component, size, similarity, gap):
        """(dots, sum) of every chain of that size."""
        for chain in itertools.combinations(component, size):
            if all(0 < q[0] - p[0] <= gap + 1 and 0 < q[1] - p[1] <= gap + 1
                   for p, q in zip(chain, chain[1:])):
                total = 0.0
                for dot in chain:
                    total += similarity[dot]
                yield size, total

    def test_mean_and_score(self):
        texts = [["a b", "c d e", "x", "f"], ["a b", "c d", "y", "f"]]
        found = expect(texts, join="jaccard", tau=0.5, gamma=0)
        self.assertEqual([p.similarity for p in found.passages], [(1 + 2 / 3) / 2, 1.0])
        self.assertEqual(found.pairs[0].score, 2 * ((1 + 2 / 3) / 2) + 1.0)
        self.assertEqual(found.pairs[0].matched, 3)

    def test_theta_d_is_inclusive(self):
        texts = [["a", "b", "x", "c"], ["a", "b", "y", "c"], ["c", "z"]]
        both = expect(texts, gamma=0, theta_d=3.0)
        self.assertEqual([pair[:2] for pair in both.pairs], [(0, 1)])
        self.assertEqual(boxes(both), [(0, 1, 0, 0, 2, 2, 2), (0, 1, 3, 3, 1, 1, 1)])
        self.assertEqual(expect(texts, gamma=0, theta_d=3.1), oracle_passages.Expected([], [], []))
        self.assertEqual(len(expect(texts, gamma=0, theta_d=1.0).pairs), 3)

    def test_theta_d_counts_what_gamma_keeps(self):
        texts = [["a", "b", "x", "c"], ["a", "b", "y", "c"]]
        self.assertEqual(len(expect(texts, gamma=1, theta_d=2.0).pairs), 1)
        self.assertEqual(expect(texts, gamma=1, theta_d=3.0).pairs, [])

    def test_delta_is_exclusive(self):
        texts = [["a", "b", "x", "c"], ["a", "b", "y", "c"]]
        self.assertEqual(len(expect(texts, gamma=0, delta=2).passages), 2)
        self.assertEqual(expect(texts, gamma=0, delta=3).passages, [])
        self.assertEqual(expect(texts, gamma=1, delta=2).passages, [])


class Presets(unittest.TestCase):
    """Methods and the values of options."""

    def test_methods(self):
        chosen = lambda method, names: tuple(getattr(oracle_options.preset(method), name)
                                             for name in names.split())
        self.assertEqual(chosen("pdc-imatch", "units feature join gamma idf"),
                         ("sentence", "words", "equal", 3, (0.1, 1.0)))
        self.assertEqual(chosen("pdc-shingle3", "units feature ngram join tau gamma"),
                         ("sentence", "shingle", 3, "jaccard", 0.9, 3))
        self.assertEqual(chosen("pdc-spotsigs", "feature antecedents spot_distance spot_chain"
                                " stop_words join tau gamma"),
                         ("spot", "10000", 1, 2, "english", "jaccard", 0.9, 3))
        self.assertEqual(chosen("yoon", "feature join gamma max_word_df idf delta"),
                         ("bag", "equal", 0, 0.6, (0.0, 1.0), 3))
        for join, method in (("overlap", "qsign-exact"), ("lsh", "qsign-lsh")):
            self.assertEqual(chosen(method, "feature join tau gamma idf theta_d"),
                             ("words", join, 0.6, 0, (0.0, 1.0), 5.0))
        self.assertEqual(chosen("sentence-fp", "units feature gamma"), ("clause", "sequence", 0))
        self.assertEqual(chosen("sentence-fp-sd", "units feature gamma"), ("stop", "sequence", 0))
        self.assertEqual(chosen("sentence-length", "units window feature gamma"),
                         ("clause", (10, 1), "lengths", 0))
        self.assertEqual(chosen("full-fp", "units ngram feature gamma sample"),
                         ("gram", 6, "sequence", 0, 1))

    def test_values(self):
        parse = lambda name, text: oracle_options.PARSERS[name](text)
        self.assertEqual(parse("tau", "2/3"), 2 / 3)
        self.assertEqual(parse("tau", "0.9"), 0.9)
        self.assertEqual(parse("window", "10,1"), (10, 1))
        self.assertEqual(parse("antecedents", "60.0"), "60")
        self.assertEqual(parse("antecedents", "/some/where"), "/some/where")
        for name, text in (("gamma", "1.5"), ("join", "cosine"), ("sample", "-1")):
            with self.assertRaises(ValueError):
                parse(name, text)
