#!/usr/bin/env python3
"""Files as real collections have them, each with something odd: neighbours of what the program once got wrong.

usage: odd_files.py FOLDER      makes the files; prints a line a file: name, exit status of `pardup text`, texts that
                                it prints, texts that it says on standard error (between | ; - for none; !TEXT: absent)
"""
import base64
import binascii
import bz2
import gzip
import lzma
import os
import sys
import zlib

ONE, TWO = "Alpha one is here.", "Beta two is here."
PAGE = "<html><head><title>t</title></head><body><p>%s</p></body></html>"


def told():
    """Files in letters, vCards, calendars, and soft hyphens alone on their lines."""
    head = "From: a@b.example\nSubject: x\nDate: Tue, 13 Jan 2009 10:15:30 +0100\n\n"
    coded = "".join(binascii.b2a_uu(bytes(range(40 + k, 85 + k))).decode() for k in range(20)) + "`\nend\n"
    yield "uu.eml", (head + ONE + "\n\nbegin 644 a file.bin\n" + coded + "\n" + TWO).encode(), 0, f"{ONE}|{TWO}|!begin|!end", "-"
    yield "uu-crlf.eml", (head + "begin 0755 a\n" + coded + TWO).replace("\n", "\r\n").encode(), 0, f"{TWO}|!begin", "-"
    yield "uu-none.eml", (head + "begin 100 things and\nend them.\n" + ONE).encode(), 0, f"begin 100 things|{ONE}", "-"
    yield "uu-cut.eml", (head + ONE + "\n\nbegin 644 a\n" + coded[:-4] + TWO).encode(), 0, f"begin 644|{TWO}", "-"
    card = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Low;Ann\r\nFN:Ann Low\r\nTEL:12345\r\nitem1.NOTE;CHARSET=UTF-8:Alpha o\r\n ne is\\, here\\nnow.\r\nPHOTO;ENCODING=b:QUJDREVG\r\n QUJDREVG\r\nEND:VCARD\r\n"
    yield "two.vcf", (card + card.replace("Ann", "Eve")).encode(), 0, "Ann Low|Alpha one is, here|now.|Eve Low|!VCARD|!12345|!QUJD", "-"
    yield "a.ics", ("BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:77\nSUMMARY:" + ONE + "\nDESCRIPTION;LANGUAGE=en:" + TWO +
                    "\nEND:VEVENT\nEND:VCALENDAR\n").encode(), 0, f"{ONE}|{TWO}|!77|!BEGIN", "-"
    tei = "<?xml version='1.0'?><t:TEI xmlns:t='x'><text><p>" + ONE + "</p><p>" + TWO + "</p></text></t:TEI>"
    for name, text, says in (("whole", tei, "-"), ("space", tei.replace("t:TEI>", "t:TEI >") + "\n<!-- x -->\n", "-"), ("cut", tei[:-9], "root element does not end"),
                             ("comment", tei.replace("<p>Beta", "<!-- <p>Beta"), "-"), ("empty", "<TEI/>", "-"), ("open", "<TEI><p>" + ONE, "does not end")):
        yield f"xml-{name}.xml", text.encode(), 0, "-" if name == "empty" else TWO if name in ("whole", "comment") else ONE, says if says != "-" else "!does not end"
    words = "<span class='ocr_line' title='bbox 1'><span class='ocrx_word'>Alpha</span> <span class='ocrx_word'>one is he-</span></span>"
    for name, gap in (("lines", "\n"), ("tight", "")):
        yield f"{name}.hocr", ("<!DOCTYPE html><html><head><meta name='ocr-system' content='x'/></head><body><div class='ocr_page'><p class='ocr_par'>" + words + gap +
                               words.replace("Alpha", "re.").replace("one is he-", "Two") + "</p></div></body></html>").encode(), 0, "Alpha one is he-|re. Two|!he- re|!he-re", "-"
    for name, line in (("shy", "\n"), ("shy-crlf", "\r\n")):
        yield f"{name}.txt", f"Al{line}\u00ad{line}pha one is here.{line}".encode(), 0, "Al\u00ad|pha one", "-"


