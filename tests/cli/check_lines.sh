#!/bin/bash
# The answer to a line of --stdin or --socket is what check says of a file with this line alone: passages, decision and ranking, of
# pages of three sites, of lines that have to be mended, and of lines that are refused.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

"$PYTHON" - <<'PY'
# Three sites with a menu, an error page and articles each. Targets copy articles, menus and short pages, with and without an
# address, with the names of fields that ClueWeb22 uses, and in lines that writers of JSON get wrong.
import json, os, random
rng = random.Random(11)
words = ["".join(rng.choice("bcdfgklmnprstv") + rng.choice("aeiou") for _ in range(rng.randint(2, 4))) for _ in range(900)]

def text(n):
    return [" ".join(rng.sample(words, rng.randint(7, 11))).capitalize() + "." for _ in range(n)]

def page(site, name, sentences, **more):
    return {"id": f"{site}-{name}", "url": f"http://{site}.example/{name}.html", "section": f"part{len(name) % 2}", "text": " ".join(sentences), **more}

menus, errors = [text(5) for _ in range(3)], [text(5) for _ in range(3)]
sources, articles, shorts = [], [], []
for site in range(3):
    for k in range(20):
        articles.append(text(9))
        sources.append(page(f"site{site}", f"page{k}", menus[site] + articles[-1]))
    for k in range(8):
        sources.append(page(f"site{site}", f"gone{k}", errors[site]))
    for k in range(2):
        shorts.append(text(2 + 2 * k))
        sources.append(page(f"site{site}", f"short{k}", menus[site] + shorts[-1]))
for k, menu in enumerate(menus):
    sources.append(page(f"quoting{k}", "page", text(4) + menu + text(4)))
targets = [page("site0", "near", menus[0] + articles[0] + text(1)), page("site9", "same", menus[0] + articles[1])]
for site in range(3):
    for k in range(3):
        targets.append(page(f"site{site}", f"new{k}", menus[site] + text(4) + rng.choice(articles)[2:8] + text(2)))
    targets += [page(f"site{site}", "gone99", errors[site]), page(f"site{site}", "menu", menus[site])]
    for k in range(2):
        targets.append(page(f"site{(site + 1) % 3}", f"copy{site}{k}", menus[(site + 1) % 3] + shorts[2 * site + k]))
    targets.append(page(f"other{site}", "quote", text(3) + menus[site] + text(3)))
plain = dict(targets[2])
nameless = {k: plain[k] for k in ("section", "text")}
lines = [json.dumps(t) for t in targets]
lines += [json.dumps({**plain, "url": None}), json.dumps({**plain, "url": 7}), json.dumps(nameless), json.dumps({**plain, "id": 12.50}), json.dumps({**plain, "more": [1, {"url": "x"}], "big": 10 ** 30}),
          json.dumps({"ClueWeb22-ID": "clueweb", "URL": plain["url"] + "\n", "Clean-Text": plain["text"]}), json.dumps({"id": "http://site0.example/as-id", "text": plain["text"]}),
          json.dumps({**plain, "text": ""}), json.dumps({**plain, "text": "One word"}), json.dumps({**plain, "text": "<p>" + plain["text"] + "</p>"}), json.dumps({**plain, "text": plain["text"].replace(" ", "\u00a0\u0000", 3)}),
          json.dumps({**plain, "text": "User-agent: *\nDisallow: /\n"}), json.dumps({**plain, "text": "\x00\x01\x02" * 400}), json.dumps({**plain, "text": "%PDF-1.4 " + plain["text"]})]
raw = [line.encode() for line in lines]
good = json.dumps(plain).encode()
raw += [good.replace(b". ", b".\xff ", 2), good.replace(b"site0-", b"site0\xfe-"), good.replace(b". ", b".\x01 ", 2), good.replace(b". ", b".\x00 ", 2), good.replace(b". ", b".\n ").replace(b"\n", b"\\n"),
        good.replace(b". ", b".\\ud83d ", 2), good.replace(b". ", b".\\q ", 2), good.replace(b'"section": "part0"', b'"section": NaN'), good.replace(b'"section": "part0"', b'"section": 1e999'), b"\t " + good + b" \r", b"  ", b"\r", b"",
        b"nonsense", b"[]", b'"text"', b'{"id": 5}', b'{"id": "cut", "text": "no end', good[:-1] + b',"text":7}', good + b" z", good + good, b"{}"]
