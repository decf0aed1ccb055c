"""Documents that are equal word for word, by their definition (--copies report)."""

import collections

from oracle_sides import Sides

Copies = collections.namedtuple("Copies", "pairs common")  # pairs of rows; rows of /common


def own_words(document, aside, options):
    """The words outside the sentences that are set aside, if there are such, and if the others are
    no more than gamma units.  Else none."""
    others = [k for k in range(document.nsentences) if k not in aside]
    if (not aside or options.units in ("gram", "document") or options.window != (1, 1)
            or len(others) > options.gamma):
        return ()
    return tuple(word for k in others for word in document.words_of(k))


def equal_documents(collection, signed, options):
    """Lists of rows of documents with the same words in the same order, or the same own words; with
    at least one unit, and at least min_copy_words of these words; without stubs."""
    alike = collections.defaultdict(set)
    for row, document in collection.documents.items():
        if row in signed.stubs or not signed.units_by_row[row]:
            continue
        for words in tuple(document.words), own_words(document, signed.aside.get(row, ()), options):
            if words and len(words) >= options.min_copy_words:
                alike[words].add(row)
    return [sorted(rows) for rows in alike.values() if len(rows) > 1]


def find_copies(collection, signed, options):
    """All pairs of equal documents; of more than max_df documents those with a first one, or none."""
    pairs, common = set(), []
    sides = Sides(options)
    alike = equal_documents(collection, signed, options)
    for rows in alike if options.copies == "report" else []:
        if 0 < options.max_df < sum(map(sides.is_counted, rows)):
            common.append((len(rows), rows[0], 0))
            if options.common == "first":
                pairs.update(sides.pairs_with_a_first(rows, rows))
        else:
            pairs.update(sides.all_pairs(rows, rows))
    return Copies(pairs, common)
