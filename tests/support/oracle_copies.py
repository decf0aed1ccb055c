"""Copies, by their definition (--copies report): documents that are equal word for word, and brief
documents that share text."""

import collections

from oracle_sides import Sides
from oracle_templates import name_in

# pairs of rows of equal documents; pairs of rows of brief documents that share text, with the first
# and the last sentence of their own texts; rows of /common
Copies = collections.namedtuple("Copies", "pairs briefs common")
LONGEST = 16  # sentences of the own text that may be shared


def own_text(document, aside, options, ignores=False):
    """The sentences with words that are not set aside, of units that can be compared so.  Else none."""
    if options.units == "document" or options.window != (1, 1):
        return []
    if options.templates != "aside" and not ignores and options.min_copy_agreement == 1:
        return []  # what is the same is equal word for word
    return [k for k in range(document.nsentences) if k not in aside and document.words_of(k)]


def is_brief(document, own, options):
    """Whether the own sentences say too little for a passage, and have at least min_copy_words words."""
    sizes = [len(document.words_of(k)) for k in own]
    if sum(sizes) < options.min_copy_words:
        return False
    if options.units != "gram":
        return len(own) <= options.gamma + 1
    told = sum(size for size in sizes if size >= options.min_words)
    return told < 2 * options.min_passage_words or 2 * told < sum(sizes)


def ends_of(document, units, own, options):
    """The first and the last unit of the own sentences: of grams, the one that begins with their
    first word, or the last one there is, and the one that ends with their last word, or the first."""
    if options.units != "gram":
        return own[0], own[-1]
    first = min(document.first_word[own[0]], len(units) - 1)
    return first, max(first, document.first_word[own[-1] + 1] - options.ngram)


def shared_texts(document, own, address, options):
    """What another document may share: texts of own sentences of a brief one, as tuples of words, and the name of its page."""
    words = [tuple(document.words_of(k)) for k in own]
    texts = {sum(words, ())} if is_brief(document, own, options) else set()
    if options.min_copy_agreement < 1:
        if texts:
            texts.update(sorted(words, key=len, reverse=True)[:LONGEST])
        texts.update({name_in(address)} - {""})
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
    """({row: first and last unit of its own text}, lists of rows that share a text or the name of a page) of
    documents; no stubs."""
    owns, alike = {}, collections.defaultdict(list)
    for row, document in collection.documents.items():
        own = own_text(document, signed.aside.get(row, ()), options, collection.ignored is not None)
        units = signed.units_by_row[row]
        if own and units and row not in signed.stubs:
            owns[row] = ends_of(document, units, own, options)
            address = collection.addresses[row] if row < len(collection.addresses) else document.name
            for text in shared_texts(document, own, address, options):
                alike[text].append(row)
    return owns, [rows for rows in alike.values() if len(rows) > 1]


def paired(alike, options):
    """The pairs of rows in lists of rows; of more than max_df those with a first one, or none.  And
    rows of /common."""
    pairs, common = set(), []
    sides = Sides(options)
    for rows in alike:
        if 0 < options.max_df < len(rows):
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
    return Copies(pairs, {(a, b): owns[a] + owns[b] for a, b in briefs}, common + more)
