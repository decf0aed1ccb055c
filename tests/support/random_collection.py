"""Invented documents with the troubles of real ones, from a seed.

Few words, so that sentences agree by chance; runs of sentences copied between documents with edits,
cut in the middle of a sentence at either end; sentences that come again within a document; a
banner and a notice in many documents; words in another order; words with accents, Chinese
sentences; empty documents, documents of one sentence, and some ids that are given twice.

The banner is in 43 % of the documents: of 800, that is more than 300, so that the usual --max-df
bites, and less than 800^0.9 = 410, so that its words still count in I-Match's range from 0.1 on.

With `near`, most copied sentences have one word replaced, put in, dropped, or in another place, so
that similarities lie on usual thresholds such as 2/3, 3/4 and 9/10; and stop words are among the
words.
"""

import html
import random

SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()
ACCENTED = ["café", "naïve", "Ærø", "Übung", "señor"]
STOP_WORDS = ["the", "of", "and", "in", "isn't"]
PAUSES = ["%s"] * 30 + ["%s,", "%s;", "%s:", "(%s)"]
HANZI = "天地人日月山水火木金土东西南北中"
BANNER = ["Welcome to the pages of the town library.", "Home and search and help and contact."]
NOTICE = ["All rights reserved by the owner of these pages.", "Nothing here may be copied."]
MENU = ["Home", "News and weather", "Sports", "Contact", "Jobs", "Help"]  # of a page
BOILERPLATE_SHARE = 0.45  # of the documents that have a body
FIRST_COPY = 5  # documents before any is copied from
WHOLE_COPIED = 6  # documents that are copied as a whole


class Author:
    """Writes sentences and documents from one stream of random numbers."""

    def __init__(self, seed, near):
        self.rng = random.Random(seed)
        self.near = near
        self.longest = 20 if near else 12  # words in a sentence
        words = [a + b for a in SYLLABLES for b in SYLLABLES]
        self.rng.shuffle(words)
        self.words = (STOP_WORDS if near else []) + words[:70] + ACCENTED
        self.weights = [1 / rank for rank in range(1, len(self.words) + 1)]
        self.stock = [self.sentence() for _ in range(150)]  # comes again all over the collection

    def sentence(self):
        """A new sentence; short ones are likely to be written twice."""
        if self.rng.random() < 0.03:
            return "".join(self.rng.choices(HANZI, k=self.rng.randint(2, 12))) + "。"
        words = self.rng.choices(self.words, self.weights, k=self.rng.randint(1, self.longest))
        if self.near:
            words = [self.rng.choice(PAUSES) % word for word in words]
        return punctuated(words, self.rng.choice("...!?"))

    def paragraph_of(self, size):
        """That many sentences, new, from the stock, or one that was just written again."""
        sentences = []
        for _ in range(size):
            dice = self.rng.random()
            if dice < 0.25:
                sentences.append(self.rng.choice(self.stock))
            elif dice < 0.32 and sentences:
                sentences.append(self.rng.choice(sentences))
            else:
                sentences.append(self.sentence())
        return sentences

    def nearly(self, words):
        """The words with one replaced, put in, dropped, or in another place."""
        place = self.rng.choice((0, self.rng.randrange(len(words)), len(words) - 1))
        dice = self.rng.randrange(4)
        if dice == 0:
            words[place] = self.rng.choice(self.words)
        elif dice == 1:
            words.insert(place, self.rng.choice(self.words))
        elif dice == 2:
            words[place], words[-1] = words[-1], words[place]
        elif len(words) > 1:
            del words[place]
        return words

    def edited(self, sentence):
        """The sentence as a copyist leaves it: mostly as it is."""
        words = sentence[:-1].split()
        if self.near and not sentence.endswith("。") and self.rng.random() < 0.6:
            return [punctuated(self.nearly(words), sentence[-1])]
        dice = self.rng.random()
        if dice < 0.85 or sentence.endswith("。"):
            return [sentence]
        if dice < 0.90:  # a word replaced
            words[self.rng.randrange(len(words))] = self.rng.choice(self.words)
        elif dice < 0.93:  # the same words in another order
            self.rng.shuffle(words)
        elif dice < 0.96:  # dropped
            return []
        else:  # something put in before
            return [self.sentence(), sentence]
        return [punctuated(words, sentence[-1])]

    def cut(self, sentence, keep_end):
        """A part of the sentence: copying seldom starts and ends at full stops."""
        words = sentence[:-1].split()
        place = self.rng.randint(0, len(words))
        kept = words[place:] if keep_end else words[:place]
        extra = self.rng.choices(self.words, k=2)
        return punctuated(extra + kept if keep_end else kept + extra, sentence[-1])

    def copied_run(self, source):
        """A run of another document's sentences, edited."""
        start = self.rng.randrange(len(source))
        run = source[start:start + self.rng.randint(2, 14)]
        result = [part for sentence in run for part in self.edited(sentence)]
        if start > 0 and self.rng.random() < 0.5:
            result.insert(0, self.cut(source[start - 1], keep_end=True))
        after = start + len(run)
        if after < len(source) and self.rng.random() < 0.5:
            result.append(self.cut(source[after], keep_end=False))
        return result

    def body(self, earlier):
        """The sentences of a document, between banner and notice."""
        dice = self.rng.random()
        if dice < 0.04:
            return []
        if dice < 0.10:
            return self.paragraph_of(1)
        if dice < 0.14 and earlier:  # an exact copy
            return list(self.rng.choice(earlier))
        sentences = self.paragraph_of(self.rng.randint(2, 20))
        if len(earlier) > FIRST_COPY:
            for _ in range(self.rng.choice((0, 0, 1, 1, 2))):
                place = self.rng.randint(0, len(sentences))
                sentences[place:place] = self.copied_run(self.rng.choice(earlier))
        return sentences

    def paragraphs(self, sentences):
        """The document as a list of paragraphs, each a list of sentences."""
        framed = [BANNER] if self.rng.random() < BOILERPLATE_SHARE else []
        while sentences:
            size = self.rng.randint(2, 7)
            framed.append(sentences[:size])
            sentences = sentences[size:]
        return framed + ([NOTICE] if self.rng.random() < BOILERPLATE_SHARE else [])


