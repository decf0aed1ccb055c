#!/bin/bash
# pardup report: one page with everything in it. Names and texts of others stay text.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1
page() { # page FILE EXPRESSION...: what the page holds
    "$PYTHON" "$here/../support/report_page.py" "$@"
}
is() { # is NAME WANTED FILE EXPRESSION
    verdict "$1" [ "$(page "$3" "$4")" = "$2" ]
}

"$PYTHON" - <<'EOF'
import json
shared = " ".join(f"Sentence {k} </script><script>alert({k})</script> of the shared text & <b>more</b>." for k in range(9))
evil = ['</script><img src=x onerror=alert(1)>', 'a"b\\c', "\u001b[2J\u202e\u2028", "<!--", "plain"]
with open("evil.jsonl", "w") as f:
    for k, name in enumerate(evil):
        own = " ".join(f"Only document {k} says {k * 100 + n} here." for n in range(6))
        print(json.dumps({"id": name, "text": f"{own} {shared} \u96e8\u505c\u4e86\u3002"}), file=f)
with open("many.jsonl", "w") as f:
    for k in range(60):
        print(json.dumps({"id": f"d{k}", "text": f"Number {k} is the first. " + shared}), file=f)
EOF
run detect -o evil.h5 evil.jsonl
exits "detect" 0

run report -o evil.html evil.h5
exits "a page" 0
says "a page" "evil.html: 10 of 10 passages, 5 documents"
is "documents" 5 evil.html 'len(data["docs"])'
is "passages" 10 evil.html 'len(data["passages"])'
is "an id is text" "</script><img src=x onerror=alert(1)>" evil.html 'data["docs"][0][1]'
is "escape sequences are text" "True" evil.html 'data["docs"][2][1].startswith("\x1b[2J\u202e")'
is "no element of others" "0" evil.html 'elements.count("img") + elements.count("b")'
is "three scripts' worth of elements" "2" evil.html 'elements.count("script")'
is "no control character" "True" evil.html 'not any(c < 32 and c != 10 or c == 127 for c in page)'
is "the whole text" "True" evil.html 'data["docs"][4][4].endswith("\u96e8\u505c\u4e86\u3002")'
is "families" "[5]" evil.html '[f["size"] for f in data["families"]]'
is "the members of a family" "True" evil.html 'all(m[1] == data["docs"][m[0]][1] for m in data["families"][0]["members"])'
run text --doc plain evil.jsonl
is "the text as pardup prints it" "True" evil.html 'data["docs"][4][4].strip() == open("out").read().strip()'
is "passages count bytes of it" "True" evil.html \
    'all("Sentence 0" in data["docs"][p[1]][4].encode()[p[3]:p[4]].decode() for p in data["passages"])'
is "histograms count all" "10" evil.html 'sum(n for name, n in data["charts"][0][1])'

run detect -o many.h5 --preset texts --common aside --passages all many.jsonl
run report -o many.html --limit 100 many.h5
exits "a sample" 0
is "a sample" 100 many.html 'len(data["passages"])'
is "a sample says so" "True" many.html '"100 of 1,770 passages" in data["note"]'
is "its histograms count all" 1770 many.html 'sum(n for name, n in data["charts"][1][1])'
cp many.html first.html
run report -o many.html --limit 100 many.h5
verdict "the same sample again" cmp -s first.html many.html

# the longest passage of each pair, then the longest of the others: an export of all says which
"$PYTHON" - <<'END'
import json, random
r = random.Random(3)
word = lambda: "".join(r.choice("bcdfgklmnprst") + r.choice("aeiou") for _ in range(3))
shared = [[word() for _ in range(20 + 7 * k)] for k in range(12)]
with open("lengths.jsonl", "w") as f:
    for d, parts in enumerate(((0, 5, 9), (0, 5, 9), (1, 2, 11), (1, 2, 11), (3, 4), (3, 4), (10,))):
        print(json.dumps({"id": str(d), "text": " ".join(" ".join(shared[k]) + ". " + " ".join(word() for _ in range(30)) + "." for k in parts)}), file=f)
END
run detect --preset texts -o lengths.h5 lengths.jsonl
run export --format jsonl -o lengths.jsonl.all.jsonl lengths.h5
for limit in 2 4 7; do
    run report --limit $limit -o lengths.html lengths.h5
    page lengths.html '[p[0] for p in data["passages"]]' >rows
    verdict "the longest $limit passages" "$PYTHON" - $limit <<'END'
import json, sys
best, rows = {}, [dict(json.loads(line), row=k) for k, line in enumerate(open("lengths.jsonl.all.jsonl"))]
assert len(rows) == 8, len(rows)
for row in rows:
    pair = row["doc_a"], row["doc_b"]
    best[pair] = max(best.get(pair, row), row, key=lambda x: (x["words_a"], -x["row"]))
