"""What the scripts of this folder share that judge the reading of text: test suites out of archives, many texts in one run of pardup.

PARDUP is the program [build/release/pardup], PARDUP_DATA the folder of archives NAME.tar.zst
[shared/data beside the repository]; a folder NAME that lies there unpacked is taken as it is.
"""

import argparse
import atexit
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unicodedata

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
DEFAULT_DATA = REPOSITORY.parent / "shared" / "data"
DEFAULT_PROGRAM = REPOSITORY / "build" / "release" / "pardup"
LINE_MOST = 600  # characters of a line of --verbose
SKIPPED = 77  # exit status that test drivers count as skipped


def scratch():
    """A folder that is gone when the script ends."""
    folder = tempfile.mkdtemp(prefix="pardup-check-")
    atexit.register(shutil.rmtree, folder, True)
    return pathlib.Path(folder)


def unpack(name, part=""):
    """The folder of a suite, or of a part of it.  Ends the script with 77 when it is not there."""
    data = pathlib.Path(os.environ.get("PARDUP_DATA") or DEFAULT_DATA)
    if (data / name / part).is_dir():
        return data / name / part
    archive = data / f"{name}.tar.zst"
    if not archive.exists():
        print(f"{archive}: no such archive (set PARDUP_DATA)", file=sys.stderr)
        sys.exit(SKIPPED)
    folder = scratch()
    subprocess.run(["tar", "--zstd", "-xf", archive, "-C", folder, f"{name}/{part}".rstrip("/")],
                   check=True)
    return folder / name / part


def arguments(doc):
    """The command line that all check scripts have."""
    parser = argparse.ArgumentParser(description=doc,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbose", action="store_true", help="list what does not pass")
    return parser


# ------------------------------------------------------------------ running pardup

def run(command, path, *options):
    """What `pardup COMMAND` prints about one file."""
    program = os.environ.get("PARDUP") or DEFAULT_PROGRAM
    return subprocess.run([program, command, *options, path], check=True,
                          stdout=subprocess.PIPE).stdout


def warc_record(number, body, media):
    """A response record with a made-up address."""
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\n\r\n"
    header = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <case:{number}>\r\n"
              f"WARC-Target-URI: http://localhost/{number}\r\n"
              f"Content-Type: application/http; msgtype=response\r\n"
              f"Content-Length: {len(http) + len(body)}\r\n\r\n")
    return header.encode() + http.encode() + body + b"\r\n\r\n"


def texts(bodies, *options):
    """The text of each (media type, bytes), None where pardup takes it for binary."""
    path = scratch() / "cases.warc"
    # A first and a last page are printed with headings whatever lies between them.
    guard = ("text/plain", b"guard")
    cases = [guard, *bodies, guard]
    path.write_bytes(b"".join(warc_record(k, body, media) for k, (media, body) in enumerate(cases)))
    printed = run("text", path, *options)
    found = [None] * len(cases)
    for part in printed.split(b"==> case:")[1:]:
        number, text = part.split(b" <==\n", 1)
        found[int(number)] = text[:-1].removesuffix(b"\n").decode("utf-8")
    return found[1:-1]


def sentences(plain_texts, *options):
    """[(begin, end) in bytes of the UTF-8] of the sentences of each text, [] where it has none."""
    path = scratch() / "cases.jsonl"
    with open(path, "w", encoding="utf-8") as lines:
        for number, text in enumerate(plain_texts):
            lines.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
    found = [[] for _ in plain_texts]
    for line in run("sentences", path, *options).splitlines():
        row = json.loads(line)
        found[int(row["doc"])].append((row["begin"], row["end"]))
    return found


# ------------------------------------------------------------------ sentence ends

def solid(text):
    """The text without white space and characters that format it unseen."""
    return "".join(c for c in text if not c.isspace() and unicodedata.category(c) != "Cf")


def ends_expected(parts):
    """Offsets into the solid text at which the sentences of a list end."""
    ends, at = set(), 0
    for part in parts:
        at += len(solid(part))
        ends.add(at)
    return ends


def ends_found(text, spans):
    """The same for the sentences pardup found; what it left out as wordless stands for itself."""
    encoded = text.encode("utf-8")
    ends, before, at = set(), 0, 0
    for begin, end in spans + [(len(encoded), len(encoded))]:
        for piece in (encoded[before:begin], encoded[begin:end]):
            n = len(solid(piece.decode("utf-8")))
            at += n
            if n:
                ends.add(at)
        before = end
    return ends


def marked(text, ends):
    """The text with a bar at each of the sentence ends."""
    shown, at = [], 0
    for character in text:
        shown.append(character)
        if solid(character):
            at += 1
            if at in ends:
                shown.append("|")
    return "".join(shown)


# ------------------------------------------------------------------ printing

class Tally:
    """Passed and failed cases by group."""

    def __init__(self, verbose):
        self.verbose = verbose
        self.groups = {}

    def count(self, group, passed, *details):
        """Add one case; `details` are lines that say why it does not pass."""
        counts = self.groups.setdefault(group, [0, 0])
        counts[0] += bool(passed)
        counts[1] += 1
        if self.verbose and not passed:
            print(f"{group}:", *(line[:LINE_MOST] for line in details), sep="\n  ")

    def print(self, title):
        """One line a group, and one for all."""
        for group, (passed, of) in self.groups.items():
            print(f"{title}: {group}: {passed} of {of} passed")
        if len(self.groups) > 1:
            passed, of = map(sum, zip(*self.groups.values()))
            print(f"{title}: all: {passed} of {of} passed")
