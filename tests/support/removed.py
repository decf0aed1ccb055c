#!/usr/bin/env python3
"""Check the output of pardup dedup against the texts before and after, by their definition.

usage: removed.py PARDUP OUT [--agreement X] [--min-left X] [--min-run N] [--sources INPUT] INPUT...

Each line of OUT.proof/removed.jsonl.zst must name whole sentences that stand in text that stays: the bytes of
that text are looked up in OUT, at the place where the removals before it have moved them. So every family
that loses text keeps a member. Documents that go whole must be missing in OUT, and less than --min-left [0] of
their words may be without proof: lines of the kind "rest" name all of this text, and no other. Lines count their
words, which together are the words that the summary says are gone. Documents that stay lose runs of at
least --min-run [20] words, and all of a box or nothing. Numbers and names are the same in removed text and in
what proves it, and what is no sentence is the same word for word. With sources and with --remove documents
this is not asked. Other documents must be what is left without their removed spans; lines of JSON
lines from which nothing is removed must be the same bytes in the same order.
Prints one line with counts; the exit status is 1 if anything is wrong.
"""
import collections
import json
import os
import subprocess
import sys
import unicodedata

TERMINALS = set("!?\u3002\uff01\uff1f\uff0e\u061f\u06d4\u0964\u0965")
CHECKED_CELLS = 4_000_000  # pairs of words up to which the longest common subsequence is computed


def sentences(pardup, inputs, wanted):
    """Wanted documents by id: sentences as (begin, end, words), and words as (begin, end, word)."""
    docs = collections.defaultdict(list)
    if not inputs:
        return docs
    with subprocess.Popen([pardup, "sentences", "--offsets", *inputs], stdout=subprocess.PIPE) as job:
        for line in job.stdout:
            row = json.loads(line)
            if row["doc"] in wanted:
                words = [(b, e, sys.intern(w)) for (b, e), w in zip(row["spans"], row["words"])]
                docs[row["doc"]].append((row["begin"], row["end"], words))
    if job.returncode:
        raise SystemExit(f"removed.py: pardup sentences: status {job.returncode}")
    return docs


def texts(pardup, inputs, folder="."):
    """Cleaned texts by id, without line ends at their end."""
    if not inputs:
        return {}
    out = subprocess.run([pardup, "text", *inputs], check=True, capture_output=True, cwd=folder).stdout
    docs, name = {}, None
    for line in out.split(b"\n"):
        if line.startswith(b"==> ") and line.endswith(b" <=="):
            name = line[4:-4].decode()
            docs[name] = []
        elif name is None:
            raise SystemExit("removed.py: give inputs of at least two documents")
        else:
            docs[name].append(line)
    return {name: b"\n".join(lines).rstrip(b"\n") for name, lines in docs.items()}


def common(a, b):
    """Length of the longest common subsequence; None if it takes too long."""
    k = 0
    while k < len(a) and k < len(b) and a[k] == b[k]:
        k += 1
    a, b = a[k:], b[k:]
    while a and b and a[-1] == b[-1]:
        k, a, b = k + 1, a[:-1], b[:-1]
    if len(a) * len(b) > CHECKED_CELLS:
        return None
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for j, y in enumerate(b):
            above = row[j + 1]
            row[j + 1] = before + 1 if x == y else max(above, row[j])
            before = above
    return k + row[-1]


def files_of(folder):
    return sorted(os.path.relpath(os.path.join(root, name), folder) for root, _, names in os.walk(folder) for name in names)


def option(arguments, name, otherwise):
    """Take an option and its value out of the arguments."""
    if name not in arguments:
        return otherwise
    k = arguments.index(name)
    value = arguments[k + 1]
    del arguments[k : k + 2]
    return value


def past_space(text, at):
    """Where the white space at byte `at` of a text ends."""
    while text[at : at + 1] in (b" ", b"\t", b"\r", b"\n"):
        at += 1
    return at


