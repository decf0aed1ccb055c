#!/bin/bash
# With --templates aside, lists of links are left out of pages of any kind: headlines of other articles. Lists without links stay.
# The same on any number of ranks, and in check, which finds what detect --against finds. So does running text in a footer that
# two pages of a site have there, or three of any; other running text of a footer is compared.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

"$PYTHON" - <<'PY'
# Two sites of ten pages. A page has a list of headlines, which one other page has, too. Only those of the first site are linked.
import random
rng = random.Random(5)
syllables = [c + v for c in "bdfgklmnprst" for v in "aeiou"]
words = ["".join(rng.choice(syllables) for _ in range(rng.randint(1, 3))) for _ in range(600)]

def sentence(n):
    return " ".join(rng.choice(words) for _ in range(n)).capitalize()

def paragraph():
    return "<p>" + " ".join(f"{sentence(12)}, {sentence(6).lower()}." for _ in range(4)) + "</p>"

def more(site, pair, linked):
    lines = random.Random(f"{site} {pair}")
    heads = [f"Headline{pair}{k}of{site} {' '.join(lines.sample(words, 7))}" for k in range(6)]
    return "<ul>" + "".join(f"<li><a href=/>{head}</a>" if linked else f"<li>{head}" for head in heads) + "</ul>"

def article(links):  # surely an article
    return f"<article class=post><h1>{sentence(6)}</h1>{paragraph()}{paragraph()}{links}{paragraph()}{paragraph()}</article>"

def note(links):  # may be an article
    return f"<h1>{sentence(4)}</h1><p>{sentence(12)}.</p>{paragraph()}{links}<p>{sentence(7)}.</p>"

def manual(links):  # surely none
    return "".join(f"<h2>{sentence(3)}</h2>{paragraph()}<pre>{sentence(5)}</pre>" for _ in range(3)) + links + paragraph()

def record(site, number, make, pair, of=None, linked=None):
    of = of or site
    kind = "article" if make == article else "website"
    body = (f'<html><head><meta property="og:type" content="{kind}"></head><body><ul class=menu><li><a href=/>Home</a>'
            f'<li><a href=/n>News</a></ul><div class=content>{make(more(of, pair, of == "news" if linked is None else linked))}</div></body></html>')
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}"
    return (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:{site}{number}>\r\n"
            f"WARC-Target-URI: http://www.{site}.example/{number}\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(http)}\r\n\r\n{http}\r\n\r\n")

pages = [record("news", k, article if k < 6 else note if k < 8 else manual, k // 2) for k in range(10)]
pages += [record("mixed", k, article if k < 5 else manual, k // 2) for k in range(10)]
with open("pages.warc", "w", newline="") as out:
    out.write("".join(pages))
with open("targets.warc", "w", newline="") as out:  # headlines of the other site, too
    out.write("".join([record("news", 20, article, 0, "mixed"), record("news", 21, article, 1, "mixed"),
                       record("news", 22, note, 2, "mixed"), record("other", 20, article, 3, "mixed"),
                       record("mixed", 20, article, 0, "news"), record("mixed", 21, article, 4, "news"),
                       record("news", 23, article, 4, "mixed", True)]))

def footed(site, number, text, inside=False):  # a page with running text in its footer, or in its article
    footer = "" if inside else f"</div><div class=footer>{text}"
    return record(site, number, lambda _: article(text if inside else "") + footer, 0)

copied, twice, thrice, quoted = (paragraph() for _ in range(4))
with open("stray.warc", "w", newline="") as out:
    out.write("".join([footed("one", 1, copied), footed("two", 1, copied), footed("three", 1, twice), footed("three", 2, twice),
                       footed("four", 1, thrice), footed("five", 1, thrice), footed("six", 1, thrice),
                       footed("seven", 1, quoted), footed("eight", 1, quoted, True)]))
with open("astray.warc", "w", newline="") as out:
    out.write("".join(footed("nine", k, text) for k, text in enumerate((copied, twice, thrice, quoted))))
PY
headlines() { grep -o "Headline[0-9]" | sort | uniq -c | awk '{printf "%s:%d ", substr($2, 9), $1}'; }

"$PARDUP" text --content main pages.warc >all 2>err
verdict "all pages keep their headlines" [ "$(headlines <all)" = "0:24 1:24 2:24 3:24 4:24 " ]
"$PARDUP" text --content main --templates aside pages.warc >aside 2>err
verdict "pages of all kinds lose those that are linked" [ "$(grep of.*news aside | headlines)" = "" ]
verdict "those without a link stay" [ "$(grep of.*mixed aside | headlines)" = "0:12 1:12 2:12 3:12 4:12 " ]
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
says "the summary" "links: 60 units aside, 7.3 % of words, not listed"
verdict "they are counted apart" "$PYTHON" -c '
import h5py
f = h5py.File("aside.h5")
assert f.attrs["doubtful_units"] == 60 and f.attrs["doubtful_words"] == 8 * 60, dict(f.attrs)
assert f.attrs["template_units"] == 0 == len(f["templates/doc"])'
pairs aside.h5 >expected
verdict "aside: the other site" [ "$(wc -l <expected)" -eq 5 ]
for ranks in 2 3; do
    run_np $ranks detect $how --memory 1M -o other.h5 pages.warc
    verdict "the same on $ranks ranks" "$PYTHON" "$here/../support/same_result.py" aside.h5 other.h5
done
run detect $how --frame match --content main -o main.h5 pages.warc
verdict "--content main: the same pairs" cmp -s <(pairs main.h5) expected

run detect $how --against pages.warc -o against.h5 targets.warc
exits "against" 0
pairs against.h5 >expected
verdict "against: pages with headlines that are not linked" \
    [ "$(awk '{printf "%s:%s ", substr($1, 5), substr($2, 5)}' expected)" = "news20:mixed0 news20:mixed1 news21:mixed2 news21:mixed3 news22:mixed4 news22:mixed5 other20:mixed6 other20:mixed7 " ]
for ranks in 1 3; do
    run_np $ranks index $how -o index.$ranks pages.warc
    exits "index, $ranks ranks" 0
done
verdict "3 ranks make the same index" cmp -s index.1/1.segment index.3/1.segment
run check --index index.1 -o check.h5 targets.warc
exits "check" 0
verdict "check finds the same" [ "$(pairs check.h5)" = "$(cat expected)" ]

short() { pairs "$1" | awk '{printf "%s:%s ", substr($1, 5), substr($2, 5)}'; }
run detect $how --frame aside --templates match -o match.h5 stray.warc
verdict "match: footers are compared" \
    [ "$(short match.h5)" = "five1:six1 four1:five1 four1:six1 one1:two1 seven1:eight1 three1:three2 " ]
for ranks in 1 3; do
    run_np $ranks detect $how -o stray.h5 stray.warc
    exits "footers, $ranks ranks" 0
    verdict "footers that other pages have are aside, $ranks ranks" \
        [ "$(short stray.h5)" = "one1:two1 seven1:eight1 " ]
done
run index $how -o index.stray stray.warc
exits "footers, index" 0
run check --index index.stray -o check.h5 astray.warc
exits "footers, check" 0
verdict "check knows the footers of its sources" \
    [ "$(short check.h5)" = "nine0:one1 nine0:two1 nine3:eight1 nine3:seven1 " ]
finish
