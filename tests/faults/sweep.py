#!/usr/bin/env python3
"""Lets calls of pardup fail one at a time, and judges how it ends.

    sweep.py                      a hundred points, drawn with a seed of the commit, which is printed
    sweep.py --all                every point, and the tables of docs/testing.md
    sweep.py --point detect/1/read/7/EIO    one point again, with what it printed
      --points N, --seed S        that many points; the seed of another run gives its points again
      --seconds T                 begin no point later than that
      --command NAME ..., --kind KIND ..., --ranks N ...    only such points
      --each                      each malloc, and not only the first one of each path of callers
      --jobs N                    points at a time [2]
      --log FILE                  a line of JSON for each point that failed

A point is a command, a number of ranks, a kind of call, the number of the call, and its failure. A
point passes if the command prints one line of error and its status is not 0, or if its status is 0
and all files and what it prints are the same as without a failure. After an error no file under a
final name is changed, or it is whole, and the same command again gives the same files and leaves no
other ones. A try that is told to add --resume does so.

PARDUP is the program, and PARDUP_FAULT the library that is made of fault.c.
"""
import argparse
import collections
import concurrent.futures
import errno
import gzip
import hashlib
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MPI_ENV = os.path.join(HERE, "..", "support", "mpi_env.sh")
PARDUP = os.path.abspath(os.environ.get("PARDUP", "build/release/pardup"))
FAULT = os.path.abspath(os.environ.get("PARDUP_FAULT", "build/release/tests/fault.so"))
NO_FILTER = 99  # exit status of fault.c
NO_MEMORY = 70  # exit status of a process that ends at once, also when its file is there already
LIMIT = 60  # seconds of one run: a longer one hangs

# The kinds of calls, in the order of fault.c, and how they fail.
KINDS = [
    ("malloc", "ENOMEM"), ("openat", "EMFILE ENOSPC EIO EINTR"), ("read", "EIO EINTR SHORT"),
    ("pread", "EIO EINTR SHORT"), ("write", "ENOSPC EIO EINTR SHORT"),
    ("pwrite", "ENOSPC EIO EINTR SHORT"), ("writev", "ENOSPC EIO"), ("fsync", "EIO ENOSPC EINTR"),
    ("renameat", "EIO ENOSPC"), ("ftruncate", "ENOSPC EIO EINTR"), ("mmap", "ENOMEM"),
    ("close", "EIO EINTR ENOSPC"), ("mkdirat", "ENOSPC"), ("unlinkat", "EIO"), ("flock", "ENOLCK"),
    ("fstatat", "EIO"), ("lseek", "EIO"), ("getdents", "EIO"), ("rename", "EIO ENOSPC"),
    ("mkdir", "ENOSPC"), ("unlink", "EIO"), ("open", "EMFILE"), ("chmod", "EIO"), ("statx", "EIO")]
NAMES = [name for name, _ in KINDS]
BEGAN = time.monotonic()
STATE = struct.Struct(f"{len(KINDS) + 1}Q8192s")
PATHS = 1 << 17

Case = collections.namedtuple("Case", "name arguments given ranks")


def cases():
    """All commands: their arguments, the files that are there before, and on how many ranks."""
    def case(name, arguments, given=(), ranks=(1,)):
        return Case(name, arguments.split(), given, ranks)

    both = (1, 2)
    return [
        case("detect", "detect --reproducible --scratch s -o o.h5 ../in", ranks=both),
        case("detect-spill", "detect --reproducible --memory 1M --preset texts --gamma 0 --scratch s -o o.h5 ../in"),
        case("frequencies", "frequencies --scratch s -o t.tsv ../in", ranks=both),
        case("index", "index --with-text --scratch s -o i.index ../in", ranks=both),
        case("index-add", "index --add --scratch s -o i.index ../more.jsonl", ["i.index"], both),
        case("check", "check --reproducible --scratch s --index ../i.index -o o.h5 ../targets.jsonl",
             ranks=both),
        case("check-show", "check --index ../i.index --show ../target.txt"),
        case("families", "families --scratch s -o f.h5 ../out.h5", ranks=both),
        case("families-within", "families --scratch s --family-coverage 0.7 -o out.h5 out.h5", ["out.h5"]),
        case("dedup", "dedup -o clean --proof proof ../out.h5", ranks=both),
        case("dedup-list", "dedup --list -o clean ../out.h5"),
        case("decontaminate", "decontaminate --scratch s --against ../target.txt -o clean ../in",
             ranks=both),
        case("explain", "explain --scratch s ../out.h5 d1 d2"),
        case("show", "show ../out.h5"),
        case("report", "report -o r.html ../out.h5"),
        case("picture", "picture --network -o p.svg ../out.h5"),
        case("export-tsv", "export ../out.h5"),
        case("export-csv", "export --text 20 -o r.csv ../out.h5"),
        case("export-jsonl", "export --table documents -o r.jsonl ../out.h5"),
        case("export-parquet", "export -o r.parquet ../out.h5"),
        case("export-sarif", "export -o r.sarif ../out.h5"),
        case("export-graphml", "export --format graphml -o r.xml ../out.h5"),
        case("compare", "compare ../in/b.txt ../target.txt"),
        case("changes", "changes ../in/a.jsonl ../more.jsonl"),
        case("text", "text ../in"),
        case("sentences", "sentences ../in/a.jsonl"),
        case("eval", "eval --truth ../truth.tsv ../out.h5"),
        case("prevalence", "prevalence --run ../one.run ../whole.h5"),
        case("synth", "synth --documents 12 --seed 3 --container jsonl -o made"),
    ]


