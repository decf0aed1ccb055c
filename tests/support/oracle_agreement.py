"""How many words of two texts agree: the definition in include/pardup/passage/agreement.h."""

import bisect
import collections

EXACT_CELLS = 1 << 30  # pairs of words that are always compared exactly
EDITS = 1024  # so few insertions and deletions are always found exactly
DEPTH = 32  # divisions at pivots, one inside another


def longest_common(a, b):
    """The length of the longest common subsequence of two lists of words.

    A row of the table of all pairs is a number: a bit for each place of b, 0 where the length grows
    (Crochemore, Iliopoulos, Pinzon and Reid, 2001).
    """
    places = {}
    for place, word in enumerate(b):
        places[word] = places.get(word, 0) | 1 << place
    every = (1 << len(b)) - 1
    row = every
    for word in a:
        here = row & places.get(word, 0)
        row = (row + here | row - here) & every
    return len(b) - bin(row).count("1")


def pivots_of(a, b):
    """[(place in a, place in b)] of the words that stand once in each, on a longest ascending chain.

    Each in turn goes to the first pile whose top is not before it in b, and the chain leads back
    from the top of the last pile.
    """
    tops, heads, before = [], [], {}
    places = {word: place for place, word in enumerate(b)}
    times_in_a, times_in_b = collections.Counter(a), collections.Counter(b)
    for i, word in enumerate(a):
        if times_in_a[word] != 1 or times_in_b[word] != 1:
            continue
        j = places[word]
        pile = bisect.bisect_left(tops, j)
        before[i, j] = heads[pile - 1] if pile else None
        tops[pile:pile + 1] = [j]
        heads[pile:pile + 1] = [(i, j)]
    chain = []
    pivot = heads[-1] if heads else None
    while pivot:
        chain.append(pivot)
        pivot = before[pivot]
    return chain[::-1]


def agreed_words(a, b, exact_cells=EXACT_CELLS, edits=EDITS, depth=0):
    """The words that agree. It is the longest common subsequence, or less for long unlike texts."""
    if a == b:
        return len(a)
    shorter = min(len(a), len(b))
    begin = next((i for i in range(shorter) if a[i] != b[i]), shorter)
    end = next((i for i in range(shorter - begin) if a[-1 - i] != b[-1 - i]), shorter - begin)
    a, b, same = a[begin:len(a) - end], b[begin:len(b) - end], begin + end
    if not a or not b:
        return same
    longest = longest_common(a, b)
    if len(a) * len(b) <= exact_cells or len(a) + len(b) - 2 * longest <= edits:
        return same + longest
    more = lambda x, y: agreed_words(x, y, exact_cells, edits, depth + 1)
    pivots = pivots_of(a, b) if depth < DEPTH else []
    if not pivots:
        i, j = len(a) // 2, len(b) // 2
        return same + more(a[:i], b[:j]) + more(a[i:], b[j:])
    starts = [(0, 0)] + [(i + 1, j + 1) for i, j in pivots]
    ends = pivots + [(len(a), len(b))]
    return same + len(pivots) + sum(more(a[i:to_i], b[j:to_j])
                                     for (i, j), (to_i, to_j) in zip(starts, ends))


def agreement(a, b):
    """Words that agree, over the words of the longer text."""
    return agreed_words(a, b) / max(len(a), len(b))
