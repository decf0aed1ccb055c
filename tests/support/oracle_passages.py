"""From the dots of a pair of documents to its passages, and to the row of the pair."""

import bisect
import collections
import fractions
import functools
import heapq
import math

import numpy

import oracle_agreement
import oracle_best
import oracle_copies
import oracle_features
import oracle_known
import oracle_refine
from oracle_features import is_single

NO_COPIES = oracle_copies.Copies(set(), {}, [])
EDGE_WORDS = 1024  # most words a passage is extended by at each of its ends
INNER_REACH = 64  # passages that begin last, in one of which a passage may lie

# Columns as in /passages, /pairs and /common (there without the hash, which is opaque here).
Passage = collections.namedtuple(
    "Passage", "doc_a doc_b start_a start_b length_a length_b begin_a end_a begin_b end_b"
    " matched similarity words_a words_b agreement")
Pair = collections.namedtuple(
    "Pair", "doc_a doc_b passages matched score coverage_a coverage_b resemblance")
Common = collections.namedtuple("Common", "df doc sentence")
# The options of which rows depend once there are dots.
RowOptions = collections.namedtuple(
    "RowOptions", "units ngram window gamma gap theta_d delta edges passages refine"
    " min_passage_words min_agreement min_copy_agreement char_ngram")
Expected = collections.namedtuple("Expected", "passages pairs common")


def dots_by_pair(dots, gamma):
    """Yield (doc_a, doc_b, {(i, j): similarity}) in order of the pair.

    Pairs with gamma dots or fewer are left out: no chain in them can be longer than gamma.
    """
    doc_a, doc_b, i, j, similarity = dots
    order = numpy.lexsort((j, i, doc_b, doc_a))
    doc_a, doc_b = doc_a[order], doc_b[order]
    i, j, similarity = i[order], j[order], similarity[order]
    changes = numpy.flatnonzero((numpy.diff(doc_a) != 0) | (numpy.diff(doc_b) != 0)) + 1
    starts = numpy.concatenate(([0], changes)) if len(doc_a) else numpy.empty(0, dtype=int)
    ends = numpy.append(changes, len(doc_a))
    long_enough = ends[:len(starts)] - starts > gamma
    for first, last in zip(starts[long_enough].tolist(), ends[:len(starts)][long_enough].tolist()):
        cut = slice(first, last)
        yield (int(doc_a[first]), int(doc_b[first]),
               dict(zip(zip(i[cut].tolist(), j[cut].tolist()), similarity[cut].tolist())))


# ------------------------------------------------------------------ components and chains

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


def best_chain(component, similarity, gap):
    """(number of dots, sum of their similarities) of the best chain of linked dots, rising in both
    documents: of those with the most dots, one with the greatest sum.

    The sum is taken in doubles from the chain's first dot on.  Adding the same to a greater sum
    never gives a smaller one, so the best chain to a dot comes from the best one to a dot before.
    """
    present = set(component)
    best_before = {}  # of the chains that can go on to the dot
    best = (0, 0.0)
    for dot in sorted(component):
        matched, total = best_before.get(dot, (0, 0.0))
        here = (matched + 1, total + similarity[dot])
        for later in successors(dot, present, gap):
            best_before[later] = max(best_before.get(later, here), here)
        best = max(best, here)
    return best


# ------------------------------------------------------------------ edges

