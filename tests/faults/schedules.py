#!/usr/bin/env python3
"""Runs commands on several ranks under schedules that are drawn: other messages come first, ranks wait.

    schedules.py [--seconds T] [--schedules N] [--seed S] [--command NAME ...]

Each schedule has a number, which is printed when it fails: --seed NUMBER --schedules 1 runs it again. It
stands for a command, 2 to 4 ranks, and delays. In one of three, a rank is told to stop at a call of MPI
that is drawn, and in one of six it is killed there. Without them, the files are the same as on one rank.
With them, they are the same, or no file is half written, a line says that it was stopped, and the next try
gives the same files.

PARDUP is the program, and PARDUP_SCHEDULE the library that is made of schedule.c.
"""
import argparse
import collections
import os
import random
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sweep  # noqa: E402

LIBRARY = os.path.abspath(os.environ.get("PARDUP_SCHEDULE", "build/release/tests/schedule.so"))
PLAYS = ("play", "play", "play", "stop", "stop", "kill")


class Schedules:
    def __init__(self, work):
        self.work = work
        self.slot = os.path.join(work, "slot")
        self.cases = [case for case in sweep.cases() if 2 in case.ranks and case.name != "frequencies"]
        self.wanted, self.calls = {}, {}

    def start(self, case, ranks, variables, more=()):
        return sweep.run(self.slot, case, ranks, dict(variables, LD_PRELOAD=LIBRARY) if variables else None, more)

    def count(self, case, ranks):
        """What one rank gives, and about how often each rank calls MPI."""
        if case.name not in self.wanted:
            sweep.clear(self.slot, case, self.work)
            self.before = sweep.files_of(self.slot)
            self.wanted[case.name] = self.start(case, 1, None)
        if (case.name, ranks) not in self.calls:
            counts = tempfile.mkdtemp(dir=self.work)
            sweep.clear(self.slot, case, self.work)
            self.start(case, ranks, {"SCHEDULE_SEED": 0, "SCHEDULE_CALLS": counts})
            self.calls[case.name, ranks] = []
            for rank in range(ranks):
                with open(os.path.join(counts, str(rank)), encoding="ascii") as f:
                    self.calls[case.name, ranks].append(int(f.read()))
        return self.wanted[case.name], self.calls[case.name, ranks]

    def play(self, number, names):
        """(the command, what was done, why it failed or None)"""
        rng = random.Random(number)
        case = rng.choice([case for case in self.cases if not names or case.name in names])
        ranks, how = rng.randint(2, 4), rng.choice(PLAYS)
        want, calls = self.count(case, ranks)
        variables = {"SCHEDULE_SEED": number}
        if how != "play":
            rank = rng.randrange(ranks)
            variables.update(SCHEDULE_RANK=rank, SCHEDULE_AT=rng.randint(1, calls[rank]),
                             SCHEDULE_SIGNAL=int(signal.SIGTERM if how == "stop" else signal.SIGKILL))
        sweep.clear(self.slot, case, self.work)
        before = sweep.files_of(self.slot)
        got = self.start(case, ranks, variables)
        return case.name, how, self.judge(case, ranks, how, before, got, want), got

    def judge(self, case, ranks, how, before, got, want):
        if got.status == "hang":
            return "hangs"
        if got.status == 0:
            return None if got.files == want.files else "status 0 and other files"
        if how == "play":
            return f"status {got.status}"
        if how == "stop" and (got.err.count("stopped by signal 15") != 1 or sweep.errors_of(got.err)):
            return "it does not say, in one line, that it was stopped"
        for name, value in got.files.items():
            if name in want.files and value not in (want.files[name], before.get(name)) and not sweep.not_yet(name):
                return f"half a file: {name}"
        if all(got.files.get(name) == value for name, value in want.files.items()):
            return None
        return sweep.Sweep.try_again(self, self.slot, case, ranks, got, want)


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("--seconds", type=float, default=1e9)
    p.add_argument("--schedules", type=int, default=1 << 30)
    p.add_argument("--seed", type=int, default=sweep.seed_of_commit())
    p.add_argument("--command", nargs="*")
    a = p.parse_args()
    if not os.path.exists(LIBRARY):
        print("skipped: there is no library that draws schedules:", LIBRARY)
        return 77
    work = tempfile.mkdtemp(prefix="pardup-schedules-")
    tried, failed = collections.Counter(), 0
    try:
        sweep.make_collection(work)
        sweep.make_results(work)
        schedules = Schedules(work)
        for number in range(a.seed, a.seed + a.schedules):
            if time.monotonic() - sweep.BEGAN > a.seconds:
                break
            name, how, why, got = schedules.play(number, a.command)
            tried[name, how] += 1
            if why:
                failed += 1
                print(f"schedule {number}, {name}, {how}: {why}\n{got.err}", flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for (name, how), n in sorted(tried.items()):
        print(f"{name}, {how}: {n}")
    print(f"{sum(tried.values())} schedules from {a.seed} on, {failed} failed")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
