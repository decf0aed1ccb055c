#!/bin/bash
# compare shows what files share, side by side; show draws the same way. No line is wider than asked for.
. "$(dirname "$0")/lib.sh"

# The lines of out that take more than WIDTH columns, after escape sequences are removed.
too_wide() { # too_wide WIDTH
    /usr/bin/python3 - "$1" <<'PYTHON'
import re, sys, unicodedata
def columns(line):
    line = re.sub("\x1b\\[[0-9;]*m", "", line)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
for line in open("out", encoding="utf-8").read().split("\n"):
    if columns(line) > int(sys.argv[1]):
        print(columns(line), line)
PYTHON
}
fits() { verdict "$1: no line is wider than $2" [ -z "$(too_wide "$2")" ]; }
lacks() { verdict "$1: standard output does not have '$2'" sh -c '! grep -qF -- "$0" out' "$2"; }
quiet() { verdict "$1: nothing on standard error" [ ! -s err ]; }

# N words that no other numbers give, 11 in a sentence.
words() { # words FROM TO
    local k
    for k in $(seq "$1" "$2"); do
        echo "Start$k$(printf " w$k%s" one two three four five six seven eight nine) end$k."
    done
}

mkdir scratch
export TMPDIR=$work/scratch
unset NO_COLOR

# ---- two editions ----
words 1 12 >a.txt
sed -e '4s/w4five/is silent on/' -e '6s/ w6one w6two / /' -e '8s/w8four/& very/' a.txt >b.txt
{ words 500 510; cat b.txt; } >c.txt
run compare a.txt c.txt
exits "two editions" 0
quiet "two editions"
prints "two editions" "A: a.txt (132 words,"
prints "two editions" "Share of A that B has: 100 %; share of B that A has: 52 %. 1 passage."
prints "two editions" "A: bytes 0-"
prints "two editions" "[-w4five-]"
prints "two editions" "{+is silent on+}"
prints "two editions" "[-w6one w6two-]"
prints "two editions" "1 of 1: 129 words alike"
fits "two editions" 80
verdict "equal words stand on one line" grep -qE "^  Start1 w1one w1two w1three w1four +\| Start1 w1one w1two w1three w1four$" out
run compare --lines 2 a.txt c.txt
prints "--lines" "... words left: "
run compare --lines 0 --context 0 a.txt c.txt
prints "--lines 0 has the last word" "end12"
prints "two editions" "{+very+}"
lacks "--context 0" "words alike ..."
run compare --context 4 a.txt c.txt
prints "--context" "words alike ..."
for width in 20 33 60 200; do
    run compare --width $width --lines 0 --context 0 a.txt c.txt
    fits "two editions" $width
done
run compare --width 10 a.txt c.txt
fits "less than the least width" 20

# ---- colours: asked for, in a pipe, on a terminal ----
run compare --color always a.txt c.txt
prints "colours" "$(printf '\033[31mw4five\033[m')"
prints "colours" "$(printf '\033[32mis silent on\033[m')"
lacks "colours" "[-"
fits "colours" 80
run compare a.txt c.txt
lacks "no colours in a pipe" "$(printf '\033')"
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    TERM=xterm script -qec "stty cols 60; '$PARDUP' compare a.txt c.txt" /dev/null </dev/null | tr -d '\r' >out
    prints "colours on a terminal" "$(printf '\033[31mw4five\033[m')"
    fits "the width of the terminal" 60
    verdict "the width of the terminal is used" [ -n "$(too_wide 50)" ]
    NO_COLOR=1 TERM=xterm script -qec "'$PARDUP' compare a.txt c.txt" /dev/null </dev/null | tr -d '\r' >out
    lacks "NO_COLOR" "$(printf '\033')"
fi

