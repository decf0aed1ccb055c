#!/bin/bash
# export --table quotations and --format graphml, gexf: a slow reference in Python says what is expected.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

"$PYTHON" - <<'END'
import json, random
rng = random.Random(11)
def said(a, b, by): return [f"Sentence w{k} speaks of x{k} and é{k} in words that y{k} has{'' if rng.random() > by else ' not'} said." for k in range(a, b)]
dates = ["1626", "1626-1627", "c. 1600", "1608?", "1650", "17th century", "before 1600", "", "unknown", "1626-05-03", "1649 [i.e. 1648]"]
with open("docs.jsonl", "w") as f:
    for n in range(40):
        own = [" ".join(f"z{n}{chr(97 + (k * j) % 26)}{j}" for j in range(9)).capitalize() + "." for k in range(20)]
        parts = [said(40 * t, 40 * t + rng.randrange(8, 30), rng.choice([0, 0.1, 0.3])) for t in rng.sample(range(6), 2)]
        text = " ".join(own[:10] + parts[0] + own[10:] + parts[1])
        print(json.dumps({"id": f"d{n}", "author": f'A & "B" <{n}>', "date": rng.choice(dates), "text": text}), file=f)
END
run detect --quiet --preset texts --keep-fields author,date -o out.h5 docs.jsonl
exits "a result" 0
for format in tsv csv jsonl parquet; do
    run export --table quotations --label '{author} of {date}' --text 50 -o q.$format out.h5
    exits "quotations as $format" 0
done
cat >judge.py <<'END'
import collections, csv, functools, h5py, json, math, sys
f = h5py.File("out.h5")
p = {k: f["passages/" + k][()] for k in f["passages"]}
known = {"1626": (1626, 1626), "1626-1627": (1626, 1627), "c. 1600": (1600, 1600, 0), "1608?": (1608, 1608, 0), "1650": (1650, 1650),
         "17th century": (1601, 1700), "before 1600": (-1e9, 1599), "1626-05-03": (1626.34, 1626.341), "1649 [i.e. 1648]": (1648, 1648, 0)}
docs = [json.loads(line) for line in open("docs.jsonl")]
def key(d):  # the last year, then the begin; of equal dates the sure one
    t = known.get(docs[d]["date"])
    return (1,) if t is None else (0, math.floor(t[1]), t[0], -t[1], len(t) == 3)
def sure(a, b):
    ta, tb = known.get(docs[a]["date"]), known.get(docs[b]["date"])
    return bool(ta and tb and len(ta) == 2 and len(tb) == 2 and math.floor(ta[1]) < math.floor(tb[0]))
rows = []
for k in range(len(p["doc_a"])):
    a, b = int(p["doc_a"][k]), int(p["doc_b"][k])
    o, y, sides = (b, a, "ba") if key(b) < key(a) else (a, b, "ab")
    rows.append(dict(older=o, younger=y, sure=int(sure(o, y)), words=int(p["words_" + sides[1]][k]), family=int(p["family"][k]), passage=k,
                     begin_older=int(p["begin_" + sides[0]][k]), end_older=int(p["end_" + sides[0]][k]),
                     begin_younger=int(p["begin_" + sides[1]][k]), end_younger=int(p["end_" + sides[1]][k]),
                     agrees=round(p["agreement"][k] * max(p["words_a"][k], p["words_b"][k]))))
for r in rows:
    place = [q for q in rows if q["younger"] == r["younger"] and q["family"] == r["family"]]
    best = min(place, key=lambda q: (-q["agrees"], key(q["older"]), q["older"], q["passage"]))
    r["direct"], r["parent"] = int(best is r), best["older"]
rows.sort(key=lambda r: (key(r["older"]), key(r["younger"]), r["older"], r["younger"], r["begin_younger"], r["passage"]))
END
verdict "quotations: rows, order, parents, labels, texts" "$PYTHON" - <<'END'
exec(open("judge.py").read())
got = [json.loads(line) for line in open("q.jsonl")]
assert len(got) == len(rows) > 50, (len(got), len(rows))
texts = {d["id"]: d["text"].encode() for d in docs}
for g, r in zip(got, rows):
    assert all(g[k] == v for k, v in r.items() if k != "agrees"), (g, r)
    for side in ("older", "younger"):
        d = docs[r[side]]
        assert g["id_" + side] == d["id"] and g["author_" + side] == d["author"] and g["label_" + side] == f'{d["author"]} of {d["date"] or "?"}', g
        assert g["text_" + side].encode() == texts[d["id"]][r["begin_" + side]:r["end_" + side]].decode().encode()[:50].decode(errors="ignore").encode(), g
    assert g["id_parent"] == docs[r["parent"]]["id"] and g["label_parent"] == f'{docs[r["parent"]]["author"]} of {docs[r["parent"]]["date"] or "?"}'
