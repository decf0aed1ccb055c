#!/usr/bin/python3
"""The families of a result, best first, slowly and by the definition of src/app/best_families.h: prints their rows.

    best_families.py RESULT.h5
"""

import collections
import sys

import h5py

MOST, PLACES = 4096, 256


def best_families(result):
    """Rows of /families."""
    table = {name: result["families"][name][:].tolist() for name in ("words", "documents", "members")}
    docs = [(0, doc) if doc >= 0 else (1, source)
            for doc, source in zip(*(result["members"][name][:].tolist() for name in ("doc", "source")))]
    hosts = [result[name]["host"][:].tolist() if name in result and "host" in result[name] else []
             for name in ("documents", "sources")]
    within, first = [], 0
    for size in table["members"]:
        within.append(tuple(sorted(set(docs[first:first + min(size, PLACES)]))))
        first += size

    def value(row, sites):
        if table["members"][row] < 2:
            return 0
        return (table["words"][row] * (table["documents"][row] + sites)
                / (table["members"][row] * table["members"][row]))

    rows = sorted(range(len(within)), key=lambda row: (-value(row, table["documents"][row]), row))[:MOST]
    values = {row: value(row, len({hosts[side][doc] if hosts[side] else b"" for side, doc in within[row]}))
              for row in rows}
    told = collections.Counter()
    for row in sorted(rows, key=lambda row: (-values[row], row)):
        told.update(within[row])
        values[row] /= max(told[doc] for doc in within[row])
    return sorted(rows, key=lambda row: (-values[row], row))


if __name__ == "__main__":
    with h5py.File(sys.argv[1]) as opened:
        for best in best_families(opened):
            print(best)
