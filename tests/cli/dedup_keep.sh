#!/bin/bash
# pardup dedup: which copy stays by keys, how many copies it stands for, and records of archives that say so.
. "$(dirname "$0")/lib.sh"
line() { # line ID URL MORE: a copy, with an address and more members
    printf '{"id":"%s","url":"%s"%s,"text":"%s"}\n' "$1" "$2" "$3" "$(sentences 1 12 | tr '\n' ' ')${4-}"
}
{
    line deep 'http://x.example/a/b/c?session=1&more=2' ',"date":"2024-05-01","score":5,"by":"b"'
    line wordy 'http://x.example/a/' ',"date":"2024-06-01","score":40,"by":"a"' 'And more words are here than in all of the others.'
    line flat 'http://x.example/b' ',"date":"2023","score":"none","by":"c"'
    line nowhere '' ''
} >in.jsonl
printf '{"id":"own","text":"%s"}\n' "$(sentences 30 40 | tr '\n' ' ')" >>in.jsonl
run detect --preset texts --keep-fields date,score,by -o r.h5 in.jsonl
exits "detect" 0

# stays KEEP ID: the copy that stays is ID
stays() {
    rm -rf new new.proof
    run dedup --keep "$1" --min-left 0.5 -o new r.h5
    exits "--keep $1" 0
    verdict "--keep $1: $2 stays" [ "$(grep -o '^{"id":"[a-z]*"' new/in.jsonl | cut -d '"' -f 4 | tr '\n' ' ')" = "$2 own " ]
}
stays first deep
stays best:depth,-words wordy
stays best:depth,words flat
stays best:-depth deep
stays best:-words wordy
stays best:date flat
stays best:-date wordy
stays best:field:score deep # numbers come before texts
stays best:-field:score wordy
stays field:score wordy
stays best:-field:by,words flat
stays best:field:by wordy
for keys in best: best:words, best:size best:field: best:--words best:words,,depth field: list:; do
    run dedup --keep "$keys" -o refused r.h5
    exits "--keep $keys" 2
done
run dedup --keep best:words,field:nothing -o refused r.h5
exits "a field that no document has" 1
one_error "a field that no document has"
says "a field that no document has" "no document of a passage has this field among those that detect has kept: nothing"


# ---- for how many documents a line stands ----
{
    printf '{"id":"a","text":"%s"}\r\n' "$(sentences 1 12 | tr '\n' ' ')"
    printf '  {"id":"b","text":"%s","more":{"n":[1]} } \n' "$(sentences 1 12 | tr '\n' ' ')"
    printf '{"id":"c","text":"%s"}\n' "$(sentences 20 34 | tr '\n' ' ')"
    printf '{"id":"d","text":"%s"}\n' "$(sentences 50 60; sentences 20 34 | tr '\n' ' ')" | tr '\n' ' '
    printf '\nno line of JSON\n'
} >counted.jsonl
sed 's/"id":"\(.\)"/"id":"\1\1"/' counted.jsonl | gzip >counted2.jsonl.gz
run detect --preset texts -o c.h5 counted.jsonl counted2.jsonl.gz
run dedup --count-field copies -o counted c.h5
exits "--count-field" 0
run dedup -o plain c.h5
python3 - >out 2>&1 <<'P'
import gzip, json
def read(folder):
    lines = open(folder + "/counted.jsonl", newline="").read().split("\n") + gzip.open(folder + "/counted2.jsonl.gz", "rt").read().split("\n")
    return [line for line in lines if line]
lines, plain = read("counted"), read("plain")
rows = [json.loads(line) for line in lines if "{" in line]
assert [(r["id"], r["copies"]) for r in rows] == [("a", 4), ("c", 3), ("d", 1)], rows
assert sum(r["copies"] for r in rows) == 8 and lines[0].endswith(',"copies":4}\r'), lines[0]
import re
assert [re.sub(r',"copies":\d+', "", line) for line in lines] == plain, "all else is the same"
P
verdict "lines have their numbers of copies" [ ! -s out ]
run dedup --count-field text -o refused c.h5
exits "a field that is there" 1
one_error "a field that is there"
says "a field that is there" "has a field text already"
absent "a field that is there" refused/counted.jsonl
run dedup --as jsonl --count-field text -o refused2 c.h5
exits "a name of the new lines" 2
run detect --preset texts -o t.h5 counted.jsonl "$here/dedup_keep.sh"
run dedup --count-field copies -o refused2 t.h5
exits "--count-field in other files" 1
says "--count-field in other files" "--count-field goes into JSON lines: give --as jsonl, too"
run dedup --count-field copies --as jsonl -o lines c.h5
exits "--as jsonl --count-field" 0
verdict "--as jsonl: the same numbers" [ "$(grep -o '"copies":[0-9]*' lines/counted.jsonl | tr '\n' ' ')" = '"copies":4 "copies":3 "copies":1 ' ]

# ---- copies in archives become revisits ----
capture() { # capture NUMBER DATE DIGEST TEXT MORE
    local body="<html><body><p>$4</p></body></html>" http
    http=$'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'"$5"$'\r\n'
    printf 'WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%d>\r\nWARC-Date: %s\r\nWARC-Target-URI: http://x.example/%d\r\n' "$1" "$2" "$1"
    [ -z "$3" ] || printf 'WARC-Payload-Digest: sha1:%s\r\n' "$3"
    printf 'WARC-Block-Digest: sha1:B%d\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s%s\r\n\r\n' "$1" $((${#http} + ${#body})) "$http" "$body"
}
{
    page=$(sentences 1 20 | tr '\n' ' ')
    capture 1 2024-01-01T00:00:00Z AAA "$page" ''
    capture 2 2024-02-01T00:00:00Z AAA "$page" $'X-Own: yes\r\n'
    capture 3 2024-03-01T00:00:00Z CCC "$page " ''                     # other bytes
    capture 4 2024-04-01T00:00:00Z '' "$page" ''                       # the digest of the one that stays
    capture 5 2024-05-01T00:00:00Z DDD "$page" ''                      # a digest that contradicts
    capture 6 2024-06-01T00:00:00Z EEE "$(sentences 40 50 | tr '\n' ' ')$page" '' # not whole
} >web.warc
run detect --preset texts --keep-fields date -o w.h5 web.warc
run dedup --revisit -o seen w.h5
exits "--revisit" 0
says "--revisit" "revisits                2  records in place of a copy"
python3 - >out 2>&1 <<'P'
records = open("seen/web.warc", "rb").read().split(b"WARC/1.1\r\n")[1:]
assert len(records) == 4, len(records)
for record in records:
    head, rest = record.split(b"\r\n\r\n", 1)
    length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
    assert len(rest) == length + 4 and rest.endswith(b"\r\n\r\n"), record
second, fourth = records[1], records[2]
assert second == (b"WARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:2>\r\nWARC-Date: 2024-02-01T00:00:00Z\r\n"
    b"WARC-Target-URI: http://x.example/2\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 56\r\n"
    b"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
    b"WARC-Refers-To: <urn:uuid:1>\r\nWARC-Refers-To-Target-URI: http://x.example/1\r\n"
    b"WARC-Refers-To-Date: 2024-01-01T00:00:00Z\r\nWARC-Payload-Digest: sha1:AAA\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Own: yes\r\n\r\n\r\n\r\n"), second
assert b"<urn:uuid:4>" in fourth and b"sha1:AAA" in fourth and b"<html>" not in fourth
P
verdict "records say whose copies they are" [ ! -s out ]
verdict "the summary counts them" grep -q '"revisits":2' seen.proof/summary.json
run text seen/web.warc
verdict "they are no documents" [ "$(grep -c '^==>' out)" -eq 2 ]
run dedup --revisit --keep best:-date -o last w.h5
exits "--revisit with the last capture" 0
run dedup --revisit --check -o looked w.h5
exits "--revisit --check" 0

need_ranks 4
for n in 1 2 4; do run_np "$n" dedup --keep best:-field:by,depth,words -o "np$n" r.h5; done
verdict "2 ranks write the same" same_jobs np1 np2
verdict "4 ranks write the same" same_jobs np1 np4
for n in 2 4; do
    run_np "$n" dedup --count-field copies -o "counted$n" c.h5
    verdict "--count-field: $n ranks write the same" same_jobs counted "counted$n"
    run_np "$n" dedup --revisit -o "seen$n" w.h5
    verdict "--revisit: $n ranks write the same" same_jobs seen "seen$n"
done
finish
