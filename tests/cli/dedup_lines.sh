#!/bin/bash
# pardup dedup --as jsonl: records that cannot be cut are told before the job, and written as lines with what is left of their texts.
. "$(dirname "$0")/lib.sh"
letter() { # letter NAME TEXT: a message of a mail folder
    printf 'From %s@example.org Mon Jan  1 00:00:00 2024\nFrom: %s@example.org\nMessage-ID: <%s@example.org>\nSubject: about %s\n\n%s\n\n' "$1" "$1" "$1" "$1" "$2"
}
page() { # page NAME TEXT: a record of an archive of ARC
    local http=$'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n'"<html><body><p>$2</p></body></html>"
    printf 'http://%s.example/ 1.2.3.4 20240101000000 text/html %d\n%s\n' "$1" "$(printf %s "$http" | wc -c)" "$http"
}
mkdir -p in/far
{ letter ann "$(own ann 4; sentences 1 8)"; letter bob "$(own bob 4; sentences 1 8)"; letter cat "$(own cat 9)"; } >in/mail
{
    body=$'1 0 Example\nURL IP-address Archive-date Content-type Archive-length'
    printf 'filedesc://x.arc 0.0.0.0 20240101000000 text/plain %d\n%s\n\n' "$((${#body} + 1))" "$body"
    page one "$(own one 4; sentences 20 28)"
    page two "$(own two 4; sentences 20 28)"
} | gzip >in/far/web.arc.gz
printf '<html><body><p>%s</p></body></html>' "$(own page 2; sentences 40 50)" >in/a.html
cp in/a.html in/b.html
{ # kept fields of a line, some with names that the new lines have
    printf '{"id":"x","text":"%s","url":"http://x.example/","n":1.10,"lang":"e\\"n","deep":{"a":[1,"},"]}}\n' "$(own x 3 | tr '\n' ' ')"
    printf '{"id":"y","text":"%s","n":2}\n' "$(own y 3 | tr '\n' ' ')"
} >in/c.jsonl

# ---- told before the job ----
run detect --dry-run in
exits "dry run" 0
verdict "the dry run says which files cannot be cut" grep -q '^dedup: records cannot be cut in 2 of 5 files, such as in/far/web.arc.gz: choose --as jsonl' out
run detect --dry-run in/c.jsonl
verdict "it says nothing of files that can be cut" [ "$(grep -c '^dedup' out)" -eq 0 ]

# ---- refused, and written ----
run detect --preset texts --keep-fields id,text,url,n,lang,deep -o r.h5 in
exits "detect" 0
run dedup -o refused r.h5
exits "dedup of records that cannot be cut" 1
one_error "dedup of records that cannot be cut"
says "dedup of records that cannot be cut" "choose --as jsonl"
run dedup --as jsonl -o new r.h5
exits "dedup --as jsonl" 0
verdict "the files of what stays" [ "$(cd new && find . -type f | sort | tr '\n' ' ')" = "./a.html.jsonl ./c.jsonl ./far/web.arc.jsonl.gz ./mail.jsonl " ]
python3 - >out 2>&1 <<'P'
import gzip, json
def rows(name):
    return [json.loads(line) for line in (gzip.open if name.endswith(".gz") else open)(name, "rt")]
a, b, c = rows("new/mail.jsonl")
assert "w3 speaks" in a["text"] and "w3 speaks" not in b["text"] and "abob1" in b["text"], b
assert "acat9" in c["text"] and list(c)[:2] == ["id", "text"]
one, two = rows("new/far/web.arc.jsonl.gz")
assert one["url"] == "http://one.example/" and "w22 speaks" in one["text"] and "w22 speaks" not in two["text"], two
x, y = rows("new/c.jsonl")
assert (x["id"], x["url"], x["n"], x["lang"], x["deep"]) == ("x", "http://x.example/", 1.1, 'e"n', {"a": [1, "},"]}), x
assert list(y) == ["id", "text", "n"], y
assert '"n":1.10,' in open("new/c.jsonl").read()
P
verdict "lines have what is left" [ ! -s out ]
run dedup --as jsonl --check -o checked r.h5
exits "--as jsonl --check" 0
says "--as jsonl --check" "check                   0"
for option in --annotate --list; do
    run dedup --as jsonl $option -o refused r.h5
    exits "--as jsonl $option" 2
done

# ---- the same bytes on any number of ranks ----
need_ranks 4
for n in 2 4; do
    run_np "$n" dedup --as jsonl -o "new$n" r.h5
    verdict "$n ranks write the same" same_jobs new "new$n"
done

# ---- leaks ----
printf '{"id":"q","text":"%s"}\n' "$(sentences 3 4 | tr '\n' ' ')" >tests.jsonl
run decontaminate --against tests.jsonl --as jsonl -o clean in
exits "decontaminate --as jsonl" 0
verdict "no leak is left" [ "$(cat clean/mail.jsonl | grep -c 'w3 speaks')" -eq 0 ]
verdict "the rest of the mail is" grep -q abob1 clean/mail.jsonl

finish