class Side:
    """A document of a pair, with its units, and its sentences that are set aside; row: its number."""

    def __init__(self, document, units, aside=(), row=0):
        self.document = document
        self.units = units
        self.aside = aside
        self.row = row

    @functools.cached_property
    def refined_words(self):
        """Its words; in place of a word that is set aside, one that no document has: letters made of its place."""
        def hidden(k):
            number = oracle_features.mixed(self.row << 32 | k)
            return "".join(chr(61 + (number >> 5 * n & 31 | 1)) for n in range(12))
        sentences = self.document.word_sentence
        return [hidden(k) if sentences[k] in self.aside else word for k, word in enumerate(self.document.words)]

    @functools.cached_property
    def hidden_rarities(self):
        """They are common."""
        return {new: oracle_refine.RARITY[0] for new, old in zip(self.refined_words, self.document.words) if new != old}

    def may_take(self, word, step):
        """Whether an edge that grows by `step` may take a word: no text set aside is in its way."""
        document = self.document
        return (0 <= word < len(document.words) and document.word_sentence[word] not in self.aside
                and not document.hidden.get(word if step > 0 else word + 1))

    @functools.cached_property
    def own_words(self):
        """(first bytes, ends) of the words that are not set aside."""
        document, aside = self.document, set(self.aside)
        own = [number for number, sentence in enumerate(document.word_sentence) if sentence not in aside]
        return [document.word_begin[n] for n in own], [document.word_end[n] for n in own]

    @functools.cached_property
    def own_singles(self):
        """Of each of these words: is it a single character?"""
        document, aside = self.document, set(self.aside)
        return numpy.array([is_single(word) for word, sentence in zip(document.words, document.word_sentence)
                            if sentence not in aside], dtype=bool)

    def own_words_inside(self, begin, end):
        """Which of these words lie from byte `begin` to byte `end`: [first, behind)."""
        first_bytes, ends = self.own_words  # both ascend
        first = bisect.bisect_left(first_bytes, begin)
        return first, max(first, bisect.bisect_right(ends, end))

    def words_before(self, k):
        """Number of words of the neighbouring unit before unit k that k has not itself."""
        return self.units[k].first_word - self.units[k - 1].first_word if k > 0 else 0

    def words_after(self, k):
        """The same behind unit k."""
        if k + 1 == len(self.units):
            return 0
        return self.units[k + 1].end_word - self.units[k].end_word


def agreeing_words(a, b, x, y, step, near_a, near_b):
    """How many words agree, one by one from word x of document a and word y of document b on.

    The walk ends where a document ends or text that is set aside comes, where the words differ, where
    both walks would leave their neighbouring units of near_a and near_b words, and after EDGE_WORDS
    words.
    """
    for taken in range(EDGE_WORDS):
        at_x, at_y = x + taken * step, y + taken * step
        if not (a.may_take(at_x, step) and b.may_take(at_y, step)):
            return taken
        if (a.document.words[at_x] != b.document.words[at_y]
                or (taken >= near_a and taken >= near_b)):
            return taken
    return EDGE_WORDS


def near(edges, near_a, near_b):
    """How many words beside a passage may be taken: those of the neighbouring units, none, or all."""
    return {"word": (near_a, near_b), "sentence": (0, 0), "far": (EDGE_WORDS, EDGE_WORDS)}[edges]


def taken_backward(a, b, start_a, start_b, edges):
    """How many equal words are taken backward from the units start_a, start_b."""
    x, y = a.units[start_a].first_word, b.units[start_b].first_word
    return agreeing_words(a, b, x - 1, y - 1, -1,
                          *near(edges, a.words_before(start_a), b.words_before(start_b)))


def taken_forward(a, b, last_a, last_b, edges):
    """How many equal words are taken forward from the units last_a, last_b."""
    x, y = a.units[last_a].end_word, b.units[last_b].end_word
    return agreeing_words(a, b, x, y, 1,
                          *near(edges, a.words_after(last_a), b.words_after(last_b)))


class Span:
    """The text of a passage in one document: units start to last, and words taken at its ends."""

    def __init__(self, side, start, last, back, ahead):
        document, first_unit, last_unit = side.document, side.units[start], side.units[last]
        first_word, end_word = first_unit.first_word - back, last_unit.end_word + ahead
        self.words = document.words_between(first_word, end_word)
        self.begin = document.word_begin[first_word] if back else first_unit.begin
        self.end = document.word_end[end_word - 1] if ahead else last_unit.end


# ------------------------------------------------------------------ rows

