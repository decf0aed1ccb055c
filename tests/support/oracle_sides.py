"""Targets and sources (--against, check): which two documents are a pair, by their rows."""

import numpy


class Sides:
    """Rows below `targets` are targets, the others sources; 0: every document is on both sides.

    `check`: sources are an index, and their units are on the index side.  Otherwise it is the unit of
    the first document of a pair.  Rows below `first_with` are targets and sources, the others sources.
    """

    def __init__(self, options):
        self.targets, self.check, self.first_with = options.targets, options.check, options.first_with

    def may_pair(self, a, b):
        """Is (a, b) a target and a source, in order?  For rows, or for arrays of rows."""
        if self.targets:
            return (a < self.targets) & (b >= self.targets)
        if self.first_with:
            return (a < b) & (a < self.first_with)
        return a < b

    def may_be_alone(self, row):
        """May the document be compared with itself?"""
        return row < (self.first_with or (0 if self.targets else numpy.inf))

    def index_side(self, a, b):
        """Which of the two is on the index side."""
        return b if self.check else a

    def index_first(self, able, rows):
        """(first documents, second documents) when only those in `able` may be on the index side."""
        return (rows, able) if self.check else (able, rows)

    def all_pairs(self, first, second):
        """The pairs of a row of `first` and a row of `second`, in order."""
        return [(a, b) for a in sorted(first) for b in sorted(second) if self.may_pair(a, b)]

    def pairs_with_a_first(self, first, second):
        """Those pairs with the first source among `second`; without sides, with the first document
        among `first`."""
        if not self.targets:
            return [(a, b) for a, b in self.all_pairs(first, second) if a == min(first)]
        sources = [row for row in second if row >= self.targets]
        return [(a, b) for a, b in self.all_pairs(first, second) if b == min(sources)]
