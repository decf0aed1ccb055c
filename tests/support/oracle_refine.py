"""Passages of edited text: regions of dots, and in them the spans of words that are taken for copies.

Units are single words.  All scores are whole sixteenths of a bit.
"""

import collections
import functools

import numpy

import oracle_agreement
import oracle_best
import oracle_features
import oracle_grow

MARGIN = 500  # words that are looked at before and behind a region
RARITY = 2, 17  # least and greatest rarity, bits
GAIN_MOST = 104
SCORE_LEAST, SCORE_UNEVEN, SCORE_TRIED = 1039, 1501, 577
SCORE_HOPEFUL = 1000  # of an uneven span in the first round
WORDS_LEAST = 15
ALIKE, ALIKE_UNEVEN = 65, 90  # per 100 words of the shorter side
RUN, TRIM_MOST = 3, 64
UNLIKE = 3, 10  # a span of which a smaller share of words agrees has to score more,
SCORE_UNLIKE, SCORE_WORD = 2720, 16  # in all, and for each word of its shorter side

# Spans of words that stand in both documents in the same order.
NEAR = 20  # words before and behind a region
LITERAL_RUN, LITERAL_REPEATS = 5, 16  # words of a run; runs of b that a run of a is matched with
LITERAL_GAMMA, LITERAL_GAP = 3, 20  # runs
SCORE_LITERAL, WORDS_LITERAL = 480, 10
WORDS_SURE = 20  # of a span that needs no score
LITERAL_LEFT = 20  # words of a literal span that is shortened
ALIKE_LITERAL = 120  # per 100 words of the longer side

# What a copy keeps: how the score of a kept word is lowered, what a lost word scores.
Keeping = collections.namedtuple("Keeping", "kept lost")
VERBATIM, EDITED, SUMMARY = Keeping(0, -90), Keeping(-17, -15), Keeping(-69, -1)

# How a span was found, in the order in which spans are chosen.
EVEN, UNEVEN, LITERAL = range(3)

# Words [a[0], a[1]) of one document and [b[0], b[1]) of the other; by how many words of each it grows.
Span = collections.namedtuple("Span", "kind score a b matched back ahead")


@functools.cache
def log2_sixteenths(n):
    """floor(16 log2(n))."""
    return (n ** 16).bit_length() - 1