def trec(id_, text):
    return f"<DOC>\n<DOCNO>{id_}</DOCNO>\n<TEXT>\n{text}\n</TEXT>\n</DOC>\n"


def wide():
    """UTF-16 and UTF-32 without a mark; JSON in them."""
    accented = "Le café est prêt. Où êtes-vous?\n"
    chinese = "这是中文文本。这是测试。今天天气很好，我们去公园吧。" * 3
    for form in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        yield f"{form}.txt", accented.encode(form), 0, accented.strip(), "-"
        yield f"{form}-chinese.txt", chinese.encode(form), 0, chinese, "-"
        yield f"{form}.html", (PAGE % accented).encode(form), 0, "Le café|!<p>", "-"
        for mark in ("", "\ufeff"):
            yield (f"{form}{len(mark)}.jsonl", (mark + '{"id":"a","text":"One."}\n').encode(form), 1, "-",
                   "JSON in UTF-16 or UTF-32, which pardup does not read: convert it to UTF-8")
    yield "numbers.bin", b"".join(k.to_bytes(2, "little") for k in range(3000)), 1, "-", "no text"


def sgml():
    """TREC's SGML in other ways: all of a file's documents are read, and no tag is text."""
    two, both = trec("A1", ONE) + trec("A2", TWO), f"==> A1 <==|{ONE}|==> A2 <==|{TWO}|!TEXT|!<"
    both = both.rsplit("|", 1)[0]
    yield "line.trec", " ".join(two.split("\n")), 0, both, "!garbage"
    yield "indented.trec", "  " + two.replace("\n", "\n  "), 0, both, "!garbage"
    yield "mixed.trec", two.replace("</DOC>", "</doc>").replace("</DOCNO>", "</DocNo>"), 0, both, "!skipped"
    yield "no-end.trec", two.replace("</DOC>\n", ""), 0, both, "!skipped"
    yield "around.trec", "<docs>\n" + two + "</docs>\n", 0, both, "!skipped"
    yield "around.xml", '<?xml version="1.0"?>\n<root>\n' + two + "</root>\n", 0, both, "!skipped"
    yield "docid.trec", f'<DOC docid="A1">\n<TEXT>\n{ONE}\n</TEXT>\n</DOC>\n' + trec("A2", TWO), 0, both, "-"
    yield "no-docno.trec", two.replace("<DOCNO>A1</DOCNO>\n", ""), 0, f"no-docno.trec:0|{ONE}|==> A2 <==", "-"


def json():
    """JSON lines that are not quite sound."""
    sound = '{"id":"ok","text":"Fine."}\n'
    yield "commas.jsonl", f'{{"id":"a","v":[1,],"text":"{ONE}",}}\n' + sound, 0, f"==> a <==|{ONE}|Fine.", "!skipped"
    yield "joined.jsonl", sound + "\ufeff" + f'{{"id":"a","text":"{ONE}"}}\n', 0, f"==> a <==|{ONE}", "!skipped"
    yield "list.jsonl", f'{{"id":"a","text":["{ONE}"]}}\n' + sound, 0, "Fine.", "is a list, not a string: jq"
    yield ("two.jsonl", sound + sound.strip() + sound, 0, "Fine.",
           "byte 27: more than one object in the line: --format json reads such files")
    yield "first.jsonl", "# a comment\n" + sound, 0, "Fine.|!comment", "first.jsonl: byte 0: "
    yield ("items.jsonl", sound + f'[{{"id":"a","text":"{ONE}"}}]\n', 0, "Fine.",
           "the line is a list, not an object: jq -c '.[]' makes a line of each of them")
    yield "quoted.jsonl", '"a line"\n["another one"]\n', 0, "a line", "-"


