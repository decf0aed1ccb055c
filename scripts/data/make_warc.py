#!/usr/bin/env python3
"""Wrap web pages and texts that lie in files as WARC archives.

    make_warc.py -o pages.warc.gz /usr/share/doc
    make_warc.py --version 0.18 --pack gzip --shards 8 -o cw.warc.gz --limit-bytes 1G SITE

Every regular file found in the directories named (recursively, in byte order of the path;
symbolic links are not followed) becomes one response record: an HTTP header and the file's bytes
as they are.  The header names no character set: that is left to the page.  Files that end in .gz
are unpacked first.  The same files give the same archive on any day and any machine: no clock is
read, and record ids are made from the address.

  --version 1.0    WARC/1.0 as crawlers write it today (CRLF line ends)
  --version 0.18   as in ClueWeb09: LF line ends, WARC-TREC-ID clueweb09-en0000-SS-NNNNN

  --pack plain     no compression
  --pack gzip      one gzip member for the whole archive, as in some ClueWeb09 copies
  --pack record    one gzip member a record, the usual .warc.gz: can be entered at any record
  --pack zstd      one zstd frame for the whole archive (needs the program `zstd`)

Without --pack it follows from the name: .warc.gz is `record`, .warc.zst is `zstd`, else `plain`.
With --shards N the output pages.warc.gz becomes pages-00000.warc.gz ... in the same order, of about
equal size.  An archive appears under its name only when it is whole.
"""

import argparse
import collections
import gzip
import os
import re
import subprocess
import sys
import urllib.parse
import uuid
import zlib

HTML_SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")
TEXT_SUFFIXES = (".txt", ".text")
SNIFFED_BYTES = 1024
LOOKS_LIKE_HTML = re.compile(rb"<(!doctype\s+html|html|head|body|title)\b", re.IGNORECASE)
GZIP_WINDOW = 31  # zlib's window bits for a gzip header around the data
IO_BYTES = 1 << 20
SUFFIXES = {"plain": ".warc", "gzip": ".warc.gz", "record": ".warc.gz", "zstd": ".warc.zst"}


# ------------------------------------------------------------------ the files to wrap

def files_of(argument):
    """Regular files below the argument (or itself), with their size, as bytes paths."""
    top = os.fsencode(argument)
    if not os.path.isdir(top):
        return [(top, os.path.getsize(top))]
    found = []
    for folder, _, names in os.walk(top, onerror=stop_on):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                found.append((path, os.path.getsize(path)))
    return sorted(found)


def stop_on(error):
    """An unreadable directory ends the run: a silent hole in a collection is worse."""
    raise error


def address_of(path, argument, prefix):
    """A target URI that does not depend on where the argument lies: PREFIX/last part/below it."""
    top = os.path.normpath(os.fsencode(argument))
    below = os.path.join(os.path.basename(top), os.path.relpath(path, top))
    return prefix.rstrip("/") + "/" + urllib.parse.quote(os.path.normpath(below))


def list_files(arguments):
    """[(path, size, address)] in collection order; an address that comes again gets ?2, ?3 ..."""
    listed = []
    seen = collections.Counter()
    for argument in arguments.input:
        for path, size in files_of(argument):
            if arguments.suffix and not path.lower().endswith(tuple(arguments.suffix)):
                continue
            address = address_of(path, argument, arguments.url_prefix)
            seen[address] += 1
            if seen[address] > 1:
                address += f"?{seen[address]}"
            listed.append((path, size, address))
    return listed


def within_limit(listed, limit):
    """The leading files whose sizes add up to at most `limit` bytes."""
    total = 0
    for count, (_, size, _) in enumerate(listed):
        total += size
        if total > limit:
            return listed[:count]
    return listed