def punctuated(words, mark):
    """The words as a sentence."""
    text = " ".join(words)
    return text[:1].upper() + text[1:] + mark


def copy_of(paragraphs, rng):
    """A document with the same words; some have other sentences."""
    if rng.random() < 0.7:
        return paragraphs
    return [[" ".join(sentence.rstrip(".!?。") for sentence in sentences)]
            for sentences in paragraphs]


def documents(seed, count, near=False):
    """Yield (id, paragraphs): a paragraph is a list of sentences; an empty document has none."""
    author = Author(seed, near)
    copier = random.Random(f"copies {seed}")
    earlier, whole = [], []
    for number in range(count):
        body = author.body(earlier)
        if body:
            earlier.append(body)
        twin = number > 0 and author.rng.random() < 0.01
        name = f"r{number - 1 if twin else number:06d}"
        paragraphs = author.paragraphs(body) if body else []
        if whole and copier.random() < 0.08:
            paragraphs = copy_of(copier.choice(whole), copier)
        elif paragraphs and len(whole) < WHOLE_COPIED:
            whole.append(paragraphs)
        yield name, paragraphs


def as_text(paragraphs):
    """Plain text, an empty line between paragraphs."""
    return "\n\n".join(" ".join(sentences) for sentences in paragraphs)


def as_html(name, paragraphs):
    """A small page that declares its character set, with a menu and a footer around its text."""
    menu = "".join(f"<li><a href='{k}.html'>{word} {name[-1]}</a></li>" for k, word in enumerate(MENU))
    body = "\n".join(f"<p>{html.escape(' '.join(sentences))}</p>" for sentences in paragraphs)
    return (f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{name}</title>\n'
            f"<style>p {{ margin: 1em }}</style></head>\n<body>\n<ul class='menu'>{menu}</ul>\n{body}\n"
            f"<div class='footer'><a href='about.html'>About us</a> | "
            f"<a href='{name}.html'>Page {name}</a></div>\n</body></html>\n")