def tables():
    """Tables with names in other letters."""
    told = "has columns in other letters"
    yield "names.csv", f'ID,Text\na,"{ONE}"\nb,{TWO}\n', 0, f"==> a <==|{ONE}|==> b <==|{TWO}|!ID", told
    yield "blank.csv", f'Id, TEXT \na,"{ONE}"\nb,{TWO}\n', 0, f"==> a <==|{ONE}|!Id", told
    yield "several.csv", f"Text,TEXT\na,{ONE}\nb,{TWO}\n", 0, f"Text,TEXT|a,{ONE}", "!" + told
    yield "exact.csv", f"Text,text\na,{ONE}\nb,{TWO}\n", 0, f"{ONE}|!a,", "!" + told


def member(data, flags=0, extra=b""):
    """A gzip member with fields in its header."""
    body = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = body.compress(data) + body.flush()
    return b"\x1f\x8b\x08" + bytes([flags]) + bytes(5) + b"\xff" + extra + packed + zlib.crc32(data).to_bytes(4, "little") + len(data).to_bytes(4, "little")


def old_tar(data):
    """A tar archive as before POSIX."""
    head = bytearray(512)
    head[:5], head[100:108], head[124:136], head[148:156] = b"a.txt", b"0000644\0", b"%011o\0" % len(data), b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head) + data.ljust(512, b"\0") + bytes(1024)


def lz4(data):
    """A frame of one block that is stored as it is."""
    return b"\x04\x22\x4d\x18\x60\x40\x82" + (len(data) | 1 << 31).to_bytes(4, "little") + data + bytes(4)


def packed():
    """Compression: odd members, and packings that are named instead of read."""
    text = (ONE + " " + TWO + "\n").encode()
    line = b'{"id":"a","text":"Alpha one is here."}\n'
    for flags, extra in ((8, b"name\0"), (4, b"\3\0abc"), (16, b"comment\0"), (1, b"")):
        yield f"header{flags}.gz", member(text, flags, extra), 0, ONE, "!skipped"
    yield "empty-members.gz", member(b"") + member(text) + member(b""), 0, ONE, "!skipped"
    yield "zeros.jsonl.gz", member(line) + bytes(512) + member(line.replace(b'"a"', b'"b"')), 0, "==> a <==|==> b <==", "!skipped"
    yield "split.jsonl.gz", member(line[:9]) + member(line[9:]), 0, ONE, "!skipped"
    yield "byte.gz", member(text) + b"\n", 0, ONE, "1 byte that is not compressed data"
    unread = "which pardup does not read: unpack it first"
    for name, pack in (("bz2", bz2.compress), ("xz", lzma.compress), ("lz4", lz4)):
        yield f"a.txt.{name}", pack(text), 0, ONE, "!skipped"
        yield f"two.{name}", pack(text) + pack(TWO.encode()), 0, TWO, "!skipped"
        yield f"a.jsonl.{name}", pack(line + line.replace(b'"a"', b'"b"')), 0, "==> a <==|==> b <==", "!skipped"
        yield f"a.csv.{name}", pack(b"id,text\na,One is here.\nb,Two is there.\n"), 0, "==> a <==|==> b <==", "!skipped"
        yield f"cut.{name}", pack(text * 99)[:-9], 1, "-", "compressed data|skipped"
        yield f"gzip.{name}", pack(member(text)), 1, "-", "compressed twice"
    yield "empty.bz2", bz2.compress(b""), 0, "-", "!skipped"
    yield "damaged.bz2", b"BZh91AY&SY" + bytes(range(200)), 1, "-", "compressed data is corrupt|skipped"
    yield "bzip.txt", b"BZh9 is how such files begin.\n", 0, "BZh9 is how", "!skipped"
    for name, head, said in (("lzma", b"]\0\0\x80\0", "lzma"), ("lz", b"LZIP\1\x0c", "lzip"), ("lzo", b"\x89LZO\0\r\n", "lzop"),
                             ("sz", b"\xff\6\0\0sNaPpY", "Snappy"), ("lz4", b"\2\x21\x4c\x18", "lz4")):
        yield "a." + name, head + bytes(range(200)), 1, "-", f"compressed by {said}, {unread}"
    for level in (1, 6, 9):
        yield f"{level}.zlib", zlib.compress(text * 9, level), 1, "-", f"compressed by zlib, {unread}"
    yield "old.tar", old_tar(text), 1, "-", f"a tar archive, {unread}"
    yield "old.tgz", gzip.compress(old_tar(text)), 1, "-", f"a tar archive, {unread}"
    yield "a.ar", b"!<arch>\na.txt/          0           0     0     644     9         `\n" + text, 1, "-", "an ar archive or a Debian package"
    yield "a.pickle", b"\x80\4\x95" + bytes(50), 1, "-", "a Python pickle"
    yield "winmail.dat", b"x\x9f\x3e\x22" + bytes(50), 1, "-", "a TNEF file of Outlook"