# ---- a small collection ----

def sentence(rng, n):
    return " ".join(rng.choice(WORDS) for _ in range(n)).capitalize() + "."


WORDS = [a + b + c for a in ("ba", "do", "ki", "lu", "me", "na") for b in ("ran", "so", "ti", "ve", "wol")
         for c in ("d", "k", "mer", "ns", "st", "ta")]


def make_collection(work):
    rng = random.Random(50)
    shared = [[sentence(rng, 12) for _ in range(5)] for _ in range(3)]

    def text(k):
        own = [sentence(rng, 11) for _ in range(4)]
        return " ".join(own[:2] + shared[k % 3] + own[2:])

    def lines(path, first, n, opener=open):
        with opener(os.path.join(work, path), "wt", encoding="utf-8") as f:
            for k in range(first, first + n):
                f.write(json.dumps({"id": f"d{k}", "url": f"http://h{k % 3}.example/{k}",
                                    "date": f"2020-01-{1 + k % 28:02}", "text": text(k)}) + "\n")

    os.makedirs(os.path.join(work, "in"))
    lines("in/a.jsonl", 1, 5)
    lines("in/z.jsonl.gz", 6, 3, gzip_without_time)
    lines("more.jsonl", 20, 3)
    lines("targets.jsonl", 30, 4)
    for name in ("in/b.txt", "target.txt"):
        with open(os.path.join(work, name), "w", encoding="utf-8") as f:
            f.write(text(1) + "\n\n" + text(2) + "\n")
    with open(os.path.join(work, "in/c.html"), "w", encoding="utf-8") as f:
        f.write(f"<html><head><title>A page</title></head><body><p>{text(0)}</p><p>{text(1)}</p></body></html>\n")
    with open(os.path.join(work, "truth.tsv"), "w", encoding="utf-8") as f:
        f.write("d1\td4\nd2\td5\nd3\td6\n")
    with open(os.path.join(work, "one.run"), "w", encoding="utf-8") as f:
        for k in range(1, 9):
            f.write(f"7 Q0 d{k} {k} {100 - k} tag\n")


def gzip_without_time(path, mode, encoding):
    import io
    return io.TextIOWrapper(gzip.GzipFile(path, "wb", mtime=0), encoding=encoding)


def make_results(work):
    """What other commands read."""
    for arguments in ("detect --reproducible -o out.h5 in", "index --with-text -o i.index in",
                      "detect --reproducible --method imatch-doc -o whole.h5 in"):
        # inputs get the names that they have from a slot
        here = os.path.join(work, "make")
        os.makedirs(os.path.join(here, "tmp"), exist_ok=True)
        arguments = arguments.replace(" in", " ../in").replace("-o ", "-o ../").split()
        done = subprocess.run([PARDUP] + arguments, cwd=here, env=environment(here), capture_output=True,
                              text=True)
        if done.returncode:
            sys.exit(f"sweep: {' '.join(arguments)}: {done.stderr}")


# ---- one run ----

def environment(slot):
    keep = ("PATH", "HOME", "LANG", "PARDUP_MPIRUN", "PARDUP_MPI_KIND")
    env = {k: v for k, v in os.environ.items() if k in keep}
    return dict(env, TMPDIR=os.path.join(slot, "tmp"), PARDUP_RANKS="1", LC_ALL="C.UTF-8")


