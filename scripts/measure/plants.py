#!/usr/bin/python3
"""Plants copies in pages and judges what was found of them.

    plants.py plant [--seed S] [--count N] [--short N] [--pages N] FOLDER OUT
    plants.py judge [--list] RESULT.h5 OUT.truth.jsonl

plant writes the pages of FOLDER (.html, .htm, .html.gz, or records with id and text in .jsonl) to the
folder OUT, where texts of donor pages stand between the paragraphs of host pages, and what was planted
to OUT.truth.jsonl.  A text has 60 to 200 words (Chinese: 100 to 330 characters) of the longest running
text of its page: whole sentences in a row, each of which FOLDER has once.  It stands in the longest
running text of its host, which lies in another folder than the donor where there are several.  Pages
whose longest running text has less than 120 words (200 characters) are neither.  There are --count
texts [10] of each kind:

verbatim   as it is
tenth      another word for every tenth word
shuffled   sentences in another order
ocr        errors in 5 % of the characters
names      other names and numbers, at most every eighth word

and --short texts [8] of one, two and three sentences of at least 12 words or 20 Chinese characters
each.  --pages takes that many pages at random [all].

judge runs where `pardup detect` ran.  A text is found if at least half of its words, as they stand in
the host, lie in passages between donor and host.  Each Chinese character is a word.  --list prints what
is missed.  PARDUP: the program [build/release/pardup].
"""

import argparse
import collections
import difflib
import gzip
import html
import itertools
import json
import os
import pathlib
import random
import re
import sys

KINDS = ("verbatim", "tenth", "shuffled", "ocr", "names")
SIZES = {False: (60, 200), True: (100, 330)}   # words of a text; in Chinese
SHORTEST = {False: 12, True: 20}               # words of a sentence of a short text
GAP = 400                                      # characters between paragraphs of one text
PAGES = (".html", ".htm", ".html.gz")
HAN = "\u3400-\u9fff\u3040-\u30ff"
WORD = re.compile(rf"[{HAN}]|[^\W{HAN}]+")
ENDS = re.compile(r"""(?<=[.!?])["'”’»)\]]*\s+(?=["'“‘«„(\[]*[^\W_a-z])|(?<=[。！？])[”’」』）]*""")
SHORT_FORM = re.compile(r"(?:^|\W)(?:\w|\d\d|e\.g|i\.e|etc|vs|cf|Dr|Mr|Mrs|St|No|bzw|ca|Nr|usw|z\.B)\.$")
WHOLE = re.compile(r"""[.!?。！？]["'”’»)\]」』）]*$""")
HIDDEN = re.compile(r"<(script|style|nav|header|footer|aside|form|noscript|template|head|svg)\b.*?</\1\s*>"
                    r"|<!--.*?-->", re.S | re.I)
PARAGRAPH = re.compile(r"<p(?:\s[^>]*)?>((?:(?!<p[\s>]|</?(?:div|li|ul|ol|dl|dd|dt|table|tr|td|pre)\b"
                       r").)*?)</p\s*>", re.S | re.I)
LINK = re.compile(r"<a\s[^>]*>(.*?)</a\s*>", re.S | re.I)
INLINE = re.compile(r"</?(?:a|abbr|b|bdi|cite|code|em|font|i|kbd|mark|q|s|samp|small|span|strong|sub|sup"
                    r"|time|tt|u|var|wbr)\b[^>]*>", re.I)
CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?([\w.:-]+)""", re.I)
MISREAD = {"l": "1", "i": "l", "o": "0", "e": "c", "c": "e", "m": "rn", "n": "u", "u": "n", "h": "b",
           "b": "h", "s": "5", "t": "f", "f": "t", "a": "o", "r": "n", "g": "q", "v": "y", "w": "vv"}


# ------------------------------------------------------------------ pages and their running text

def words(text):
    """The words that are compared and counted."""
    return WORD.findall(text.lower())


def plain(markup):
    """The text of HTML in one line."""
    text = re.sub(r"<[^>]*>", " ", INLINE.sub("", markup))
    return " ".join(html.unescape(text).split())


def sentences(text):
    """The sentences of a paragraph."""
    found = []
    for part in ENDS.split(text):
        if found and (SHORT_FORM.search(found[-1]) or not part):
            found[-1] += " " + part
        elif part:
            found.append(part)
    return [sentence.strip() for sentence in found if sentence.strip()]


def joined(parts):
    """The sentences of a paragraph as one text."""
    return ("" if re.search(f"[{HAN}]", parts[0]) else " ").join(parts)


class Page:
    """A page: what is written of it, and the paragraphs of its running text.

    paragraphs: begin and end in the source, and sentences, of the group with most words; a group has
    at most GAP characters of other text between two paragraphs.  uses: texts taken from it or put in.
    """

    def __init__(self, name, source, charset):
        self.name, self.source, self.charset = name, source, charset
        self.uses = 0
        if charset is None:
            shown, self.text = source, " ".join(source.split())
            parts = [(m.start(), m.end(), m[0]) for m in re.finditer(r"[^\n]+", source)]
        else:
            shown = HIDDEN.sub(lambda m: " " * len(m[0]), source)
            self.text = plain(shown)
            parts = [(m.start(), m.end(), plain(m[1])) for m in PARAGRAPH.finditer(shown)
                     if 2 * sum(map(len, map(plain, LINK.findall(m[1])))) < len(plain(m[1]))]
        self.paragraphs = [(begin, end, sentences(text)) for begin, end, text in parts]
        self.paragraphs = [part for part in self.paragraphs
                           if part[2] and WHOLE.search(part[2][-1]) and len(words(part[2][0])) > 3]
        self.paragraphs = self.largest(shown)
        running = " ".join(sentence for part in self.paragraphs for sentence in part[2])
        self.chinese = 3 * len(re.findall(f"[{HAN}]", running)) > len(running)
        self.full = len(words(running)) >= 2 * SIZES[self.chinese][0]

    def largest(self, shown):
        """The group of paragraphs that has most words."""
        groups = [[]]
        for part in self.paragraphs:
            if groups[-1] and len(plain(shown[groups[-1][-1][1]:part[0]])) > GAP:
                groups.append([])
            groups[-1].append(part)
        return max(groups, key=lambda group: sum(len(words(joined(part[2]))) for part in group))

    def stretches(self):
        """Lists of (paragraph, sentence): whole sentences of paragraphs with nothing between."""
        found, last = [[]], None
        for number, (begin, end, parts) in enumerate(self.paragraphs):
            if last is not None and self.source[last:begin].strip():
                found.append([])
            last = end
            for sentence in parts:
                if WHOLE.search(sentence):
                    found[-1].append((number, sentence))
                else:
                    found.append([])
        return [stretch for stretch in found if stretch]

    def places(self):
        """Ends of paragraphs that another follows; of all, where no paragraph follows another."""
        ends = [end for (_, end, _), (begin, _, _) in zip(self.paragraphs, self.paragraphs[1:])
                if not self.source[end:begin].strip()]
        return ends or [end for _, end, _ in self.paragraphs]

    def put(self, place, paragraphs):
        """Paragraphs behind the one that ends there."""
        if self.charset is None:
            new = "".join("\n" + text for text in paragraphs)
        else:
            new = "".join(f"\n<p>{html.escape(text, quote=False)}</p>" for text in paragraphs)
        self.source = self.source[:place] + new + self.source[place:]
        self.paragraphs = [(begin + len(new) * (begin >= place), end + len(new) * (end > place), parts)
                           for begin, end, parts in self.paragraphs]


def read_page(path, name):
    """A page of HTML."""
    data = path.read_bytes()
    if name.endswith(".gz"):
        data, name = gzip.decompress(data), name[:-3]
    label = CHARSET.search(data[:4096])
    for charset in (label[1].decode() if label else "utf-8", "utf-8", "latin-1"):
        try:
            return Page(name, data.decode(charset), charset)
        except (UnicodeDecodeError, LookupError):
            pass
    raise AssertionError("latin-1 reads all")


def read_pages(folder):
    """The pages of a folder by name, and the records of its JSON lines."""
    pages, records = [], {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file() and name.endswith(PAGES):
            pages.append(read_page(path, name))
        elif path.is_file() and name.endswith(".jsonl"):
            with open(path, encoding="utf-8") as lines:
                records[name] = [json.loads(line) for line in lines]
            pages += [Page(record["id"], record["text"], None) for record in records[name]]
    return pages, records


def write_pages(pages, records, out):
    """The pages in their files, the records in theirs."""
    made = {page.name: page.source for page in pages if page.charset is None}
    for name, rows in records.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        with open(out / name, "w", encoding="utf-8") as lines:
            for row in rows:
                if row["id"] in made:
                    row = {**row, "text": made[row["id"]]}
                    print(json.dumps(row, ensure_ascii=False), file=lines)
    for page in pages:
        if page.charset is not None:
            path = out / page.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(page.source.encode(page.charset, "xmlcharrefreplace"))


# ------------------------------------------------------------------ edits: of a list of paragraphs

def swapped(text, change):
    """The text, with what change(word, begin) gives for each word."""
    return WORD.sub(lambda m: change(m[0], m.start()), text)


class Editor:
    """Makes edited copies; `pages` give the words that come in."""

    def __init__(self, rng, pages):
        self.rng = rng
        self.often = collections.Counter()
        pools = {True: set(), False: set()}
        for page in pages:
            for _, _, parts in page.paragraphs:
                for sentence in parts:
                    found = WORD.findall(sentence)
                    self.often.update(found)
                    pools[page.chinese].update(found)
        self.pools = {kind: sorted(word for word in pool if word.islower() or re.match(f"[{HAN}]", word))
                      for kind, pool in pools.items()}
        self.names = sorted(filter(self.is_name, pools[True] | pools[False]))

    def is_name(self, word):
        """Is it mostly written with a capital?"""
        return len(word) > 1 and word[0].isupper() and self.often[word] > self.often[word.lower()]

    def other(self, word, pool):
        """A word of the pool that is not this word."""
        while True:
            new = self.rng.choice(pool)
            if new.lower() != word.lower():
                return new

    def verbatim(self, paragraphs, _):
        """As they are."""
        return [joined(parts) for parts in paragraphs]

    def tenth(self, paragraphs, chinese):
        """Every tenth word another."""
        count = self.rng.randrange(10)

        def change(word, _):
            nonlocal count
            count += 1
            return word if count % 10 else self.other(word, self.pools[chinese])
        return [swapped(joined(parts), change) for parts in paragraphs]

    def shuffled(self, paragraphs, _):
        """One paragraph with the sentences in another order."""
        before = [sentence for parts in paragraphs for sentence in parts]
        after = before[:]
        while after == before:
            self.rng.shuffle(after)
        return [joined(after)]

    def ocr(self, paragraphs, chinese):
        """Characters taken for others, lost or cut in two, 5 % of those that are no space."""
        def change(match):
            if self.rng.random() >= 0.05:
                return match[0]
            if self.rng.random() < 0.2:
                return self.rng.choice(("", " "))
            if chinese:
                return self.other(match[0], self.pools[True])
            return MISREAD.get(match[0].lower(), self.rng.choice("abcdefghijklmnoprstuvw.,'"))
        return [re.sub(r"\S", change, joined(parts)) for parts in paragraphs]

    def names_of(self, paragraphs):
        """Numbers and names: words that begin large inside a sentence, the rarest of them."""
        found = set()
        for sentence in (sentence for parts in paragraphs for sentence in parts):
            for match in list(WORD.finditer(sentence))[1:]:
                if self.is_name(match[0]) or match[0].isdigit():
                    found.add(match[0])
        text = words(" ".join(sentence for parts in paragraphs for sentence in parts))
        chosen, left = set(), len(text) // 8
        for word in sorted(found, key=lambda word: (self.often[word], word)):
            if text.count(word.lower()) <= left:
                chosen.add(word)
                left -= text.count(word.lower())
        return chosen

    def renamed(self, paragraphs, _):
        """Another name or number for each, the same wherever it stands."""
        new = {}
        for word in sorted(self.names_of(paragraphs)):
            new[word] = (self.other(word, self.names) if not word.isdigit() else
                         str(int(word) + self.rng.randint(1, 9 * 10 ** (len(word) - 1))))
        return [swapped(joined(parts), lambda word, _: new.get(word, word)) for parts in paragraphs]

    def edit(self, kind, paragraphs, chinese):
        """A copy of a kind."""
        how = {"tenth": self.tenth, "shuffled": self.shuffled, "ocr": self.ocr, "names": self.renamed}
        return how.get(kind, self.verbatim)(paragraphs, chinese)

    def fits(self, kind, paragraphs):
        """Can a copy of this kind be made?"""
        if kind == "names":
            return len(self.names_of(paragraphs)) >= 2
        return kind != "shuffled" or len({s for parts in paragraphs for s in parts}) >= 3


# ------------------------------------------------------------------ planting

def take(rng, stretch, kind, chinese):
    """Sentences of a stretch, as lists by paragraph; None when it has too few."""
    sizes = [len(words(sentence)) for _, sentence in stretch]
    if kind.startswith("short"):
        count = int(kind[-1])
        starts = [k for k in range(len(stretch) - count + 1)
                  if min(sizes[k:k + count]) >= SHORTEST[chinese]]
        ends = {k: k + count for k in starts}
    else:
        least, most = SIZES[chinese]
        want, ends = rng.randint(least, most), {}
        for k in range(len(stretch)):
            end, size = k, 0
            while end < len(stretch) and size < max(want, least) and size + sizes[end] <= most:
                size += sizes[end]
                end += 1
            if size >= least:
                ends[k] = end
        starts = sorted(ends)
    if not starts:
        return None
    begin = rng.choice(starts)
    found = {}
    for number, sentence in stretch[begin:ends[begin]]:
        found.setdefault(number, []).append(sentence)
    return list(found.values())


def parts_of(pages):
    """The part of the collection that each page is in: its folder, or itself when all share one."""
    folders = {page.name: os.path.dirname(page.name) for page in pages}
    alone = len(set(folders.values())) == 1
    return {name: name if alone else folder for name, folder in folders.items()}


class Gardener:
    """Takes texts from pages and puts them into others."""

    def __init__(self, rng, pages):
        self.rng, self.pages, self.part = rng, pages, parts_of(pages)
        self.editor = Editor(rng, pages)
        self.all = "\n".join(" ".join(words(page.text)) for page in pages)
        self.known, self.pairs, self.taken = {}, set(), set()
        self.order = [page for page in rng.sample(pages, len(pages)) if page.full]

    def once(self, sentence):
        """Does the collection have it once?"""
        if sentence not in self.known:
            key = " ".join(words(sentence))
            first = self.all.find(key)
            self.known[sentence] = first >= 0 and self.all.find(key, first + 1) < 0
        return self.known[sentence] and sentence not in self.taken

    def stretches(self, page):
        """Stretches of sentences that the collection has once, in random order."""
        for stretch in self.rng.sample(whole := page.stretches(), len(whole)):
            for once, parts in itertools.groupby(stretch, lambda part: self.once(part[1])):
                if once:
                    yield list(parts)

    def donor(self, kind):
        """A page and sentences of it, from a page of those that were used least."""
        for page in sorted(self.order, key=lambda page: page.uses):
            for stretch in self.stretches(page):
                text = take(self.rng, stretch, kind, page.chinese)
                if text and self.editor.fits(kind, text):
                    return page, text
        return None, None

    def host(self, donor):
        """A page of another part in the same script that has a place."""
        for page in sorted(self.order, key=lambda page: page.uses):
            if (self.part[page.name] != self.part[donor.name] and page.chinese == donor.chinese
                    and len(page.paragraphs) > 1 and {(donor, page), (page, donor)}.isdisjoint(self.pairs)):
                return page
        return None

    def plant(self, kind):
        """Plants one text; None when there is no donor or no host."""
        donor, text = self.donor(kind)
        host = donor and self.host(donor)
        if not host:
            return None
        self.pairs.add((donor, host))
        self.taken.update(sentence for parts in text for sentence in parts)
        planted = self.editor.edit(kind, text, donor.chinese)
        host.put(self.rng.choice(host.places()), planted)
        for page in (donor, host):
            page.uses += 1
        return {"donor": donor.name, "host": host.name, "kind": kind, "text": "\n".join(planted),
                "from": "\n".join(joined(parts) for parts in text)}


def plant(args):
    """The pages with copies, and the truth beside."""
    rng = random.Random(args.seed)
    pages, records = read_pages(args.folder)
    if args.pages and args.pages < len(pages):
        pages = sorted(rng.sample(pages, args.pages), key=lambda page: page.name)
    gardener = Gardener(rng, pages)
    wanted = [kind for kind in KINDS for _ in range(args.count)]
    wanted += [f"short-{size}" for size in (1, 2, 3) for _ in range(args.short)]
    rng.shuffle(wanted)
    done = [row for row in map(gardener.plant, wanted) if row]
    write_pages(pages, records, args.out)
    with open(f"{args.out}.truth.jsonl", "w", encoding="utf-8") as lines:
        for row in sorted(done, key=lambda row: (row["kind"], row["donor"], row["host"])):
            print(json.dumps(row, ensure_ascii=False), file=lines)
    print(f"{len(pages)} pages, {len(done)} of {len(wanted)} texts planted")


# ------------------------------------------------------------------ judging

def positions(text):
    """The words of a text in bytes, and where each begins."""
    text = text.decode("utf-8", "replace")
    found, at, last = [], 0, 0
    for match in WORD.finditer(text):
        at += len(text[last:match.start()].encode())
        last = match.start()
        found.append((match[0].lower(), at))
    return found


def standing(planted, host):
    """Where the words of a planted text begin in its host; those that the host's text lacks: none."""
    have = [word for word, _ in host]
    for k in range(len(have) - len(planted) + 1):
        if have[k] == planted[0] and have[k:k + len(planted)] == planted:
            return [at for _, at in host[k:k + len(planted)]]
    blocks = difflib.SequenceMatcher(None, planted, have, autojunk=False).get_matching_blocks()
    return [at for block in blocks if block.size > 2 for _, at in host[block.b:block.b + block.size]]


