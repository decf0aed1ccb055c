#!/usr/bin/env python3
"""Counts how many character-set tests pardup passes.

    charsets.py [--verbose]

    index      every code of Big5 and of two-byte GB18030 and samples of the four-byte codes, a line
               each (test data of encoding_rs), under its label
    codec      every byte of the single-byte sets and every code of the multi-byte ones that Python
               knows too, against Python's codecs; where the WHATWG standard is known to say
               something else than Python, the standard's answer is asked for (see STANDARD)
    sighan     lines of real GBK and Big5 texts against the same texts in UTF-8
    declared   html5lib's encoding tests: what a page says of itself in its first kilobyte.  Pages
               that say nothing are left out: browsers take windows-1252, pardup guesses

PARDUP, PARDUP_DATA: see suites.py.
"""

import codecs
import re
import sys

import suites

SINGLE = """ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8
iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874
windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256
windows-1257 windows-1258 x-mac-cyrillic""".split()
PYTHON = {"windows-874": "cp874", "macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic",
          "ibm866": "cp866"}
MULTI = {"shift_jis": "cp932", "euc-jp": "euc_jp", "euc-kr": "cp949", "gbk": "gbk"}

# What the standard says and Python does not.
STANDARD = {
    ("koi8-u", 0xAE): "\u045e", ("koi8-u", 0xBE): "\u040e", ("x-mac-cyrillic", 0xA2): "\u0490",
    ("x-mac-cyrillic", 0xB6): "\u0491", ("windows-1255", 0xCA): "\u05ba",
}
# Characters that Unicode got after the test data was made, and GB 18030 took in 2022.
GB18030_2022 = dict(zip([*range(0xE78D, 0xE797), 0xE81E, 0xE826, 0xE82B, 0xE82C, 0xE832, 0xE843,
                         0xE854, 0xE864],
                        [0xFE10, 0xFE12, 0xFE11, *range(0xFE13, 0xFE1A), *range(0x9FB4, 0x9FBC)]))
# JIS X 0208 signs that Python's euc_jp reads in Unix fashion and the standard as Windows does.
WINDOWS_SIGNS = str.maketrans("\u301c\u2016\u2212\u00a2\u00a3\u00ac\u2014\u2014", "～∥－￠￡￢――")


def text_of(label, data):
    """A page for suites.texts()."""
    return f"text/plain; charset={label}", data


def check_lines(tally, group, label, data, reference):
    """One case a line; the bytes are in the set, the reference is text."""
    lines, wanted = data.split(b"\n"), reference.split("\n")
    found = (suites.texts([text_of(label, data)])[0] or "").split("\n")
    for line, want, got in zip(lines, wanted, found + [""] * len(wanted)):
        if line:
            tally.count(group, want == got, line.hex(" "), f"want {want!a}", f"got  {got!a}")


def check_index(tally):
    """The lines of the index files."""
    folder = suites.unpack("external-suites", "encoding")
    for label in ("big5", "gb18030"):
        reference = (folder / f"{label}_in_ref.txt").read_text("utf-8")
        check_lines(tally, f"index {label}", label, (folder / f"{label}_in.txt").read_bytes(),
                    reference.translate(GB18030_2022 if label == "gb18030" else {}))


def decode(data, codec):
    """By Python, None where it cannot."""
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def check_codes(tally, label, cases):
    """Cases (bytes, wanted text), each on a line of its own."""
    data = b"\n".join(code for code, _ in cases)
    check_lines(tally, f"codec {label}", label, data, "\n".join(want for _, want in cases))


def check_codecs(tally):
    """Sets that Python knows as well."""
    for label in SINGLE:
        cases = []
        for byte in range(0x80, 0x100):
            control = chr(byte) if byte < 0xA0 else "\ufffd"
            want = decode(bytes([byte]), PYTHON.get(label, label)) or control
            cases.append((bytes([byte]), STANDARD.get((label, byte), want)))
        check_codes(tally, label, cases)
    for label, codec in MULTI.items():
        codes = [bytes([lead, trail]) for lead in range(0x81, 0xFF) for trail in range(0x40, 0xFF)]
        known = [(code, decode(code, codec)) for code in codes]
        signs = WINDOWS_SIGNS if codec == "euc_jp" else {}
        check_codes(tally, label, [(code, text.translate(signs)) for code, text in known
                                   if text and len(text) == 1])


def check_sighan(tally):
    """Real texts in both forms."""
    folder = suites.unpack("sighan2005-encodings")
    for path in sorted(folder.glob("*/*.utf8")):
        old = path.with_suffix(".txt")
        if old.exists():
            label = "big5" if path.name.startswith(("as_", "cityu_", "hk_")) else "gb2312"
            check_lines(tally, f"sighan {label}", label, old.read_bytes().replace(b"\r\n", b"\n"),
                        path.read_text("utf-8").removeprefix("\ufeff").replace("\r\n", "\n"))


def check_declared(tally):
    """A probe of bytes that every set reads in another way is put behind each page."""
    folder = suites.unpack("external-suites", "html5lib-tests")
    probe = b"\xb1\xe1\xd1\xf0"
    cases = []
    for path in sorted((folder / "encoding").glob("*.dat")):
        for part in re.split(rb"(?:^|\n)#data\n", path.read_bytes())[1:]:
            page, name = part.split(b"\n#encoding\n")
            cases.append((page, name.split()[0].decode().lower()))
    closing = b" \"'>--></script></style></title><p>"
    found = suites.texts([("text/html", page + closing + probe) for page, _ in cases])
    for (page, name), text in zip(cases, found):
        says = name != "windows-1252" or b"1252" in page or b"8859-1" in page
        if not says or text is None or not text.strip():
            continue
        try:
            want = probe.decode("big5hkscs" if name == "big5" else name, "replace")
        except LookupError:
            continue
        tally.count("declared", text.endswith(want), f"page {page!r}", f"want {name}: {want!a}",
                    f"got  {text!a}")


def main():
    """Returns the exit status."""
    for name in set(SINGLE) | set(MULTI.values()):
        codecs.lookup(PYTHON.get(name, name))
    tally = suites.Tally(suites.arguments(__doc__).parse_args().verbose)
    check_index(tally)
    check_codecs(tally)
    check_sighan(tally)
    check_declared(tally)
    tally.print("charsets")
    return 0


if __name__ == "__main__":
    sys.exit(main())
