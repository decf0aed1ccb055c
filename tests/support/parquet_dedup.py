#!/usr/bin/env python3
"""Compare dedup over Parquet with pyarrow: parquet_dedup.py PARDUP, in a folder where files may be made.

pyarrow writes files of many kinds with columns of many types. What dedup makes of them must have the schema and the metadata
of the input, and the rows that dedup leaves of the same documents as JSON lines, with all other values as they were."""
import datetime
import decimal
import itertools
import json
import math
import random
import subprocess
import sys

import duckdb
import pyarrow
import pyarrow.parquet as parquet

PARDUP = sys.argv[1]
SCHEMA = pyarrow.schema(
    [pyarrow.field("id", pyarrow.string(), nullable=False), ("small", pyarrow.int32()), ("large", pyarrow.uint64()),
     ("half", pyarrow.float32()), ("score", pyarrow.float64()), ("flag", pyarrow.bool_()),
     pyarrow.field("sure", pyarrow.bool_(), nullable=False), ("text", pyarrow.string()), ("raw", pyarrow.binary()),
     ("few", pyarrow.string()), ("day", pyarrow.date32()), ("time", pyarrow.timestamp("us", "UTC")),
     ("price", pyarrow.decimal128(20, 3)), ("hash", pyarrow.binary(5)), ("none", pyarrow.string()),
     ("meta", pyarrow.struct([("a", pyarrow.int64()), ("b", pyarrow.struct([("c", pyarrow.string())]))])),
     ("tags", pyarrow.list_(pyarrow.string())), ("vector", pyarrow.list_(pyarrow.float32())),
     pyarrow.field("codes", pyarrow.list_(pyarrow.field("element", pyarrow.int64(), nullable=False)), nullable=False),
     ("counts", pyarrow.map_(pyarrow.string(), pyarrow.int64())), ("table", pyarrow.list_(pyarrow.list_(pyarrow.bool_()))),
     ("turns", pyarrow.list_(pyarrow.struct([("role", pyarrow.int32()), ("parts", pyarrow.list_(pyarrow.string()))])))],
    metadata={b"huggingface": b'{"x": "\xc3\xa9"}', b"empty": b""})
FIRST = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)


def said(first, end):
    return " ".join(f"Sentence number w{k} speaks of x{k} and é{k} in its own words." for k in range(first, end))


def maybe(rng, value):
    return None if rng.random() < 0.2 else value


def some(rng, make, most=5):
    return maybe(rng, [maybe(rng, make()) for _ in range(rng.randrange(most))])


def nested(rng):
    return {"tags": some(rng, lambda: rng.choice(["a", "bb", ""]) * rng.randrange(40)), "vector": some(rng, lambda: 0.5, 40),
            "codes": [rng.randrange(9) for _ in range(rng.randrange(300))],
            "counts": maybe(rng, [(str(k), maybe(rng, k)) for k in range(rng.randrange(4))]),
            "table": some(rng, lambda: [maybe(rng, rng.random() < 0.5) for _ in range(rng.randrange(20))]),
            "turns": some(rng, lambda: {"role": maybe(rng, 3), "parts": some(rng, lambda: "q" * rng.randrange(3))})}


def make_rows(rng, n):
    rows = []
    for k in range(n):
        text = said(20 * k, 20 * k + 12)
        if rng.random() < 0.2 and k:
            text = rows[rng.randrange(k)]["text"]
        elif rng.random() < 0.3 and k:
            j = 20 * rng.randrange(k)
            text += " " + said(j, j + 8)
        rows.append({"id": f"d{k}", "small": maybe(rng, rng.randrange(-9, 9)), "large": maybe(rng, rng.randrange(1 << 64)),
                     "half": maybe(rng, rng.choice([0.5, -1.25, math.inf])), "score": maybe(rng, rng.random()),
                     "flag": maybe(rng, rng.random() < 0.5), "sure": rng.random() < 0.5, "text": maybe(rng, text),
                     "raw": maybe(rng, rng.randbytes(rng.randrange(30))), "few": maybe(rng, rng.choice(["a", "bb", "", "c" * 300])),
                     "day": maybe(rng, datetime.date(2000, 1, 1) + datetime.timedelta(rng.randrange(9999))),
                     "time": maybe(rng, FIRST + datetime.timedelta(seconds=rng.randrange(1 << 30))),
                     "price": maybe(rng, decimal.Decimal(rng.randrange(-10**9, 10**9)) / 1000),
                     "hash": maybe(rng, rng.randbytes(5)), "none": None,
                     "meta": maybe(rng, {"a": maybe(rng, k), "b": maybe(rng, {"c": maybe(rng, "c" * (k % 5))})}),
                     **nested(rng)})
    return rows


