#!/usr/bin/python3
"""The judge of `pardup detect`: what the result file of a sentence method must hold, from scratch.

    oracle.py --sentences S.jsonl RESULT.h5...
    oracle.py --sentences S.jsonl --result RESULT.h5 --gamma 3 --gap 0 --max-df 300 --edges word
    oracle.py --sentences S.jsonl --list FILE
    oracle.py --self-test

S.jsonl is what `pardup sentences --offsets --units U INPUT...` prints for the base units of the run
(sentence for grams).  From it alone this program works out the rows of /passages, /pairs and
/common, comparing every unit with every unit, and then looks whether each result file holds the
same rows in the same order, doubles to the last bit.  It shares no code with pardup and knows no
shortcut of it: its worth is that it is obviously right.

oracle_features.py makes units and classes, oracle_joins.py dots, oracle_sides.py targets and sources,
oracle_copies.py pairs of equal documents, oracle_passages.py rows.

The options of a run are taken from the attributes of its result file.  An option that is also given
on the command line must agree with the attribute; where the file has no such attribute, the command
line counts, then the default of the method.  With --complete the options on the command line are
all that the run was given: the others must be recorded as the method's defaults.  With --list every
line of FILE names a result file and the options that its run was given, as in
`r1.h5 --gamma 1 --gap 2`.

The input of a run with sides is what `pardup sentences` prints for targets and then sources.  A result
of `pardup check` has sources in a table of their own, and /decisions and /ranking, which
oracle_queries.py works out.

A result of join lsh may lack dots: each dot it has must be one of the exact join, its tables must
be what its dots make, and it must have at least the share --least-recall of the exact dots.

Exit status: 0 all equal, 1 a difference, 2 unusable input.
"""

import argparse
import shlex
import sys

from sentence_file import Unusable, add_frames, read_sentences
import oracle_copies
import oracle_features
import oracle_joins
import oracle_options
import oracle_passages
import oracle_queries
import result_file

ROW_OPTIONS = ("method", "gamma", "gap", "theta_d", "delta", "edges", "passages", "refine",
               "min_passage_words", "min_agreement", "top")  # that matter after the join


class Judge:
    """Expected tables for one collection; dots are kept from one result file to the next."""

    def __init__(self, collection):
        self.collection = collection
        self.joined_for = None
        self.joined = None
        self.copies = None
        self.asides = None  # rows of /aside, as result_file.aside_complaints() takes them

    def join(self, options):
        """(signed units, rows of /common, dots), worked out anew only when they differ."""
        wanted = [value for name, value in options._asdict().items() if name not in ROW_OPTIONS]
        if options.copies == "report":
            wanted.append(options.gamma)  # tells which documents are brief
        if self.joined_for != wanted:
            self.collection.counted_from = options.targets if options.check else 0
            signed = oracle_features.sign_units(self.collection, options)
            copies = oracle_copies.find_copies(self.collection, signed, options)
            rows = oracle_features.set_aside_common(signed, options.max_df, options.max_df_of,
                                                    self.collection.counted_from,
                                                    options.join != "equal")
            self.asides = [self.aside(signed, row, "common") for row in rows]
            self.asides += [self.aside(signed, row, "common", whole=True) for row in copies.common]
            crowded = []
            if options.sct:
                crowded += oracle_features.drop_too_common(signed, options.sct,
                                                           self.collection.counted_from)
            if options.max_near:
                crowded += oracle_joins.set_aside_crowded(signed, options, self.collection.counted_from)
            self.asides += [self.aside(signed, row, "crowded") for row in crowded]
            self.asides += [(doc, unit, result_file.ASIDE_REASONS.index(reason), site, documents, words)
                            for doc, unit, site, documents, words, reason in signed.templates]
            common = [oracle_passages.Common(*row) for row in sorted(rows + copies.common + crowded)]
            self.joined = signed, common, oracle_joins.find_dots(signed, options)
            self.copies = copies
            self.joined_for = wanted
        return self.joined

    def aside(self, signed, row, reason, whole=False):
        """The row of /aside of a row (df, doc, unit) of /common."""
        df, doc, unit = row
        found = signed.units_by_row[doc][unit]
        words = len(self.collection.documents[doc].words) if whole else found.end_word - found.first_word
        return (doc, unit, result_file.ASIDE_REASONS.index(reason), "", df, words)

    def expect(self, options):
        """All rows that the result file must hold under these options."""
        signed, common, dots = self.join(options)
        return oracle_passages.tables(self.collection, signed, dots, common, options,
                                      self.copies)

    def expect_of(self, rows, options):
        """(all rows that follow from the dots of an approximate result's passages, recall of these
        dots, those that the exact join has not)."""
        signed, common, dots = self.join(options)
        found = oracle_joins.dots_of_passages(rows)
        true = oracle_joins.select(dots, found)
        expected = oracle_passages.tables(self.collection, signed, true, common, options)
        recall = len(true.i) / len(dots.i) if len(dots.i) else 1.0
        false = found - set(zip(*(column.tolist() for column in true[:4])))
        return expected, recall, sorted(false)

    def words_of(self, row, k):
        """The words of a unit, as last joined; of a unit that is not there, none."""
        units = self.joined[0].units_by_row.get(row, []) if self.joined else []
        if k >= len(units):
            return []
        return self.collection.documents[row].words[units[k].first_word:units[k].end_word]


