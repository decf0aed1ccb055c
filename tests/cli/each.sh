#!/bin/bash
# report --each: a page for each document of the inputs; --hide-names: without the names and texts of others.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

mkdir essays books
"$PYTHON" - <<'P'
import random
rng = random.Random("each")
def text(n):
    return " ".join(" ".join(f"word{rng.randrange(9999)}" for _ in range(12)).capitalize() + "." for _ in range(n))
copied, quoted = text(5), text(5)
for k, name in enumerate(["Ann_Smith", "Bob_Jones", "Cy_Brown", "Di_White"]):
    shared = {0: copied, 1: copied + " " + quoted, 2: quoted}.get(k, "")
    open(f"essays/{name}.txt", "w").write(f"By {name}, own{k}x. {text(8)}\n\n{shared}\n\n{text(3)}\n")
open("books/Book.txt", "w").write(quoted + "\n\n" + text(9) + "\n")
P
run detect --preset texts --with books -o e.h5 essays
exits "detect" 0
run report --each --hide-names -o pages/ e.h5
exits "report --each" 0
says "report --each" "pages: 4 pages; pages.key.csv says whose they are"
verdict "a page for each essay, none for the book" [ "$(ls pages | tr '\n' ' ')" = "page-1.html page-2.html page-3.html page-4.html " ]
verdict "the key, by shares" [ "$(cat pages.key.csv)" = 'student,page,id,share,words,most_with
2,page-2.html,"essays/Bob_Jones.txt",47 %,120,"Ann_Smith.txt"
1,page-1.html,"essays/Ann_Smith.txt",31 %,60,"Bob_Jones.txt"
3,page-3.html,"essays/Cy_Brown.txt",31 %,60,"Bob_Jones.txt"
4,page-4.html,"essays/Di_White.txt",0 %,0,' ]
verdict "the key has the shares of the pages" "$PYTHON" - <<'P'
import csv, json, re
for row in csv.DictReader(open("pages.key.csv")):
    page = json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', open("pages/" + row["page"]).read(), re.S)[1])
    (d,) = [d for d in page["docs"] if d[0] == int(row["student"]) - 1]
    assert int(row["words"]) == d[5] and (row["share"] == "0 %" or abs(float(row["share"][:-2]) - 100 * d[5] / d[6]) <= .5), (row, d[5:7])
P
others_hidden() { # others_hidden PAGE NAME: of all essays only this one is named
    local name
    grep -q "$2" "$1" || return 1
    for name in Ann_Smith Bob_Jones Cy_Brown Di_White; do
        [ "$name" = "$2" ] || ! grep -q "$name" "$1" || return 1
    done
}
verdict "Ann's page names nobody else" others_hidden pages/page-1.html Ann_Smith
verdict "Bob's page names nobody else" others_hidden pages/page-2.html Bob_Jones
verdict "Bob's page has what others are called" grep -q '"student 1"' pages/page-2.html
verdict "Bob's page has the name of the book" grep -q 'Book.txt' pages/page-2.html
verdict "Bob's page has his text" grep -q own1x pages/page-2.html
verdict "Bob's page has no other essay" [ "$(grep -c -e own0x -e own2x pages/page-2.html)" = 0 ]
verdict "a page without copies is there" others_hidden pages/page-4.html Di_White

run report --doc Bob_Jones --hide-names -o bob.html e.h5
exits "report --doc --hide-names" 0
verdict "the page of --doc is that of --each" cmp bob.html pages/page-2.html
run report --each -o open e.h5
exits "report --each with names" 0
verdict "names are there" grep -q Ann_Smith open/page-2.html
run report --each --hide-names -o pages e.h5
exits "its own pages are replaced" 0

# Names inside shown texts: those of file names and authors, in copied passages.
mkdir class
"$PYTHON" - <<'P'
import random
rng = random.Random("names")
def text(n):
    return " ".join(" ".join(f"word{rng.randrange(9999)}" for _ in range(12)).capitalize() + "." for _ in range(n))
shared = text(3) + " Written by Bob Jones with help of Nguyễn Văn Li, 王小明说 and Jones's friend, number 3003007, in a jones way. Paris is old, King Grace too.\nName: Somebody Else\n" + text(3)
for name in ["Ann_Smith", "Bob_Jones", "Nguyen_Van_Li_3003007", "王小明", "x1"]:
    open(f"class/{name}.txt", "w").write(f"{text(6)}\n\n{shared if name[0] in 'AB' else text(4)}\n\n{text(3)}\n")
open("authors.csv", "w").write("id,author\nx1,Grace Hopper\n")
P
run detect --preset texts --metadata authors.csv -o class.h5 class
exits "a class" 0
run report --each --hide-names -o class.pages class.h5
exits "a class: pages" 0
verdict "names in texts" "$PYTHON" - <<'P'
import json, re
def page(k):
    html = open(f"class.pages/page-{k}.html").read()
    return json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', html, re.S)[1])
ann = page(1)
own = [d for d in ann["docs"] if d[1].endswith("Ann_Smith.txt")][0]
texts = [p[-2:] for p in ann["passages"]]
other = [t for pair in texts for t in pair if isinstance(t, str) and "Written" in t][0]
assert "by *** ***** with" in other and "number *******" in other and "in a jones way" in other, other
assert "of " + "*" * len("Nguyễn".encode()) + " " + "*" * len("Văn".encode()) + " **," in other, other
assert "*********说" in other and "*****'s friend" in other and "King ***** too" in other and "Paris" in other, other
assert "Name: ******** ****\n" in other, other
assert "by *** ***** with" in own[4] and "King Grace too" in own[4] and "Name: Somebody Else" in own[4], own[4]
assert len(own[4].encode()) == own[2], "offsets stay"
bob = page(2)
assert "by Bob Jones with" in [d for d in bob["docs"] if d[1].endswith("Bob_Jones.txt")][0][4]
P
cat >begin.py <<'P'
import json, re
page = json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', open("class.html").read(), re.S)[1])
assert page["families"] and all(f["text"][0] not in ".,:; " for f in page["families"]), [f["text"][:30] for f in page["families"]]
P
run report -o class.html class.h5
verdict "families begin with a word" "$PYTHON" begin.py
verdict "names: no page of another one has them" [ "$(grep -l 'Bob Jones' class.pages/* | tr '\n' ' ')" = "class.pages/page-2.html " ]

echo mine >pages/page-3.html
run report --each -o pages e.h5
exits "a stranger's file" 1
says "a stranger's file" "pages/page-3.html: pardup has not written this file"
verdict "a stranger's file stays" [ "$(cat pages/page-3.html)" = mine ]
echo mine >open.key.csv
run report --each -o open e.h5
exits "a stranger's key" 1
for wrong in "--each --doc Bob_Jones" "--hide-names"; do
    run report $wrong -o wrong.html e.h5
    exits "report $wrong" 2
done
finish
