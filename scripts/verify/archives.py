"""Web archives and mail folders for verify.py: their records, and what the proof leaves of them.
A record of a web archive has the line ends behind its content. The document of a line of the proof is found by its id, or by
its place in the file, so ids of web archives must differ within a file. The text of a record is its content if that is plain text in
UTF-8. All other texts need pardup (--pardup), which prints them; without it a cut record must be the old one without some bytes.
"""
import contextlib, re, subprocess
IDS = (b"warc-trec-id", b"clueweb22-id", b"warc-record-id")
MENDED = re.compile(rb"(?i)(content-length|content-type|content-encoding|transfer-encoding|content-md5|etag|digest|repr-digest|content-digest"
                    rb"|warc-type|warc-block-digest|warc-payload-digest)\s*:")
FROM, HEADER = re.compile(rb"From .*\n"), re.compile(rb"[!-9;-~]+:")

class Record:
    def __init__(self, raw, head, name):
        self.raw, self.head, self.name = raw, raw[:head], name
        self.fields = {key.strip().lower(): value.strip() for key, _, value in (line.partition(b":") for line in self.head.split(b"\r\n"))}
        length = self.fields.get(b"content-length", b"")
        self.content = raw[head:head + int(length)] if length.isdigit() else raw[head:]
        self.type = self.fields.get(b"warc-type", b"")
        self.page = self.content.partition(b"\r\n\r\n")[::2] if self.content.startswith(b"HTTP/") else (b"", self.content)
    def text(self):  # None: it cannot be had without pardup
        kind = self.fields.get(b"content-type", b"text/plain").partition(b";")
        try:
            return self.content if kind[0] == b"text/plain" and self.type == b"conversion" and self.content.decode() else None
        except UnicodeDecodeError:
            return None
    def kept(self):  # lines of both heads that a cut leaves
        return [line for line in self.head.split(b"\r\n") + self.page[0].split(b"\r\n") if not MENDED.match(line)]

