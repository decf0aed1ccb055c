#!/usr/bin/python3
"""Prints options of `pardup detect` drawn at random, a line a run: every one makes sense.

    random_options.py --seed 1 --lines 12

Options are drawn so that most runs on a collection of random_collection.py find something.
"""

import argparse
import random

THRESHOLDS = ("1/3", "0.5", "0.6", "2/3", "0.75", "7/9", "0.8", "5/6", "0.9", "1")
JOINS = ("jaccard", "jaccard", "overlap", "overlap", "index", "equal", "lsh")


def unit_options(rng):
    """What is compared."""
    dice = rng.random()
    if dice < 0.25:
        size = rng.choice((2, 4, 6, 9))
        return ["--units gram", f"--ngram {size}", f"--sample {rng.choice((1, 2, 3, 6))}",
                f"--winnow {rng.choice((1, 2, 5))}", f"--char-ngram {rng.choice((0, 5, 8))}"]
    units = [f"--units {rng.choice(('sentence', 'sentence', 'clause', 'stop'))}"]
    if dice < 0.55:
        units.append(f"--window {rng.choice((1, 2, 2, 3, 5))},{rng.choice((1, 1, 2, 3, 4))}")
        if rng.random() < 0.4 and units[-1] != "--window 1,1":
            units.append("--jump")
    return units


def feature_options(rng, grams):
    """(the feature with what it needs, whether it is a set of signatures)."""
    feature = rng.choice(("words", "words", "multiset", "shingle", "shingle", "spot", "spot",
                          "bag", "sequence", "lengths"))
    if feature == "lengths" and grams:
        feature = "sequence"
    chosen = [f"--feature {feature}"]
    if feature in ("words", "multiset", "bag"):
        chosen.append(f"--idf {rng.choice(('0,1', '0.1,1', '0.2,0.9', '0.3,0.7'))}")
        chosen.append(f"--always-df {rng.choice((0, 0, 5, 20, 1000))}")
        chosen += [f"--max-word-df {rng.choice(('0.2', '0.35', '0.6'))}"] * (rng.random() < 0.3)
    elif feature == "shingle" and not grams:
        chosen.append(f"--ngram {rng.randint(1, 6)}")
    elif feature == "spot":
        chosen += [f"--antecedents {rng.choice((1, 5, 20, 70, 10000))}",
                   f"--stop-words {rng.choice(('english', 'none'))}",
                   f"--spot-distance {rng.choice((1, 1, 2, 3))}",
                   f"--spot-chain {rng.choice((1, 2, 2, 3))}"]
    return chosen, feature in ("words", "multiset", "shingle", "spot")


def passage_options(rng, join):
    """What is kept and how.  An approximate join is judged by all its dots."""
    approximate = join == "lsh"
    chosen = [f"--max-df {rng.choice((0, 2, 3, 8, 20, 300))}",
              f"--common {rng.choice(('aside', 'first'))}",
              f"--min-words {rng.choice((1, 1, 3))}",
              f"--min-counted {rng.choice((0, 1, 2, 4))}",
              f"--max-repeats {rng.choice((0, 0, 1, 3))}",
              f"--repeats {rng.choice(('none', 'first'))}"]
    chosen += ["--max-df-of times"] * (join == "equal" and rng.random() < 0.4)
    chosen += ["--within"] * (rng.random() < 0.3)
    edges = rng.choice(('word', 'word', 'far', 'sentence'))
    if approximate and edges == "far":
        edges = "word"  # far edges drop passages, and dots with them
    chosen.append(f"--edges {edges}")
    if approximate:
        return chosen + ["--gamma 0 --gap 0"]
    chosen += [f"--min-passage-words {rng.choice((4, 9))}"] * (rng.random() < 0.2)
    chosen += [f"--min-agreement {rng.choice(('0.5', '0.75', '1'))}"] * (rng.random() < 0.2)
    chosen.append(f"--copies {rng.choice(('ignore', 'report'))}")
    chosen += [f"--min-copy-agreement {rng.choice(('0', '0.3', '0.7'))}"] * (rng.random() < 0.5)
    chosen += [f"--gamma {rng.choice((0, 0, 1, 3))}",
               f"--passages {rng.choice(('all', 'best'))}"]
    chosen += [f"--gap {rng.randint(0, 4)}"] * (rng.random() < 0.7)
    chosen += [f"--theta-d {rng.choice(('0.9', '1.5', '3', '5'))}"] * (rng.random() < 0.3)
    chosen += [f"--delta {rng.randint(1, 4)}"] * (rng.random() < 0.3)
    return chosen


def edited_options(rng):
    """A run of the method for edited text, with options that make it find something."""
    return " ".join(["--method edited", f"--reach {rng.randint(1, 5)}",
                     f"--rare {rng.choice(('0.0003', '0.003', '0.02'))}",
                     f"--gap {rng.choice((5, 20, 60))}", f"--gamma {rng.choice((1, 2, 3))}",
                     f"--max-repeats {rng.choice((1, 1, 2))}", f"--max-df {rng.choice((0, 3, 20))}",
                     f"--edges {rng.choice(('far', 'word', 'sentence'))}"])


def run_options(rng):
    """The options of one run."""
    if rng.random() < 0.1:
        return edited_options(rng)
    units = unit_options(rng)
    feature, is_set = feature_options(rng, grams=units[0] == "--units gram")
    join = rng.choice(JOINS) if is_set else "equal"
    joining = [f"--join {join}"]
    if join != "equal":
        least = 2 if join == "lsh" else 0  # bit sampling is not made for little similarity
        joining.append(f"--tau {rng.choice(THRESHOLDS[least:])}")
    elif feature[0] == "--feature words" and rng.random() < 0.5:
        joining.append("--empty match")
    return " ".join(units + feature + joining + passage_options(rng, join))


def main():
    """Print the lines."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=12)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    for _ in range(arguments.lines):
        print(run_options(rng))


if __name__ == "__main__":
    main()
