"""Targets and sources (--against, check): which two documents are a pair, by their rows."""


class Sides:
    """Rows below `targets` are targets, the others sources; 0: every document is on both sides.

    `check`: sources are an index.  They alone are counted, their units are on the index side, and
    common classes match the first source.  Otherwise it is the unit of the first document of a pair
    that is on the index side, and common classes match the first document of either side.
    """

    def __init__(self, options):
        self.targets, self.check = options.targets, options.check

    def may_pair(self, a, b):
        """Is (a, b) a target and a source, in order?  For rows, or for arrays of rows."""
        if self.targets:
            return (a < self.targets) & (b >= self.targets)
        return a < b

    def is_counted(self, row):
        """Does the document count for document frequencies?"""
        return not self.check or row >= self.targets

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
        """Those pairs with the first source among `second` or, but for an index, the first target
        among `first`."""
        targets = [row for row in first if not self.targets or row < self.targets]
        sources = [row for row in second if row >= self.targets]
        return [(a, b) for a, b in self.all_pairs(first, second)
                if b == min(sources) or (a == min(targets) and not self.check)]