def judge(args):
    """Prints what was found of each kind."""
    import h5py  # pylint: disable=import-outside-toplevel # planting needs the standard library only
    from accuracy_texts import read_texts  # pylint: disable=import-outside-toplevel
    with open(args.truth, encoding="utf-8") as lines:
        truth = [json.loads(line) for line in lines]
    with h5py.File(args.result) as result:
        ids = [os.fsdecode(name) for name in result["documents/id"][:]]
        files = [os.fsdecode(name) for name in result["files/path"][:]]
        file_of = result["documents/file"][:].tolist()
        rows = {name: result["passages"][name][:].tolist()
                for name in ("doc_a", "doc_b", "begin_a", "end_a", "begin_b", "end_b")}
        pairs = len(result["pairs/doc_a"])
    names = {row[side] for row in truth for side in ("donor", "host")}
    number = {}
    for k, name in enumerate(ids):
        parts = name.split("/")
        for tail in {"/".join(parts[j:]) for j in range(len(parts))} & names:
            if tail not in number or len(name) < len(ids[number[tail]]):
                number[tail] = k
    read = {file_of[number[row["host"]]] for row in truth if row["host"] in number}
    those = [k for k, file in enumerate(file_of) if file in read]
    texts = dict(zip(those, read_texts([files[k] for k in sorted(read)], [ids[k] for k in those])))
    spans = collections.defaultdict(list)
    for a, b, *ends in zip(*rows.values()):
        spans[b, a].append(ends[:2])  # by donor and host
        spans[a, b].append(ends[2:])
    found, total = collections.Counter(), collections.Counter()
    for row in truth:
        donor, host = number.get(row["donor"]), number.get(row["host"])
        planted = words(row["text"])
        stand = standing(planted, positions(texts[host])) if host is not None else []
        inside = sum(any(begin <= at < end for begin, end in spans[donor, host]) for at in stand)
        total[row["kind"]] += 1
        found[row["kind"]] += 2 * inside >= len(planted)
        if args.list and 2 * inside < len(planted):
            print(f"{row['kind']}: {row['donor']} in {row['host']}: {inside} of {len(planted)} words, "
                  f"{len(stand)} in the text")
    order = sorted(total, key=lambda kind: (kind.startswith("short"), KINDS.index(kind)
                                            if kind in KINDS else kind))
    long = [kind for kind in order if kind in KINDS]
    print(", ".join(f"{kind} {found[kind]}/{total[kind]}" for kind in order)
          + f"; long {sum(found[kind] for kind in long)}/{sum(total[kind] for kind in long)}"
          + f"; {len(rows['doc_a'])} rows, {pairs} pairs")


def main():
    """Does what the first argument says."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    planting = commands.add_parser("plant")
    planting.set_defaults(run=plant)
    planting.add_argument("--seed", type=int, default=1)
    planting.add_argument("--count", type=int, default=10)
    planting.add_argument("--short", type=int, default=8)
    planting.add_argument("--pages", type=int)
    planting.add_argument("folder", type=pathlib.Path)
    planting.add_argument("out", type=pathlib.Path)
    judging = commands.add_parser("judge")
    judging.set_defaults(run=judge)
    judging.add_argument("--list", action="store_true")
    judging.add_argument("result")
    judging.add_argument("truth")
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    sys.exit(main())
