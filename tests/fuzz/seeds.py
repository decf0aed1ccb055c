#!/usr/bin/env python3
"""Write a few small inputs for each fuzz target, all made up here: seeds.py FOLDER.

FOLDER/<target>/ gets files whose last bytes are the target's settings (tests/fuzz/fuzz_*.c).
"""
import gzip
import hashlib
import io
import os
import struct
import sys

PLAIN, GZIP, ZSTD, LZW, STRETCHED, CHANGED, SHORT = 0, 1, 2, 3, 4, 8, 16
STRETCH, MEMBER = b"\x01", b"\x02"
CODE_BITS = 9  # of the .Z files made here

PAGE = (b"<!DOCTYPE html><html><head><title>A page</title><meta charset=utf-8><style>p{}</style></head>"
        b"<body><nav><a href='/'>Home</a> <a href=/b>More</a></nav><h1>Rain &amp; wind</h1>\n"
        b"<p>It rained for 3.5 days, Mr. Smith said. \"Why?\" asked Ann&hellip; Nobody knew.<br>No one.</p>"
        b"<script>if (a < b) document.write('<p>x</p>');</script><pre>a\n  b</pre><!-- c --></body></html>")
TEXT = b"The rain has stopped. Nobody knows why it rained for days and days.\n\nIt did, e.g. in May.\n"


def warc(kind, key, content, http=b"", version=b"1.0", end=b"\r\n", length=None):
    if http:
        content = b"HTTP/1.1 200 OK\r\n" + http + b"\r\n" + content
    fields = [b"WARC/" + version, b"WARC-Type: " + kind, b"WARC-Record-ID: <urn:" + key + b">",
              b"WARC-Target-URI: http://example.org/" + key,
              b"Content-Type: " + (b"application/http; msgtype=response" if http else b"text/plain"),
              b"Content-Length: %d" % (len(content) if length is None else length)]
    return end.join(fields) + 2 * end + content + 2 * end


def arc(url, kind, content):
    return b"%s 192.0.2.1 20090305084319 %s %d\n%s\n" % (url, kind, len(content), content)


