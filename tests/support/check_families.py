#!/usr/bin/python3
"""Whether a result of check has the families that detect --against finds.

    check_families.py AGAINST.h5 CHECK.h5

detect --against numbers its sources behind its targets; check has them in /sources. Both results have the same
passages. Exit status: 0 the same families, 1 others.
"""
import sys

import h5py


def columns(f, table, names):
    return list(zip(*(f[f"{table}/{name}"][()].tolist() for name in names)))


with h5py.File(sys.argv[1]) as against, h5py.File(sys.argv[2]) as check:
    targets = len(check["documents/id"])

    def place(doc):
        return (doc, -1) if doc < targets else (-1, doc - targets)

    numbers = ("members", "documents", "words", "representative")
    wanted = {"families": columns(against, "families", numbers),
              "members": [(family, *place(doc), *rest) for family, doc, _, *rest in
                          columns(against, "members", ("family", "doc", "source", "begin", "end", "verified"))],
              "passages/family": against["passages/family"][()].tolist(),
              "document_families": [(n, *place(doc)) for n, doc in
                                    columns(against, "document_families", ("documents", "representative"))],
              "families of documents": against["documents/family"][()].tolist(),
              "rule": against["document_families"].attrs["rule"]}
    found = {"families": columns(check, "families", numbers),
             "members": columns(check, "members", ("family", "doc", "source", "begin", "end", "verified")),
             "passages/family": check["passages/family"][()].tolist(),
             "document_families": columns(check, "document_families", ("documents", "representative", "source")),
             "families of documents": check["documents/family"][()].tolist() + check["sources/family"][()].tolist(),
             "rule": check["document_families"].attrs["rule"]}
for name, value in wanted.items():
    if found[name] != value:
        sys.exit(f"{name}: {found[name]!r:.300}, wanted {value!r:.300}")
print(f"{len(wanted['families'])} families, {len(wanted['members'])} members,"
      f" {len(wanted['document_families'])} families of documents: equal")
