"""Reads what `pardup sentences --offsets` prints: one JSON object a sentence, in collection order.

Everything the judge assumes about that file is checked here, so that a mistake in it is reported
as such and not as a wrong result.
"""

import array
import bisect
import json


class Unusable(Exception):
    """The input cannot be judged: missing, malformed, or of a method not known here."""


class Document:
    """One document: its sentences, and its words in one row over all sentences."""

    def __init__(self, row, name):
        self.row = row
        self.name = name
        self.begin = array.array("q")  # of each sentence, bytes into the document's text
        self.end = array.array("q")
        self.first_word = array.array("q", [0])  # of each sentence; one more entry at the end
        self.words = []
        self.word_begin = array.array("q")
        self.word_end = array.array("q")
        self.word_sentence = array.array("q")
        self.hidden = {}  # number of a word -> words of the frame of the page right before it

    def __getstate__(self):
        return {**vars(self), "name": None}  # no row depends on it, and it can be the path of a folder

    @property
    def nsentences(self):
        """Number of sentences."""
        return len(self.begin)

    def words_of(self, k):
        """The words of sentence k, repetitions kept."""
        return self.words[self.first_word[k]:self.first_word[k + 1]]

    def words_between(self, first, end):
        """The words from number `first` to `end`, and those of the frame between them."""
        if not self.hidden:
            return self.words[first:end]
        words = []
        for number in range(first, end):
            if number > first:
                words += self.hidden.get(number, [])
            words.append(self.words[number])
        return words

    def add(self, begin, end, words, spans):
        """Append a sentence."""
        number = self.nsentences
        self.begin.append(begin)
        self.end.append(end)
        self.words.extend(words)
        self.word_begin.extend(span[0] for span in spans)
        self.word_end.extend(span[1] for span in spans)
        self.word_sentence.extend([number] * len(words))
        self.first_word.append(len(self.words))


class Collection:
    """The documents that have sentences, by row, and the place (row, k) of every sentence.

    ndocuments counts documents without sentences too; it is known only from a result file.
    Frequencies are those of the documents from row counted_from on.
    """

    def __init__(self):
        self.documents = {}
        self.places = []
        self.ndocuments = 0
        self.sites = []  # of each document; known only from a result file
        self.addresses = []  # of each document, or else its id; known only from a result file of detect
        self.counted_from = 0
        self.ignored = None  # the documents of --ignore, another collection

    def counted_documents(self):
        """The documents whose words are counted."""
        return [document for row, document in self.documents.items() if row >= self.counted_from]

    def uncounted_words(self):
        """The words that no counted document has: each counts as a word that occurs once."""
        words = set()
        for document in self.documents.values():
            words.update(document.words)
        return words.difference(*(document.words for document in self.counted_documents()))

    def add(self, row, name, sentence):
        """Append a sentence (begin, end, words, spans) of document `row`."""
        if row not in self.documents:
            self.documents[row] = Document(row, name)
        document = self.documents[row]
        self.places.append((row, document.nsentences))
        document.add(*sentence)


def complaint_about(record, collection):
    """What is wrong with the next record, or None."""
    missing = {"row", "doc", "sentence", "begin", "end", "words", "spans"} - record.keys()
    if missing:
        return f"keys missing: {', '.join(sorted(missing))}"
    row, begin, end = record["row"], record["begin"], record["end"]
    last_row, last_sentence = collection.places[-1] if collection.places else (-1, -1)
    if row < last_row:
        return f"row {row} comes after row {last_row}"
    follows = last_sentence + 1 if row == last_row else 0
    if record["sentence"] < follows:  # numbers of sentences that are left out are missing
        return f"row {row}: sentence {record['sentence']} where {follows} or more should be"
    if row == last_row and collection.documents[row].name != record["doc"]:
        return f"row {row} has two ids"
    if len(record["words"]) != len(record["spans"]):
        return f"row {row}: {len(record['words'])} words, {len(record['spans'])} spans"
    edges = [begin] + [edge for span in record["spans"] for edge in span] + [end]
    if sorted(edges) != edges:
        return f"row {row} sentence {record['sentence']}: spans out of order or out of the sentence"
    if row == last_row and begin < collection.documents[row].end[-1]:
        return f"row {row} sentence {record['sentence']} begins inside the one before"
    return None


def read_sentences(path):
    """The collection in the file, or Unusable with the line that is wrong."""
    collection = Collection()
    interned = {}  # one string object a word: millions of words, few different ones
    try:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                record = json.loads(line)
                wrong = complaint_about(record, collection)
                if wrong:
                    raise Unusable(f"{path}:{number}: {wrong}")
                words = [interned.setdefault(word, word) for word in record["words"]]
                collection.add(record["row"], record["doc"],
                               (record["begin"], record["end"], words, record["spans"]))
    except (OSError, ValueError) as reason:
        raise Unusable(f"{path}: {reason}") from reason
    return collection


def add_frames(collection, whole):
    """Tell a collection without frames which words its frames have: `whole` has all sentences."""
    for row, document in collection.documents.items():
        every = whole.documents[row]
        known = set(document.begin)
        for k in range(every.nsentences):
            if every.begin[k] not in known:
                place = bisect.bisect_left(document.word_begin, every.begin[k])
                document.hidden.setdefault(place, []).extend(every.words_of(k))
