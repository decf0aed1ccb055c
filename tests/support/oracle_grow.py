"""How far two texts go on alike beyond an end of a span, by their letters: the definition in
include/pardup/passage/grow.h, with a plain table of scores and no band of memory.

A row of the table is an array. What comes from the left within the row is a running extreme.
"""

import functools

import numpy

LETTERS, CODES = 12, 31  # letters of a word that are kept; codes of a letter
BAND, LEAST = 24, 12
PROBE, EIGHTHS = 48, 5
DROP, DROP_MORE = 20, 60
NONE = -1 << 40  # no score


@functools.cache
def spelling(word):
    """The codes of the first letters of a word, as bytes: each of the last byte of its character."""
    return bytes(letter.encode()[-1] % CODES + 1 for letter in word[:LETTERS])


@functools.cache
def probe(a, b):
    """Is a prefix of b close to a? Texts of at most PROBE and 2 * PROBE letters.

    A row of the table of edits is two numbers: a bit for each letter of a, where a cell is one more
    or one less than the cell before it (Myers, 1999; Hyyro, 2003).
    """
    n = min(PROBE, len(a), len(b))
    if n < LEAST:
        return False
    places = {}
    for place_in_a, letter in enumerate(a[:n]):
        places[letter] = places.get(letter, 0) | 1 << place_in_a
    every = more = (1 << n) - 1
    less, edits = 0, n  # between the first n letters of a and a prefix of b
    least = n
    for letter in b:
        equal = places.get(letter, 0)
        down, across = equal | less, (equal & more) + more ^ more | equal
        grows, shrinks = less | every & ~(across | more), more & across
        edits += (grows >> n - 1 & 1) - (shrinks >> n - 1 & 1)
        grows, shrinks = grows << 1 | 1, shrinks << 1
        more, less = (shrinks | ~(down | grows)) & every, grows & down & every
        least = min(least, edits)
    return 8 * least <= EIGHTHS * n


@functools.cache
def place(a, b):
    """(score, i, j) of the best alignment of beginnings of a and b."""
    best = 0, 0, 0
    letters = numpy.frombuffer(b, numpy.uint8)
    row = numpy.full(len(b) + 1, NONE)  # inside the band only
    row[:BAND + 1] = -numpy.arange(min(BAND, len(b)) + 1)
    places = numpy.arange(2 * BAND + 1)
    for i in range(1, len(a) + 1):
        low, high = max(0, i - BAND), min(len(b), i + BAND) + 1
        if low >= high:
            break
        here = row[low:high] - 1
        begin = max(low, 1)
        follows = row[begin - 1:high - 1] + numpy.where(letters[begin - 1:high - 1] == a[i - 1], 1, -1)
        numpy.maximum(here[begin - low:], follows, out=here[begin - low:])
        along = places[:high - low]
        here = numpy.maximum.accumulate(here + along) - along
        row[low:high] = here
        if low:
            row[low - 1] = NONE
        j = int(here.argmax())
        most = int(here[j])
        if most > best[0]:
            best = most, i, low + j
        if most < best[0] - DROP - min(best[0] // 2, DROP_MORE):
            break
    return best


def grow(words_a, words_b):
    """(words of a, words of b) by which an end grows; the words from the end outward, as codes."""
    first_a, first_b = (b"".join(words[:2 * PROBE]) for words in (words_a, words_b))  # a letter each at least
    if not probe(first_a[:PROBE], first_b[:2 * PROBE]):
        return 0, 0
    score, i, j = place(b"".join(words_a), b"".join(words_b))
    if score < LEAST:
        return 0, 0
    grown = tuple(words_inside(words, end) for words, end in ((words_a, i), (words_b, j)))
    return grown if min(grown) > 0 else (0, 0)


def words_inside(words, letters):
    """How many of the first words end within so many letters."""
    number, end = 0, 0
    for word in words:
        end += len(word)
        number += end <= letters
    return number
