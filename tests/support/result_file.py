"""Reads pardup's result files for the judge, and compares their tables with expected rows."""

import collections

import h5py
import numpy

from sentence_file import Unusable
import oracle_templates

SORT_KEYS = {"passages": 6, "pairs": 2}  # leading columns that order the rows
EXPECTED_COLUMNS = {
    "passages": ("doc_a", "doc_b", "start_a", "start_b", "length_a", "length_b", "begin_a", "end_a",
                 "begin_b", "end_b", "matched", "similarity", "words_a", "words_b", "agreement"),
    "pairs": ("doc_a", "doc_b", "passages", "matched", "score", "coverage_a", "coverage_b",
              "resemblance"),
    "common": ("df", "doc", "sentence"),
}
ASIDE_REASONS = ("common", "crowded", "imprint", "template", "stub")  # in the order of rows of one unit
DOUBLES = {"similarity", "agreement", "score", "coverage_a", "coverage_b", "resemblance"}


def open_result(path):
    """The open file, or Unusable."""
    try:
        return h5py.File(path, "r")
    except OSError as reason:
        raise Unusable(f"{path}: {reason}") from reason


# ------------------------------------------------------------------ attributes

def text_of(value):
    """An attribute or id as str, however HDF5 stored it."""
    if isinstance(value, numpy.ndarray):
        value = value.reshape(-1)[0]
    if isinstance(value, bytes):
        value = value.rstrip(b"\0").decode("utf-8", "replace")
    return str(value)


def attribute(result, name):
    """An attribute of the root as text, or None."""
    return text_of(result.attrs[name]) if name in result.attrs else None


# ------------------------------------------------------------------ documents

def sites_of(result, ids):
    """The site of each document, by its address and its file, whether templates are looked for, and
    its address, or else its id."""
    paths = [text_of(path) for path in result["/files/path"][:]]
    urls = [text_of(url) for url in result["/documents/url"][:]]
    files = result["/documents/file"][:].tolist()
    letters = attribute(result, "format") in (None, "auto", "mail", "mbox")  # else a text is no letter
    senders = {path: oracle_templates.sender_of(path) if letters else "" for path in paths}
    hosts = {path: oracle_templates.canonical_of(path) for path in paths}
    places = [(url, name, paths[file], senders[paths[file]], hosts[paths[file]]) for url, name, file in zip(urls, ids, files)]
    return ([oracle_templates.site_of(*place) for place in places],
            [oracle_templates.has_site(*place) for place in places],
            [url or name for url, name, *_ in places])


def document_complaints(result, collection):
    """Whether /documents agrees with the sentences the oracle read."""
    ids = [text_of(name) for name in result["/documents/id"][:]]
    counts = result["/documents/sentences"][:].tolist()
    collection.ndocuments = len(ids)
    has_sites = "url" in result["/documents"]  # the self-test leaves them out
    collection.sites, collection.sited, collection.addresses = (
        sites_of(result, ids) if has_sites
        else ([""] * len(ids), [True] * len(ids), [""] * len(ids)))
    wrong = [f"/documents has {len(ids)} rows, but there are sentences of row {row}"
             for row in collection.documents if row >= len(ids)][:1]
    if wrong:
        return wrong
    for row, (name, count) in enumerate(zip(ids, counts)):
        document = collection.documents.get(row)
        expected = document.nsentences if document else 0
        if count != expected:
            wrong.append(f"/documents row {row} ({name}): {count} sentences, expected {expected}")
        host = text_of(result["/documents/host"][row]) if has_sites else ""
        if host != collection.sites[row]:
            wrong.append(f"/documents row {row}: host {host!r}, expected {collection.sites[row]!r}")
        if document and document.name != name:
            wrong.append(f"/documents row {row}: id {name!r}, expected {document.name!r}")
    totals = {"documents": len(ids), "sentences": len(collection.places)}
    wrong += [f"attribute {name} = {int(result.attrs[name])}, expected {total}"
              for name, total in totals.items()
              if name in result.attrs and int(result.attrs[name]) != total]
    return wrong[:5]


# ------------------------------------------------------------------ tables

def read_table(result, name, columns):
    """Rows of a group as tuples of Python numbers, in the order of the file."""
    values = [[None if value != value else value for value in result[f"/{name}/{column}"][:].tolist()]
              for column in columns]  # NaN, which equals nothing, becomes None
    if len({len(column) for column in values}) > 1:
        raise Unusable(f"{result.filename}: columns of /{name} differ in length")
    return list(zip(*values))


def integers(row, columns):
    """The row without its doubles: they follow from the integers, which alone name a row."""
    return tuple(value for column, value in zip(columns, row) if column not in DOUBLES)


def describe(table, row, columns, judge):
    """A row in words: its columns, and the documents and words it speaks of."""
    fields = dict(zip(columns, row))
    text = " ".join(f"{column}={value}" for column, value in fields.items())
    places = [(fields["doc_" + side], fields.get("start_" + side, 0))
              for side in "ab" if "doc_" + side in fields]
    if table == "common":
        places = [(fields["doc"], fields["sentence"])]
    for doc, unit in places:
        words = judge.words_of(doc, unit)
        if words:
            name = judge.collection.documents[doc].name
            text += f"\n        {name} unit {unit}: {' '.join(words[:12])}"
    return text


