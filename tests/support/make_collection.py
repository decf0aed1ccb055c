#!/usr/bin/python3
"""Makes test collections, and prints the paths to give to pardup, one a line.

    make_collection.py NAME OUTDIR [--data DIR] [--as native|text|warc]
    make_collection.py random OUTDIR --seed 1 --documents 800 [--near] [--as jsonl|text|html|warc]

NAME is one of those that `make_collection.py --list` prints.  All but `random` and `huge` are made
from a folder of archives (NAME.tar.zst; PARDUP_DATA, else shared/data beside the repository),
unpacked into OUTDIR.  Without that folder the exit status is 77, which test drivers count as
skipped.
What lies in OUTDIR already is taken as it is.

--as text writes JSON lines out as a file a document; --as warc wraps the documents with
scripts/data/make_warc.py.

(The file is not called collections.py: Python programs beside it would then import it in place of
the standard library's module of that name.)
"""

import argparse
import html
import json
import os
import pathlib
import random
import re
import subprocess
import sys

import random_collection

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
DEFAULT_DATA = REPOSITORY.parent / "shared" / "data"
SKIPPED = 77
PAN13_PAIRS = 60  # of each class in the sample


class NoData(Exception):
    """The archive that a collection is made from is not there."""


class Workshop:
    """Where the archives are, and where the collection goes."""

    def __init__(self, arguments):
        self.data = pathlib.Path(arguments.data or os.environ.get("PARDUP_DATA") or DEFAULT_DATA)
        self.out = pathlib.Path(arguments.outdir)
        self.groups = arguments.groups
        self.seed = arguments.seed
        self.documents = arguments.documents
        self.near = arguments.near

    def unpack(self, name):
        """The folder that the archive unpacks to."""
        archive = self.data / f"{name}.tar.zst"
        folder = self.out / name
        if not folder.exists():
            if not archive.exists():
                raise NoData(f"{archive}: no such archive (set PARDUP_DATA)")
            self.out.mkdir(parents=True, exist_ok=True)
            subprocess.run(["tar", "--zstd", "-xf", archive, "-C", self.out], check=True)
        return folder


def write_jsonl(path, documents):
    """Write (id, text) pairs as JSON lines."""
    with open(path, "w", encoding="utf-8") as lines:
        for name, text in documents:
            lines.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
    return path


# ------------------------------------------------------------------ Reuters

def reuters_stories(sgml):
    """(id, text) of every story of one SGML file: title, empty line, body."""
    for match in re.finditer(r'<REUTERS[^>]*NEWID="(\d+)"[^>]*>(.*?)</REUTERS>', sgml, re.DOTALL):
        story = re.search(r"<TEXT[^>]*>(.*)</TEXT>", match[2], re.DOTALL)[1]
        title = re.search(r"<TITLE>(.*?)</TITLE>", story, re.DOTALL)
        body = re.search(r"<BODY>(.*?)</BODY>", story, re.DOTALL)
        parts = [part[1] for part in (title, body) if part]
        if not parts:  # TYPE="UNPROC": the text without any marks
            parts = [re.sub(r"<[^>]*>", "", story)]
        yield match[1], html.unescape("\n\n".join(parts))


def reuters(shop):
    """21578 news stories, one JSON line each."""
    folder = shop.unpack("reuters21578")
    target = shop.out / "reuters.jsonl"
    if not target.exists():
        write_jsonl(target, (story for path in sorted(folder.glob("*.sgm"))
                             for story in reuters_stories(path.read_text("latin-1"))))
    return [target]


# ------------------------------------------------------------------ collections taken as they are

def newsgroups(shop):
    """Usenet messages, raw latin-1 files; --groups N takes the first N groups."""
    folder = shop.unpack("newsgroups8")
    return sorted(path for path in folder.iterdir() if path.is_dir())[:shop.groups]


def installguide(shop, *languages):
    """HTML manual: the folders of one language or all."""
    folder = shop.unpack("debian-installguide-html")
    return sorted(path for language in languages for path in folder.glob(f"*/{language}"))


def installguide_en(shop):
    """The manual in English, five variants."""
    return installguide(shop, "en")