assert 0 < sum(r["direct"] for r in rows) < len(rows) and any(r["sure"] for r in rows) and not all(r["sure"] for r in rows)
assert {g["date_older"] for g in got} >= {"../1599", "1600?", "1626/1627", "1601/1700"}, {g["date_older"] for g in got}
tsv = [line.split("\t") for line in open("q.tsv", encoding="utf-8").read().split("\n")[:-1]]
assert tsv == list(csv.reader(open("q.csv", newline="", encoding="utf-8"))) and tsv[0] == list(got[0]) and len(tsv) == len(got) + 1
END
run export --table quotations --sort words:desc --format jsonl out.h5
verdict "quotations: --sort" "$PYTHON" -c 'import json
words = [json.loads(line)["words"] for line in open("out")]
assert len(words) > 50 and words == sorted(words, reverse=True)'
verdict "quotations: the text is there without --text" grep -q '"text_older":"..*","text_younger":"..*"' out
if "$PYTHON" -c 'import pyarrow' 2>/dev/null; then
    verdict "quotations: Parquet" "$PYTHON" -c 'import json, pyarrow.parquet as q
assert [list(r.values()) for r in q.read_table("q.parquet").to_pylist()] == [list(json.loads(line).values()) for line in open("q.jsonl")]'
fi

# ---- networks ----
for format in graphml gexf; do
    run export --label '{author}' -o n.$format out.h5
    exits "$format" 0
    verdict "$format: nodes and edges" "$PYTHON" - $format <<'END'
import sys, xml.etree.ElementTree as T
exec(open("judge.py").read())
format = sys.argv[1]
tag = lambda e: e.tag.split("}")[1]
root = T.parse("n." + format).getroot()
all_of = lambda name: [e for e in root.iter() if tag(e) == name]
value = lambda e, key: next((d.get("value") or d.text for d in e.iter() if (d.get("for") or d.get("key")) == key), None)
edges = collections.defaultdict(lambda: [0, 0, 0])
for r in rows:
    k = r["passage"]
    words = int(max(p["words_a"][k], p["words_b"][k]))
    e = edges["d%d" % r["older"], "d%d" % r["younger"]]
    e[0] += words; e[1] += 1; e[2] += words * p["agreement"][k]
got = {(e.get("source"), e.get("target")): (int(value(e, "words")), int(value(e, "passages")), float(value(e, "agreement"))) for e in all_of("edge")}
assert len(all_of("edge")) == len(got) and got == {k: (w, n, round(float(a / w), 4)) for k, (w, n, a) in edges.items()}, "edges"
nodes = {e.get("id"): e for e in all_of("node")}
assert set(nodes) == {d for k in edges for d in k}
for k, e in nodes.items():
    d = docs[int(k[1:])]
    assert (e.get("label") or value(e, "label")) == d["author"] and value(e, "f0") == d["id"] and d["author"] in [x.get("value") or x.text for x in e.iter()]
END
    verdict "$format: is read by networkx, if it is there" "$PYTHON" -c 'import sys
try: import networkx
except ImportError: sys.exit(0)
g = getattr(networkx, "read_" + sys.argv[1])("n." + sys.argv[1])
assert len(g.nodes) > 10' $format
    run export -o n.$format out.h5
    exits "$format over its own output" 0
done
run export --format gexf --table pairs out.h5
exits "a network of a table" 2
run detect --quiet -o index.h5 docs.jsonl
run index --quiet -o index docs.jsonl
run check --quiet --index index -o check.h5 docs.jsonl
run export --table quotations check.h5
exits "quotations of a result of check" 1
run export -o c.graphml check.h5
exits "a network of a result of check" 0
on_terminal 80 export --table quotations out.h5
verdict "quotations on a terminal: lined up" grep -q "^id_older  *id_younger" out
verdict "quotations on a terminal: no line is wider" [ "$(wc -L <out)" -le 80 ]
run export --table ranking out.h5
exits "a table of check" 1
says "a table of check" "cannot read /ranking: pardup check writes it"
# Without dates: the table is there, and says what its order is worth.
run detect --quiet --preset texts --keep-fields author -o undated.h5 docs.jsonl
run export --table quotations undated.h5
exits "no dates" 0
says "no dates" "no document has a date"
run export --table quotations out.h5
verdict "dates: no warning" [ ! -s err ]
finish
