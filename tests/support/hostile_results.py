#!/usr/bin/env python3
"""Results that a stranger may send: each is a copy of a real result with one thing that pardup must refuse.

usage: hostile_results.py RESULT.h5 FOLDER      prints a line a file: name, table to export, what is said of it
(-: the result is sound, and only what it says of the input is wrong)
"""
import os
import shutil
import struct
import sys

import h5py
import numpy as np

SECRET = "secret.bin"  # a file beside the results, whose text must never be printed


def replace(f, name, **how):
    """Put another dataset in the place of a column."""
    del f[name]
    return f.create_dataset(name, **how)


def external(f, name, folder):
    """The rows of a column, in another file."""
    old = f[name]
    rows, dtype = old.shape[0], old.dtype
    del f[name]
    create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    create.set_external(os.path.join(folder, SECRET).encode(), 0, rows * dtype.itemsize)
    kind = h5py.h5t.py_create(dtype)
    h5py.h5d.create(f[name.rsplit("/", 1)[0]].id, name.rsplit("/", 1)[1].encode(), kind,
                    h5py.h5s.create_simple((rows,)), create)


def virtual(f, name, folder):
    old = f[name]
    layout = h5py.VirtualLayout(shape=old.shape, dtype=old.dtype)
    layout[:] = h5py.VirtualSource(os.path.join(folder, "good.h5"), name, shape=old.shape)
    del f[name]
    f.create_virtual_dataset(name, layout)


def link(f, name, to):
    del f[name]
    f[name] = to


def text_attribute(f, name, value, dtype, shape=None):
    del f.attrs[name]
    f.attrs.create(name, value, shape=shape, dtype=dtype)


def huge(f, name, rows):
    """A column that claims to have `rows` rows and stores none."""
    old = f[name]
    replace(f, name, shape=(rows,), dtype=old.dtype, chunks=(4096,), maxshape=(None,))


def whole_table(f, table, rows):
    for column in list(f[table]):
        huge(f, f"{table}/{column}", rows)


