"""Templates: texts that many documents of one site have, as they are defined.

The definitions are in include/pardup/join/templates.h and stubs.h.  A text is the tuple of its words, a trait is
such a tuple, and everything is counted anew for every text.  Nothing is hashed.
"""

import collections
import re

LOOKED_AT = 64  # documents of a text whose traits are compared
STUB_WORDS = 200  # words of the longest stub
NO_TRAIT = ()

Template = collections.namedtuple("Template", "doc sentence host pages words reason")


def site_of(url, name, path, sender, canonical):
    """The site of a document: the host of the address or id, else the sender of the letter, else the
    host that the page itself names, else the folder of the file."""
    address = re.search(r"://([^/:?#]+)", url or name)
    if address:
        return address.group(1).lower()
    return sender or canonical or path.rpartition("/")[0]


def sender_of(path):
    """The first mail address of the field From, if the file is a letter."""
    try:
        with open(path, "rb") as file:
            head = re.split(rb"\r?\n\r?\n", file.read(1 << 16))[0].decode("latin-1")
    except OSError:
        return ""
    if not re.match(r"[!-9;-~]+:[ \t]", head):
        return ""
    field = re.search(r"(?mi)^From:(.*(?:\n[ \t].*)*)", head)
    address = re.search(r'[^\x00- <>()",;:@]*@[^\x00- <>()",;:]*', field.group(1)) if field else None
    return address.group().lower() if address else ""


def canonical_of(path):
    """The host in the first canonical link of a page that is a file."""
    if not is_document(path):
        return ""
    try:
        with open(path, "rb") as file:
            head = file.read(1 << 16).decode("latin-1")
    except OSError:
        return ""
    for link in re.findall(r"(?i)<link[^>]*>", head):
        kind = re.search(r"""rel=["']?([^ "'>]+)""", link)
        address = re.search(r"""href=["']?([^ "'>]+)""", link)
        if kind and kind.group(1).lower() == "canonical" and address:
            host = re.search(r"://([^/:?#]+)", address.group(1))
            return host.group(1).lower() if host else ""
    return ""


def is_document(path):
    """Is the file one document, and no large file of records?"""
    return not re.search(r"\.(jsonl|warc)\b", path)


def has_site(url, name, path, sender, _):
    """A folder is no site of the records of a large file."""
    return sender or re.search(r"://([^/:?#]+)", url or name) or is_document(path)


def traits(document):
    """The three inner sentences with the most words, the earlier ones first among equals."""
    words = len(document.words)
    inner = []
    for k in range(document.nsentences):
        before = document.first_word[k]
        n = document.first_word[k + 1] - before
        if 2 * words <= 5 * (2 * before + n) <= 8 * words:
            inner.append((-n, k))
    longest = [tuple(document.words_of(k)) for _, k in sorted(inner)[:3]]
    return longest + [NO_TRAIT] * (3 - len(longest))


def is_template(words, documents, all_of_site):
    """Whether a text of some words in these documents (their traits, in order) is a template."""
    first = documents[:LOOKED_AT]
    different = sorted(len({document[k] for document in first}) for k in range(3))[1]
    if different < 3:
        return False
    if 4 * len(documents) >= 3 * all_of_site and 4 * different >= len(first):
        return True
    if 4 * len(documents) >= all_of_site and 2 * different >= len(first):
        return True
    return (len(documents) >= 3 + words // 32 and 16 * len(documents) ** 2 >= all_of_site
            and 10 * different >= 9 * len(first))


def is_imprint(words, documents, sites, everything):
    """Whether a text of some words, which these documents (their traits and sites, in order) have at an end, is an imprint."""
    first = documents[:LOOKED_AT]
    different = sorted(len({document[k] for document in first}) for k in range(3))[1]
    return (words <= 100 and different >= 3 and len(documents) >= 8 + words // 32
            and 16 * len(documents) ** 2 >= everything and 5 * different >= 3 * len(first)
            and len(set(sites[:LOOKED_AT])) >= max(3, len(first) / 4))


def at_ends(document):
    """The sentences among the first five and the last five that have words."""
    full = [k for k in range(document.nsentences) if document.words_of(k)]
    return sorted(set(full[:5] + full[-5:]))


def find_ends(collection, stubs):
    """{text: places} of what stands at ends of documents."""
    where = collections.defaultdict(list)
    for row, document in sorted(collection.documents.items()):
        if row in stubs:
            continue
        for k in at_ends(document):
            where[tuple(document.words_of(k))].append((row, k))
    return where