def make_passage(a, b, component, chain, edges):
    """The row of /passages for one component of the dots of documents a and b."""
    start_a, last_a = min(i for i, _ in component), max(i for i, _ in component)
    start_b, last_b = min(j for _, j in component), max(j for _, j in component)
    back = taken_backward(a, b, start_a, start_b, edges)
    ahead = taken_forward(a, b, last_a, last_b, edges)
    in_a, in_b = Span(a, start_a, last_a, back, ahead), Span(b, start_b, last_b, back, ahead)
    matched, total = chain
    return Passage(a.document.row, b.document.row, start_a, start_b,
                   last_a - start_a + 1, last_b - start_b + 1,
                   in_a.begin, in_a.end, in_b.begin, in_b.end, matched, total / matched,
                   len(in_a.words), len(in_b.words),
                   oracle_agreement.agreement(in_a.words, in_b.words))


def pair_passages(a, b, dots, options):
    """The passages of one pair of documents that gamma keeps, in the order of the result.

    dots: {(i, j): similarity}.
    """
    kept = []
    for component in components(dots, options.gap):
        chain = best_chain(component, dots, options.gap)
        if chain[0] > options.gamma:
            kept.append(make_passage(a, b, component, chain, options.edges))
    return sorted(kept)


def with_edges(a, b, chain, dots, edges):
    """The passage of a chain of dots, whose edges can be trimmed."""
    (start_a, start_b), (last_a, last_b) = chain[0], chain[-1]
    first, final = (a.units[start_a], b.units[start_b]), (a.units[last_a], b.units[last_b])
    back = taken_backward(a, b, start_a, start_b, edges)
    ahead = taken_forward(a, b, last_a, last_b, edges)
    documents = a.document, b.document
    where = oracle_best.Edged(
        [unit.begin for unit in first], [unit.end for unit in final],
        [[d.word_begin[unit.first_word - 1 - k] for d, unit in zip(documents, first)] for k in range(back)],
        [[d.word_end[unit.end_word + k] for d, unit in zip(documents, final)] for k in range(ahead)])
    total = 0.0
    for dot in chain:
        total += dots[dot]
    where.chains = [(chain[0], chain[-1])]
    where.matched, where.similarity = len(chain), total / len(chain)
    return where


def units_in_common(options):
    """How many units before a unit have words in common with it."""
    return options.ngram - 1 if options.units == "gram" else options.window[0] - 1


def best_passages(a, b, dots, options):
    """The passages of one pair of documents that do not overlap, before and after some are joined."""
    chains = oracle_best.best_chains(dots, options.gamma, options.gap, units_in_common(options))
    edged = [with_edges(a, b, chain, dots, options.edges) for chain in chains]
    texts = {}  # each is compared once
    before = sorted(best_row(a, b, where, texts) for where in edged)
    joined = oracle_best.join(edged)
    oracle_best.trim(joined)
    return before, sorted(best_row(a, b, where, texts) for where in joined)


def refined_passages(a, b, dots, options, rarities):
    """The regions of one pair of documents, and the passages that are found in them."""
    regions = oracle_refine.regions(dots, options.gamma, options.gap)
    judged = [make_passage(a, b, dots, (len({i for i, _ in dots}),) * 2, "sentence")
              for dots in regions]
    rarities = {**rarities, **a.hidden_rarities, **b.hidden_rarities}
    spans = oracle_refine.spans_of_pair(a.refined_words, b.refined_words, regions, rarities)
    found = []
    for span in spans:
        first, last = (span.a[0], span.b[0]), (span.a[1] - 1, span.b[1] - 1)
        shorter = min(span.a[1] - span.a[0], span.b[1] - span.b[0])
        row = make_passage(a, b, [first, last], (1, 1.0), options.edges)
        found.append(row._replace(matched=span.matched, similarity=span.matched / shorter))
    return judged, sorted(found)


