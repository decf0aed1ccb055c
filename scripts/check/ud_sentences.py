#!/usr/bin/env python3
"""Compares the sentences of pardup with sentences that people marked, in seven languages.

    ud_sentences.py [--verbose] [--peers]

Prints the F1 of sentences whose begin and end both are right, in the development parts of Universal
Dependencies treebanks.  A text is rebuilt from its sentences, with a space between them (none in
Chinese and Japanese) and an empty line between paragraphs.
--peers: also of pysbd and blingfire, where this Python has them.
--verbose: the sentences of pardup that are wrong.  PARDUP, PARDUP_DATA: see suites.py.
"""

import sys

import suites

LANGUAGES = ("en", "de", "es", "fr", "ru", "ja", "zh")
TIGHT = ("ja", "zh")  # no space between sentences


def read_texts(path, tight):
    """[[sentences] of a paragraph] of a treebank."""
    paragraphs, fresh = [], True
    for line in open(path, encoding="utf-8"):
        if line.startswith(("# newpar", "# newdoc")):
            fresh = True
        elif line.startswith("# text = "):
            if fresh:
                paragraphs.append([])
            paragraphs[-1].append(line[len("# text = "):].strip())
            fresh = False
    gap = "" if tight else " "
    return ["\n\n".join(gap.join(p) for p in paragraphs)], [s for p in paragraphs for s in p]


def spans(ends):
    """(begin, end) of the sentences that end there."""
    ends = sorted(ends)
    return set(zip([0] + ends, ends))


def f1(found, wanted):
    """F1 of two sets."""
    return 2 * len(found & wanted) / (len(found) + len(wanted))


def peers(language):
    """(name, function of a text to its sentences) of the programs that this Python has."""
    found = []
    try:
        import pysbd
        segmenter = pysbd.Segmenter(language=language, clean=False)
        found.append(("pysbd", segmenter.segment))
    except ImportError:
        pass
    try:
        import blingfire
        found.append(("blingfire", lambda text: blingfire.text_to_sentences(text).split("\n")))
    except ImportError:
        pass
    return found


def show(text, found, wanted):
    """Print the wrong sentences of a text, with bars at the ends that people see."""
    solid = suites.solid(text)
    for begin, end in sorted(found - wanted):
        inside = sorted(at for at in {e for _, e in wanted} if begin < at < end)
        print("  ", "|".join(solid[a:b] for a, b in zip([begin] + inside, inside + [end])))


def main():
    """Returns the exit status."""
    parser = suites.arguments(__doc__)
    parser.add_argument("--peers", action="store_true", help="other programs too")
    given = parser.parse_args()
    folder = suites.unpack("ud-sentences-dev")
    for language in LANGUAGES:
        path = next(folder.glob(f"{language}_*.conllu"))
        (text,), sentences = read_texts(path, language in TIGHT)
        wanted = spans(suites.ends_expected(sentences))
        found = spans(suites.ends_found(text, suites.sentences([text])[0]))
        line = f"{language}: {len(wanted)} sentences, pardup {f1(found, wanted):.3f}"
        for name, split in peers(language) if given.peers else ():
            ends = suites.ends_expected([part for paragraph in text.split("\n\n")
                                         for part in split(paragraph)])
            line += f", {name} {f1(spans(ends), wanted):.3f}"
        print(line, flush=True)
        if given.verbose:
            show(text, found, wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
