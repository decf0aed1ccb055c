#!/bin/bash
# changes: which pages of an archive changed from capture to capture. Python makes the archives, and difflib the words.
. "$(dirname "$0")/lib.sh"

python3 - <<'END'
import json, os
def said(*numbers): return " ".join(f"Sentence number w{k} speaks of x{k} in its own words." for k in numbers)
def record(kind, url, date, body, number):
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body.encode() if body is not None else b""
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number:08d}-0000-4000-8000-000000000000>\r\nWARC-Date: {date}\r\n" \
           f"WARC-Target-URI: {url}\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    return head.encode() + http + b"\r\n\r\n"
page = lambda text, menu="Home News": f"<html><body><nav><a href=/a>{menu}</a></nav><main><p>{text}</p></main></body></html>"
url = lambda name: f"http://example.org/{name}"
weeks = [
    {"same": said(1, 2, 3), "edited": said(10, 11, 12, 13), "leaves": said(20, 21), "revisited": said(30, 31), "returns": said(50, 51)},
    {"same": said(1, 2, 3), "edited": said(10, 11, 12, 13).replace("x11 in", "something else in"), "comes": said(40, 41), "revisited": None},
    {"same": said(1, 2, 3), "edited": said(10, 13).replace("x11", "x11"), "comes": None, "revisited": said(30, 31) + " And more.", "returns": said(50, 51), "unseen": None}]
number = 0
for k, week in enumerate(weeks):
    date = f"2026-10-{12 + 7 * k}T08:00:00Z"
    os.makedirs(f"folder{k}/sub")
    with open(f"week{k}.warc", "wb") as f:
        for name, text in week.items():
            number += 1
            f.write(record("revisit" if text is None else "response", url(name), date, None if text is None else page(text, f"Menu of week {k}"), number))
            if text is not None:
                open(f"folder{k}/sub/{name}.txt", "w").write(text + "\n")
with open("only.warc", "wb") as f:
    f.write(record("revisit", url("same"), "2026-11-02T08:00:00Z", None, 99))
END

run changes --by url --frame aside week0.warc week1.warc week2.warc
exits "three weeks" 0
says "the first week" "2026-10-12T08:00:00Z: 5 pages"
says "the second week" "2026-10-19T08:00:00Z: 4 pages: 2 equal (1 revisit), 1 changed, 1 new, 2 gone"
says "the third week" "2026-10-26T08:00:00Z: 6 pages: 3 equal (2 revisits, 1 of pages not seen before), 2 changed, 1 new, 0 gone"
verdict "a row a page, with the words that changed" python3 - <<'END'
import csv
rows = {(r["date"][:10], r["page"].rsplit("/", 1)[1]): r for r in csv.DictReader(open("out"), delimiter="\t")}
assert len(rows) == 12, rows.keys()
status = {key: r["status"] for key, r in rows.items()}
assert {n for (d, n), s in status.items() if d == "2026-10-19" and s == "equal"} == {"same", "revisited"}, status
assert {n for (d, n), s in status.items() if s == "gone"} == {"leaves", "returns"}, status
assert status["2026-10-26", "returns"] == "new" and status["2026-10-26", "unseen"] == "equal", status
words = lambda d, n: [int(rows[d, n][c]) for c in ("words", "words_gone", "words_new")]
assert words("2026-10-19", "edited") == [41, 1, 2], rows["2026-10-19", "edited"]
assert words("2026-10-26", "edited") == [20, 21, 0], rows["2026-10-26", "edited"]
assert words("2026-10-26", "revisited") == [22, 0, 2], rows["2026-10-26", "revisited"]
END
run changes week0.warc week1.warc
says "with the frame, the menu has changed" "2 gone"
verdict "with the frame, all that are there have changed" [ "$(grep -c "changed" out)" -eq 2 ]
run changes folder0 folder1 folder2
exits "folders" 0
says "folders: the second" "folder1: 3 pages: 1 equal, 1 changed, 1 new, 3 gone"
verdict "folders: paths below them" grep -q "	sub/edited.txt$" out

# compare of two archives: pages by address, those that differ.
run compare week0.warc week1.warc
exits "compare of archives" 0
prints "compare of archives" "By address: 1 equal, 2 changed; 2 in A only, 1 in B only."
run compare --frame aside --width 80 week0.warc week1.warc
prints "compare without menus" "By address: 2 equal, 1 changed; 2 in A only, 1 in B only."
verdict "compare: the page that changed, with its words, then pages of one side" [ "$(grep http out | tr -s ' ')" = " 1 2 http://example.org/edited
 page of B http://example.org/comes
 page of A http://example.org/leaves
 page of A http://example.org/returns" ]
run compare --frame aside --limit 1 week0.warc week1.warc
prints "compare --limit" "3 more pages; --limit 0 shows all."
verdict "compare: no passages between pages" [ "$(grep -c '^1 of ' out)" -eq 0 ]
sed 's/example.org/example.net/' week1.warc >other.warc
run compare week0.warc other.warc
verdict "compare without a common address: passages" grep -q "^1 of " out

# An index of archives: a line for each page, by address and time.
run detect --quiet --keep-fields date -o weeks.h5 week0.warc week1.warc
run export -o weeks.cdxj weeks.h5
exits "cdxj by the ending" 0
verdict "cdxj: keys, times and places" python3 - <<'END'
import json
lines = open("weeks.cdxj").read().splitlines()
assert lines == sorted(lines) and len(lines) == 8, lines
for line in lines:
    key, time, rest = line.split(" ", 2)
    page = json.loads(rest)
    name = page["url"].rsplit("/", 1)[1]
    assert key == f"org,example)/{name}" and time in ("20261012080000", "20261019080000"), line
    with open(page["filename"], "rb") as f:
        f.seek(int(page["offset"]))
        record = f.read(int(page["length"])).decode()
    assert record.startswith("WARC/1.0\r\nWARC-Type: response") and f"WARC-Target-URI: {page['url']}\r\n" in record, record[:300]
END
run export --format cdxj --table pairs weeks.h5
exits "cdxj is of documents" 2
mkdir plain
cp folder0/sub/same.txt folder0/sub/edited.txt plain
run detect --quiet -o plain.h5 plain
run export --format cdxj plain.h5
exits "texts have no addresses" 0
says "texts have no addresses" "2 documents"

# Revisits are counted everywhere.
run detect -o weeks.h5 week1.warc week2.warc
exits "detect" 0
says "detect: revisits in full" "of them 3 revisits, "
timeout 60 "$PARDUP" detect -o weeks.h5 week1.warc week2.warc 2>err
says "detect: revisits" "0 records skipped, 3 revisits"
run detect -o only.h5 only.warc
exits "only revisits" 1
says "only revisits" "1 ignored, of them 1 revisit)"

on_terminal 80 changes week1.warc week2.warc
verdict "changes on a terminal: lined up" grep -q "^date  *status   words   gone    new  page" out
verdict "changes on a terminal: no tabs" sh -c '! grep -q "	" out'
run changes week0.warc
exits "one capture" 2
run changes week0.warc nowhere.warc
exits "no such capture" 1
finish