def words_of_chain(a, b, first, final):
    """(words in a, words in b, words that agree) from the first to the last dot of a chain."""
    inside_a = Span(a, first[0], final[0], 0, 0).words
    inside_b = Span(b, first[1], final[1], 0, 0).words
    return len(inside_a), len(inside_b), oracle_agreement.agreed_words(inside_a, inside_b)


def best_row(a, b, where, texts):
    """The row of /passages of a passage with its edges; texts: {chain: what words_of_chain says}."""
    (start_a, start_b), (last_a, last_b) = where.chains[0][0], where.chains[-1][1]
    edges = len(where.back) + len(where.ahead)
    agreed, words_a, words_b = (edges + where.between,) * 3
    for chain in where.chains:
        if chain not in texts:
            texts[chain] = words_of_chain(a, b, *chain)
        words_a, words_b, agreed = map(sum, zip((words_a, words_b, agreed), texts[chain]))
    return Passage(a.document.row, b.document.row, start_a, start_b,
                   last_a - start_a + 1, last_b - start_b + 1,
                   where.begin(0), where.end(0), where.begin(1), where.end(1),
                   where.matched, where.similarity, words_a, words_b,
                   agreed / max(words_a, words_b))


def coverage(side, ranges):
    """Share of a document's own words that lie in the union of (begin, end) ranges of bytes."""
    covered, reached, own = 0, 0, len(side.own_words[0])
    for first, behind in sorted(side.own_words_inside(begin, end) for begin, end in ranges):
        covered += max(0, behind - max(first, reached))
        reached = max(reached, behind)
    return covered / own if own else math.nan


def matched_and_score(passages):
    """The units that match in the passages of a pair, and its score."""
    score = 0.0
    for passage in passages:
        score += passage.matched * passage.similarity
    return sum(p.matched for p in passages), score


def make_pair(a, b, passages, whole):
    """The row of /pairs for one pair of documents with at least one passage; whole: these are the units."""
    matched, score = matched_and_score(passages)
    return Pair(a.document.row, b.document.row, len(passages), matched, score,
                coverage(a, [(p.begin_a, p.end_a) for p in passages]),
                coverage(b, [(p.begin_b, p.end_b) for p in passages]), score if whole else None)


def whole_passage(a, b):
    """The row of /passages of two equal documents: all units of both."""
    last_a, last_b = len(a.units) - 1, len(b.units) - 1
    matched = min(last_a, last_b) + 1
    return make_passage(a, b, [(0, 0), (last_a, last_b)], (matched, float(matched)), "sentence")


def brief_passage(a, b, own):
    """The row of /passages of two brief documents: from the first to the last unit of their own texts."""
    first_a, last_a, first_b, last_b = own
    matched = min(last_a - first_a, last_b - first_b) + 1
    row = make_passage(a, b, [(first_a, first_b), (last_a, last_b)], (matched, 1.0), "sentence")
    return row._replace(similarity=row.agreement)


def with_copies(dots, gamma, copies):
    """Yield (doc_a, doc_b, dots) as dots_by_pair does, with None for dots for the pairs of equal
    documents, and also for pairs of brief documents, which may have no dots."""
    others = [(a, b, None) for a, b in copies.pairs]
    others += [(a, b, {}) for a, b in copies.briefs if (a, b) not in copies.pairs]
    last = None
    for a, b, pair_dots in heapq.merge(dots_by_pair(dots, gamma), sorted(others, key=lambda pair: pair[:2]),
                                       key=lambda pair: (pair[:2], not pair[2])):
        if (a, b) != last and (pair_dots is None or (a, b) not in copies.pairs):
            yield a, b, pair_dots
            last = a, b


def lies_within(inner, outer):
    """Does a passage lie in another one, in both documents?"""
    return (outer.begin_a <= inner.begin_a and inner.end_a <= outer.end_a
            and outer.begin_b <= inner.begin_b and inner.end_b <= outer.end_b)


