#!/usr/bin/env python3
"""What tests run of src/, from the counts of a build with gcc --coverage (scripts/check/coverage.sh).

    coverage.py BUILD              print lines and branches by folder
    coverage.py BUILD --missed     print each line that no test runs, and each branch that none takes
    coverage.py BUILD --write      put the table into docs/testing.md

A branch is one way of a condition. Branches that gcc makes for exceptions are left out. What no test runs is of three
classes: `no memory`, where an allocation failed (`pd_panic`, and `PD_VEC`, whose code each file has); `errors`, the line that says
what failed, or the branch by which an error goes up to the caller, such as `PD_TRY(...)` and `if (status < 0)`; and `others`,
which a test could reach.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

import made_part

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/testing.md"
BEGIN, END = "<!-- coverage: scripts/check/coverage.sh -->\n", "<!-- end of coverage -->\n"
NO_MEMORY = re.compile(r"pd_panic|no_memory|PD_CHECK\(|PD_VEC\(")
ERROR = re.compile(r"\bPD_TRY\(|\bstatus\b.*(<|>=) (0|PD_OK)|while \(\(status = |pd_fail\(|\bfailed\(|cannot_write|damaged\(|broken\(|_abandon\(|== PD_OK"
                   r"|strerror\(|\bread_error\b|return (false|NULL|PD_E\w+);|refuse\(|_error_clear\(")
CLASSES = ("no memory", "errors", "others")


def counted(build):
    """{file: {line: [times, {branch: times}]}} of the files of src/. One that two libraries compile is added up."""
    data = [path for path in build.glob("CMakeFiles/pd_*.dir/src/**/*.gcda")] + list(build.glob("CMakeFiles/pardup.dir/**/*.gcda"))
    files = {}
    for at in range(0, len(data), 50):
        made = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *data[at:at + 50]], capture_output=True,
                              text=True, check=True).stdout
        for report in filter(None, made.splitlines()):
            report = json.loads(report)
            for file in report["files"]:
                path = (pathlib.Path(report["current_working_directory"]) / file["file"]).resolve()
                if path.is_relative_to(ROOT / "src"):
                    add(files.setdefault(str(path.relative_to(ROOT)), {}), file["lines"])
    return files


def add(lines, more):
    seen = set()
    for entry in more:
        line = lines.setdefault(entry["line_number"], [0, {}])
        line[0] += entry["count"]
        branches = [branch for branch in entry["branches"] if not branch["throw"]]
        first = sum(1 for place in seen if place[0] == entry["line_number"])
        for number, branch in enumerate(branches):
            place = (entry["line_number"], first + number)
            seen.add(place)
            line[1][place[1]] = line[1].get(place[1], 0) + branch["count"]


def folder_of(path):
    parts = path.split("/")
    return "/".join(parts[1:-1][:3 if parts[1] == "run" else 2])  # run/ has floors


def class_of(text, number):
    """The class of a line that is not run, by itself or by the statement that it ends."""
    statement = text[number - 1]
    for before in reversed(text[max(0, number - 4):number - 1]):
        if before.rstrip().endswith((";", "{", "}", "*/")):
            break
        statement = before + statement
    return CLASSES[0 if NO_MEMORY.search(statement) else 1 if ERROR.search(statement) else 2]


def sums(files):
    """{folder: {"lines", "run", "branches", "taken", and (what, class) of what is not}}"""
    found = {}
    for path, lines in files.items():
        text = (ROOT / path).read_text().splitlines()
        row = found.setdefault(folder_of(path), collections.Counter())
        for number, (times, branches) in lines.items():
            taken = sum(count > 0 for count in branches.values())
            row.update(lines=1, run=times > 0, branches=len(branches), taken=taken)
            row["lines", class_of(text, number)] += not times
            row["branches", class_of(text, number)] += len(branches) - taken
    return found


def share(part, whole):
    return f"{100 * part / whole:.1f}" if whole else ""


def table(found):
    rows = [*sorted(found.items()), ("all", sum(found.values(), collections.Counter()))]
    made = "| folder of src | lines | run, % | no memory, errors, others | branches | taken, % | no memory, errors, others |\n"
    made += "|---|---|---|---|---|---|---|\n"
    for name, row in rows:
        classes = {what: ", ".join(f"{row[what, kind]:,}" for kind in CLASSES) for what in ("lines", "branches")}
        made += (f"| {name} | {row['lines']:,} | {share(row['run'], row['lines'])} | {classes['lines']} | {row['branches']:,} "
                 f"| {share(row['taken'], row['branches'])} | {classes['branches']} |\n")
    return made


def print_missed(files):
    for path, lines in sorted(files.items()):
        text = (ROOT / path).read_text().splitlines()
        for number, (times, branches) in sorted(lines.items()):
            missed = [place for place, count in sorted(branches.items()) if not count]
            what = f"{path}:{number}: {class_of(text, number)}: "
            if not times:
                print(f"{what}not run: {text[number - 1].strip()}")
            elif missed:
                print(f"{what}branches {','.join(map(str, missed))} of {len(branches)}: {text[number - 1].strip()}")


def main():
    build = (ROOT / sys.argv[1]).resolve()
    files = counted(build)
    if not files:
        sys.exit(f"coverage.py: {build} has no counts: scripts/check/coverage.sh")
    if "--missed" in sys.argv:
        print_missed(files)
        return
    made = table(sums(files))
    print(made, end="")
    if "--write" in sys.argv:
        made_part.keep(PAGE, BEGIN, END, BEGIN + "\n" + made + "\n" + END, "the build", "coverage.py BUILD")


if __name__ == "__main__":
    main()