def name_in(address):
    """The last part of the path of an address that is not empty."""
    path = re.sub(r"^.*?://[^/?#]*", "", address)
    return re.split(r"[?;#]", path)[0].rstrip("/").rpartition("/")[2]


def is_stub(words, addresses):
    """Whether an inner text of some words at these addresses is a stub."""
    least = 5 + words // 32
    return 1 <= words <= STUB_WORDS and (
        len({name_in(address) for address in addresses}) >= least
        or len({address.partition("#")[0] for address in addresses}) >= 4 * least)


def find_stubs(collection, sites):
    """The rows of documents that are stubs."""
    alike = collections.defaultdict(list)
    for row, document in collection.documents.items():
        if "://" in collection.addresses[row]:
            own = tuple(tuple(document.words_of(k)) for k in range(document.nsentences))
            alike[sites[row], own].append(row)
    return {row for (_, own), rows in alike.items() for row in rows
            if is_stub(sum(map(len, own)), [collection.addresses[row] for row in rows])}


def find_templates(collection, sites):
    """(templates, in order; {row: sentences of the document that are set aside}; rows
    of documents that are stubs)."""
    stubs = find_stubs(collection, sites)
    size = collections.Counter(site for row, site in enumerate(sites) if row not in stubs)
    where = collections.defaultdict(list)
    for row, document in sorted(collection.documents.items()):
        if not collection.sited[row]:
            continue
        for k in range(document.nsentences):
            where[sites[row], tuple(document.words_of(k))].append((row, k))
    trait = {row: traits(document) for row, document in collection.documents.items()}
    found, aside = [], collections.defaultdict(set)
    for (site, words), places in where.items():
        rows, reason = sorted({row for row, _ in places}), "template"
        if not is_template(len(words), [trait[row] for row in rows if row not in stubs], size[site]):
            places = [(row, k) for row, k in places if row in stubs]
            rows, reason = sorted({row for row, _ in places}), "stub"
        if places:
            found.append(Template(*places[0], site, len(rows), len(words), reason))
            for row, k in places:
                aside[row].add(k)
    for words, places in find_ends(collection, stubs).items():
        rows = sorted({row for row, _ in places})
        of = [(sites[row],) if collection.sited[row] else row for row in rows]
        if is_imprint(len(words), [trait[row] for row in rows], of, collection.ndocuments):
            found.append(Template(*places[0], "", len(rows), len(words), "imprint"))
            for row, k in places:
                aside[row].add(k)
    for row, sentences in aside.items():
        if row in stubs:
            continue
        document = collection.documents[row]
        if 10 * sum(len(document.words_of(k)) for k in sentences) > 9 * len(document.words):
            sentences.clear()  # the document says little else
    return sorted(found), aside, stubs


IGNORED_RUN = 5  # words in a row that an ignored text has


def find_ignored(collection, ignored):
    """{row: sentences of the document that are text of the ignored documents}."""
    units = {tuple(d.words_of(k)) for d in ignored.documents.values() for k in range(d.nsentences) if d.words_of(k)}
    runs = {tuple(d.words[k:k + IGNORED_RUN]) for d in ignored.documents.values()
            for k in range(len(d.words) - IGNORED_RUN + 1)}
    found = {}
    for row, document in collection.documents.items():
        covered = set()
        for k in range(len(document.words) - IGNORED_RUN + 1):
            if tuple(document.words[k:k + IGNORED_RUN]) in runs:
                covered.update(range(k, k + IGNORED_RUN))
        found[row] = set()
        for k in range(document.nsentences):
            places = range(document.first_word[k], document.first_word[k + 1])
            if places and (tuple(document.words_of(k)) in units
                           or 3 * len(covered.intersection(places)) >= 2 * len(places)):
                found[row].add(k)
    return found


def add_ignored(collection, signed):
    """Set aside what is ignored; a document with nothing else is a stub."""
    for row, sentences in find_ignored(collection, collection.ignored).items():
        if sentences:
            signed.aside.setdefault(row, set()).update(sentences)
            document = collection.documents[row]
            if all(k in signed.aside[row] or not document.words_of(k) for k in range(document.nsentences)):
                signed.stubs.add(row)


def is_aside(unit, document, sentences):
    """Whether all words of a unit stand in sentences that are set aside."""
    return all(document.word_sentence[word] in sentences
               for word in range(unit.first_word, unit.end_word))
