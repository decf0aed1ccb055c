"""The words of a text and the forms in which they are compared, as docs/methods.md defines them.

Everything is told from the names and categories that Unicode gives to characters.  Text with seams
(hyphens at line ends, bars) is not understood here.  As a script it judges what
`pardup sentences --offsets` prints about invented text in many scripts:

    word_reader.py make SEED >documents.jsonl
    word_reader.py judge documents.jsonl sentences.jsonl SPELLING
"""

import json
import random
import sys
import unicodedata

POINTED = ("HEBREW ", "ARABIC ", "SYRIAC ")
DROPPED_LETTERS = ("ARABIC TATWEEL", "ARABIC SMALL WAW", "ARABIC SMALL YEH")
SAME_LETTERS = {
    "ARABIC LETTER ALEF": ["ARABIC LETTER ALEF WASLA", "ARABIC LETTER ALEF WITH WAVY HAMZA ABOVE",
                           "ARABIC LETTER ALEF WITH WAVY HAMZA BELOW"],
    "ARABIC LETTER YEH": ["ARABIC LETTER ALEF MAKSURA", "ARABIC LETTER FARSI YEH"],
    "ARABIC LETTER KAF": ["ARABIC LETTER KEHEH", "ARABIC LETTER SWASH KAF"],
    "ARABIC LETTER HEH": ["ARABIC LETTER HEH GOAL", "ARABIC LETTER AE"],
    "APOSTROPHE": ["RIGHT SINGLE QUOTATION MARK", "MODIFIER LETTER APOSTROPHE"],
}
LETTER_FOR = {unicodedata.lookup(name): unicodedata.lookup(letter)
              for letter, names in SAME_LETTERS.items() for name in names}
WITHOUT_BLANKS = ("THAI ", "LAO ", "MYANMAR ", "KHMER ", "TAI ", "NEW TAI LUE ")
VOWELS_BEHIND = {unicodedata.lookup(name) for name in (
    "THAI CHARACTER SARA A", "THAI CHARACTER SARA AA", "THAI CHARACTER SARA AM",
    "THAI CHARACTER LAKKHANGYAO", "LAO VOWEL SIGN A", "LAO VOWEL SIGN AA", "LAO VOWEL SIGN AM")}
RADICALS = ("KANGXI RADICAL ", "CJK RADICAL MOTHER", "CJK RADICAL C-SIMPLIFIED TURTLE")
HAN = ("CJK UNIFIED ", "CJK COMPATIBILITY IDEOGRAPH", "HANGZHOU ", "IDEOGRAPHIC ITERATION",
       "IDEOGRAPHIC NUMBER", "HIRAGANA ")
