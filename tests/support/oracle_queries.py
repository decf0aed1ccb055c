"""What `pardup check` decides and ranks, by definition: rows of /decisions and /ranking.

Yoon et al. (2012): a target's collisions are its units that a source has; it is a duplicate when
there are more than delta, or (--copies report) when a source is equal.  Where units are grams, a
target with more than delta collisions is a duplicate only if it has a passage.  Wang & Chang (2009): the features of a target are its different units;
a source scores the idf of those it has over the idf of all.  A unit is told by its signature set;
common units count for nothing.  With a join that compares sets, a source also has the units of a
target that are similar to one of its own.  Where each signature of a unit is compared for itself,
the features are the signatures, and a unit collides if one of them does.
"""

import collections
import math

from oracle_features import NO_CLASS
import oracle_joins
import result_file

CLOSE = 1e-12  # scores are sums of doubles, which may be added in any order

Decision = collections.namedtuple("Decision", "doc collisions duplicate")
Ranked = collections.namedtuple("Ranked", "doc rank source score")


class Answers:
    """Features of targets, sources that have them; documents are rows of the collection."""

    def __init__(self, signed, options, nsources, equal=()):
        targets = options.targets
        self.equal = {a for a, b in equal}  # targets that have an equal source
        self.targets, self.nsources = targets, nsources
        self.of_target = collections.defaultdict(list)  # target -> (unit, class): a unit may be in many
        self.holders = collections.defaultdict(set)  # class -> sources with an indexed unit that matches it
        of_class = collections.defaultdict(set)
        indexed = signed.indexed
        for n, number in enumerate(signed.classes.tolist()):
            row, unit = signed.places[n]
            if number != NO_CLASS and row < targets:
                self.of_target[row].append((unit, number))
            elif number != NO_CLASS and indexed[n]:
                of_class[number].add(row)
        for c, d, _ in zip(*oracle_joins.matching_classes(signed, options)):
            for one, other in ((c, d), (d, c)):
                if other in of_class:
                    self.holders[one] |= of_class[other]

    def decide(self, delta, copied=None):
        """The rows of /decisions.  copied: targets with a passage, if they must have one."""
        for doc in range(self.targets):
            collisions = len({unit for unit, number in self.of_target[doc] if number in self.holders})
            yield Decision(doc, collisions, int((collisions > delta and (copied is None or doc in copied))
                                                or doc in self.equal))

    def idf(self, number):
        """The idf of a class, to 32 binary places; one that no source has counts as in one."""
        return round(math.log(self.nsources / max(len(self.holders.get(number, ())), 1)) * 2**32) / 2**32

    def rank(self, doc):
        """[(score, source)] of every source that has a feature of the target, the best first."""
        features = {number for _, number in self.of_target[doc]}
        total = math.fsum(self.idf(number) for number in features)
        shared = collections.defaultdict(list)
        for number in features:
            for source in self.holders.get(number, ()):
                shared[source].append(self.idf(number))
        if total == 0:
            return []
        scores = [(math.fsum(values) / total, source) for source, values in shared.items()]
        return sorted(((score, source) for score, source in scores if score > 0),
                      key=lambda one: (-one[0], one[1]))


def targets_in_passages(expected, options):
    """The targets that have a passage, if a duplicate must have one; else None."""
    return {p.doc_a for p in expected.passages} if options.units == "gram" else None


def decision_complaints(result, answers, delta, copied, show):
    """Rows of /decisions that differ."""
    got = result_file.read_table(result, "decisions", Decision._fields)
    expected = [tuple(row) for row in answers.decide(delta, copied)]
    if len(got) != len(expected):
        return [f"/decisions: {len(got)} rows, expected {len(expected)}"]
    return [f"/decisions: {Decision(*one)}, expected {other}"
            for one, other in zip(got, expected) if one != other][:show]


def ranking_complaints(result, answers, top, show):
    """What is wrong with the rows of each target in /ranking.

    Scores may differ by rounding, so the source at a rank may be another one of the same score.
    """
    by_doc = collections.defaultdict(list)
    rows = [Ranked(*row) for row in result_file.read_table(result, "ranking", Ranked._fields)]
    wrong = [] if rows == sorted(rows) else ["/ranking: rows are not sorted by doc and rank"]
    for row in rows:
        by_doc[row.doc].append(row)
    wrong += [f"/ranking: doc {doc} is no target" for doc in by_doc if not 0 <= doc < answers.targets]
    for doc in range(answers.targets):
        wrong += rank_complaints(doc, by_doc[doc], answers.rank(doc), top, answers.targets)
    return wrong[:show]


def rank_complaints(doc, got, expected, top, sources_from):
    """The same for one target."""
    if len(got) != min(top, len(expected)):
        return [f"/ranking: doc {doc} has {len(got)} rows, expected {min(top, len(expected))}"]
    if [row.rank for row in got] != list(range(1, len(got) + 1)):
        return [f"/ranking: doc {doc}: ranks are not 1, 2, 3"]
    order = [(-row.score, row.source) for row in got]
    if order != sorted(set(order)):
        return [f"/ranking: doc {doc}: not in order of score and source"]
    scores = {source - sources_from: score for score, source in expected}
    return [f"/ranking: {row}, expected score {scores.get(row.source)}, at this rank {at_rank[0]}"
            for row, at_rank in zip(got, expected)
            if row.source not in scores or abs(row.score - scores[row.source]) > CLOSE
            or abs(row.score - at_rank[0]) > CLOSE]


def source_complaints(result, collection, options):
    """Whether /documents and /sources are the documents of the collection.

    The judge is not given the sentences in frames of pages, which both tables count.
    """
    targets = options.targets
    wrong = []
    for table, first in (("documents", 0), ("sources", targets)):
        ids = [result_file.text_of(name) for name in result[f"/{table}/id"][:]]
        counts = result[f"/{table}/sentences"][:].tolist()
        for row, (name, count) in enumerate(zip(ids, counts)):
            document = collection.documents.get(first + row)
            expected = (document.name, document.nsentences) if document else (name, 0)
            if options.frame == "aside":
                count = min(count, expected[1])
            if (name, count) != expected:
                wrong.append(f"/{table} row {row}: {name} with {count} sentences, expected {expected}")
    collection.ndocuments = targets + len(result["/sources/id"])
    if any(row >= collection.ndocuments for row in collection.documents):
        wrong.append(f"/sources has {len(result['/sources/id'])} rows, expected more")
    return wrong[:5]


def complaints(result, judge, options, expected, show):
    """What is wrong with the tables that only a result of check has."""
    signed, _, _ = judge.join(options)
    wrong = source_complaints(result, judge.collection, options)
    if options.join == "lsh":
        return wrong  # which units of a target a source has depends on the buckets
    answers = Answers(signed, options, len(result["/sources/id"]), judge.copies.pairs)
    copied = targets_in_passages(expected, options)
    wrong += decision_complaints(result, answers, options.delta, copied, show)
    return wrong + ranking_complaints(result, answers, options.top, show)
