#!/usr/bin/env python3
"""Read every archive there is, whole and damaged, and count what becomes of it.

usage: scripts/check/formats.py [--quick] [--verbose]
  --quick     one damage of each kind a file, no bombs and no line of a gigabyte
  --verbose   a line for every file

Takes the sample archives of PARDUP_DATA (default ../shared/data, packed or unpacked; missing
ones are left out), reads each file with `pardup text` and `pardup sentences`, then copies of it
that are cut short, have flipped bits, or are packed again; then bombs made here. PARDUP: the
program [build/release/pardup]. One line a group: files, read without a loss, read with records
skipped, skipped as a whole with a reason, crashed. Exit status 1 when anything crashed, hung, or
failed without a reason.
"""
import argparse
import gzip
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARDUP = os.path.abspath(os.environ.get("PARDUP", os.path.join(ROOT, "build/release/pardup")))
DATA = os.environ.get("PARDUP_DATA", os.path.join(ROOT, "../shared/data"))
MPI_ENV = os.path.join(ROOT, "tests/support/mpi_env.sh")
SECONDS = 120  # a hang is a crash
GB = 1 << 30
DAMAGE_MOST = 2 << 20  # bytes: larger files are read, but not damaged

# archive, what of it are inputs
GROUPS = [
    ("warc-samples", r"\.(w?arc|gz|bad|lz4)"),
    ("trec-sgml-samples", r"(\.gz|\.txt|\.bz2)$"),
    ("reuters21578", r"\.sgm$"),
    ("jsonl-cc-en", r"\.gz$"),
    ("external-suites", r"(gzip-quirks|zstd-golden/golden-decomp)"),
]
COLLECTIONS = ["newsgroups8"]  # one run over the folder
OUTCOMES = ["read", "read with skips", "skipped", "crashed"]


def unpack(name, to):
    if os.path.isdir(os.path.join(DATA, name)):
        return os.path.join(DATA, name)
    for suffix in (".tar.zst", ".tar.gz", ".tar"):
        archive = os.path.join(DATA, name + suffix)
        if os.path.exists(archive):
            subprocess.run(["tar", "-xf", archive, "-C", to], check=True)
            return os.path.join(to, name)
    return None


def files_below(folder, pattern):
    for path, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            full = os.path.join(path, name)
            if re.search(pattern, full) and not name.lower().startswith("readme"):
                yield full