def shard_lists(listed, nshards):
    """The files cut into nshards runs of about equal bytes, order kept."""
    whole = max(1, sum(size for _, size, _ in listed))
    shards = [[] for _ in range(nshards)]
    before = 0
    for entry in listed:
        shards[min(nshards - 1, before * nshards // whole)].append(entry)
        before += entry[1]
    return shards


# ------------------------------------------------------------------ records

def content_of(path):
    """The bytes of the page."""
    with (gzip.open if path.endswith(b".gz") else open)(path, "rb") as page:
        return page.read()


def content_type(path, body):
    """text/html or text/plain, by the name and, where the name does not say, by the first bytes."""
    name = os.fsdecode(path).lower().removesuffix(".gz")
    if name.endswith(HTML_SUFFIXES):
        return "text/html"
    if name.endswith(TEXT_SUFFIXES):
        return "text/plain"
    return "text/html" if LOOKS_LIKE_HTML.search(body[:SNIFFED_BYTES]) else "text/plain"


def record_id(address):
    """A urn:uuid that depends on nothing but the address."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, address))


class RecordMaker:
    """Makes the records of one archive."""

    def __init__(self, arguments, shard):
        self.old = arguments.version == "0.18"
        self.line_end = b"\n" if self.old else b"\r\n"
        self.date = arguments.date
        self.trec_prefix = f"{arguments.trec_prefix}-{shard:02d}"
        self.info_id = record_id(f"{arguments.url_prefix}/warcinfo/{shard}")
        self.count = 0

    def lines(self, *lines):
        """Header lines with this version's line ends, and the empty line after them."""
        return self.line_end.join(line.encode() for line in lines) + 2 * self.line_end

    def info(self):
        """The warcinfo record that opens an archive."""
        conforms = ("http://www.archive.org/documents/WarcFileFormat-0.18.html" if self.old else
                    "http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf")
        version = "0.18" if self.old else "1.0"
        body = self.lines("software: make_warc.py", f"format: WARC File Format {version}",
                          f"conformsTo: {conforms}")
        header = self.lines(f"WARC/{version}", "WARC-Type: warcinfo", f"WARC-Date: {self.date}",
                            f"WARC-Record-ID: <urn:uuid:{self.info_id}>",
                            "Content-Type: application/warc-fields",
                            f"Content-Length: {len(body)}")
        return header + body + 2 * self.line_end

    def response(self, path, address):
        """The record of one page."""
        body = content_of(path)
        http = self.lines("HTTP/1.1 200 OK", f"Content-Type: {content_type(path, body)}",
                          f"Content-Length: {len(body)}")
        about = [f"WARC-Target-URI: {address}", f"WARC-Warcinfo-ID: {self.info_id}",
                 f"WARC-Date: {self.date}", f"WARC-Record-ID: <urn:uuid:{record_id(address)}>"]
        if self.old:
            about += [f"WARC-TREC-ID: {self.trec_prefix}-{self.count:05d}",
                      "Content-Type: application/http;msgtype=response",
                      "WARC-Identified-Payload-Type: "]
        else:
            about[1] = f"WARC-Warcinfo-ID: <urn:uuid:{self.info_id}>"
            about += ["Content-Type: application/http; msgtype=response"]
        header = self.lines("WARC/0.18" if self.old else "WARC/1.0", "WARC-Type: response", *about,
                            f"Content-Length: {len(http) + len(body)}")
        self.count += 1
        return b"".join((header, http, body, 2 * self.line_end))


# ------------------------------------------------------------------ archives

class Archive:
    """A file that takes records and packs them; renamed into place by close()."""

    def __init__(self, path, pack, level):
        self.path, self.pack, self.level = path, pack, level
        self.partial = path + ".partial"
        self.file = open(self.partial, "wb", buffering=IO_BYTES)
        self.stream = None
        self.zstd = None
        if pack == "gzip":
            self.stream = zlib.compressobj(level, zlib.DEFLATED, GZIP_WINDOW)
        elif pack == "zstd":
            self.zstd = subprocess.Popen(["zstd", "-q", "-c", f"-{level}"], stdin=subprocess.PIPE,
                                         stdout=self.file)

    def write(self, record):
        """Append one record."""
        if self.pack == "record":
            self.file.write(zlib.compress(record, self.level, GZIP_WINDOW))
        elif self.pack == "gzip":
            self.file.write(self.stream.compress(record))
        elif self.pack == "zstd":
            self.zstd.stdin.write(record)
        else:
            self.file.write(record)

    def close(self):
        """Finish the packing, make sure the bytes are there, and give the file its name."""
        if self.stream:
            self.file.write(self.stream.flush())
        if self.zstd:
            self.zstd.stdin.close()
            if self.zstd.wait() != 0:
                raise OSError(f"{self.path}: zstd failed")
        self.file.close()
        os.replace(self.partial, self.path)

    def abandon(self):
        """Leave nothing behind after a failure."""
        if self.zstd:
            self.zstd.kill()
            self.zstd.wait()
        self.file.close()
        if os.path.exists(self.partial):
            os.remove(self.partial)


def write_archive(path, entries, maker, arguments):
    """One archive with the pages of `entries`.  Returns the bytes before packing."""
    archive = Archive(path, arguments.pack, arguments.level)
    try:
        info = maker.info()
        archive.write(info)
        written = len(info)
        for source, _, address in entries:
            record = maker.response(source, address)
            archive.write(record)
            written += len(record)
        archive.close()
    except BaseException:
        archive.abandon()
        raise
    return written


def shard_path(output, shard, nshards, pack):
    """pages.warc.gz -> pages-00003.warc.gz when there are several archives."""
    if nshards == 1:
        return output
    stem = re.sub(r"\.warc(\.gz|\.zst)?$", "", output)
    return f"{stem}-{shard:05d}{SUFFIXES[pack]}"


# ------------------------------------------------------------------ command line

def byte_count(text):
    """'64M' -> 67108864."""
    match = re.fullmatch(r"(\d+)([KMGT]?)", text, re.IGNORECASE)
    if not match:
        raise argparse.ArgumentTypeError(f"{text}: a number with K, M, G or T, please")
    return int(match[1]) << (10 * " KMGT".index(match[2].upper() or " "))


def pack_for(output):
    """The packing that a file name asks for."""
    if output.endswith(".gz"):
        return "record"
    return "zstd" if output.endswith(".zst") else "plain"


def parse_arguments(argv):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", nargs="+", metavar="PATH", help="file or directory")
    parser.add_argument("-o", "--output", required=True, metavar="FILE")
    parser.add_argument("--version", choices=("1.0", "0.18"), default="1.0")
    parser.add_argument("--pack", choices=tuple(SUFFIXES))
    parser.add_argument("--level", type=int, default=6, help="of the compression [6]")
    parser.add_argument("--shards", type=int, default=1, metavar="N", help="archives [1]")
    parser.add_argument("--limit-bytes", type=byte_count, metavar="SIZE",
                        help="take leading files of at most this size together")
    parser.add_argument("--suffix", action="append", type=os.fsencode, metavar=".html",
                        help="only files ending so; may be given several times")
    parser.add_argument("--url-prefix", default="http://files.example.org", metavar="URL")
    parser.add_argument("--date", default="2009-01-13T18:05:10Z", help="of every record")
    parser.add_argument("--trec-prefix", default="clueweb09-en0000", metavar="NAME")
    arguments = parser.parse_args(argv)
    arguments.pack = arguments.pack or pack_for(arguments.output)
    if arguments.shards < 1 or not 1 <= arguments.level <= 9:
        parser.error("--shards is 1 or more, --level 1 to 9")
    return arguments


def main(argv):
    """Returns the exit status."""
    arguments = parse_arguments(argv)
    try:
        listed = list_files(arguments)
        if arguments.limit_bytes is not None:
            listed = within_limit(listed, arguments.limit_bytes)
        if not listed:
            print("make_warc.py: no files found", file=sys.stderr)
            return 1
        total = 0
        for shard, entries in enumerate(shard_lists(listed, arguments.shards)):
            path = shard_path(arguments.output, shard, arguments.shards, arguments.pack)
            total += write_archive(path, entries, RecordMaker(arguments, shard), arguments)
    except OSError as reason:
        print(f"make_warc.py: {reason}", file=sys.stderr)
        return 1
    print(f"{len(listed)} documents, {total} bytes before packing, {arguments.shards} files",
          file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