def rarities(collection, table=""):
    """{word: its rarity in bits, log2(all words / its occurrences), rounded down, in bounds}."""
    occurrences, total = oracle_features.occurrences_of(collection, table)
    return {word: min(max((total // n).bit_length() - 1, RARITY[0]), RARITY[1])
            for word, n in occurrences.items()}


# ------------------------------------------------------------------ regions

def regions(dots, gamma, gap):
    """The components of dots at most gap apart in both documents in which more than gamma units of
    the first document match: lists of dots, in order of where they begin."""
    left = set(dots)
    found = []
    while left:
        component = [left.pop()]
        for i, j in component:  # grows while it is walked: a flood fill
            close = [dot for dot in left if abs(dot[0] - i) <= gap and abs(dot[1] - j) <= gap]
            left.difference_update(close)
            component.extend(close)
        if len({i for i, _ in component}) > gamma:
            found.append(sorted(component))
    return sorted(found, key=lambda dots: [(low, high - low) for low, high in bounds(dots)])


def bounds(dots):
    """((first i, last i), (first j, last j))."""
    return tuple((min(side), max(side)) for side in zip(*dots))


# ------------------------------------------------------------------ the span of one side

def word_scores(side, other, here, keeping, bits):
    """The score of every word of a window, given the words `other` of the other span.

    Words are numbers; here: how often each is in the window; bits: the rarity of each.
    """
    there = numpy.bincount(other)
    kept = numpy.flatnonzero(there)
    there = there[kept]
    gain = 16 * bits[kept] + 8 - log2_sixteenths(len(other)) + keeping.kept
    gain = numpy.minimum(numpy.maximum(gain, 0), GAIN_MOST)
    often = numpy.maximum(here[kept], there)
    scores = numpy.full(len(bits), keeping.lost)
    scores[kept] = gain * there // often * there // often
    return scores[side]


def best_stretch(scores, core):
    """(sum, (from, to)) of the stretch with the greatest sum that has a word of `core`; of equal
    ones, the one that ends first; of these, the longest."""
    sums = numpy.concatenate(([0], numpy.cumsum(scores)))
    ends = numpy.arange(core[0] + 1, len(sums))
    least = numpy.minimum.accumulate(sums[:core[1]])  # of the sums up to each start
    totals = sums[ends] - least[numpy.minimum(ends, core[1]) - 1]
    end = int(ends[numpy.argmax(totals)])
    start = int(numpy.argmin(sums[:min(end, core[1])]))
    return int(sums[end] - sums[start]), (start, end)


class Seeker:
    """The windows of regions, and what is sought in them. Regions of short texts have the same windows."""

    def __init__(self, words, windows, rarity):
        texts = [w[low:high] for w, (low, high) in zip(words, windows)]
        names = sorted(set(texts[0]) | set(texts[1]))
        number = {word: n for n, word in enumerate(names)}
        self.windows = [numpy.array([number[word] for word in text]) for text in texts]
        self.here = [numpy.bincount(window, minlength=len(names)) for window in self.windows]
        self.texts = texts
        self.bits = numpy.array([rarity[word] for word in names])
        self.scores, self.growth = {}, {}  # of stretches of both sides: what score_of and grown say

    def look_at(self, cores):
        """Begin with a region."""
        self.cores = cores
        self.whole = False  # does a literal span have all words of the region?

    def widened(self, side, stretch):
        """A stretch with 30 words and half its length more at both ends."""
        by = 30 + (stretch[1] - stretch[0]) // 2
        return max(stretch[0] - by, 0), min(stretch[1] + by, len(self.windows[side]))

    def seek_side(self, side, at, wide, choices):
        """(score, stretch, keeping) of one side, given where both sides are."""
        other = self.widened(1 - side, at[1 - side]) if wide else at[1 - side]
        words = self.windows[1 - side][other[0]:other[1]]
        chosen = None
        for keeping in choices:
            scores = word_scores(self.windows[side], words, self.here[side], keeping, self.bits)
            score, stretch = best_stretch(scores, at[side])
            if chosen is None or chosen[0] <= 0 or 10 * score > 13 * chosen[0]:
                chosen = score, stretch, keeping
        return chosen

    def seek(self, uneven):
        """(score, stretches of both sides, are both sides verbatim).

        Two phases: rounds with widened spans, four at most, then with the spans as they are, two at
        most.  A phase ends early when a round changes nothing, and all ends after the first round if
        both sides score too little there.
        """
        least = SCORE_TRIED if uneven is None else SCORE_HOPEFUL
        at = list(self.cores)
        for wide, rounds in ((True, 4), (False, 2)):
            for n in range(rounds):
                before, found = list(at), []
                for side in (0, 1):
                    choices = [SUMMARY] if side == uneven else [VERBATIM, EDITED]
                    found.append(self.seek_side(side, at, wide, choices))
                    at[side] = found[side][1]
                score = found[0][0] + found[1][0]
                if wide and n == 0 and score < least:
                    return score, at, False
                if at == before:
                    break
        verbatim = all(keeping is VERBATIM for _, _, keeping in found)
        return score, at, verbatim

    # -------------------------------------------------------------- what is kept of it

    def runs(self, side, stretch):
        """All runs of RUN words of a stretch."""
        words = self.windows[side][stretch[0]:stretch[1]].tolist()
        return {tuple(words[k:k + RUN]) for k in range(len(words) - RUN + 1)}

    def trimmed(self, side, at):
        """The stretch of a side, without words at its ends that begin no common run."""
        words, runs = self.windows[side].tolist(), self.runs(1 - side, at[1 - side])
        low, high = at[side]

        def stands(k):
            return tuple(words[k:k + RUN]) in runs
        while low + RUN < high and low - at[side][0] < TRIM_MOST and not stands(low):
            low += 1
        while low + RUN < high and at[side][1] - high < TRIM_MOST and not stands(high - RUN):
            high -= 1
        return (low, high) if stands(low) and stands(high - RUN) else at[side]

    def alike(self, at, longer=False):
        """(words of the shorter or longer side, words of it that stand in the other, pairs of
        neighbours of it that do so)."""
        short, long = (self.windows[side][low:high].tolist() for side, (low, high) in enumerate(at))
        if (len(long) < len(short)) != longer:
            short, long = long, short
        words = set(long)
        matched = sum(word in words for word in short)
        neighbours = set(zip(long, long[1:]))
        return len(short), matched, sum(pair in neighbours for pair in zip(short, short[1:]))

    def unlike(self, score, at):
        """Do few words agree, and do they say little?"""
        x, y = (self.windows[side][low:high].tolist() for side, (low, high) in enumerate(at))
        agreed = oracle_agreement.agreed_words(x, y)
        return (UNLIKE[1] * agreed < UNLIKE[0] * max(len(x), len(y))
                and score < max(SCORE_UNLIKE, SCORE_WORD * min(len(x), len(y))))

    # -------------------------------------------------------------- literal spans

    def shared_runs(self, near):
        """Dots (i, j) of the runs that are equal in both stretches, in words of the windows."""
        where = collections.defaultdict(list)
        texts = [window.tolist() for window in self.windows]
        for j in range(near[1][0], near[1][1] - LITERAL_RUN + 1):
            where[tuple(texts[1][j:j + LITERAL_RUN])].append(j)
        return [(i, j) for i in range(near[0][0], near[0][1] - LITERAL_RUN + 1)
                for j in where.get(tuple(texts[0][i:i + LITERAL_RUN]), ())[:LITERAL_REPEATS]]

    def score_of(self, at):
        """The score of both sides as they are, with 0 at least."""
        if tuple(at) in self.scores:
            return self.scores[tuple(at)]
        score = 0
        for side in (0, 1):
            (low, high), (begin, end) = at[side], at[1 - side]
            own, other = self.windows[side][low:high], self.windows[1 - side][begin:end]
            verbatim, edited = (
                int(word_scores(own, other, self.here[side], keeping, self.bits).sum())
                for keeping in (VERBATIM, EDITED))
            better = edited if verbatim <= 0 or 10 * edited > 13 * verbatim else verbatim
            score += max(better, 0)
        self.scores[tuple(at)] = score
        return score

    def extended(self, at):
        """Both stretches with the words beyond their ends that agree; and are there some?"""
        x, y = (window.tolist() for window in self.windows)
        (low_a, high_a), (low_b, high_b) = at
        while low_a and low_b and x[low_a - 1] == y[low_b - 1]:
            low_a, low_b = low_a - 1, low_b - 1
        while high_a < len(x) and high_b < len(y) and x[high_a] == y[high_b]:
            high_a, high_b = high_a + 1, high_b + 1
        longer = [(low_a, high_a), (low_b, high_b)]
        return longer, longer != at

    def literal_spans(self, offsets):
        """The spans of runs that are equal, around the core."""
        near = [(max(low - NEAR, 0), min(high + NEAR, len(window)))
                for (low, high), window in zip(self.cores, self.windows)]
        dots = {dot: 1 for dot in self.shared_runs(near)}
        for chain in oracle_best.best_chains(dots, LITERAL_GAMMA, LITERAL_GAP, LITERAL_RUN - 1):
            (first_i, first_j), (last_i, last_j) = chain[0], chain[-1]
            at = [(first_i, last_i + LITERAL_RUN), (first_j, last_j + LITERAL_RUN)]
            if any(high <= low_core or high_core <= low
                   for (low, high), (low_core, high_core) in zip(at, self.cores)):
                continue
            at, goes_on = self.extended(at)
            score = self.score_of(at)
            words = min(high - low for low, high in at)
            if (score >= SCORE_LITERAL and words >= WORDS_LITERAL) or words >= WORDS_SURE:
                for span in self.span(LITERAL, score, at, offsets):
                    self.whole |= not goes_on and all(low <= low_core and high_core <= high for (low, high),
                                      (low_core, high_core) in zip(at, self.cores))
                    yield span

    # -------------------------------------------------------------- all spans

    def spans(self, offsets):
        """The spans of the region."""
        found = list(self.literal_spans(offsets))
        if not self.whole:
            found.extend(self.other_spans(offsets))
        yield from found or self.misread_spans(offsets)

    def misread_spans(self, offsets):
        """The core, if its ends grow by enough words."""
        back, ahead = self.grown(self.cores)
        if min(m + n for m, n in zip(back, ahead)) >= WORDS_LEAST:
            a, b = ((low + offset, high + offset)
                    for (low, high), offset in zip(self.cores, offsets))
            yield Span(EVEN, SCORE_LEAST, a, b, self.alike(self.cores)[1], back, ahead)

    def other_spans(self, offsets):
        """The spans of the region that are not literal."""
        score, at, verbatim = self.seek(None)
        if score < SCORE_TRIED:
            return
        lengths = [high - low for low, high in at]
        if score >= SCORE_LEAST and min(lengths) >= WORDS_LEAST:
            if verbatim:
                at = [self.trimmed(side, at) for side in (0, 1)]
            yield from self.span(EVEN, score, at, offsets)
        for uneven in (1, 0):
            score, at, _ = self.seek(uneven)
            lengths = [high - low for low, high in at]
            if (score >= SCORE_UNEVEN and min(lengths) >= WORDS_LEAST
                    and lengths[uneven] >= 2 * lengths[1 - uneven]):
                yield from self.span(UNEVEN, score, at, offsets)

    def span(self, kind, score, at, offsets):
        """The span, if its sides are alike enough."""
        least = {EVEN: ALIKE, UNEVEN: ALIKE_UNEVEN, LITERAL: ALIKE_LITERAL}[kind]
        words, matched, neighbours = self.alike(at, longer=kind == LITERAL)
        if 100 * (matched + neighbours) >= least * words and (
                kind == LITERAL or not self.unlike(score, at)):
            a, b = ((low + offset, high + offset) for (low, high), offset in zip(at, offsets))
            back, ahead = self.grown(at) if kind != UNEVEN else ((0, 0), (0, 0))
            yield Span(kind, score, a, b, self.alike(at)[1], back, ahead)

    @functools.cached_property
    def letters(self):
        """The letters of the words of both windows, as codes; and all of them backward."""
        forward = [[oracle_grow.spelling(word) for word in text] for text in self.texts]
        return forward, [[word[::-1] for word in words[::-1]] for words in forward]

    def grown(self, at):
        """By how many words both ends grow: ((words of a, words of b) before, the same behind)."""
        if tuple(at) in self.growth:
            return self.growth[tuple(at)]
        before, behind = [], []
        for forward, backward, (low, high) in zip(*self.letters, at):
            before.append(backward[len(backward) - low:])
            behind.append(forward[high:])
        self.growth[tuple(at)] = oracle_grow.grow(*before), oracle_grow.grow(*behind)
        return self.growth[tuple(at)]


# ------------------------------------------------------------------ the spans of a pair

def overlap(x, y):
    """Do two spans have a word in common, in either document?"""
    return any(p[0] < q[1] and q[0] < p[1] for p, q in ((x.a, y.a), (x.b, y.b)))


def replaces(span, other):
    """Does a span take the place of another one, whatever they score?"""
    if span.kind != LITERAL:
        return False
    inside = all(p[0] <= q[0] and q[1] <= p[1]
                 for p, q in ((span.a, other.a), (span.b, other.b)))
    shorter, of_other = (min(x.a[1] - x.a[0], x.b[1] - x.b[0]) for x in (span, other))
    return inside or (other.kind == UNEVEN and 2 * shorter >= of_other)


def shortened(span, others):
    """A literal span without the words at its ends that other spans, which begin behind its begin or
    end before its end in both documents, have in either document; None if it overlaps another one,
    or fewer than LITERAL_LEFT words are left."""
    back, ahead = 0, 0
    for other in others:
        sides = (span.a, other.a), (span.b, other.b)
        if all(theirs[0] > mine[0] for mine, theirs in sides):
            ahead = max([ahead] + [mine[1] - theirs[0] for mine, theirs in sides])
        elif all(theirs[1] < mine[1] for mine, theirs in sides):
            back = max([back] + [theirs[1] - mine[0] for mine, theirs in sides])
        else:
            return None
    if min(high - low for low, high in (span.a, span.b)) - back - ahead < LITERAL_LEFT:
        return None
    return span._replace(a=(span.a[0] + back, span.a[1] - ahead), b=(span.b[0] + back, span.b[1] - ahead),
                         matched=max(0, span.matched - back - ahead),
                         back=(0, 0) if back else span.back, ahead=(0, 0) if ahead else span.ahead)


def choose(spans):
    """The best spans that do not overlap; an uneven one replaces those of 10/11 of its score, a
    literal one those of its score, and some others, or is shortened."""
    chosen = []
    for span in sorted(set(spans), key=lambda s: (s.kind, -s.score, s.a[0], s.b[0], s.a, s.b)):
        others = [other for other in chosen if overlap(span, other)]
        total = sum(other.score for other in others if not replaces(span, other))
        tenths = 11 if span.kind == UNEVEN else 10
        if others and span.kind == EVEN:
            continue
        if others and 10 * span.score < tenths * total:
            stay = [other for other in others if not replaces(span, other)]
            span = shortened(span, stay) if span.kind == LITERAL else None
            if not span:
                continue
            others = [other for other in chosen if overlap(span, other)]
        chosen = [other for other in chosen if other not in others] + [span]
    return chosen


def join(spans):
    """The spans with what they have grown by; spans that come to meet are one."""
    spans = sorted(spans, key=lambda span: span.a)
    a, b = [list(span.a) for span in spans], [list(span.b) for span in spans]
    back, ahead = [span.back for span in spans], [span.ahead for span in spans]
    joined = [False] * len(spans)
    for x in range(len(spans)):
        y = x + 1 if x + 1 < len(spans) else None
        z = min((k for k in range(len(spans)) if b[k][0] > b[x][0]), key=lambda k: b[k][0],
                default=None)

        def over_begin(k, side):  # does x grow over the begin of k?
            return k is not None and side[x][1] + ahead[x][side is b] > side[k][0]

        def over_end(k, side):  # does k grow over the end of x?
            return k is not None and side[k][0] - back[k][side is b] < side[x][1]

        def overlap_grown(k, side):
            return k is not None and (side[k][0] - back[k][side is b]
                                      < side[x][1] + ahead[x][side is b])
        reaches, reached = (over_begin(y, a), over_begin(z, b)), (over_end(y, a), over_end(z, b))
        if y == z and (all(reaches) or all(reached)):
            joined[x] = True
            continue
        if any(reaches):
            ahead[x] = 0, 0
        for k, is_reached in zip((y, z), reached):
            if is_reached:
                back[k] = 0, 0
        overlaps = overlap_grown(y, a), overlap_grown(z, b)
        joined[x] = y == z and all(overlaps)
        for k, does in zip((y, z), overlaps):
            if does and not joined[x]:
                back[k] = 0, 0
    found, first = [], 0
    for x, goes_on in enumerate(joined):
        if goes_on:
            continue
        found.append(spans[first]._replace(
            a=(a[first][0] - back[first][0], a[x][1] + ahead[x][0]),
            b=(b[first][0] - back[first][1], b[x][1] + ahead[x][1]),
            matched=sum(span.matched for span in spans[first:x + 1])))
        first = x + 1
    return found


def spans_of_pair(words_a, words_b, regions_of_pair, rarity):
    """The chosen spans of all regions of a pair of documents."""
    spans, seekers = [], {}
    words = words_a, words_b
    for dots in regions_of_pair:
        windows = [(max(low - MARGIN, 0), min(high + 1 + MARGIN, len(w)))
                   for w, (low, high) in zip(words, bounds(dots))]
        cores = [(low - window[0], high + 1 - window[0])
                 for window, (low, high) in zip(windows, bounds(dots))]
        if tuple(windows) not in seekers:
            seekers[tuple(windows)] = Seeker(words, windows, rarity)
        seeker = seekers[tuple(windows)]
        seeker.look_at(cores)
        spans.extend(seeker.spans([window[0] for window in windows]))
    return join(choose(spans))
