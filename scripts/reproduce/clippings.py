#!/usr/bin/python3
"""Posts with clippings of news stories, and their labels, after Yoon et al. (IEICE 2012), section 3.

    clippings.py [--seed 1] [--share 0.0484] [--held-out 10] -o DIR --news "ARGUMENT..." --posts "ARGUMENT..."

ARGUMENT...: inputs and options of pardup.  Of the stories, every 10th is held out; the others are
DIR/sources.jsonl.  DIR/targets.jsonl has the posts, of which a share (the paper's) gets a clipping
of a source, and then the stories held out.  DIR/truth.tsv: id of a target, and what it is:

    none      a post as it is
    whole     a story instead of the post
    comment   a story with 1 to 3 sentences of the post
    partial   1 to 8 sentences in a row of one story, or of two, in a post
    edited    the same of one story, each second sentence changed: a common word put in, taken out,
              or in another place
    story     a story that was held out; it may repeat a source, and nobody has labelled it

PARDUP: the program.
"""

import argparse
import pathlib
import random

import texts

KINDS = ("whole", "comment", "partial", "edited")
LONGEST = 8  # sentences of a part
COMMON = "a also in now of on only some that the then there to".split()


def some_sentences(document, most, rng):
    """Up to so many sentences in a row."""
    count = rng.randint(1, min(most, len(document.begins)))
    return document.excerpt(rng.randint(0, len(document.begins) - count), count)


def changed(sentence, rng):
    """The sentence with a common word more, less, or elsewhere."""
    words = sentence.split()
    common = [k for k, word in enumerate(words) if word.lower() in COMMON and k]
    dice = rng.randrange(3)
    if dice == 0 or not common:
        words.insert(rng.randint(min(1, len(words)), len(words)), rng.choice(COMMON))
        return " ".join(words)
    moved = words.pop(rng.choice(common))
    if dice == 1:
        words.insert(rng.randint(1, len(words)), moved)
    return " ".join(words)


def edited(document, rng):
    """A part whose second, fourth and so on sentences are changed."""
    count = rng.randint(1, min(LONGEST, len(document.begins)))
    first = rng.randint(0, len(document.begins) - count)
    odd = rng.randint(0, 1)
    sentences = [document.excerpt(first + k, 1) for k in range(count)]
    return "\n".join(changed(text, rng) if k % 2 == odd else text
                     for k, text in enumerate(sentences))


def clipping(kind, stories, rng):
    """The text that is clipped."""
    if kind in ("whole", "comment"):
        return rng.choice(stories).text.decode()
    if kind == "edited":
        return edited(rng.choice(stories), rng)
    parts = [some_sentences(rng.choice(stories), LONGEST, rng) for _ in range(rng.choice((1, 1, 2)))]
    return "\n\n".join(parts)


def with_clipping(post, kind, stories, rng):
    """A post with a clipping."""
    clipped = clipping(kind, stories, rng)
    if kind == "whole":
        return clipped
    own = some_sentences(post, 3, rng) if kind == "comment" else post.text.decode()
    return "\n\n".join((own, clipped) if rng.random() < 0.5 else (clipped, own))


def main():
    """Make the collection."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=924 / 19076)
    parser.add_argument("--held-out", type=int, default=10)
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path)
    parser.add_argument("--news", required=True, help="arguments of pardup, in one word")
    parser.add_argument("--posts", required=True, help="the same")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    news = texts.read_documents(arguments.news.split(), "sentence")
    posts = texts.read_documents(arguments.posts.split(), "sentence")
    sources = [story for k, story in enumerate(news) if k % arguments.held_out]
    clipped = rng.sample(range(len(posts)), round(arguments.share * len(posts)))
    kinds = {number: KINDS[k % len(KINDS)] for k, number in enumerate(clipped)}
    long_enough = [story for story in sources if len(story.begins) > 2]
    targets = [(f"p{k}", with_clipping(post, kinds[k], long_enough, rng) if k in kinds
                else post.text.decode(), kinds.get(k, "none")) for k, post in enumerate(posts)]
    targets += [(f"s{k}", story.text.decode(), "story")
                for k, story in enumerate(news) if k % arguments.held_out == 0]
    arguments.output.mkdir(parents=True, exist_ok=True)
    texts.write_lines(arguments.output / "sources.jsonl",
                      [(f"r{k}", story.text.decode()) for k, story in enumerate(sources)])
    texts.write_lines(arguments.output / "targets.jsonl", [target[:2] for target in targets])
    with open(arguments.output / "truth.tsv", "w", encoding="utf-8") as truth:
        truth.writelines(f"{name}\t{kind}\n" for name, _, kind in targets)


if __name__ == "__main__":
    main()
