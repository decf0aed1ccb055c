"""Find partial duplicates from Python, and read results: passages, documents and families as data frames.

    import pardup
    result = pardup.detect("texts/")              # a folder, files, or texts that are in memory
    passages = result.passages(text=True)         # a data frame, with the ids of both documents
    text_a, text_b = result.passage_text(0)       # of row 0
    result = pardup.Result("out.h5")              # what an earlier job has found
    with pardup.index(texts, "my.index") as index:
        answers = index.check(["a text", "another text"])

The program `pardup` does the work; PARDUP names it, else it lies beside this module, as in a wheel, or in PATH. Results
need h5py. Tables are pandas data frames; without pandas they are dicts of arrays. docs/python.md has more examples.

What `texts` may be, wherever a function takes it:
    a str or a Path       a file or a folder, in any format that pardup reads
    a list of them        files and folders; all must exist
    a list of other str   texts; their ids are 0, 1, 2 and so on
    a list of dicts       documents with "text", "id" and further fields, which become metadata
    a dict                texts (or dicts) by id
    a table               a data frame of pandas or polars, a pyarrow Table, a datasets Dataset: the same as dicts
A list that mixes files and texts is an error, and so is one of names of files that do not exist.

Options of the command line are keyword arguments: --max-df 10 is max_df=10, --reproducible is reproducible=True, and a
list is given as a list: keep_fields=["date", "author"].
"""
import collections
import gzip
import html
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

try:
    import h5py
except ImportError:
    h5py = None
try:
    import pandas
except ImportError:
    pandas = None

REPEATED = {"against", "exclude", "ignore", "include", "known"}  # options that are given once for each value


class Error(RuntimeError):
    """The program has failed. The text is its error line; `status` its exit status; `log` all that it has said."""

    def __init__(self, text, status=None, log="", command=()):
        super().__init__(text)
        self.status, self.log, self.command = status, log, list(command)


# ---- running the program ----

def program():
    """The path of the program: the one that PARDUP names, the one beside this module, or the one in PATH."""
    named = os.environ.get("PARDUP")
    beside = [str(folder / "bin" / "pardup") for folder in list(pathlib.Path(__file__).resolve().parents)[:4]]
    for path in [named] if named else beside + ["pardup"]:
        if shutil.which(path):
            return shutil.which(path)
    raise Error(f"{named}: no such program (PARDUP)" if named else "the program pardup is not there: install it, or name it in PARDUP")


def _arguments(options):
    """Keyword arguments as words of a command line."""
    words = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(option)
        elif isinstance(value, (list, tuple)) and name in REPEATED:
            words += [f"{option}={_word(x)}" for x in value]
        elif value is not None and value is not False:
            words.append(f"{option}={','.join(map(_word, value)) if isinstance(value, (list, tuple)) else _word(value)}")
    return words


def _word(value):
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _failure(status, log, command):
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line.split("error: ", 1)[1] for line in lines if line.startswith("pardup: error: ")]
    text = "\n".join(errors) or (lines[-1] if lines else f"pardup has ended with status {status}")
    return Error(text, status, log, command)


def _ask(*words, folder=None):
    """Run the program, and return what it prints, as bytes."""
    command = [program(), *map(_word, words)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder)
    if done.returncode != 0:
        raise _failure(done.returncode, done.stderr.decode(errors="replace"), command)
    return done.stdout


def _run(words, options, quiet=False):
    """Run a job, and show what it says: in a notebook as one line that is updated, else on standard error."""
    show = _nothing if quiet else _notebook_line() or _standard_error
    progress = "none" if quiet else "log" if show is _standard_error and not _is_terminal() else "bar"
    given = _arguments(options)
    if words[0] in ("detect", "index", "check") and "progress" not in options:
        given.append(f"--progress={progress}")
    command = [program(), words[0], *(["--quiet"] if quiet else []), *given, *map(_word, words[1:])]
    job = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = b""
    try:
        while True:
            piece = os.read(job.stderr.fileno(), 1 << 16)
            if not piece:
                break
            said += piece
            show(piece)
        job.wait()
    except BaseException:  # most of all, Ctrl-C: the job gets it, too, and stops
        _stop(job)
        raise
    finally:
        job.stderr.close()
    log = re.sub("\r\x1b\\[K[^\r\n]*(?=\r)|\r\x1b\\[K", "", said.decode(errors="replace"))  # without bars
    if job.returncode != 0:
        raise _failure(job.returncode, log, command)


def _stop(job):
    for number, seconds in (None, 3), (signal.SIGINT, 20), (signal.SIGKILL, None):
        if number is not None:
            job.send_signal(number)
        try:
            job.wait(seconds)
            return
        except subprocess.TimeoutExpired:
            pass