def record(id_, body, head="", kind="text/html"):
    block = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n{head}\r\n".encode() + body
    return (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:{id_}>\r\nContent-Type: application/http\r\n"
            f"Content-Length: {len(block)}\r\n\r\n").encode() + block + b"\r\n\r\n"


def chunks(data, size):
    return b"".join(b"%x\r\n%s\r\n" % (len(data[k:k + size]), data[k:k + size]) for k in range(0, len(data), size)) + b"0\r\n\r\n"


def archives():
    """Bodies whose header does not tell, or not all, how they are coded; what lies beside archives."""
    page = (PAGE % ONE).encode()
    bodies = {"chunks": (chunks(page, 7), ""), "chunk": (chunks(page, 999), ""), "zlib": (zlib.compress(page), ""),
              "chunked-gzip": (chunks(gzip.compress(page), 9), "Content-Encoding: gzip\r\n"),
              "two": (gzip.compress(zlib.compress(page)), "Content-Encoding: deflate, gzip\r\n")}
    for name, (body, head) in bodies.items():
        yield f"{name}.warc", record(name, body, head) + record("good", (PAGE % TWO).encode()), 0, f"==> urn:{name} <==|{ONE}|==> urn:good <==", "!skipped"
    sizes = b"3\r\nabc\r\nand this is a text.\r\n"
    yield "sizes.warc", record("a", sizes, "", "text/plain"), 0, "abc|and this is a text.", "!skipped"
    yield "wide.warc", record("a", (PAGE % ONE).encode("utf-16-be"), "", "text/html; charset=utf-16"), 0, ONE + "|!<p>", "!skipped"
    for name, text in (("a.cdx", " CDX N b a m s k r M S V g\norg,example)/ 20200101000000 http://example.org/ text/html 200 A - - 1 0 a.warc.gz\n"),
                       ("b.cdxj", 'org,example)/ 20200101000000 {"url": "http://example.org/"}\n')):
        yield name, text, 1, "!example", "no documents in it"


def pages():
    """XHTML and HTML in odd forms."""
    xhtml = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>%s</p>%s<p>%s</p></body></html>'
    two = f"{ONE}|{TWO}"
    yield "subset.xhtml", '<?xml version="1.0"?><!DOCTYPE html [ <!ENTITY a "x"> <!ENTITY b "y>z"> ]>' + xhtml % (ONE, "", TWO), 0, two + "|!z|!]", "-"
    yield "instruction.xhtml", '<?xml version="1.0"?>' + xhtml % (ONE, '<?php echo "x > y"; ?>', TWO), 0, two + "|!?>", "-"
    yield "office.xhtml", '<?xml version="1.0"?>' + xhtml % (ONE, '<?xml:namespace prefix = o />', TWO + "?>"), 0, two, "-"
    warning = "Warning: include() failed in x.php on line 3<br>\n"
    for name, lead in (("messages", warning * 200), ("comments", "<!-- x -->\n" * 900), ("blanks", "\u00a0" * 3000)):
        yield name + ".page", lead + PAGE % ONE, 0, ONE + "|!<p>", "-"
    yield "late.page", '<?xml version="1.0"?>' + "\n" * 5000 + PAGE % ONE, 0, ONE + "|!<p>", "-"
    parts = f"<nav>{TWO}</nav><p>{ONE}</p><b>x</b>"
    yield "wrapper.page", f'<text id="7">\n{parts}</text>\n', 0, ONE + "|!<", "-"
    yield "menu.page", parts, 0, ONE + "|!<", "-"
    for name in ("parts.htm", "PARTS.HTML", "parts.xhtml"):
        yield name, f"{TWO} <i>{ONE}</i>", 0, f"{TWO} {ONE}", "-"
    yield "about.txt", f"The tags {parts} are HTML.", 0, parts, "-"
    yield "source.c", f"/* {parts} */\nint main(void);\n", 0, parts, "-"
    yield "quoted.txt", f"<foo@bar.example> wrote:\n> {parts}\n", 0, parts, "-"
    yield "talk.txt", "<ann> a\n<nav> b\n<p> c\n<li> d\n", 0, "<nav> b", "-"
    yield "formula.html", PAGE % (ONE + "<math><semantics><mi>x</mi><annotation>\\xi</annotation></semantics></math> " + TWO), 0, f"here.x Beta|!xi", "-"
    frames = "<html><frameset><frame src=a><noframes><body><p>%s</p></body></noframes></frameset></html>"
    yield "frames.html", frames % ((ONE + " ") * 200), 0, ONE, "-"
    yield "no-frames.html", frames % "Your browser has no frames.", 0, "!browser", "-"