def run(*arguments):
    done = subprocess.run([PARDUP, *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"pardup {' '.join(arguments)}: {done.stderr}")


def fail(what):
    sys.exit(f"{what}: differs")


def judge(what, rows, path, made, left):
    """`left`: the texts of documents that stay, by id."""
    want = [dict(row, text=left.get(row["id"])) for row in rows if row["text"] is None or row["id"] in left]
    before, after = parquet.ParquetFile(path), parquet.ParquetFile(made)
    if not before.schema.equals(after.schema) or before.schema_arrow.metadata != after.schema_arrow.metadata or \
            before.metadata.metadata != after.metadata.metadata or before.metadata.created_by != after.metadata.created_by:
        fail(f"{what}: the schema")
    stays = pyarrow.array([row["text"] is None or row["id"] in left for row in rows])
    table = before.read().filter(stays).set_column(7, "text", pyarrow.array([row["text"] for row in want], pyarrow.string()))
    if after.metadata.num_rows != len(want) or after.read().to_pydict() != table.to_pydict():
        fail(f"{what}: the rows")
    codecs = {g: after.metadata.row_group(g).column(7).compression for g in range(after.metadata.num_row_groups)}
    codec = before.metadata.row_group(0).column(7).compression
    if set(codecs.values()) - {codec, "ZSTD" if codec in ("SNAPPY", "LZ4") else codec}:
        fail(f"{what}: the compression {codecs}")
    read = duckdb.sql(f"select id, text, small, large, tags, codes, turns from '{made}'").fetchall()
    if read != [tuple(r[name] for name in ("id", "text", "small", "large", "tags", "codes", "turns")) for r in want]:
        fail(f"{what}: the rows, for duckdb")
    return len(want) < len(rows) and any(row["id"] in left and left[row["id"]] != row["text"] for row in rows)


def main():
    changed = files = 0
    kinds = itertools.product(("NONE", "SNAPPY", "GZIP", "ZSTD", "LZ4"), (True, False), (7, 100000))
    deltas = {"id": "DELTA_BYTE_ARRAY", "small": "DELTA_BINARY_PACKED"}
    for number, (codec, dictionary, group) in enumerate(kinds):
        rng = random.Random(number)
        version = rng.choice(["1.0", "2.0"])
        rows = make_rows(rng, 60)
        table = pyarrow.Table.from_pylist(rows, schema=SCHEMA)
        parquet.write_table(table, "a.parquet", compression=codec, data_page_version=version, use_dictionary=dictionary,
                            row_group_size=group, data_page_size=rng.choice([500, 1 << 20]), write_page_index=number % 3 == 0,
                            column_encoding=None if dictionary or group == 7 else deltas,
                            use_deprecated_int96_timestamps=number % 5 == 0)
        with open("a.jsonl", "w", encoding="utf-8") as out:
            for row in rows:
                if row["text"] is not None:
                    out.write(json.dumps({"id": row["id"], "text": row["text"]}) + "\n")
        for name in ("a.parquet", "a.jsonl"):
            subprocess.run(["rm", "-rf", f"{name}.new", f"{name}.new.proof", f"{name}.h5"], check=True)
            run("detect", "--quiet", "-o", f"{name}.h5", name)
            run("dedup", "-o", f"{name}.new", f"{name}.h5")
        with open("a.jsonl.new/a.jsonl", encoding="utf-8") as lines:
            left = {r["id"]: r["text"] for r in map(json.loads, lines)}
        changed += judge(f"{codec} {version} {dictionary} {group}", rows, "a.parquet", "a.parquet.new/a.parquet", left)
        files += 1
    parquet.write_table(table, "b.parquet", use_dictionary=False, column_encoding={"half": "BYTE_STREAM_SPLIT"})
    run("detect", "--quiet", "-o", "b.h5", "b.parquet")
    done = subprocess.run([PARDUP, "dedup", "-o", "b.new", "b.h5"], capture_output=True, text=True)
    if done.returncode != 1 or 'column "half" has values of an encoding' not in done.stderr:
        fail(f"an encoding that is not read: {done.stderr}")
    if changed < files / 2:
        sys.exit(f"only {changed} files lost rows and texts")
    print(f"{files} files are right")


main()
