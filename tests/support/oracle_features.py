"""From sentences to units, and from units to signature sets and classes, as they are defined.

A signature is the thing itself: a word, a tuple of words, a tuple of lengths.  Nothing is hashed.
"""

import collections
import ctypes
import fractions
import functools
import itertools
import math
import pathlib
import re
import string

import numpy

from oracle_options import is_number
import oracle_templates
from sentence_file import Unusable
import word_reader

IDF_TOLERANCE = 1e-12
RUN_WORDS = 5  # words of a run, which is a signature beside the pairs
PAIR_WORDS = 16  # how many words behind the first word of a pair the second may stand
NO_CLASS = -1  # a unit that takes no part, or whose class is set aside
STOP_WORDS_SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src" / "feature" / "stopwords.c"

# Words [first_word, end_word) of the document, bytes [begin, end) of its text; `lengths` are the
# word counts of its base units; `indexed`: does it take part as unit of the earlier document?
Unit = collections.namedtuple("Unit", "first_word end_word begin end lengths indexed")

# What features ask about words: sets of them.
Lexicon = collections.namedtuple("Lexicon", "counted antecedents stop_words")


# ------------------------------------------------------------------ units

def units_of(document, options):
    """The units of a document, in order."""
    if options.units == "gram":
        return grams(document, options.ngram, options.sample)
    if options.units == "document":
        return whole(document)
    return windows(document, options.window, options.jump)


def grams(document, size, sample):
    """A unit of `size` words for every word that begins one."""
    return [Unit(k, k + size, document.word_begin[k], document.word_end[k + size - 1], (),
                 k % sample == 0)
            for k in range(len(document.words) - size + 1)]


def enough_words(unit, document, options):
    """Whether a unit has at least min_words words; of grams, the sentence that they begin in."""
    if options.units != "gram":
        return unit.end_word - unit.first_word >= options.min_words
    sentence = document.word_sentence[unit.first_word]
    return len(document.words_of(sentence)) >= options.min_words


@functools.lru_cache(maxsize=None)
def is_single(word):
    """Is the word a character of a script without blanks, with the marks and vowel signs behind it?"""
    return (word_reader.kind_of(word[0]) == "single"
            and all(word_reader.kind_of(char) == "mark" for char in word[1:]))


def compared_words(words, unit, options):
    """The words that a unit is compared by: its own, or with char_ngram the fewest from its first one
    on that say what `ngram` words of letters say; none if the document ends before."""
    if not options.char_ngram:
        return words[unit.first_word:unit.end_word]
    said = fractions.Fraction(0)
    for end in range(unit.first_word, len(words)):
        said += fractions.Fraction(1, options.char_ngram if is_single(words[end]) else options.ngram)
        if said >= 1:
            return words[unit.first_word:end + 1]
    return []


def gram_hash(words):
    """The hash by which grams are chosen (feature/winnow.h)."""
    total = 0
    for word in words:
        total = (total * 0x9E3779B97F4A7C15 + XXH3(word.encode(), len(word.encode()))) % 2**64
    return mixed(total)


def winnowed(units, document, options):
    """The indices of the units that take part: of each `winnow` grams in a row that have words to
    compare, in long enough sentences, the last of those with the least hash; of fewer in a row, one."""
    if options.winnow <= 1 or (options.units, options.feature) != ("gram", "sequence"):
        return set(range(len(units)))
    runs = [[]]
    for k, unit in enumerate(units):
        words = compared_words(document.words, unit, options)
        if words and enough_words(unit, document, options):
            runs[-1].append((gram_hash(words), -k))
        else:
            runs.append([])
    return {-min(run[at:at + options.winnow])[1]
            for run in filter(None, runs) for at in range(max(1, len(run) - options.winnow + 1))}


def whole(document):
    """One unit, from the first sentence to the last, if there is one."""
    if not document.nsentences:
        return []
    return [Unit(document.first_word[0], document.first_word[document.nsentences],
                 document.begin[0], document.end[document.nsentences - 1], (), True)]