def moved(at, cut):
    """Where byte `at` of a text is when the spans are cut out of it."""
    return at - sum(end - begin for begin, end in cut if end <= at)


def check_kept(rows, cut, old, new):
    """The kept text of each line stands in the output, byte for byte; every family keeps a member."""
    bad, families, keeping = [], set(), set()
    for n, row in enumerate(rows):
        name, begin, end = row["kept_id"], row["kept_begin"], row["kept_end"]
        families.add(row["family"])
        if name not in old:  # a source, which is not written
            keeping.add(row["family"])
            continue
        at = moved(begin, cut[name])
        text = old[name][begin:end]
        if text and new.get(name, b"")[at : at + len(text)] == text:
            keeping.add(row["family"])
        else:
            bad.append(f"line {n + 1}, {row['id']}: its text is not in the output's {name}")
    bad += [f"family {family}: keeps no member" for family in sorted(families - keeping, key=str)]
    return bad, len(families)


def check_whole(gone, cut, units, min_left):
    """Documents that go whole have too few words without proof."""
    bad = []
    for name in sorted(gone):
        words = [(b, e) for u in units[name] for b, e, _ in u[2]]
        left = sum(not any(begin <= b and e <= end for begin, end in cut[name]) for b, e in words)
        if left >= min_left * len(words) and left > 0:
            bad.append(f"{name}: goes whole, but {left} of its {len(words)} words would be left")
    return bad


def check_rest(rests, cut, gone, old):
    """What goes without proof is said: spans of documents that go whole, beside what is proved, with all their text."""
    bad = [f"{name}: a rest of a document that stays" for name in rests if name not in gone]
    for name in sorted(gone):
        at, text = 0, old[name]
        for begin, end, rest in sorted([(*span, False) for span in cut[name]] + [(*span, True) for span in rests.get(name, [])]):
            if text[at:begin].strip() or (rest and begin < at):
                bad.append(f"{name}: [{at}, {begin}) goes, and no line says it, or two do")
            if rest and not text[begin:end].strip():
                bad.append(f"{name}: a rest without text")
            at = max(at, end)
        if text[at:].strip():
            bad.append(f"{name}: its end goes, and no line says it")
    return bad


def words_between(units, begin, end):
    return [w for u in units for b, e, w in u[2] if begin <= b and e <= end]


def check_words(rows, units, summary):
    """Each line counts its words, and together they are what the summary says is gone."""
    bad = []
    for n, row in enumerate(rows):
        words = len(words_between(units[row["id"]], row["begin"], row["end"]))
        if words != row["words"]:
            bad.append(f"line {n + 1}, {row['id']}: has {words} words, not {row['words']}")
    rest = [row for row in rows if row["removed"] == "rest"]
    said = {"documents": len({row["doc"] for row in rest}), "words": sum(row["words"] for row in rest)}
    if summary["rest"] != said:
        bad.append(f"the summary has {summary['rest']}, the lines {said}")
    words = summary.get("words", {"before": 0, "after": 0})
    gone = sum(row["words"] for row in rows)
    if words["before"] - words["after"] != gone:
        bad.append(f"the summary says that {words['before'] - words['after']} words are gone, the lines {gone}")
    return bad


# ---- as a person cuts ----


def ends_sentence(text):
    """Does a text end with a mark that ends sentences, apart from quotes and brackets behind it?"""
    text = text.decode()
    while text and (text[-1] in ")]}\"'*_" or (text[-1] > "\x7f" and unicodedata.category(text[-1]) in ("Pe", "Pf", "Pi"))):
        text = text[:-1]
    if text.endswith("."):
        return not text.endswith("..")
    return bool(text) and (text[-1] in TERMINALS or "\u0e00" <= text[-1] <= "\u0eff")


