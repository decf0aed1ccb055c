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
    prints "$1" "share 62 %: 120 of 192 words in 3 passages, from 3 sources"
    prints "$1" "sources/s1.txt: share 38 %, 72 words, score 0."
    prints "$1" "sources/s3.txt: share 25 %, 48 words, score 0."
    prints "$1" "sources/s4.txt: share 25 %, 48 words, score 0."
    prints "$1" "targets/own.txt: no duplicate: 0 of its units are in the index, not more than 3 (--delta)"
    prints "$1" "share 0 %: 0 of 60 words in 0 passages, from 0 sources"
    verdict "$1: a sum below the targets" [ "$(tail -n 2 out | tr '\n' ';')" = ";1 of 2 targets is a duplicate, 1 has passages;" ]
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

# A unit in the index is no passage, and its source is listed without words.
mkdir few
{ sentences 9200 9202; sentences 105 105; } >few/one.txt
run check --show --index files --delta 0 --width 120 --color never few
prints "a unit without a passage" "few/one.txt: a duplicate: 1 of its units is in the index, more than 0 (--delta)"
prints "a unit without a passage" "sources/s1.txt: in no passage, score 0."
prints "a unit without a passage" "  a passage needs 2 matched units of one source (--gamma 1)"
# Runs of words meet by chance: without a passage the target is no duplicate.
run index --preset texts --gamma 3 -o runs sources
run check --show --index runs --gamma 99 --delta 0 --width 120 --color never few
prints "runs without a passage" "few/one.txt: no duplicate: "
prints "runs without a passage" "more than 0 (--delta), but there is no passage"
run check --index runs --gamma 40 --delta 0 -o runs.h5 few targets
says "runs: how many" "  duplicates: 1 target, with more than 0 units in the index (--delta) and a passage"
# The passage must be kept: by what it matches, its words and their agreement. Without texts no agreement is known.
decided() { # decided NAME TARGETS OPTION...: how many targets of this many are duplicates, each having runs in the index
    local name=$1 wanted=$2
    shift 2
    run check --index runs --delta 0 -o decided.h5 "$@"
    run export --table decisions decided.h5
    verdict "$name" [ "$(awk -F'\t' 'NR > 1 && $2 > 0 { n += $3; all++ } END { print n + 0, all }' out)" = "$wanted" ]
}
mkdir planted
{ seq -f "f%g" 1 30; sentences 205 206; seq -f "f%g" 31 60; } >planted/copy.txt # two sentences of s2
{ seq -f "f%g" 61 90; echo "speaks of x207 and y207 in its"; seq -f "f%g" 91 99; } >planted/part.txt
decided "runs: a copy of two sentences" "1 2" --gamma 1 --min-passage-words 20 planted
decided "runs: both are long enough" "2 2" --gamma 1 --min-passage-words 5 planted
decided "runs: neither is" "0 2" --gamma 1 --min-passage-words 60 planted
decided "runs: without texts" "1 2" --gamma 1 --min-passage-words 20 --texts no planted
printf '{"id": "copy", "text": "%s"}\n{"id": "part", "text": "%s"}\n' "$(tr '\n' ' ' <planted/copy.txt)" "$(tr '\n' ' ' <planted/part.txt)" |
    "$PARDUP" check --index runs --delta 0 --gamma 1 --min-passage-words 20 --stdin >out 2>err
verdict "runs: lines" [ "$(grep -o '"id":"[a-z]*","duplicate":[a-z]*' out | tr '\n' ' ')" = \
    '"id":"copy","duplicate":true "id":"part","duplicate":false ' ]
verdict "runs: lines collide" [ "$(grep -c '"collisions":0' out)" -eq 0 ]
show --index files
verdict "with passages: nothing is said of that" [ "$(grep -c 'a passage needs\|in no passage' out)" -eq 0 ]

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
prints "an odd id" '\x1b[31mred\nline: a duplicate'
verdict "no control character" [ "$(LC_ALL=C grep -c "[$(printf '\001-\011\013-\037\177')]" out)" -eq 0 ]
verdict "no line is wider than 40 columns" awk 'length > 40 { exit 1 }' out

run check --index files --show --stdin
exits "--show and --stdin" 2
run check --index files targets
exits "neither -o nor --show" 2
says "neither -o nor --show" "or --show"

# Families have members in targets and in sources, and every command says which is which.
run export --format jsonl --table members kept.h5
verdict "members: a target and its sources" [ "$(head -n 3 out | cut -d, -f 1,2,6,7 | tr '\n' ' ')" = \
    '{"family":0,"doc":0,"source":null,"id":"targets/essay.txt"} {"family":0,"doc":null,"source":1,"id":"sources/s1.txt"} {"family":0,"doc":null,"source":4,"id":"sources/s4.txt"} ' ]
run export --table members --sort id:desc kept.h5
verdict "members: sorted by ids of targets and of sources" [ "$(sed 1d out | cut -f 7)" = "$(sed 1d out | cut -f 7 | LC_ALL=C sort -r)" -a "$(wc -l <out)" -gt 4 ]
run export --table members --offsets chars kept.h5
exits "members in characters" 0
"$PARDUP" export --format parquet --table members -o members.parquet kept.h5
verdict "members in Parquet: no number stands for none" [ -s members.parquet ]
run show --family 0 --color never kept.h5
exits "show --family" 0
verdict "show --family: who is in it" [ "$(head -n 4 out | sed "s|, bytes [0-9]*-[0-9]*:|:|" | tr '\n' ';')" = \
    "family 0: 3 members in 3 documents;  representative: essay.txt;  verified: source s1.txt;  verified: source s4.txt;" ]
verdict "show --family: its passages" [ "$(grep -c '^# ' out)" = 2 ]
run show --doc sources/s4.txt --color never kept.h5
verdict "show --doc takes the id of a source" [ "$(grep -c '^# ' out):$(grep -c '^# .*s4' out)" = 1:1 ]
run check --index files --family-coverage 0.2 -o near.h5 targets
says "families of documents" "1 family of whole documents, 4 in all; the largest has 4"
run show --document-family 0 --color never near.h5
exits "show --document-family" 0
prints "show --document-family: a source" "  source s1.txt"
verdict "show --document-family: its passages" [ "$(grep -c '^# ' out)" = 3 ]
run report -o near.html near.h5
page() { python3 "$here/../support/report_page.py" near.html "$1" 2>/dev/null; }
verdict "report: members" [ "$(page '[m[:2] for m in max(data["families"], key=lambda f: f["size"])["members"]]')" = \
    "[[0, 'essay.txt'], [-2, 's1.txt'], [-5, 's4.txt']]" ]
verdict "report: documents of a family" [ "$(page '[m[0] for m in data["kin"][0]["members"]]')" = "[0, -2, -4, -5]" ]

# ---- the folder of a result that nobody keeps goes, also when nobody reads the answer to its end or the process is killed ----
"$PARDUP" check --index texts --show targets 2>/dev/null | true
verdict "a reader that ends: no folder stays" [ -z "$(ls tmp)" ]
mkdir tmp/pardup-result-killed tmp/pardup-result-locked
touch tmp/pardup-result-killed/result.h5
exec 7<tmp/pardup-result-locked
flock 7
run check --index texts --show targets
exits "a folder that a killed process has left" 0
verdict "a folder that a killed process has left: it goes" [ "$(ls tmp)" = pardup-result-locked ]
exec 7<&-
finish