def misnamed():
    """Files that are not what their names say, and files that hardly have a text."""
    page, other = PAGE % "404 Not Found", "not what its name says"
    for name in ("a.parquet", "a.jsonl", "a.warc", "a.csv", "a.docx", "a.pdf"):
        yield name, page, 1, "-", other
    yield "page.jsonl.gz", gzip.compress(page.encode()), 1, "-", other
    yield "text.parquet", ONE, 1, "-", other
    yield "text.pdf", "404 page not found", 1, "-", other
    yield "nothing.pdf", "", 1, "-", other
    yield "text.docx", ONE, 0, ONE, "!" + other
    yield "named.htm", page, 0, "404 Not Found", "!" + other
    yield ("pointer.txt", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n", 1, "-",
           "a pointer in place of the file: git lfs pull brings it")
    yield "old-pointer.jsonl", "version https://hawser.github.com/spec/v1\noid sha256:00\nsize 5\n", 1, "-", "git lfs pull brings it"
    yield "xet.bin", "# xet version 0\nfilesize = 5\nhash = 'a'\n", 1, "-", "a pointer in place of the file of git-xet"
    yield "annex.parquet", "/annex/objects/SHA256E-s5--00.parquet\n", 1, "-", "git annex get brings it"
    yield "secret.parquet", b"PARE" + bytes(range(60)) + b"\x10\0\0\0PARE", 1, "-", "a Parquet file: encrypted"
    for lead in ('<?xml version="1.0" encoding="UTF-8"?>\n', "<?xml version='1.0'?>", ""):
        yield (f"refused{len(lead)}.txt", lead + "<Error><Code>AccessDenied</Code><Message>x</Message></Error>", 1, "-",
               "the answer of a server that refused a file")
    yield ("refused-mark.txt", "\ufeff<?xml version='1.0'?>\n<Error>\n  <Code>BlobNotFound</Code>\n</Error>", 1, "-", "the answer of a server that refused a file")
    yield "error.xml", "<Error><Cause>x</Cause><Code>y</Code></Error>", 0, "Cause", "!refused a file"
    record = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <%s>\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
    both = "".join(record % (k, len(t), t) for k, t in (("a", ONE), ("b", TWO)))
    for name, data in (("piece.warc", both.encode()), ("piece.warc.gz", gzip.compress(both.encode()))):
        yield name, data, 0, f"{ONE}|{TWO}", "-"
        data = both[30:].encode()
        yield "second." + name, gzip.compress(data) if name.endswith("gz") else data, 0, f"{TWO}|!{ONE}", "expected WARC/"
    told = "read all the same (doubtful)"
    yield "attributes.xml", f'<?xml version="1.0"?><log><entry by="Ann" says="{ONE}"/><entry by="Eve" says="{TWO}"/></log>', 0, "-", "no text in it"
    yield "shell.html", PAGE % "<img src='a.png'><script>var x = 1;</script>", 0, "-", "no text in it"
    yield "blanks.txt", " " * 99 + "\n", 0, " ", "!doubtful"
    yield "scripts.html", PAGE % ("<script>" + "x = 1;\n" * 1000 + "</script>" + ONE), 0, ONE, "almost no text for its size; " + told
    yield "long.html", PAGE % ("<script>" + "x = 1;\n" * 1000 + "</script>" + (ONE + " ") * 20), 0, ONE, "!doubtful"
    yield "tags.txt", "A <b>b</b> <i>c</i> <u>d</u> <a href='x'>e</a>\n" * 9, 0, "<b>", "its text is mostly tags"
    yield "few.txt", (ONE + " ") * 9 + "<b>b</b> <i>c</i>\n", 0, "<b>", "!doubtful"
    yield "coded.txt", base64.encodebytes(bytes(range(256)) * 9), 0, "AAEC", "its text is mostly base64"
    yield "letters.txt", "ACGTTGCA" * 1000, 0, "ACGT", "!doubtful"


