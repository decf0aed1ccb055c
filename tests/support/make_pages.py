#!/usr/bin/env python3
"""Make a web archive whose pages share sentences, and judge what pardup dedup has made of it.

usage: make_pages.py make FILE        write the archive
       make_pages.py judge OLD NEW    compare it with the output of dedup: heads, tags and bytes of pages

Page `first` has sentences 1 to 12, and the others have 3 to 10 of them between sentences of their own: in all kinds
of markup, character sets and codings.
"""
import gzip
import re
import sys


def sentences(begin, end):
    return [f"Sentence number w{k} speaks of x{k} and y{k} in its own words." for k in range(begin, end + 1)]


def marked(sentence):
    """The sentence across inline tags, with a comment, a script and references inside."""
    a, b, c, rest = sentence.split(" ", 3)
    return f"<b>{a}</b> {b[:2]}<i>{b[2:]}</i> <!-- {c} --><script>no = '{c}';</script>\n  {c} {rest.replace('and', '&#97;nd')}"


SHARED = sentences(3, 10)
OWN = sentences(100, 106)  # each page has them with its name in them


def page(name, body, head=""):
    body = re.sub(r"([wxy])(10\d) ", rf"\1\2{name} ", body)
    return f"<!DOCTYPE html>\n<html><head><title>{name}</title>{head}</head>\n<body class=\"x\"><div id='{name}'>\n{body}\n</div></body></html>\n"


def paragraphs(some, own=OWN):
    return "\n".join(f"<p class=a>{s}</p>" for s in own[:3] + some + own[3:])


def chunked(body):
    cut = len(body) // 3
    return b"%x\r\n%s\r\n%x;x=y\r\n%s\r\n0\r\n\r\n" % (cut, body[:cut], len(body) - cut, body[cut:])


# name: (text of the page, its bytes as they are stored, lines of the HTTP head; None: a resource)
def pages():
    utf8 = "Content-Type: text/html; charset=utf-8"
    latin = [s.replace("own", "\u00f6wn") for s in OWN]
    chinese = [s.replace("own", "\u56fd\u5bb6") for s in OWN]
    made = {}

    def add(name, text, lines=(utf8,), charset="utf-8", coded=lambda body: body):
        body = text.encode(charset)
        made[name] = (body, coded(body), lines)

    add("first", page("first", "\n".join(f"<p>{s}</p>" for s in sentences(1, 12))))
    add("plain", page("plain", paragraphs(SHARED)), (utf8, "Content-Length: 99999", "X-Own: 1"))
    add("coded", page("coded", paragraphs(SHARED)),
        (utf8, "Transfer-Encoding: chunked", "content-encoding:", " gzip", "Content-MD5: AAAA", "ETag: \"e\""),
        coded=lambda body: chunked(gzip.compress(body, mtime=0)))
    add("resource", page("resource", paragraphs(SHARED)), None)
    add("latin", page("latin", paragraphs(SHARED, latin)), ("Content-Type: text/html; charset=iso-8859-1",), "latin-1")
    add("chinese", page("chinese", paragraphs(SHARED, chinese), "<meta charset=gb2312>"), ("Content-Type: text/html",), "gbk")
    add("wide", page("wide", paragraphs(SHARED)), ("Content-Type: text/html; charset=utf-16le",), "utf-16le")
    add("breaks", page("breaks", "<p>" + "<br>\n".join(OWN[:3] + SHARED + OWN[3:]) + "</p>"))
    add("pre", page("pre", "<pre>\n" + "\n".join(OWN[:3] + SHARED + OWN[3:]) + "\n</pre>"))
    add("indented", page("indented", f"<p>{' '.join(OWN[:3])}</p><pre>  " + "\n  ".join(SHARED) + f"</pre><p>{' '.join(OWN[3:])}</p>"))
    add("marked", page("marked", "<p>" + " ".join(OWN[:3] + [marked(s) for s in SHARED] + OWN[3:]) + "</p>"))
    add("joined", page("joined", f"<p>{' '.join(OWN[:3] + SHARED[:4])}</p><p>{' '.join(SHARED[4:] + OWN[3:])}</p>"))
    add("strict", '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>'
        + re.sub(r"([wxy])(10\d) ", r"\1\2strict ", paragraphs(SHARED)).replace("class=a", 'class="a"') + "<![CDATA[ Own <end>. ]]></body></html>",
        ("Content-Type: application/xhtml+xml",))
    return made


def make(path):
    with open(path, "wb") as out:
        for name, (_, stored, lines) in pages().items():
            head = b"" if lines is None else "\r\n".join(("HTTP/1.1 200 OK",) + lines + ("", "")).encode()
            kind = ("resource", "text/html; charset=utf-8") if lines is None else ("response", "application/http; msgtype=response")
            out.write((f"WARC/1.0\r\nWARC-Type: {kind[0]}\r\nWARC-Record-ID: <urn:x:{name}>\r\n"
                       f"WARC-Target-URI: http://{name}.example/\r\nWARC-Payload-Digest: sha1:AAAA\r\nX-Field: y\r\n"
                       f"Content-Type: {kind[1]}\r\nContent-Length: {len(head) + len(stored)}\r\n\r\n").encode())
            out.write(head + stored + b"\r\n\r\n")


def records(path):
    """Records by name: fields of the WARC header, lines of the HTTP head, body."""
    data, found = open(path, "rb").read(), {}
    while data:
        header, rest = data.split(b"\r\n\r\n", 1)
        fields = dict(line.split(b": ", 1) for line in header.split(b"\r\n")[1:])
        n = int(fields[b"Content-Length"])
        content, data = rest[:n], rest[n + 4:]
        assert rest[n:n + 4] == b"\r\n\r\n", "a record does not end where its header says"
        head, body = content.split(b"\r\n\r\n", 1) if content.startswith(b"HTTP/") else (b"", content)
        found[fields[b"WARC-Record-ID"][7:-1].decode()] = (fields, head.split(b"\r\n"), body)
    return found


def tags(body):
    return [tag for tag in re.findall(rb"<!--.*?-->|<script.*?</script>|<[^>]*>", body) if not tag.startswith(b"<br")]


def is_part(small, large):
    at = 0
    for byte in small:
        at = large.find(byte, at) + 1
        if at == 0:
            return False
    return True


def judge(old, new):
    bad, before, after = [], records(old), records(new)
    for name, (body, _, lines) in pages().items():
        fields, head, left = after[name]
        if name == "first":
            ok = after[name] == before[name]
        elif name in ("wide", "indented"):  # UTF-16 is not followed; white space that is left of <pre> is none
            ok = fields[b"WARC-Type"] == b"conversion" and fields[b"Content-Type"] == b"text/plain; charset=utf-8"
        else:
            gone = {b"WARC-Payload-Digest"}
            kept = {k: v for k, v in before[name][0].items() if k not in gone | {b"Content-Length"}}
            wanted = [line for line in before[name][1] if not re.match(rb"Transfer-Encoding|content-encoding| gzip|Content-MD5", line)]
            wanted = [b"Content-Length: %d" % len(left) if line.startswith(b"Content-Length") else line for line in wanted]
            ok = {k: v for k, v in fields.items() if k != b"Content-Length"} == kept and head == wanted
            ok = ok and tags(left) == tags(body) and is_part(left, body) and len(left) < len(body)
            ok = ok and b"w3 speaks" not in left and b"w10 speaks" not in left and b"w100" in left and b"w106" in left
        if not ok:
            bad.append(name)
    print("wrong:", *bad)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(make(sys.argv[2]) if sys.argv[1] == "make" else judge(*sys.argv[2:]))
