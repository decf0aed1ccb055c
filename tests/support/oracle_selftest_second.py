"""A second implementation of every definition, in plain loops over texts; it and the judge must
agree on random collections.  Run by `oracle.py --self-test`.
"""

import collections
import math
import random
import unittest
from fractions import Fraction

import oracle
import oracle_features
import oracle_grow
import oracle_options
import oracle_passages
from oracle_selftest_cases import ALL_WORDS, collection_of, options, records

# A unit: its words, where its first word is, offsets, base units' word counts, on the index side?
CHARACTERS = "天か"  # words of the vocabulary that are single characters
SlowUnit = collections.namedtuple("SlowUnit", "words place begin end lengths indexed compared")


# ------------------------------------------------------------------ units and signatures

def slow_units(texts, opts):
    """A list of units for each document."""
    spans = collections.defaultdict(list)
    for record in records(texts):
        spans[record["row"]].append(record)
    result = []
    for row in range(len(texts)):
        words = [word for record in spans[row] for word in record["words"]]
        offsets = [span for record in spans[row] for span in record["spans"]]
        if opts.units == "gram":
            n = opts.ngram
            result.append([SlowUnit(words[k:k + n], k, offsets[k][0], offsets[k + n - 1][1], None,
                                    k % opts.sample == 0, slow_compared(words[k:], opts))
                           for k in range(len(words))
                           if k + n <= len(words)])
            continue
        size, step = opts.window
        counts = [len(record["words"]) for record in spans[row]]
        mine = []
        for k in range(len(counts)):
            if k + size > len(counts):
                break
            part = spans[row][k:k + size]
            indexed = k % step == 0
            if opts.jump and k >= step and counts[k - step:k - step + size] == counts[k:k + size]:
                indexed = False
            own = [word for record in part for word in record["words"]]
            mine.append(SlowUnit(own, sum(counts[:k]), part[0]["begin"], part[-1]["end"],
                                 counts[k:k + size], indexed, own))
        result.append(mine)
    return result


def slow_said(words, opts):
    """What words say, as a multiple of 1 / (ngram * char_ngram) of a gram."""
    characters = sum(word in CHARACTERS for word in words)
    return characters * opts.ngram + (len(words) - characters) * opts.char_ngram


def slow_compared(words, opts):
    """The words by which a gram is compared, of those from its first one on."""
    if not opts.char_ngram:
        return words[:opts.ngram]
    enough = [n for n in range(len(words) + 1)
              if slow_said(words[:n], opts) >= opts.ngram * opts.char_ngram]
    return words[:enough[0]] if enough else []


def slow_is_enough(texts, passage, opts):
    """Has a passage --min-passage-words words?"""
    doc, begin, end = passage[0], passage[6], passage[7]
    words = [word for record in records(texts) if record["row"] == doc
             for word, span in zip(record["words"], record["spans"]) if begin <= span[0] < end]
    if opts.char_ngram:
        return slow_said(words, opts) >= opts.min_passage_words * opts.char_ngram
    return passage[12] >= opts.min_passage_words


def slow_counts(word, texts, opts):
    """Is the word counted?"""
    filled = [doc for doc in texts if doc]
    n = len(filled)
    df = sum(any(word in sentence.split() for sentence in doc) for doc in filled)
    idf = math.log(n / df) / math.log(n) if n > 1 else 0
    if idf < opts.idf[0] - 1e-12 and df > opts.always_df:
        return False
    return idf <= opts.idf[1] + 1e-12 and df <= opts.max_word_df * n


def slow_is_antecedent(word, texts, rank):
    """Is the word as frequent as the one of that rank?"""
    words = [w for doc in texts for sentence in doc for w in sentence.split()]
    more_frequent = {w for w in words if words.count(w) > words.count(word)}
    return len(more_frequent) < rank