def dialects():
    """XML of other vocabularies: text in attributes, the same text at several levels, marks between words, pages in CDATA."""
    two, xml = f"{ONE}|{TWO}", '<?xml version="1.0"?>'
    yield "notes.opml", f'{xml}<opml version="2.0"><head><title>T</title></head><body><outline text="{ONE}"><outline text="x" _note="{TWO}"/></outline></body></opml>', 0, two, "!doubtful"
    yield "thoughts.mm", f'<map version="1.0.1"><node TEXT="{ONE}"><node TEXT="{TWO}"/></node></map>', 0, two + "|!<", "!doubtful"
    def lines(whole, word):
        return "".join(f"<s>{whole % s}{''.join(f'<w>{word % w}</w>' for w in s.split())}</s>" for s in (ONE, TWO))
    t, q = "<t>%s</t>", "<t>q</t><!-- %s -->"
    for name, p in (("paragraph", t % f"{ONE} {TWO}" + lines(q, q)), ("sentence", lines(t, q)), ("word", lines("<!-- %s -->", t)),
                    ("after", lines(t, q) + "<t>q</t>")):
        yield f"folia-{name}.xml", f"{xml}<FoLiA><metadata>q</metadata><text><p>{p}</p></text></FoLiA>", 0, two + "|!q", "!doubtful"
    tokens = "".join(f'<wf id="w{k}">{w}</wf>' for k, w in enumerate(f"{ONE} {TWO}".split()))
    yield "a.naf", f"{xml}<NAF><raw>q {ONE}</raw><text>{tokens}</text></NAF>", 0, f"{ONE} {TWO}|!q", "-"
    yield "a.tcf", f'{xml}<D-Spin xmlns:t="x"><t:TextCorpus><t:text>{ONE} {TWO}</t:text><t:tokens><t:token>q</t:token></t:tokens></t:TextCorpus></D-Spin>', 0, f"{ONE} {TWO}|!q", "-"
    yield "marks.trs", f'{xml}<Trans><Turn><Sync time="0"/>Alpha<Sync time="1"/>one is<Event desc="b"/>here.</Turn></Trans>', 0, ONE, "-"
    yield "marks.usx", f'{xml}<usx><para><verse number="1"/>Alpha<verse number="2"/>one har-<verse number="3"/>bour</para></usx>', 0, "Alpha one har-", "-"
    yield "daisy.xml", f'{xml}<dtbook><head>q</head><book><p><sent>Alpha one</sent> <sent>is <pagenum>q</pagenum>here.</sent></p></book></dtbook>', 0, f"{ONE}|!q", "-"
    yield "end-of-page.xml", f"{xml}<akomaNtoso><p>Alpha<eop/>one is<eol/>here.</p></akomaNtoso>", 0, "Alpha one is|here.|!ishere", "-"
    yield "rule.nxml", f"<!DOCTYPE article PUBLIC '-//NLM//DTD JATS' 'x'><article><body><p>Alpha<hr/>one is here.</p></body></article>", 0, "one is here.|!Alphaone", "-"
    page = f'<![CDATA[<?xml version="1.0"?><!DOCTYPE note SYSTEM "q"><note><div>Alpha<br/>one is here.</div><div>{TWO}</div></note>]]>'
    yield "notes.enex", f"{xml}<en-export><note><title>T</title><content>{page}</content></note></en-export>", 0, f"one is here.|{TWO}|!q|!<|!Alphaone", "!doubtful"
    yield "code.xml", f"{xml}<book xmlns='http://docbook.org/ns/docbook'><para>T</para><screen><![CDATA[<b>x</b>]]></screen></book>", 0, "<b>x</b>", "-"
    yield "no-page.xml", f"{xml}<r><c><![CDATA[a < b and c > d]]></c></r>", 0, "a < b and c > d", "-"


