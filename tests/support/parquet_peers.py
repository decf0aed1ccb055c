#!/usr/bin/env python3
"""Compare pardup with pyarrow and duckdb: parquet_peers.py PARDUP, in a folder where files may be made.

pyarrow and duckdb write files of many kinds, whose documents must be those of the same JSON lines. make_parquet.py writes
files that pyarrow must read as they were meant. Tables of a result, exported as Parquet, must be for both peers what the
same tables are as JSON lines."""
import itertools
import json
import math
import pathlib
import random
import subprocess
import sys

import duckdb
import pyarrow
import pyarrow.parquet

PARDUP = sys.argv[1]
MAKE = pathlib.Path(__file__).with_name("make_parquet.py")
WORDS = ["rain", "wind", "é", "雨", "x" * 40, "stops", "the"]
TABLES = "passages pairs documents families members files common skipped".split()
files = 0


def say(*arguments):
    return subprocess.run([PARDUP, *arguments], check=True, capture_output=True).stdout


def documents(path):
    """The sentences of the file; an id that is a place becomes a question mark."""
    lines = [json.loads(line) for line in say("sentences", "--quiet", path).splitlines()]
    return [(l["doc"] if l["doc"].lstrip("-").replace("d", "").isdigit() else "?", l["words"]) for l in lines]


def same(what, got, want):
    global files
    files += 1
    if got != want:
        sys.exit(f"{what}: differs")


def make_rows(n):
    rows = []
    for k in range(n):
        text = " ".join(random.choice(WORDS) for _ in range(random.randrange(60))) + f" {k}."
        rows.append({"id": k, "text": None if k % 50 == 7 else rows[k // 2]["text"] if k % 9 == 8 else text,
                     "url": None if k % 11 == 3 else f"http://h{k % 5}.org/{k}", "tags": [k, 1], "meta": {"n": k}})
    return rows


def pyarrow_files(rows, want):
    for kind in (pyarrow.int64(), pyarrow.int32(), pyarrow.uint16(), pyarrow.string()):
        table = pyarrow.Table.from_pylist(rows)
        table = table.set_column(0, "id", pyarrow.array([r["id"] for r in rows]).cast(kind))
        for codec, version, dictionary in itertools.product(("NONE", "SNAPPY", "GZIP", "ZSTD"), ("1.0", "2.0"), (True, False)):
            pyarrow.parquet.write_table(table, "a.parquet", compression=codec, data_page_version=version,
                                        use_dictionary=dictionary, row_group_size=random.choice([100, 700, 9000]),
                                        data_page_size=random.choice([500, 1 << 20]))
            same(f"pyarrow {kind} {codec} {version} {dictionary}", documents("a.parquet"), want)
        for encoding in ("DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"):
            columns = {"text": encoding, "url": encoding}
            if pyarrow.types.is_signed_integer(kind):
                columns["id"] = "DELTA_BINARY_PACKED"
            pyarrow.parquet.write_table(table, "a.parquet", use_dictionary=False, column_encoding=columns, row_group_size=700,
                                        data_page_size=2000, write_page_checksum=True)
            same(f"pyarrow {kind} {encoding}", documents("a.parquet"), want)


def duckdb_files(want):
    for codec, rows in itertools.product(("uncompressed", "snappy", "gzip", "zstd"), (2048, 100000)):
        duckdb.sql("copy (select * from read_json('rows.jsonl')) to 'd.parquet' "
                   f"(format parquet, compression {codec}, row_group_size {rows})")
        same(f"duckdb {codec} {rows}", documents("d.parquet"), want)


def own_files(rows):
    for codec, page, encoding in itertools.product(("none", "snappy", "gzip", "zstd"), "12",
                                                   ("plain", "dictionary", "old-dictionary", "delta", "delta-length")):
        subprocess.run([sys.executable, MAKE, "--codec", codec, "--page", page, "--encoding", encoding, "--type", "id=int64",
                        "--type", "meta.n=int64", "--group-rows", "170", "--page-rows", "33", "few.jsonl", "m.parquet"], check=True)
        got = pyarrow.parquet.read_table("m.parquet", columns=["id", "text", "url"]).to_pylist()
        same(f"make_parquet.py {codec} {page} {encoding}", got, [{k: r[k] for k in ("id", "text", "url")} for r in rows])


def plain(rows):
    return [{k: None if isinstance(v, float) and math.isnan(v) else v for k, v in row.items()} for row in rows]


def tables():
    say("detect", "--quiet", "--gamma", "1", "-o", "r.h5", "rows.jsonl")
    for table in TABLES:
        say("export", "--table", table, "--format", "parquet", "-o", "t.parquet", "r.h5")
        want = [json.loads(line) for line in say("export", "--table", table, "--format", "jsonl", "r.h5").splitlines()]
        same(f"export of {table}, pyarrow", plain(pyarrow.parquet.read_table("t.parquet").to_pylist()), want)
        read = duckdb.sql("select * from read_parquet('t.parquet')")
        same(f"export of {table}, duckdb", plain([dict(zip(read.columns, row)) for row in read.fetchall()]), want)


def main():
    random.seed(1)
    rows = make_rows(2500)
    for name, part in (("rows.jsonl", rows), ("few.jsonl", rows[:400])):
        with open(name, "w", encoding="utf-8") as f:
            f.writelines(json.dumps(row) + "\n" for row in part)
    want = documents("rows.jsonl")
    pyarrow_files(rows, want)
    duckdb_files(want)
    own_files(rows[:400])
    tables()
    print(f"{files} files the same")


if __name__ == "__main__":
    main()
