#!/bin/bash
# With --templates aside, the headlines of other articles are left out where most pages of a site are articles: of its articles
# and of pages whose kind is not sure. The same on any number of ranks, and in check, which finds what detect --against finds.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

"$PYTHON" - <<'PY'
# Two sites of ten pages. A page has a list of linked headlines, which one other page has, too. Of the first site six pages surely
# are articles, of the second one five.
import random
rng = random.Random(5)
syllables = [c + v for c in "bdfgklmnprst" for v in "aeiou"]
words = ["".join(rng.choice(syllables) for _ in range(rng.randint(1, 3))) for _ in range(600)]

def sentence(n):
    return " ".join(rng.choice(words) for _ in range(n)).capitalize()

def paragraph():
    return "<p>" + " ".join(f"{sentence(12)}, {sentence(6).lower()}." for _ in range(4)) + "</p>"

def more(site, pair):
    lines = random.Random(f"{site} {pair}")
    return "<ul>" + "".join(f"<li><a href=/{k}>Headline{pair}{k}of{site} {' '.join(lines.sample(words, 7))}</a>"
                            for k in range(6)) + "</ul>"

def article(links):  # surely an article
    return f"<article class=post><h1>{sentence(6)}</h1>{paragraph()}{paragraph()}{links}{paragraph()}{paragraph()}</article>"

def note(links):  # may be an article
    return f"<h1>{sentence(4)}</h1><p>{sentence(12)}.</p>{paragraph()}{links}<p>{sentence(7)}.</p>"

def manual(links):  # surely none
    return "".join(f"<h2>{sentence(3)}</h2>{paragraph()}<pre>{sentence(5)}</pre>" for _ in range(3)) + links + paragraph()

def record(site, number, make, pair, of=None):
    kind = "article" if make == article else "website"
    body = (f'<html><head><meta property="og:type" content="{kind}"></head><body><ul class=menu><li><a href=/>Home</a>'
            f'<li><a href=/n>News</a></ul><div class=content>{make(more(of or site, pair))}</div></body></html>')
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}"
    return (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:{site}{number}>\r\n"
            f"WARC-Target-URI: http://www.{site}.example/{number}\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(http)}\r\n\r\n{http}\r\n\r\n")

pages = [record("news", k, article if k < 6 else note if k < 8 else manual, k // 2) for k in range(10)]
pages += [record("mixed", k, article if k < 5 else manual, k // 2) for k in range(10)]
with open("pages.warc", "w", newline="") as out:
    out.write("".join(pages))
with open("targets.warc", "w", newline="") as out:  # headlines of another site, which are no templates
    out.write("".join([record("news", 20, article, 0, "mixed"), record("news", 21, article, 1, "mixed"),
                       record("news", 22, note, 2, "mixed"), record("other", 20, article, 3, "mixed"),
                       record("mixed", 20, article, 0, "news"), record("mixed", 21, article, 4, "news")]))
PY
headlines() { grep -o "Headline[0-9]" | sort | uniq -c | awk '{printf "%s:%d ", substr($2, 9), $1}'; }

"$PARDUP" text --content main pages.warc >all 2>err
verdict "all pages keep their headlines" [ "$(headlines <all)" = "0:24 1:24 2:24 3:24 4:24 " ]
"$PARDUP" text --content main --templates aside pages.warc >aside 2>err
verdict "articles and pages that may be some lose them" [ "$(grep of.*news aside | headlines)" = "4:12 " ]
verdict "in a site with five articles of ten all stay" [ "$(grep of.*mixed aside | headlines)" = "0:12 1:12 2:12 3:12 4:12 " ]
grep -v Headline all | sort -u >all.rest
grep -v Headline aside | sort -u >aside.rest
verdict "nothing else is left out" cmp -s all.rest aside.rest

how="--preset web --idf 0,1 --min-agreement 0.2"
pairs() { # pairs RESULT: ids of the documents of its pairs
    run export --table pairs "$1"
    exits "export $1" 0
    awk -F'\t' 'NR > 1 {print $9, $10}' out | sort
}
run detect $how --templates match -o match.h5 pages.warc
verdict "match: a pair for each list" [ "$(pairs match.h5 | wc -l)" -eq 10 ]
run detect $how -o aside.h5 pages.warc
exits "aside" 0
says "the summary" "links beside articles: 48 units aside, 5.8 % of words, not listed"
verdict "they are counted apart" "$PYTHON" -c '
import h5py
f = h5py.File("aside.h5")
assert f.attrs["doubtful_units"] == 48 and f.attrs["doubtful_words"] == 8 * 48, dict(f.attrs)
assert f.attrs["template_units"] == 0 == len(f["templates/doc"])'
pairs aside.h5 >expected
verdict "aside: the manual, and the other site" [ "$(wc -l <expected)" -eq 6 ]
for ranks in 2 3; do
    run_np $ranks detect $how --memory 1M -o other.h5 pages.warc
    verdict "the same on $ranks ranks" "$PYTHON" "$here/../support/same_result.py" aside.h5 other.h5
done
run detect $how --frame match --content main -o main.h5 pages.warc
verdict "--content main: the same pairs" [ "$(pairs main.h5 | wc -l)" -eq 6 ]

run detect $how --against pages.warc -o against.h5 targets.warc
exits "against" 0
pairs against.h5 >expected
verdict "against: of a site of one page, and of no site of articles on either side" \
    [ "$(tr '\n' ' ' <expected)" = "urn:mixed21 urn:news8 urn:mixed21 urn:news9 urn:other20 urn:mixed6 urn:other20 urn:mixed7 " ]
for ranks in 1 3; do
    run_np $ranks index $how -o index.$ranks pages.warc
    exits "index, $ranks ranks" 0
done
verdict "3 ranks make the same index" cmp -s index.1/1.segment index.3/1.segment
run check --index index.1 -o check.h5 targets.warc
exits "check" 0
verdict "check finds the same" [ "$(pairs check.h5)" = "$(cat expected)" ]
finish
