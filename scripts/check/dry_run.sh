#!/bin/bash
# How good is `pardup detect --dry-run`? For each collection: what it expects, what the job then takes.
# usage: [RANKS="1 2"] [OPTIONS="--memory 64M"] scripts/check/dry_run.sh COLLECTION...
# Exit status 1 when one of documents, sentences, memory, scratch or all seconds is off by more than
# a factor of 1.5. Scratch is looked at every tenth of a second, files without a name included.
set -eu
cd "$(dirname "$0")/../.."
. tests/support/mpi_env.sh
ON_RANKS="${on_ranks[*]@Q}" exec python3 - "$@" <<'PY'
import glob, os, re, shlex, shutil, subprocess, sys, tempfile, time

PARDUP = os.environ.get("PARDUP", "build/release/pardup")
ON_RANKS = shlex.split(os.environ["ON_RANKS"])
OPTIONS = shlex.split(os.environ.get("OPTIONS", ""))
RANKS = [int(n) for n in os.environ.get("RANKS", "1 2").split()]
WITHIN, EVERY, MB = 1.5, 0.1, 1e6
JUDGED = ("documents", "sentences", "memory", "scratch", "all")

def command(np, folder, collection, *more):
    return [*ON_RANKS, str(np), PARDUP, "detect", "--verbose", "--progress", "none", *OPTIONS,
            "--scratch", folder, "-o", os.path.join(folder, "x.h5"), *more, *collection.split()]

def expect(np, folder, collection):
    began = time.monotonic()
    out = subprocess.run(command(np, folder, collection, "--dry-run"), check=True,
                         capture_output=True, text=True).stdout
    took = time.monotonic() - began
    rows = re.findall(r"^expected (\w+) +([0-9.]+)", out, re.M)
    based = re.search(r"^based on (.*)$", out, re.M).group(1)
    return {name: float(value) for name, value in rows}, based, took

def scratch_bytes(folder):
    """Bytes of all scratch files, also of open files without a name."""
    seen = {}
    for link in glob.glob("/proc/[0-9]*/fd/*") + glob.glob(folder + "/pardup-*/*"):
        try:
            if link.startswith("/proc") and not os.readlink(link).startswith(folder + "/pardup-"):
                continue
            st = os.stat(link)
            seen[st.st_ino] = st.st_size
        except OSError:
            pass
    return sum(seen.values())

def real(np, folder, collection):
    log, most = open(os.path.join(folder, "log"), "w+"), 0
    job = subprocess.Popen(command(np, folder, collection), stderr=log)
    while job.poll() is None:
        most = max(most, scratch_bytes(folder))
        time.sleep(EVERY)
    log.seek(0)
    text = log.read()
    if job.returncode:
        sys.exit(text)
    def number(pattern):
        return float(re.search(pattern, text).group(1))
    found = {"documents": number(r"  documents +(\d+)"), "sentences": number(r"  sentences +(\d+)"),
             "words": number(r"(\d+) words"), "passages": number(r"  passages +(\d+)"),
             "pairs": number(r"  document pairs +(\d+)"), "all": number(r"  all +([0-9.]+)"),
             "memory": number(r"peak memory a rank: \d+ / \d+ / (\d+)"), "scratch": most / MB,
             "exchanged": sum(map(float, re.findall(r"\) +([0-9.]+) \( *[0-9.]+\) MB", text)))}
    for name in ("read", "count", "gather", "join", "align", "write"):
        found[name] = number(rf"  {name} +([0-9.]+)")
    return found

bad = 0
for collection in sys.argv[1:]:
    for np in RANKS:
        folder = tempfile.mkdtemp()
        try:
            expected, based, took = expect(np, folder, collection)
            found = real(np, folder, collection)
        finally:
            shutil.rmtree(folder)
        print(f"{collection}, {np} ranks: {based}, {took:.1f} s")
        for name, x in expected.items():
            y = found[name]
            ratio = x / y if y else 1 if not x else float("inf")
            off = name in JUDGED and not 1 / WITHIN <= ratio <= WITHIN
            bad += off
            print(f"  {name:10} {x:14.1f} {y:14.1f} {ratio:8.2f}{'  <- off' if off else ''}", flush=True)
sys.exit(bad > 0)
PY
