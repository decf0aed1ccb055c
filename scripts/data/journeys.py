#!/usr/bin/env python3
"""Make the small collections of docs/journeys.md, always the same ones: journeys.py WHAT

essays    essays/ with ten answers of students, two of which copy a third one, and all the assignment; assignment.txt
weeks     week1.warc, week2.warc, week3.warc: the pages of a site, week by week, with records of type revisit
dates     dates.csv: the year on the first page of each book in books-eebo/text
handbook  handbook/ with Markdown pages, of which two share a paragraph that was changed in one of them
"""
import os
import random
import re
import sys

SYLLABLES = [a + b for a in "bcdfghklmnprstvw" for b in "aeiou"]


def writer(seed):
    """A function that makes n sentences of words of a small language."""
    chance = random.Random(seed)
    words = ["".join(chance.choice(SYLLABLES) for _ in range(chance.randint(1, 4))) for _ in range(4000)]
    weights = [1 / (k + 3) for k in range(len(words))]
    sentence = lambda: " ".join(chance.choices(words, weights, k=chance.randint(8, 16))).capitalize() + "."
    return lambda n: " ".join(sentence() for _ in range(n))


def essays():
    said = writer(1)
    os.makedirs("essays")
    assignment = said(6)
    texts = [said(20) for _ in range(10)]
    texts[3] = " ".join(texts[1].split()[:150]) + " " + said(8)
    texts[7] = texts[1].replace(" ba", " be")
    with open("assignment.txt", "w") as f:
        f.write(assignment + "\n")
    for k, text in enumerate(texts):
        with open(f"essays/student{k}.txt", "w") as f:
            f.write(f"{assignment}\n\n{text}\n")


def record(kind, address, date, body, number):
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body.encode() if body else b""
    return (f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number:08d}-0000-4000-8000-000000000000>\r\n"
            f"WARC-Date: {date}\r\nWARC-Target-URI: {address}\r\nContent-Type: application/http;msgtype=response\r\n"
            f"Content-Length: {len(http)}\r\n\r\n").encode() + http + b"\r\n\r\n"


def weeks():
    said, number = writer(2), 0
    pages = {f"http://news.example.org/{k}.html": said(12) for k in range(20)}
    for week in range(3):
        with open(f"week{week + 1}.warc", "wb") as f:
            for k, (address, text) in enumerate(list(pages.items())):
                number += 1
                if week and k % 5 == week:
                    pages[address] = text = text.replace(text.split()[30], "corrected", 1)
                unchanged = week and k % 3 == 0 and k % 5 != week
                menu = f"<nav><a href=/>News of week {week + 1}</a></nav>"
                page = None if unchanged else f"<html><body>{menu}<main><p>{text}</p></main></body></html>"
                f.write(record("revisit" if unchanged else "response", address, f"2026-10-{12 + 7 * week}T08:00:00Z", page, number))
        del pages[f"http://news.example.org/{week + 17}.html"]
        pages[f"http://news.example.org/{week + 20}.html"] = said(12)


def dates():
    with open("dates.csv", "w") as table:
        table.write("id,date\n")
        for name in sorted(os.listdir("books-eebo/text")):
            with open(f"books-eebo/text/{name}", errors="replace") as book:
                year = re.search(r"\b1[56]\d\d\b", book.read(3000))
            table.write(f"{name.removesuffix('.txt')},{year[0] if year else ''}\n")


def handbook():
    said = writer(3)
    os.makedirs("handbook")
    paragraph = said(3)
    parts = {"install": [said(2), paragraph, said(2)], "upgrade": [paragraph.replace(paragraph.split()[12], "9.4", 1), said(3)],
             "licence": [said(4)], "faq": [said(2), said(3)]}
    for name, texts in parts.items():
        with open(f"handbook/{name}.md", "w") as f:
            f.write(f"# {name.capitalize()}\n\n" + "\n\n".join(texts) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ("essays", "weeks", "dates", "handbook"):
        sys.exit(__doc__)
    globals()[sys.argv[1]]()
