#!/usr/bin/env python3
"""Run one `pardup detect` and append what it took to a file, as one line of JSON.

usage: scripts/measure/bench_record.py FILE NAME=VALUE... -- COMMAND...

NAME=VALUE go into the line as they are (numbers as numbers).  From the run come the seconds of the
clock and of the processor (all ranks, their waiting included), and from its summary the counts and
the stages.  Exit status: that of the command; of a run that failed no line is written.
"""

import json
import os
import re
import subprocess
import sys
import time

NUMBER = r"([0-9.]+)"
COUNTS = {
    "documents": r"documents +" + NUMBER,
    "html_mb": r"documents .*, " + NUMBER + r" MB\)",
    "sentences": r"sentences +" + NUMBER,
    "words": r"sentences .* " + NUMBER + r" words\)",
    "sentence_pairs": r"sentence pairs +" + NUMBER,
    "passages": r"passages +" + NUMBER,
    "pairs": r"document pairs +" + NUMBER,
    "seconds_all": r"all +" + NUMBER + r" seconds",
    "signing": r"signing +" + NUMBER,
    "round_mb": r"exchange: at most " + NUMBER,
    "peak_mb": r"peak memory a rank: .*/ .*/ " + NUMBER + r" MB",
}
STAGES = ("read", "count", "gather", "join", "align", "write")
STAGE = re.compile(
    r"(?P<name>" + "|".join(STAGES) + r") +(?P<seconds>[0-9.]+) +(?:(?P<cpu>[0-9.]+) +)?"
    r"\( *(?P<least>[0-9.]+) +(?P<mean>[0-9.]+) +(?P<most>[0-9.]+)\) +"
    r"(?P<sent_mb>[0-9.]+) \( *(?P<most_sent_mb>[0-9.]+)\) MB +(?P<rounds>[0-9]+) +(?P<peak_mb>[0-9]+) MB")


def value(text):
    """A number when it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def summary(text):
    """What the program says of itself."""
    found = {"stages": {}}
    for line in text.splitlines():
        line = line.removeprefix("pardup:").strip()
        stage = STAGE.match(line)
        if stage:
            numbers = {name: value(n) for name, n in stage.groupdict().items()
                       if name != "name" and n is not None}  # programs of before tell no processor time
            found["stages"][stage["name"]] = numbers
            continue
        for name, pattern in COUNTS.items():
            match = re.match(pattern, line)
            if match:
                found[name] = value(match[1])
    found["moved_mb"] = round(sum(s["sent_mb"] for s in found["stages"].values()), 1)
    return found


def main():
    """Run, read the summary, write the line."""
    if "--" not in sys.argv or sys.argv.index("--") < 2:
        sys.exit(__doc__)
    split = sys.argv.index("--")
    out, settings, command = sys.argv[1], sys.argv[2:split], sys.argv[split + 1:]
    line = {name: value(text) for name, text in (s.split("=", 1) for s in settings)}
    line["load"] = os.getloadavg()[0]
    before, start = os.times(), time.monotonic()
    run = subprocess.run(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, check=False)
    line["seconds"] = round(time.monotonic() - start, 3)
    after = os.times()
    if run.returncode != 0:
        sys.stderr.write(run.stderr)
        sys.exit(run.returncode if run.returncode > 0 else 1)
    line["cpu_user"] = round(after.children_user - before.children_user, 2)
    line["cpu_system"] = round(after.children_system - before.children_system, 2)
    line["cpu"] = round(line["cpu_user"] + line["cpu_system"], 2)
    line.update(summary(run.stderr))
    with open(out, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
