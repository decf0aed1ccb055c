#!/usr/bin/python3
"""Checks what `pardup dedup` wrote, without pardup: a collection, the collection without its copies, and the proof.
    verify.py [--text-field NAME] [--id-field NAME] [--pardup PROGRAM] [--sources PATH]... [--checked] INPUT... CLEAN PROOF
INPUT are the files and folders that `pardup detect` has read, in the same order. CLEAN is the folder of -o, PROOF the folder of --proof (or
files in them). It knows JSON lines, plain texts (a file is a document), web archives and mail folders (archives.py), plain, .gz and .zst. --sources
is what --against named, or the folder of a month in the store of --known, for all months in order; - stands for all others, which are not at
hand. --checked: sources are in an index of `pardup check`. docs/dedup.md ("Checked by a stranger") says what is proven, and by how much words
may agree less than pardup says (TOLERANCE, SLACK words). If PROOF has a certificate, each of its lines is made again from all files, and its
root is printed. Offsets count bytes of what `pardup text` prints; where it cannot be had otherwise, a file is read with --pardup.
Exit status: 0 all is proven; 1 a fault; 2 wrong usage; 3 no fault, but something that could not be checked.
"""
import argparse, bisect, hashlib, itertools, json, os, re, shutil, subprocess, sys, unicodedata
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import archives
TOLERANCE, SLACK, SHOWN, INDEX, counted = 0.02, 2, 20, 1 << 48, {"fault": 0, "not checked": 0}
KEYS = "id begin end kept_id kept_begin kept_end agreement family passage removed words doc kept_doc".split()
PACKERS = {b"\x1f\x8b": "gzip", b"\x28\xb5": "zstd"}
ALONE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
WORD = re.compile(f"[{ALONE}]|[^\\W{ALONE}]+")
PLAIN = re.compile(rb'\s*(?:[("]*[A-Za-z0-9]++[.,;:!?")]*\s++)*')
STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.S)
TOKEN = re.compile(STRING.pattern + rb"|[][{}:,]", re.S)
CODED = re.compile(rb"\s*<|[A-Za-z-]+: |From ")
WORDS = re.compile(rb"[\w\x80-\xff](?:.*[\w\x80-\xff])?", re.S)

def fault(file, record, reason, what="fault"):
    counted[what] += 1
    if counted[what] <= SHOWN:
        print(f"{what}: {file}: {record.strip(chr(0))}: {reason}")
