#!/usr/bin/env python3
"""Which conditional expressions does the compiler evaluate although their condition is false?

GCC 14 writes `b ? x + k : k` as `b * x + k` when b is a bool (or a bit: n & 1); `|` and `^` in place of `+`, too, and
with them GCC 13 does it, too. Then x is evaluated always: a load before an array, a division by zero, a call of a pure
function such as strlen with NULL. GCC 15 and 16 still do so with calls. `if (b)` is a branch with every compiler.

The script compiles every source file and reads GCC's GIMPLE. A product of two variables, or a mask, was made from a
conditional expression if one factor is 0 or 1 and a `:` stands at its place in the source, or a macro with a `?`. If the
other factor needs memory, a division or a call, it is a finding.

usage: scripts/check/guarded_loads.py [--compiler gcc-14] [--build build/release] [FILE...]
  FILE    a C file that is compiled alone, in place of the files of the build's compile_commands.json
Exit status 1: findings, one a line. 2: the sample's are not found. 77: there is no such compiler.
"""
import argparse, concurrent.futures, glob, json, os, re, shlex, shutil, subprocess, sys, tempfile

SAMPLE = """
#include <stdbool.h>
unsigned called(unsigned n) __attribute__((const));
unsigned sum(bool b, const unsigned *v) { return b ? v[-1] + 1 : 1; }
unsigned bits(bool b, const unsigned *v) { return b ? v[0] | 4 : 4; }
unsigned call(bool b, unsigned n) { return b ? called(n) + 1 : 1; }
unsigned product(bool b, const unsigned *v, unsigned k) { return b ? v[0] * k : k; }
"""
EXPECTED = {13: 1, 14: 3, 15: 1, 16: 1}  # of the sample, by the release of GCC

PLACE = r"\[([^\[\]:]+):(\d+):(\d+)(?: discrim \d+)?\]"
RISKY = re.compile(r"->|\*|\[|/|%|\(")  # in the right side of an assignment, without casts


def commands(build, files):
    """(folder, source, arguments) of what is compiled."""
    if files:
        return [(os.getcwd(), f, ["cc", "-c", f]) for f in files]
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        entries = json.load(f)
    rows = {}
    for e in entries:
        if "/src/" in e["file"]:
            rows.setdefault(e["file"], (e["directory"], e["file"], shlex.split(e["command"])))
    return list(rows.values())


