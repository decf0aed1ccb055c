#!/usr/bin/env python3
"""A gate for speed: the instructions of small jobs beside those on record. Run by ctest as `instructions`.

    instructions.py [--write] [--only PATTERN] PARDUP

Valgrind counts the instructions of each job (cachegrind). A count hardly depends on the load of the machine: two runs differ by
less than 0.1 %. It does depend on the compiler, the libraries and the processor, by which the C library chooses how to copy. So the
record names them. Where they are others, nothing is judged: exit status 77, as where there is no valgrind. A job with 3 % more than
on record fails. A change that needs more, or less, records it: --write. PATTERN is a part of the names of some jobs.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

RECORD = pathlib.Path(__file__).resolve().parents[2] / "tests/speed/instructions.tsv"
MORE = 1.03  # of the instructions on record
SETTINGS = {"PARDUP_RANKS": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
MEMORY = ["--memory", "256M"]  # whatever the machine has
TAKE_MEMORY = {"detect", "index", "check", "families", "dedup"}
SHAPES = {  # collections of synth, by name
    "pages": "--seed 1 --bytes 1M --page-bytes 9000",
    "texts": "--seed 2 --bytes 1M --page-bytes 3000 --container jsonl --pack none",
    "query": "--seed 2 --bytes 60K --page-bytes 3000 --container jsonl --pack none",
}
JOBS = {  # each runs after those above it, in one folder
    "detect auto": "detect -o auto.h5 pages",
    "detect web": "detect --preset web -o web.h5 pages",
    "detect texts": "detect --preset texts -o texts.h5 texts",
    "detect edited": "detect --preset edited -o edited.h5 texts",
    "detect characters": "detect --preset characters -o characters.h5 texts",
    "detect paper": "detect --preset paper -o paper.h5 texts",
    "detect code": "detect --preset code -o code.h5 texts",
    "detect spotsigs": "detect --method spotsigs-doc -o spots.h5 pages",
    "detect qsign": "detect --method qsign-lsh -o qsign.h5 texts",
    "families": "families texts.h5",
    "dedup": "dedup -o clean texts.h5",
    "dedup pages": "dedup -o clean-pages web.h5",
    "index": "index --preset texts -o store texts",
    "check": "check --index store -o check.h5 query",
    "export": "export --text 80 texts.h5",
    "show": "show texts.h5",
    "report": "report -o page.html texts.h5",
    "compare": "compare even.txt odd.txt",
    "two texts": "detect --preset texts -o two.h5 even.txt odd.txt",
    "explain": "explain two.h5 even.txt odd.txt",
    "text": "text pages",
}


def machine(program):
    """What the counts depend on, as far as it can be named."""
    built = subprocess.run([program, "--version", "--verbose"], capture_output=True, text=True).stdout
    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True).stdout.strip()
    processor = re.search(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return " ".join([*built.split(), os.confstr("CS_GNU_LIBC_VERSION"), valgrind, processor[1] if processor else "unknown"])


def count(program, line, folder):
    """Instructions of a job."""
    log = pathlib.Path(folder, "valgrind.log")
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", f"--log-file={log}"]
    words = line.split() + (MEMORY if line.split()[0] in TAKE_MEMORY else [])
    env = {**os.environ, **SETTINGS}
    done = subprocess.run([*tool, program, *words], cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    found = re.search(r"I +refs: +([\d,]+)", log.read_text())
    if done.returncode != 0 or not found:
        sys.exit(f"instructions.py: pardup {line}: status {done.returncode}: {done.stderr[-500:]}")
    return int(found[1].replace(",", ""))


def main():
    parser = argparse.ArgumentParser(usage="instructions.py [--write] [--only PATTERN] PARDUP")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("program")
    args = parser.parse_args()
    program = str(pathlib.Path(args.program).resolve())
    if not shutil.which("valgrind"):
        print("instructions.py: valgrind is not installed")
        sys.exit(77)
    here = machine(program)
    lines = RECORD.read_text().splitlines() if RECORD.exists() else [""]
    known = {name: int(n) for name, n in (line.split("\t") for line in lines[1:])}
    if lines[0] != here and not args.write:
        print(f"nothing to judge: the record is of\n  {lines[0]}\nand here is\n  {here}")
        sys.exit(77)
    counts, slower = dict(known), []
    with tempfile.TemporaryDirectory() as folder:
        for name, shape in SHAPES.items():
            subprocess.run([program, "synth", *shape.split(), "-o", name], cwd=folder, check=True, capture_output=True)
            for extra in pathlib.Path(folder, name).glob("[!p]*"):
                extra.unlink()  # the truth is no document
        texts = [json.loads(line)["text"] for line in pathlib.Path(folder, "texts/part-00000.jsonl").open()]
        for k, name in enumerate(("even.txt", "odd.txt")):
            pathlib.Path(folder, name).write_text("\n\n".join(texts[k::2]))
        for name, line in JOBS.items():
            counts[name] = count(program, line, folder)
            before = known.get(name, counts[name])
            if args.only in name:
                print(f"{name:20} {counts[name]:>13,} {100 * counts[name] / before - 100:+7.1f} %", flush=True)
                slower += [name] if counts[name] > MORE * before else []
    if args.write:
        RECORD.write_text("".join([here + "\n"] + [f"{name}\t{counts[name]}\n" for name in JOBS]))
    elif slower:
        sys.exit(f"more than 3 % above the record: {', '.join(slower)}; if they have to be: {sys.argv[0]} --write {args.program}")


if __name__ == "__main__":
    main()