def slow_signatures(unit, counted, antecedents, opts):
    """The signature set of a unit, with lists written as text."""
    words = unit.compared
    if opts.feature == "words":
        return {word for word in words if word in counted}
    if opts.feature == "bag":
        kept = sorted(word for word in words if word in counted)
        return {" ".join(kept)} if kept else set()
    if opts.feature == "sequence":
        return {" ".join(words)} if words else set()
    if opts.feature == "lengths":
        return {repr(unit.lengths)} if unit.lengths else set()
    if opts.feature == "shingle":
        n = min(opts.ngram, len(words))
        return {" ".join(words[k:k + n]) for k in range(len(words)) if n and k + n <= len(words)}
    result = set()  # spot; without stop words here
    for k, word in enumerate(words):
        chain = words[k + opts.spot_distance::opts.spot_distance][:opts.spot_chain]
        if word in antecedents and len(chain) == opts.spot_chain:
            result.add(" ".join([word] + chain))
    return result


def slow_is_long(unit, doc, opts):
    """Has the unit words enough, or the sentence in which a gram begins? And has it words to compare?"""
    if not unit.compared and opts.units == "gram":
        return False
    if opts.units != "gram":
        return len(unit.words) >= opts.min_words
    lengths = [len(sentence.split()) for sentence in doc]
    return next(n for k, n in enumerate(lengths) if sum(lengths[:k + 1]) > unit.place) >= opts.min_words


def slow_is_chosen(k, mine, doc, opts):
    """Is the gram the least in a window, the last of equal ones? A window is cut where a gram is not long."""
    if opts.units != "gram" or opts.feature != "sequence" or opts.winnow == 1:
        return True
    order = lambda m: (oracle_features.gram_hash(mine[m].compared), -m)
    for start in range(k - opts.winnow + 1, k + 1):
        inside = [m for m in range(start, start + opts.winnow)
                  if all(0 <= n < len(mine) and slow_is_long(mine[n], doc, opts) for n in range(min(m, k), max(m, k) + 1))]
        whole = len(inside) == opts.winnow
        run = [m for m in range(len(mine))
               if all(slow_is_long(mine[n], doc, opts) for n in range(min(m, k), max(m, k) + 1))]
        if inside and (whole or len(run) < opts.winnow) and min(inside, key=order) == k and (whole or min(run, key=order) == k):
            return True
    return False


def slow_classes(texts, units, opts):
    """{(doc, k): set of signatures} of the units that take part."""
    words = {word for doc in texts for sentence in doc for word in sentence.split()}
    counted = {word for word in words if slow_counts(word, texts, opts)}
    antecedents = {word for word in words
                   if slow_is_antecedent(word, texts, int(opts.antecedents))}
    result = {}
    for d, mine in enumerate(units):
        for k, unit in enumerate(mine):
            signatures = slow_signatures(unit, counted, antecedents, opts)
            if signatures and slow_is_long(unit, texts[d], opts) and slow_is_chosen(k, mine, texts[d], opts):
                result[d, k] = signatures
    return result


def slow_common(classes, opts):
    """{unit of a common class: row of /common}."""
    rows = {}
    for place, signatures in classes.items():
        holders = sorted(p for p in classes if classes[p] == signatures)
        df = len({d for d, _ in holders})
        if opts.max_df and df > opts.max_df:
            rows[place] = (df,) + holders[0]
    return rows


def slow_similarity(one, other, opts):
    """The similarity of two sets, or None when they do not match."""
    if opts.join == "equal":
        return 1.0 if one == other else None
    denominator = len(one | other) if opts.join == "jaccard" else max(len(one), len(other))
    exact = Fraction(len(one & other), denominator)
    return float(exact) if float(exact) >= opts.tau else None


# ------------------------------------------------------------------ passages

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


def slow_chain(component, linked, similarity):
    """(dots, sum) of the best chain, by trying all."""
    after = collections.defaultdict(list)
    for p, q in linked:
        after[p].append(q)

    def best_from(dot, matched, total):
        here = (matched + 1, total + similarity[dot])
        return max([here] + [best_from(later, *here) for later in after[dot]])
    return max(best_from(dot, 0, 0.0) for dot in component)


def slow_words(sentences):
    """The words of a document."""
    return [word for sentence in sentences for word in sentence.split()]


def slow_taken(walk_a, walk_b):
    """How many pairs (word, is it beyond the neighbouring unit?) of two walks agree."""
    taken = 0
    for (word_a, far_a), (word_b, far_b) in zip(walk_a, walk_b):
        if word_a != word_b or (far_a and far_b):
            break
        taken += 1
    return taken