def clear(slot, case, work):
    shutil.rmtree(slot, ignore_errors=True)
    os.makedirs(os.path.join(slot, "tmp"))
    for name in case.given:
        source = os.path.join(work, name)
        (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, os.path.join(slot, name))


def files_of(slot):
    """Path -> hash of all files of a slot; folders have none."""
    found = {}
    for folder, folders, names in os.walk(slot):
        folders[:] = [name for name in folders if not re.match("ompi[.]|pmix|prte|hydra", name)]  # of launchers
        for name in folders:
            found[os.path.relpath(os.path.join(folder, name), slot) + "/"] = ""
        for name in names:
            path = os.path.join(folder, name)
            if not os.path.isfile(path):
                continue
            with open(path, "rb") as f:
                found[os.path.relpath(path, slot)] = hashlib.md5(f.read()).hexdigest()
    return found


Ended = collections.namedtuple("Ended", "status out err files")


def run(slot, case, ranks, variables=None, more=()):
    argv = [PARDUP] + case.arguments + list(more)
    if variables:
        argv = ["env"] + [f"{k}={v}" for k, v in variables.items()] + argv
    if ranks > 1:
        argv = ["bash", MPI_ENV, "-n", str(ranks)] + argv
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = subprocess.Popen(argv, cwd=slot, env=environment(slot), stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=err, start_new_session=True)
        try:
            status = started.wait(LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, 9)
            started.wait()
            status = "hang"
        out.seek(0)
        err.seek(0)
        return Ended(status, out.read(), err.read().decode(errors="replace"), files_of(slot))


def faulty(state, kind, number, failure):
    code = -1 if failure == "SHORT" else getattr(errno, failure) if failure else 0
    variables = {"LD_PRELOAD": FAULT, "FAULT_STATE": state, "FAULT_KIND": kind, "FAULT_AT": number, "FAULT_DO": code}
    return variables


def read_state(path):
    with open(path, "rb") as f:
        *counts, failed, where = STATE.unpack(f.read(STATE.size))
    return counts, failed, where.split(b"\0")[0].decode()


def fresh_state(path):
    with open(path, "wb") as f:
        f.truncate(STATE.size + 8 * PATHS)


def first_of_each_path(state, n):
    """The numbers of the allocations whose callers are others than those of all before."""
    with open(state, "rb") as f:
        f.seek(STATE.size)
        paths = struct.unpack(f"{min(n, PATHS)}Q", f.read(8 * min(n, PATHS)))
    seen = set()
    return [k + 1 for k, path in enumerate(paths) if not (path in seen or seen.add(path))]


# ---- the judgement ----

LIBRARIES_OF_MPI = re.compile(r"/(libmpi|libopen-|mca_|libpmix|libhwloc|libevent|libprrte|libmpich|libfabric|libucp)")


def errors_of(text):
    return [m for m in re.findall(r"^pardup: error: ?(.*)$", text, re.M)]


def is_signal(status):
    return isinstance(status, int) and (status < 0 or status > 128)


def judge(got, before, want):
    """Why the end of a command is wrong, or None."""
    if got.status == "hang":
        return "hangs"
    if got.status == 0:
        if got.files == want.files and got.out == want.out:
            return None
        extra = sorted(name for name in set(got.files) - set(want.files) if not not_yet(name))
        if got.out == want.out and {k: v for k, v in got.files.items() if k in want.files} == want.files:
            return None if not extra or re.search("warning: .*cannot be removed", got.err) else f"left: {plain(extra[0])}"
        if says_less(got):
            return None
        return "status 0 and other " + ("output" if got.out != want.out else "files")
    lines = errors_of(got.err)
    if not lines:
        return "no line of error" + (f", status {got.status}" if is_signal(got.status) else "")
    if len(lines) > 1:
        return f"{min(len(lines), 2)} lines of error"
    if not lines[0].strip(" :") or re.search(r": *$|: Success$", lines[0]):
        return "an error without a reason"
    for name, value in got.files.items():
        if name in want.files and value not in (want.files[name], before.get(name)) and not not_yet(name):
            return f"half a file: {name}"
    for name in before:
        if name not in got.files:
            return f"a file is gone: {name}"
    new = {name: value for name, value in want.files.items() if value and before.get(name) != value}
    if got.status != NO_MEMORY and not is_signal(got.status) and new and all(got.files.get(name) == value for name, value in new.items()) and "standard output" not in got.err:
        return "status 1, but its files are there"
    return None


def not_yet(name):
    """Is it a file of an index that no manifest names? The next commit replaces or removes it."""
    return name.startswith("i.index/") and name != "i.index/manifest"


