"""Small collections for tests of the judge."""

import oracle
import oracle_options
from sentence_file import Collection

ALL_WORDS = (-1.0, 2.0)  # an idf range that counts every word


def records(texts):
    """Lines of S.jsonl for documents given as lists of sentences, a sentence as 'a b c'.

    The text of a document is its sentences with '. ' after each.
    """
    for row, sentences in enumerate(texts):
        place = 0
        for k, sentence in enumerate(sentences):
            words, spans, begin = sentence.split(), [], place
            for word in words:
                spans.append([place, place + len(word)])
                place += len(word) + 1
            end = max(place, begin + 1)  # the full stop belongs to the sentence
            yield {"row": row, "doc": f"d{row}", "sentence": k, "begin": begin, "end": end,
                   "words": words, "spans": spans}
            place = end + 1


def collection_of(texts):
    """The same as a Collection."""
    collection = Collection()
    for record in records(texts):
        collection.add(record["row"], record["doc"], (record["begin"], record["end"],
                                                      record["words"], record["spans"]))
    collection.ndocuments = len(texts)
    return collection


def options(method="pdc-imatch", **changes):
    """The method's options, but all words count, and passages have edges of words; with changes."""
    return oracle_options.preset(method)._replace(**{"idf": ALL_WORDS, "edges": "word", **changes})


def expect(texts, method="pdc-imatch", **changes):
    """The expected tables of a small collection."""
    return oracle.Judge(collection_of(texts)).expect(options(method, **changes))


def boxes(expected):
    """Passages without offsets and similarity."""
    return [tuple(p[:6]) + (p.matched,) for p in expected.passages]
