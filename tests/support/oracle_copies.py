"""Documents that are equal word for word, by their definition (--copies report)."""

import collections

from oracle_sides import Sides

Copies = collections.namedtuple("Copies", "pairs common")  # pairs of rows; rows of /common


def equal_documents(collection, units_by_row, least, left_out):
    """Lists of rows of documents with the same words in the same order, at least one unit, and at
    least so many words; without the rows that are left out."""
    alike = collections.defaultdict(list)
    for row, document in collection.documents.items():
        if row not in left_out and document.words and units_by_row[row] and len(document.words) >= least:
            alike[tuple(document.words)].append(row)
    return [sorted(rows) for rows in alike.values() if len(rows) > 1]


def find_copies(collection, signed, options):
    """All pairs of equal documents; of more than max_df documents those with a first one, or none."""
    pairs, common = set(), []
    sides = Sides(options)
    alike = equal_documents(collection, signed.units_by_row, options.min_copy_words, signed.stubs)
    for rows in alike if options.copies == "report" else []:
        if 0 < options.max_df < sum(map(sides.is_counted, rows)):
            common.append((len(rows), rows[0], 0))
            if options.common == "first":
                pairs.update(sides.pairs_with_a_first(rows, rows))
        else:
            pairs.update(sides.all_pairs(rows, rows))
    return Copies(pairs, common)