def says_less(got):
    """Texts of files that cannot be read are left out of a page or an answer, which says so and why."""
    return re.search(r"warning: .+: .+: the page is without this text", got.err) or \
        re.search(rb"(?s)Only offsets of passages are shown: .+", got.out)


def plain(name):
    return re.sub(r"[0-9A-Za-z]{6}(?=/|$)", "XXXXXX", name, count=1)


class Sweep:
    def __init__(self, work, jobs):
        self.work = work
        self.slots = [os.path.join(work, f"slot{k}") for k in range(jobs)]
        self.free = list(self.slots)
        self.lock = threading.Lock()
        self.wanted = {}
        self.before = {}

    def take(self):
        with self.lock:
            return self.free.pop()

    def give(self, slot):
        with self.lock:
            self.free.append(slot)

    def count(self, case, ranks):
        """The end of the command without a failure, and the calls of each kind, in each rank."""
        slot = self.take()
        state = slot + ".state"
        ends, counts = [], []
        for rank in range(ranks):
            totals = [0] * len(KINDS)
            for kind in (0, len(KINDS)):
                clear(slot, case, self.work)
                self.before[case.name] = files_of(slot)
                fresh_state(state)
                variables = faulty(state, kind, 0, None)
                if ranks > 1:
                    variables["FAULT_RANK"] = rank
                ends.append(run(slot, case, ranks, variables))
                now = read_state(state)[0]
                totals = [max(a, b) for a, b in zip(totals, now)]
                if kind == 0:
                    first = first_of_each_path(state, now[0])
            counts.append((totals, first))
        clear(slot, case, self.work)
        ends.append(run(slot, case, ranks))
        for end in ends:
            if end.status == NO_FILTER:
                print("skipped: calls cannot be caught here:", end.err.strip())
                sys.exit(77)
            if end.status != 0 or end.files != ends[0].files or end.out != ends[0].out:
                differ = {k for k in set(end.files) | set(ends[0].files) if end.files.get(k) != ends[0].files.get(k)}
                sys.exit(f"sweep: {case.name} on {ranks} ranks: status {end.status}, differs in {differ}\n{end.err}")
        self.wanted[case.name, ranks, slot] = ends[-1]
        self.give(slot)
        return counts

    def wanted_in(self, slot, case, ranks):
        """The end of the command in a slot without a failure: an index has the whole paths of its sources."""
        key = case.name, ranks, slot
        if key not in self.wanted:
            clear(slot, case, self.work)
            self.wanted[key] = run(slot, case, ranks)
        return self.wanted[key]

    def points(self, case, ranks, each, only):
        for rank, (totals, first) in enumerate(self.count(case, ranks)):
            for kind, (name, failures) in enumerate(KINDS):
                if only and name not in only:
                    continue
                for number in first if kind == 0 and not each else range(1, totals[kind] + 1):
                    for failure in failures.split():
                        yield case, ranks, rank, name, number, failure

    def try_point(self, point):
        """(why it failed or None, class, the run, who made the call)"""
        case, ranks, rank, kind, number, failure = point
        slot = self.take()
        try:
            state = slot + ".state"
            want = self.wanted_in(slot, case, ranks)
            clear(slot, case, self.work)
            fresh_state(state)
            variables = faulty(state, NAMES.index(kind), number, failure)
            if ranks > 1:
                variables["FAULT_RANK"] = rank
            got = run(slot, case, ranks, variables)
            _, failed, where = read_state(state)
            why = judge(got, self.before[case.name], want)
            done = all(got.files.get(name) == value for name, value in want.files.items())
            if (not why and got.status != 0 and not done) or (got.status == 0 and why and re.match("left: (s|tmp)/", why)):
                why = self.try_again(slot, case, ranks, got, want)
            if not failed:
                return why, "not reached", got, where
            mpi = ranks > 1 and LIBRARIES_OF_MPI.search(where)
            return why, "in MPI" if mpi else "own", got, where
        finally:
            self.give(slot)

    def try_again(self, slot, case, ranks, first, want):
        more = ["--resume"] if "--resume" in first.err and "resume" not in case.name else []
        again = run(slot, case, ranks, None, more)
        if again.status != 0 and not more and "--resume" in again.err:
            again = run(slot, case, ranks, None, ["--resume"])
        if again.status != 0 and (first.status in (0, NO_MEMORY) or is_signal(first.status)) and \
                "choose another folder" in again.err:
            for name in os.listdir(slot):
                if name.startswith("clean"):  # as the message says
                    shutil.rmtree(os.path.join(slot, name))
            again = run(slot, case, ranks)
        if again.status != 0:
            return "next try fails: " + " | ".join(errors_of(again.err))
        left = sorted(name for name in set(again.files) - set(want.files) if not not_yet(name))
        if left:
            return "left: " + plain(left[0])
        if first.status == 0:  # an index that is made over another one has other numbers
            return None
        changed = sorted(k for k in want.files if again.files.get(k) != want.files[k])
        if changed or again.out != want.out:
            return f"next try differs: {(changed + ['output'])[0]}"
        return None