def slow_edges(texts, units, pair, firsts, lasts):
    """[begin_a, begin_b], [end_a, end_b] of a passage, extended by words; words at each end."""
    back, forward, offsets = [], [], []
    for side in (0, 1):
        words, mine = slow_words(texts[pair[side]]), units[pair[side]]
        offsets.append([span for record in records(texts) if record["row"] == pair[side]
                        for span in record["spans"]])
        first, last = mine[firsts[side]], mine[lasts[side]]
        before = range(mine[firsts[side] - 1].place, first.place) if firsts[side] else ()
        end = last.place + len(last.words)
        behind = ()
        if lasts[side] + 1 < len(mine):
            following = mine[lasts[side] + 1]
            behind = range(end, following.place + len(following.words))
        back.append([(words[x], x not in before) for x in reversed(range(first.place))])
        forward.append([(words[x], x not in behind) for x in range(end, len(words))])
    begins, ends = [], []
    for side in (0, 1):
        first, last = units[pair[side]][firsts[side]], units[pair[side]][lasts[side]]
        taken, taken_behind = slow_taken(*back), slow_taken(*forward)
        begins.append(offsets[side][first.place - taken][0] if taken else first.begin)
        ends.append(offsets[side][last.place + len(last.words) + taken_behind - 1][1]
                    if taken_behind else last.end)
    return begins, ends, (taken, taken_behind)


def slow_agreed(a, b):
    """The longest common subsequence, by the table."""
    table = {}
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            table[i, j] = (0 if i == 0 or j == 0 else
                           max(table[i - 1, j], table[i, j - 1],
                               table[i - 1, j - 1] + (a[i - 1] == b[j - 1])))
    return table[len(a), len(b)]


def slow_passage(texts, units, pair, component, chain, edges):
    """A row of /passages."""
    firsts = [min(dot[side] for dot in component) for side in (0, 1)]
    lasts = [max(dot[side] for dot in component) for side in (0, 1)]
    begins = [units[pair[side]][firsts[side]].begin for side in (0, 1)]
    ends = [units[pair[side]][lasts[side]].end for side in (0, 1)]
    taken = (0, 0)
    if edges == "word":
        begins, ends, taken = slow_edges(texts, units, pair, firsts, lasts)
    lengths = [lasts[side] - firsts[side] + 1 for side in (0, 1)]
    spoken = [[], []]
    for side in (0, 1):
        last = units[pair[side]][lasts[side]]
        spoken[side] = slow_words(texts[pair[side]])[
            units[pair[side]][firsts[side]].place - taken[0]:
            last.place + len(last.words) + taken[1]]
    return (*pair, *firsts, *lengths, begins[0], ends[0], begins[1], ends[1], chain[0],
            chain[1] / chain[0], len(spoken[0]), len(spoken[1]),
            slow_agreed(*spoken) / max(map(len, spoken)))


def slow_share(texts, row, spans):
    """The share of the words of a document that lie in some of the spans of bytes."""
    offsets = [span for record in records(texts) if record["row"] == row for span in record["spans"]]
    inside = [any(begin <= first and last <= end for begin, end in spans)
              for first, last in offsets]
    return sum(inside) / len(inside)


def slow_pair(texts, pair, passages):
    """The row of /pairs."""
    share = [slow_share(texts, pair[s], [p[6 + 2 * s:8 + 2 * s] for p in passages]) for s in (0, 1)]
    score = 0.0
    for passage in passages:
        score += passage[10] * passage[11]
    return (*pair, len(passages), sum(p[10] for p in passages), score, *share, None)


