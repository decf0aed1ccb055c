#!/usr/bin/env python3
"""Indexes that a stranger may send: each is a copy of a real index with one thing changed and all checksums made anew.

usage: hostile_indexes.py INDEX FOLDER VICTIM    prints a line an index: name, what pardup must say of it
       hostile_indexes.py INDEX FOLDER sets      the same of an index with signature sets: only these are changed
"""
import ctypes
import os
import shutil
import struct
import sys

BLOCK = 1 << 15
TAIL = struct.Struct("<QQQ8s")  # blocks, sections, checksum, magic
NUMBERS = ("documents units files common entries names slots lists name_bits bits place_bits sentences words text_bytes "
           "with_text longest_id with_sets sets keys").split()
HASH = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
HASH.restype, HASH.argtypes = ctypes.c_uint64, [ctypes.c_char_p, ctypes.c_size_t]


def checksum(data):
    return HASH(bytes(data), len(data))


class Sections:
    """A file of checked sections."""

    def __init__(self, path):
        data = open(path, "rb").read()
        blocks, count, _, _ = TAIL.unpack(data[-TAIL.size:])
        end = len(data) - TAIL.size - 32 * count - 8 * blocks
        self.body = bytearray(data[:end])
        at = end + 8 * blocks
        self.table = [list(struct.unpack("<16sQQ", data[at + 32 * k:at + 32 * k + 32])) for k in range(count)]

    def entry(self, name):
        return next(e for e in self.table if e[0].rstrip(b"\0") == name)

    def get(self, name):
        _, at, n = self.entry(name)
        return bytes(self.body[at:at + n])

    def put(self, name, data):
        """Give the section other bytes: in place if it stays as long, else at the end."""
        entry = self.entry(name)
        if len(data) != entry[2]:
            self.body += b"\0" * (-len(self.body) % 8)
            entry[1], entry[2] = len(self.body), len(data)
            self.body += data + b"\0" * (16 - len(data) % 8)
        else:
            self.body[entry[1]:entry[1] + entry[2]] = data

    def write(self, path):
        sums = b"".join(struct.pack("<Q", checksum(self.body[k:k + BLOCK])) for k in range(0, len(self.body), BLOCK))
        table = b"".join(struct.pack("<16sQQ", *e) for e in self.table)
        blocks = len(sums) // 8
        whole = checksum(struct.pack("<QQQQ", checksum(sums), checksum(table), blocks, len(self.table)))
        with open(path, "wb") as f:
            f.write(bytes(self.body) + sums + table + TAIL.pack(blocks, len(self.table), whole, b"PDINDEX\n"))
        return whole


def changed(index, folder, name, manifest=None, sections=None, **numbers):
    """A copy of the index with other numbers and `sections` in its first segment, and whatever `manifest` changes."""
    copy = os.path.join(folder, name)
    shutil.copytree(index, copy)
    head = Sections(copy + "/manifest")
    parts = [list(struct.unpack("<QQQ", head.get(b"segments")[k:k + 24]))
             for k in range(0, len(head.get(b"segments")), 24)]
    path = f"{copy}/{parts[0][0]}.segment"
    segment = Sections(path)
    counts = dict(zip(NUMBERS, struct.unpack("<19Q", segment.get(b"numbers"))))
    counts.update(numbers)
    segment.put(b"numbers", struct.pack("<19Q", *[counts[k] for k in NUMBERS]))
    for section, change in (sections or {}).items():
        segment.put(section, change(segment.get(section)))
    parts[0][2] = segment.write(path)
    head.put(b"segments", b"".join(struct.pack("<QQQ", *p) for p in parts))
    if manifest:
        manifest(head)
    head.write(copy + "/manifest")


def option(name, value):
    def add(head):
        head.put(b"options", head.get(b"options") + name + b"\0" + value + b"\0")
    return add


def number(at, value):
    def put(head):
        numbers = head.get(b"numbers")
        head.put(b"numbers", numbers[:8 * at] + struct.pack("<Q", value) + numbers[8 * at + 8:])
    return put


def sets(index, folder):
    for name in ("with_sets", "sets", "keys"):
        for value in (0, 1 << 20, (1 << 64) - 1):
            changed(index, folder, f"{name}-{value}", **{name: value})
            print(f"{name}-{value}\t-")
    for section in ("keys", "sets", "lists", "set_starts", "list_starts"):
        for name, change in (("zeros", lambda v: b"\0" * len(v)), ("ones", lambda v: b"\xff" * len(v)), ("back", lambda v: v[::-1]),
                             ("none", lambda v: b"")):
            changed(index, folder, f"{section}-{name}", sections={section.encode(): change})
            print(f"{section}-{name}\t-")


def main():
    index, folder, victim = sys.argv[1:]
    if victim == "sets":
        return sets(index, folder)
    for name in ("output", "scratch", "files-from", "docs-from", "report", "strict", "no-such"):
        changed(index, folder, name, option(name.encode(), victim.encode()))
        print(f"{name}\toption {name} does not belong to an index; make the index again")
    changed(index, folder, "value", option(b"tables", b"\1many"))
    print("value\tmade/value keeps a broken option: --tables ")
    changed(index, folder, "half", lambda head: head.put(b"options", head.get(b"options") + b"gap\0"))
    print("half\toption gap does not belong to an index; make the index again")
    changed(index, folder, "unended", lambda head: head.put(b"options", head.get(b"options") + b"gap"))
    print("unended\tsection options is broken; make the index again")
    for name in NUMBERS:
        for value in (0, 1 << 20, 1 << 40, 1 << 63, (1 << 64) - 1):
            if name not in ("with_text", "words", "sentences", "text_bytes"):  # are told, and lead nowhere
                changed(index, folder, f"{name}-{value}", **{name: value})
                print(f"{name}-{value}\t{'contradict' if value >= 1 << 40 else '-'}")
    for name, value in (("with_text", 7), ("with_sets", 1), ("sets", 5), ("keys", 5)):
        changed(index, folder, f"{name}-is-{value}", **{name: value})
        print(f"{name}-is-{value}\t{'section keys' if name == 'with_sets' else 'contradict'}")
    for name, at, value in (("next", 0, 0), ("next-most", 0, (1 << 64) - 1), ("words-file", 1, 1 << 40)):
        changed(index, folder, name, number(at, value))
        print(f"{name}\tits numbers are broken; make the index again")
    changed(index, folder, "part", lambda head: head.put(b"segments", head.get(b"segments")[:8] + b"\1" + head.get(b"segments")[9:]))
    print("part\tits segments contradict its manifest; make the index again")
    for name, section, data in (("units-fall", b"units", lambda v: v[::-1]), ("starts-fall", b"starts", lambda v: v[::-1]),
                                ("names-fall", b"names", lambda v: b"\0" * len(v)), ("no-heads", b"heads", lambda v: b"\0" * len(v)),
                                ("no-buckets", b"buckets", lambda v: b"\0" * len(v)), ("places", b"places", lambda v: b"\xff" * len(v)),
                                ("documents", b"documents", lambda v: b"\xff" * len(v)), ("files", b"files", lambda v: b"\xff" * len(v))):
        changed(index, folder, name, sections={section: data})
        print(f"{name}\t-")


main()