def windows(document, window, jump):
    """A unit of `size` base units for every base unit that begins one."""
    size, step = window
    first_word = document.first_word
    lengths = [first_word[k + 1] - first_word[k] for k in range(document.nsentences)]
    units = []
    for k in range(document.nsentences - size + 1):
        repeats = k >= step and lengths[k:k + size] == lengths[k - step:k - step + size]
        units.append(Unit(first_word[k], first_word[k + size],
                          document.begin[k], document.end[k + size - 1],
                          tuple(lengths[k:k + size]),
                          k % step == 0 and not (jump and repeats)))
    return units


# ------------------------------------------------------------------ words

@functools.cache
def read_table(path):
    """(documents, words, {word: (documents that have it, occurrences)}) of a table of --frequencies."""
    try:
        lines = pathlib.Path(path).read_text("utf-8").splitlines()
    except OSError as reason:
        raise Unusable(f"{path}: {reason}") from reason
    first, *rows = (line.split("\t") for line in lines)
    if first[0] != "pardup-frequencies-1":
        raise Unusable(f"{path}: no table of frequencies")
    return int(first[1]), int(first[2]), {word: (int(n), int(m)) for word, n, m in rows}


def all_words(collection):
    """All words of all documents."""
    return set().union(*(document.words for document in collection.documents.values()))


def document_frequency(collection, table=""):
    """(word -> number of documents that have it in any of their sentences, number of documents), of
    the collection or of a table."""
    if table:
        ndocs, _, rows = read_table(table)
        return {word: rows.get(word, (1, 1))[0] for word in all_words(collection)}, ndocs
    df = collections.Counter(collection.uncounted_words())
    for document in collection.counted_documents():
        df.update(set(document.words))
    return df, len(collection.counted_documents())


def counted_words(df, ndocs, idf_range, share=1.0, always=0):
    """The words whose idf, log(N/df) / log N, lies in the range, and which no more than `share` of
    the N documents have.  N = 1: idf is 0, as log N is.  Words in at most `always` documents may
    have a lower idf."""
    low, high = idf_range

    def counts(n):
        idf = math.log(ndocs / n) / math.log(ndocs) if ndocs > 1 else 0
        return ((low - IDF_TOLERANCE <= idf or n <= always) and idf <= high + IDF_TOLERANCE
                and n <= share * ndocs)
    return {word for word, n in df.items() if counts(n)}


def frequent_words(collection, rank, table=""):
    """The words that occur at least as often as the one that is number `rank` by occurrences."""
    occurrences, _ = occurrences_of(collection, table)
    numbers = [n for _, n in read_table(table)[2].values()] if table else occurrences.values()
    descending = sorted(numbers, reverse=True)
    least = descending[rank - 1] if rank <= len(descending) else 1
    return {word for word, n in occurrences.items() if n >= least}


def occurrences_of(collection, table=""):
    """({word: its occurrences}, the number of all words that are counted), in the collection or in the
    background of a table."""
    if table:
        _, total, rows = read_table(table)
        return {word: rows.get(word, (1, 1))[1] for word in all_words(collection)}, total
    occurrences = collections.Counter(collection.uncounted_words())
    total = 0
    for document in collection.counted_documents():
        occurrences.update(document.words)
        total += len(document.words)
    return occurrences, total


def words_in_file(path):
    """The words of a file, as pardup normalises words."""
    try:
        text = pathlib.Path(path).read_text("utf-8")
    except OSError as reason:
        raise Unusable(f"{path}: {reason}") from reason
    return {form for _, _, form in word_reader.words_of(text)}


def english_stop_words():
    """The quoted words between the two marks in the program's source."""
    try:
        source = STOP_WORDS_SOURCE.read_text("utf-8")
    except OSError as reason:
        raise Unusable(f"{STOP_WORDS_SOURCE}: {reason}") from reason
    listed = re.search(r"/\* begin of the list.*?\*/(.*)/\* end of the list \*/", source, re.DOTALL)
    if not listed:
        raise Unusable(f"{STOP_WORDS_SOURCE}: no marks around the list of stop words")
    return set(re.findall(r'"([^"]*)"', listed[1]))