def installguide_zh(shop):
    """The manual in Chinese, five variants."""
    return installguide(shop, "zh_CN")


def installguide_all(shop):
    """The manual in both languages."""
    return installguide(shop, "en", "zh_CN")


def clueweb(shop):
    """Excerpts of ClueWeb09 and ClueWeb12."""
    return sorted((shop.unpack("warc-samples") / "clueweb").glob("*.warc*"))


def warc(shop):
    """All WARC samples, damaged ones among them."""
    folder = shop.unpack("warc-samples")
    return sorted(path for path in folder.glob("*/*") if ".warc" in path.name)


def legal(shop):
    """Three sections of codes of law and eight OCRed books."""
    folder = shop.unpack("textreuse-legal")
    return [folder / "ats", folder / "legal"]


def spdx(shop):
    """Software licences, JSON lines."""
    return [shop.unpack("spdx-licenses") / "licenses.jsonl"]


def pan13(shop):
    """Source and suspicious documents of the PAN 2013 training corpus."""
    folder = shop.unpack("pan13-text-alignment-train")
    return [folder / "src", folder / "susp"]


def pan13_sample(shop):
    """Documents of the first pairs of two classes of that corpus: copies, and edited copies."""
    folder = shop.unpack("pan13-text-alignment-train")
    chosen = set()
    for kind in ("02-no-obfuscation", "03-random-obfuscation"):
        for line in (folder / kind / "pairs").read_text("utf-8").splitlines()[:PAN13_PAIRS]:
            susp, src = line.split()
            chosen |= {folder / "susp" / susp, folder / "src" / src}
    return sorted(chosen)


def books(shop):
    """Books of 1600 to 1700, a text file each."""
    return [shop.unpack("books-eebo") / "text"]


def editions(shop):
    """Two editions of one of those books."""
    folder = shop.unpack("books-eebo") / "text"
    return [folder / "A60281.txt", folder / "A60282.txt"]


def clough(shop):
    """Plagiarised short answers and their originals."""
    return sorted(shop.unpack("clough-stevenson").glob("*_task?.txt"))


def gov2(shop):
    """Labelled near-duplicates of GOV2."""
    return [shop.unpack("trec-neardup-pairs-gov2") / "docs"]


def chinese_laws(shop):
    """Chinese legislation, UTF-8 Markdown files in folders by kind."""
    folder = shop.unpack("chinese-laws-national")
    return sorted(path for path in folder.iterdir() if path.is_dir())


def articles(shop):
    """Article pages, HTML in gzip files."""
    return [shop.unpack("article-extraction-A") / "html"]


# ------------------------------------------------------------------ random

def random_jsonl(shop):
    """A seeded collection of invented text; see random_collection.py."""
    shop.out.mkdir(parents=True, exist_ok=True)
    documents = random_collection.documents(shop.seed, shop.documents, shop.near)
    return [write_jsonl(shop.out / "random.jsonl",
                        ((name, random_collection.as_text(paragraphs))
                         for name, paragraphs in documents))]


def random_html(shop):
    """The same as pages, a file each."""
    folder = shop.out / "html"
    folder.mkdir(parents=True, exist_ok=True)
    documents = random_collection.documents(shop.seed, shop.documents, shop.near)
    for number, (name, paragraphs) in enumerate(documents):
        page = random_collection.as_html(name, paragraphs)
        (folder / f"{number:06d}.html").write_text(page, encoding="utf-8")
    return [folder]


def huge(shop):
    """Documents with about 4096 different words each, more than two sets of which are compared."""
    letters = "bcdfghjklmnpqrtvwxyz"
    words = [first + second + third for third in letters for second in letters for first in letters]
    left_out = [(4095, ()), (4096, ()), (4097, ()), (4097, (5,)), (4098, (5,)), (4099, (5,)),
                (4097, ()), (4097, (9, 10)), (4200, ()), (4200, (7,))]
    texts = (" ".join(word for k, word in enumerate(words[:size]) if k not in gone)
             for size, gone in left_out)
    shop.out.mkdir(parents=True, exist_ok=True)
    return [write_jsonl(shop.out / "huge.jsonl",
                        ((f"h{k}", f"{text}.") for k, text in enumerate(texts)))]