def row_complaints(table, got, expected, columns, judge, show):
    """Complaints about missing and extra rows of one table; [] when there are none."""
    got_count = collections.Counter(integers(row, columns) for row in got)
    expected_count = collections.Counter(integers(row, columns) for row in expected)
    whole = [column for column in columns if column not in DOUBLES]
    wrong = []
    for word, rows in (("missing", expected_count - got_count),
                       ("extra", got_count - expected_count)):
        if rows:
            wrong.append(f"/{table}: {sum(rows.values())} rows {word}")
            wrong += [f"  {word}: {describe(table, row, whole, judge)}"
                      for row in sorted(rows)[:show]]
    return wrong


def double_complaints(table, got, expected, columns, show):
    """Rows with the right integers and wrong doubles: they must be the same to the last bit."""
    by_integers = lambda row: (integers(row, columns), row)
    both = zip(sorted(got, key=by_integers), sorted(expected, key=by_integers))
    key = columns[:SORT_KEYS[table]] if table in SORT_KEYS else ()
    return [f"/{table}: " + " ".join(
        f"{column}={x}" if x == y else f"{column}={x!r} (expected {y!r})"
        for column, x, y in zip(columns, one, other) if column in key or x != y)
            for one, other in both if one != other][:show]


def order_complaints(table, got):
    """Whether the rows rise by the table's leading columns."""
    width = SORT_KEYS[table]
    for k in range(1, len(got)):
        if got[k - 1][:width] > got[k][:width]:
            return [f"/{table}: row {k} {got[k][:width]} sorts before row {k - 1}"]
    return []


def hash_complaints(result):
    """/common is ordered by hash, and no hash comes twice."""
    hashes = result["/common/hash"][:].tolist()
    if any(x >= y for x, y in zip(hashes, hashes[1:])):
        return ["/common: hashes do not rise strictly"]
    return []


def aside_complaints(result, expected):
    """Whether /aside holds the expected rows (doc, unit, place of the reason, site, documents, words), in order and
    each hash once; and whether /templates repeats its rows."""
    if "aside" not in result:
        return ["/aside is missing"] if expected else []
    reasons = [ASIDE_REASONS.index(text_of(reason)) for reason in result["/aside/reason"][:]]
    sites = [text_of(site) for site in result["/aside/site"][:]]
    got, keys, templates = [], [], []
    for reason, site, (doc, unit, name, documents, words) in zip(
            reasons, sites, read_table(result, "aside", ("doc", "unit", "hash", "documents", "words"))):
        got.append((doc, unit, reason, site, documents, words))
        keys.append((doc, unit, reason, name))
        if reason >= ASIDE_REASONS.index("imprint"):
            templates.append((doc, unit, site, name, documents, words))
    wrong = [f"/aside: {word} {row}"
             for word, rows in (("missing", collections.Counter(expected) - collections.Counter(got)),
                                ("extra", collections.Counter(got) - collections.Counter(expected)))
             for row in sorted(rows)[:3]]
    if [key[:3] for key in keys] != sorted(key[:3] for key in keys) or len(set(keys)) < len(keys):
        wrong.append("/aside: rows are in another order, or twice")
    hosts = [text_of(host) for host in result["/templates/host"][:]]
    old = [(doc, unit, host, *others) for host, (doc, unit, *others) in
           zip(hosts, read_table(result, "templates", ("doc", "sentence", "hash", "pages", "words")))]
    return wrong + (["/templates: other rows than /aside"] if old != templates else [])


def match_complaints(result, pairs, options, show):
    """What is wrong with /matches, which has a row for each dot of `pairs` (oracle_passages.dots_by_pair)."""
    if "matches" not in result:
        return []
    expected = [(a, i, b, j, similarity)
                for a, b, pair in pairs
                for (i, j), similarity in sorted(pair.items())]
    got = read_table(result, "matches", ("doc_a", "unit_a", "doc_b", "unit_b", "similarity"))
    if options.join == "lsh":  # it may lack some
        expected = sorted(set(got) & set(expected), key=lambda row: (row[0], row[2], row[1], row[3]))
    if got == expected:
        return []
    wrong = [f"  {name}: {row}" for name, rows in (("missing", set(expected) - set(got)), ("not expected", set(got) - set(expected)))
             for row in sorted(rows)[:show]]
    return [f"/matches has {len(got)} rows, expected {len(expected)}"] + wrong


def passages(result):
    """The rows of /passages."""
    return read_table(result, "passages", EXPECTED_COLUMNS["passages"])


def table_complaints(result, expected, judge, show, sources_from=0):
    """Everything in which the file's tables differ from the expected rows.

    sources_from: the row of the first source in the collection, when the file counts sources from 0.
    Such a file has no /common.
    """
    wrong = []
    for table in ("passages", "pairs") if sources_from else ("passages", "pairs", "common"):
        rows = getattr(expected, table)
        columns = EXPECTED_COLUMNS[table]
        got = [(a, b + sources_from, *others) if sources_from else (a, b, *others)
               for a, b, *others in read_table(result, table, columns)]
        if table == "common":
            wrong += hash_complaints(result)
            got.sort()
        else:
            wrong += order_complaints(table, got)
        if got != rows:
            wrong += (row_complaints(table, got, rows, columns, judge, show)
                      or double_complaints(table, got, rows, columns, show))
    return wrong