os.mkdir("sources")
os.mkdir("targets")
with open("sources/all.jsonl", "w") as out:
    out.writelines(json.dumps(one) + "\n" for one in sources)
with open("targets/all.jsonl", "wb") as out:
    out.write(b"\xef\xbb\xbf" + b"\n".join(raw))  # the last line has no end
PY

cat >same.py <<'PY'
# same.py ANSWERS PASSAGES DECISIONS RANKING SOURCES: compare answers with the tables of a result. Prints what it has compared.
import json, sys
answers = [json.loads(line) for line in open(sys.argv[1])]
passages, decisions, ranking, sources = ([json.loads(line) for line in open(name)] for name in sys.argv[2:])
ids = [s["id"] for s in sources]
share = lambda x: None if x is None else float(f"{x:.6g}")
values = lambda p: [*(p[k] for k in ("begin_a", "end_a", "begin_b", "end_b", "matched")), share(p["similarity"]), share(p["agreement"])]
answered = [a for a in answers if "error" not in a]
assert len(answered) == len(decisions), f"{len(answered)} lines answered, {len(decisions)} documents in the file"
for doc, (a, d) in enumerate(zip(answered, decisions)):
    got = [[p["source"], *values(p)] for p in a["passages"]]
    want = [[p["id_b"], *values(p)] for p in passages if p["doc_a"] == doc]
    assert sorted(got, key=str) == sorted(want, key=str), f"document {doc}, {a['id']}: passages {got}, of the file {want}"
    got, want = (a["collisions"], a["duplicate"]), (d["collisions"], bool(d["duplicate"]))
    assert got == want, f"document {doc}, {a['id']}: decision {got}, of the file {want}"
    got, want = [[r["source"], share(r["score"])] for r in a["ranking"]], [[ids[r["source"]], share(r["score"])] for r in ranking if r["doc"] == doc]
    assert got == want, f"document {doc}, {a['id']}: ranking {got}, of the file {want}"
print(len(answered), sum(len(a["passages"]) for a in answered), sum("warning" in a for a in answered), len(answers) - len(answered))
PY

same() { # same NAME INDEX OPTION...: the lines and the file have the same answers; the file is in $targets
    local name=$1 index=$2 table
    shift 2
    run check --index $index "$@" -o file.h5 $targets
    exits "$name: file" 0
    for table in passages decisions ranking; do
        run export --table $table --format jsonl file.h5
        exits "$name: $table" 0
        cp out $table.rows
    done
    timeout "$RUN_SECONDS" "$PARDUP" check --index $index --stdin "$@" <$targets/all.jsonl >out 2>err
    status=$?
    exits "$name: lines" 0
    cp out answers
    "$PYTHON" same.py answers {passages,decisions,ranking,sources}.rows >compared 2>err
    verdict "$name: as the file says ($(cat compared))" [ -s compared ]
}