# ---- equal files ----
words 1 3000 >long.txt
cp long.txt copy.txt
run compare long.txt copy.txt
exits "equal files" 0
prints "equal files" "A and B have the same words in the same order."
prints "equal files" "Share of A that B has: 100 %; share of B that A has: 100 %. 1 passage."
prints "equal files" "1 of 1: 33,000 words alike"
prints "equal files" "... 32,976 words alike ..."
verdict "equal files take few lines" [ "$(wc -l <out)" -le 20 ]
cat a.txt a.txt c.txt >twice.txt
run compare twice.txt twice.txt
prints "equal files that repeat themselves" "Share of A that B has: 100 %; share of B that A has: 100 %. 1 passage."
run compare long.txt long.txt
prints "a file with itself" "A and B have the same words in the same order."
quiet "a file with itself"
echo hello >hello.txt
run compare hello.txt hello.txt
exits "too short for a passage, but equal" 0
prints "too short for a passage, but equal" "A and B have the same words in the same order."
lacks "too short for a passage, but equal" "no passage"

# ---- texts that repeat themselves ----
for k in $(seq 3000); do echo "The same sentence stands here again and again."; done >same1.txt
{ cat same1.txt; echo "But not this one."; } >same2.txt
run compare same1.txt same2.txt
prints "repeated sentences" "Share of A that B has: 100 %; share of B that A has: 99.9 %. 1 passage."
yes a b | head -n 8000 | tr '\n' ' ' >ab.txt
yes b a | head -n 8000 | tr '\n' ' ' >ba.txt
run compare ab.txt ba.txt
exits "repeated words" 0
prints "repeated words" "Share of A that B has: 99.9 %; share of B that A has: 99.9 %. 1 passage."

# ---- nothing shared; three files; several documents ----
echo "Quite another text about nothing that anybody else has written down so far." >other.txt
run compare a.txt other.txt
exits "nothing shared" 0
quiet "nothing shared"
prints "nothing shared" "A and B share no passage of more than 3 matched units; try --preset edited."
verdict "nothing shared takes three lines" [ "$(wc -l <out)" -eq 3 ]
: >nothing.txt
run compare a.txt nothing.txt
exits "an empty file" 0
prints "an empty file" "B: nothing.txt (0 words, 0 bytes)"
run compare a.txt other.txt c.txt
exits "three files" 0
verdict "three files: all pairs in order" \
    [ "$(grep -oE '^[ABC]: \S+' out | tr '\n' ' ')" = "A: a.txt B: other.txt A: a.txt C: c.txt B: other.txt C: c.txt " ]
prints "three files" "Share of A that C has: 100 %; share of C that A has: 52 %. 1 passage."
/usr/bin/python3 - <<'PYTHON'
import json
for name, path in (("m.jsonl", "a.txt"), ("n.jsonl", "c.txt")):
    with open(name, "w") as f:
        for k, text in enumerate((open("other.txt").read(), open(path).read())):
            print(json.dumps({"id": f"\x1b[5md{k}", "text": text}), file=f)
        if name == "n.jsonl":
            print('{"id": broken', file=f)
PYTHON
run compare -o kept.h5 m.jsonl n.jsonl
exits "several documents" 0
verdict "several documents: the reason is said once" [ "$(wc -l <err)" -eq 1 ]
says "several documents" "n.jsonl: byte 2190: invalid token near 'broken'; skipped (json)"
present "-o" kept.h5
prints "several documents" "A: m.jsonl (2 documents, 145 words,"
prints "several documents" "; 1 record skipped)"
prints "several documents" "Share of A that B has: 100 %; share of B that A has: 55 %. 2 passages."
prints "several documents" "The longest has 132 words."
prints "several documents: ids" "2 of 2, "
lacks "control characters of ids" "$(printf '\033')"
run compare --limit 1 m.jsonl n.jsonl
prints "--limit" "1 more passage; --limit 0 shows all."

# ---- show draws the same; --pair and --passage ----
run show --passage 1 kept.h5
exits "show --passage" 0
prints "show --passage" "# 1: "
prints "show --passage" "[-w4five-]"
lacks "show --passage" "# 0: "
fits "show" 80
run show --passage 2 kept.h5
exits "show --passage beyond the last row" 1
says "show --passage beyond the last row" "the result has 2 passages"
one=$(printf '\033[5md1') zero=$(printf '\033[5md0')
run show --pair "$one" "$one" kept.h5
prints "show --pair" "# 1: "
lacks "show --pair" "# 0: "
run show --pair "$zero" "$one" kept.h5
prints "show --pair without passages" "no passages"
run show --pair "$zero" nobody kept.h5
exits "show --pair without such a document" 1
says "show --pair without such a document" "nobody: no document with this id; pardup export --table documents"
run show kept.h5 --pair "$zero"
exits "show --pair with one id" 2
says "show --pair with one id" "--pair needs two values: A B"

