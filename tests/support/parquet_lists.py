#!/usr/bin/env python3
"""Print the lists of a column of a Parquet file, a row a line: parquet_lists.py FILE.parquet.

Reads what make_parquet.py --lists and dedup write: the last column, not compressed, PLAIN, pages of version 1 or 2."""
import json
import struct
import sys

STRUCT, LIST, BYTES = 12, 9, 8


class Thrift:
    def __init__(self, data, at):
        self.data, self.at = data, at

    def varint(self):
        x = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            x |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return x

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind == STRUCT:
            return self.struct()
        if kind == BYTES:
            n = self.varint()
            self.at += n
            return self.data[self.at - n:self.at]
        if kind == LIST:
            head = self.data[self.at]
            self.at += 1
            n = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(n)]
        x = self.varint()
        return x >> 1 ^ -(x & 1)

    def struct(self):
        found, number = {}, 0
        while True:
            head = self.data[self.at]
            self.at += 1
            if head == 0:
                return found
            number = number + (head >> 4) if head >> 4 else self.value(5)
            found[number] = self.value(head & 15)


def levels_of(data, width, n):
    """n numbers of `width` bits, in runs."""
    t, out = Thrift(data, 0), []
    while len(out) < n:
        head = t.varint()
        if head & 1:
            bits = int.from_bytes(data[t.at:t.at + (head >> 1) * width], "little")
            out += [bits >> width * k & (1 << width) - 1 for k in range(head >> 1 << 3)]
            t.at += (head >> 1) * width
        else:
            out += [data[t.at]] * (head >> 1)
            t.at += 1
    return out[:n]


def page_rows(head, body):
    """(repetition level, definition level, value) of each entry of a page."""
    if head[1] == 3:
        n, first, second = head[8][1], head[8][6], head[8][5]
        parts = body[:first], body[first:first + second], body[first + second:]
    else:
        n, parts = head[5][1], []
        for _ in range(2):
            size = struct.unpack("<I", body[:4])[0]
            parts.append(body[4:4 + size])
            body = body[4 + size:]
        parts.append(body)
    values, at = parts[2], 0
    for repeat, level in zip(levels_of(parts[0], 1, n), levels_of(parts[1], 2, n)):
        value = None
        if level == 3:
            size = struct.unpack("<I", values[at:at + 4])[0]
            value = values[at + 4:at + 4 + size].decode()
            at += 4 + size
        yield repeat, level, value


def main():
    with open(sys.argv[1], "rb") as f:
        data = f.read()
    footer = Thrift(data, len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]).struct()
    rows = []
    for group in footer[4]:
        meta, before, entries = group[1][-1][3], len(rows), 0
        t = Thrift(data, meta[9])
        while t.at < meta[9] + meta[7]:
            head = t.struct()
            if head[1] == 0 and next(page_rows(head, data[t.at:t.at + head[3]]))[0]:
                sys.exit("a page begins within a row")
            for repeat, level, value in page_rows(head, data[t.at:t.at + head[3]]):
                entries += 1
                if repeat == 0:
                    rows.append(None if level == 0 else [])
                if level > 1:
                    rows[-1].append(value)
            t.at += head[3]
        if len(rows) - before != group[3] or entries != meta[5]:
            sys.exit("the metadata says other numbers")
    for row in rows:
        print(json.dumps(row))


main()