targets=targets
how="--idf 0,1 --min-passage-words 0 --min-copy-words 1 --max-df 300" # so large that other lines make nothing common
run index --preset web $how --with-text -o web sources
exits "web: index" 0
run check --index web -o file.h5 targets
run export --table sources --format jsonl file.h5
exits "sources, which all indexes have in this order" 0
cp out sources.rows
same "web" web
read -r answered passages mended refused <compared
verdict "web: lines are answered ($answered)" [ "$answered" -ge 40 ]
verdict "web: there are passages ($passages)" [ "$passages" -ge 20 ]
verdict "web: lines are mended ($mended)" [ "$mended" -eq 7 ] # 1e999 is a sound number
verdict "web: lines are refused ($refused)" [ "$refused" -ge 12 ]
verdict "web: pages do not match where another site quotes their menu" [ "$(grep '"id":"site[12]-new' answers | grep -c quoting)" -eq 0 ]
verdict "web: lines without address do" grep -q '"id":"site0-new0".*quoting' answers
verdict "web: what another site quotes is one" grep -q '{"id":"other0-quote","duplicate":true,' answers
verdict "web: short pages are found by what they say outside the menu" grep -q '^{"id":"site1-copy00",.*"source":"site0-short0"' answers
cp answers web.answers
same "web, other limits" web --gamma 0 --gap 2 --min-agreement 0.5 --delta 3 --top 2
same "web, edges" web --edges far --passages best
same "web, one site" web --skip-same-host
verdict "web, one site: fewer passages ($(cat compared))" [ "$(cut -d' ' -f2 compared)" -lt "$passages" ]
same "web, no texts" web --texts no

# Clients of a socket get the same answers.
ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" timeout "$RUN_SECONDS" "$PARDUP" check --index web --socket door >out 2>err &
job=$!
for tries in $(seq 200); do [ -S door ] && break; sleep 0.05; done
timeout "$RUN_SECONDS" "$PYTHON" - <<'PY' >socket.answers
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect("door")
s.settimeout(30)
s.sendall(open("targets/all.jsonl", "rb").read())
s.shutdown(socket.SHUT_WR)
while more := s.recv(1 << 16):
    sys.stdout.buffer.write(more)
PY
kill "$job"
wait "$job"
verdict "a socket gives the same answers" cmp -s web.answers socket.answers

n=0
while IFS="|" read -r name options; do
    n=$((n + 1))
    run index $options $how -o index.$n sources
    exits "$name: index" 0
    same "$name" index.$n
    verdict "$name: there are passages ($(cat compared))" [ "$(cut -d' ' -f2 compared)" -ge 1 ]
done <<'END'
texts|--preset texts --with-text
edited|--preset edited
a field as site|--preset web --site-field section
templates match|--preset web --templates match
grams|--preset web --method full-fp --ngram 5 --gamma 3
sets|--preset web --method pdc-shingle2 --tau 0.6 --max-near 2
several names|--preset web --method imatch-doc --lexicons 9 --copies report
forms|--templates aside --feature bytes --shingle-bytes 12 --join jaccard --tau 0.4 --gamma 1
END

# A line is its only target. So a menu that one page less than --max-df of the sources have is common, as in a file of this line.
mkdir one
targets=one
head -n 1 targets/all.jsonl >one/all.jsonl
for most in 23 24; do
    for common in aside first; do
        run index --preset web --templates match $how --max-df $most --common $common -o "one.$most.$common" sources
        exits "one line, --max-df $most --common $common: index" 0
        same "one line, --max-df $most --common $common" "one.$most.$common"
        cp answers "answers.$most.$common"
    done
done
verdict "one line: the menu is common in 23 sources and the line" [ "$(grep -o '"begin_a"' answers.23.aside | wc -l)" -eq 1 ]
verdict "one line: but not in more than 24" [ "$(grep -o '"begin_a"' answers.24.aside | wc -l)" -eq 23 ]
targets=targets

# Lines that are too long for a document, and options without a meaning for lines.
for options in "--docs-from ids" "--limit-docs 3" "--strict" "--format warc" "--include *.jsonl"; do
    timeout "$RUN_SECONDS" "$PARDUP" check --index web --stdin $options <targets/all.jsonl >out 2>err
    status=$?
    exits "$options" 2
    says "$options" "leave --${options:2:5}"
done
same "a limit of bytes" web --max-document 1100
verdict "a limit of bytes: more lines are refused ($(cat compared))" [ "$(cut -d' ' -f4 compared)" -gt "$refused" ]
verdict "a limit of bytes: answers say so" grep -q '^{"id":null,"error":"line is too long (--max-document)","line":' answers
finish
