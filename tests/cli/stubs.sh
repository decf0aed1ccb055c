#!/bin/bash
# What a site says at many addresses, such as an error page, is set aside and listed. Articles at several addresses stay. The
# same on any number of ranks, and with little memory, as the judge of tests/support has it.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

# Pages as JSON lines and as an archive. The name of a group of equal pages, and whether it stays, is in groups.tsv.
"$PYTHON" - <<'PY'
import json, random

def text(name, sentences):
    return " ".join(f"{name} says sentence{k} in its w{k * 7 % 11}{name} and v{k}{name} words here." for k in range(sentences))

groups = {  # name: (addresses, sentences of 9 words, whether it stays)
    "error": ([f"http://www.a.example/{k % 3}/gone{k}" for k in range(10)], 4, False),
    "login": ([f"http://www.a.example/show.php?id={k}" for k in range(30)], 5, False),
    "few": ([f"http://www.a.example/few{k}" for k in range(5)], 4, True),
    "long": ([f"http://www.a.example/print/long{k}" for k in range(25)], 23, True),
    "version": ([f"http://www.a.example/v{k}/page.html" for k in range(12)], 6, True),
    "session": ([f"http://www.a.example/article;s=1?sid={k}" for k in range(12)], 8, True),
    "captured": (["http://www.a.example/captured"] * 8, 4, True),
    "there": ([f"http://b.example:80/there{k}" for k in range(4)], 4, True),
}
pages = []
for name, (addresses, sentences, stays) in groups.items():
    # an error page on another site has the same words
    for address in addresses:
        pages.append((name, address, text("error" if name == "there" else name, sentences)))
for k in range(50):
    quoted = ".".join(text("error", 4).split(".")[:1 if k else 2])  # the first sentence, and one page has two
    rights = " All rights of such pages stay with us." if k in (7, 17, 27) else ""  # 3 of 112 pages, but of 152 with stubs
    pages.append(("own", f"http://www.a.example/own{k}", text(f"own{k}", 9) + f" {quoted}.{rights}"))
random.Random(3).shuffle(pages)
seen = {}
with open("pages.jsonl", "w") as lines, open("pages.warc", "wb") as archive, open("groups.tsv", "w") as tsv:
    for name, url, words in pages:
        number = seen[name] = seen.get(name, -1) + 1
        page_id = f"{name}-{number}"
        lines.write(json.dumps({"id": page_id, "url": url, "text": words}) + "\n")
        page = (f"<html><head><title>{page_id}</title></head><body><div class='menu'><a href='/'>Home of all</a> <a href='/b'>Our offers</a></div>"
                f"<div class='content'><p>{words}</p></div><div class='footer'>You are at number {page_id} of us</div></body></html>").encode()
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
        archive.write(f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{page_id}>\r\nWARC-Target-URI: {url}\r\n"
                      f"Content-Type: application/http\r\nContent-Length: {len(http)}\r\n\r\n".encode() + http + b"\r\n\r\n")
    for name, (_, _, stays) in groups.items():
        tsv.write(f"{name}\t{'stays' if stays else 'goes'}\n")
PY

# judged RESULT: every pair of equal pages of one site is there if they stay, and no other pair is.
judged() {
    "$PYTHON" - "$1" <<'PY'
import itertools, re, sys, h5py
stays = dict(line.rstrip("\n").split("\t") for line in open("groups.tsv"))
with h5py.File(sys.argv[1]) as f:
    ids = [x.decode().replace("urn:uuid:", "") for x in f["documents/id"][:]]
    pairs = {frozenset((ids[a], ids[b])) for a, b in zip(f["pairs/doc_a"][:], f["pairs/doc_b"][:])}
want = {frozenset(pair) for pair in itertools.combinations(ids, 2)
        if len({name.split("-")[0] for name in pair}) == 1 and stays.get(pair[0].split("-")[0]) == "stays"}
for name in sorted(stays):
    of = lambda some: sum(all(x.startswith(name + "-") for x in pair) for pair in some)
    if of(pairs) != of(want):
        print(f"{name}: {of(pairs)} pairs, expected {of(want)}")
sys.exit(pairs != want)
PY
}

web="$pages_by_sentence --always-df 1000000 --idf 0,1 --max-df 0"
for input in pages.jsonl pages.warc; do
    run detect $web -o one.h5 $input
    exits "$input" 0
    verdict "$input: pairs of what stays" judged one.h5
    run export --table templates one.h5
    # 4 sentences of 10 words of the error and 5 of the request to log in; the pages of their own have the first sentence of the error
    # too, which is a template for that
    verdict "$input: 9 sentences are listed" [ "$(awk -F'\t' '$6 == 10' out | wc -l)" -eq 9 ]
    verdict "$input: 3 of them on 10 pages" [ "$(awk -F'\t' '$6 == 10 && $5 == 10' out | wc -l)" -eq 3 ]
    verdict "$input: stubs are no pages of a site: a text on 3 of the others is a template" \
        [ "$(awk -F'\t' '$6 == 8 && $5 == 3' out | wc -l)" -eq 1 ]
    verdict "$input: 5 of them on 30 pages" [ "$(awk -F'\t' '$6 == 10 && $5 == 30' out | wc -l)" -eq 5 ]
    run detect $web --memory 1M -o other.h5 $input
    verdict "$input: the same with little memory" "$PYTHON" "$here/../support/same_result.py" one.h5 other.h5
    [ $input = pages.jsonl ] && ranks="2 4" || ranks=3
    for np in $ranks; do
        run_np $np detect $web --memory 1M -o other.h5 $input
        verdict "$input: the same on $np ranks" "$PYTHON" "$here/../support/same_result.py" one.h5 other.h5
    done
    run text --templates aside --frame aside $input
    exits "text of $input" 0
    verdict "text of $input: the error of the other site alone" [ "$(grep -c 'error says sentence3' out)" -eq 4 ]
    verdict "text of $input: a page that quotes the error keeps it" [ "$(grep -c 'error says sentence1' out)" -eq 5 ]
    verdict "text of $input: no request to log in" [ "$(grep -c 'login says' out)" -eq 0 ]
    verdict "text of $input: a long article at 25 addresses" [ "$(grep -c 'long says sentence22' out)" -eq 25 ]
    run detect $web --templates match -o match.h5 $input
    run export --table pairs match.h5
    verdict "$input: with --templates match, errors are pairs" [ "$(cut -f9,10 out | grep -c 'error-.*error-')" -eq 45 ]
done

"$PARDUP" sentences --offsets pages.jsonl >sentences.tsv
run detect $web -o one.h5 pages.jsonl
echo "one.h5" >runs
run explain one.h5 login-0 login-1
verdict "explain: a page of a site that shows it at many addresses" grep -q "template of the site" out

grep -h '"id": "\(login\|few\)-0"' pages.jsonl | sed 's/"id": "/&target of /' >targets.jsonl
run index $web -o pages.index pages.jsonl
run check --index pages.index -o check.h5 targets.jsonl
exits "check" 0
run export --table pairs check.h5
verdict "check: what stays is found, what goes is not" [ "$(grep -c 'target of few-0' out) $(grep -c 'target of login-0' out)" = "5 0" ]

verdict "as the judge has it" "$PYTHON" "$here/../support/oracle.py" --sentences sentences.tsv --list runs
finish