def gimple(compiler, folder, source, words):
    """GCC's GIMPLE of a source file, with places."""
    words = [compiler] + [w for w in words[1:] if w != "-Werror"]
    if "-o" in words:
        at = words.index("-o")
        del words[at:at + 2]
    with tempfile.TemporaryDirectory() as work:
        dump = os.path.join(work, "gimple")
        done = subprocess.run([*words, "-O0", "-w", "-S", "-o", os.devnull, "-U_FORTIFY_SOURCE",
                               "-fdump-tree-gimple-lineno=" + dump], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{source}: {done.stderr}")
        if not os.path.exists(dump):
            return ""  # no function
        with open(dump, encoding="utf-8", errors="replace") as f:
            return f.read()


class Sources:
    def __init__(self, macros):
        self.lines, self.macros = {}, macros

    def line(self, path, n):
        if path not in self.lines:
            try:
                with open(path, encoding="utf-8", errors="replace") as f:
                    self.lines[path] = f.read().split("\n")
            except OSError:
                self.lines[path] = []
        lines = self.lines[path]
        return lines[n - 1] if 0 < n <= len(lines) else ""

    def conditional(self, place):
        """Does a conditional expression stand at a place, itself or in a macro?"""
        path, line, column = place
        text = self.line(path, line)[column - 1:]
        name = re.match(r"\w*", text)[0]
        return text[:1] == ":" or name in self.macros


def plain(side):
    """A right side without places and casts."""
    side = re.sub(PLACE + " ?", "", side)
    return re.sub(r"\((?:const |volatile |struct |unsigned |signed |long |short )*[A-Za-z_]\w*(?: \*)*\) ", "", side)


def needs(name, defined, depth=0):
    """What of a temporary's value cannot be evaluated at any time: a load, a division, a call. Else nothing."""
    if depth > 20 or name not in defined:
        return ""
    side = defined[name]
    product = re.fullmatch(r"(\S+) \* (\S+)", side)
    if product is None and RISKY.search(side):
        return side
    for part in re.findall(r"\b(?:_\d+|D\.\d+|iftmp\.\d+)\b", side):
        found = needs(part, defined, depth + 1)
        if found:
            return found
    return ""


def is_bit(name, defined, bits, depth=0):
    """Is a factor 0 or 1, so that it may have been the condition of a conditional expression?"""
    if depth > 20:
        return False
    if name in bits:
        return True
    side = defined.get(name, "")
    if re.search(r" & 1$|^!| [=!<>]=? ", side):
        return True
    if side.startswith("-"):  # a mask of one bit
        return is_bit(side[1:], defined, bits, depth + 1)
    member = re.search(r"(?:->|\.)(\w+)(?:\[.*\])?$", side)
    if member:
        return member[1] in bits
    if side.startswith("*"):
        return True  # of an array: not known
    parts = re.fullmatch(r"([\w.]+)(?: [&|^] ([\w.]+))?", side)
    return bool(parts) and all(is_bit(p, defined, bits, depth + 1) for p in parts.groups() if p)


def findings(text, folder, sources, members):
    """(place, what is evaluated) of one file's GIMPLE."""
    found, defined, bits = [], {}, set(members)
    for line in text.split("\n"):
        if line and line[0] not in " {}[":
            defined, bits = {}, set(members)
        bits.update(re.findall(r"_Bool (?:\w+ )*([\w.]+)[,;)]", line))
        match = re.match(r" *(?:" + PLACE + r" )?([\w.]+) = (.*);$", line)
        if not match:
            continue
        path, row, column, name, side = match.groups()
        defined[name] = side = plain(side)
        both = re.fullmatch(r"([\w.]+) ([*&]) ([\w.]+)", side)
        if not both or not path or both[1].isdigit() or both[3].isdigit():
            continue
        place = (os.path.join(folder, path), int(row), int(column))
        if not sources.conditional(place):
            continue
        for bit, value in ((both[1], both[3]), (both[3], both[1])):
            risk = needs(value, defined) if is_bit(bit, defined, bits) else ""
            if risk:
                found.append((place, risk))
    return found


def code(path):
    """A source file without comments and strings."""
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", " ", text, flags=re.S)


def bools(text):
    """Names that a file's code declares as bool."""
    names = set()
    for row in re.findall(r"\bbool\s+([^;(){}]*);", text):
        names.update(re.match(r"[\s*]*(\w*)", part)[1] for part in row.split(","))
    return names


def sample(compiler):
    """False: what a known compiler does to the sample is not found."""
    release = subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True).stdout.split(".")[0]
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "sample.c")
        with open(path, "w", encoding="utf-8") as f:
            f.write(SAMPLE)
        found = findings(gimple(compiler, work, path, ["cc", "-c", path]), work, Sources(set()), set())
    expected = EXPECTED.get(int(release) if release.isdigit() else 0, len(found))
    if len(found) != expected:
        print(f"sample: {len(found)} findings, not {expected}")
    return len(found) == expected


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--compiler", default="gcc-14")
    parser.add_argument("--build", default="build/release")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if not shutil.which(options.compiler):
        print(f"no compiler {options.compiler}: not looked at")
        return 77
    if not sample(options.compiler):
        return 2
    rows = commands(options.build, options.files)
    members, macros, seen = set(), set(), {}
    for path in [os.path.join(folder, source) for folder, source, _ in rows] + \
            glob.glob("include/**/*.h", recursive=True) + glob.glob("src/**/*.h", recursive=True):
        text = code(path)
        members |= bools(text)
        macros |= set(re.findall(r"#define (\w+)\((?:[^\n]*\\\n)*[^\n]*\?", text))
    sources = Sources(macros)

    def look(row):
        folder, source, words = row
        return findings(gimple(options.compiler, folder, source, words), folder, sources, members)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(look, rows):
            for place, risk in found:
                seen.setdefault(place, risk)
    for (path, line, column), risk in sorted(seen.items()):
        print(f"{os.path.relpath(path)}:{line}:{column}: always evaluates {risk}: {sources.line(path, line).strip()}")
    looked = sum(code(os.path.join(folder, source)).count("?") for folder, source, _ in rows)
    print(f"{options.compiler}: {looked} conditional expressions in {len(rows)} files, {len(seen)} evaluated too early")
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