def approximate_complaints(recall, false, least_recall, show):
    """What is wrong with the dots of a join that may lack some."""
    wrong = [f"recall {recall:.4f} is below {least_recall}"] if recall < least_recall else []
    if false:
        wrong.append(f"{len(false)} dots are not of the exact join")
        wrong += [f"  not of the exact join: doc_a={a} doc_b={b} unit {i} of a, unit {j} of b"
                  for a, b, i, j in false[:show]]
    return wrong


def judge_result(judge, run, show):
    """(complaints about one result file, its verdict in words)."""
    with result_file.open_result(run.path) as result:
        options, complaints = oracle_options.options_of(result, run)
        if not options.check:
            complaints += result_file.document_complaints(result, judge.collection)
        note = ""
        if options.join == "lsh":
            rows = result_file.passages(result)
            if options.check:  # doc_b is a row of /sources
                rows = [(row[0], row[1] + options.targets, *row[2:]) for row in rows]
            expected, recall, false = judge.expect_of(rows, options)
            complaints += approximate_complaints(recall, false, run.least_recall, show)
            note = f", recall {recall:.4f}"
        else:
            expected = judge.expect(options)
        if options.check:
            complaints += oracle_queries.complaints(result, judge, options, expected, show)
        complaints += result_file.table_complaints(result, expected, judge, show,
                                                   options.targets if options.check else 0)
        complaints += result_file.match_complaints(
            result, oracle_passages.dots_by_pair(judge.joined[2], 0), options, show)
        complaints += result_file.aside_complaints(result, [] if options.check else judge.asides)
    return complaints, verdict(judge.collection, expected, complaints, note)


def verdict(collection, expected, complaints, note):
    """The closing line for one result file."""
    ndocs = max(collection.ndocuments, len(collection.documents))
    return (f"oracle: {ndocs} documents, {len(collection.places)} sentences,"
            f" {len(expected.passages)} passages, {len(expected.pairs)} pairs,"
            f" {len(expected.common)} common{note}: {'DIFFERENT' if complaints else 'equal'}")


def judge_results(sentences, whole, ignored, runs, show, name_them):
    """Judge the result file of every run; print a line each.

    Returns the exit status: the worst of all.
    """
    judge = Judge(read_sentences(sentences))
    if whole:
        add_frames(judge.collection, read_sentences(whole))
    if ignored:
        judge.collection.ignored = read_sentences(ignored)
    worst = 0
    for run in runs:
        try:
            complaints, closing = judge_result(judge, run, show)
        except Unusable as reason:
            print(f"oracle: {reason}", file=sys.stderr)
            worst = 2
            continue
        for complaint in complaints:
            print(f"oracle: {run.path}: {complaint}")
        worst = max(worst, 1 if complaints else 0)
        print(f"{closing} ({run.path})" if name_them else closing)
    return worst


def listed_runs(path):
    """The runs named in a --list file."""
    try:
        with open(path, encoding="utf-8") as lines:
            parser = oracle_options.parser_of_runs()
            return [run for line in lines
                    for run in oracle_options.runs_of(parser.parse_args(shlex.split(line)))]
    except OSError as reason:
        raise Unusable(f"{path}: {reason}") from reason


def parse_arguments(argv):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     parents=[oracle_options.parser_of_runs()],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", metavar="S.jsonl", help="pardup sentences --offsets ...")
    parser.add_argument("--whole", metavar="S.jsonl", help="the same with the frames of pages")
    parser.add_argument("--ignored", metavar="S.jsonl", help="the same of the files of --ignore")
    parser.add_argument("--result", metavar="OUT.h5", action="append", default=[])
    parser.add_argument("--list", metavar="FILE", help="of result files and their options")
    parser.add_argument("--show", type=int, default=5, help="rows printed of each difference [5]")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args(argv)
    arguments.results += arguments.result
    named = arguments.results or arguments.list
    if not arguments.self_test and not (arguments.sentences and named):
        parser.error("give --sentences and at least one result, or --self-test")
    return arguments


def main(argv):
    """Returns the exit status."""
    arguments = parse_arguments(argv)
    if arguments.self_test:
        import oracle_selftest  # it imports this module: not at the top
        return oracle_selftest.run()
    try:
        runs = oracle_options.runs_of(arguments)
        runs += listed_runs(arguments.list) if arguments.list else []
        name_them = bool(arguments.list) or len(runs) > 1
        return judge_results(arguments.sentences, arguments.whole, arguments.ignored, runs, arguments.show, name_them)
    except Unusable as reason:
        print(f"oracle: {reason}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