def without_inner(passages):
    """The passages that do not lie in another one; of equal ones the first with most matches.

    Each is compared with INNER_REACH of those that are kept, the last ones to begin before it.
    """
    kept = []
    for passage in sorted(passages, key=lambda p: (p.begin_a, -p.end_a, p.begin_b, -p.end_b, -p.matched)):
        if not any(lies_within(passage, other) for other in kept[-INNER_REACH:]):
            kept.append(passage)
    return sorted(kept)


def words_said(side, first, behind, options):
    """How many words the own words from `first` on say: with char_ngram a single character says
    less than one."""
    if not options.char_ngram:
        return behind - first
    singles = int(side.own_singles[first:behind].sum())
    return behind - first - singles + fractions.Fraction(singles * options.ngram, options.char_ngram)


def long_and_alike(a, b, passages, least_words, least_agreement, options, least_of_all=0.0):
    """The passages that --min-passage-words and --min-agreement keep, by words not set aside; and those
    of which enough of all words agree."""
    if least_words == 0 and least_agreement == 0:
        return passages
    kept = []
    for p in passages:
        first_a, behind_a = a.own_words_inside(p.begin_a, p.end_a)
        first_b, behind_b = b.own_words_inside(p.begin_b, p.end_b)
        own_a, own_b = behind_a - first_a, behind_b - first_b
        agreed, longer = round(p.agreement * max(p.words_a, p.words_b)), max(own_a, own_b)
        share = agreed / longer if agreed < longer else 1
        if words_said(a, first_a, behind_a, options) >= least_words and share >= least_agreement and p.agreement >= least_of_all:
            kept.append(p)
    return kept


def tables(collection, signed, dots, common, options, copies=NO_COPIES):
    """All rows that these dots and copies make."""
    sides = {row: Side(document, signed.units_by_row[row], frozenset(sorted(signed.aside.get(row, ()))), row)
             for row, document in collection.documents.items()}
    rarities = oracle_refine.rarities(collection, options.frequencies) if options.refine == "words" else {}
    order = numpy.lexsort((dots.similarity, dots.j, dots.i, dots.doc_b, dots.doc_a))
    dots = dots._replace(**{name: column[order] for name, column in dots._asdict().items()})
    chosen = RowOptions(*(getattr(options, name) for name in RowOptions._fields))
    rows = oracle_known.worked_out(rows_of_pairs, sides, dots, copies._replace(common=None), chosen,
                                   dict(sorted(rarities.items())))
    return Expected(*rows, common)


def rows_of_pairs(sides, dots, copies, options, rarities):
    """(rows of /passages, rows of /pairs)."""
    passages, pairs = [], []
    for doc_a, doc_b, pair_dots in with_copies(dots, options.gamma, copies):
        a, b = sides[doc_a], sides[doc_b]
        whole = options.units == "document"
        judged = found = [whole_passage(a, b)] if pair_dots is None else []
        if pair_dots:
            if options.refine == "words":
                judged, found = refined_passages(a, b, pair_dots, options, rarities)
            elif options.passages == "best":
                judged, found = best_passages(a, b, pair_dots, options)
            else:
                judged = found = pair_passages(a, b, pair_dots, options)
            matched, score = matched_and_score(judged)
            if score < options.theta_d or matched <= options.delta:
                found = []
        if found:
            least_words = 0 if pair_dots is None else options.min_passage_words
            kept = long_and_alike(a, b, found, least_words, options.min_agreement, options)
        elif (doc_a, doc_b) in copies.briefs:
            found = [brief_passage(a, b, copies.briefs[doc_a, doc_b])]
            kept = long_and_alike(a, b, found, 0, max(options.min_agreement, options.min_copy_agreement), options,
                                  options.min_agreement)
        else:
            continue
        if options.edges == "far":
            kept = without_inner(kept)
        if kept:
            passages.extend(kept)
            pairs.append(make_pair(a, b, kept, whole))
    return passages, pairs
