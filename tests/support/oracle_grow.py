"""How far two texts go on alike beyond an end of a span, by their letters: the definition in
include/pardup/passage/grow.h, with a plain table of scores and no band of memory."""

LETTERS, CODES = 12, 31  # letters of a word that are kept; codes of a letter
BAND, LEAST = 24, 12
PROBE, EIGHTHS = 48, 5
DROP, DROP_MORE = 20, 60


def spelling(word):
    """The codes of the first letters of a word: each of the last byte of its character."""
    return [letter.encode()[-1] % CODES + 1 for letter in word[:LETTERS]]


def letters_of(words):
    """(codes of all words, how many letters there are up to the end of each word)."""
    letters, ends = [], []
    for word in words:
        letters += word
        ends.append(len(letters))
    return letters, ends


def probe(a, b):
    """Is a prefix of b close to the first letters of a?"""
    n = min(PROBE, len(a), len(b))
    if n < LEAST:
        return False
    row = list(range(n + 1))  # edits between the first letters of a and a prefix of b
    least = n
    for j, letter in enumerate(b[:2 * PROBE]):
        row, above = [j + 1], row
        for i in range(n):
            row.append(min(above[i] + (a[i] != letter), above[i + 1] + 1, row[i] + 1))
        least = min(least, row[n])
    return 8 * least <= EIGHTHS * n


def place(a, b):
    """(score, i, j) of the best alignment of beginnings of a and b."""
    best = 0, 0, 0
    row = {j: -j for j in range(min(BAND, len(b)) + 1)}
    for i in range(1, len(a) + 1):
        above, row = row, {}
        for j in range(max(0, i - BAND), min(len(b), i + BAND) + 1):
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
        if not row or max(row.values()) < best[0] - DROP - min(best[0] // 2, DROP_MORE):
            break
    return best


def grow(words_a, words_b):
    """(words of a, words of b) by which an end grows; the words from the end outward, as codes."""
    (a, ends_a), (b, ends_b) = letters_of(words_a), letters_of(words_b)
    if not probe(a, b):
        return 0, 0
    score, i, j = place(a, b)
    grown = sum(end <= i for end in ends_a), sum(end <= j for end in ends_b)
    return grown if score >= LEAST and min(grown) > 0 else (0, 0)
