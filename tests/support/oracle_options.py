"""The options of a run that the judge goes by: names, values, presets, where they come from.

Each is what the result file records; the command line may confirm it, and stands in for a file that
does not record it; last comes the default of the method.
"""

import argparse
import collections

from sentence_file import Unusable
import result_file

DEFAULTS = {
    "preset": "paper", "method": "pdc-imatch",
    "units": "sentence", "window": (1, 1), "jump": False, "sample": 1, "winnow": 1,
    "feature": "words", "shingle_bytes": 64, "shingle_blanks": "drop", "ngram": 4, "char_ngram": 0, "antecedents": "10000", "spot_distance": 1, "spot_chain": 2,
    "stop_words": "english",
    "reach": 3, "rare": 0.0002, "refine": "none", "frequencies": "",
    "join": "equal", "tau": 0.9, "sct": 0, "max_near": 0,
    "gamma": 3, "gap": 0, "theta_d": 0.0, "delta": 0,
    "max_df": 300, "max_df_of": "documents", "common": "aside", "within": False, "templates": "match", "frame": "match", "copies": "ignore", "min_copy_words": 0, "min_copy_agreement": 1.0, "idf": (0.1, 1.0), "always_df": 1000, "lexicons": 1, "max_word_df": 1.0, "min_words": 1,
    "min_counted": 1, "empty": "aside", "max_repeats": 0, "repeats": "none", "edges": "word", "passages": "all",
    "min_passage_words": 0, "min_agreement": 0.0, "targets": 0, "first_with": 0, "check": False, "top": 10,
}
Options = collections.namedtuple("Options", DEFAULTS)

PASSAGES = {"passages": "best", "common": "first", "copies": "report"}
RUNS = {**PASSAGES, "method": "full-fp", "edges": "far", "min_agreement": 0.6}
GRAMS = {**RUNS, "max_repeats": 16, "repeats": "first"}
PAGES = {**RUNS, "ngram": 3, "char_ngram": 5, "winnow": 4, "gamma": 3, "gap": 20, "delta": 6, "min_words": 8, "frame": "aside",
         "templates": "aside", "max_df": 10, "max_repeats": 4, "min_copy_words": 10, "min_copy_agreement": 0.6, "min_passage_words": 10}
KINDS = {  # of collections: --preset
    "paper": {"always_df": 0, "max_df": 0, "edges": "sentence"},
    "web": PAGES,
    "texts": {**GRAMS, "ngram": 5, "gamma": 3, "gap": 20, "min_passage_words": 10},
    "characters": {**GRAMS, "ngram": 5, "char_ngram": 8, "gamma": 8, "gap": 30, "min_passage_words": 16},
    "code": {**GRAMS, "ngram": 5, "gamma": 1, "gap": 10, "common": "aside", "max_df": 60, "min_passage_words": 8},
    "edited": {"method": "edited", "common": "first", "copies": "report"},
}
OF_METHODS = ("units", "feature", "ngram", "gamma", "delta")  # of kinds: what a method sets anew

PRESETS = {
    "pdc-imatch": {},
    "pdc-shingle2": {"feature": "shingle", "ngram": 2, "join": "jaccard"},
    "pdc-shingle3": {"feature": "shingle", "ngram": 3, "join": "jaccard"},
    "pdc-shingle4": {"feature": "shingle", "ngram": 4, "join": "jaccard"},
    "pdc-spotsigs": {"feature": "spot", "join": "jaccard"},
    "yoon": {"feature": "bag", "gamma": 0, "max_word_df": 0.6, "idf": (0.0, 1.0), "delta": 3,
             "max_df": 300, "max_df_of": "times"},
    "qsign-exact": {"join": "overlap", "tau": 0.6, "gamma": 0, "idf": (0.0, 1.0), "theta_d": 5.0},
    "qsign-index": {"join": "index", "tau": 0.6, "gamma": 0, "idf": (0.0, 1.0), "theta_d": 5.0},
    "qsign-lsh": {"join": "lsh", "tau": 0.6, "gamma": 0, "idf": (0.0, 1.0), "theta_d": 5.0},
    "sentence-fp": {"units": "clause", "feature": "sequence", "gamma": 0},
    "sentence-fp-sd": {"units": "stop", "feature": "sequence", "gamma": 0},
    "sentence-length": {"units": "clause", "window": (10, 1), "feature": "lengths", "gamma": 0},
    "full-fp": {"units": "gram", "ngram": 6, "feature": "sequence", "gamma": 0},
    "edited": {"units": "gram", "ngram": 1, "feature": "pairs", "reach": 4, "rare": 0.0003,
               "gamma": 2, "gap": 60, "max_repeats": 1, "repeats": "first", "max_df": 50,
               "refine": "words", "edges": "far"},
    "imatch-doc": {"units": "document", "gamma": 0},
    "nikkhoo": {"units": "document", "feature": "bytes", "join": "jaccard", "tau": 0.0, "gamma": 0},
    "spotsigs-doc": {"units": "document", "feature": "spot", "antecedents": "5", "join": "jaccard",
                     "tau": 0.44, "gamma": 0},
}