def mails():
    """Mails whose parts are odd."""
    head = "From: a@b\nTo: c@d\nSubject: x\nDate: Mon, 1 Jan 2001 00:00:00 +0000\n"

    def parts(kind, *parts):
        inside = "".join(f"--B\n{p}\n" for p in parts)
        return f'{head}MIME-Version: 1.0\nContent-Type: multipart/{kind}; boundary="B"\n\n{inside}--B--\n'
    plain, page = "Content-Type: text/plain\n\n", "Content-Type: text/html\n\n<p>%s</p>"
    yield "empty-plain.eml", parts("alternative", plain + " \n", page % ONE), 0, ONE + "|!<p>", "-"
    yield "plain-last.eml", parts("alternative", page % ONE, plain + TWO), 0, f"{TWO}|!{ONE}", "-"
    yield "two-plain.eml", parts("alternative", plain + ONE, page % TWO), 0, f"{ONE}|!{TWO}", "-"
    whole = parts("alternative", plain + ONE)
    for name, lead in (("mark", "\ufeff"), ("lines", "\n\r\n"), ("both", "\ufeff\n")):
        yield f"{name}.eml", lead + whole, 0, f"{ONE}|!Subject|!\ufeff", "-"
        yield f"{name}.mbox", lead + f"From a@b Mon Jan  1 00:00:00 2001\n{head}\n{ONE}\n", 0, f"{ONE}|!Subject", "-"
    yield "returns.eml", whole.replace("\n", "\r\r\n"), 0, f"{ONE}|!Subject|!--B", "-"
    yield "indented.txt", "\n  From: a@b\n  Subject: x\n\n  " + ONE, 0, "Subject: x", "-"
    coded = base64.b64encode(ONE.encode()).decode()
    for k, says in enumerate(('"base64"', "base64 (as RFC 2045 has it)", "(old) BASE64", "base64 ; x=y", "'base64'", "base64 charset=us-ascii")):
        yield f"coded{k}.eml", f"{head}Content-Transfer-Encoding: {says}\n\n{coded}\n", 0, ONE, "-"
        yield f"coded{k}-part.eml", parts("mixed", f"Content-Transfer-Encoding: {says}\n\n{coded}\n", plain + TWO), 0, f"{ONE}|{TWO}", "-"
    yield "type.eml", f'{head}Content-Type: "text/html" (a page)\n\n<p>{ONE}</p>', 0, f"{ONE}|!<p>", "-"
    for k, first in enumerate(("From -4823475983457", "From 7738475983457123", "From -12\r")):
        mbox = "".join(f"{first}\n{head}\n{text}\n\n" for text in (ONE + "\nFrom 1984\nNote: x", TWO))
        yield f"archive{k}.mbox", mbox, 0, f":0 <==|{ONE}|From 1984|{TWO}|!Subject", "-"
        yield f"archive{k}.gz", gzip.compress(mbox.encode()), 0, f":0 <==|{ONE}|{TWO}|!Subject", "-"
    page = "Content-Type: text/html\nContent-Location: http://a/\n\n<p>%s</p>"
    others = [f"Content-Type: text/{kind}\n\nnothing {{ of: this; }}" for kind in
              ("css", "javascript", "vcard", "x-vcard", "calendar; method=REQUEST", "x-vcalendar", "directory")]
    saved = parts("related", page % ONE, *others, page % TWO)
    yield "saved.mht", saved, 0, f"{ONE}|{TWO}|!nothing", "-"
    yield "saved-edge.mhtml", saved.replace(head, "Snapshot-Content-Location: http://a/\nSubject: x\n"), 0, f"{ONE}|{TWO}|!nothing|!Subject", "-"
    yield "digest.eml", parts("digest", "\n" + head + "\n" + ONE, "\n" + head + "\n" + TWO), 0, f"{ONE}|{TWO}|!Subject", "-"


