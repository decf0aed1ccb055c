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
verdict "the key" [ "$(cat pages.key.csv)" = 'student,page,id
1,page-1.html,"essays/Ann_Smith.txt"
2,page-2.html,"essays/Bob_Jones.txt"
3,page-3.html,"essays/Cy_Brown.txt"
4,page-4.html,"essays/Di_White.txt"' ]
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