def slow_expect(texts, opts):
    """The expected tables, by loops over everything."""
    units = slow_units(texts, opts)
    classes = slow_classes(texts, units, opts)
    common = slow_common(classes, opts)
    passages, pairs = [], []
    for a in range(len(texts)):
        for b in range(a + 1, len(texts)):
            if opts.targets and not a < opts.targets <= b:
                continue
            dots = {}
            for i, unit in enumerate(units[a]):
                for j in range(len(units[b])):
                    if not unit.indexed or (a, i) in common or (b, j) in common:
                        continue
                    if (a, i) in classes and (b, j) in classes:
                        value = slow_similarity(classes[a, i], classes[b, j], opts)
                        if value is not None:
                            dots[i, j] = value
            groups, linked = slow_components(sorted(dots), opts.gap)
            chains = [(group, slow_chain(group, linked, dots)) for group in groups]
            mine = sorted(slow_passage(texts, units, (a, b), group, chain, opts.edges)
                          for group, chain in chains if chain[0] > opts.gamma)
            row = slow_pair(texts, (a, b), mine) if mine else None
            if row and row[4] >= opts.theta_d and row[3] > opts.delta:
                mine = [p for p in mine
                        if slow_is_enough(texts, p, opts) and p[14] >= opts.min_agreement]
                passages += mine
                pairs += [slow_pair(texts, (a, b), mine)] if mine else []
    return oracle_passages.Expected(passages, pairs, sorted(set(common.values())))


# ------------------------------------------------------------------ random collections

def random_texts(rng):
    """A small collection: few words, copied runs, empty documents and sentences."""
    vocabulary = rng.choice(("abcdefgh", CHARACTERS + "abefgh"))[:rng.randint(2, 8)]
    longest = rng.choice((3, 6))
    sentence = lambda: " ".join(rng.choices(vocabulary, k=rng.randint(0, longest)))
    pool = [sentence() for _ in range(rng.randint(1, 8))]
    texts = []
    for _ in range(rng.randint(1, 6)):
        doc = [rng.choice(pool) if rng.random() < 0.6 else sentence()
               for _ in range(rng.randint(0, 7))]
        if texts and rng.random() < 0.6:
            source = rng.choice(texts)
            start = rng.randint(0, len(source))
            copied = source[start:start + rng.randint(1, 6)]
            doc[rng.randint(0, len(doc)):0] = [nearly(rng, text, vocabulary) for text in copied]
        texts.append(doc)
    return texts


def nearly(rng, sentence, vocabulary):
    """The sentence, half of the time with a word replaced, put in, or dropped."""
    words = sentence.split()
    if words and rng.random() < 0.5:
        place = rng.randrange(len(words))
        words[place:place + rng.randint(0, 1)] = rng.choices(vocabulary, k=rng.randint(0, 1))
    return " ".join(words)


def random_options(rng):
    """Options of any method that this module knows: all but files and stop words."""
    units = rng.choice(("sentence", "sentence", "sentence", "gram"))
    features = ("words", "bag", "sequence", "shingle", "spot", "lengths")
    feature = rng.choice(features[:-1] if units == "gram" else features)
    joins = ("equal",)
    if feature in oracle_options.SET_FEATURES:
        joins = ("equal", "jaccard", "overlap", "overlap")
    return options(
        units=units, window=(1, 1) if units == "gram" else (rng.choice((1, 1, 2, 3)),
                                                            rng.choice((1, 1, 1, 2))),
        jump=rng.random() < 0.3, sample=rng.choice((1, 1, 2, 3)),
        feature=feature, char_ngram=rng.choice((0, 5, 6)) if (units, feature) == ("gram", "sequence") else 0,
        ngram=rng.randint(1, 4), antecedents=str(rng.choice((1, 2, 4, 10000))),
        spot_distance=rng.randint(1, 2), spot_chain=rng.randint(1, 3), stop_words="none",
        join=rng.choice(joins), tau=rng.choice((1 / 2, 0.6, 2 / 3, 0.75, 0.9, 1.0)),
        gamma=rng.choice((0, 0, 1, 3)), gap=rng.randint(0, 3),
        theta_d=rng.choice((0.0, 0.0, 0.0, 1.5, 3.0)), delta=rng.choice((0, 0, 0, 1, 3)),
        max_df=rng.choice((0, 1, 2, 3, 300)), idf=rng.choice((ALL_WORDS, (0.1, 1.0), (0.3, 0.8))),
        always_df=rng.choice((0, 0, 1, 2, 3)),
        max_word_df=rng.choice((1.0, 1.0, 0.75, 0.5)), min_words=rng.randint(1, 2), winnow=rng.choice((1, 2, 3)),
        edges=rng.choice(("word", "sentence")),
        min_passage_words=rng.choice((0, 0, 0, 4)), min_agreement=rng.choice((0.0, 0.0, 0.0, 0.7)),
        targets=rng.choice((0, 0, 1, 2)))


