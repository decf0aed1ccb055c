"""Read results of pardup: passages, documents and families as data frames, and the text of a passage.

    import pardup
    result = pardup.Result("out.h5")
    passages = result.passages()            # with the ids of both documents
    text_a, text_b = result.passage_text(0) # of row 0

Needs h5py. Tables are pandas data frames; without pandas they are dicts of arrays. Texts are read from the
input files of the job, without the program: plain text in UTF-8 and JSON lines, each plain, gzip or zstd
(zstd needs the module zstandard). Texts of other formats are what `pardup text --doc ID INPUT` prints.
"""
import gzip
import io
import json
import pathlib

import h5py

try:
    import pandas
except ImportError:
    pandas = None


class Result:
    """A result file; close() it, or use it in a `with` statement."""

    def __init__(self, path):
        self.file = h5py.File(path, "r")
        self.settings = {name: value.decode() if isinstance(value, bytes) else value for name, value in self.file.attrs.items()}

    def close(self):
        self.file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def column(self, table, name):
        """A column of a table as an array; text as str."""
        column = self.file[table][name]
        return column.asstr(errors="replace")[:] if h5py.check_string_dtype(column.dtype) else column[:]

    def columns(self, table):
        return {name: self.column(table, name) for name in self.file[table]}

    def table(self, table):
        """A whole table, such as "pairs"; docs/result-file.md lists tables and columns."""
        return _frame(self.columns(table))

    def passages(self):
        """/passages with id_a and id_b."""
        rows = self.columns("passages")
        ids = self.column("documents", "id")
        sources = self.column("sources", "id") if "sources" in self.file else ids
        return _frame({"id_a": ids[rows["doc_a"]], "id_b": sources[rows["doc_b"]], **rows})

    def documents(self):
        """/documents with the path of each document's file."""
        rows = self.columns("documents")
        return _frame({**rows, "path": self.column("files", "path")[rows["file"]]})

    def families(self):
        """Places that are copies of one text: /members with the id of each document and the size of its family.

        In a result of check a place may be in a source: then doc is -1, and source is a row of /sources.
        """
        rows = self.columns("members")
        ids = self.column("documents", "id")[rows["doc"]]
        if "sources" in self.file:
            of_source = rows["source"] >= 0
            ids[of_source] = self.column("sources", "id")[rows["source"][of_source]]
        return _frame({"id": ids, **rows,
                       "members": self.column("families", "members")[rows["family"]],
                       "words": self.column("families", "words")[rows["family"]]})

    def text(self, document, table="documents"):
        """The text of a document, a row of /documents or /sources, as bytes: offsets count in them."""
        row = {name: self.file[table][name][document] for name in ("file", "offset", "skip", "length", "text_bytes")}
        files = "source_files" if table == "sources" else "files"
        path = pathlib.Path(self.settings.get("directory", "."), self.file[files]["path"].asstr()[row["file"]])
        with open(path, "rb") as stored:
            stored.seek(int(row["offset"]))
            stream = _unpacked(stored)
            stream.read(int(row["skip"]))
            record = stream.readline()
            object_of = _json_object(record)
            if object_of is None:
                text = record + stream.read()
            else:
                for name in self.settings.get("text_field", "text").split("."):
                    object_of = object_of[name]
                text = object_of.encode()
        if len(text) != row["text_bytes"]:
            raise ValueError(f"{path}: neither plain text nor JSON lines, or it has changed: ask pardup text --doc ID")
        return text

    def passage_text(self, passage):
        """The texts of a passage, a row of /passages, in both documents."""
        row = {name: int(self.file["passages"][name][passage]) for name in
               ("doc_a", "doc_b", "begin_a", "end_a", "begin_b", "end_b")}
        tables = "documents", "sources" if "sources" in self.file else "documents"
        return tuple(self.text(row["doc_" + side], table)[row["begin_" + side]:row["end_" + side]].decode(errors="replace")
                     for side, table in zip("ab", tables))


def _frame(columns):
    return pandas.DataFrame(columns) if pandas else columns


def _json_object(line):
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _unpacked(stored):
    """The stream behind the place where `stored` is, unpacked if it is gzip or zstd."""
    first = stored.read(4)
    stored.seek(-len(first), io.SEEK_CUR)
    if first[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=stored)
    if first == b"\x28\xb5\x2f\xfd":
        import zstandard
        return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(stored, read_across_frames=True))
    return stored
