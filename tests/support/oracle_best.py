"""The best passages of a pair of documents: --passages best, straight from its definition.

Every run is compared with every run, and every unit is asked for itself whether it is claimed.
"""

import collections

import numpy

RUNS = 64  # for each unit with a dot: most runs, before short ones are left out
FEW = 3  # dots that are too few to divide a chain in whose gap they lie
LINKS = 64  # most runs that can follow a run
RARE = 64  # a dot is rare if its units make at most so many dots

# n dots that begin with (i, j); weight: of all dots together, in 1/1024.
Run = collections.namedtuple("Run", "i j n weight")

# The n dots of a run that begin with (i, j) and are part of a chain.
Stretch = collections.namedtuple("Stretch", "run i j n")


def last(run):
    """The last dot of a run or stretch."""
    return run.i + run.n - 1, run.j + run.n - 1


def diagonal(run):
    """The diagonal of a run or stretch."""
    return run.j - run.i


# ------------------------------------------------------------------ runs

def all_runs(dots):
    """Every maximal diagonal of the dots."""
    runs = []
    for i, j in dots:
        if (i - 1, j - 1) in dots:
            continue
        n = 1
        while (i + n, j + n) in dots:
            n += 1
        weight = sum(max(1, int(dots[i + k, j + k] * 1024)) for k in range(n))
        runs.append(Run(i, j, n, weight))
    return runs


def single_dots_that_count(dots):
    """The dots that are rare or in step."""
    units_of_a, units_of_b = {}, {}  # those that match a unit of b, a unit of a; ascending
    for i, j in sorted(dots):
        units_of_a.setdefault(j, []).append(i)
        units_of_b.setdefault(i, []).append(j)
    chosen = set()
    for i, j in dots:
        m, n = len(units_of_a[j]), len(units_of_b[i])
        if m * n <= RARE:
            chosen.add((i, j))
            continue
        x, y = units_of_a[j].index(i), units_of_b[i].index(j)
        if x == y or x * n // m == y or y * m // n == x:
            chosen.add((i, j))
    return chosen


def runs_that_count(dots, gamma, gap):
    """The runs that chains are made of, in order of their last dots."""
    runs = all_runs(dots)
    units = len({i for i, _ in dots}) + len({j for _, j in dots})
    length = 1
    while sum(run.n >= length for run in runs) > RUNS * units:
        length *= 2
    if length > 1:
        single = single_dots_that_count(dots)
        runs = [run for run in runs if run.n >= length
                or any((run.i + k, run.j + k) in single for k in range(run.n))]
    if gap == 0:
        runs = [run for run in runs if run.n > gamma]
    return sorted(runs, key=last)


# ------------------------------------------------------------------ chains