def owner_of(where):
    """The first caller that is neither libc nor this library, and the first place in pardup."""
    first = place = ""
    for line in where.splitlines():
        module, offset, name = (line.split(" ") + [""])[:3]
        base = os.path.basename(module)
        if re.match(r"fault\.so|libc\.so|libc-|ld-linux", base):
            continue
        first = first or base
        if base == os.path.basename(PARDUP):
            place = f"{offset} {name}".strip()
            break
    return first, place


def name_of(point):
    case, ranks, rank, kind, number, failure = point
    at = str(ranks) if ranks == 1 else f"{ranks}.{rank}"
    return f"{case.name}/{at}/{kind}/{number}/{failure}"


def parse_point(text):
    name, at, kind, number, failure = text.split("/")
    ranks, _, rank = at.partition(".")
    case = next(c for c in cases() if c.name == name)
    return case, int(ranks), int(rank or 0), kind, int(number), failure


# ---- a small file system ----

ROOMS = [0, 4096, 20480, 65536]  # bytes that are free


def full_disk(work, names, rooms):
    """Commands on a file system of 16 MB that is full but for some bytes. The number of troubles, or None."""
    disk = os.path.join(work, "disk")
    os.makedirs(disk)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk], capture_output=True).returncode:
        print("skipped: a full file system of 16 MB (mount is not permitted here)")
        return None
    for name in os.listdir(work):
        os.symlink(os.path.join(work, name), os.path.join(disk, name))
    bad = tried = 0
    try:
        for case in cases():
            if "-o" not in case.arguments or case.name not in names:
                continue
            for room in rooms:
                slot = os.path.join(disk, "slot")
                clear(slot, case, work)
                before = files_of(slot)
                want = run(slot, case, 1)
                clear(slot, case, work)
                fill(os.path.join(disk, "full"), room)
                got = run(slot, case, 1)
                os.remove(os.path.join(disk, "full"))
                why = judge(got, before, want) or (got.status and Sweep.try_again(None, slot, case, 1, got, want))
                tried += 1
                if why:
                    bad += 1
                    print(f"full disk, {case.name}, {room} bytes left: {why}\n    {got.err.strip()}")
    finally:
        subprocess.run(["umount", disk], check=False)
    print(f"full disk of 16 MB: {tried} tried, {bad} failed")
    return bad


def fill(path, room):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(fd, bytes(4096)):
            pass
    except OSError:
        os.ftruncate(fd, max(0, os.fstat(fd).st_size - room))
    os.close(fd)


# ---- the command line ----

def arguments():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("--all", action="store_true")
    p.add_argument("--point")
    p.add_argument("--points", type=int, default=100)
    p.add_argument("--seed", type=int)
    p.add_argument("--seconds", type=float)
    p.add_argument("--command", nargs="*")
    p.add_argument("--kind", nargs="*")
    p.add_argument("--ranks", nargs="*", type=int, default=[1, 2])
    p.add_argument("--each", action="store_true")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--log")
    return p.parse_args()


def runs(a):
    """The commands that are tried, with the number of ranks."""
    return [(case, ranks) for case in cases() if not a.command or case.name in a.command
            for ranks in case.ranks if ranks in a.ranks]


def all_points(sweep, a, seed):
    """All points, in any order: if --seconds ends it, those that were tried are a fair sample."""
    points = [point for case, ranks in runs(a) for point in sweep.points(case, ranks, a.each, a.kind)]
    random.Random(seed).shuffle(points)
    return points


def seed_of_commit():
    """Another one for each commit, so that a commit which has passed does not fail later; at random without git."""
    try:
        head = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse", "HEAD"],
                              capture_output=True, text=True, check=True).stdout
        return int(head[:8], 16)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return random.SystemRandom().randrange(1 << 32)


