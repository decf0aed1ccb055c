"""Copies, by their definition (--copies report): documents that are equal word for word, and brief
documents that share text."""

import collections

from oracle_sides import Sides

# pairs of rows of equal documents; pairs of rows of brief documents that share text, with the first
# and the last sentence of their own texts; rows of /common
Copies = collections.namedtuple("Copies", "pairs briefs common")
QUARTERS = 4  # a sentence that is shared has one of so many parts of the own text


def own_text(document, aside, options):
    """The sentences with words that are not set aside, if there are at most gamma + 1, and if they
    have at least min_copy_words words.  Else none."""
    own = [k for k in range(document.nsentences) if k not in aside and document.words_of(k)]
    if options.units in ("gram", "document") or options.window != (1, 1):
        return []
    if options.templates != "aside" and options.min_copy_agreement == 1:
        return []  # what is the same is equal word for word
    few = len(own) <= options.gamma + 1
    return own if few and sum(len(document.words_of(k)) for k in own) >= options.min_copy_words else []


def shared_texts(document, own, options):
    """The texts of the own sentences that another brief document may share, as tuples of words."""
    words = [tuple(document.words_of(k)) for k in own]
    whole = sum(words, ())
    texts = {whole} if whole else set()
    if options.min_copy_agreement < 1:
        texts.update(one for one in words if QUARTERS * len(one) >= len(whole))
    return texts


def equal_documents(collection, signed, options):
    """Lists of rows of documents with the same words in the same order, at least min_copy_words of
    them, and at least one unit; without stubs."""
    alike = collections.defaultdict(list)
    for row, document in collection.documents.items():
        if (row not in signed.stubs and signed.units_by_row[row]
                and len(document.words) >= max(1, options.min_copy_words)):
            alike[tuple(document.words)].append(row)
    return [rows for rows in alike.values() if len(rows) > 1]


def brief_documents(collection, signed, options):
    """({row: its own sentences}, lists of rows that share a text) of brief documents; no stubs."""
    owns, alike = {}, collections.defaultdict(list)
    for row, document in collection.documents.items():
        own = own_text(document, signed.aside.get(row, ()), options)
        if own and row not in signed.stubs:
            owns[row] = own
            for text in shared_texts(document, own, options):
                alike[text].append(row)
    return owns, [rows for rows in alike.values() if len(rows) > 1]


def paired(alike, options):
    """The pairs of rows in lists of rows; of more than max_df those with a first one, or none.  And
    rows of /common."""
    pairs, common = set(), []
    sides = Sides(options)
    for rows in alike:
        if 0 < options.max_df < sum(map(sides.is_counted, rows)):
            common.append((len(rows), rows[0], 0))
            if options.common == "first":
                pairs.update(sides.pairs_with_a_first(rows, rows))
        else:
            pairs.update(sides.all_pairs(rows, rows))
    return pairs, common


def find_copies(collection, signed, options):
    """All copies."""
    if options.copies != "report":
        return Copies(set(), {}, [])
    pairs, common = paired(equal_documents(collection, signed, options), options)
    owns, alike = brief_documents(collection, signed, options)
    briefs, more = paired(alike, options)
    return Copies(pairs, {(a, b): (owns[a][0], owns[a][-1], owns[b][0], owns[b][-1]) for a, b in briefs},
                  common + more)
