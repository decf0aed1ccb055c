#!/bin/bash
# What documents are called in show and on the page of report: --label, addresses where ids are numbers of records, else ids.
. "$(dirname "$0")/lib.sh"

mkdir essays
for k in 1 2 3; do sentences 1 12 >essays/e$k.txt; done
printf 'id,author,title,date\ne1,Ann,On x,1601\ne2,"B, Bea",,1602\n' >meta.csv
run detect --progress none --preset texts --metadata meta.csv -o e.h5 essays
exits "essays" 0
run show e.h5
prints "without --label: the end of the path" ": e1.txt"
run show --label '{author}: {title} ({name})' e.h5
exits "show --label" 0
prints "show --label" "Ann: On x (e1)"
prints "show --label: a field that is missing" "B, Bea: ? (e2)"
run show --label '{author}' e.h5
prints "show --label: a document without fields is called by its file" ": e3.txt"
run show --by-passage --label '{author}, {date}' e.h5
prints "show --by-passage --label" "# 0: Ann, 1601 ~ B, Bea, 1602"
run report --label '{author}: {title}' -o page.html e.h5
exits "report --label" 0
verdict "report --label: documents and members" [ "$(grep -o '"Ann: On x"' page.html | wc -l)" -ge 2 ]
verdict "report --label: no id of a named one" [ "$(grep -c 'essays/e1' page.html)" -eq 0 ]
run report --doc e1 --label '{author}' -o one.html e.h5
verdict "report --doc --label: the title" grep -q 'Shared passages of Ann' one.html

# Files are called by the shortest end of their path that is theirs alone; ids that are no path stay.
mkdir -p names/x/a names/y/a
for file in names/x/a/index.md names/y/a/index.md names/y/intro.md; do sentences 1 12 >$file; done
printf '{"id":"y/z/intro.md","text":"%s"}\n' "$(sentences 1 12 | tr '\n' ' ')" >names/z.jsonl
run detect --progress none --preset texts -o n.h5 names
run show --family 0 n.h5
verdict "files: the shortest end of a path" [ "$(sed -n 's/^  .*bytes.*: //p' out | tr '\n' ' ')" = "x/a/index.md y/a/index.md y/intro.md y/z/intro.md " ]
run show --doc y/intro.md --limit 1 n.h5
prints "files: what is shown can be typed" " y/intro.md"
cp -r names/x names/w
run detect --progress none --preset texts --against names/w -o against.h5 names/x
run show --by-passage against.h5
prints "targets and sources" "x/a/index.md ~ w/a/index.md"

bad() { # bad NAME STATUS TEXT PATTERN
    run show --label "$4" e.h5
    exits "$1" "$2"
    one_error "$1"
    says "$1" "$3"
}
bad "no field" 2 "--label Ann: has no field" Ann
bad "an open brace" 2 "--label {author: expected {field}" '{author'
bad "an empty field" 2 "expected {field}" 'a {} b'
bad "braces in braces" 2 "expected {field}" '{a{b}}'
bad "a field that no document has" 1 "--label: no document of e.h5 has the field {autor}" '{author} {autor}'

# Ids that are numbers of records.
for k in 1 2; do
    page="<html><body><p>$(sentences 1 12 | tr '\n' ' ')</p></body></html>"
    printf 'WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: 2026-10-0%sT00:00:00Z\r\n' $k $k
    printf 'WARC-Target-URI: https://x.org/%s.html\r\nContent-Type: text/html\r\nContent-Length: %s\r\n\r\n%s\r\n\r\n' $k ${#page} "$page"
done >pages.warc
run detect --progress none --preset texts --keep-fields title -o w.h5 pages.warc
run show --by-passage w.h5
prints "WARC: the address" "# 0: https://x.org/1.html ~ https://x.org/2.html"
run detect --progress none --preset texts -o w.h5 pages.warc
verdict "WARC: the date that nobody asked for is no reason to warn" [ "$(grep -c warning err)" = 0 ]
run export --format cdxj w.h5
verdict "WARC: an index without options" [ "$(wc -l <out)" = 2 ]
run show --by-passage w.h5
prints "WARC: the address and the date" "# 0: https://x.org/1.html, 2026-10-01T00:00:00Z"
run report -o w.html w.h5
verdict "WARC: the page" [ "$(grep -c 'urn:uuid' w.html)" -eq 0 ]
sed s/x.org/y.org/ pages.warc >other.warc
run compare pages.warc other.warc
verdict "compare: the address" [ "$(grep -c 'urn:uuid' out):$(grep -c 'https://x.org' out)" != 0:0 -a "$(grep -c 'urn:uuid' out)" = 0 ]
run show --label '{id}' --by-passage w.h5
prints "WARC: the id if it is asked for" "# 0: urn:uuid:1 ~ urn:uuid:2"
finish