def stop_words_of(name):
    """The set that --stop-words names."""
    if name == "none":
        return set()
    return english_stop_words() if name == "english" else words_in_file(name)


def lexicon_of(collection, options):
    """The sets of words that the feature asks about."""
    counted, antecedents, stop_words = set(), set(), set()
    if options.feature in ("words", "multiset", "bag"):
        counted = counted_words(*document_frequency(collection, options.frequencies),
                                options.idf, options.max_word_df, options.always_df)
    if options.feature == "pairs":
        n, total = occurrences_of(collection, options.frequencies)
        counted = {word for word in n if n[word] <= 16 or not n[word] > options.rare * total}
    if options.feature == "spot":
        stop_words = stop_words_of(options.stop_words)
        if is_number(options.antecedents):
            antecedents = frequent_words(collection, int(options.antecedents), options.frequencies)
        else:
            antecedents = words_in_file(options.antecedents)
    return Lexicon(counted, antecedents, stop_words)


# ------------------------------------------------------------------ features

def one_signature(values):
    """The set of one signature, which is all the values in order; without values the empty set."""
    return frozenset([tuple(values)] if values else [])


def shingles(words, size):
    """All runs of `size` words; of fewer words than that: all of them."""
    if len(words) < size:
        return one_signature(words)
    return frozenset(tuple(words[k:k + size]) for k in range(len(words) - size + 1))


XXH3 = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
XXH3.restype, XXH3.argtypes = ctypes.c_uint64, (ctypes.c_char_p, ctypes.c_size_t)
PUNCTUATION = str.maketrans("", "", string.punctuation)


def byte_shingles(words, size, sample, blank=b""):
    """At the beginning of each word the next `size` bytes of the words without punctuation, one
    behind the other, with `blank` between; of fewer bytes than that: all of them.  Of these, the ones with a hash that is
    a multiple of `sample`."""
    forms = [form.encode() for form in (word.translate(PUNCTUATION) for word in words) if form]
    text, at, found = blank.join(forms), 0, set()
    for form in forms:
        if at == 0 or at + size <= len(text):
            found.add(text[at:at + size])
        at += len(form) + len(blank)
    return frozenset(shingle for shingle in found if XXH3(shingle, len(shingle)) % sample == 0)


def spots(words, lexicon, distance, chain):
    """Every antecedent with the words that follow it `distance` non-stop words apart."""
    found, reach = set(), chain * distance
    for k, word in enumerate(words):
        if word in lexicon.antecedents:
            others = (other for other in words[k + 1:] if other not in lexicon.stop_words)
            behind = list(itertools.islice(others, reach))
            if len(behind) == reach:
                found.add((word, *(behind[n * distance - 1] for n in range(1, chain + 1))))
    return frozenset(found)


def signature_set(words, lengths, lexicon, options):
    """The signatures of a unit; none: it takes no part."""
    if options.feature == "words":
        found = frozenset(words) & lexicon.counted
        return found or (frozenset(["no word counts"]) if options.empty == "match" else found)
    if options.feature == "multiset":
        times = collections.Counter(word for word in words if word in lexicon.counted)
        return frozenset((word, k) for word, n in times.items() for k in range(n))
    if options.feature == "bag":
        return one_signature(sorted(word for word in words if word in lexicon.counted))
    if options.feature == "sequence":
        return one_signature(words)
    if options.feature == "shingle":
        return shingles(words, options.ngram)
    if options.feature == "bytes":
        return byte_shingles(words, options.shingle_bytes, options.sample,
                             b" " if options.shingle_blanks == "keep" else b"")
    if options.feature == "spot":
        return spots(words, lexicon, options.spot_distance, options.spot_chain)
    return one_signature(lengths)


