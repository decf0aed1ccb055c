#!/usr/bin/env python3
"""Measures how well pardup finds the main content of web pages, against what people marked.

    pages.py [--verbose] [--peers]

One line for each collection and for `--content all` and `--content main`:
  wcxb         word F1 of WCXB pages, means over all pages and over each kind of page
  articles     F1 of runs of four words of 91 article pages (content.py)
  trafilatura  precision, recall and F1 of segments that the text must and must not have
--peers: the same of trafilatura, resiliparse and justext, where this Python has them.
--verbose: a line a page.  PARDUP, PARDUP_DATA: see suites.py.
pardup's trees were trained on the pages of WCXB, so its line there says how well they are remembered;
scripts/data/train_content.py prints the figures of cross-validation.
"""

import collections
import gzip
import json
import re
import sys

import content
import suites

KINDS = ("article", "forum", "product", "collection", "listing", "documentation", "service")


def word_f1(found, wanted):
    """WCXB's measure."""
    found, wanted = (collections.Counter(re.findall(r"\w+", text.lower())) for text in (found, wanted))
    if not found or not wanted:
        return float(not found and not wanted)
    return 2 * sum((found & wanted).values()) / (sum(found.values()) + sum(wanted.values()))


def mean(values):
    """The mean of a list, 0 of an empty one."""
    return sum(values) / max(1, len(values))


class Wcxb:
    """Pages of seven kinds with their main content."""

    title = "wcxb"

    def __init__(self):
        folder = suites.unpack("wcxb-dev")
        self.about = json.loads((folder / "metadata.json").read_text("utf-8"))["files"]
        self.names = sorted(path.stem for path in folder.glob("ground-truth/*.json"))
        self.pages = [(folder / "html" / f"{name}.html").read_bytes() for name in self.names]
        truth = [json.loads((folder / "ground-truth" / f"{name}.json").read_text("utf-8"))
                 for name in self.names]
        self.wanted = [row["ground_truth"].get("main_content") or "" for row in truth]

    def judge(self, texts):
        """(value of each page, line about all)"""
        scores = [word_f1(text, wanted) for text, wanted in zip(texts, self.wanted)]
        kinds = [self.about[name]["page_type"] for name in self.names]
        rows = ", ".join(f"{kind} {mean([s for s, k in zip(scores, kinds) if k == kind]):.3f}"
                         for kind in KINDS)
        return scores, f"F1 {mean(scores):.3f} of {len(scores)} pages: {rows}"


class Articles:
    """Pages with the article in them."""

    title = "articles"

    def __init__(self):
        folder = suites.unpack("article-extraction-A")
        labels = json.loads((folder / "ground-truth.json").read_text("utf-8"))
        self.names = sorted(path.name.removesuffix(".html.gz")
                            for path in folder.glob("html/*.html.gz"))
        self.pages = [gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes())
                      for name in self.names]
        self.wanted = [labels[name]["articleBody"] for name in self.names]

    def judge(self, texts):
        """(value of each page, line about all)"""
        rows = [content.measure(text, wanted) for text, wanted in zip(texts, self.wanted)]
        precision, recall, f1 = (mean(column) for column in zip(*rows))
        return ([row[2] for row in rows],
                f"precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f} of {len(rows)} pages")


class Segments:
    """Pages with segments of text that belong to the main content, and others that do not."""

    title = "trafilatura"

    def __init__(self):
        folder = suites.unpack("trafilatura-eval") / "tests"
        data = json.loads((folder / "evaldata.json").read_text("utf-8"))
        self.names, self.pages, self.wanted = [], [], []
        for row in data.values():
            paths = [folder / part / row["file"] for part in ("cache", "eval")]
            path = next((path for path in paths if path.exists()), None)
            if path:
                self.names.append(row["file"])
                self.pages.append(path.read_bytes())
                self.wanted.append((row["with"], row["without"]))

    def judge(self, texts):
        """(value of each page, line about all)"""
        right = wrong = missing = 0
        scores = []
        for text, (wanted, unwanted) in zip(texts, self.wanted):
            found = sum(segment in text for segment in wanted if segment)
            bad = sum(segment in text for segment in unwanted if segment)
            right, wrong, missing = right + found, wrong + bad, missing + len(wanted) - found
            scores.append(2 * found / max(1, found + bad + len(wanted)))
        return scores, (f"precision {right / max(1, right + wrong):.3f}, "
                        f"recall {right / max(1, right + missing):.3f}, "
                        f"F1 {2 * right / max(1, 2 * right + wrong + missing):.3f} "
                        f"of {len(scores)} pages")


def peers():
    """(name, function of the bytes of a page) of the programs that this Python has."""
    found = []
    try:
        import trafilatura
        found.append(("trafilatura " + trafilatura.__version__,
                      lambda page: trafilatura.extract(page) or ""))
    except ImportError:
        pass
    try:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding
        found.append(("resiliparse", lambda page: extract_plain_text(
            bytes_to_str(page, detect_encoding(page)), main_content=True)))
    except ImportError:
        pass
    try:
        import justext
        found.append(("justext", lambda page: "\n".join(
            part.text for part in justext.justext(page, justext.get_stoplist("English"))
            if not part.is_boilerplate)))
    except ImportError:
        pass
    return found


def safely(extract, page):
    """What a peer finds; nothing when it fails."""
    try:
        return extract(page)
    except Exception:  # pylint: disable=broad-except
        return ""


def main():
    """Returns the exit status."""
    parser = suites.arguments(__doc__)
    parser.add_argument("--peers", action="store_true", help="other programs too")
    given = parser.parse_args()
    for collection in (Wcxb(), Articles(), Segments()):
        bodies = [("text/html", page) for page in collection.pages]
        ways = [(f"pardup --content {name}", suites.texts(bodies, "--content", name))
                for name in ("all", "main")]
        if given.peers:
            ways += [(name, [safely(extract, page) for page in collection.pages])
                     for name, extract in peers()]
        for name, texts in ways:
            scores, line = collection.judge([text or "" for text in texts])
            if given.verbose:
                for page, score in zip(collection.names, scores):
                    print(f"{collection.title} {name} {page} {score:.3f}")
            print(f"{collection.title}, {name}: {line}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