def some_points(sweep, a, seed):
    """Points at random, of some commands only: to count the calls of a command takes a second."""
    rng = random.Random(seed)
    chosen = []
    for several, most in ((False, 5), (True, 1)):  # a launcher takes its time
        some = [run for run in runs(a) if (run[1] > 1) == several]
        chosen += rng.sample(some, min(len(some), most))
    points = []
    for k, (case, ranks) in enumerate(chosen):
        of_run = list(sweep.points(case, ranks, a.each, a.kind))
        n = (k + 1) * a.points // len(chosen) - k * a.points // len(chosen)
        points += rng.sample(of_run, min(n, len(of_run)))
    print(f"seed {seed}: {len(points)} points of " + ", ".join(f"{case.name}/{ranks}" for case, ranks in chosen))
    return points


def show_point(sweep, text):
    point = parse_point(text)
    sweep.count(point[0], point[1])
    why, kind, got, where = sweep.try_point(point)
    print(f"{text}: {why or 'passes'} ({kind})\nstatus {got.status}\n{got.err}{where}")
    want = next(end for key, end in sweep.wanted.items())
    for name in sorted(set(got.files) | set(want.files)):
        if got.files.get(name) != want.files.get(name):
            print("differs:", name)
    return 1 if why else 0


def table(title, rows):
    print(f"\n| {title} | points | tried | error told | the same bytes | failed | in MPI | failed |\n|---|---|---|---|---|---|---|---|")
    for name, r in sorted(rows.items(), key=lambda item: (item[0] == "sum", item[0])):
        print(f"| {name} | {r['points']:,} | {r['own']:,} | {r['told']:,} | {r['same']:,} | {r['own failed']:,} | {r['in MPI']:,} "
              f"| {r['in MPI failed']:,} |")


def sweep_points(sweep, points, a):
    by_command, by_kind = (collections.defaultdict(collections.Counter) for _ in range(2))
    troubles = collections.Counter()
    examples = {}
    log = open(a.log, "a", encoding="utf-8") if a.log else None
    end = BEGAN + a.seconds if a.seconds else None

    def one(point):
        return None if end and time.monotonic() > end else sweep.try_point(point)

    with concurrent.futures.ThreadPoolExecutor(len(sweep.slots)) as pool:
        for point, result in zip(points, pool.map(one, points)):
            rows = [table[name] for table, of in ((by_command, point[0].name), (by_kind, point[3]))
                    for name in (f"{of}, {point[1]} rank{'s' * (point[1] > 1)}", "sum")]
            for row in rows:
                row["points"] += 1
            if result is None:
                continue
            why, kind, got, where = result
            if kind == "not reached" and not why:
                kind = "own"  # another order of events, as with the launcher
            for row in rows:
                row[kind] += 1
                if why:
                    row[kind + " failed"] += 1
                elif kind == "own":
                    row["same" if got.status == 0 else "told"] += 1
            if why:
                owner, place = owner_of(where)
                troubles[why, kind, point[3], owner] += 1
                examples.setdefault((why, kind, point[3], owner), name_of(point))
                if log:
                    log.write(json.dumps({"point": name_of(point), "why": why, "class": kind, "owner": owner,
                                          "place": place, "status": got.status, "err": got.err[-400:],
                                          "where": where}) + "\n")
                    log.flush()
    for (why, kind, call, owner), n in troubles.most_common():
        print(f"{n} times: {why} ({call} from {owner}, {kind}), as {examples[why, kind, call, owner]}")
    if a.all:
        table("command", by_command)
        table("call", by_kind)
    total = by_kind["sum"]
    print(f"{total['own']} points: {total['told']} end with their error, {total['same']} with the same bytes, "
          f"{total['own failed']} failed; in MPI {total['in MPI']}, {total['in MPI failed']} failed")
    return total["own failed"]


def main():
    a = arguments()
    if not os.path.exists(FAULT):
        print("skipped: there is no library that lets calls fail:", FAULT)
        return 77
    seed = a.seed if a.seed is not None else seed_of_commit()
    work = tempfile.mkdtemp(prefix="pardup-sweep-")
    try:
        make_collection(work)
        make_results(work)
        sweep = Sweep(work, a.jobs)
        if a.point:
            return show_point(sweep, a.point)
        points = all_points(sweep, a, seed) if a.all else some_points(sweep, a, seed)
        failed = sweep_points(sweep, points, a)
        full = full_disk(work, {point[0].name for point in points}, ROOMS if a.all else [ROOMS[seed % len(ROOMS)]])
        return 1 if failed or full else 0
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