def sets():
    """Character sets that are guessed."""
    ukrainian = "Привіт, світе. Друге речення їжака тут є."
    yield "ukrainian.txt", ukrainian.encode("koi8-u"), 0, ukrainian, "-"
    yield "russian.txt", "Привет, мир. Второе предложение здесь.".encode("koi8-r"), 0, "Привет, мир.", "-"


def labels():
    """Character sets by their labels in mails: DOS code pages, and sets with shift characters."""
    head = "From: a@b\nTo: c@d\nSubject: x\nDate: Mon, 1 Jan 2001 00:00:00 +0000\nContent-Type: text/plain; charset=%s\n\n"
    greek, hebrew, russian, german = "Ένα λιμάνι εδώ.", "נמל אחד כאן.", "Один порт здесь.", "Über Häfen, größer."
    yield "ascii.eml", (head % "us-ascii") + "A café here.", 0, "A café here.", "-"
    yield "latin.eml", (head % "us-ascii").encode() + "A café here.".encode("latin-1"), 0, "A café here.", "-"
    for label, text in (("cp437", german), ("IBM437", german), ("cp850", german), ("ibm852", german), ("cp865", german),
                        ("cp866", russian), ("cp855", russian), ("cp737", greek), ("cp862", hebrew), ("cp858", "5 € für Häfen.")):
        yield f"{label}.eml", (head % label).encode() + text.encode(label), 0, text, "-"
    greek, hebrew = greek + " Το παλιό τείχος της πόλης.", "נמל קטן יש כאן והסירות שבים מאוחר בחורף."
    german = "Größere Häfen dürfen später öffnen, fünf Möwen hören zu."
    for page, text in (("cp737", greek), ("cp862", hebrew), ("cp850", german), ("cp437", german), ("cp850", "Où les élèves répétaient, la fenêtre était fermée."),
                       ("latin-1", german), ("cp1252", german), ("koi8-r", russian * 4), ("cp866", russian * 4), ("iso8859-7", greek), ("cp1255", hebrew)):
        yield f"guess-{page}-{len(text)}.txt", text.encode(page), 0, text, "-"
    yield "quotes.txt", "He said \u201eyes\u201c and \u201eno\u201d, it\u2019s a \u2018dog\u2019\u2026 or \u2013 a cat.".encode("cp1252"), 0, "„yes“ and „no”, it’s", "-"
    korean = "항구의 오래된 벽은 돌로 지어졌다. " * 9
    for name, lead in (("label", head % "iso-2022-kr"), ("escapes", head % "us-ascii")):
        yield f"korean-{name}.eml", lead.encode() + korean.encode("iso-2022-kr"), 0, korean.strip(), "-"
    yield "korean.txt", korean.encode("iso-2022-kr"), 0, korean.strip(), "-"
    yield "shifts.bin", b"\x1b$)C\0" + bytes(range(32)) * 200, 1, "-", "no text"


KINDS = (told, wide, sgml, json, tables, packed, archives, pages, misnamed, dialects, mails, sets, labels)


def main():
    folder = sys.argv[1]
    for kind in KINDS:
        for name, data, status, prints, says in kind():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(data.encode() if isinstance(data, str) else data)
            print(name, status, prints.replace("\n", " "), says, sep="\t")


if __name__ == "__main__":
    main()
