#!/usr/bin/python3
"""Judge families of passages and of documents from the definition: families_reference.py RESULT.h5...

The copied text of a document is cut into members where passages begin and end: the rule is in
include/pardup/passage/members.h. Which members stand for families, and who belongs to them: the rule is in
src/run/stage/families/representatives.h. A document family is a connected component of documents under pairs that
reach the rule of its table.
"""
import bisect
import collections
import sys

import h5py

APART = 128  # bytes: PD_MEMBER_APART
ROUNDS = 1000  # PD_REPRESENTATIVE_ROUNDS


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


def cut(begin, end, spans):
    """Members of a run of copied text; a span is in the list as often as passages have it."""
    count, points = collections.Counter(at for span in spans for at in span), [begin, end]
    for at in sorted(count, key=lambda at: (-count[at], at)):
        k = bisect.bisect(points, at)
        if at not in (begin, end) and all(abs(at - point) >= APART for point in points[max(0, k - 1):k + 1]):
            points.insert(k, at)

    def nearest(at):
        k = bisect.bisect_left(points, at)
        return min(points[max(0, k - 1):k + 1], key=lambda point: (abs(point - at), point))

    moved = [(nearest(first), nearest(last)) for first, last in spans]
    begun, ended = (collections.Counter(span[side] for span in moved if span[0] < span[1]) for side in (0, 1))
    cuts, going_on = [], 0
    for point in points:
        going_on -= ended[point]
        if point in (begin, end) or begun[point] + ended[point] >= going_on:
            cuts.append(point)
        going_on += begun[point]
    return list(zip(cuts, cuts[1:]))


def members_of(spans):
    """Members of a document, in order."""
    runs = []
    for span in sorted(spans):
        if runs and span[0] <= runs[-1][1]:
            runs[-1][1] = max(runs[-1][1], span[1])
            runs[-1][2].append(span)
        else:
            runs.append([*span, [span]])
    return [member for run in runs for member in cut(*run)]


def portions_of(members, span):
    """[(bytes, -index of the member, from, to)] that a span covers of the members of its document, in order."""
    k, found = bisect.bisect(members, (span[0], sys.maxsize)) - 1, []
    while k < len(members) and members[k][0] < span[1]:
        begin, end = max(span[0], members[k][0]), min(span[1], members[k][1])
        found.append((end - begin, -k, begin - span[0], end - span[0]))
        k += 1
    return [portion for portion in found if portion[0] >= APART or portion == max(found)]


def bonds_of(sides):
    """({(u, v): does u agree with v}, members with a longest portion, the longest portion of each first side)."""
    agrees, chiefs, mains = {}, set(), []
    for (u_portions, u_length), (v_portions, v_length) in sides:
        best = max(u_portions)[:2], max(v_portions)[:2]
        doubt = abs(u_length - v_length) * min(u_length, v_length)
        mains.append(max(u_portions)[4])
        for u in u_portions:
            for v in v_portions:
                met = min(u[3] * v_length, v[3] * u_length) - max(u[2] * v_length, v[2] * u_length)
                chief = (u[:2], v[:2]) == best
                chiefs |= {u[4], v[4]} if chief else set()
                if u[4] == v[4] or not (chief or 2 * met > min(u[0] * v_length, v[0] * u_length) + doubt):
                    continue
                for x, y, scale in (u[4], v[4], v_length), (v[4], u[4], u_length):
                    agrees[x, y] = agrees.get((x, y), False) or 2 * met > (x[2] - x[1]) * scale
    return agrees, chiefs, mains


def homes_of(agrees, chiefs):
    """{member: (its representative, verified)}."""
    neighbours = collections.defaultdict(list)
    for u, v in agrees:
        neighbours[u].append(v)
    rank = {u: (-len(neighbours[u]), u[1] - u[2], u) for u in neighbours}
    earlier = {u: [v for v in neighbours[u] if rank[v] < rank[u] and agrees[u, v]] for u in neighbours}
    is_one, undecided = {}, list(neighbours)
    for _ in range(ROUNDS):
        known = {u: any(is_one.get(v) for v in earlier[u]) for u in undecided}
        now = {u: not known[u] for u in undecided if known[u] or all(v in is_one for v in earlier[u])}
        is_one.update(now)
        undecided = [u for u in undecided if u not in now]
    home, joined = {}, set()
    for u in neighbours:
        choices = [v for v in earlier[u] if is_one.get(v)]
        if choices and not is_one.get(u):
            home[u] = min(choices, key=rank.get), 1
            joined.add(home[u][0])
    home.update({u: (u, 1) for u in joined})
    settled = dict(home)
    for u in neighbours:
        if u not in settled and u in chiefs:
            first = min(neighbours[u], key=lambda v: (not agrees[u, v], rank[v]))
            home[u] = (settled[first][0], 0) if first in settled else (u, 1)
    return home


def expect(passages):
    """(rows of /families, rows of /members, family of each passage)."""
    spans, words, sides = collections.defaultdict(list), collections.Counter(), []
    for p in passages:
        for s in "ab":
            spans[p[f"doc_{s}"]].append((p[f"begin_{s}"], p[f"end_{s}"]))
    members = {doc: members_of(of_doc) for doc, of_doc in spans.items()}
    for p in passages:
        both = []
        for s in "ab":
            doc, begin, end = (p[f"{name}_{s}"] for name in ("doc", "begin", "end"))
            portions = [(*x, (doc, *members[doc][-x[1]])) for x in portions_of(members[doc], (begin, end))]
            for covered, *_, member in portions:
                words[member] = max(words[member], (p[f"words_{s}"] * covered + (end - begin) // 2) // (end - begin))
            both.append((portions, end - begin))
        sides.append(both)
    agrees, chiefs, mains = bonds_of(sides)
    home = homes_of(agrees, chiefs)
    groups = collections.defaultdict(list)
    for member in sorted(home):
        groups[home[member][0]].append(member)
    families, rows_of_members, number = [], [], {}
    for best in sorted(groups):
        number[best], group = len(families), groups[best]
        families.append((len(group), len({m[0] for m in group}), words[best], len(rows_of_members) + group.index(best)))
        rows_of_members += [(number[best], *m, home[m][1]) for m in group]
    return families, rows_of_members, [number[home[u][0]] for u in mains]


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