def adds(run, n, linked):
    """What n dots of a run add to the score of a chain."""
    return max(1, run.weight * (2 * n - linked) // (2 * run.n))


def entry(before, run):
    """The dots of `run` that are behind those of `before` in both documents; None: there are none."""
    last_i, last_j = last(before)
    skip = max(0, last_i + 1 - run.i, last_j + 1 - run.j)
    return Stretch(run, run.i + skip, run.j + skip, run.n - skip) if skip < run.n else None


def followers(run, runs, gap, table):
    """[(index of a run that can follow, its stretch)]; table: i, j and n of all runs."""
    last_i, last_j = last(run)
    i, j, n = table
    skip = numpy.maximum(numpy.maximum(last_i + 1 - i, last_j + 1 - j), 0)  # as in entry()
    can = (skip < n) & (i + skip <= last_i + gap + 1) & (j + skip <= last_j + gap + 1)
    first = {}  # by diagonal
    for k in numpy.flatnonzero(can).tolist():
        other = runs[k]
        known = first.get(diagonal(other))
        if known is None or other.i < runs[known[0]].i:
            first[diagonal(other)] = (k, entry(run, other))
    own = diagonal(run)
    nearest = sorted(first, key=lambda d: (abs(d - own), -d))
    return [first[d] for d in nearest[:LINKS]]


def best_ends(runs, gap):
    """(score of the best chain that ends with each run, the run before in that chain or None)."""
    scores = [run.weight for run in runs]
    before = [None] * len(runs)
    table = numpy.array([(run.i, run.j, run.n) for run in runs], dtype=int).reshape(-1, 3).T.copy()
    for k, run in enumerate(runs):
        for later, stretch in followers(run, runs, gap, table) if gap > 0 and len(runs) > 1 else ():
            apart = abs(diagonal(runs[later]) - diagonal(run))
            score = scores[k] + adds(runs[later], stretch.n, True)
            known = before[later]
            if score > scores[later] or (
                    score == scores[later] and known is not None
                    and apart <= abs(diagonal(runs[later]) - diagonal(runs[known]))):
                scores[later], before[later] = score, k
    return scores, before


def all_chains(runs, gap):
    """Lists of stretches; each run is in one chain."""
    scores, before = best_ends(runs, gap)
    taken = set()
    chains = []
    for k in sorted(range(len(runs)), key=lambda k: (-scores[k], k)):
        if k in taken:
            continue
        chain = []
        while k is not None and k not in taken:
            taken.add(k)
            came = before[k]
            linked = came is not None and came not in taken
            chain.insert(0, entry(runs[came], runs[k]) if linked
                         else Stretch(runs[k], runs[k].i, runs[k].j, runs[k].n))
            k = came
        chains.append(chain)
    return chains


def score_of(chain):
    """The score of a chain."""
    return sum(adds(stretch.run, stretch.n, place > 0) for place, stretch in enumerate(chain))


def size_of(chain):
    """The number of its dots."""
    return sum(stretch.n for stretch in chain)


# ------------------------------------------------------------------ choice

class Claims:
    """The units of one document that chosen chains have claimed."""

    def __init__(self, overlap):
        self.overlap = overlap
        self.units = set()

    def claim(self, spans, few):
        """Claim the units of ascending spans (first, last), and gaps of at most `few` units."""
        for place, (first, final) in enumerate(spans):
            self.units.update(range(first, final + 1))
            if place and first - spans[place - 1][1] - 1 <= few:
                self.units.update(range(spans[place - 1][1] + 1, first))

    def blocks(self, unit):
        """Whether a unit cannot be in another chain."""
        return not self.units.isdisjoint(range(unit - self.overlap, unit + self.overlap + 1))

    def between(self, first, behind):
        """Whether a unit of [first, behind) is claimed."""
        return not self.units.isdisjoint(range(first, behind))


def link_is_free(x, y, a, b, own=0):
    """Whether no unit between two stretches is claimed; own: gaps so long are the chain's own."""
    last_i, last_j = last(x)
    return not (y.i - last_i - 1 > own and a.between(last_i + 1, y.i)
                or y.j - last_j - 1 > own and b.between(last_j + 1, y.j))


def parts_of(chain, a, b):
    """The chain without blocked dots, and divided at links over claimed units."""
    if not a.units and not b.units:
        return [chain]
    parts = [[]]
    for place, stretch in enumerate(chain):
        if place and not link_is_free(chain[place - 1], stretch, a, b):
            parts.append([])
        run = stretch.run
        goes_on = False  # the dot before is in the part, too
        for i, j in zip(range(stretch.i, stretch.i + stretch.n), range(stretch.j, stretch.j + stretch.n)):
            if a.blocks(i) or b.blocks(j):
                parts.append([])
                goes_on = False
            elif goes_on:
                parts[-1][-1] = parts[-1][-1]._replace(n=parts[-1][-1].n + 1)
            else:
                parts[-1].append(Stretch(run, i, j, 1))
                goes_on = True
    return [part for part in parts if part]


def choose(chains, gamma, overlap):
    """The chains, and parts of chains, that do not overlap."""
    a, b = Claims(overlap), Claims(overlap)
    inside_a, inside_b = set(), set()  # units of chosen chains and of all their gaps
    few = max(gamma, FEW)
    waiting = [chain for chain in chains if size_of(chain) > gamma]
    chosen = []
    while waiting:
        waiting.sort(key=lambda chain: (-score_of(chain), chain[0].i, chain[0].j))
        chain = waiting.pop(0)
        parts = parts_of(chain, a, b)
        if parts != [chain]:
            waiting += [part for part in parts if size_of(part) > gamma]
            continue
        if size_of(chain) <= few and (chain[0].i in inside_a or chain[0].j in inside_b):
            continue
        chosen.append(chain)
        a.claim([(stretch.i, last(stretch)[0]) for stretch in chain], few)
        b.claim([(stretch.j, last(stretch)[1]) for stretch in chain], few)
        inside_a.update(range(chain[0].i, last(chain[-1])[0] + 1))
        inside_b.update(range(chain[0].j, last(chain[-1])[1] + 1))
    result = []
    for chain in chosen:
        result.append([chain[0]])
        for x, y in zip(chain, chain[1:]):
            if link_is_free(x, y, a, b, few):
                result[-1].append(y)
            else:
                result.append([y])
    return [chain for chain in result if size_of(chain) > gamma]


def best_chains(dots, gamma, gap, overlap):
    """The dots of each of the best passages, in order.

    dots: {(i, j): similarity}.
    """
    chains = choose(all_chains(runs_that_count(dots, gamma, gap), gap), gamma, overlap)
    return sorted([(stretch.i + k, stretch.j + k) for stretch in chain for k in range(stretch.n)]
                  for chain in chains)


# ------------------------------------------------------------------ edges

class Edged:
    """A passage whose edges can be shortened.

    first, final: its bytes (in a, in b) without edges; back, ahead: where it would begin or end,
    (in a, in b), with one more word, two more words ...
    """

    def __init__(self, first, final, back, ahead):
        self.first, self.final = first, final
        self.back, self.ahead = list(back), list(ahead)
        self.chains = []  # (first dot, last dot) of each chain in it
        self.between = 0  # words between its chains
        self.matched, self.similarity = 0, 0.0

    def absorb(self, later, between):
        """Make one passage of this and a later one, with that many words between them."""
        total = self.similarity * self.matched + later.similarity * later.matched
        self.final, self.ahead = later.final, later.ahead
        self.chains += later.chains
        self.between += between + later.between
        self.matched += later.matched
        self.similarity = total / self.matched

    def begin(self, side):
        """Where it begins, 0: in a, 1: in b."""
        return (self.back[-1] if self.back else self.first)[side]

    def end(self, side):
        """Where it ends."""
        return (self.ahead[-1] if self.ahead else self.final)[side]


def words_between(x, y):
    """How many words are between x and y, if they all agree; else None."""
    target = y.back[0] if y.back else y.first
    for place, step in enumerate(x.ahead):
        past = [step[side] > target[side] for side in (0, 1)]
        if any(past):
            return place + bool(y.back) if all(past) else None
    return None


def join(passages):
    """Make one of passages that are next to each other in both documents and meet."""
    order = [sorted(passages, key=lambda passage: passage.first[side]) for side in (0, 1)]
    result = []
    for place, y in enumerate(order[0]):
        x = order[0][place - 1]
        if place and order[1].index(y) == order[1].index(x) + 1:
            between = words_between(result[-1], y)
            if between is not None:
                result[-1].absorb(y, between)
                continue
        result.append(y)
    return result


def trim(passages):
    """Shorten edges until no passages overlap."""
    for side in 0, 1:
        for x in passages:
            for y in passages:
                if x.first[side] < y.first[side]:
                    while x.ahead and x.end(side) > y.first[side]:
                        x.ahead.pop()
                    while y.back and y.begin(side) < x.final[side]:
                        y.back.pop()
    for side in 0, 1:
        for x in passages:
            for y in passages:
                if x.first[side] < y.first[side]:
                    while y.back and y.begin(side) < x.end(side):
                        y.back.pop()