def run(command, path):
    """(outcome, what pardup says)"""
    args = ["bash", "-c", '. "$0"; exec "$@"', MPI_ENV, PARDUP, command, path]
    try:
        done = subprocess.run(args, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "crashed", "no end after %d seconds" % SECONDS
    said = done.stderr.decode("utf-8", "replace")
    skips = len(re.findall(r"; skipped \(", said))
    if done.returncode == 0:
        return ("read with skips" if skips else "read"), said
    if done.returncode == 1 and re.search(r"^pardup: error: .", said, re.M):
        return "skipped", said
    return "crashed", "exit status %d\n%s" % (done.returncode, said)


def damaged(path, rounds):
    """(what was done, bytes)"""
    with open(path, "rb") as f:
        data = f.read()
    rng = random.Random(len(data))
    for k in range(rounds):
        if len(data) < 2:
            return
        yield "cut", data[:rng.randrange(1, len(data))]
        flipped = bytearray(data)
        for _ in range(1 + k):
            flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        yield "flipped", bytes(flipped)
        at = rng.randrange(len(data))
        yield "hole", data[:at] + data[at + 1 + rng.randrange(1000):]
        yield "packed and cut", gzip.compress(data, 1)[:-1 - rng.randrange(len(data) // 20 + 2)]


def write_bombs(folder):
    """Files that are small and inflate to more than a gigabyte, and one that is as large."""
    zeros = bytes(16 << 20)
    with gzip.open(os.path.join(folder, "bomb.gz"), "wb") as f:
        for _ in range(GB // len(zeros) + 32):
            f.write(zeros)
    block = (128 << 10) << 3 | 1 << 1  # zstd: 128 KB of one byte
    with open(os.path.join(folder, "bomb.zst"), "wb") as f:
        f.write(b"\x28\xb5\x2f\xfd\x00\x38")
        f.write((block.to_bytes(3, "little") + b"a") * 80000)
        f.write((block | 1).to_bytes(3, "little") + b"a")
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"
    page += gzip.compress(bytes(64 << 20))
    with open(os.path.join(folder, "page.warc"), "wb") as f:
        for _ in range(3):
            f.write(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
                    b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (len(page), page))
    for name, head in (("line.jsonl", b'{"text": "'), ("line.mbox", b"From a 11:57 1993\nFrom: x\n\n"),
                       ("line.trec", b"<DOC>\n<DOCNO>1</DOCNO>\n"),
                       ("line.warc", b"WARC/1.0\r\nWARC-Type: resource\r\n\r\n")):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(head)
            f.truncate(GB + (8 << 20))  # a hole: one line of zeros
            f.seek(0, 2)
            f.write(b"\n" + head)


def report(name, outcomes, verbose):
    counts = [sum(o == k for _, o, _ in outcomes) for k in OUTCOMES]
    print("%-26s %6d %6d %12d %8d %8d" % (name, len(outcomes), *counts), flush=True)
    for what, outcome, said in outcomes:
        if verbose or outcome == "crashed":
            print("    %-16s %s: %s" % (outcome, what, said.strip().split("\n")[0]))
    return counts


def check_files(pool, name, files, commands):
    jobs = [(c, f) for f in files for c in commands]
    return [("%s %s" % job, *got) for job, got in zip(jobs, pool.map(lambda j: run(*j), jobs))]


def check_damage(pool, files, work, rounds):
    def one(path):
        got = []
        for k, (what, data) in enumerate(damaged(path, rounds)):
            copy = os.path.join(work, "%s.%d" % (os.path.basename(path), k))
            with open(copy, "wb") as f:
                f.write(data)
            got.append(("%s, %s" % (path, what), *run("sentences", copy)))
            os.remove(copy)
        return got

    small = [f for f in files if os.path.getsize(f) <= DAMAGE_MOST]
    return [o for got in pool.map(one, small) for o in got]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if not os.access(PARDUP, os.X_OK):
        sys.exit("formats.py: no %s: run scripts/build.sh" % PARDUP)
    work = tempfile.mkdtemp()
    total = [0] * len(OUTCOMES)
    print("%-26s %6s %6s %12s %8s %8s" % ("", "files", "read", "with skips", "skipped", "crashed"))

    def add(name, outcomes):
        for k, n in enumerate(report(name, outcomes, options.verbose)):
            total[k] += n

    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, pattern in GROUPS:
                folder = unpack(name, work)
                if not folder:
                    print("%-26s not there" % name)
                    continue
                files = list(files_below(folder, pattern))
                add(name, check_files(pool, name, files, ["text", "sentences"]))
                scratch = tempfile.mkdtemp(dir=work)
                add(name + ", damaged",
                    check_damage(pool, files, scratch, 1 if options.quick else 4))
            for name in COLLECTIONS:
                folder = unpack(name, work)
                if folder:
                    add(name, check_files(pool, name, [folder], ["sentences"]))
        if not options.quick:
            bombs = tempfile.mkdtemp(dir=work)
            write_bombs(bombs)
            with ThreadPoolExecutor(1) as pool: # one after the other: memory
                add("bombs, endless lines",
                    check_files(pool, "bombs", list(files_below(bombs, ".")), ["sentences"]))
    finally:
        shutil.rmtree(work)
    print("%-26s %6d %6d %12d %8d %8d" % ("all", sum(total), *total))
    print("largest process: %d MB" %
          (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10))
    sys.exit(1 if total[-1] else 0)


if __name__ == "__main__":
    main()