rows.sort(key=lambda x: (best[x["doc_a"], x["doc_b"]] is not x, -x["words_a"], x["row"]))
assert json.load(open("rows")) == sorted(x["row"] for x in rows[:int(sys.argv[1])]), (json.load(open("rows")), rows)
END
done
# members by date, as the documents have it
sed 's/^{/{"when": "1633-05-04", /' lengths.jsonl | sed '1s/1633-05-04/1590/' >dated.jsonl
run detect --preset texts --keep-fields when --date-field when -o dated.h5 dated.jsonl
run report -o dated.html dated.h5
is "dates of members" "[('0', '1590'), ('1', '1633-05-04')]" dated.html 'sorted({(m[1], m[5]) for f in data["families"] for m in f["members"] if m[1] in "01"})'
is "no dates, no column" "{5}" evil.html '{len(m) for f in data["families"] for m in f["members"]}'

run report -o one.html --doc d7 many.h5
exits "one document" 0
is "one document: its passages" 59 one.html 'len(data["passages"])'
is "one document: it opens there" "doc/7" one.html 'data["start"]'

sentences 1 9 >one.txt
cp one.txt two.txt
sentences 301 309 | tac | sed 's/speaks of/may tell you about/; s/its own/no/' >three.txt
cp three.txt four.txt
run detect -o two.h5 one.txt two.txt three.txt four.txt
run report -o two.html --family 1 two.h5
is "one family of two: its passages" "[1]" two.html '[p[11] for p in data["passages"]]'
is "one family of two: its text" "True" two.html '"may tell you" in data["families"][0]["text"]'
run report -o family.html --family 0 many.h5
exits "one family" 0
is "one family: it alone" "[60]" family.html '[f["size"] for f in data["families"]]'
is "one family: all its members" 60 family.html 'len(data["families"][0]["members"])'
is "one family: its passages" "{0}" family.html '{p[11] for p in data["passages"]}'
is "one family: it opens there" "families" family.html 'data["start"]'
is "members in a chart" "[['32 to 63', 1]]" family.html 'data["charts"][3][1]'
run report -o none.html --family 1 many.h5
exits "no such family" 1
one_error "no such family"
says "no such family" "--family 1: the result has 1 family"
absent "no such family" none.html

# ---- marks: the words without a match, by the alignment that the agreement counts ----
sentences 1 12 | sed 's/w4 /be|seech /' >first.txt
sentences 1 12 | sed -e 's/w4 /beseech /' -e '5s/ speaks of/ (never) tells/' -e '7s/ its own / /' -e '9s/speaks/& and tells/' >second.txt
run detect --preset edited -o marks.h5 first.txt second.txt
run report -o marks.html marks.h5
is "one passage of two editions" 1 marks.html 'len(data["passages"])'
is "words of the first one without a match" "['speaks of', 'its own']" marks.html 'differing(data["passages"][0], 0)'
is "words of the second one without a match" "['never) tells', 'and tells']" marks.html 'differing(data["passages"][0], 1)'
is "words that agree are those without a mark" "True" marks.html \
    'all(len(__import__("re").findall(r"[\w|]+", " ".join(alike(p, side)))) == round(p[9] * max(p[7:9])) for p in data["passages"] for side in (0, 1))'
sentences 1 12 | sed 's/w4 /be|seech /' >second.txt
sentences 1 12 | sed 's/w4 /beseech /' >first.txt
run detect --preset edited -o marks.h5 first.txt second.txt
run report -o marks.html marks.h5
is "all words agree" "[[1, [], []]]" marks.html '[[p[9], p[12], p[13]] for p in data["passages"]]'
# of documents whose text has no room, the beginnings are marked
{ sentences 1 1400 | sed 's/speaks/tells/'; } >long1.txt
sed 's/its own/no/' long1.txt >long2.txt
for k in 1 2 3 4 5 6 7 8 9 10; do { sentences $((k * 2000)) $((k * 2000 + 1800)); cat long1.txt; } >more$k.txt; done
run detect --preset texts -o long.h5 long1.txt long2.txt more*.txt
run report -o long.html long.h5
is "beginnings of passages are marked" "['its own', 'no']" long.html \
    'sorted({d for p in data["passages"] if p[1:3] == [0, 1] and len(p) > 14 for side in (0, 1) for d in differing(p, side)})'
is "no mark is behind its text" "True" long.html \
    'all(sum(p[12 + side]) <= len(p[14 + side].encode()) for p in data["passages"] if len(p) > 14 for side in (0, 1) if p[14 + side])'

run detect -o common.h5 --preset texts --common aside --max-df 20 many.jsonl
run report -o common.html common.h5
is "common runs of words: their text" "{5}" common.html '{len(__import__("re").findall(r"\w+", c[2])) for c in data["common"]}'
run detect -o sentences.h5 $pages_by_sentence --common aside --max-df 20 --always-df 100 many.jsonl
run report -o sentences.html sentences.h5
is "common sentences: their text" "True" sentences.html \
    'any(c[2].startswith("Sentence 3") and c[2].endswith("</b>.") and c[0] == 60 for c in data["common"])'
