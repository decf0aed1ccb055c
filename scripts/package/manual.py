#!/usr/bin/env python3
"""Make the man pages and the bash completion from what `pardup COMMAND --help all` prints.

    manual.py PARDUP FOLDER

FOLDER gets pardup.1, a pardup-COMMAND.1 for each command, and pardup.bash. The build calls it (package.cmake).
"""
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMN = 22  # where the text of an option begins in --help
FILES = "FILE FILES LIST DIR SOURCE INDEX TABLE".split()  # values that are names of files
STATUSES = [("0", "Done."), ("1", "Failed; one line says why, and no result is left half written."),
            ("2", "Wrong usage."), ("75", "Stopped by a signal; --resume goes on from the checkpoint.")]


def help_of(pardup, *arguments):
    return subprocess.run([pardup, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


class Option:
    """An option: its name without dashes, the name of its value or None, its text and its choices."""

    def __init__(self, left, text):
        self.left, self.text = left, text
        self.name, self.value = re.fullmatch(r"(?:-[a-z0-9], )?--([a-z-]+)(?: (.*))?", left).groups()
        found = re.search(r"; one of: ?([^;\[]*)", text)
        self.choices = found[1].split() if found else []


def entries(lines):
    """[left, text] of each entry of a section: the text begins at COLUMN, and may go on in later lines."""
    found = []
    for line in lines:
        if not line[:COLUMN].strip():
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
        elif len(line) > COLUMN and re.fullmatch(r"  (-[a-z0-9], )?--[a-z-]+( \S+)?", line):
            found.append([line.strip(), ""])  # the left side has a line of its own
        else:
            found.append([line[:COLUMN].strip(), line[COLUMN:].strip()])
    return found


class Command:
    """What --help says about a command: usage, summary, example, sections of options, formats."""

    def __init__(self, pardup, name):
        head, *parts = help_of(pardup, name, "--help", "all").strip().split("\n\n")
        self.name, self.example = name, None
        # usage, help and example are paragraphs; their later lines are indented
        paragraphs = re.sub(r"\n +", " ", head).split("\n")
        if paragraphs[-1].startswith("example: "):
            self.example = paragraphs.pop().removeprefix("example: ")
        self.usage = paragraphs[0].removeprefix("usage: ")
        self.summary = " ".join(paragraphs[1:])
        self.sections, self.formats = [], []
        if parts[-1].startswith("`pardup help method`"):
            parts[-1:] = help_of(pardup, "help", "method").strip().split("\n\n")[2:]  # behind usage and the methods
        for part in parts:
            title, *lines = part.split("\n")
            if title == "formats:":
                self.formats = entries(lines)
            else:
                self.sections.append((title[:-1], [Option(*entry) for entry in entries(lines)]))
        self.options = [option for _, options in self.sections for option in options]


# ---- man pages ----

def roff(text):
    """Text that stays as it is in a man page."""
    text = text.replace("\\", "\\e").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return re.sub(r"(?<!\w)-", r"\\-", text)


def lines_of(source):
    lines = textwrap.wrap(source, 76, break_long_words=False, break_on_hyphens=False)
    return "".join(("\\&" if line[0] in ".'" else "") + line + "\n" for line in lines)


def paragraph(text):
    return lines_of(roff(text))


def entry(left, text):
    return f".TP\n.B {roff(left)}\n{paragraph(text)}"


def header(title, version, date):
    return f'.\\" Made by scripts/package/manual.py from --help.\n.TH {title.upper()} 1 "{date}" "pardup {version}"\n'


def footer(names):
    others = ",\n".join(f".BR {roff(name)} (1)" for name in names)
    return (".SH EXIT STATUS\n" + "".join(entry(*status) for status in STATUSES) + ".SH SEE ALSO\n" + others + "\n.PP\n"
            + paragraph("The documentation, with examples and the format of the result, lies in share/doc/pardup below the "
                        "folder in which pardup is installed."))


def command_page(command, version, date):
    usage = paragraph(command.usage.removeprefix(f"pardup {command.name}").strip())
    page = [header(f"pardup-{command.name}", version, date), ".SH NAME\n" + lines_of(f"pardup\\-{command.name} \\- {roff(command.summary)}"),
            f".SH SYNOPSIS\n.B pardup {command.name}\n{usage}.SH OPTIONS\n"]
    for title, options in command.sections:
        page.append(f".SS {title[0].upper() + title[1:]}\n")
        page += [entry(option.left, option.text) for option in options]
    if command.formats:
        page.append(".SH FORMATS\n")
        page += [entry(*row) for row in command.formats]
    if command.example:
        page.append(f".SH EXAMPLE\n.EX\n{roff(command.example)}\n.EE\n")
    return "".join(page) + footer(["pardup", "mpirun"])


def main_page(commands, version, date):
    rows = [entry(c.name, c.summary[0].upper() + c.summary[1:] + ".") for c in commands]
    return (header("pardup", version, date) + ".SH NAME\npardup \\- find partial duplicates in large text collections\n"
            ".SH SYNOPSIS\n.B pardup\nCOMMAND [options] ...\n.PP\n.B mpirun \\-np N pardup\nCOMMAND [options] ...\n.SH DESCRIPTION\n"
            + paragraph("pardup finds passages that two documents share, word for word or nearly, and where each passage lies in "
                        "both documents. A command that reads a collection runs alone or under mpirun, with the same result.")
            + ".SH COMMANDS\n" + "".join(rows)
            + ".SH OPTIONS\n" + entry("--help", "Help: of the program, or behind a command of the command; --help all: every option in full.")
            + entry("--version", "The version; with --verbose also the libraries.") + entry("--quiet", "Say nothing on standard error but errors.")
            + footer([f"pardup-{c.name}" for c in commands]))


# ---- completion ----

def kind_of(option):
    """What completes the value of an option: its choices, names of files, or nothing."""
    if option.choices:
        return " ".join(option.choices)
    return "@files" if option.value in FILES else ""


def completion(commands):
    names = " ".join(c.name for c in commands)
    options, values = [], []
    for c in commands:
        words = " ".join(f"--{o.name}" for o in c.options) + (" -o" if any(o.name == "output" for o in c.options) else "")
        options.append(f'    {c.name}) echo "{words} --help" ;;\n')
        for option in (o for o in c.options if o.value):
            left = f"{c.name}:--{option.name}" + (f"|{c.name}:-o" if option.name == "output" else "")
            values.append(f'    {left}) echo "{kind_of(option)}" ;;\n')
    template = (pathlib.Path(__file__).parent / "completion.bash").read_text()
    return template.replace("@COMMANDS@", names).replace("@OPTIONS@\n", "".join(options)).replace("@VALUES@\n", "".join(values))


def main():
    pardup, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    names = re.findall(r"^  ([a-z]+)  +\S", help_of(pardup, "--help"), re.M)
    version = help_of(pardup, "--version").split()[1]
    date = re.search(r"^date-released: (\S+)", (ROOT / "CITATION.cff").read_text(), re.M)[1]
    commands = [Command(pardup, name) for name in names]
    (folder / "pardup.1").write_text(main_page(commands, version, date))
    for command in commands:
        (folder / f"pardup-{command.name}.1").write_text(command_page(command, version, date))
    (folder / "pardup.bash").write_text(completion(commands))


if __name__ == "__main__":
    main()
