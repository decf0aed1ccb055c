#!/usr/bin/python3
"""The judge of `pardup explain` for --refine words: where words meet, and which floor is missed.

    explain_judge.py PARDUP S.jsonl RESULT.h5 PAIRS

S.jsonl is what `pardup sentences --offsets` prints for the input of the run.  Regions, spans, scores
and passages are worked out from it alone, as oracle.py does, for the first PAIRS pairs of documents
whose words meet and as many others.  The answer of `pardup explain` must name the same ones.
"""

import re
import subprocess
import sys

import oracle
import oracle_agreement
import oracle_options
import oracle_passages
import oracle_refine
import result_file
from oracle_refine import ALIKE, SCORE_LEAST, SCORE_UNLIKE, SCORE_WORD, VERBATIM, WORDS_LEAST
from sentence_file import read_sentences

FLOORS = ("its shorter side has %d", "what both have scores %.1f bits, %.1f are needed",
          "for 100 words %d words and pairs", "fewer than 3 in 10 words agree in order, and it scores %.1f bits, "
          "%.1f are needed then")


def even_span(seeker, offsets):
    """(place, floor) of the span whose words stand in any order; the floor is None if it misses none."""
    score, at, verbatim = seeker.seek(None)
    shorter = min(high - low for low, high in at)
    floor = None
    if shorter < WORDS_LEAST:
        floor = FLOORS[0] % shorter
    elif score < SCORE_LEAST:
        floor = FLOORS[1] % (score / 16, SCORE_LEAST / 16)
    else:
        if verbatim:
            at = [seeker.trimmed(side, at) for side in (0, 1)]
        words, matched, neighbours = seeker.alike(at)
        if 100 * (matched + neighbours) < ALIKE * words:
            floor = FLOORS[2] % (100 * (matched + neighbours) // words)
        elif seeker.unlike(score, at):
            shorter = min(high - low for low, high in at)
            floor = FLOORS[3] % (score / 16, max(SCORE_UNLIKE, SCORE_WORD * shorter) / 16)
    (a, b), (from_a, from_b) = at, offsets
    place = f"A {a[0] + from_a} to {a[1] - 1 + from_a}, B {b[0] + from_b} to {b[1] - 1 + from_b}: "
    return place, floor


def expect_regions(words, regions, rarity):
    """What must be said of each region: its place, and its span of words in any order."""
    for number, dots in enumerate(regions, 1):
        (low_a, high_a), (low_b, high_b) = oracle_refine.bounds(dots)
        met = len({i for i, _ in dots})
        yield f"Region {number}: A {low_a} to {high_a}, B {low_b} to {high_b}; {met} words of A meet"
        windows = [(max(low - oracle_refine.MARGIN, 0), min(high + 1 + oracle_refine.MARGIN, len(w)))
                   for w, (low, high) in zip(words, oracle_refine.bounds(dots))]
        cores = [(low - window[0], high + 1 - window[0])
                 for window, (low, high) in zip(windows, oracle_refine.bounds(dots))]
        offsets = [window[0] for window in windows]
        seeker = oracle_refine.Seeker(words, windows, rarity)
        seeker.look_at(cores)
        list(seeker.literal_spans(offsets))
        if not seeker.whole:
            place, floor = even_span(seeker, offsets)
            yield f"Words in any order, {place}{floor or ''}"


def expect_answer(dots, regions, passages, options):
    """How the last sentence begins."""
    if passages:
        return f"They share {passages} passage"
    if not dots:
        return "No passage: no pair of rare words and no 5 words in a row"
    if not regions:
        most = max(len({i for i, _ in r}) for r in oracle_refine.regions(dots, 0, options.gap))
        return f"No passage: at most {most} word"
    return "No passage: in what comes nearest, "


def main(pardup, sentences, path, pairs):
    """Returns the exit status."""
    judge = oracle.Judge(read_sentences(sentences))
    run = oracle_options.runs_of(oracle_options.parser_of_runs().parse_args([path]))[0]
    with result_file.open_result(path) as result:
        options, _ = oracle_options.options_of(result, run)
    expected = judge.expect(options)
    _, _, dots = judge.join(options)
    documents = judge.collection.documents
    rarity = oracle_refine.rarities(judge.collection, options.frequencies)
    meeting = {}
    for a, b, pair_dots in oracle_passages.dots_by_pair(dots, 0):
        meeting[a, b] = list(pair_dots)
    rows = sorted(documents) if isinstance(documents, dict) else range(len(documents))
    every = [(a, b) for a in rows for b in rows if a < b]
    chosen = [p for p in every if p in meeting][:pairs] + [p for p in every if p not in meeting][:pairs]
    wrong, kinds = 0, {}
    for a, b in chosen:
        pair_dots = meeting.get((a, b), [])
        regions = oracle_refine.regions(pair_dots, options.gamma, options.gap) if pair_dots else []
        passages = sum(row.doc_a == a and row.doc_b == b for row in expected.passages)
        said = subprocess.run([pardup, "explain", "--width", "1000", "--limit", "0", path, str(a), str(b)],
                              check=True, capture_output=True, text=True).stdout
        answer = expect_answer(pair_dots, regions, passages, options)
        wanted = list(expect_regions((documents[a].words, documents[b].words), regions, rarity))
        missing = [line for line in wanted if line not in said]
        last = said.splitlines()[-1]
        nearest = re.match(r"No passage: in what comes nearest, (A .*) and (B [0-9]* to [0-9]*), (.*) \(--refine", last)
        if not last.startswith(answer) or (answer.endswith("nearest, ") and (
                not nearest or ": ".join([", ".join(nearest.groups()[:2]), nearest[3]]) not in said)):
            missing.append(answer)
        if "not found in the matches" in said:
            missing.append("all passages of the result")
        for line in missing:
            print(f"{a} {b}: not said: {line}")
        wrong += bool(missing)
        kinds[re.sub(r"[0-9].*", "", answer)] = kinds.get(re.sub(r"[0-9].*", "", answer), 0) + 1
    print(f"explain: {len(chosen)} pairs, {wrong} wrong; {kinds}")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4], int(sys.argv[4])))