def lines_of(path):  # the lines of a file, plain or packed, each with its line end
    with open(path, "rb") as file:
        if not (packer := PACKERS.get(file.peek(2)[:2])):
            yield from file
            return
    with subprocess.Popen([packer, "-dcq"], stdin=open(path, "rb"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as job:
        yield from job.stdout
    if job.returncode:
        fault(path, "the file", f"{packer} cannot unpack it")
def files_of(inputs):  # all files of the inputs, in the order of their documents
    for path in inputs:
        below = (os.path.join(at, name) for at, _, names in os.walk(path) for name in names)
        yield from sorted(below, key=os.fsencode) if os.path.isdir(path) else [path]

def digest(data):
    return hashlib.sha256(data).digest()
def tree(leaves):  # the root of the Merkle tree over digests of leaves (RFC 6962)
    if len(leaves) < 2:
        return leaves[0] if leaves else digest(b"")
    return digest(b"\1" + tree(leaves[:(left := 1 << (len(leaves) - 1).bit_length() - 1)]) + tree(leaves[left:]))
def stored(path):
    with open(path, "rb") as file:
        return {"bytes": os.path.getsize(path), "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
def written(line):
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
def words_of(text):
    text = text.decode("utf-8", "replace")
    return WORD.findall((text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold())

def agreement(a, b):
    """Words that stand in both, in order, over the words of the longer side: bit by bit, as Hyyro has it (2004)."""
    places = {}
    for k, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << k
    every = row = (1 << len(a)) - 1
    for word in b:
        both = row & places.get(word, 0)
        row = (row + both | row - both) & every
    return (len(a) - row.bit_count()) / max(len(a), len(b), 1)
def parsed(line, **options):
    return json.loads(line.decode("utf-8", "replace"), strict=False, **options)
def utf8(text):  # a lone surrogate is no character
    return re.sub("[\ud800-\udfff]", "\ufffd", text).encode()
def value_at(line, names):
    """Where the string value of a field is in a line of JSON, with its quotes; of equal names the last one counts."""
    found, levels, before = None, [], b""
    for token in TOKEN.finditer(line):
        mark = token.group()
        if mark in b"{[":
            levels.append([mark, None])
        elif mark in b"}]":
            levels.pop()
        elif mark[:1] == b'"' and before in (b"{", b",") and levels[-1][0] == b"{":
            levels[-1][1] = parsed(mark)
        elif mark[:1] == b'"' and before == b":" and [name for _, name in levels] == names:
            found = token.span()
        before = mark
    return found
def fits(said, name):
    """Is an id of the proof the one of a record? A record without an id (NUL) has a path, in a folder that is the same for all."""
    if not name.startswith("\0"):
        return said == name or "\ufffd" in name or "\0" in name
    begin, path, end = said.rpartition(name[1:])
    return bool(path) and bool(re.fullmatch("[0-9+]+" if path.endswith(":") else "", end)) and counted.setdefault("folder", begin) == begin

class Proof:
    """The lines of removed.jsonl.zst: by document, and by the document whose text they name as kept."""
    def __init__(self, path, first):
        self.path, self.first, self.lines, self.kept, self.all, self.leaves, self.waiting = path, first, {}, {}, [], [], {}
        for number, raw in enumerate(lines_of(path), 1):
            try:
                self.all.append(self.line(json.loads(raw), raw))
            except (ValueError, TypeError, AttributeError, KeyError) as error:
                fault(path, f"line {number}", f"is no line of a proof ({error})")
    def line(self, line, raw):
        rest = line["removed"] == "rest"
        right = {line[key] for key in (*KEYS[3:9], "kept_doc")} == {None} if rest else line["agreement"] <= 1 and type(line["kept_id"]) is str
        right = right and list(line) == KEYS and line["removed"] in ("passage", "document", "rest") and type(line["id"]) is str
        numbers = ["begin", "end", "words", "doc"] + ([] if rest else ["kept_begin", "kept_end", "kept_doc"])
        numbers += [] if line["passage"] is line["family"] is None else ["passage"]
        if not right or any(type(line[name]) is not int or line[name] < 0 for name in numbers) or line["begin"] >= line["end"]:
            raise ValueError("a name or a value is wrong")
        form = written(line) if rest else re.sub(b'"agreement":[^,]*', b'"agreement":%.4f' % line["agreement"], written(line))
        if b"\\u" not in raw and form + b"\n" != raw:
            raise ValueError("is written otherwise than pardup writes")
        self.lines.setdefault(line["doc"], []).append(line)
        if not rest:
            self.kept.setdefault(self.first + line["kept_doc"], []).append(line)
        self.leaves.append(digest(b"\0" + raw))
        return line
    def gone(self, row):
        return row in self.lines and self.lines[row][0]["removed"] != "passage"
    def spans(self, row):
        return sorted((line["begin"], line["end"]) for line in self.lines.get(row, ()))
    def document(self, row, file, name, text):
        """What lines say of a document of the input: the texts that it keeps for others, and its own spans."""
        for line in self.kept.get(row, ()):
            begin, end, owner = line["kept_begin"], line["kept_end"], line["id"]
            if not fits(line["kept_id"], name):
                fault(self.path, line["kept_id"], f"kept document {row} of the input is {name}")
            elif self.gone(row):
                fault(file, name, f"is gone, but its text is kept for {owner}")
            elif text is None:
                fault(file, name, f"text kept for {owner}: pardup reads the file otherwise (--pardup)", "not checked")
            elif end > len(text) or not WORDS.fullmatch(text, begin, end) or re.search(rb"\w", text[end:end + 1] + text[:begin][-1:]):
                fault(file, name, f"has no whole words from {begin} to {end} as kept for {owner}")
            elif any(b < end and e > begin and words_of(text[max(b, begin):min(e, end)]) for b, e in self.spans(row)):
                fault(file, name, f"text from {begin} to {end} is cut, but it is kept for {owner}")
            else:
                self.pair(line, True, text[begin:end])
        last = 0
        for line in sorted(self.lines.get(row, ()), key=lambda line: line["begin"]):
            begin, end = line["begin"], line["end"]
            if not fits(line["id"], name) or self.gone(row) == (line["removed"] == "passage"):
                fault(self.path, line["id"], f"document {row} of the input is {name}, or it goes whole and in part")
            elif text is not None and (end > len(text) or begin < last):
                fault(file, name, f"the span from {begin} to {end} is not in the text, or in two lines")
            elif text is not None and line["removed"] != "rest":
                self.pair(line, False, text[begin:end])
            last = end
    def pair(self, line, is_kept, text):
        """Holds one text of a line until the other one is there, and compares them then."""
        if (other := self.waiting.pop(id(line), None)) is None:
            return self.waiting.update({id(line): text})
        plain = PLAIN.fullmatch(text + b" ") if other == text else PLAIN.fullmatch(other + b" " + text + b" ")
        same = [text.split() if plain else ()] * 2 if other == text else None
        a, b = same or map(words_of, (other, text) if is_kept else (text, other))
        less = line["agreement"] - (1 if a == b else agreement(a, b))
        if (abs(less) > 0.00006 or len(a) != line["words"]) if plain else less > TOLERANCE + SLACK / max(len(a), len(b), 1):
            fault(self.path, line["id"], f"{len(a)} words, agreement {agreement(a, b):.4f}, but says {line['words']}, {line['agreement']}")

class Checker:
    def __init__(self, options, proof):
        self.options, self.proof, self.names = options, proof, options.text_field.split(".")
        self.row, self.gone, self.cut, self.files, self.rest, self.counts = 0, 0, 0, [], "-" in options.sources, {}
    def left(self, row, file, name, text):
        """The text that has to be left of a document; None: it is gone, or its text is not known."""
        self.proof.document(row, file, name, text)
        spans = self.proof.spans(row)
        left = text and b"".join(text[b:e] for b, e in zip([0, *(end for _, end in spans)], [*(begin for begin, _ in spans), len(text)]))
        if not self.proof.gone(row):
            self.cut += row in self.proof.lines
            return left
        self.gone += 1
        if left and left.decode("utf-8", "replace").replace("\ufeff", "").strip():
            fault(file, name, f"is gone, but no line has {left.strip()[:40]!r}")
    def record(self, line):
        """The text and the id of a line of JSON; None: it is no document."""
        try:
            text = record = parsed(line.removeprefix(b"\xef\xbb\xbf"), parse_int=str, parse_float=str)
            for key in self.names:
                text = text[key]
            for key in self.options.id_field.split("."):
                record = record.get(key) if type(record) is dict else None
            name = record if type(record) is str else json.dumps(record) if type(record) is bool else ""
            return (text, name) if type(text) is str and len(utf8(name)) <= 1024 else None
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
    def tells_nothing(self, path):
        """Is the file one JSON object, such as a description of the others, that is no document?"""
        data = b"".join(lines_of(path)) if path.endswith(".json") else b""
        try:
            return data and type(parsed(data)) is dict and self.record(data) is None
        except (ValueError, RecursionError):
            return False
    def json_lines(self, path, clean):
        out, wrong, after = lines_of(clean) if clean and os.path.exists(clean) else iter(()), 0 if clean else 3, 0
        for number, line in enumerate(lines_of(path), 1):
            want, place, name, offset, after = line, None, f"line {number}", after, after + len(line)
            row, self.row = self.row, self.row + bool(record := self.record(line))
            if record and (row in self.proof.lines or row in self.proof.kept):
                name, text = record[1] or f"\0{self.name}:{'' if path[-3:] in ('.gz', 'zst') else offset}", utf8(record[0])
                if (left := self.left(row, path, name, text)) is None:
                    continue
                if left != text:
                    want, place = left, value_at(line, self.names)
            if wrong < 3 and not same(next(out, b""), line, want, place):
                wrong += 1
                fault(clean, name, "is not what the proof leaves of it, or stands behind a record that is not in the input")
        if wrong < 3 and next(out, None) is not None:
            fault(clean, "the end", "has a record that is not in the input")
    def text_file(self, path, clean):
        row, self.row, data = self.row, self.row + 1, b"".join(lines_of(path))
        have = b"".join(lines_of(clean)) if clean and os.path.exists(clean) else None
        coded = CODED.match(data) or b"\0" in data or data.decode("utf-8", "replace").encode() != data
        text = data if not coded else self.printed(path) if self.options.pardup and row in self.proof.lines | self.proof.kept else None
        left = self.left(row, path, "\0" + self.name, text)
        want = left if row in self.proof.lines else data
        if text is None and row in self.proof.lines:
            fault(path, "the file", "pardup reads it otherwise (--pardup)", "not checked")
            want = None if self.proof.gone(row) else have
        if clean and have != want and (text in (None, data) or have is None or want in (None, data) or self.printed(clean) != want):
            fault(clean, "the file", "is not what the proof leaves of the file of the input")
    def printed(self, path):
        done = subprocess.run([self.options.pardup, "text", "--quiet", path], capture_output=True)
        return None if done.returncode else done.stdout
    def everything(self):
        self.read(self.options.input, self.options.clean)
        for path in set(map(os.path.abspath, files_of([self.options.clean]))) - {os.path.abspath(file[1]) for file in self.files}:
            fault(path, "the file", "is not in the input")
        self.inputs, self.row = self.row, max(self.row, self.proof.first)
        for path in filter("-".__ne__, self.options.sources):
            self.read([path], None)
        for row in sorted({row for row in self.proof.lines if row >= self.inputs} | {row for row in self.proof.kept if row >= self.row}):
            fault(self.proof.path, f"document {row % INDEX}", f"is not in the input, which has {self.inputs} documents, or in the sources (--sources)",
                  "not checked" if self.rest and row not in self.proof.lines else "fault")
    def read(self, paths, clean):  # documents of the input, or of sources, for which there is no CLEAN; their ids have a folder of their own
        files = list(files_of(paths))
        counted.pop("folder", None)
        shared = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in files] or ["."])
        for path in files:
            self.name = os.path.relpath(os.path.abspath(path), shared)
            target = os.path.join(clean, self.name) if clean and os.path.isdir(clean) else clean
            kind = archives.kind_of(path, PACKERS)
            is_json = not kind and re.search(r"\.(jsonl|ndjson)(\.gz|\.zst)?$", path) or self.tells_nothing(path) or self.record(next((line for line in lines_of(path) if line.strip()), b""))
            self.files.append((path, target, self.row, re.sub("[\udc80-\udcff]", lambda byte: "\\x%02X" % (ord(byte[0]) - 0xdc00), self.name)))
            if kind:
                target = target if target and os.path.exists(target) else None
                archives.Archive(self, globals(), path, target, kind, self.counts.get(self.name, 0)).check()
            else:
                (self.json_lines if is_json else self.text_file)(path, target)
    def summary(self, path):
        said = json.loads(b"".join(lines_of(path)))
        rest, words = [line for line in self.proof.all if line["removed"] == "rest"], sum(line["words"] for line in self.proof.all)
        for name, found in (("documents", {"before": self.inputs, "after": self.inputs - self.gone, "changed": self.cut}),
                            ("rest", {"documents": len({line["doc"] for line in rest}), "words": sum(line["words"] for line in rest)}),
                            ("words", said["words"] | {"after": said["words"]["before"] - words}), ("removed_spans", len(self.proof.all) - len(rest))):
            if said[name] != found:
                fault(path, name, f"{said[name]}, but the lines of the proof make {found}")
        if any(line["removed"] != "rest" and line["agreement"] < said["min_agreement"] for line in self.proof.all):
            fault(self.proof.path, "a line", f"agrees by less than {said['min_agreement']}")
    def certificate(self, path):  # makes each line of the certificate again
        summary, docs = os.path.join(os.path.dirname(path), "summary.json"), [line["doc"] for line in self.proof.all]
        lines = b"".join(lines_of(path)).split(b"\n")
        made = [b'{"options":' + b"".join(lines_of(summary)).partition(b',"documents":{"before"')[0] + b"}}"]
        ends = [bisect.bisect_left(docs, file[2]) for file in self.files] + [len(docs)]
        for line, (source, target, _, name), begin, end in zip(lines[2:], self.files, ends, ends[1:]):
            if target is None:  # the certificate knows its whole path, but has no files of an index
                whole = line[10:line.find(b',"before":')].decode("utf-8", "replace")
                name = json.loads(whole) if line.startswith(b'{"source":"') and whole.endswith(written(name)[1:].decode()) else name
                made += [] if self.options.checked else [written({"source": name, "before": stored(source)})]
                continue
            after, root = stored(target) if os.path.exists(target) else None, tree(self.proof.leaves[begin:end]).hex()
            if after and b',"records":' in line:
                archive = archives.kind_of(target, PACKERS) and archives.records(target, "web archive", name, PACKERS)
                records = [digest(b"\0" + record) for record in (archive and (record.raw for record in archive)) or lines_of(target)]
                after |= {"records": len(records), "root": tree(records).hex()}
            made.append(written({"file": name, "before": stored(source), "after": after, "removed": {"lines": end - begin, "root": root}}))
        for line in lines[1 + len(made):-4] if self.rest else ():
            fault(path, "a source", f"is not at hand: {line}", "not checked" if line.startswith(b'{"source":') else "fault")
            made.append(line.removesuffix(b","))
        made += [written({"proof": os.path.basename(path)} | stored(path)) for path in (self.proof.path, summary)]
        root = tree([digest(b"\0" + line) for line in made]).hex()
        want = b'{"lines":[\n' + b",\n".join(made) + b'\n],"root":"%s"}\n' % root.encode()
        for number, (have, line) in enumerate(itertools.zip_longest(lines, want.split(b"\n")), 1):
            if have != line:
                fault(path, f"line {number}", f"is {have}, but the files make {line}")
        print(f"certificate: root {root}")
def same(have, line, want, place):
    """Is a line of CLEAN the line of INPUT, with the text `want` at `place`?"""
    if place is None:
        return have == want
    begin, end = place[0], len(have) - len(line) + place[1]
    value = have[begin:max(begin, end)]
    return have[:begin] == line[:begin] and have[end:] == line[place[1]:] and STRING.fullmatch(value) and utf8(parsed(value)) == want

def main():
    parser = argparse.ArgumentParser(description="Checks what pardup dedup wrote.")
    for name, more in (("--pardup", {}), ("--text-field", {"default": "text"}), ("--id-field", {"default": "id"}), ("input", {"nargs": "+"}),
                       ("--sources", {"action": "append", "default": []}), ("--checked", {"action": "store_true"}), ("clean", {}), ("proof", {})):
        parser.add_argument(name, **more)
    options = parser.parse_args()
    if options.pardup and not shutil.which(options.pardup):
        parser.error(f"--pardup {options.pardup}: no such program")
    path = os.path.join(options.proof, "removed.jsonl.zst") if os.path.isdir(options.proof) else options.proof
    try:
        checker = Checker(options, Proof(path, INDEX * options.checked))
        if os.path.exists(summary := os.path.join(os.path.dirname(path), "summary.json")):
            checker.counts = {file["file"]: file["documents"]["before"] for file in json.loads(b"".join(lines_of(summary)))["files"]}
        checker.everything()
        for name, check in (("summary.json", checker.summary), ("certificate.json", checker.certificate)):
            if os.path.exists(file := os.path.join(os.path.dirname(path), name)):
                check(file)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        return fault(path, "the check", f"ended early: {error!r}") or 1
    print(f"{checker.inputs} documents, {checker.gone} gone and {checker.cut} cut by {len(checker.proof.all)} lines: "
          f"{counted['fault']} faults, {counted['not checked']} not checked")
    return 1 if counted["fault"] else 3 if counted["not checked"] else 0
if __name__ == "__main__":
    sys.exit(main())
