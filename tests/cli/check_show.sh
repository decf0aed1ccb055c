#!/bin/bash
# check --show: what a person reads about each target: its decision, its sources, its passages, from the index or the files or neither.
. "$(dirname "$0")/lib.sh"
mkdir sources targets
for k in $(seq 0 3); do sentences $((100 * k)) $((100 * k + 9)) >sources/s$k.txt; done
sentences 102 108 >sources/s4.txt # shares seven sentences with s1: no word of a target counts twice
{ sentences 9000 9003; sentences 100 105; sentences 9010 9011; sentences 300 303; } >targets/essay.txt
sentences 9100 9104 >targets/own.txt
how="--method sentence-fp-sd --gamma 1 --delta 3 --edges sentence"
run index $how -o files sources
exits "index" 0
run index $how --with-text -o texts sources

shown() { # shown NAME: what each of the three ways says
    exits "$1" 0
    prints "$1" "targets/essay.txt: a duplicate: 10 of its units are in the index, more than 3 (--delta)"
    prints "$1" "120 of 192 words (62 %) in 3 passages, from 3 sources"
    prints "$1" "sources/s1.txt: 72 words (38 %), score 0."
    prints "$1" "sources/s3.txt: 48 words (25 %), score 0."
    prints "$1" "sources/s4.txt: 48 words (25 %), score 0."
    prints "$1" "targets/own.txt: no duplicate: 0 of its units are in the index, not more than 3 (--delta)"
    prints "$1" "0 of 60 words (0 %) in 0 passages, from 0 sources"
    verdict "$1: nothing is said on standard error" [ ! -s err ]
}
mkdir tmp
export TMPDIR=$PWD/tmp
show() { run check --show --width 120 --color never "$@" targets; }
show --index files
shown "from files"
prints "from files" "1 of 3, sources/s1.txt: 72 words alike"
prints "from files" "target: bytes"
prints "from files" "Sentence number w100"
cp out from.files
verdict "nothing is left in scratch" [ -z "$(ls tmp)" ]
run_np 2 check --index files --show --width 120 --color never targets
verdict "two ranks show the same" cmp -s from.files out
show --index files --limit 1 --top 1
prints "--limit" "2 more passages; --limit 0 shows all"
prints "--top" "2 more sources; --top says how many are listed"
show --index files --texts no
shown "--texts no"
prints "--texts no" "Only offsets of passages are shown: --texts no reads no text"
prints "--texts no" "1 of 3, sources/s1.txt: bytes"

show --index files -o kept.h5
exits "with -o" 0
present "with -o" kept.h5
verdict "with -o: the same" cmp -s from.files out

mv sources gone
show --index texts
shown "from the index"
verdict "from the index: the same" cmp -s from.files out
show --index files
shown "sources are gone"
prints "sources are gone" "Only offsets of passages are shown: sources/s1.txt: No such file or directory"
verdict "sources are gone: this is said once" [ "$(grep -c 'Only offsets' out)" -eq 1 ]
show --index files -o other.h5
exits "a result that is kept needs the sources" 1
absent "a result that is kept needs the sources" other.h5
mv gone sources

# Names and texts of others do nothing to the terminal, and no line is wider than it.
printf '{"id": "\\u001b[31mred\\nline", "text": "%s"}\n' "$(sentences 100 105 | tr '\n' ' ')" >odd.jsonl
run check --index files --show --width 40 odd.jsonl
exits "an odd id" 0
prints "an odd id" "[31mred line: a duplicate"
verdict "no control character" [ "$(LC_ALL=C grep -c "[$(printf '\001-\011\013-\037\177')]" out)" -eq 0 ]
verdict "no line is wider than 40 columns" awk 'length > 40 { exit 1 }' out

run check --index files --show --stdin
exits "--show and --stdin" 2
run check --index files targets
exits "neither -o nor --show" 2
says "neither -o nor --show" "or --show"

# A result of check has no families: no number stands for "none".
run export --format jsonl kept.h5
prints "export of JSON lines" '"family":null'
run export kept.h5
verdict "export of columns: an empty cell" [ "$(grep -c 18446744073709551615 out)" -eq 0 -a "$(wc -l <out)" -eq 4 ]
finish
