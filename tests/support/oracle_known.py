"""Rows that were worked out before, kept by all that they follow from.

Runs of one collection often have the same dots, and the build with sanitizers repeats runs of the
other build. Each result file is compared with all the rows it must hold, wherever the rows come from.

PARDUP_KNOWN: a folder that several judges share [a folder of each process]
"""

import functools
import hashlib
import os
import pathlib
import pickle
import tempfile
import time

SECONDS = 0.1  # of processor time; what takes less is not kept


@functools.cache
def folder():
    """Where rows are kept; removed with the process unless it is shared."""
    shared = os.environ.get("PARDUP_KNOWN")
    if shared:
        return pathlib.Path(shared)
    folder.own = tempfile.TemporaryDirectory()
    return pathlib.Path(folder.own.name)


@functools.cache
def judge_itself():
    """All programs of the judge: what another one worked out does not count."""
    here = pathlib.Path(__file__).resolve().parent
    return b"".join(path.read_bytes() for path in sorted(here.glob("*.py")))


def worked_out(function, *arguments):
    """What a function gives for its arguments, the values of which are all it goes by."""
    name = hashlib.sha256(judge_itself() + pickle.dumps((function.__name__, arguments))).hexdigest()
    path = folder() / name
    if path.exists():
        return pickle.loads(path.read_bytes())
    began = time.process_time()
    value = function(*arguments)
    if time.process_time() - began >= SECONDS:
        written = path.with_suffix(f".{os.getpid()}")
        written.write_bytes(pickle.dumps(value))
        written.rename(path)  # another judge sees all of it or nothing
    return value
