#!/usr/bin/python3
"""Judge families of passages and of documents from the definition: families_reference.py RESULT.h5...

A member is a span of a document that passages reach. Spans that overlap by more than half of the shorter
one are linked, each connected component is replaced by its union, and so on until nothing changes. A
family is a connected component of members under passages. See include/pardup/passage/members.h.
A document family is a connected component of documents under pairs that reach the rule of its table.
"""
import collections
import sys

import h5py


def components(nodes, linked):
    """{node: smallest node of its component}."""
    first = {}
    for root in sorted(nodes):
        if root in first:
            continue
        first[root], waiting = root, [root]
        while waiting:
            for other in linked[waiting.pop()]:
                if other not in first:
                    first[other] = root
                    waiting.append(other)
    return first


def members_of(spans):
    """{span: its member}, of one document."""
    member = {span: span for span in spans}
    while True:
        now, linked = sorted(set(member.values())), collections.defaultdict(list)
        for i, (begin, end) in enumerate(now):
            for other in now[i + 1:]:
                if other[0] >= end:
                    break
                overlap = min(end, other[1]) - other[0]
                if 2 * overlap > min(end - begin, other[1] - other[0]):
                    linked[begin, end].append(other)
                    linked[other].append((begin, end))
        if not linked:
            return member
        first = components(now, linked)
        union = {}
        for span, root in first.items():
            begin, end = union.get(root, span)
            union[root] = min(begin, span[0]), max(end, span[1])
        member = {span: union[first[of]] for span, of in member.items()}


def expect(passages):
    """(rows of /families, rows of /members, family of each passage)."""
    spans, words = collections.defaultdict(set), {}
    sides = [[(p[f"doc_{s}"], (p[f"begin_{s}"], p[f"end_{s}"]), p[f"words_{s}"]) for s in "ab"] for p in passages]
    for doc, span, _ in (side for both in sides for side in both):
        spans[doc].add(span)
    member = {doc: members_of(of_doc) for doc, of_doc in spans.items()}
    ends = [tuple((doc, *member[doc][span]) for doc, span, _ in both) for both in sides]
    linked = collections.defaultdict(set)
    for both, (a, b) in zip(sides, ends):
        linked[a].add(b)
        linked[b].add(a)
        for node, (_, _, count) in zip((a, b), both):
            words[node] = max(words.get(node, 0), count)
    first = components(list(linked), linked)
    groups = collections.defaultdict(list)
    for node in sorted(first):
        groups[first[node]].append(node)
    families, members, number = [], [], {}
    for root in sorted(groups):
        number[root] = len(families)
        group = groups[root]
        best = max(group, key=lambda m: (m[2] - m[1], -m[0], -m[1]))
        families.append((len(group), len({m[0] for m in group}), words[best], len(members) + group.index(best)))
        members += [(number[root], *m, int(m == best or best in linked[m])) for m in group]
    return families, members, [number[first[a]] for a, _ in ends]


def expect_documents(f):
    """(rows of /document_families, family of each document)."""
    lengths, whole = f["documents/text_bytes"][()].tolist(), f.attrs["units"] == b"document"
    tau = f.attrs["tau"] or 0.5
    linked = collections.defaultdict(set)
    for a, b, *shares, resemblance in rows(f["pairs"], ("doc_a", "doc_b", "coverage_a", "coverage_b", "resemblance")):
        if resemblance >= tau if whole else min(shares) >= f.attrs["family_coverage"]:
            linked[a].add(b)
            linked[b].add(a)
    families, of_document, first = {}, [-1] * len(lengths), components(list(linked), linked)
    for doc in sorted(first):
        families.setdefault(first[doc], []).append(doc)
    for number, docs in enumerate(families.values()):
        for doc in docs:
            of_document[doc] = number
    return [(len(docs), max(docs, key=lambda d: (lengths[d], -d))) for docs in families.values()], of_document


def rows(group, names):
    return list(zip(*(group[name][()].tolist() for name in names)))


def judge(path):
    with h5py.File(path) as f:
        names = [f"{name}_{side}" for name in ("doc", "begin", "end", "words") for side in "ab"]
        passages = [dict(zip(names, row)) for row in rows(f["passages"], names)]
        families, members, of_passage = expect(passages)
        found = {"families": rows(f["families"], ("members", "documents", "words", "representative")),
                 "members": rows(f["members"], ("family", "doc", "begin", "end", "verified")),
                 "family of passages": f["passages/family"][()].tolist(),
                 "document families": rows(f["document_families"], ("documents", "representative")),
                 "family of documents": f["documents/family"][()].tolist()}
        documents, of_document = expect_documents(f)
    wanted = {"families": families, "members": members, "family of passages": of_passage,
              "document families": documents, "family of documents": of_document}
    for name, value in wanted.items():
        if found[name] != value:
            different = next((k for k, (x, y) in enumerate(zip(found[name], value)) if x != y), min(len(found[name]), len(value)))
            print(f"{path}: {name}: {len(found[name])} rows, wanted {len(value)}; the first other row is {different}:"
                  f" {found[name][different:different + 1]}, wanted {value[different:different + 1]}")
            return False
    print(f"{path}: {len(passages)} passages, {len(members)} members, {len(families)} families,"
          f" {len(documents)} document families: equal")
    return True


if __name__ == "__main__":
    sys.exit(0 if all([judge(path) for path in sys.argv[1:]]) else 1)
