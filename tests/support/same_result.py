#!/usr/bin/python3
"""Whether two result files hold the same result, byte for byte.

    same_result.py A.h5 B.h5
    same_result.py --tables passages,pairs,common A.h5 B.h5

Compares the tree of groups, every dataset (type, shape, bytes) and every attribute, except the
attributes that may differ from run to run: times, ranks, command line, traffic, machine, paths.
With --tables only the datasets of these groups are compared: for one collection in two formats,
where documents lie in different files under different names.

Prints the first difference of each dataset.  Exit status: 0 same, 1 different, 2 unreadable.
"""

import argparse
import re
import sys

import h5py
import numpy

# Names of attributes that a comparison of two runs leaves out (start, ranks, seconds,
# bytes exchanged), and of options that do not shape the result.
VARYING = re.compile(
    r"^(command|directory|start.*|ranks?|nodes?|hosts?|hostname|threads|mpi.*|progress|memory|scratch|output"
    r"|resume|compress|time_limit|spill.*|peak.*|.*seconds.*|.*time|exchange.*|.*exchanged.*)$")


def datasets(group):
    """{path: dataset} of everything below the group."""
    found = {}
    group.visititems(lambda path, node: found.__setitem__(path, node)
                     if isinstance(node, h5py.Dataset) else None)
    return found


def plain(value):
    """A value that == compares as a whole, whatever HDF5 made of it."""
    return (str(value.dtype), value.tolist()) if isinstance(value, numpy.ndarray) else value


def attribute_differences(name, a, b):
    """Differences between the attributes of two objects."""
    wrong = []
    for key in sorted(set(a.attrs) | set(b.attrs)):
        if VARYING.match(key):
            continue
        values = [plain(side.attrs[key]) if key in side.attrs else "(none)" for side in (a, b)]
        if values[0] != values[1]:
            wrong.append(f"{name} attribute {key}: {values[0]!r} and {values[1]!r}")
    return wrong


def dataset_difference(name, a, b):
    """The first difference of two datasets, or None."""
    if a.dtype != b.dtype:
        return f"{name}: type {a.dtype} and {b.dtype}"
    if a.shape != b.shape:
        return f"{name}: shape {a.shape} and {b.shape}"
    x, y = a[()], b[()]
    if x.dtype != object and x.tobytes() == y.tobytes():
        return None
    flat_x, flat_y = numpy.ravel(x), numpy.ravel(y)
    for row, (one, other) in enumerate(zip(flat_x, flat_y)):
        same = one == other if x.dtype == object else one.tobytes() == other.tobytes()
        if not same:
            return f"{name} row {row}: {one!r} and {other!r}"
    return None


def differences(a, b, tables):
    """All differences of two open files, a line each."""
    sets_a, sets_b = datasets(a), datasets(b)
    names = sorted(set(sets_a) | set(sets_b))
    if tables:
        names = [name for name in names if name.split("/")[0] in tables]
        missing = [table for table in tables if not any(n.startswith(table + "/") for n in names)]
        if missing:
            return [f"no group {', '.join(missing)}"]
    wrong = [] if tables else attribute_differences("/", a, b)
    for name in names:
        if name not in sets_a or name not in sets_b:
            wrong.append(f"/{name}: only in the {'first' if name in sets_a else 'second'}")
            continue
        one = dataset_difference("/" + name, sets_a[name], sets_b[name])
        wrong += [one] if one else []
        if not tables:
            wrong += attribute_differences("/" + name, sets_a[name], sets_b[name])
    return wrong


def main(argv):
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description="Compare two result files of pardup.")
    parser.add_argument("--tables", help="compare only these groups: passages,pairs,common")
    parser.add_argument("first")
    parser.add_argument("second")
    arguments = parser.parse_args(argv)
    tables = arguments.tables.split(",") if arguments.tables else []
    try:
        with h5py.File(arguments.first, "r") as a, h5py.File(arguments.second, "r") as b:
            wrong = differences(a, b, tables)
    except OSError as reason:
        print(f"same_result: {reason}", file=sys.stderr)
        return 2
    for line in wrong:
        print(f"same_result: {arguments.first} {arguments.second}: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