@contextlib.contextmanager
def opened(path, packers, part=False):  # part: not all of it is read
    with open(path, "rb") as file:
        if not (packer := packers.get(file.peek(2)[:2])):
            yield file
        else:
            with subprocess.Popen([packer, "-dcq"], stdin=open(path, "rb"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as job:
                yield job.stdout
                if part:
                    job.kill()
            if job.returncode and not part:
                raise ValueError(f"{path}: {packer} cannot unpack it")
def kind_of(path, packers):
    with opened(path, packers, part=True) as file:
        first, second = file.readline(1 << 16), file.readline(1 << 16)
    return "web archive" if first.startswith(b"WARC/") else "mail folder" if FROM.fullmatch(first) and HEADER.match(second) else None
def warc(file):
    line = file.readline()
    while line:
        head = line
        while not head.endswith(b"\r\n\r\n"):
            head += (line := file.readline())
            if not line:
                raise ValueError("a record of a web archive has no end")
        length = re.search(rb"(?i)\nContent-Length:[ \t]*(\d+)", head)
        if not head.startswith(b"WARC/") or not length:
            raise ValueError("is damaged: this is no record of a web archive: %r" % head[:60])
        raw = head + file.read(int(length[1]))
        while (line := file.readline()) and not line.strip(b"\r\n"):
            raw += line
        record = Record(raw, len(head), None)
        name = next((record.fields[key] for key in IDS if record.fields.get(key)), b"")
        record.name = re.sub(rb"^<(.+)>$", rb"\1", name).decode("utf-8", "replace")
        yield record
def mails(file, path):
    raw, at, blank, line = b"", 0, True, file.readline()
    while line:
        after = file.readline()
        if raw and blank and FROM.fullmatch(line) and HEADER.match(after):
            yield Record(raw, 0, f"\0{path}:{at}")
            at, raw = at + len(raw), b""
        raw, blank, line = raw + line, not line.strip(), after
    if raw:
        yield Record(raw, 0, f"\0{path}:{at}")
def records(path, kind, name, packers):
    with opened(path, packers) as file:
        yield from warc(file) if kind == "web archive" else mails(file, name)
def printed(pardup, path):
    """What pardup prints of the documents of a file: pairs of id and text."""
    done = subprocess.run([pardup, "text", "--quiet", path], capture_output=True)
    parts = re.split(rb"^==> (.*) <==\n", done.stdout, flags=re.M)
    return [(name.decode("utf-8", "replace"), text[:-1]) for name, text in zip(parts[1::2], parts[2::2])]

class Archive:
    """A file of the input beside that of the output. `checker` is the one of verify.py, `tools` its names."""
    def __init__(self, checker, tools, path, clean, kind, documents):
        self.checker, self.tools, self.path, self.clean, self.kind = checker, tools, path, clean, kind
        self.first, self.proof, self.pardup = checker.row, checker.proof, checker.options.pardup
        checker.row += documents
        named = [row for row in self.proof.lines.keys() | self.proof.kept.keys() if self.first <= row < checker.row]
        self.named = sorted(named, reverse=True)  # rows that are still to come
        self.texts = iter(printed(self.pardup, path) if self.pardup and named else ())
        self.left = iter(printed(self.pardup, clean) if self.pardup and named and clean else ())
        self.next, self.row = next(self.texts, None), self.first - 1
    def expects(self, row):
        return self.proof.lines[row][0]["id"] if row in self.proof.lines else self.proof.kept[row][0]["kept_id"]
    def find(self, record):
        """The row of the document of a record that the proof names, and its text; None, None: it names none."""
        text = record.text()
        if self.next and self.tools["fits"](self.next[0], record.name):
            text, self.next, self.row = self.next[1], next(self.texts, None), self.row + 1
        elif self.pardup:
            return None, None
        if self.named and self.tools["fits"](self.expects(self.named[-1]), record.name) and self.row in (self.named[-1], self.first - 1):
            return self.named.pop(), text
        return None, None
    def fault(self, record, reason, what="fault"):
        self.tools["fault"](self.clean or self.path, record.name, reason, what)
    def cut(self, old, new, left):
        """Is `new` the record `old` with the text `left`?"""
        if new is None or new.name != old.name or self.kind == "mail folder":
            return self.fault(old, "is cut, but not in the output")
        if not set(new.kept()) <= set(old.kept()):
            return self.fault(old, "has other fields than in the input")
        have = new.text()
        for name, text in self.left if self.pardup else ():
            if self.tools["fits"](name, new.name):
                have = text
                break
        if left is None or have is None:
            rest = iter(old.page[1])
            same = all(byte in rest for byte in new.page[1]) or old.page[0].lower().find(b"encoding:") > 0 or new.type != old.type
            reason = "is cut, and pardup reads it otherwise (--pardup)" if same else "is not the record of the input without some bytes"
            self.fault(old, reason, "not checked" if same else "fault")
        elif have.rstrip() != left.rstrip():
            self.fault(old, "has other text than the proof leaves")
    def check(self):
        out = records(self.clean, self.kind, self.checker.name, self.tools["PACKERS"]) if self.clean else iter(())
        new, wrong = next(out, None), 0
        for old in records(self.path, self.kind, self.checker.name, self.tools["PACKERS"]):
            row, text = self.find(old)
            left = self.checker.left(row, self.path, old.name, text) if row is not None else None
            if not self.clean or wrong > 2:
                continue
            if row in self.proof.lines and self.proof.gone(row):
                if new and new.type == b"revisit" != old.type and new.name == old.name:
                    new = next(out, None)
                continue
            if row in self.proof.lines:
                self.cut(old, new, left)
            elif new is None or new.raw != old.raw:
                wrong += 1
                self.fault(old, "is not in the output as it was, or stands behind a record that is not in the input")
            new = next(out, None)
        if self.clean and new is not None and wrong < 3:
            self.fault(new, "is not in the input")
        for row in self.named:
            self.tools["fault"](self.proof.path, self.expects(row), f"document {row} is not in {self.path}")
