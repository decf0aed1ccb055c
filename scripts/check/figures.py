#!/usr/bin/env python3
"""The figures of docs/testing.md, counted from the files of the repository.

    figures.py            print the table; exit status 1 if the page has another
    figures.py --write    put the table into the page
"""
import pathlib
import re

import made_part

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
PAGE = ROOT / "docs/testing.md"
BEGIN, END = "<!-- figures: scripts/check/figures.py --write -->\n", "<!-- end of figures -->\n"


def texts(pattern):
    return [path.read_text() for path in sorted(ROOT.glob(pattern))]


def lines(*patterns):
    return sum(text.count("\n") for pattern in patterns for text in texts(pattern))


def registered(word, text):
    """What stands behind a call of a function in tests/CMakeLists.txt, one string a call."""
    return re.findall(rf"^ *{word}\((.*?)\)", text, re.M)


def combinations():
    """Lines of options in the tables of tests/invariance/combinations.sh."""
    tables = re.findall(r"<<'COMBINATIONS'\n(.*?)COMBINATIONS", (TESTS / "invariance/combinations.sh").read_text(), re.S)
    return sum(table.count("\n") for table in tables)


def fuzz_targets():
    text = (TESTS / "fuzz/CMakeLists.txt").read_text()
    several = [name for names in re.findall(r"foreach\(name (.*?)\)", text) for name in names.split()]
    return len(several) + len([name for name in registered("pd_fuzz", text) if not name.startswith("$")])


def table():
    registry = (TESTS / "CMakeLists.txt").read_text()
    programs = [words.split() for words in registered("pd_test", registry)]
    unit = [words for words in programs if words[0].startswith("unit/")]
    stage = [words for words in programs if words[0].startswith("stage/")]
    mpi = [words for words in programs if words[0].startswith("mpi/")]
    ranks = [word for word in mpi[0][mpi[0].index("NP") + 1:mpi[0].index("LINK")]]
    scripts = registered("pd_script", registry)
    judges = [words for words in registered("pd_judge", registry) if not words.startswith("path ")]
    cases = {folder: sum(text.count("PD_TEST(") for text in texts(f"tests/{folder}/*.c")) for folder in ("unit", "stage", "mpi")}
    rows = [
        ("lines of C in the program, with generated tables", f"{lines('src/**/*.c', 'src/**/*.h', 'include/**/*.h'):,}"),
        ("lines of tests: C, shell, Python", f"{lines('tests/**/*.[ch]', 'tests/**/*.sh', 'tests/**/*.py'):,}"),
        ("unit tests", f"{cases['unit']} in {len(unit)} programs"),
        ("tests of stages", f"{cases['stage']} in {len(stage)} programs"),
        ("MPI tests", f"{cases['mpi']} in {len(mpi)} programs, each on {', '.join(ranks[:-1])} and {ranks[-1]} ranks"),
        ("scripts that test commands", str(sum(name.startswith("cli/") for name in scripts))),
        ("scripts that judge whole results", str(len(judges) + sum(name.startswith("invariance/") for name in scripts))),
        ("sets of options that they judge, without the random ones", str(combinations())),
        ("lines of the oracle", f"{lines('tests/support/oracle*.py') - lines('tests/support/oracle_selftest*.py'):,}"),
        ("lines of tests of the oracle", f"{lines('tests/support/oracle_selftest*.py'):,}"),
        ("earlier releases whose files are kept", str(len(list(TESTS.glob("old/*.tar.gz"))))),
        ("fuzz targets", str(fuzz_targets())),
        ("inputs kept of them", str(sum(path.is_file() for path in TESTS.glob("fuzz/corpus/*/*")))),
    ]
    return "| what | how many |\n|---|---|\n" + "".join(f"| {left} | {right} |\n" for left, right in rows)


def main():
    made = table()
    print(made, end="")
    made_part.keep(PAGE, BEGIN, END, BEGIN + "\n" + made + "\n" + END, "the repository", "scripts/check/figures.py")


if __name__ == "__main__":
    main()