def misread(shop):
    """Texts, and the same with up to a quarter of the letters misread, and parts exchanged."""
    rng = random.Random(shop.seed)
    letters = "abcdefghijklmnoprstuvw\u00e9\u0434"
    words = ["".join(rng.choices(letters, k=rng.randint(1, 9))) for _ in range(1500)]

    def wrong(letter):
        return rng.choice(["", " ", letter + rng.choice(letters), *rng.choices(letters, k=4)])
    texts = []
    for k in range(24):
        text = [rng.choice(words) for _ in range(rng.randint(60, 500))]
        copy = text[len(text) // 2:] + text[:len(text) // 2] if k % 4 == 3 else text
        rate = k % 6 * 0.05
        texts.append((f"printed{k}", " ".join(text) + "."))
        texts.append((f"read{k}", "".join(wrong(letter) if rng.random() < rate else letter
                                          for letter in " ".join(copy)) + "."))
    shop.out.mkdir(parents=True, exist_ok=True)
    return [write_jsonl(shop.out / "misread.jsonl", texts)]


COLLECTIONS = {
    "reuters": reuters, "newsgroups": newsgroups, "installguide": installguide_all,
    "installguide-en": installguide_en, "installguide-zh": installguide_zh, "clueweb": clueweb,
    "warc": warc, "legal": legal, "spdx": spdx, "pan13": pan13, "pan13-sample": pan13_sample,
    "books": books, "editions": editions, "clough": clough, "gov2": gov2,
    "chinese-laws": chinese_laws, "articles": articles, "random": random_jsonl,
    "huge": huge, "misread": misread,
}


# ------------------------------------------------------------------ other clothes

def as_text(shop, paths):
    """JSON lines written out as a file a document, in a folder whose order is that of the lines."""
    folders = []
    for path in paths:
        if path.suffix != ".jsonl":
            folders.append(path)
            continue
        folder = shop.out / f"{path.stem}-text"
        folder.mkdir(exist_ok=True)
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                text = json.loads(line)["text"]
                (folder / f"{number:06d}.txt").write_bytes(text.encode("utf-8"))
        folders.append(folder)
    return folders


def as_warc(shop, paths, name):
    """The documents wrapped as one WARC archive, one gzip member a record."""
    target = shop.out / f"{name}.warc.gz"
    subprocess.run([sys.executable, REPOSITORY / "scripts" / "data" / "make_warc.py", "-o", target,
                    *as_text(shop, paths)], check=True)
    return [target]


def make(arguments):
    """Make the collection; returns its paths."""
    shop = Workshop(arguments)
    if arguments.name == "random" and arguments.form == "html":
        return random_html(shop)
    paths = COLLECTIONS[arguments.name](shop)
    if arguments.form == "text":
        return as_text(shop, paths)
    if arguments.form == "warc":
        return as_warc(shop, paths, arguments.name)
    return paths


def main(argv):
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=sorted(COLLECTIONS), nargs="?")
    parser.add_argument("outdir", nargs="?")
    parser.add_argument("--list", action="store_true", help="print the names and what they are")
    parser.add_argument("--data", metavar="DIR", help="folder of the archives")
    parser.add_argument("--as", dest="form", default="native",
                        choices=("native", "jsonl", "text", "html", "warc"))
    parser.add_argument("--groups", type=int, help="newsgroups: the first N groups")
    parser.add_argument("--seed", type=int, default=1, help="random: the seed [1]")
    parser.add_argument("--documents", type=int, default=800, help="random: how many [800]")
    parser.add_argument("--near", action="store_true", help="random: more edits in what is copied")
    arguments = parser.parse_args(argv)
    if arguments.list:
        for name in sorted(COLLECTIONS):
            print(f"{name:16} {COLLECTIONS[name].__doc__.splitlines()[0]}")
        return 0
    if not arguments.outdir:
        parser.error("give NAME and OUTDIR")
    try:
        print(*make(arguments), sep="\n")
    except NoData as reason:
        print(f"make_collection.py: {reason}", file=sys.stderr)
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
