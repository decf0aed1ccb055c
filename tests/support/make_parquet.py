#!/usr/bin/env python3
"""Write the objects of JSON lines as a Parquet file, without a library, in any of the ways that pardup reads.

usage: make_parquet.py [options] LINES.jsonl OUT.parquet

A column is made for each field of the first object that is no list or object. --nested adds a column of lists, compressed by
LZO, that has no pages, and --lists the column "marks", whose lists are made from the number of the row: marks() says how.
A field of an object becomes the column object.field, in an optional group."""
import argparse
import gzip
import json
import struct
import zlib

CODECS = {"none": 0, "snappy": 1, "gzip": 2, "lzo": 3, "brotli": 4, "lz4": 5, "zstd": 6, "lz4-raw": 7}
PLAIN, DICTIONARY, RLE, DELTA, DELTA_LENGTH, DELTA_STRINGS, INDICES = 0, 2, 3, 5, 6, 7, 8
BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTES, FIXED = range(8)
TYPES = {"boolean": BOOLEAN, "int32": INT32, "int64": INT64, "uint64": INT64, "float": FLOAT, "double": DOUBLE, "string": BYTES,
         "fixed": FIXED}


# ---- Thrift ----

def varint(x):
    out = b""
    while x > 127:
        out += bytes([x & 127 | 128])
        x >>= 7
    return out + bytes([x])


def zigzag(x):
    return varint((x << 1) ^ (x >> 63) if x < 0 else x << 1)


def thrift_list(item, items):
    n = len(items)
    return (bytes([n << 4 | item]) if n < 15 else bytes([0xF0 | item]) + varint(n)) + b"".join(items)


def fields(*values):
    """A struct: (number, type, bytes) each; type 1 is true, 2 false, with no bytes."""
    out, last = b"", 0
    for number, kind, value in values:
        out += bytes([(number - last) << 4 | kind]) + value
        last = number
    return out + b"\0"


def i32(number, x):
    return number, 5, zigzag(x)


def i64(number, x):
    return number, 6, zigzag(x)


def text(number, s):
    return number, 8, varint(len(s.encode())) + s.encode()


# ---- what values mean ----

def logical(number, *inside):
    return 10, 12, fields((number, 12, fields(*inside)))


def moment(number, utc, unit):
    return logical(number, (1, 1 if utc else 2, b""), (2, 12, fields((unit, 12, fields()))))


MEANINGS = {"date": (INT32, 0, [i32(6, 6)]), "day": (INT32, 0, [logical(6)]), "ms": (INT64, 0, [i32(6, 9)]),
            "utc-us": (INT64, 0, [moment(8, True, 2)]), "local-ns": (INT64, 0, [moment(8, False, 3)]),
            "time-us": (INT64, 0, [i32(6, 8)]), "time-ms": (INT32, 0, [moment(7, True, 1)]),
            "cents": (INT32, 0, [i32(6, 5), i32(7, 2), i32(8, 9)]), "decimal": (FIXED, 16, [logical(5, i32(1, 10), i32(2, 38))]),
            "uuid": (FIXED, 16, [logical(14)]), "half": (FIXED, 2, [logical(15)]), "interval": (FIXED, 12, [i32(6, 21)]),
            "int96": (INT96, 0, []), "huge": (FIXED, 40, [logical(5, i32(1, 3), i32(2, 90))]),
            "odd": (FIXED, 5, [logical(14)])}  # a UUID of five bytes is none
TYPES.update({name: kind for name, (kind, _, _) in MEANINGS.items()})


# ---- compression ----