def lzw(data):
    bits = sum(byte << CODE_BITS * k for k, byte in enumerate(data))
    return b"\x1f\x9d\x89" + bits.to_bytes((len(data) * CODE_BITS + 7) // 8, "little")


def chunked(data):
    half = len(data) // 2
    return b"%x\r\n%s\r\n%x;a=b\r\n%s\r\n0\r\n\r\n" % (half, data[:half], len(data) - half, data[half:])


HTML = b"Content-Type: text/html; charset=utf-8\r\n"
WARC = [
    [warc(b"warcinfo", b"0", b"software: none\r\n"), warc(b"response", b"1", PAGE, HTML),
     warc(b"request", b"2", b"GET / HTTP/1.1\r\n\r\n"), warc(b"conversion", b"3", TEXT)],
    [warc(b"response", b"1", TEXT, b"Content-Type: text/plain\r\n", b"0.18", b"\n"),
     warc(b"response", b"2", PAGE, HTML, b"0.18", b"\n")],
    [warc(b"resource", b"1", TEXT, length=7), warc(b"response", b"2", PAGE, HTML, length=90000),
     warc(b"conversion", b"3", TEXT)],
    [warc(b"response", b"1", gzip.compress(PAGE, 9, mtime=0), HTML + b"Content-Encoding: gzip\r\n"),
     warc(b"response", b"2", chunked(PAGE), HTML + b"Transfer-Encoding: chunked\r\n"),
     warc(b"response", b"3", chunked(gzip.compress(TEXT, 9, mtime=0)),
          b"Content-Encoding: x-gzip\r\nTransfer-Encoding: chunked\r\n")],
    [warc(b"resource", b"1", TEXT[:30] + STRETCH + b"\xff" + TEXT), warc(b"conversion", b"2", TEXT)],
]
ARC = [
    [b"filedesc://a.arc 0.0.0.0 20090305084319 text/plain 20\n1 0 example\nURL IP\n\n",
     arc(b"http://example.org/a", b"text/html", b"HTTP/1.0 200 OK\r\n" + HTML + b"\r\n" + PAGE),
     arc(b"dns:example.org", b"text/dns", b"192.0.2.1"), arc(b"http://example.org/b c", b"text/plain", TEXT)],
    [arc(b"http://example.org/a", b"text/plain", TEXT + STRETCH + b"\x90"), b"\n\ngarbage\n",
     b"http://example.org/d 192.0.2.1 20090305084319 text/html 200 ab - 0 a.arc 6\n<p>abc\n"],
]
TREC = [
    [b"<DOC>\n<DOCNO>WTX1-B01-1</DOCNO>\n<DOCHDR>\nhttp://example.org/ 192.0.2.1 1\nHTTP/1.0 200 OK\n"
     b"Content-Type: text/html\n</DOCHDR>\n" + PAGE + b"\n</DOC>\n",
     b"<DOC>\n<DOCNO> FT1 </DOCNO>\n<HEADLINE>Rain</HEADLINE>\n<TEXT>\n" + TEXT + b"</TEXT>\n</DOC>\n"],
    [b"<doc>\n<docno>a-1</docno>\n<url>http://example.org/</url>\n" + PAGE + b"\n</doc>\n",
     b"<doc>\n<url>http://example.org/</url>\n<docno>2</docno>\n<contenttitle>\xd6\xd0\xb9\xfa</contenttitle>\n"
     b"<content>\xb4\xfa\xc2\xeb\xa3\xac\xce\xc4\xb1\xbe\xa1\xa3</content>\n</doc>\n"],
    [b'<?xml version="1.0"?>\n<DOC id="X_1" type="story">\n<HEADLINE>\nA\n</HEADLINE>\n<TEXT>\n<P>\n' + TEXT
     + b"</P>\n</TEXT>\n</DOC>\n", b'<doc id="1" url="http://example.org/" title="A">\n' + TEXT + b"</doc>\n",
     b"<DOC>\n<DOCNO>lost</DOCNO>\n" + TEXT + STRETCH + b"\x88"],
]
REUTERS = [
    [b'<!DOCTYPE lewis SYSTEM "lewis.dtd">\n<REUTERS TOPICS="YES" NEWID="1">\n<DATE>1-JAN-1987</DATE>\n'
     b"<TEXT>&#2;\n<TITLE>RAIN</TITLE>\n<DATELINE>    OSLO, Jan 1 - </DATELINE><BODY>" + TEXT
     + b"&#3;</BODY></TEXT>\n</REUTERS>\n",
     b'<REUTERS NEWID="2">\n<TEXT TYPE="UNPROC">&lt;A> ' + TEXT + STRETCH + b"\x80</TEXT>\n</REUTERS>\n"],
    [b'<REUTERS NEWID="3">\n<TEXT>' + TEXT, b'<REUTERS NEWID="4"></REUTERS>\n'],
]
MIME = (b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b b\"\n\n--b b\n"
        b"Content-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n<p>A=\nb =E9 c\n"
        b"--b b\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\nVGhlIHJhaW4gaGFzIHN0b3BwZWQu\n--b b--\n")
HEAD = b"From: a@example.org\nSubject: =?utf-8?q?rain?=\nDate: Mon, 5 Jan 2009 10:11:12 +0000\n"
MAIL = [[HEAD + b"\n" + TEXT], [HEAD + MIME], [b"Path: a!b\nNewsgroups: a.b\n" + HEAD + b"\n> " + TEXT + STRETCH + b"\x20"]]
MBOX = [[b"From a@example.org Mon Jan  5 10:11:12 2009\n" + m[0] + b"\n" for m in MAIL],
        [b"From - 10:11 2009\n>From b\nA: b\n\n>From c\n", b"From a 10:11 1999\nA: b\n" + TEXT + STRETCH + b"\x90"]]
JSONL = [
    [b'{"id": 7, "text": "The rain\\nhas stopped.", "url": "http://example.org/"}\n',
     b'{"ClueWeb22-ID": "en-1", "Clean-Text": "Nobody \\u6f22 \\ud83d\\ude00 knows", "URL": "a\\n"}\r\n\n',
     b'{"text": 1e999, "a": [{}, [], null, true, -0.5e-3]}\n', b'not json\n', b'{"text": "\xff\xc3\xa9"}'],
    [b'{"text": "a' + STRETCH + b'\xff", "id": "b"}\n', b'{"text": "c\\u0000d", "id": 99999999999999999999}\n'],
]
CSV = [
    [b'id,text,url\n1,"The rain, it ""has""\nstopped.",http://example.org/\n\n2,short\n3,a "quote" in it,\r\n'],
    [b'\xef\xbb\xbf"text";site\r\n"a;b";c\r\n"open\r\n'], [b'text\tid\n"The\t""rain""\tb\n"stray" quote\td' + STRETCH + b'\x50\n'],
]
JSON = [
    [b'[{"id": 7, "text": "}{"},\n {"id": "b", "text": "The rain\\nhas stopped."}]\n', b'[{"text": "c"}, 5, {"a": {}}]'],
    [b'{\n  "id": "a",\n  "text": "Nobody \\u6f22 knows"\n}\n', b'{\n"text": "a' + STRETCH + b'\xff"} x {"text": "cut'],
]
CHINESE = "天气很好。雨下了三天！「为什么？」他问……没有人知道。私の名前はカタカナです。ｶﾀｶﾅ"
DOCUMENTS = [
    (PAGE, 1, 0), (PAGE, 1 | 16, 0), (TEXT, 2, 0), (TEXT, 2 | 4, 0), (TEXT, 2 | 8, 0), (PAGE, 0, 0),
    (CHINESE.encode(), 2, 0), (CHINESE.encode(), 2 | 64, 0), (CHINESE.encode("gbk", "ignore"), 2, 4),
    (CHINESE.encode("gb18030"), 0, 5), (CHINESE.encode("big5", "ignore"), 2, 6), (CHINESE.encode("shift_jis", "ignore"), 2, 7),
    (CHINESE.encode("euc-jp", "ignore"), 2, 8), (CHINESE.encode("iso-2022-jp", "ignore"), 2, 9),
    ("비가 그쳤다. 아무도 모른다.".encode("euc-kr"), 2, 10), (PAGE.decode().encode("utf-16"), 0, 0),
    (PAGE.decode().encode("utf-16-be"), 1, 12), ("Дождь кончился. Почему?".encode("koi8-r"), 2, 14),
    ("Дождь кончился. Почему?".encode("cp1251"), 0, 0), (CHINESE.encode("hz", "ignore"), 2, 17),
    (b"<?xml version='1.0'?><!DOCTYPE r [<!ENTITY a '>'>]><r><teiHeader>x</teiHeader><x>A <hi>b</hi><![CDATA[<c>]]></x></r>", 0, 0),
    (b"<TEI><p>a<lb break='no'/>b<q c='>'>d</q></p><l>e</l><choice><orig>f</orig><reg>g</reg></choice>", 0, 0),
    ("비가 그쳤다.".encode("iso-2022-kr"), 2, 18), ("Les élèves, où ? « Là ! »".encode("latin1"), 2, 2),
    (b"<svg><desc>a</desc><p>b</svg><template>c<template>d</template></template><noscript><p>e</noscript>f"
     b"<textarea>&lt;g</textarea><table><tr><td>h<td>i</table>&#x80;&#xD800;&notit;&CounterClockwiseContourIntegral;", 1, 0),
    (b"<script><!-- <script> </script> --> </script><![CDATA[a]]><a href='b\"c'>d</a><plaintext><p>e", 1 | 16, 0),
    (b"1. First item.\n2. Second item.\n* Mr. and Mrs. J. R. Smith paid $3.50 at 5 p.m. They left.\n"
     b"See www.example.org/a.html! Or not?! (Yes.) [1] \"Good.\" U.S. Gov.\xe2\x80\xa6 And no. 5\n", 2, 0),
]
TRUTH = [
    (b"# comment\n\na\t1\t2\tb.txt\t30\t40\nx/c\t5\t6\ta\t7\t8\tlate\tmore\r\na\tnew\nnew\ta\tlate\n", 0),
    (b"a\t1\t2\nnew\t5\t60\tmore\n", 1),
    (b'<?xml version="1.0"?><document reference="a">\n<feature name="plagiarism" this_offset="5" this_length="7" '
     b'source_reference="b.txt" source_offset="1" source_length="9"/>\n</document>\n', 2),
    (b"a\t1\t2\tc\t30\t40\n", 4),
]


# changes to a real result, as offset (3 bytes), length and bytes, then the compression; the last: texts of people
RESULT = [b"\0" * 4 + bytes([compress]) for compress in range(3)] + \
    [struct.pack("<I", offset)[:3] + b"\x04" + value + b"\0" for offset in (96, 800, 2048, 8192)
     for value in (b"\xff\xff\xff\x7f", b"\x01\0\0\0")] + \
    ["\x1b[2J \u009b31m \u202egpj\n\tpardup: \u2066".encode() + b"\xff\xc2"]

# changes to a packed file as above, then its kind and how many bytes are cut; kind 3: a manifest
CHECKPOINT = [bytes([kind, cut]) for kind in range(3) for cut in (0, 9)] + \
    [struct.pack("<I", offset)[:3] + b"\x01" + b"\x05" + bytes([kind, 0]) for offset in (4, 99, 7000) for kind in range(3)] + \
    [b"volume 1 2 3\nvolume 4 5 6\nsum 0123456789abcdef\n\x03\0", b"\x03\0"]
WORDLIST = [b"the\nof\nand\n", "Der, die; d\u00e4s \u7684 \u4e86\n".encode(), b"\xff\xfe\0 a\0"]
PRINT = [RESULT[-1] + b"\0\x05", PAGE + b"\x3c\x40", TEXT + TEXT + bytes([0, len(TEXT)]),
         "=1+1 \u96e8\u505c\u4e86 e\u0301 \U0001f469\u200d\U0001f469".encode() + b"\x01\x09"]

# changes to a real segment as above, then where they go and which segment: 2: its numbers, 4: its sections; 1: with sets
INDEX = [bytes([how]) for how in range(8)] + \
    [struct.pack("<I", 8 * k)[:3] + b"\x08" + struct.pack("<Q", value) + bytes([how]) for k in range(18)
     for value in (0, 1 << 40, (1 << 64) - 1) for how in (2, 3)] + \
    [struct.pack("<I", offset)[:3] + b"\x02\xff\x01" + bytes([how]) for offset in range(0, 4000, 500) for how in (0, 1, 4, 5)]
# changes to a result that is not compressed, for report and explain
RESULT_CHANGES = [b""] + [struct.pack("<I", offset)[:3] + b"\x08" + struct.pack("<Q", value) for offset in range(0, 2400, 40)
                          for value in (1, 2000, (1 << 64) - 1)]
LINES = [b'{"id": "a", "text": "W0 w3 w6. W9 w12."}\n{"id": 7, "text": "\\u6f22 \\ud83d"}\n\n', b'{"text": 5}\nnot json\r\n{"text": "a',
         b'\xef\xbb\xbf{"id": {}, "text": "\xff\xc3\xa9"}\n[1, 2]\n', b'{"text": "W0 w3 w6 w9 w12 w15 w18 w21 w24."}\n' * 20]
RUN = [b"1 Q0 a 1 2.5 tag\n1 Q0 b.txt 2 nan tag\n1 0 a 1\n10 Q0 a 1 -1e9 other more\n\x00", b"a\t0\tb\t-1\n\n 1 Q0 \x03",
       b"1 Q0 a 18446744073709551615 inf t\n1 Q0 a 1 2 t\r\n9 0 a x\n9 0 a 1\n\x01"]
METADATA = [b'id,title,author,date\na,"The rain, it ""has""\nstopped",Ann,1626/27\nb.txt,x,,[1631?]\n\x01', b"id\ttitle\tyear\na\tb\tc.1700\n\x04",
            b"\xef\xbb\xbfid;author\r\nx/c;\"open\r\n7;b\na;\xff\n\x08", b"id,date\na,1\na,2\n\x02", b"title\nb\n\0"]
LIST = [b"a.txt\r\n\nb.txt\0c\n", b"\xef\xbb\xbfa\n" + b"x" * 3000, gzip.compress(b"a.txt\nb.txt\n", 9, mtime=0), lzw(b"a\nb\n")]


def splice_inputs():
    """Records of each kind, with the format and the sentences that go."""
    said = b"The rain has stopped. Nobody knows why. It rained for days. It did."
    records = [b'{"id": 7, "text": "' + said + b'", "url": "http://h/"}\n', b'{"text":"The \\u0072ain.\\nIt \\"fell\\". No\\/one knew.","a":[1]}\n',
               b"id,text\n1,\"" + said.replace(b"rain", b'""rain""') + b'"\n', warc(b"conversion", b"1", said), HEAD + b"\n" + said + b"\n", said]
    for k, record in enumerate(records):
        for format in {(0, 0, 1, 2, 3, 4)[k], 5}:
            for which in (1, 2, 6, 0x55):
                yield record + bytes([format, which])


def reader_inputs(files, magic_first):
    """Whole files in every packing, with settings; cut in two places."""
    for k, parts in enumerate(files):
        cuts = bytes([60 + 20 * k, 170])
        yield b"".join(parts) + bytes([STRETCHED]) + cuts + b"\0\0"
        yield b"".join(parts) + bytes([PLAIN]) + cuts + b"\0\0"
        for packing in (GZIP, ZSTD):
            yield MEMBER.join(parts) + bytes([packing]) + cuts + b"\0\0"
            yield MEMBER.join(parts) + bytes([packing | STRETCHED | (SHORT, CHANGED)[k % 2]]) + cuts + b"\0\xc0"
        yield b"".join(parts) + bytes([LZW]) + cuts + b"\0\0"
    plain = b"".join(files[0])
    yield b"".join(gzip.compress(part, 9, mtime=0) for part in files[0]) + bytes([PLAIN, 99, 188, 0, 0])
    yield lzw(plain) + bytes([PLAIN, 99, 188, 0, 0])
    yield plain[:40] + b"\nrubbish\n" + magic_first + plain + bytes([PLAIN, 30, 99, 0, 0])


def parquet_inputs():
    """A small file of each codec, encoding and version of pages, as it is."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
    import make_parquet
    rows = [{"id": k * 3, "text": None if k == 2 else "Rain and wind. " * (k % 3) + str(k), "url": f"http://h/{k // 2}",
             "meta": {"n": None if k == 1 else "x"}} for k in range(9)]
    for codec in ("none", "snappy", "gzip", "zstd"):
        for page in (1, 2):
            for encoding in ("plain", "dictionary", "delta", "delta-length"):
                o = make_parquet.options(["--codec", codec, "--page", str(page), "--encoding", encoding, "--type", "id=int64",
                                          "--group-rows", "5", "--page-rows", "3", "--no-crc",
                                          *["--lists"] * (encoding == "plain"), "", ""])
                yield make_parquet.write(rows, o) + bytes([PLAIN, 90, 180, 0, 0])


def office_inputs():
    """A small document of each kind."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
    import make_office
    known = {"title": "A & b", "author": "Ann", "date": "1999"}
    for make, notes in (("docx", [["A note."]]), ("odt", [["A note."]]), ("pptx", []), ("epub", [])):
        to = io.BytesIO()
        getattr(make_office, make)(to, ["It rained.", "Nobody knows why."], *notes, **known)
        yield to.getvalue() + bytes([PLAIN, 90, 180, 0, 0])


def write(folder, target, inputs):
    os.makedirs(os.path.join(folder, target), exist_ok=True)
    for data in inputs:
        with open(os.path.join(folder, target, hashlib.sha1(data).hexdigest()[:16]), "wb") as f:
            f.write(data)


def main():
    folder = sys.argv[1]
    formats = {"warc": WARC, "arc": ARC, "trec": TREC, "reuters": REUTERS, "mbox": MBOX, "mail": MAIL, "jsonl": JSONL, "json": JSON, "csv": CSV}
    for name, files in formats.items():
        write(folder, name, reader_inputs(files, files[-1][0]))
    first = [files[0] for name, files in formats.items() if name != "csv"] + [[PAGE], [TEXT]]
    write(folder, "auto", reader_inputs(first, TEXT))
    write(folder, "parquet", parquet_inputs())
    write(folder, "office", office_inputs())
    write(folder, "document", [body + struct.pack("BB", how, label) for body, how, label in DOCUMENTS])
    write(folder, "result", RESULT)
    write(folder, "checkpoint", CHECKPOINT)
    write(folder, "wordlist", WORDLIST)
    write(folder, "index", INDEX)
    write(folder, "report", RESULT_CHANGES)
    write(folder, "explain", RESULT_CHANGES)
    write(folder, "lines", LINES)
    write(folder, "run", RUN)
    write(folder, "metadata", METADATA)
    write(folder, "list", LIST)
    write(folder, "splice", splice_inputs())
    write(folder, "print", PRINT)
    write(folder, "truth", [data + bytes([how]) for data, how in TRUTH])


if __name__ == "__main__":
    main()