def pair_signatures(words, k, counted, reach):
    """Word k of a document with each of the next `reach` counted words, at most 16 words on; a
    signature is an unordered pair of different words.  And the run of five words that begins with
    word k, in order.  Each is compared for itself."""
    run = tuple(words[k:k + RUN_WORDS])
    runs = {run} if len(run) == RUN_WORDS else set()
    if words[k] not in counted:
        return runs
    behind = [word for word in words[k + 1:k + 1 + PAIR_WORDS] if word in counted][:reach]
    return runs | {frozenset((words[k], word)) for word in behind if word != words[k]}


# ------------------------------------------------------------------ classes

class SignedUnits:
    """All units of a collection in order: where each is, and the number of its class."""

    def __init__(self, units_by_row):
        self.units_by_row = units_by_row  # row -> list of Unit
        self.places = [(row, k) for row, units in units_by_row.items() for k in range(len(units))]
        self.classes = numpy.full(len(self.places), NO_CLASS)
        self.sets = []  # by class number
        self.common = []  # for each common class, the numbers of its units in `places`
        self.templates = []  # oracle_templates.Template
        self.stubs = set()  # rows of documents that are stubs
        self.aside = {}  # row -> sentences of the document that are set aside

    @property
    def indexed(self):
        """For each unit: does it take part on the side of the earlier document?"""
        return numpy.array([self.units_by_row[row][k].indexed for row, k in self.places],
                           dtype=bool)


def sign_units(collection, options):
    """The units of the collection with their classes.

    A class is a set of signatures; equal sets get equal numbers.  A unit shorter than min_words, or
    with fewer counted words than min_counted, or without a signature, is in no class.  Of a class
    that has more than max_repeats units in a document, none or only the first ones are.
    """
    lexicon = lexicon_of(collection, options)
    signed = SignedUnits({row: units_of(document, options)
                          for row, document in collection.documents.items()})
    numbers = {}
    if options.templates == "aside":
        signed.templates, signed.aside, signed.stubs = oracle_templates.find_templates(collection, collection.sites)
    if collection.ignored:
        oracle_templates.add_ignored(collection, signed)
    aside = signed.aside
    chosen = {row: winnowed(signed.units_by_row[row], document, options)
              for row, document in collection.documents.items()}
    one_by_one = options.feature == "pairs" or options.lexicons > 1
    if options.feature == "pairs":
        sign_pairs(signed, collection, lexicon, options, aside)
    elif one_by_one:
        sign_lexicons(signed, collection, lexicon, options, aside)
    for n, (row, k) in enumerate(signed.places if not one_by_one else ()):
        unit = signed.units_by_row[row][k]
        words = compared_words(collection.documents[row].words, unit, options)
        signatures = signature_set(words, unit.lengths, lexicon, options)
        if (not oracle_templates.is_aside(unit, collection.documents[row], aside.get(row, ()))
                and enough_words(unit, collection.documents[row], options) and signatures
                and k in chosen[row]
                and evidence(words, lexicon, options) >= options.min_counted):
            signed.classes[n] = numbers.setdefault(signatures, len(numbers))
    signed.sets = signed.sets or list(numbers)
    if options.max_repeats:
        drop_repeated(signed, options.max_repeats, options.repeats)
    return signed


def sign_pairs(signed, collection, lexicon, options, aside):
    """Units of one word: a place for each signature of a unit, so that it may be in many classes."""
    numbers, places, classes = {}, [], []
    for row, k in signed.places:
        words = collection.documents[row].words
        if collection.documents[row].word_sentence[k] in aside.get(row, ()):
            continue
        for pair in pair_signatures(words, k, lexicon.counted, options.reach):
            if enough_words(signed.units_by_row[row][k], collection.documents[row], options):
                places.append((row, k))
                classes.append(numbers.setdefault(pair, len(numbers)))
    signed.places, signed.sets = places, list(numbers)
    signed.classes = numpy.array(classes, dtype=int)