def _nothing(_):
    pass


def _is_terminal():
    return bool(getattr(sys.stderr, "isatty", bool)())


def _standard_error(piece):
    sys.stderr.write(piece.decode(errors="replace"))
    sys.stderr.flush()


def _notebook_line():
    """A function that shows the last line of what the program says in a notebook; None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if not hasattr(shell, "kernel"):
        return None
    from IPython.display import display
    handle = display({"text/plain": "pardup"}, raw=True, display_id=True)
    rest, last = "", collections.deque(maxlen=2)

    def show(piece):
        nonlocal rest
        *lines, rest = re.split("\r\x1b\\[K|\n", rest + piece.decode(errors="replace"))
        for line in lines:
            if line.startswith("pardup: warning: "):
                print(line, file=sys.stderr)
            elif re.match("pardup: (?!error: | *next: |[a-z]+ *\\[)", line):  # no bar
                last.append(line[len("pardup: "):].strip())
        bars = [line for line in [*lines, rest] if re.match(r"pardup: [a-z]+ *\[", line)]
        handle.update({"text/plain": bars[-1][len("pardup: "):] if bars else "; ".join(last)}, raw=True)

    return show


# ---- texts ----

def _paths(texts):
    """A list of paths, if `texts` are files and folders, or else None. Raises what the caller has mixed up."""
    one = isinstance(texts, (str, os.PathLike))
    listed = [texts] if one else texts
    if not isinstance(listed, (list, tuple)) or not listed:
        return None
    strings = [isinstance(x, (str, os.PathLike)) for x in listed]
    if not all(strings):
        if any(strings):
            raise ValueError("the list has strings and documents: make all of them documents, {'id': ..., 'text': ...}")
        return None
    there = [os.path.exists(x) for x in listed]
    if all(there):
        return list(listed)
    missing = listed[there.index(False)]
    if one or isinstance(missing, os.PathLike) or _like_a_name(missing):
        hint = "; a text goes into a list" if one and isinstance(texts, str) else ""
        raise FileNotFoundError(f"{_short(missing)}: no such file or folder{hint}")
    if any(there):
        raise ValueError(f"{_short(listed[there.index(True)])} is a file, but {_short(missing)} is none: paths and texts "
                         "do not go into one list")
    return None


def _like_a_name(text):
    return isinstance(text, str) and re.fullmatch(r"[!-~]*[./][!-~]*", text) is not None and len(text) < 256


def _short(text):
    text = os.fspath(text)
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _documents(texts):
    """Each text as a dict."""
    if hasattr(texts, "to_pylist"):  # pyarrow
        for batch in texts.to_batches():
            yield from batch.to_pylist()
    elif hasattr(texts, "iter_rows"):  # polars
        yield from texts.iter_rows(named=True)
    elif hasattr(texts, "itertuples"):  # pandas
        for name, row in zip(texts.index, texts.to_dict("records")):
            yield {"id": name, **row}
    elif isinstance(texts, collections.abc.Mapping):
        for name, text in texts.items():
            yield {"id": name, **text} if isinstance(text, dict) else {"id": name, "text": text}
    else:  # a list, datasets
        for text in texts:
            if not isinstance(text, (str, collections.abc.Mapping)):
                raise ValueError(f"a text is a str or a dict, not a {type(text).__name__}")
            yield {"text": text} if isinstance(text, str) else dict(text)


def _plain(value):
    """A value that JSON does not know: of numpy, a date, a missing value of pandas."""
    if hasattr(value, "item"):
        return _number(value.item())
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    return None if text in ("NaT", "<NA>") else text


def _number(value):
    """NaN and infinity are null in JSON."""
    return None if isinstance(value, float) and value - value != 0 else value


def _line(row):
    """A document as a JSON line."""
    row = {name: _number(value) for name, value in row.items()}
    return json.dumps(row, default=_plain, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _write(texts, path, options):
    """Write texts as JSON lines. Returns the options, with `keep_fields` for all further fields."""
    id_field, text_field = options.get("id_field", "id"), options.get("text_field", "text")
    known = {id_field, text_field, options.get("url_field", "url"), options.get("site_field")}
    fields = {}
    with open(path, "wb") as out:
        for k, row in enumerate(_documents(texts)):
            if k == 0 and text_field.split(".")[0] not in row:
                raise ValueError(f"no {text_field!r} in the documents, which have {', '.join(map(repr, row))}: name it in text_field")
            row.setdefault(id_field, k)
            fields.update(dict.fromkeys(name for name, value in row.items() if name not in known and value is not None))
            out.write(_line(row))
    names = [name for name in fields if isinstance(name, str) and not re.search("[.,]", name)]
    return {"keep_fields": names, **options} if names else options


def _job(command, texts, output, end, options, quiet, keep_fields=True):
    """Run a job whose inputs are `texts`; those in memory are written to a file beside the output."""
    paths = _paths(texts)
    file = None if paths else _beside(output, end)
    try:
        if file:
            named = options
            options = _write(texts, file, options)
            options = options if keep_fields else named
        _run([command, "--output", output, "--", *(paths or [file.resolve()])], options, quiet)
    except BaseException:
        if file and file.exists():
            file.unlink()
        raise


def _beside(output, end):
    return pathlib.Path(os.path.splitext(os.fspath(output))[0] + end)


def detect(texts, preset=None, ranks=None, output=None, quiet=False, **options):
    """Find the passages that the texts share, and return the Result.

    ranks     how many processes work on it; None: as many as pay
    output    the result file. Without it the result is in a temporary folder, until it is closed. Texts that are in
              memory are kept beside it, as OUTPUT without its ending and with .texts.jsonl
    """
    _need_h5py()
    folder = None if output else tempfile.TemporaryDirectory(prefix="pardup-")
    output = output or pathlib.Path(folder.name, "result.h5")
    _job("detect", texts, output, ".texts.jsonl", {"preset": preset, "ranks": ranks, **options}, quiet)
    return Result(output, folder)


def check(index, texts, ranks=None, output=None, quiet=False, **options):
    """Find what the texts share with the sources of an index, as a Result. Index.check() is for a few texts at a time."""
    _need_h5py()
    folder = None if output else tempfile.TemporaryDirectory(prefix="pardup-")
    output = output or pathlib.Path(folder.name, "result.h5")
    path = index.path if isinstance(index, Index) else index
    _job("check", texts, output, ".texts.jsonl", {"index": path, "ranks": ranks, **options}, quiet, keep_fields=False)
    return Result(output, folder)


def dedup(result, output, quiet=False, **options):
    """Write the collection of a result without its copies to the folder `output`, and return its path."""
    _run(["dedup", "--output", output, "--", result.path if isinstance(result, Result) else result], options, quiet)
    return pathlib.Path(output)


def index(texts, output, preset=None, ranks=None, quiet=False, **options):
    """Make an index of sources in the folder `output`, or add to it (add=True), and return the Index.

    Texts that are in memory are kept beside it, as OUTPUT without its ending and with .sources.jsonl.
    """
    end, k = ".sources.jsonl", 1
    while options.get("add") and os.path.exists(_beside(output, end)):
        k += 1
        end = f".sources-{k}.jsonl"
    _job("index", texts, output, end, {"preset": preset, "ranks": ranks, **options}, quiet, keep_fields=False)
    return Index(output)


class Index:
    """An index of sources that one process of the program holds open; close() it, or use it in a `with` statement.

    Options are those of `pardup check`, such as delta=1.
    """

    def __init__(self, path, **options):
        self.path = os.path.abspath(path)
        self._log = tempfile.TemporaryFile()
        self._lock = threading.Lock()
        self._command = [program(), "check", "--quiet", "--index", self.path, "--stdin", *_arguments(options)]
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log)
        self._answer({"id": 0, "text": ""})  # a wrong path is told now

    def check(self, texts):
        """What a text shares with the sources: a dict as docs/queries.md has it, with "passages" and "ranking".

        For one text (a str, or a dict with "text") one answer; for a list or a table a list; for texts by id a dict.
        """
        if isinstance(texts, str) or isinstance(texts, dict) and isinstance(texts.get("text"), str):
            return self._answer({"id": 0, "text": texts} if isinstance(texts, str) else texts)
        rows = [{"id": k, **row} for k, row in enumerate(_documents(texts))]
        answers = [self._answer(row) for row in rows]
        return dict(zip(texts, answers)) if isinstance(texts, collections.abc.Mapping) else answers

    def _answer(self, row):
        if self._log.closed:
            raise ValueError("the index is closed")
        try:
            with self._lock:
                self._process.stdin.write(_line(row))
                self._process.stdin.flush()
                line = self._process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            self._process.wait()
            self._log.seek(0)
            raise _failure(self._process.returncode, self._log.read().decode(errors="replace"), self._command)
        answer = json.loads(line)
        if "error" in answer:
            raise Error(f"text {row.get('id')}: {answer['error']}")
        return answer

    def close(self):
        if self._process.poll() is None:
            self._process.stdin.close()
            self._process.wait()
        self._process.stdout.close()
        self._log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<pardup.Index {self.path}>"


# ---- results ----

def _need_h5py():
    if h5py is None:
        raise ImportError("results are read with h5py: pip install h5py pandas")


class Result:
    """A result file; close() it, or use it in a `with` statement."""

    def __init__(self, path, folder=None):
        _need_h5py()
        self.path = os.path.abspath(path)
        self._folder = folder  # a temporary folder that goes with the result
        self._texts = collections.OrderedDict()  # the last texts that were asked for
        self.file = h5py.File(self.path, "r")
        self.settings = {name: value.decode() if isinstance(value, bytes) else value for name, value in self.file.attrs.items()}

    def close(self):
        self.file.close()
        if self._folder:
            self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def counts(self):
        """How many rows each table has."""
        return {name: len(next(iter(table.values()))) if len(table) else 0 for name, table in self.file.items()}

    def __repr__(self):
        if not self.file:
            return f"<pardup.Result {self.path}, closed>"
        n = self.counts()
        return f"<pardup.Result {self.path}: {_count(n, 'passage')} in {_count(n, 'pair')} of {_count(n, 'document')}>"

    def _repr_html_(self):
        if not self.file:
            return html.escape(repr(self))
        n, rows = self.counts(), []
        for k in (-self.column("passages", "words_a").astype("int64")).argsort(kind="stable")[:5].tolist():
            row = {name: self.file["passages"][name][k] for name in self.file["passages"]}
            sides = [self.file[table]["id"].asstr(errors="replace")[int(row["doc_" + side])] for side, table in zip("ab", self._sides())]
            stored = self._stored_text(int(row["doc_a"]), "documents")
            text = stored[int(row["begin_a"]):int(row["end_a"])][:300].decode(errors="ignore") if stored else ""
            cells = [str(k), *sides, f"{int(row['words_a']):,}", f"{100 * float(row['agreement']):.0f} %", text]
            rows.append("<tr>" + "".join(f"<td style='text-align:left'>{html.escape(c)}</td>" for c in cells) + "</tr>")
        heads = "".join(f"<th style='text-align:left'>{name}</th>" for name in ("passage", "A", "B", "words", "agreement", "begins"))
        longest = f"<p>The longest passages:</p><table><tr>{heads}</tr>{''.join(rows)}</table>" if rows else ""
        preset = self.settings.get("preset_chosen") or self.settings.get("preset", "")
        return (f"<p><b>{_count(n, 'passage')}</b> in {_count(n, 'pair')} of {_count(n, 'document')}; preset "
                f"{html.escape(str(preset))}; {html.escape(self.path)}</p>{longest}")

    def column(self, table, name):
        """A column of a table as an array; text as str."""
        column = self.file[table][name]
        return column.asstr(errors="replace")[:] if h5py.check_string_dtype(column.dtype) else column[:]

    def columns(self, table):
        return {name: self.column(table, name) for name in self.file[table]}

    def table(self, table):
        """A whole table, such as "pairs"; docs/result-file.md lists tables and columns."""
        return _frame(self.columns(table))

    def _sides(self):
        """The tables that doc_a and doc_b of a passage are rows of."""
        return "documents", "sources" if "sources" in self.file else "documents"

    def passages(self, text=False, meta=False):
        """/passages with id_a and id_b; with text_a and text_b; with the metadata of both documents as FIELD_a, FIELD_b."""
        rows = self.columns("passages")
        named = {"id_" + side: self.column(table, "id")[rows["doc_" + side]] for side, table in zip("ab", self._sides())}
        for side, table in zip("ab", self._sides()):
            if meta and table == "documents":
                named.update({f"{name}_{side}": values[rows["doc_" + side]] for name, values in self._meta().items()})
        if text:
            lines = _ask("export", "--quiet", "--format=jsonl", "--text=1000000000", self.path, folder=self._directory())
            printed = [json.loads(line) for line in lines.splitlines()]
            rows.update({name: _array([row[name] for row in printed]) for name in ("text_a", "text_b")})
        return _frame({**named, **rows})

    def documents(self):
        """/documents with the path of each document's file, and a column for each field of the metadata.

        A field that has the name of another column is META_NAME.
        """
        rows = self.columns("documents")
        rows["path"] = self.column("files", "path")[rows["file"]]
        fields = self._meta()
        rows.pop("meta", None)
        return _frame({**rows, **{"meta_" + name if name in rows else name: values for name, values in fields.items()}})

    def _meta(self):
        """The metadata of all documents: {field: array}; a document without a field has NaN among numbers, else None."""
        if "meta" not in self.file["documents"]:
            return {}
        parsed = [json.loads(text) if text else {} for text in self.column("documents", "meta")]
        names = dict.fromkeys(name for fields in parsed for name in fields)
        return {name: _array([fields.get(name) for fields in parsed]) for name in names}

    def families(self):
        """Places that are copies of one text: /members with the id of each document and the size of its family.

        In a result of check a place may be in a source: then doc is -1, and source is a row of /sources.
        """
        rows = self.columns("members")
        ids = self.column("documents", "id")[rows["doc"]]
        if "sources" in self.file:
            of_source = rows["source"] >= 0
            ids[of_source] = self.column("sources", "id")[rows["source"][of_source]]
        return _frame({"id": ids, **rows,
                       "members": self.column("families", "members")[rows["family"]],
                       "words": self.column("families", "words")[rows["family"]]})

    def text(self, document, table="documents"):
        """The text of a document, a row of /documents or /sources, as bytes: offsets count in them.

        Plain texts and JSON lines are read here. Of other formats the program is asked, which reads the file up to the
        document: passages(text=True) is faster than many such questions about a large archive.
        """
        key = table, int(document)
        if key not in self._texts:
            stored = self._stored_text(document, table)
            self._texts[key] = self._asked_text(document, table) if stored is None else stored
            if len(self._texts) > 16:
                self._texts.popitem(last=False)
        return self._texts[key]

    def passage_text(self, passage):
        """The texts of a passage, a row of /passages, in both documents."""
        row = {name: int(self.file["passages"][name][passage]) for name in
               ("doc_a", "doc_b", "begin_a", "end_a", "begin_b", "end_b")}
        return tuple(self.text(row["doc_" + side], table)[row["begin_" + side]:row["end_" + side]].decode(errors="replace")
                     for side, table in zip("ab", self._sides()))

    def _directory(self):
        """The folder that paths are meant from."""
        folder = self.settings.get("directory", ".")
        return folder if os.path.isdir(folder) else "."

    def _path(self, document, table):
        files = self.file["source_files" if table == "sources" else "files"]
        return files["path"].asstr()[self.file[table]["file"][document]]

    def _stored_text(self, document, table):
        """The text of a document that is plain text or a JSON line; None: it is not, or it has changed."""
        row = {name: int(self.file[table][name][document]) for name in ("offset", "skip", "text_bytes")}
        try:
            with open(pathlib.Path(self._directory(), self._path(document, table)), "rb") as stored:
                stored.seek(row["offset"])
                stream = _unpacked(stored)
                stream.read(row["skip"])
                record = stream.readline()
                value = _json_object(record)
                if value is None:
                    text = record + stream.read(row["text_bytes"] + 1 - len(record)) if len(record) <= row["text_bytes"] else record
                else:
                    for name in self.settings.get("text_field", "text").split("."):
                        value = value[name]
                    text = value.encode()
        except (OSError, EOFError, ImportError, KeyError, TypeError, AttributeError, ValueError):
            return None
        return text if len(text) == row["text_bytes"] else None

    def _asked_text(self, document, table):
        """What `pardup text` prints of a document."""
        name, path = self.file[table]["id"].asstr()[document], self._path(document, table)
        options = {key: self.settings[key] for key in ("format", "id_field", "text_field", "content", "max_document")
                   if self.settings.get(key) not in (None, "", "auto")}
        printed = _ask("text", "--quiet", f"--doc={name}", *_arguments(options), "--", path, folder=self._directory())
        size = int(self.file[table]["text_bytes"][document])
        if printed[size:] not in (b"", b"\n") or len(printed) < size:
            raise Error(f"{path}: the text of {name} has changed since the job")
        return printed[:size]


def _count(counts, noun):
    n = counts[noun + "s"]
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _frame(columns):
    return pandas.DataFrame(columns) if pandas else columns


def _array(values):
    """An array of numbers, with NaN for a missing one, or of any values, with None."""
    import numpy
    known = [value for value in values if value is not None]
    if known and all(type(value) in (int, float) for value in known):
        return numpy.array([float("nan") if value is None else value for value in values])
    array = numpy.empty(len(values), dtype=object)
    for k, value in enumerate(values):  # values may be lists
        array[k] = value
    return array


def _json_object(line):
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _unpacked(stored):
    """The stream behind the place where `stored` is, unpacked if it is gzip or zstd."""
    first = stored.read(4)
    stored.seek(-len(first), io.SEEK_CUR)
    if first[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=stored)
    if first == b"\x28\xb5\x2f\xfd":
        import zstandard
        return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(stored, read_across_frames=True))
    return stored