"$PYTHON" - <<'JSON'
import json
with open("site.jsonl", "w") as f:
    for k in range(40):
        own = " ".join(f"Page {k} says {k * 100 + n} and x{k}y{n}." for n in range(6))
        print(json.dumps({"id": f"s{k}", "url": f"http://example.org/{k}", "text": "Home news and contact of this site <b>.\n\n" + own}), file=f)
JSON
run detect -o site.h5 --preset texts --templates aside site.jsonl
run report -o site.html site.h5
is "what was set aside" "[0, 1, 300]" site.html '[data["aside"][k] for k in ("commons", "templates", "max_df")]'
is "templates" "[[40, 'example.org', 'Home news and contact of this site <b>.']]" site.html 'data["templates"]'
run detect -o whole.h5 --method nikkhoo --tau 0.5 many.jsonl
run report -o whole.html whole.h5
is "resemblance in a chart" "1770" whole.html 'sum(n for _, n in dict(data["charts"])["Resemblance of document pairs"])'
is "no resemblance, no chart" "False" many.html '"Resemblance of document pairs" in dict(data["charts"])'

# second documents of a check are sources, and their rows are not those of targets
mkdir desk handed-in
cp three.txt desk/0.txt
cp one.txt desk/1.txt
{ cat one.txt; sentences 801 806 | sed 's/speaks/is silent/'; } >handed-in/a.txt
cp three.txt handed-in/b.txt
run index --preset texts -o desk.index desk
run check --index desk.index $(printf " --exclude no-such-name-%s.txt" $(seq 60)) -o desk.h5 handed-in
run report -o desk.html --doc handed-in/a.txt desk.h5
exits "a check" 0
is "a check: the source" "['a.txt', '1.txt']" desk.html '[d[1] for d in data["docs"]]'
is "a check: the text of the source" "True" desk.html 'data["docs"][1][4] == open("one.txt").read()'
is "a check: bytes of the source" "True" desk.html \
    'all("number w1 " in data["docs"][p[2]][4].encode()[p[5]:p[6]].decode() for p in data["passages"]) and len(data["passages"]) == 1'
is "a check: how many duplicates" "True" desk.html '["Duplicates", "2 of 2: more than 0 of their units are in the index, and they have a passage"] in data["summary"]'
is "a check: how many targets" "True" desk.html '["Targets", "2"] in data["summary"]'
is "a check: how many sources" "True" desk.html '["Sources", "2"] in data["summary"]'

run report -o none.html --doc nobody many.h5
exits "no such document" 1
one_error "no such document"
says "no such document" "nobody: no document with this id"
run report -o source.html --doc desk/1.txt desk.h5
exits "the page of a source" 0
is "the page of a source" "True" source.html 'data["docs"][int(data["start"][4:])][:2] == [data["doc"], "1.txt"]'
run report -o none.html --doc in/b desk.h5
exits "a part of an id" 1
says "a part of an id" "in/b: no document with this id; did you mean handed-in/b.txt?"
absent "no such document" none.html
run report many.h5
exits "no name" 2
run report -o no/folder.html many.h5
exits "no folder" 1
one_error "no folder"

mv many.jsonl moved.jsonl
run report -o gone.html many.h5
exits "texts are gone" 0
says "texts are gone" "the page is without this text"
is "texts are gone" "True" gone.html 'all(d[4] is None for d in data["docs"])'

run detect -o empty.h5 --min-passage-words 100000 moved.jsonl
run report -o empty.html empty.h5
exits "no passages" 0
is "no passages" 0 empty.html 'len(data["passages"])'
# In a browser: a page of hostile names, and one of a check.
run report -o all.html desk.h5
mkdir shelf
for k in $(seq 6); do cp one.txt shelf/$k.txt; done
run detect --passages all -o shelf.h5 shelf
run report --limit 2 -o few.html shelf.h5
for page in evil all few dated; do
    timeout 100 /usr/bin/python3 "$here/../../scripts/check/report.py" $page.html >out 2>err </dev/null
    status=$?
    if [ $status -eq 77 ]; then
        echo "skipped: a browser (chromium-driver, python3-selenium)"
    else
        exits "$page.html in a browser" 0
    fi
done
# Kept fields stand below the names of documents and are searched, but not those of others whose names are hidden.
for who in Brightman Other; do
    printf '<html><head><title>On %s &lt;i></title><meta name="author" content="%s, T."></head><body><p>%s</p></body></html>\n' $who $who "$(sentences 1 9)" >$who.html
done
run detect --preset texts -o told.h5 Brightman.html Other.html
run report -o told.html told.h5
is "kept fields" "On Brightman <i> · Brightman, T." told.html 'data["docs"][0][8]'
run report --doc Other.html --hide-names -o hidden.html told.h5
is "hidden names: no kept fields of others" "['', 'On Other <i> · Other, T.']" hidden.html '[d[8] for d in data["docs"]]'
finish
