#!/usr/bin/env python3
"""Draw slips of one line in src/, and try whether the tests of the module see them.

    mutate.py [--seed N] [--slips N] [--only PATTERN] [--log FILE] [--jobs N] [FILE:LINE ...]

A slip is one operator, number or word that a tired programmer could have written. Each is made in a copy of the last
commit (build/mutants), which is built; then the tests that belong to the folder run, the fastest first, until one fails.
Programs of tests/unit, tests/stage and tests/mpi belong to the folder whose library they link. SCRIPTS names the scripts.
Each slip is a line: verdict, place, before and after, seconds. Exit status 1: less than nine in ten were seen.
With FILE:LINE every slip of that line is tried.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / "build/mutants"
BUILD = COPY / "build/release"
SLIPS = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "), (" && ", " || "),
         (r" \|\| ", " && "), (r" \+ ", " - "), (" - ", " + "), (r"\b1\b", "2"), (r"\b0\b", "1"), (r"\+\+", "--"), (r"\btrue\b", "false"),
         (r"\bfalse\b", "true"), (r" \+= ", " -= "), ("return status;", "return PD_OK;")]
GENERATED = re.compile(r"html_entities|page_trees|charset_index|option_table")
# Scripts of tests/cli for a folder or file, the longest prefix counts.
SCRIPTS = {
    "base": "quotations output bounds", "parquet": "parquet parquet_dedup", "comm": "ranks failures", "store": "resume index_stop check_frozen",
    "corpus": "odd_files bad_input csv parquet parquet_dedup dedup_inputs include", "document": "odd_files office articles letters words byline",
    "feature": "methods", "join": "methods templates stubs large_sets", "passage": "passages agreement copies share",
    "result": "export given label hostile", "index": "check check_sets queries frequencies check_frozen index_hostile",
    "tools/synth": "synth", "tools/eval": "eval mosaic sheet paired", "tools/prevalence": "prevalence", "app": "usage terminal output commands", "app/report": "report each", "app/show": "check_show label output compare",
    "app/export": "export quotations gate parquet parquet_peers", "app/explain": "explain explain_edited compare",
    "app/command/cmd_changes": "changes", "app/command/cmd_check": "check queries socket check_lines", "app/command/cmd_compare": "compare", "app/command/cmd_decontaminate": "decontaminate",
    "app/command/cmd_dedup": "dedup", "app/command/cmd_detect": "output usage gate", "app/command/cmd_export": "export",
    "app/command/cmd_families": "families_remake", "app/command/cmd_frequencies": "frequencies", "app/command/cmd_index": "check index_stop", "app/command/cmd_picture": "picture",
    "app/command/cmd_report": "report each", "app/command/cmd_sentences": "words articles", "app/command/cmd_show": "output label",
    "app/command/cmd_text": "articles byline", "app/best_families": "report output families", "app/label": "label",
    "app/share": "share report each", "app/result_options": "check index_hostile", "app/ids": "given docs_from", "app/like": "usage given", "app/methods": "methods",
    "run": "output methods passages resume share set_aside", "run/stage/align": "passages agreement share copies", "run/job/check": "check check_common check_frame "
    "check_lines check_sets check_sides check_templates queries", "run/stage/classes": "templates stubs brief articles frame frequencies set_aside",
    "run/stage/collection": "bad_input metadata include docs_from against many csv check_show long_values skip_same", "run/job/dedup": "dedup dedup_random dedup_cut "
    "dedup_rest dedup_check dedup_loss decontaminate verify", "run/job/estimate": "dry_run", "run/job/explain": "explain explain_edited compare",
    "run/stage/families": "families families_remake", "run/job/frequencies": "frequencies", "run/stage/ignore": "ignore", "run/job/index": "check check_common check_frame "
    "check_frozen frequencies index_stop", "run/stage/resume": "resume resume_options", "run/scratch": "resume resume_room failures", "run/stage/similar": "methods large_sets",
    "run/stage/table": "output dedup", "run/stage/write": "output metadata set_aside export templates",
}


def run(command, seconds):
    """The process that has ended, or None when it did not."""
    try:
        return subprocess.run(command, cwd=COPY, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None


def make_copy():
    """The last commit, built. What an earlier run has left is brought to it."""
    COPY.mkdir(parents=True, exist_ok=True)
    # Files are new to ninja (-m), as their time in the archive is that of the commit.
    subprocess.run("rm -rf src && git -C ../.. archive HEAD | tar xm", shell=True, cwd=COPY, check=True)
    made = run(["cmake", "--preset", "release"], 300)
    if made is None or made.returncode:
        sys.exit("mutate.py: cmake failed in build/mutants")
    made = run(["cmake", "--build", str(BUILD), "--target", "pardup"], 7200)
    if made is None or made.returncode:
        sys.exit("mutate.py: build/mutants does not build\n" + (made.stdout[-2000:] if made else ""))


def programs_of(folder):
    """Programs of tests that link the library of a folder: (name in ctest, target)."""
    text = (COPY / "tests/CMakeLists.txt").read_text()
    found = []
    for path, more in re.findall(r"^ *pd_test\((\S+) (.*?)\)", text, re.M | re.S):
        linked = more.split("LINK")[1].split() if "LINK" in more else []
        if path.startswith("stage/"):
            linked = ["pd_run"]
        if f"pd_{folder}" in linked and "test_steps" not in path:
            found.append((path, path.split("/")[1]))
    return found


def scripts_of(path):
    name = path.removeprefix("src/").removesuffix(".c")
    prefixes = [prefix for prefix in SCRIPTS if name == prefix or name.startswith((prefix + "/", prefix + "_"))]
    return SCRIPTS[max(prefixes, key=len)].split() if prefixes else []


def places(lines):
    """(number, begin, end, what to write) of each slip of a file."""
    found, comment = [], False
    for number, line in enumerate(lines):
        stripped = line.strip()
        comment = comment or stripped.startswith("/*")
        if comment:
            comment = "*/" not in stripped
            continue
        if not stripped or stripped.startswith("#") or "static const" in stripped or '"' in stripped:
            continue
        found += [(number, match.start(), match.end(), after) for before, after in SLIPS
                  for match in re.finditer(before, line.split("/*")[0])]
    return found


def seen_by(ended):
    """What says that a run of ctest failed, or None."""
    if ended is None:
        return "seen by time"
    if ended.returncode == 0:
        return None
    found = re.findall(r"(\S+) \.+\**(Failed|Timeout|Exception|SegFault|Subprocess)", ended.stdout)
    # A test that ended by time was held up by the slip, or by a busy machine: its own limit counts, and the line tells it.
    return "seen by " + ", ".join(name + " (time)" * (how == "Timeout") for name, how in found[:2])


def ctest(pattern, jobs):
    return run(["ctest", "--test-dir", str(BUILD), "-R", pattern, "-j", str(jobs), "--stop-on-failure"], 3600)


def verdict_of(path, jobs):
    programs = programs_of(path.split("/")[1])
    # The test that bears the name of the file runs first.
    own = [name for name, _ in programs if name.endswith("/test_" + pathlib.Path(path).stem)]
    built = run(["cmake", "--build", str(BUILD), "-j", str(jobs), "--target", "pardup", *(target for _, target in programs)], 1200)
    if built is None or built.returncode:
        return "does not build"
    found = None
    if own:
        found = seen_by(ctest(f"^({'|'.join(own)})\\.", jobs))
    if not found and programs:
        found = seen_by(ctest(f"^({'|'.join(name for name, _ in programs)})\\.", jobs))
    scripts = scripts_of(path)
    if not found and scripts:
        found = seen_by(ctest(f"^cli/({'|'.join(scripts)})\\.sh", jobs))
    return found or "SURVIVED"


def attempt(path, place, jobs, log):
    number, begin, end, after = place
    file, began = COPY / path, time.time()
    text = file.read_text()
    lines = text.split("\n")
    old = lines[number]
    lines[number] = new = old[:begin] + after + old[end:]
    file.write_text("\n".join(lines))
    try:
        verdict = verdict_of(path, jobs)
    finally:
        file.write_text(text)
    print(f"{verdict} | {path}:{number + 1} | {old.strip()} -> {new.strip()} | {time.time() - began:.0f} s", file=log, flush=True)
    return verdict


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slips", type=int, default=100)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--log")
    parser.add_argument("lines", nargs="*")
    given = parser.parse_args()
    log = open(given.log, "a") if given.log else sys.stdout
    make_copy()
    os.environ["PARDUP_RANKS"] = "1"
    chance = random.Random(given.seed)
    files = sorted(str(path.relative_to(COPY)) for path in (COPY / "src").rglob("*.c"))
    files = [path for path in files if not GENERATED.search(path) and re.search(given.only, path)]
    texts = {path: (COPY / path).read_text().split("\n") for path in files}
    drawn = [(path, place) for path, number in (line.rsplit(":", 1) for line in given.lines)
             for place in places(texts[path]) if place[0] + 1 == int(number)]
    while not given.lines and len(drawn) < given.slips:
        path = chance.choices(files, [len(texts[path]) for path in files])[0]
        found = places(texts[path])
        if found:
            drawn.append((path, chance.choice(found)))
    verdicts = [attempt(path, place, given.jobs, log) for path, place in drawn]
    tried = [verdict for verdict in verdicts if verdict != "does not build"]
    seen = sum(verdict != "SURVIVED" for verdict in tried)
    print(f"{len(tried)} slips, {seen} seen, {len(tried) - seen} survived", file=log, flush=True)
    sys.exit(seen < 0.9 * len(tried))


if __name__ == "__main__":
    main()
