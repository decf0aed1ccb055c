"""Targets and sources (--against): which two documents are a pair, by their rows."""


class Sides:
    """Rows below `targets` are targets, the others sources; 0: every document is on both sides."""

    def __init__(self, targets):
        self.targets = targets

    def may_pair(self, a, b):
        """Is (a, b) a target and a source, in order?  For rows, or for arrays of rows."""
        if self.targets:
            return (a < self.targets) & (b >= self.targets)
        return a < b

    def all_pairs(self, first, second):
        """The pairs of a row of `first` and a row of `second`, in order."""
        return [(a, b) for a in sorted(first) for b in sorted(second) if self.may_pair(a, b)]

    def pairs_with_a_first(self, first, second):
        """Those pairs with the first target among `first`, or the first source among `second`."""
        targets = [row for row in first if not self.targets or row < self.targets]
        sources = [row for row in second if row >= self.targets]
        return [(a, b) for a, b in self.all_pairs(first, second)
                if a == min(targets) or b == min(sources)]
