#!/usr/bin/env python3
"""Check the command lines in the documents: are commands, options and values of options known to the program, and do
the scripts exist? Run by ctest as `commands`.

    commands.py [--run] [--list] [FILE...]

Read are code blocks, and code in a sentence that begins with pardup. --run also runs each block behind a line
`<!-- run -->`, in a folder of its own for each document, in order; status 0 is expected of every command.
`<!-- run with NAME... -->` first unpacks archives of the test data there, and leaves the block out without them.
`<!-- run after COMMAND -->` first runs a command that makes what the block speaks of; it may stand behind the names, too.
`src` is a link to the source in that folder. A loop over several lines is one command.
--list prints every command line, with `run` or `read`. Without FILE: README.md, SUPPORT.md, CONTRIBUTING.md and docs/.

PARDUP: the program [build/release/pardup]. PARDUP_DATA: folder of test archives [../shared/data].
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARDUP = pathlib.Path(os.environ.get("PARDUP", ROOT / "build" / "release" / "pardup")).resolve()
DATA = pathlib.Path(os.environ.get("PARDUP_DATA", ROOT.parent / "shared" / "data"))
SECONDS = 120  # for one command
sys.path.insert(0, str(ROOT / "scripts" / "package"))
sys.dont_write_bytecode = True
import manual  # noqa: E402: what --help says, as data

MARK = re.compile(r"<!-- run( with ([\w. -]+?))?( after (.+?))? -->$")


class Block:
    """Command lines of one code block, and whether they are run, with which archives and after which command."""

    def __init__(self, line, lines, mark, language):
        prompted = any(text.startswith("$ ") for text in lines)
        joined = re.sub(r"^(for .*)\n((?:.*\n)*?done)$", lambda loop: loop[0].replace("; do\n", "; do ").replace("\n", "; "),
                        "\n".join(lines).replace("\\\n", " "), flags=re.M).split("\n")
        commands = [re.sub(r"\s+#\s.*", "", text.removeprefix("$ ")) for text in joined if text.startswith("$ ") or not prompted]
        self.line, self.run = line, mark is not None
        self.archives = mark[2].split() if mark and mark[2] else []
        self.before = [mark[4]] if mark and mark[4] else []
        self.commands = [c for c in commands if c.strip()] if language in ("", "sh") else []


def blocks(text):
    """The code blocks of a Markdown file: fenced ones, and those that are indented behind an empty line."""
    lines, mark, k = text.split("\n"), None, 0
    while k < len(lines):
        begin = k
        if lines[k].startswith("```"):
            end = lines.index("```", k + 1)
            yield Block(begin + 1, lines[k + 1:end], mark, lines[k][3:])
            k = end + 1
        elif lines[k].startswith("    ") and (k == 0 or not lines[k - 1].strip()):
            while k < len(lines) and (lines[k].startswith("    ") or not lines[k].strip()):
                k += 1
            yield Block(begin + 1, [line[4:] for line in lines[begin:k]], mark, "")
        else:
            mark = MARK.match(lines[k]) or (mark if not lines[k].strip() else None)
            k += 1
            continue
        mark = None


class Program:
    """What the program knows: each command with its options."""

    def __init__(self):
        names = re.findall(r"^  ([a-z]+)  +\S", manual.help_of(PARDUP, "--help"), re.M)
        self.options = {name: {o.name: o for o in manual.Command(PARDUP, name).options} for name in names}

    def complaints(self, words):
        """What is wrong with the words behind `pardup`."""
        if not words or words[0] in ("help", "-V") or words[0].startswith("--") or not re.fullmatch("[a-z]+", words[0]):
            return
        known = self.options.get(words[0])
        if known is None:
            yield f"no command {words[0]}"
            return
        for k, word in enumerate(words):
            name, equals, value = word[2:].partition("=")
            if not word.startswith("--") or name in ("help", ""):
                continue
            option = known.get(name)
            if option is None:
                yield f"{words[0]} has no option --{name}"
            elif option.choices:
                value = value if equals else words[k + 1] if k + 1 < len(words) else ""
                if re.fullmatch("[a-z0-9-]+", value) and value not in option.choices:
                    yield f"{words[0]} --{name} has no value {value}"


def parts_of(command):
    """The simple commands of a line, as lists of words; a line that no shell takes is one word."""
    try:
        lexer = shlex.shlex(command, posix=True, punctuation_chars="|;&<>()")
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return [[command]]
    parts = [[]]
    for word in words:
        if re.fullmatch("[|;&()]+", word):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def complaints(program, command):
    for words in parts_of(command):
        for k, word in enumerate(words):
            if word == "pardup" or word.endswith("/pardup"):
                yield from program.complaints(words[k + 1:])
                break
            if word.endswith("detect.sbatch") or word.endswith("array.sbatch"):
                yield from program.complaints(["detect"] + words[k + 1:])
            if re.match(r"(scripts|slurm|tests)/[\w/.-]+$", word) and not (ROOT / word).exists():
                yield f"{word}: no such file"


def run(path, found):
    """Run the blocks of a document that are marked, and yield complaints."""
    missing = {name for block in found for name in block.archives if not (DATA / f"{name}.tar.zst").exists()}
    if missing:
        print(f"{path}: blocks are not run, for want of {' '.join(sorted(missing))}")
    found = [block for block in found if block.run and not missing & set(block.archives)]
    environment = {**os.environ, "PATH": f"{PARDUP.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                   "PYTHONPATH": str(ROOT / "scripts" / "modules"), "PYTHONDONTWRITEBYTECODE": "1"}
    launcher = os.environ.get("PARDUP_MPIRUN")  # of the MPI that the program is built with: tests/support/mpi_env.sh
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
        if launcher and launcher != "none":
            os.symlink(shutil.which(launcher), os.path.join(programs, "mpirun"))
            environment["PATH"] = f"{programs}:{environment['PATH']}"
        os.symlink(ROOT, os.path.join(folder, "src"))
        for name in sorted({name for block in found for name in block.archives}):
            subprocess.run(["tar", "-I", "zstd --long=27", "-xf", DATA / f"{name}.tar.zst", "-C", folder], check=True)
        for block in found:
            for command in block.before + block.commands:
                if launcher == "none" and re.search(r"\bmpirun\b", command):
                    print(f"{path}:{block.line}: not run, as there is no launcher: {command}")
                    continue
                try:
                    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, timeout=SECONDS, text=True,
                                          errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    if done.returncode:
                        yield f"{path}:{block.line}: status {done.returncode}: {command}\n{done.stdout[-1000:]}"
                except subprocess.TimeoutExpired:
                    yield f"{path}:{block.line}: does not end: {command}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    files = arguments.files or [ROOT / name for name in ("README.md", "SUPPORT.md", "CONTRIBUTING.md")] + sorted((ROOT / "docs").rglob("*.md"))
    program, bad, counts = Program(), [], {"run": 0, "read": 0}
    for path in files:
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        text = path.read_text()
        found = list(blocks(text))
        for block in found:
            for command in block.commands:
                counts["run" if block.run else "read"] += 1
                bad += [f"{name}:{block.line}: {what}: {command}" for what in complaints(program, command)]
                if arguments.list:
                    print("run " if block.run else "read", f"{name}:{block.line}:", command)
        for code in re.findall(r"`(pardup [^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)):
            counts["read"] += 1
            bad += [f"{name}: {what}: {code}" for what in complaints(program, " ".join(code.split()))]
        if arguments.run and any(block.run for block in found):
            bad += run(name, found)
    print("\n".join(bad) or f"commands ok: {counts['run']} run{'' if arguments.run else ' with --run'}, {counts['read']} read")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