KATAKANA = ("KATAKANA", "HALFWIDTH KATAKANA")
APOSTROPHES = "'\u2019\u02bc\x92"
LETTER_FOR["\x92"] = "'"
IGNORABLE = [(0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
             (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F),
             (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
             (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF)]  # Default_Ignorable_Code_Point


def is_ignorable(char):
    """Is the character invisible, and meant to be ignored?"""
    return any(first <= ord(char) <= last for first, last in IGNORABLE)


def is_dropped(char):
    """Is the character no part of any form?"""
    name = unicodedata.name(char, "")
    return (is_ignorable(char) or name in DROPPED_LETTERS
            or unicodedata.category(char) == "Mn" and name.startswith(POINTED))


def form_of(word, spelling="exact"):
    """The form in which a word is compared."""
    folded = unicodedata.normalize("NFKC", word).casefold()
    apart = unicodedata.normalize("NFKD", folded)
    kept = "".join(LETTER_FOR.get(char, char) for char in apart if not is_dropped(char))
    form = unicodedata.normalize("NFC", kept)
    if spelling == "early-modern":
        for old, new in (("v", "u"), ("j", "i"), ("æ", "ae"), ("œ", "oe")):
            form = form.replace(old, new)
        if form.endswith("e") and len(form.encode()) > 2:
            form = form[:-1]
    return form


def kind_of(char):
    """What a character does to words."""
    name, category = unicodedata.name(char, ""), unicodedata.category(char)
    if char in APOSTROPHES:
        return "apostrophe"
    if char in ".,":
        return "point"
    if is_ignorable(char):
        return "ignorable"
    if category[0] == "M" or char in VOWELS_BEHIND:
        return "mark"
    if name.startswith(RADICALS):
        return "single"
    if category[0] in "LN" or category == "Pc":
        if name.startswith(HAN) or (category in ("Lo", "Lm") and name.startswith(WITHOUT_BLANKS)):
            return "single"
        return "kana" if name.startswith(KATAKANA) else "run"
    if unicodedata.decomposition(char).startswith(("<circle>", "<square>")):
        made = unicodedata.normalize("NFKC", char)
        kinds = {kind_of(c) for c in made} - {"mark"}
        if len(kinds) == 1 and kinds <= {"run", "kana", "single"} and (len(made) == 1 or "single" not in kinds):
            return kinds.pop()
    return "break"


def end_of_word(text, begin, kinds):
    """Where the word ends that begins at text[begin]."""
    kind = "run" if kinds[begin] == "mark" else kinds[begin]
    last = begin  # the last character that is not ignorable
    k = begin + 1
    while k < len(text):
        following = kinds[k + 1] if k + 1 < len(text) else None
        if kinds[k] == "ignorable":
            k += 1
            continue
        if kinds[k] == "apostrophe":
            inside = kind != "single" and following == kind
        elif kinds[k] == "point":
            inside = (kind != "single" and following is not None and
                      unicodedata.category(text[last]) == unicodedata.category(text[k + 1]) == "Nd")
        else:
            inside = kinds[k] == "mark" or (kinds[k] == kind and kind != "single")
        if not inside:
            break
        last = k
        k += 1
    return last + 1


def words_of(text, spelling="exact"):
    """[(begin, end, form)] of the words of a text, counted in characters."""
    kinds = [kind_of(char) for char in text]
    words = []
    k = 0
    while k < len(text):
        if kinds[k] in ("break", "ignorable", "apostrophe", "point"):
            k += 1
            continue
        end = end_of_word(text, k, kinds)
        form = form_of(text[k:end], spelling)
        if form:
            words.append((k, end, form))
        k = end
    return words


# ------------------------------------------------------------------ invented text

ALPHABETS = ["abcejuvæœſẞÉı\u0301\u0323", "абвгїй", "αβγςάΐ", "אבגשפ\u05b0\u05b8\u05bc\u05c1\u05be\ufb2a\ufb1e",
             "ابتكيهوءآأؤئةىیکۀہەٱـ\u064b\u064e\u0651\u0654\u0670\u06e5\u06e9\ufefb\ufdf2٣۴",
             "ܐܒܓ\u0711\u0730\u073f", "कखगषि\u093c\u094d\u0941\u0902२", "বক\u09be\u09c7\u09d7", "กขงเแไะาำัิุ้็๒ๆฯ",
             "ກຂເາຳັ້໒ໆ", "ကခမင်ြာု္၂၊", "កខម្ែរ។ា២", "ᥐᥑ", "一了⼀⺟⻳豈々〇かがガｶﾞー",
             "한국말", "ａＢﬁﬀⅧ½①", "1234567890", "ᚠᛁ𐐀𐐨", "ހަށި"]
JOINTS = [" ", " ", " ", " ", "", "", "\u200b", "\u200c", "\u200d", "\u200f", "\u00ad", "'", "’", ".", ",", "—", "\u3000"]


def make(seed):
    """Print documents of invented text as JSON lines."""
    draw = random.Random(seed)
    for number in range(300):
        text = ""
        for _ in range(draw.randrange(1, 120)):
            alphabet = draw.choice(ALPHABETS)
            text += "".join(draw.choice(alphabet) for _ in range(draw.randrange(1, 8)))
            text += draw.choice(JOINTS)
        print(json.dumps({"id": f"d{number}", "text": text}))


def judge(documents, sentences, spelling):
    """Compare each sentence with the words that its text has. How many words were right."""
    with open(documents, encoding="utf-8") as lines:
        texts = {row["id"]: row["text"].encode() for row in map(json.loads, lines)}
    right = 0
    read_to = dict.fromkeys(texts, 0)
    with open(sentences, encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            text, begin, end = texts[record["doc"]], record["begin"], record["end"]
            between = text[read_to[record["doc"]]:begin].decode()
            if words_of(between, spelling):
                sys.exit(f"{record['doc']}: words before byte {begin}: {between!r}")
            read_to[record["doc"]] = end
            sentence = text[begin:end].decode()
            at = [begin]
            for char in sentence:
                at.append(at[-1] + len(char.encode()))
            wanted = [[at[first], at[last], form] for first, last, form in words_of(sentence, spelling)]
            got = [[*span, word] for span, word in zip(record["spans"], record["words"])]
            if got != wanted:
                wrong = next((pair for pair in zip(got, wanted) if pair[0] != pair[1]),
                             (len(got), len(wanted)))
                sys.exit(f"{record['doc']}: got {wrong[0]}, wanted {wrong[1]} in {sentence!r}")
            right += len(got)
    for doc, text in texts.items():
        if words_of(text[read_to[doc]:].decode(), spelling):
            sys.exit(f"{doc}: words behind the last sentence")
    print(right, "words")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(int(sys.argv[2]))
    else:
        judge(*sys.argv[2:])