def snappy(data):
    """Literals, and copies of four bytes or more."""
    out, seen, k, begun = varint(len(data)), {}, 0, 0

    def literal(part):
        for at in range(0, len(part), 60):
            piece = part[at:at + 60]
            yield bytes([(len(piece) - 1) << 2]) + piece

    while k + 4 <= len(data):
        key = data[k:k + 4]
        before = seen.get(key, -1)
        seen[key] = k
        if before < 0 or k - before > 65535:
            k += 1
            continue
        n = 4
        while n < 64 and k + n < len(data) and data[before + n] == data[k + n]:
            n += 1
        out += b"".join(literal(data[begun:k]))
        back = k - before
        if n < 12 and back < 2048:
            out += bytes([1 | (n - 4) << 2 | back >> 8 << 5, back & 255])
        else:
            out += bytes([2 | (n - 1) << 2]) + struct.pack("<H", back)
        k += n
        begun = k
    return out + b"".join(literal(data[begun:]))


def zstd(data):
    """A frame of blocks that are not compressed."""
    most = 100000
    blocks = [data[k:k + most] for k in range(0, len(data), most)] or [b""]
    out = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data))
    for k, block in enumerate(blocks):
        out += struct.pack("<I", len(block) << 3 | (k + 1 == len(blocks)))[:3] + block
    return out


def brotli(data):
    """A stream of blocks that are not compressed: the window 2^16 is a bit, a block's head has 24."""
    out, most = bytearray(), 65536
    for k in range(0, len(data), most):
        block = data[k:k + most]
        head = (len(block) - 1) << 3 | 1 << 19
        bits = head << 1 if k == 0 else head
        out += bits.to_bytes(3, "little") + block
    return bytes(out) + (b"\3" if out else b"\6")