# A result file to judge: the options that its run was given; whether those were all, so that the
# others must be the defaults of the method; and how little an approximate join may find.
Run = collections.namedtuple("Run", "path given complete least_recall", defaults=(False, 0.0))

CHECKED = "decisions"  # the table that tells a result of check

UNJUDGED = ("sketch", "bits", "word_bits", "diffbit", "tables", "rows")  # of lsh: any may be given

SET_FEATURES = ("words", "multiset", "shingle", "bytes", "spot")  # the others have one signature: only equality


# ------------------------------------------------------------------ values from text

def choice(*names):
    """A parser that takes one of the names."""
    def parse(text):
        if text not in names:
            raise ValueError(f"{text!r} is none of {', '.join(names)}")
        return text
    return parse


def count(text):
    """A whole number, which a file may hold as a double."""
    value = float(text)
    if value < 0 or value != int(value):
        raise ValueError(f"{text!r} is no count")
    return int(value)


def number(text):
    """A number, or a fraction P/Q: then the double nearest to it."""
    numerator, slash, denominator = text.partition("/")
    return float(numerator) / float(denominator) if slash else float(numerator)


def pair_of(parse):
    """A parser of two values with a comma between."""
    def parse_pair(text):
        first, second = text.split(",")
        return parse(first), parse(second)
    return parse_pair


def flag(text):
    """Whether the text says yes."""
    return text.lower() in ("1", "true", "yes")


def antecedents(text):
    """How many words are antecedents, in its plainest form, or the path of a file of them."""
    return str(count(text)) if is_number(text) else text


def is_number(text):
    """Whether the text is a number and not a path."""
    try:
        float(text)
    except ValueError:
        return False
    return True


PARSERS = {
    "preset": choice("auto", *KINDS),
    "method": choice(*PRESETS),
    "units": choice("sentence", "clause", "stop", "gram", "document"),
    "window": pair_of(count), "jump": flag, "sample": count, "winnow": count,
    "feature": choice("words", "multiset", "bag", "sequence", "shingle", "bytes", "spot", "lengths", "pairs"),
    "reach": count, "rare": number, "refine": choice("none", "words"),
    "frequencies": str,  # the path of a table; empty: the documents say how frequent words are
    "ngram": count, "char_ngram": count, "antecedents": antecedents, "spot_distance": count, "spot_chain": count,
    "stop_words": str,
    "join": choice("equal", "jaccard", "overlap", "index", "lsh"), "tau": number, "sct": count, "max_near": count, "shingle_bytes": count, "shingle_blanks": choice("drop", "keep"),
    "gamma": count, "gap": count, "theta_d": number, "delta": count,
    "max_df": count, "max_df_of": choice("documents", "times"), "common": choice("aside", "first"), "within": flag, "templates": choice("match", "aside"),
    "frame": choice("match", "aside"),  # the judge is given texts without frames
    "min_copy_words": count, "min_copy_agreement": number, "copies": choice("ignore", "report"), "idf": pair_of(float), "always_df": count, "lexicons": count, "max_word_df": number, "min_words": count,
    "min_counted": count, "empty": choice("aside", "match"), "max_repeats": count, "repeats": choice("none", "first"),
    "min_passage_words": count, "min_agreement": number,
    "edges": choice("word", "sentence", "far"), "passages": choice("all", "best"),
    "targets": count,  # documents before the sources of --against or check; 0: there are no sides
    "first_with": count,  # documents before those of --with; 0: there are none
    "check": flag, "top": count,  # pardup check: is it one, and how many rows of /ranking a target has
}


# ------------------------------------------------------------------ options of a run

def add_arguments(parser):
    """An argument for every option of a run."""
    for name, parse in PARSERS.items():
        option = "--" + name.replace("_", "-")
        if parse is flag:
            parser.add_argument(option, action="store_true", default=None)
        else:
            parser.add_argument(option, type=parse)
    for name in UNJUDGED:
        parser.add_argument("--" + name.replace("_", "-"))