def cases(folder):
    """Name of the file, the table to export, what the one line of error says, how to make it."""
    u64, u32, f64 = np.uint64, np.uint32, np.float64
    good = os.path.join(folder, "good.h5")
    rows = h5py.File(good, "r")["passages/doc_a"].shape[0]
    docs = h5py.File(good, "r")["documents/id"].shape[0]
    return [
        ("text-array", "show", "not one text", lambda f: text_attribute(f, "format", [b"a" * 9] * 5000, "S9", (5000,))),
        ("text-empty", "show", "not one text", lambda f: text_attribute(f, "format", h5py.Empty("S4"), "S4")),
        ("text-number", "show", "not a text", lambda f: text_attribute(f, "format", 7, u64)),
        ("text-variable", "show", "variable length",
         lambda f: text_attribute(f, "format", "auto", h5py.string_dtype("utf-8"))),
        ("rows-2e61", "documents", "not as many as its rows need", lambda f: whole_table(f, "documents", 1 << 61)),
        ("rows-2e40", "passages", "not as many as its rows need", lambda f: whole_table(f, "passages", 1 << 40)),
        ("rows-2e63", "passages", "more rows than fit", lambda f: whole_table(f, "passages", (1 << 63) - 1)),
        ("rows-plain", "files", "more rows than are stored",
         lambda f: [replace(f, f"files/{c}", shape=(1 << 40,), dtype=u64 if c != "path" else "S8") for c in list(f["files"])]),
        ("columns-differ", "passages", "not equally long",
         lambda f: replace(f, "passages/doc_b", data=np.zeros(rows + 3, u64), chunks=(rows + 3,))),
        ("column-short", "documents", "not equally long",
         lambda f: replace(f, "documents/file", data=np.zeros(docs - 1, u64), chunks=(docs - 1,))),
        ("text-for-number", "passages", "should be whole numbers",
         lambda f: replace(f, "passages/doc_a", data=np.array([b"1"] * rows, "S1"))),
        ("number-for-text", "documents", "should be texts", lambda f: replace(f, "documents/id", data=np.zeros(docs, u64))),
        ("real-for-number", "passages", "should be whole numbers",
         lambda f: replace(f, "passages/matched", data=np.zeros(rows, f64))),
        ("number-for-real", "passages", "should be real numbers",
         lambda f: replace(f, "passages/similarity", data=np.zeros(rows, u32))),
        ("variable-texts", "documents", "variable length",
         lambda f: replace(f, "documents/id", data=["x"] * docs, dtype=h5py.string_dtype("utf-8"))),
        ("two-dimensions", "passages", "not a list of values",
         lambda f: replace(f, "passages/doc_a", data=np.zeros((rows, 2), u64))),
        ("no-dimension", "passages", "not a list of values", lambda f: replace(f, "passages/doc_a", data=np.uint64(3))),
        ("compound", "passages", "neither numbers nor texts",
         lambda f: replace(f, "passages/doc_a", data=np.zeros(rows, [("a", u64), ("b", u64)]))),
        ("array-type", "passages", "neither numbers nor texts",
         lambda f: replace(f, "passages/doc_a", shape=(rows,), dtype=np.dtype((u64, (4,))))),
        ("enumeration", "passages", "neither numbers nor texts",
         lambda f: replace(f, "passages/doc_a", data=np.zeros(rows, u64), dtype=h5py.enum_dtype({"a": 0}, u64))),
        ("filter", "passages", "a filter that pardup does not use",
         lambda f: replace(f, "passages/doc_a", data=np.zeros(rows, u64), chunks=(rows,), compression="lzf")),
        ("external-text", "files", "in another file", lambda f: external(f, "files/path", folder)),
        ("external-number", "documents", "in another file", lambda f: external(f, "documents/offset", folder)),
        ("virtual", "documents", "in other datasets", lambda f: virtual(f, "documents/id", folder)),
        ("external-link", "documents", "is this a result", lambda f: link(f, "documents", h5py.ExternalLink(good, "documents"))),
        ("column-link", "documents", "is this a result",
         lambda f: link(f, "documents/id", h5py.ExternalLink(good, "documents/id"))),
        ("soft-link", "documents", "is this a result", lambda f: link(f, "documents/id", h5py.SoftLink("/files/path"))),
        ("soft-circle", "documents", "is this a result", lambda f: link(f, "documents", h5py.SoftLink("/documents"))),
        ("group-for-column", "documents", "is this a result",
         lambda f: [f.__delitem__("documents/id"), f.create_group("documents/id")]),
        ("column-for-table", "documents", "is this a result", lambda f: replace(f, "documents", data=np.zeros(docs, u64))),
        ("empty-table", "documents", "is this a result", lambda f: [f.__delitem__("documents"), f.create_group("documents")]),
        ("many-columns", "files", "too many columns",
         lambda f: [f.create_dataset(f"files/c{k}", data=np.zeros(f["files/path"].shape[0], u64)) for k in range(300)]),
        ("one-document", "passages", "/passages/doc_b names row 2000 of /documents",
         lambda f: f["passages/doc_b"].__setitem__(0, 2000)),
        ("no-family", "passages", "/passages/family names row", lambda f: f["passages/family"].__setitem__(0, 7)),
        ("no-member", "families", "/families/representative names row", lambda f: f["families/representative"].__setitem__(0, 99)),
        ("no-share", "passages", "a share that is not in [0, 1]", lambda f: f["passages/agreement"].__setitem__(0, np.inf)),
        ("not-a-share", "pairs", "a share that is not in [0, 1]", lambda f: f["pairs/coverage_a"].__setitem__(0, -.5)),
        ("no-resemblance", "pairs", "a share that is not in [0, 1]", lambda f: f["pairs/resemblance"].__setitem__(0, 4e181)),
        ("no-document", "passages", "names row", lambda f: f["passages/doc_b"].__setitem__(slice(None), 1 << 40)),
        ("no-document-shown", "show", "/passages/doc_b names row", lambda f: f["passages/doc_b"].__setitem__(slice(None), 1 << 40)),
        ("no-file", "show", "/documents/file names row", lambda f: f["documents/file"].__setitem__(slice(None), (1 << 64) - 1)),
        ("text-longer", "show", "-", lambda f: f["documents/text_bytes"].__setitem__(slice(None), 1 << 50)),
        ("offset", "show", "-", lambda f: f["documents/offset"].__setitem__(slice(None), (1 << 64) - 1)),
        ("skip", "show", "-", lambda f: f["documents/skip"].__setitem__(slice(None), (1 << 64) - 1)),
        ("backwards", "show", "ends before it begins", lambda f: f["passages/end_a"].__setitem__(slice(None), 0)),
        ("beyond", "show", "ends behind the text", lambda f: f["passages/end_a"].__setitem__(slice(None), (1 << 32) - 1)),
    ]


def main():
    result, folder = sys.argv[1:]
    good = os.path.join(folder, "good.h5")
    shutil.copyfile(result, good)
    with open(os.path.join(folder, SECRET), "wb") as f:
        f.write(b"the-secret-text\n" * 4096 + struct.pack("<Q", 0) * 512)
    for name, table, says, change in cases(folder):
        path = os.path.join(folder, name + ".h5")
        shutil.copyfile(good, path)
        with h5py.File(path, "r+") as f:
            change(f)
        print(f"{name}\t{table}\t{says}")


if __name__ == "__main__":
    main()