def lz4_raw(data):
    """Literals only: four bits of their number, and bytes of 255 for the rest."""
    n = len(data)
    return bytes([min(n, 15) << 4]) + (b"\xff" * ((n - 15) // 255) + bytes([(n - 15) % 255]) if n >= 15 else b"") + data


def lz4(data):
    """Blocks as Hadoop writes them."""
    blocks = (data[k:k + 300] for k in range(0, len(data), 300))
    return b"".join(struct.pack(">II", len(b), len(lz4_raw(b))) + lz4_raw(b) for b in blocks)


PACK = {"lz4": lz4, "lz4-raw": lz4_raw, "none": bytes, "snappy": snappy, "zstd": zstd, "lzo": bytes, "brotli": brotli,
        "gzip": lambda data: gzip.compress(data, 6, mtime=0)}


# ---- numbers ----

def packed(values, width):
    bits = sum(v << width * k for k, v in enumerate(values))
    return bits.to_bytes((len(values) * width + 7) // 8, "little")


def hybrid(values, width):
    """Runs of eight equal numbers or more, and groups of eight others."""
    out, k = b"", 0
    while k < len(values):
        n = 1
        while k + n < len(values) and values[k + n] == values[k]:
            n += 1
        if n >= 8 or k + n == len(values):
            out += varint(n << 1) + values[k].to_bytes((width + 7) // 8, "little")
        else:
            group = values[k:k + 8]
            n = len(group)
            out += varint(1 << 1 | 1) + packed(group + [0] * (8 - n), width)
        k += n
    return out


def delta(values):
    out = varint(128) + varint(4) + varint(len(values)) + zigzag(values[0] if values else 0)
    steps = [b - a for a, b in zip(values, values[1:])]
    for at in range(0, len(steps), 128):
        block = steps[at:at + 128]
        least = min(block)
        minis = [block[k:k + 32] for k in range(0, 128, 32)]
        widths = [max((s - least).bit_length() for s in mini) if mini else 0 for mini in minis]
        out += zigzag(least) + bytes(widths)
        for mini, width in zip(minis, widths):
            if mini:
                out += packed([s - least for s in mini] + [0] * (32 - len(mini)), width)
    return out


# ---- pages ----

def plain(kind, values):
    if kind == BOOLEAN:
        return packed([int(v) for v in values], 1)
    if kind == FIXED:
        return b"".join(bytes.fromhex(v[2:]) if v[:2] == "0x" else v.encode()[:4].ljust(4) for v in values)
    if kind == INT96:
        return b"".join(bytes.fromhex(v[2:]) for v in values)
    if kind == BYTES:
        return b"".join(struct.pack("<I", len(v.encode())) + v.encode() for v in values)
    form = {INT32: "<i", INT64: "<q", FLOAT: "<f", DOUBLE: "<d"}[kind]
    return b"".join(struct.pack(form, v - (1 << 64) if kind == INT64 and v >> 63 > 0 else v) for v in values)


def encoded(kind, encoding, values, dictionary):
    if encoding in (DICTIONARY, INDICES):
        width = max(len(dictionary) - 1, 0).bit_length()
        return bytes([width]) + hybrid([dictionary[v] for v in values], width)
    if encoding == DELTA:
        return delta(values)
    if encoding == RLE:
        runs = hybrid([int(v) for v in values], 1)
        return struct.pack("<I", len(runs)) + runs
    raw = [v.encode() for v in values] if kind == BYTES else values
    if encoding == DELTA_LENGTH:
        return delta([len(v) for v in raw]) + b"".join(raw)
    if encoding == DELTA_STRINGS:
        prefixes, last = [], b""
        for v in raw:
            n = 0
            while n < min(len(v), len(last)) and v[n] == last[n]:
                n += 1
            prefixes.append(n)
            last = v
        rest = [v[n:] for v, n in zip(raw, prefixes)]
        return delta(prefixes) + delta([len(v) for v in rest]) + b"".join(rest)
    return plain(kind, values)


class Column:
    def __init__(self, name, kind, levels, o):
        self.name, self.kind, self.levels, self.o = name, kind, levels, o
        self.encoding = {"plain": PLAIN, "dictionary": INDICES, "old-dictionary": DICTIONARY, "delta": DELTA_STRINGS,
                         "delta-length": DELTA_LENGTH}[o.encoding]
        if self.encoding in (DELTA_STRINGS, DELTA_LENGTH) and kind != BYTES:
            self.encoding = {INT32: DELTA, INT64: DELTA, BOOLEAN: RLE}.get(kind, PLAIN)
        if kind == BOOLEAN and self.encoding in (INDICES, DICTIONARY):
            self.encoding = PLAIN

    def page(self, kind, number, head, body, levels=b""):
        stored = levels + PACK[self.o.codec](body) if self.o.page == 2 and kind else PACK[self.o.codec](body)
        crc = zlib.crc32(stored) ^ (1 if self.o.wrong_crc else 0)
        crc -= (crc >> 31) << 32
        sums = [] if self.o.no_crc else [i32(4, crc)]
        return fields(i32(1, kind), i32(2, len(levels) + len(body)), i32(3, len(stored)), *sums, (number, 12, head)) + stored

    def data_page(self, values, levels, dictionary):
        there = [v for v in values if v is not None]
        body = encoded(self.kind, self.encoding, there, dictionary)
        width = self.levels.bit_length()
        levels = hybrid(levels, width) if self.levels else b""
        if self.o.page == 2:
            return self.page(3, 8, fields(i32(1, len(values)), i32(2, len(values) - len(there)), i32(3, len(values)),
                                          i32(4, self.encoding), i32(5, len(levels)), i32(6, 0), (7, 1, b"")), body, levels)
        if self.levels:
            body = struct.pack("<I", len(levels)) + levels + body
        return self.page(0, 5, fields(i32(1, len(values)), i32(2, self.encoding), i32(3, RLE), i32(4, RLE)), body)

    def chunk(self, rows, at):
        """(bytes, metadata) of the column of a row group that begins at byte `at`."""
        values, levels = zip(*[value_of(row, self.name) for row in rows])
        dictionary, out, data_at = {}, b"", at
        if self.encoding in (DICTIONARY, INDICES):
            for v in values:
                if v is not None:
                    dictionary.setdefault(v, len(dictionary))
            out = self.page(2, 7, fields(i32(1, len(dictionary)), i32(2, PLAIN)), plain(self.kind, list(dictionary)))
            data_at += len(out)
        for k in range(0, len(values), self.o.page_rows):
            to = k + self.o.page_rows
            out += self.data_page(values[k:to], list(levels[k:to]), dictionary)
        path = thrift_list(8, [varint(len(p.encode())) + p.encode() for p in self.name.split(".")])
        numbers = [i32(1, self.kind), (2, 9, thrift_list(5, [zigzag(self.encoding)])), (3, 9, path),
                   i32(4, CODECS[self.o.codec]), i64(5, len(values)), i64(6, len(out)), i64(7, len(out)), i64(9, data_at)]
        if dictionary:
            numbers.append(i64(11, at))
        secret = [(8, 12, fields((1, 12, fields())))] if self.name == self.o.encrypt else []
        return out, fields(i64(2, at), (3, 12, fields(*numbers)), *secret)

    def schema(self):
        if self.o.types.get(self.name) in MEANINGS:
            _, size, means = MEANINGS[self.o.types[self.name]]
            return fields(i32(1, self.kind), *([i32(2, size)] if size else []), i32(3, min(self.levels, 1)),
                          text(4, self.name.split(".")[-1]), *means)
        converted = [i32(6, 14)] if self.o.types.get(self.name) == "uint64" else [i32(6, 0)] if self.kind == BYTES else []
        size = [i32(2, 4)] if self.kind == FIXED else []
        return fields(i32(1, self.kind), *size, i32(3, min(self.levels, 1)), text(4, self.name.split(".")[-1]), *converted)


def marks(number):
    """The list of a row: null, empty, or of strings and nulls."""
    if number % 7 == 3:
        return None
    return [None if k % 4 == 1 else f"m{number}-{k}" * (k % 3) for k in range(number % 6)]


class ListColumn(Column):
    """The column "marks" of rows that are numbers."""

    def __init__(self, o):
        super().__init__("marks.list.element", BYTES, 3, o)
        self.encoding = PLAIN

    def list_page(self, rows):
        repeats, levels, there = [], [], []
        for items in map(marks, rows):
            repeats += [0] + [1] * (len(items or []) - 1)
            levels += [0] if items is None else [2 + (v is not None) for v in items] or [1]
            there += [v for v in items or [] if v is not None]
        repeated, defined, body = hybrid(repeats, 1), hybrid(levels, 2), plain(BYTES, there)
        if self.o.page == 2:
            head = fields(i32(1, len(levels)), i32(2, len(levels) - len(there)), i32(3, len(rows)), i32(4, PLAIN),
                          i32(5, len(defined)), i32(6, len(repeated)), (7, 1, b""))
            return len(levels), self.page(3, 8, head, body, repeated + defined)
        body = b"".join(struct.pack("<I", len(part)) + part for part in (repeated, defined)) + body
        return len(levels), self.page(0, 5, fields(i32(1, len(levels)), i32(2, PLAIN), i32(3, RLE), i32(4, RLE)), body)

    def chunk(self, rows, at):
        pages = [self.list_page(rows[k:k + self.o.page_rows]) for k in range(0, len(rows), self.o.page_rows)]
        n, out = sum(n for n, _ in pages), b"".join(page for _, page in pages)
        path = thrift_list(8, [varint(len(p)) + p for p in (b"marks", b"list", b"element")])
        return out, fields(i64(2, at), (3, 12, fields(i32(1, BYTES), (2, 9, thrift_list(5, [zigzag(PLAIN)])), (3, 9, path),
                                                      i32(4, CODECS[self.o.codec]), i64(5, n), i64(6, len(out)),
                                                      i64(7, len(out)), i64(9, at))))


def nested_chunk(rows, at):
    """A chunk of a column of lists, which pardup passes: only its first byte is a page's."""
    out = b"\x15, but not a page"
    return out, fields(i64(2, at), (3, 12, fields(i32(1, BYTES), (2, 9, thrift_list(5, [zigzag(PLAIN)])),
                                                  (3, 9, thrift_list(8, [b"\4list", b"\7element"])), i32(4, 3), i64(5, rows),
                                                  i64(6, len(out)), i64(7, len(out)), i64(9, at))))


def value_of(row, name):
    """The value, and how many of the fields on the way to it are not null."""
    level = 0
    for part in name.split("."):
        row = row.get(part)
        if row is None:
            break
        level += 1
    return row, level


def flat(row):
    for name, value in row.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{inner}", 2) for inner in value)
        elif not isinstance(value, list):
            yield name, 1


def write(rows, o):
    columns = []
    for name, levels in flat(rows[0]):
        kind = TYPES[o.types.get(name, "string")]
        columns.append(Column(name, kind, 0 if o.required and levels == 1 else levels, o))
    out, groups = b"PAR1", []
    for at in range(0, len(rows), o.group_rows):
        part, chunks, begun = rows[at:at + o.group_rows], [], len(out)
        if o.nested:
            pages, meta = nested_chunk(len(part), len(out))
            out += pages
            chunks.append(meta)
        for c in columns:
            pages, meta = c.chunk(part, len(out))
            out += pages
            chunks.append(meta)
        if o.lists:
            pages, meta = ListColumn(o).chunk(range(at, at + len(part)), len(out))
            out += pages
            chunks.append(meta)
        groups.append(fields((1, 9, thrift_list(12, chunks)), i64(2, len(out) - begun), i64(3, len(part))))
    schema = []
    if o.nested:
        schema += [fields(i32(3, 1), text(4, "tags"), i32(5, 1)), fields(i32(3, 2), text(4, "list"), i32(5, 1)),
                   fields(i32(1, BYTES), i32(3, 1), text(4, "element"))]
    tops = (["tags"] if o.nested else []) + list(dict.fromkeys(c.name.split(".")[0] for c in columns))
    for top in tops[1 if o.nested else 0:]:
        inside = [c for c in columns if c.name.startswith(top + ".")]
        if inside:
            schema.append(fields(i32(3, 1), text(4, top), i32(5, len(inside))))
        schema += [c.schema() for c in inside or [c for c in columns if c.name == top]]
    if o.lists:
        schema += [fields(i32(3, 1), text(4, "marks"), i32(5, 1)), fields(i32(3, 2), text(4, "list"), i32(5, 1)),
                   fields(i32(1, BYTES), i32(3, 1), text(4, "element"))]
    root = fields(text(4, "schema"), i32(5, len(tops) + o.lists))
    footer = fields(i32(1, 2), (2, 9, thrift_list(12, [root, *schema])), i64(3, len(rows)), (4, 9, thrift_list(12, groups)),
                    text(6, "make_parquet.py"))
    return out + footer + struct.pack("<I", len(footer)) + b"PAR1"


def options(arguments=None):
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--codec", choices=CODECS, default="none")
    p.add_argument("--page", type=int, choices=(1, 2), default=1, help="version of data pages")
    p.add_argument("--encoding", default="plain", choices=("plain", "dictionary", "old-dictionary", "delta", "delta-length"))
    p.add_argument("--group-rows", type=int, default=1 << 30)
    p.add_argument("--page-rows", type=int, default=1000)
    p.add_argument("--type", action="append", default=[], help="NAME=TYPE; string by default")
    p.add_argument("--required", action="store_true", help="columns have no nulls")
    p.add_argument("--nested", action="store_true", help="add a column of lists that is not read")
    p.add_argument("--lists", action="store_true", help="add a column of lists")
    p.add_argument("--encrypt", help="say that this column is encrypted")
    p.add_argument("--wrong-crc", action="store_true", help="checksums do not fit")
    p.add_argument("--no-crc", action="store_true", help="no checksums")
    p.add_argument("lines")
    p.add_argument("out")
    o = p.parse_args(arguments)
    o.types = dict(t.split("=") for t in o.type)
    return o


def main():
    o = options()
    with open(o.lines, encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    with open(o.out, "wb") as f:
        f.write(write(rows, o))


if __name__ == "__main__":
    main()
