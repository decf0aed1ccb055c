"""The pages of WCXB with the features that pardup computes, and which blocks people call main content.

WCXB: Web Content eXtraction Benchmark, M. Foley, CC-BY-4.0,
github.com/Murrough-Foley/web-content-extraction-benchmark.
"""

import collections
import json
import pathlib
import re
import struct
import subprocess

import numpy as np

KINDS = ("article", "forum", "product", "collection", "listing", "documentation", "service")
RUN = 3  # words of a run that is looked for anywhere in the main content

Page = collections.namedtuple("Page", "name site kind features blocks sizes labels words wanted")


def words_of(text):
    """The words that the benchmark counts."""
    return re.findall(r"\w+", text.lower())


def matched(words, wanted):
    """For each word whether it is in a longest common subsequence of both lists."""
    places = collections.defaultdict(int)
    for k, word in enumerate(wanted):
        places[word] |= 1 << k
    ones = (1 << len(wanted)) - 1
    rows, row = [], ones
    for word in words:
        here = row & places.get(word, 0)
        row = ((row + here) | (row - here)) & ones
        rows.append(row)
    found = np.zeros(len(words), bool)
    i, j = len(words), len(wanted)
    while i and j:
        if rows[i - 1] >> (j - 1) & 1:
            j -= 1
            continue
        i -= 1
        if i == 0 or rows[i - 1] >> (j - 1) & 1:
            found[i] = True
            j -= 1
    return found


def runs_of(words):
    """The runs of a list of words."""
    return zip(*(words[k:] for k in range(RUN)))


def labels_of(blocks, wanted):
    """The share of each block's words that are main content.

    Text that stands on a page twice is main content as often as it is wanted.
    """
    found = matched([word for block in blocks for word in block], wanted)
    left = collections.Counter(runs_of(wanted))
    shares, at, later = np.zeros(len(blocks), np.float32), 0, []
    for k, block in enumerate(blocks):
        here = found[at:at + len(block)]
        at += len(block)
        if len(block) > 2:  # single words are found by chance
            here = here & (np.append(here[1:], False) | np.append(False, here[:-1]))
        shares[k] = here.mean() if len(block) else 0
        if shares[k] >= 0.5:
            left.subtract(runs_of(block))
        elif len(block) > 4:
            later.append(k)
    for k in later:  # the order on the page may be another one
        covered = np.zeros(len(blocks[k]), bool)
        for i, run in enumerate(runs_of(blocks[k])):
            if left[run] > 0:
                left[run] -= 1
                covered[i:i + RUN] = True
        shares[k] = max(shares[k], covered.mean())
    return shares


def read_names(program):
    """(names of the features of a page, of a block)."""
    names = subprocess.run([program, "--names"], check=True, stdout=subprocess.PIPE).stdout
    of_page, of_block = (line.split() for line in names.decode().splitlines())
    return of_page, of_block


def read_features(program, paths):
    """(features of the page, features of blocks, texts of blocks) of each page."""
    of_page, of_block = read_names(program)
    data = subprocess.run([program, *paths], check=True, stdout=subprocess.PIPE).stdout
    at = 0
    while at < len(data):
        (n,) = struct.unpack_from("<i", data, at)
        page = np.frombuffer(data, "<i2", len(of_page), at + 4)
        at += 4 + 2 * len(of_page)
        blocks, texts = np.empty((n, len(of_block)), np.int16), []
        for k in range(n):
            (size,) = struct.unpack_from("<i", data, at)
            blocks[k] = np.frombuffer(data, "<i2", len(of_block), at + 4)
            at += 4 + 2 * len(of_block)
            texts.append(data[at:at + size].decode("utf-8", "replace"))
            at += size
        yield page, blocks, texts


def read_pages(program, folder):
    """The pages of wcxb-dev."""
    folder = pathlib.Path(folder)
    pages, names = [], sorted(path.stem for path in folder.glob("ground-truth/*.json"))
    about = json.loads((folder / "metadata.json").read_text("utf-8"))["files"]
    found = read_features(program, [folder / "html" / f"{name}.html" for name in names])
    for name, (page, blocks, texts) in zip(names, found):
        truth = json.loads((folder / "ground-truth" / f"{name}.json").read_text("utf-8"))
        wanted = words_of(truth["ground_truth"].get("main_content") or "")
        words = [words_of(text) for text in texts]
        pages.append(Page(name, about[name]["domain"], KINDS.index(about[name]["page_type"]), page, blocks,
                          np.array([len(block) for block in words], np.int32),
                          labels_of(words, wanted), words, wanted))
    return pages


def score(page, kept):
    """Word F1 of a page of which the blocks in the mask are kept."""
    found = collections.Counter(w for k in np.flatnonzero(kept) for w in page.words[k])
    wanted = collections.Counter(page.wanted)
    if not wanted or not found:
        return float(not wanted and not found)
    return 2 * sum((found & wanted).values()) / (sum(found.values()) + sum(wanted.values()))


def report(pages, kept, title):
    """Print the mean word F1 of all pages and of each kind."""
    scores = [score(page, mask) for page, mask in zip(pages, kept)]
    by_kind = [np.mean([s for s, page in zip(scores, pages) if page.kind == kind])
               for kind in range(len(KINDS))]
    print(f"{title}: F1 {np.mean(scores):.3f};",
          ", ".join(f"{name} {value:.3f}" for name, value in zip(KINDS, by_kind)), flush=True)
    return scores