def parser_of_runs():
    """What names one run: a result file and the options that were given."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("results", metavar="RESULT.h5", nargs="*")
    parser.add_argument("--complete", action="store_true",
                        help="the run was given no options but these")
    parser.add_argument("--least-recall", type=float, default=0.0, metavar="R",
                        help="join lsh: the recall below which a result is wrong [0]")
    add_arguments(parser)
    return parser


def runs_of(arguments):
    """The runs that parsed arguments name."""
    given = {name: getattr(arguments, name) for name in PARSERS
             if getattr(arguments, name) is not None}
    return [Run(path, given, arguments.complete, arguments.least_recall)
            for path in arguments.results]


def preset(method, kind="paper", given=True):
    """The options of a method for a kind of collections when nothing else is given.

    given: the method is; otherwise it is the default, and the kind says what is compared.
    """
    anew = {name: DEFAULTS[name] for name in OF_METHODS}
    if given:
        return Options(**{**DEFAULTS, **KINDS[kind], **anew, **PRESETS[method], "method": method,
                          "preset": kind})
    own = KINDS[kind].get("method", DEFAULTS["method"])
    return Options(**{**DEFAULTS, **PRESETS[own], **KINDS[kind], "preset": kind})


def recorded_options(result):
    """{name: value} of the options that the result file records."""
    if CHECKED in result:
        recorded = {"check": True, "first_with": 0, "targets": len(result["/documents/id"])}
    else:
        recorded = {"targets": 0, "first_with": 0, "check": False, "top": DEFAULTS["top"]}
    for name, parse in PARSERS.items():
        text = result_file.attribute(result, name)
        if text is None:
            continue
        try:
            recorded[name] = parse(text)
        except ValueError as reason:
            raise Unusable(f"{result.filename}: attribute {name}: {reason}") from reason
    return recorded


def with_defaults(values):
    """Options with these values, and the defaults of their method."""
    kind = values.get("preset", DEFAULTS["preset"])
    kind = "paper" if kind == "auto" else kind  # the result records all that auto has set
    options = preset(values.get("method", DEFAULTS["method"]), kind, "method" in values)
    if "gap" not in {**KINDS[kind], **PRESETS[options.method], **values}:
        sample = values.get("sample", options.sample)
        grams = values.get("units", options.units) == "gram"
        options = options._replace(gap=sample - 1 if grams else 0)
    options = options._replace(**values)
    winnows = options.units == "gram" and options.feature == "sequence"
    if not winnows:
        options = options._replace(winnow=1)
    weighs = winnows and options.char_ngram > options.ngram
    return options if weighs else options._replace(char_ngram=0)


def options_of(result, run):
    """(the options to judge by, complaints about those that the file records otherwise)."""
    recorded = recorded_options(result)
    expected = with_defaults(run.given)._asdict()
    if not run.complete:
        expected = {name: expected[name] for name in run.given}
    complaints = [f"the file records {name} = {recorded[name]}, expected {expected[name]}"
                  for name in expected if name in recorded and recorded[name] != expected[name]]
    if run.complete:
        complaints += [f"the file does not record {name}" for name in expected
                       if name not in recorded]
    options = with_defaults({**run.given, **recorded})
    for reason in reasons_against(result, options):
        raise Unusable(f"{result.filename}: {reason}")
    return options, complaints


def reasons_against(result, options):
    """Why a run with these options cannot be judged."""
    if flag(result_file.attribute(result, "skip_same_host") or "no"):
        yield "the oracle does not know hosts"
    if result_file.attribute(result, "skip_same"):
        yield "the oracle does not know fields"
    if options.join != "equal" and options.feature not in SET_FEATURES:
        yield f"feature {options.feature} has no similarity, only equality"
    if options.join != "equal" and not 0 <= options.tau <= 1:
        yield f"tau {options.tau} is not in [0, 1]"
    if options.units in ("gram", "document") and (
            options.feature == "lengths" or options.window != (1, 1)):
        yield "grams and documents have neither lengths nor windows"
    if options.join == "lsh" and options.max_near:
        yield "join lsh is judged without --max-near"
    if options.join == "lsh" and options.copies != "ignore":
        yield "join lsh is judged without --copies"
    if options.join == "lsh" and (options.gamma, options.gap, options.theta_d, options.delta) != (
            0, 0, 0.0, 0):
        yield "join lsh is judged with gamma, gap, theta-d and delta 0 only"
