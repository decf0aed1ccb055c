#!/bin/bash
# picture: what is drawn of two documents and of a network over time, beside the tables of the result.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

"$PYTHON" - <<'END'
import json, random
rng = random.Random(5)
def said(a, b): return " ".join(f"Sentence w{k} speaks of x{k} and é{k} in words that y{k} has said." for k in range(a, b))
with open("docs.jsonl", "w") as f:
    for n in range(14):
        own = " ".join(" ".join(f"z{n}{chr(97 + (k * j) % 26)}{j}" for j in range(9)).capitalize() + "." for k in range(20))
        text = said(40 * (n % 3), 40 * (n % 3) + 10 + n) + " " + own + " " + said(900 + 40 * (n % 4), 912 + 40 * (n % 4))
        date = ["", "before 1500", "c. 1650"][n] if n < 3 else str(1600 + 7 * n)
        print(json.dumps({"id": f"d{n}", "author": f'A & "B" <{n}> of a very long name that has no room', "date": date, "text": text}), file=f)
END
run detect --quiet --preset texts --keep-fields author,date -o out.h5 docs.jsonl
exits "a result" 0
cat >judge.py <<'END'
import collections, h5py, re, sys, xml.etree.ElementTree as T
f = h5py.File("out.h5")
p = {k: f["passages/" + k][()].tolist() for k in f["passages"]}
root = T.parse(sys.argv[1]).getroot()
all_of = lambda name: [e for e in root.iter() if e.tag.split("}")[1] == name]
titles = [e.text for e in all_of("title")]
width = float(root.get("viewBox").split()[2])
height = float(root.get("viewBox").split()[3])
for e in root.iter():  # nothing is outside of the picture
    for key, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
        assert 0 <= float(e.get(key, 0)) <= most, e.attrib
END
run picture --pair d3 d6 --label '{author}' -o pair.svg out.h5
exits "two documents" 0
verdict "two documents: a band a passage, where it stands" "$PYTHON" - pair.svg <<'END'
exec(open("judge.py").read())
of = [k for k in range(len(p["doc_a"])) if (p["doc_a"][k], p["doc_b"][k]) == (3, 6)]
bands, rects = [e for e in all_of("path")], all_of("rect")[1:]
assert len(bands) == len(of) > 0 and len(rects) == 2 + 2 * len(of)
lengths = f["documents/text_bytes"][()].tolist()
scale = 1480 / max(lengths[3], lengths[6])
want = sorted((round(60 + p["begin_" + s][k] * scale, 1), y) for k in of for s, y in (("a", "170"), ("b", "560")))
assert want == sorted((float(r.get("x")), r.get("y")) for r in rects if r.get("fill") != "#d5d9de"), want
assert sorted(titles) == sorted("%d words, %.0f %% agree" % (max(p["words_a"][k], p["words_b"][k]), 100 * p["agreement"][k]) for k in of)
assert 'A & "B" <3> of a very long name that has no room' in [e.text for e in all_of("text")]
END
run picture --limit 20 --label '{author}' -o net.svg out.h5
exits "a network" 0
verdict "a network: the strongest pairs, documents by date" "$PYTHON" - net.svg <<'END'
exec(open("judge.py").read())
words = collections.Counter()
for a, b, x, y in zip(p["doc_a"], p["doc_b"], p["words_a"], p["words_b"]):
    words[a, b] += max(x, y)
pairs = sorted(((-w, a, b) for (a, b), w in words.items()))
drawn = [(a, b) for w, a, b in pairs if a > 1 and b > 1][:20]  # the first has no date, the second an open one
assert sorted(titles) == sorted(f"{words[k]} words" for k in drawn) and len(drawn) == 20 < len(pairs), titles
circles = [float(e.get("cx")) for e in all_of("circle")]
assert len(circles) == len({d for k in drawn for d in k}) and circles == sorted(circles)
assert any(e.text == 'A & "B" <3> of a very lo…' for e in all_of("text")), [e.text for e in all_of("text")]
END
mv net.svg first.svg
run picture --network --limit 20 --label '{author}' -o net.svg out.h5
verdict "--network is the same" cmp first.svg net.svg
run picture --limit 20 -o net.svg out.h5
exits "over its own picture" 0
printf 'mine' >mine.svg
run picture -o mine.svg out.h5
exits "over a file of somebody else" 1
run picture out.h5
exits "no name" 2
run picture --pair d3 d6 --network -o x.svg out.h5
exits "--pair and --network" 2
run picture --pair d3 nobody -o x.svg out.h5
exits "no such document" 1
absent "no such document" x.svg
run detect --quiet --preset texts --keep-fields author -o plain.h5 docs.jsonl
run picture -o x.svg plain.h5
exits "no dates" 1
says "no dates" "no two documents with dates share a passage"

# Addresses of one site differ at their end.
for k in 1 2; do
    page="<html><body><p>$(sentences 1 12 | tr '\n' ' ')</p></body></html>"
    printf 'WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: 2026-10-0%sT00:00:00Z\r\n' $k $k
    printf 'WARC-Target-URI: https://news.example.org/manual/page%s.html\r\nContent-Type: text/html\r\nContent-Length: %s\r\n\r\n%s\r\n\r\n' $k ${#page} "$page"
done >pages.warc
run detect --quiet --preset texts -o w.h5 pages.warc
run picture -o w.svg w.h5
exits "captures, without options" 0
verdict "captures: the end of the address" grep -q 'manual/page2.html<' w.svg
finish
