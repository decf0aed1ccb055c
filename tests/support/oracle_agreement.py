"""How many words of two texts agree: the definition in include/pardup/passage/agreement.h."""

import bisect

import numpy

EXACT_CELLS = 1 << 30  # pairs of words that are always compared exactly
EDITS = 1024  # so few insertions and deletions are always found exactly
DEPTH = 32  # divisions at anchors, one inside another


def longest_common(a, b):
    """The length of the longest common subsequence of two lists of words: the table of all pairs, a
    row at a time.
    """
    numbers = {}
    a = [numbers.setdefault(word, len(numbers)) for word in a]
    b = numpy.array([numbers.setdefault(word, len(numbers)) for word in b], dtype=numpy.int64)
    row = numpy.zeros(len(b) + 1, dtype=numpy.int64)
    for number in a:
        row[1:] = numpy.maximum(row[1:], row[:-1] + (b == number))
        row = numpy.maximum.accumulate(row)
    return int(row[-1])


def anchors_of(a, b):
    """[(place in a, place in b)] of the words that stand once in each, on a longest ascending chain.

    Each in turn goes to the first pile whose top is not before it in b, and the chain leads back
    from the top of the last pile.
    """
    tops, heads, before = [], [], {}
    places = {word: place for place, word in enumerate(b)}
    for i, word in enumerate(a):
        if a.count(word) != 1 or b.count(word) != 1:
            continue
        j = places[word]
        pile = bisect.bisect_left(tops, j)
        before[i, j] = heads[pile - 1] if pile else None
        tops[pile:pile + 1] = [j]
        heads[pile:pile + 1] = [(i, j)]
    chain = []
    anchor = heads[-1] if heads else None
    while anchor:
        chain.append(anchor)
        anchor = before[anchor]
    return chain[::-1]


def agreed_words(a, b, exact_cells=EXACT_CELLS, edits=EDITS, depth=0):
    """The words that agree. It is the longest common subsequence, or less for long unlike texts."""
    same = 0
    while a and b and a[0] == b[0]:
        a, b, same = a[1:], b[1:], same + 1
    while a and b and a[-1] == b[-1]:
        a, b, same = a[:-1], b[:-1], same + 1
    longest = longest_common(a, b)
    if len(a) * len(b) <= exact_cells or len(a) + len(b) - 2 * longest <= edits:
        return same + longest
    more = lambda x, y: agreed_words(x, y, exact_cells, edits, depth + 1)
    anchors = anchors_of(a, b) if depth < DEPTH else []
    if not anchors:
        i, j = len(a) // 2, len(b) // 2
        return same + more(a[:i], b[:j]) + more(a[i:], b[j:])
    starts = [(0, 0)] + [(i + 1, j + 1) for i, j in anchors]
    ends = anchors + [(len(a), len(b))]
    return same + len(anchors) + sum(more(a[i:to_i], b[j:to_j])
                                     for (i, j), (to_i, to_j) in zip(starts, ends))


def agreement(a, b):
    """Words that agree, over the words of the longer text."""
    return agreed_words(a, b) / max(len(a), len(b))