def is_fragment(text, unit, min_run):
    """Is a unit an entry of a list, a label, a heading, or program text?"""
    begin, end, words = unit
    before, behind = text[:begin].rstrip(b" \t"), text[end:].lstrip(b" \t\r")
    alone = (not before or before.endswith(b"\n")) and (not behind or behind.startswith(b"\n"))
    braces = any(line.rstrip(b"\r").endswith((b"{", b"}")) for line in text[begin:end].split(b"\n"))
    remark = text[text.rfind(b"\n", 0, begin) + 1:].lstrip(b" \t").startswith(b"// ")
    return remark or (alone and len(words) < min_run // 2) or braces or (len(words) < 3 * min_run and not ends_sentence(text[begin:end]))


def check_runs(units, text, cut, min_run):
    """What is wrong with the units that a document loses, which stays."""
    goes = [any(begin <= u[0] and u[1] <= end for begin, end in cut) for u in units]
    box = [is_fragment(text, u, min_run) for u in units]
    for k in range(1, len(units)):
        asks = text[units[k][1] - 1 : units[k][1]] == b"?"  # a question begins a box of its own
        if goes[k] != goes[k - 1] and box[k] and box[k - 1] and not asks:
            yield f"a box is cut at byte {units[k][0]}"
        if goes[k - 1] and not goes[k] and box[k - 1]:
            yield f"a heading goes at byte {units[k - 1][0]}, and what it is about stays"
    words = 0
    for k, unit in enumerate(units):
        words = words + len(unit[2]) if goes[k] else 0
        if goes[k] and (k + 1 == len(units) or not goes[k + 1]) and words < min_run:
            yield f"{words} words go before byte {unit[1]}"


def facts(units, text, begin, end):
    """Numbers of a text in their order, names, and all words."""
    numbers, names, words = [], collections.Counter(), []
    for unit in units:
        for k, (b, e, word) in enumerate(unit[2]):
            if begin <= b and e <= end:
                spelt = text[b:e].decode()
                words.append(word)
                if any(unicodedata.category(c) == "Nd" for c in spelt):
                    numbers.append(word)
                if (k > 0 and unicodedata.category(spelt[0]) in ("Lu", "Lt")) or unicodedata.category(spelt[0]) == "Lo":
                    names[word] += 1
    return numbers, names, words


def contains(words, part):
    return any(words[k : k + len(part)] == part for k in range(len(words) - len(part) + 1))


def check_cuts(rows, cut, gone, units, old, min_run):
    """Documents are cut as a person cuts them."""
    stay = [name for name in cut if name not in gone and min_run > 1]
    bad = [f"{name}: {what}" for name in stay for what in check_runs(units[name], old[name], cut[name], min_run)]
    for n, row in enumerate(rows):
        numbers, names, words = facts(units[row["id"]], old[row["id"]], row["begin"], row["end"])
        others = facts(units[row["kept_id"]], old[row["kept_id"]], row["kept_begin"], row["kept_end"])
        if numbers != others[0] or names - collections.Counter(others[2]) or others[1] - collections.Counter(words):
            bad.append(f"line {n + 1}, {row['id']}: numbers or names differ from what proves it")
        for unit in units[row["id"]]:
            if row["begin"] <= unit[0] and unit[1] <= row["end"] and not ends_sentence(old[row["id"]][unit[0] : unit[1]]):
                if not contains(others[2], [w for _, _, w in unit[2]]):
                    bad.append(f"line {n + 1}, {row['id']}: the unit at byte {unit[0]} is no sentence, and is not the same")
    return bad


def check_lines(inputs, out, after, touched):
    """Lines of JSON from which nothing is removed stay as they are, in their order."""
    bad = []
    for path in inputs:
        if not path.endswith(".jsonl") or os.path.basename(path) not in after:
            continue
        kept = []
        for line in open(path, "rb").read().splitlines(keepends=True):
            row = json.loads(line) if line.strip() else {}
            if row.get("id") not in touched:
                kept.append(line)
        written = open(os.path.join(out, os.path.basename(path)), "rb").read().splitlines(keepends=True)
        same = [line for line in written if not line.strip() or json.loads(line).get("id") not in touched]
        if kept != same:
            bad.append(f"{path}: a line from which nothing is removed is not as it was")
    return bad


def main():
    arguments = sys.argv[1:]
    least = float(option(arguments, "--agreement", 0.8))
    min_left = float(option(arguments, "--min-left", 0))
    min_run = int(option(arguments, "--min-run", 20))
    source = option(arguments, "--sources", None)
    sources = [source] if source else []  # inputs that are not written
    pardup, out, *inputs = [argument for argument in arguments if argument != "--"]
    pardup = os.path.abspath(pardup)
    lines = subprocess.run(["zstd", "-dcq", f"{out}.proof/removed.jsonl.zst"], check=True, capture_output=True).stdout
    all_rows = [json.loads(line) for line in lines.splitlines()]
    with open(f"{out}.proof/summary.json", encoding="utf-8") as f:
        summary = json.load(f)
    rows = [row for row in all_rows if row["removed"] != "rest"]
    rests = collections.defaultdict(list)
    for row in all_rows:
        if row["removed"] == "rest":
            rests[row["id"]].append((row["begin"], row["end"]))
    wanted = {row[side] for row in rows for side in ("id", "kept_id")}
    old_units, old = sentences(pardup, inputs + sources, wanted), texts(pardup, inputs)
    after = files_of(out)
    new = texts(pardup, after, out)
    bad, cut, gone = [], collections.defaultdict(list), set()
    for row in rows:
        cut[row["id"]].append((row["begin"], row["end"]))
        if row["removed"] == "document":
            gone.add(row["id"])
    for n, row in enumerate(rows):
        where = f"line {n + 1}, {row['id']}"
        units = old_units[row["id"]]
        text = old[row["id"]]
        edges = {u[0] for u in units} | {u[1] for u in units}
        if not all(at in edges or past_space(text, at) in edges for at in (row["begin"], row["end"])):
            bad.append(f"{where}: [{row['begin']}, {row['end']}) are not the edges of sentences")
        words = words_between(units, row["begin"], row["end"])
        kept = words_between(old_units[row["kept_id"]], row["kept_begin"], row["kept_end"])
        both = common(words, kept)
        if both is not None and both < (row["agreement"] - 0.0001) * max(len(words), len(kept)):
            bad.append(f"{where}: {both} of {len(words)} words stand in {len(kept)} words: less than {row['agreement']}")
        if row["agreement"] < least - 0.0001:
            bad.append(f"{where}: agreement {row['agreement']} is below {least}")
        if row["kept_id"] in gone:
            bad.append(f"{where}: the kept document goes, too")
        if any(b < row["kept_end"] and row["kept_begin"] < e for b, e in cut[row["kept_id"]]):
            bad.append(f"{where}: the kept text goes, too")
    found, families = check_kept(rows, cut, old, new)
    bad += found + check_whole(gone, cut, old_units, min_left) + check_lines(inputs, out, after, set(cut))
    bad += check_rest(rests, cut, gone, old) + check_words(all_rows, old_units, summary)
    if not sources and summary["remove"] != "documents":
        bad += check_cuts(rows, cut, gone, old_units, old, min_run)
    for name, text in old.items():
        if name in gone:
            if name in new:
                bad.append(f"{name}: goes, but is still there")
            continue
        for begin, end in sorted(cut[name], reverse=True):
            text = text[:begin] + text[end:]
        text = text.rstrip(b"\n")
        if name not in new and text:
            bad.append(f"{name}: is missing")
        elif text and new[name] != text:
            bad.append(f"{name}: is not what is left without its removed spans")
    bad += [f"{name}: is new" for name in new if name not in old]
    for line in bad[:20]:
        print(line)
    print(f"{len(all_rows)} lines, {len(gone)} documents gone, {len(old)} documents, {families} families, {len(bad)} wrong")
    return bool(bad)


sys.exit(main())
