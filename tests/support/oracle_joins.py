"""From classes to dots: every class against every other, nothing left out by any cleverness.

Classes that share no signature have similarity 0; for all others the shared signatures are counted.
"""

import collections

import numpy

from oracle_features import NO_CLASS
from oracle_sides import Sides

TIER = 16  # occurrences of a common class in one document that match each other

# Unit i of document doc_a matches unit j of document doc_b, doc_a < doc_b: columns of that length.
Dots = collections.namedtuple("Dots", "doc_a doc_b i j similarity")


def similar_sets(sets, join, tau):
    """Yield (c, [d, ...], [similarity, ...]) for sets c < d whose similarity is at least tau.

    jaccard: |A & B| / |A | B|; the others: |A & B| / max(|A|, |B|); in doubles.
    """
    sizes = numpy.array([len(signatures) for signatures in sets])
    holders = collections.defaultdict(list)  # signature -> the sets that have it
    for c, signatures in enumerate(sets):
        for signature in signatures:
            holders[signature].append(c)
    holders = {signature: numpy.array(numbers) for signature, numbers in holders.items()}
    for c, signatures in enumerate(sets):
        having = numpy.concatenate([holders[signature] for signature in signatures])
        shared = numpy.bincount(having, minlength=len(sets))
        others = numpy.flatnonzero(shared[c + 1:]) + c + 1
        shared = shared[others]
        if join == "jaccard":
            denominator = sizes[c] + sizes[others] - shared
        else:
            denominator = numpy.maximum(sizes[c], sizes[others])
        similarity = shared / denominator
        enough = similarity >= tau
        if enough.any():
            yield c, others[enough], similarity[enough]


def matching_classes(signed, options):
    """All pairs of classes that match, as columns (c, d, similarity); each with itself too."""
    present = sorted(set(signed.classes.tolist()) - {NO_CLASS})
    left, right, similarities = [present], [present], [numpy.ones(len(present))]
    if options.join != "equal":
        numbers = numpy.array(present, dtype=int)
        sets = [signed.sets[number] for number in present]
        for c, others, similarity in similar_sets(sets, options.join, options.tau):
            left.append(numpy.full(len(others), numbers[c]))
            right.append(numbers[others])
            similarities.append(similarity)
    return (numpy.concatenate(left).astype(int), numpy.concatenate(right).astype(int),
            numpy.concatenate(similarities))


def set_aside_crowded(signed, options, sources_from=0):
    """Take the classes out of signed.classes that are similar to more than max_near other classes;
    returns rows (df, doc, unit) of them, the place being the first of the class.

    Of an index the classes of sources count, from row sources_from on, with the units that are on
    the index side."""
    counted, members = set(), collections.defaultdict(list)
    for n, number in enumerate(signed.classes.tolist()):
        if number != NO_CLASS:
            members[number].append(n)
            if not sources_from or (signed.places[n][0] >= sources_from and signed.indexed[n]):
                counted.add(number)
    partners = collections.Counter()
    for c, d, _ in zip(*matching_classes(signed, options)):
        if c != d:
            partners[c] += d in counted
            partners[d] += c in counted
    rows = []
    for number, units in members.items():
        if partners[number] > options.max_near:
            places = [signed.places[n] for n in units]
            rows.append((len({row for row, _ in places}), *min(places)))
            signed.classes[units] = NO_CLASS
    return sorted(rows)


def expand(signed, classes_c, classes_d, similarities):
    """(x, y, similarity): every unit x of a class c, every unit y of the class d beside it."""
    members = numpy.argsort(signed.classes, kind="stable")
    firsts = numpy.searchsorted(signed.classes[members], numpy.arange(len(signed.sets)))
    ends = numpy.searchsorted(signed.classes[members], numpy.arange(len(signed.sets)), "right")
    sizes = ends - firsts
    products = sizes[classes_c] * sizes[classes_d]
    pair = numpy.repeat(numpy.arange(len(products)), products)
    within = numpy.arange(len(pair)) - numpy.repeat(numpy.cumsum(products) - products, products)
    c, d = classes_c[pair], classes_d[pair]
    return (members[firsts[c] + within // sizes[d]], members[firsts[d] + within % sizes[d]],
            similarities[pair])


def dots_with_the_first(signed, sides):
    """(a, b) for each dot of the common classes under --common first.

    Of the document pairs that have an occurrence on the index side, those with a first document
    (Sides.pairs_with_a_first).  The occurrences in a document are counted in tiers; those of the
    same tier match.
    """
    indexed = signed.indexed
    for members in signed.common:
        by_row = collections.defaultdict(list)
        for n in members:
            by_row[signed.places[n][0]].append(n)
        able = [row for row in by_row if any(indexed[n] for n in by_row[row])]
        for row_a, row_b in sides.pairs_with_a_first(*sides.index_first(able, by_row)):
            for k, a in enumerate(sorted(by_row[row_a])):
                for m, b in enumerate(sorted(by_row[row_b])):
                    if indexed[sides.index_side(a, b)] and k // TIER == m // TIER:
                        yield a, b


def find_dots(signed, options):
    """All dots of the collection, in order."""
    classes_c, classes_d, similarities = matching_classes(signed, options)
    x, y, similarity = expand(signed, classes_c, classes_d, similarities)
    places = numpy.array(signed.places, dtype=int).reshape(-1, 2)
    row = places[:, 0]
    backward = (row[x] > row[y]) | ((row[x] == row[y]) & (x > y))
    a, b = numpy.where(backward, y, x), numpy.where(backward, x, y)
    # a class with itself comes in both orders, of which one is left out here
    twin = (signed.classes[x] == signed.classes[y]) & backward
    sides = Sides(options)
    kept = sides.may_pair(row[a], row[b]) & ~twin
    if options.within:  # of two units of one document the first one comes first
        kept |= (row[a] == row[b]) & (a < b) & sides.may_be_alone(row[a])
    kept &= signed.indexed[sides.index_side(a, b)]
    a, b, similarity = a[kept], b[kept], similarity[kept]
    if options.common == "first":
        more = numpy.array(list(dots_with_the_first(signed, sides)), dtype=int).reshape(-1, 2)
        a, b = numpy.append(a, more[:, 0]), numpy.append(b, more[:, 1])
        similarity = numpy.append(similarity, numpy.ones(len(more)))
    order = numpy.lexsort((b, a))
    a, b, similarity = a[order], b[order], similarity[order]
    return Dots(places[a, 0], places[b, 0], places[a, 1], places[b, 1], similarity)


# ------------------------------------------------------------------ approximate results

def dots_of_passages(rows):
    """The dots of passages (doc_a, doc_b, start_a, start_b, length_a, ...) that gamma 0 and gap 0
    left as they were: one for each unit of a passage."""
    return {(doc_a, doc_b, start_a + k, start_b + k)
            for doc_a, doc_b, start_a, start_b, length, *_ in rows for k in range(length)}


def select(dots, wanted):
    """Those of the dots that are among the wanted (doc_a, doc_b, i, j)."""
    places = zip(*(column.tolist() for column in dots[:4]))
    chosen = numpy.array([place in wanted for place in places], dtype=bool)
    return Dots(*(column[chosen] for column in dots))
