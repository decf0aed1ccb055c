#!/usr/bin/python3
"""Makes collections of tiny documents, of about 60 to 200 bytes of text each.

    many_documents.py files|jsonl|warc|trec N OUT

files: N text files in folders of 1000 below OUT; the others: one file OUT, as JSON lines, as WARC
with a gzip member a record, as TREC SGML.  Every tenth document says what the fifth before it says,
so that N // 10 pairs of documents are duplicates; no other two share a sentence.
"""

import gzip
import json
import pathlib
import random
import sys

WORDS_MOST = 50000
COPY_EVERY, COPY_OF = 10, 5  # document 9 is a copy of document 4
FILES_A_FOLDER = 1000


def texts(n):
    """The documents' texts."""
    rng = random.Random(n)
    syllables = [c + v for c in "bdfghklmnprstvz" for v in "aeiou"]
    kept = ""
    for k in range(n):
        if k % COPY_EVERY == COPY_EVERY - 1:
            yield kept
            continue
        sentences = []
        for _ in range(rng.randrange(2, 5)):
            words = []
            for _ in range(rng.randrange(4, 8)):
                word = rng.randrange(WORDS_MOST)
                words.append("".join(syllables[word // len(syllables) ** at % len(syllables)]
                                     for at in range(3)))
            sentences.append(" ".join(words).capitalize() + ".")
        text = " ".join(sentences) + "\n"
        if k % COPY_EVERY == COPY_EVERY - 1 - COPY_OF:
            kept = text
        yield text


def write_files(n, out):
    """A file a document."""
    for k, text in enumerate(texts(n)):
        folder = out / f"{k // FILES_A_FOLDER:06d}"
        if k % FILES_A_FOLDER == 0:
            folder.mkdir(parents=True)
        (folder / f"{k:08d}.txt").write_text(text)


def write_jsonl(n, out):
    """JSON lines."""
    with open(out, "w", encoding="ascii") as file:
        for k, text in enumerate(texts(n)):
            file.write(json.dumps({"id": f"many-{k}", "text": text}) + "\n")


def write_warc(n, out):
    """Responses of plain text, a gzip member each."""
    with open(out, "wb") as file:
        for k, text in enumerate(texts(n)):
            body = f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{text}"
            file.write(gzip.compress(
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: many-{k}\r\n"
                "Content-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}\r\n\r\n".encode(), 1, mtime=0))


def write_trec(n, out):
    """Newswire markup."""
    with open(out, "w", encoding="ascii") as file:
        for k, text in enumerate(texts(n)):
            file.write(f"<DOC>\n<DOCNO> many-{k} </DOCNO>\n<TEXT>\n{text}</TEXT>\n</DOC>\n")


def main(argv):
    """Returns the exit status."""
    writers = {"files": write_files, "jsonl": write_jsonl, "warc": write_warc, "trec": write_trec}
    if len(argv) != 3 or argv[0] not in writers or not argv[1].isdigit():
        sys.exit(__doc__)
    writers[argv[0]](int(argv[1]), pathlib.Path(argv[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