# ---- wide and combining characters, control characters, long words ----
/usr/bin/python3 - <<'PYTHON'
han = "".join(chr(0x4E00 + 37 * k) for k in range(300))
marks = " ".join("e\u0301" * (1 + k % 7) + f"n{k}" for k in range(60))
rule = "=" * 200 + " " + "x" * 150
controls = "bell\x07 one\x1b[31mtwo\x9bthree \u202Efour five\tsix seven eight nine ten"
text = "\n".join((han, marks, rule, controls))
open("wide1.txt", "w").write(text)
open("wide2.txt", "w").write(text.replace(han[40], "\u7532\u4E59\u4E19").replace("n7", "other").replace("five", "5"))
PYTHON
for width in 20 21 47 80 133; do
    run compare --width $width --lines 0 --context 0 wide1.txt wide2.txt
    exits "wide characters" 0
    fits "wide characters" $width
    verdict "control characters are not printed" \
        /usr/bin/python3 -c 'import re; assert not re.search("[\0-\t\v-\x1f\x7f-\x9f\u202e]", open("out", encoding="utf-8").read())'
done
prints "wide characters are marked" "{+甲乙丙+}"

# ---- failures ----
run compare a.txt missing.txt
exits "a missing file" 1
one_error "a missing file"
says "a missing file" "missing.txt: No such file or directory"
verdict "a missing file: nothing else is said" [ "$(wc -l <err)" -eq 1 -a ! -s out ]
run compare a.txt b.txt missing.txt
verdict "a missing third file is told at once" [ ! -s out ]
head -c 4000 /dev/urandom | tr '\n' '\0' >noise.bin
run compare a.txt noise.bin
exits "a file that is no text" 1
one_error "a file that is no text"
says "a file that is no text" "noise.bin: byte 0: no text; skipped (unknown)"
printf '{"id":"a","body":"One text."}\n' >posts.jsonl
run compare posts.jsonl a.txt
exits "another field" 1
says "another field" 'posts.jsonl: byte 0: no field "text" that is a string; strings: id, body (--text-field)'
run compare a.txt
exits "one file" 2
run compare -o x.h5 a.txt b.txt c.txt
exits "-o with three files" 2
absent "-o with three files" x.h5
run compare --scratch no/such/folder a.txt b.txt
exits "a new scratch" 0
verdict "a new scratch is made, and empty" rmdir no/such/folder
run compare --scratch a.txt/folder a.txt b.txt
exits "no scratch" 1
says "no scratch" "a.txt/folder: Not a directory"
verdict "scratch is empty" [ -z "$(ls -A scratch)" ]
run compare --method pdc-imatch --idf 0,1 a.txt c.txt
prints "another method" "Share of A that B has: 33 %; share of B that A has: 17 %. 1 passage."
run compare --preset texts --method pdc-imatch --idf 0,1 a.txt c.txt
prints "another method in the rest of texts" "52 %. 1 passage."
run compare --method full-fp a.txt c.txt
cp out published
run compare --preset paper --method full-fp a.txt c.txt
verdict "a method without a preset is as published" cmp -s out published
run_np 2 compare a.txt c.txt
exits "under mpirun" 0
verdict "under mpirun: printed once" [ "$(grep -c '^A: ' out)" -eq 1 ]
# The job's files are removed, so none has to survive a crash: only a kept result is synced.
if command -v strace >/dev/null && strace -q -o trace true; then
    export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
    timeout "$RUN_SECONDS" strace -f -q -o trace -e trace=fsync "$PARDUP" compare a.txt c.txt >out 2>err
    verdict "nothing is synced" [ "$(grep -c fsync trace)" -eq 0 ]
    timeout "$RUN_SECONDS" strace -f -q -o trace -e trace=fsync "$PARDUP" compare -o kept.h5 a.txt c.txt >out 2>err
    verdict "with -o, the result is synced" [ "$(grep -c fsync trace)" -gt 0 ]
else
    echo "skip    what is synced: strace cannot be used here"
fi
finish
