#!/bin/bash
# Memory and time that a small file can take: millions of skipped records, and one document of many
# bytes or words. Skipped records are complete in /skipped whatever --memory says, larger documents
# than --max-document are skipped, told and listed, and a signal is heard inside each.
. "$(dirname "$0")/lib.sh"

peak_below() { # peak_below NAME MB: the largest rank of the last job took less
    local peak
    peak=$(sed -n 's|.*peak memory a rank: .* / \([0-9]*\) MB.*|\1|p' err)
    [ "${FEW:-}" ] || verdict "$1: peak memory of ${peak:-?} MB is below $2 MB" [ "${peak:-9999}" -lt "$2" ]
}

make() { # make FILE PYTHON...: FILE, from the bytes that the expression gives
    python3 -c "import gzip, sys
data = ($2)
open('$1', 'wb').write(gzip.compress(data, 6) if '$1'.endswith('.gz') else data)" || exit 1
}

# ---- skipped records ----
BAD=2000000
make skips.jsonl.gz "b'{\"id\":1,\"text\":\"One sentence. Two sentences. Three of them.\"}\n' + b'x\n' * $BAD +
    b'{\"id\":2,\"text\":\"One sentence. Two sentences. Three of them.\"}\n'"
for np in 1 3; do
    run_np $np detect --memory 64M -o skips$np.h5 skips.jsonl.gz
    exits "skipped records, $np ranks" 0
    peak_below "skipped records, $np ranks" 130
    run export --table skipped skips$np.h5
    verdict "$np ranks: all skipped records are listed" [ "$(grep -c json out)" -eq $BAD ]
    verdict "$np ranks: in order" sort -c -k2,2n -k3,3n out
    mv out listed$np
done
verdict "the same list on 1 and 3 ranks" cmp -s listed1 listed3

# ---- one large document ----
text=$(sentences 1 2000)
few=$(sentences 1 9)
printf '%s\n' "$text" >large.txt
printf '%s\n' "$few" >few.txt
{
    printf '{"id":1,"text":"%s"}\n' "$(tr '\n' ' ' <<<"$text")"
    printf '{"id":2,"text":"%s"}\n' "$(tr '\n' ' ' <<<"$few")"
} >large.jsonl
printf '<DOC>\n<DOCNO>A</DOCNO>\n%s\n</DOC>\n<DOC>\n<DOCNO>B</DOCNO>\n%s\n</DOC>\n' "$text" "$few" >large.trec
{
    for body in "$text" "$few"; do
        printf 'WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n' \
            ${#body} "$body"
    done
} >large.warc
{
    for body in "$text" "$few"; do
        printf 'From a@b Mon Jan  5 10:00:00 2004\nSubject: x\n\n%s\n\n' "$body"
    done
} >large.mbox
make coded.warc "(lambda body: b'WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n'
    % len(body) + body + b'\r\n\r\n')(b'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n\r\n'
    + gzip.compress(gzip.compress(open('large.txt', 'rb').read())))"
gzip -k large.txt
for file in large.txt large.txt.gz large.jsonl large.trec large.warc large.mbox coded.warc; do
    run detect --max-document 64K -o x.h5 few.txt "$file"
    exits "$file" 0
    says "$file" "(too-large)"
    says "$file" "--max-document"
    run export --table skipped x.h5
    verdict "$file: is listed" [ "$(grep -c too-large out)" -eq 1 ]
    run text --max-document 1M "$file"
    verdict "$file: is read with a larger limit" grep -qF "Sentence number w2000" out
done

# ---- a document of as many bytes as it may have is read, however many words they are ----
make full.txt "b'abc ' * (16 << 10)"
make over.txt "b'abc ' * (16 << 10) + b'.'"
run detect --max-document 64K -o x.h5 full.txt over.txt few.txt
exits "the largest document" 0
verdict "the largest document: a byte more is skipped, and it alone" [ "$(grep -c 'skipped (too-large)' err)" -eq 1 ]
says "the largest document" "over.txt: byte 0"

# ---- many words, values, sentences ----
make words.txt.gz "b'a ' * (30 << 20)"
make ends.txt.gz "b'a.\n\n' * (15 << 20)"
make bars.txt.gz "b'|' * (60 << 20)"
make values.jsonl.gz "b'{\"id\":1,\"text\":\"a\",\"b\":[' + b'1,' * (30 << 20) + b'1]}\n'"
make members.jsonl.gz "b'{\"id\":1,\"text\":\"a\"' + b''.join(b',\"%x\":1' % k for k in range(2 << 20)) + b'}\n'"
for file in words.txt.gz ends.txt.gz bars.txt.gz values.jsonl.gz members.jsonl.gz; do
    run detect --memory 64M -o x.h5 few.txt "$file"
    exits "$file" 0
    says "$file" "(too-large)"
    peak_below "$file" 450
done

# ---- a signal is heard inside a document, and in damage without documents ----
make ends.txt.gz "b'A word. ' * (60 << 17)"
make page.html "b'<html>' + b'<p>a ' * (12 << 20)"
make lines.jsonl.gz "b'{}\n' + b'x\n' * (6 << 20)"
make long.jsonl.gz "b'{}\n' + b'x' * (900 << 20)"
for file in ends.txt.gz page.html lines.jsonl.gz long.jsonl.gz; do
    python3 - "$PARDUP" "$file" >out 2>err <<'PYTHON'
import signal, subprocess, sys, time
job = subprocess.Popen([sys.argv[1], "detect", "--max-document", "1G", "-o", "s.h5", sys.argv[2]],
                       stderr=subprocess.DEVNULL)
def used(): # hundredths of a second of its processor
    return int(open(f"/proc/{job.pid}/stat").read().rsplit(")")[1].split()[11])
while job.poll() is None and used() < 40:
    time.sleep(0.01)
before = after = used()
job.send_signal(signal.SIGTERM)
while job.poll() is None:
    try:
        after = used()
    except (OSError, IndexError):
        break
    time.sleep(0.01)
print(job.wait(), (after - before) / 100)
PYTHON
    read -r status seconds <out
    verdict "$file: SIGTERM is heard (exit status ${status:-?})" [ "${status:-0}" -eq 75 ]
    [ "${FEW:-}" ] || verdict "$file: SIGTERM is heard after ${seconds:-?} seconds of processor time" \
        awk "BEGIN {exit !(${seconds:-9} < 1)}"
    absent "$file: SIGTERM" s.h5
done
finish
