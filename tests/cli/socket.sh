#!/bin/bash
# check --socket: lines of several clients at a time, clients that go away or do not read, and an end that leaves nothing.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

mkdir sources
for k in $(seq 0 5); do sentences $((100 * k)) $((100 * k + 9)) >sources/s$k.txt; done
run index --method sentence-fp --gamma 3 --with-text -o index sources
exits "index" 0
line_of() { printf '{"id": "%s", "text": "%s"}\n' "$1" "$(tr '\n' ' ' <"$2")"; }
for k in $(seq 0 5); do line_of "t$k" sources/s$k.txt; done >lines
printf '%s\n' nonsense '{"id": 7}' >>lines
"$PARDUP" check --index index --stdin <lines >expected 2>err
verdict "there are answers" [ "$(grep -c '"duplicate":true' expected)" -eq 6 ]

# LeakSanitizer is left out: its tracer and the program wait for each other in a job in the background.
ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" timeout "$RUN_SECONDS" "$PARDUP" check --index index --socket door >out 2>err &
job=$!
for tries in $(seq 200); do [ -S door ] && break; sleep 0.05; done
says "ready" "door: answers JSON lines"
verdict "the socket is its owner's" [ "$(stat -c %a door)" = 700 ]

timeout "$RUN_SECONDS" "$PYTHON" - <<'PY' >verdicts 2>py.err
import socket

lines, expected = open("lines", "rb").read(), open("expected", "rb").read()

def knock():
    s = socket.socket(socket.AF_UNIX)
    s.connect("door")
    s.settimeout(20)
    return s

def take(s, n):
    """n lines of answers."""
    got = b""
    while got.count(b"\n") < n and (more := s.recv(1 << 16)):
        got += more
    return got

one, other = knock(), knock()
parts = [lines[k:k + 97] for k in range(0, len(lines), 97)]
for part in parts:  # both at the same time, lines in pieces
    one.sendall(part)
    other.sendall(part)
print("one", take(one, expected.count(b"\n")) == expected)
print("other", take(other, expected.count(b"\n")) == expected)

rude = knock()
rude.sendall(lines * 20 + b'{"id": "cut')
rude.close()  # in the middle of a line, answers not read
deaf = knock()
deaf.settimeout(1)
sent, most = 0, 16 << 20
try:
    while sent < most:
        sent += deaf.send(lines)
except TimeoutError:
    pass
print("deaf", sent < most)  # its lines are not read without end
third = knock()
third.sendall(lines)
print("meanwhile", take(third, expected.count(b"\n")) == expected)
one.shutdown(socket.SHUT_WR)
print("end", one.recv(1) == b"")

last = knock()
last.sendall(lines.rstrip(b"\n"))
last.shutdown(socket.SHUT_WR)  # the last line has no end
print("last", take(last, expected.count(b"\n") + 1) == expected)
many = [knock() for _ in range(70)]  # more than are served at the same time
for s in many:
    s.sendall(lines)
for k, s in enumerate(many):
    ok = take(s, expected.count(b"\n")) == expected
    s.close()
    if not ok:
        print("many", False)
print("all", True)
deaf.close()
idle = [knock() for _ in range(100)]
new = knock()
new.sendall(lines)
print("idle", take(new, expected.count(b"\n")) == expected)
half = b'{"id": "long", "text": "' + b"a word " * 200000
crowd = [knock() for _ in range(6)]
sent = []
for s in crowd:  # long lines without an end: only one of them is taken in
    s.settimeout(0.5)
    n = 0
    try:
        while n < len(half):
            n += s.send(half[n:n + 65536])
    except TimeoutError:
        pass
    sent.append(n)
print("one-long-line", sent.count(len(half)) == 1)
new = knock()
new.sendall(lines)
print("others", take(new, expected.count(b"\n")) == expected)
crowd[sent.index(len(half))].close()
crowd = [s for s, n in zip(crowd, sent) if n < len(half)]
crowd[0].settimeout(20)
crowd[0].sendall(half[sent[1] if sent[0] == len(half) else sent[0]:] + b'"}\n')
print("next-long-line", b'"id":"long"' in take(crowd[0], 1))
PY
while read -r name value; do
    verdict "clients: $name" [ "$value" = True ]
done <verdicts
verdict "all clients were asked ($(tail -n 1 py.err))" [ "$(wc -l <verdicts)" -eq 11 ]

"$PARDUP" check --index index --socket door >out2 2>err2
status=$?
exits "a second service" 1
verdict "a second service is told" grep -q "door: there already; remove it" err2
verdict "the first one stays" kill -0 "$job"
kill "$job"
wait "$job"
status=$?
exits "SIGTERM" 0
absent "SIGTERM" door
ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" timeout "$RUN_SECONDS" "$PARDUP" check --index index --socket door 2>err &
job=$!
for tries in $(seq 200); do [ -S door ] && break; sleep 0.05; done
rm door
"$PYTHON" -c 'import socket; socket.socket(socket.AF_UNIX).bind("door")'
kill "$job"
wait "$job"
verdict "the socket of another program stays" [ -S door ]
rm -f door
echo text >file
run check --index index --socket file
exits "a file at the path" 1
verdict "a file at the path stays" [ "$(cat file)" = text ]
run check --index index --socket "$(printf 'x%.0s' $(seq 200))"
exits "a long path" 2
says "a long path" "the path of a socket has at most 107 bytes"
run check --index index --socket nowhere/door
exits "no folder" 1
one_error "no folder"
run check --index index --socket door sources
exits "and an input" 2
run check --index index --socket door --stdin
exits "and --stdin" 2
finish