def mixed(x):
    """The finaliser of splitmix64."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return x ^ x >> 31


def in_lexicon(word, k):
    """Whether a word is in lexicon k: in the first one all are."""
    term = XXH3(word.encode(), len(word.encode()))
    return k == 0 or mixed((term + k * 0x9E3779B97F4A7C15) % 2**64) % 3 != 0


def sign_lexicons(signed, collection, lexicon, options, aside):
    """A place for each unit and lexicon; the class is the lexicon with the words of the unit in it."""
    lexicons = [{word for word in lexicon.counted if in_lexicon(word, k)}
                for k in range(options.lexicons)]
    numbers, places, classes = {}, [], []
    for row, k in signed.places:
        unit = signed.units_by_row[row][k]
        words = collection.documents[row].words[unit.first_word:unit.end_word]
        enough = (not oracle_templates.is_aside(unit, collection.documents[row], aside.get(row, ()))
                  and enough_words(unit, collection.documents[row], options)
                  and evidence(words, lexicon, options) >= options.min_counted)
        for number, some in enumerate(lexicons if enough else ()):
            found = frozenset(words) & some
            if found:
                places.append((row, k))
                classes.append(numbers.setdefault((number, found), len(numbers)))
    signed.places, signed.sets = places, list(numbers)
    signed.classes = numpy.array(classes, dtype=int)


def evidence(words, lexicon, options):
    """How many words of a unit count: different ones for words; without limit if none is asked."""
    if options.feature == "words":
        return len(set(words) & lexicon.counted) or options.empty == "match"
    if options.feature in ("multiset", "bag"):
        return sum(word in lexicon.counted for word in words)
    return options.min_counted


def drop_repeated(signed, most, repeats):
    """Take the units out of their class that occur in their document more often than that: all of
    them, or all but the first ones."""
    classes = signed.classes.tolist()
    rows = [row for row, _ in signed.places]
    times = collections.Counter(zip(rows, classes))
    seen = collections.Counter()
    for n, place in enumerate(zip(rows, classes)):
        seen[place] += 1
        if times[place] > most and (repeats == "none" or seen[place] > most):
            signed.classes[n] = NO_CLASS


def set_aside_common(signed, max_df, max_df_of, sources_from=0, similar=False):
    """Take the common classes out of signed.classes; returns rows (df, doc, unit), the place being
    the first of the class.

    A class is common when it occurs in more than max_df documents, or has more units than that
    (max_df_of "times"); max_df 0 is no limit.  Of an index
    (sources from row sources_from on) the units that are on the index side count, and a class that no
    source has is not common, unless it is compared with similar ones.
    """
    indexed = signed.indexed
    occurrences = collections.defaultdict(list)
    for n, number in enumerate(signed.classes.tolist()):
        if number != NO_CLASS:
            occurrences[number].append(n)
    rows = []
    for members in occurrences.values():
        places = [signed.places[n] for n in members]
        counted = [signed.places[n][0] for n in members
                   if signed.places[n][0] < sources_from or not sources_from or indexed[n]]
        rows_of_class = set(counted)
        df = len(rows_of_class)
        if max(rows_of_class, default=0) < sources_from and not similar:
            continue
        if 0 < max_df < (len(counted) if max_df_of == "times" else df):
            rows.append((df, *min(places)))
            signed.classes[members] = NO_CLASS
            signed.common.append(members)
    return sorted(rows)


def drop_too_common(signed, sct, sources_from=0):
    """Take signatures out of all sets that more than `sct` documents of signed.classes have, one
    class a document; returns rows (df, doc, unit) of the classes that lose all of them.

    Of an index the sources count, from row sources_from on."""
    df = collections.Counter()
    members = collections.defaultdict(list)
    for n, number in enumerate(signed.classes.tolist()):
        if number != NO_CLASS:
            if signed.places[n][0] >= sources_from:
                df.update(signed.sets[number])
            members[number].append(n)
    rows = []
    signed.sets = [frozenset(sig for sig in found if df[sig] <= sct) for found in signed.sets]
    for number, places in members.items():
        if not signed.sets[number]:
            rows.append((len(places), *min(signed.places[n] for n in places)))
            signed.classes[places] = NO_CLASS
    return sorted(rows)