class SecondImplementation(unittest.TestCase):
    """The two implementations agree on random collections."""

    def compare(self, rng, choose, rounds):
        """How many rows there were: passages, common, of two lengths, not of similarity 1."""
        rows = collections.Counter()
        for _ in range(rounds):
            texts, opts = random_texts(rng), choose(rng)
            got = oracle.Judge(collection_of(texts)).expect(opts)
            self.assertEqual(got, slow_expect(texts, opts), f"{texts} {opts}")
            rows.update(passages=len(got.passages), common=len(got.common),
                        longer=sum(p.length_a != p.length_b for p in got.passages),
                        similar=sum(p.similarity < 1 for p in got.passages),
                        unlike=sum(p.agreement < 1 for p in got.passages))
        return rows

    def test_usual_method(self):
        choose = lambda rng: random_options(rng)._replace(
            units="sentence", window=(1, 1), jump=False, sample=1, feature="words", char_ngram=0, join="equal")
        rows = self.compare(random.Random(20100719), choose, 1000)
        self.assertGreater(min(rows["passages"], rows["common"], rows["longer"], rows["unlike"]), 50,
                           rows)

    def test_every_combination(self):
        rows = self.compare(random.Random(20120401), random_options, 2500)
        self.assertGreater(min(rows.values()), 100, rows)  # the cases are not empty ones


def close_by_cells(a, b):
    """oracle_grow.probe, cell by cell."""
    n = min(oracle_grow.PROBE, len(a), len(b))
    if n < oracle_grow.LEAST:
        return False
    row = list(range(n + 1))  # edits between the first letters of a and a prefix of b
    least = n
    for j, letter in enumerate(b[:2 * oracle_grow.PROBE]):
        row, above = [j + 1], row
        for i in range(n):
            row.append(min(above[i] + (a[i] != letter), above[i + 1] + 1, row[i] + 1))
        least = min(least, row[n])
    return 8 * least <= oracle_grow.EIGHTHS * n


def placed_by_cells(a, b):
    """oracle_grow.place, cell by cell."""
    best, band = (0, 0, 0), oracle_grow.BAND
    row = {j: -j for j in range(min(band, len(b)) + 1)}
    for i in range(1, len(a) + 1):
        above, row = row, {}
        for j in range(max(0, i - band), min(len(b), i + band) + 1):
            ways = []
            if j in above:
                ways.append(above[j] - 1)
            if j - 1 in above:
                ways.append(above[j - 1] + (1 if a[i - 1] == b[j - 1] else -1))
            if j - 1 in row:
                ways.append(row[j - 1] - 1)
            row[j] = max(ways)
            if row[j] > best[0]:
                best = row[j], i, j
        if not row or max(row.values()) < best[0] - oracle_grow.DROP - min(best[0] // 2, oracle_grow.DROP_MORE):
            break
    return best


class Growing(unittest.TestCase):
    """Texts that go on alike by their letters."""

    def test_tables(self):
        rng = random.Random(1)
        close = 0
        for _ in range(300):
            letters = range(1, 1 + rng.choice((2, 4, 20)))
            a = rng.choices(letters, k=rng.choice((0, 11, 12, 30, 48, 200)))
            wrong = rng.choice((0, 0.02, 0.2, 0.6))
            b = []
            for own in a:
                b += rng.choice(([], [own, own], rng.choices(letters))) if rng.random() < wrong else [own]
            first_a, first_b = bytes(a[:oracle_grow.PROBE]), bytes(b[:2 * oracle_grow.PROBE])
            self.assertEqual(oracle_grow.probe(first_a, first_b), close_by_cells(a, b))
            self.assertEqual(oracle_grow.place(bytes(a), bytes(b)), placed_by_cells(a, b))
            close += close_by_cells(a, b)
        self.assertTrue(100 < close < 250, close)
