#!/bin/bash
# pardup dedup: inputs and folders as people have them. Line ends, empty files, lists with unknown ids, a full disk.
. "$(dirname "$0")/lib.sh"
removed="python3 $here/../support/removed.py"
doc() { printf '{"id":"%s","text":"%s"}' "$1" "${2//$'\n'/\\n}"; }
checked() { # checked NAME OUT INPUT...: removed.py agrees
    local name=$1
    shift
    verdict "$name: each removal is proved" $removed "$PARDUP" "$@"
}

# ---- paragraphs stay apart when the end of one goes ----
mkdir text
sentences 1 12 >text/a.txt
{ printf 'This paragraph has a sentence of its own, which nobody else has.  '; sentences 1 12; printf '\nHere another paragraph begins, of which nothing goes at all.  It has two own sentences.\n'; } >text/b.txt
{ printf 'A first line is its own.\n'; sentences 3 9; printf 'A last line is its own, too.\n'; } >text/c.txt
line() { sentences "$@" | paste -sd ' '; }
{ printf 'The first paragraph begins with its own sentence. '; line 1 6; printf '\n%s ' "$(line 7 12)"; printf 'The second one ends with its own.\n'; } >text/d.txt
cd text || exit 1 # ids are paths below the folder, in the output, too
run detect --preset web -o ../text.h5 a.txt b.txt c.txt d.txt
run dedup --min-left 0 -o ../text.out ../text.h5
exits "paragraphs" 0
checked "paragraphs" ../text.out --min-left 0 a.txt b.txt c.txt d.txt
cd .. || exit 1
verdict "paragraphs stay apart" cmp -s text.out/b.txt <(printf 'This paragraph has a sentence of its own, which nobody else has.\n\nHere another paragraph begins, of which nothing goes at all.  It has two own sentences.\n')
verdict "paragraphs stay apart when the end of one goes with the begin of the next" \
    cmp -s text.out/d.txt <(printf 'The first paragraph begins with its own sentence.\n\nThe second one ends with its own.\n')
verdict "lines stay apart" cmp -s text.out/c.txt <(printf 'A first line is its own.\nA last line is its own, too.\n')

# ---- JSON lines: CR LF, no last line end, empty shards ----
mkdir in
{ doc one "$(sentences 1 30)"; printf '\r\n'; doc two "$(sentences 100 119; sentences 5 14)"; printf '\r\n'; } >in/a.jsonl
{ doc three "$(sentences 1 30)"; printf '\n'; doc four "$(sentences 1 20; sentences 300 310)"; } >in/b.jsonl
: >in/c.jsonl
gzip -c </dev/null >in/d.jsonl.gz
run detect --preset web -o r.h5 in
exits "JSON lines" 0
run dedup -o new r.h5
exits "JSON lines: dedup" 0
says "an empty shard has no document" "4 ->"
checked "JSON lines" new in/a.jsonl in/b.jsonl
verdict "CR LF stays" [ "$(grep -c $'}\r$' new/a.jsonl)" -eq 2 ]
verdict "no last line end is made" [ "$(tail -c 1 new/b.jsonl)" = "}" ]
verdict "an empty shard stays" cmp -s in/c.jsonl new/c.jsonl
run dedup --annotate -o notes r.h5
verdict "an empty shard has no attributes" cmp -s in/c.jsonl notes/attributes/c.jsonl

{ doc five "$(sentences 1 12)"; printf '\n'; } >benchmark.jsonl
: >empty.jsonl
run detect --preset web --against empty.jsonl --against benchmark.jsonl -o against.h5 in
run dedup -o clean against.h5
verdict "after --against: each target is written, empty or not, and no source" \
    [ "$(ls clean | tr '\n' ' ')" = "a.jsonl b.jsonl c.jsonl d.jsonl.gz " ]

# ---- --keep list ----
printf 'three\r\nnobody\r\n' >some
run dedup --keep list:some -o listed r.h5
exits "--keep list with an unknown id" 0
says "--keep list with an unknown id" "warning: --keep list:some: 1 of its 2 ids are not found, the first is: nobody"
verdict "--keep list: the known one stays" grep -q '"three"' listed/b.jsonl
echo nobody >none
: >empty
for list in none empty; do
    run dedup --keep "list:$list" -o refused r.h5
    exits "--keep list:$list" 1
    one_error "--keep list:$list"
    absent "--keep list:$list" refused
done
says "--keep list:empty" "--keep list:empty: no id in it"
run_np 2 dedup --keep list:none -o refused r.h5
says "--keep list:none" "none of its 1 id is that of one of the 4 documents"

# ---- inputs in several folders: names below the folder that all of them share ----
mkdir -p far/x far/y/z
cp in/a.jsonl far/x
cp in/b.jsonl far/y/z
cp in/c.jsonl far
cd far/y || exit 1
run detect --preset web -o far.h5 ../x "$PWD/z" ../y/.././/c.jsonl
cd ../.. || exit 1
run dedup -o far.out far/y/far.h5
exits "several folders" 0
verdict "several folders: names" [ "$(cd far.out && find . -name '*.jsonl' | sort | tr '\n' ' ')" = "./c.jsonl ./x/a.jsonl ./y/z/b.jsonl " ]
verdict "several folders: the same texts" cmp -s new/a.jsonl far.out/x/a.jsonl
run detect --preset web -o far.h5 far/x/a.jsonl far/x//a.jsonl
run dedup -o far.twice far.h5
exits "one file by two paths" 2
says "one file by two paths" "a.jsonl: two files of the collection would be written to this one"
absent "one file by two paths" far.twice

# ---- names of files: as long as they may be, and those that dedup has itself ----
long=$(printf '%0251d.txt' 0)
mkdir named
sentences 1 9 >"named/$long"
{ sentences 1 9; sentences 40 49; } >"named/${long/0/1}"
sentences 50 55 >named/a.txt.part
run detect --preset web -o named.h5 named
run_np 2 dedup -o named.out named.h5
exits "long names" 0
verdict "long names: the files are there" cmp -s "named/$long" "named.out/$long"
verdict "long names: nothing else is" [ "$(ls named.out | wc -l)" -eq 3 ]
mkdir bytes
for byte in 350 351; do sentences $byte $((byte + 9)) >"bytes/$(printf "caf\\$byte").txt"; done
run detect --preset web -o bytes.h5 bytes
run dedup -o bytes.out bytes.h5
verdict "names that are no UTF-8: as in ids" [ "$(grep -o '"file":"[^"]*"' bytes.out.proof/summary.json | tr '\n' ' ')" = '"file":"caf\\xE8.txt" "file":"caf\\xE9.txt" ' ]
# own NAME: a collection with a file of this name
own() {
    rm -rf own own.* refused*
    mkdir own
    doc six "$(sentences 1 9)" >own/a.jsonl
    { doc seven "$(sentences 1 9)"; printf '\n'; doc eight "$(sentences 20 29)"; } >"own/$1"
    run detect --preset web -o own.h5 own
}
for name in summary.json removed.jsonl.zst check.json keep.txt; do
    own $name
    run dedup --check -o own.new own.h5
    exits "a file $name" 0
    verdict "a file $name: it is cut" [ -s own.new/$name -a "$(ls own.new | wc -l)" -eq 2 -a "$(grep -c seven own.new/$name)" -eq 0 ]
done
own dedup-work
run dedup -o refused own.h5
exits "a file dedup-work" 2
one_error "a file dedup-work"
says "a file dedup-work" "dedup-work: dedup has a folder of this name"
absent "a file dedup-work" refused
run dedup --list -o own.list own.h5
exits "a file dedup-work: --list" 0

# ---- data apart from proof: each folder is of this job alone ----
run detect --preset web -o again.h5 new # the output of an earlier dedup
exits "output of dedup: detect" 0
verdict "output of dedup: all of it is data" grep -q 'records skipped  *0 ' err
run dedup -o again/ again.h5
exits "output of dedup" 0
verdict "output of dedup: nothing goes" grep -q '"removed_spans":0' again.proof/summary.json
mkdir deep
run dedup --proof deep/said -o apart r.h5
exits "--proof" 0
verdict "--proof: the same bytes" diff -r new apart
verdict "--proof: the same proof" diff -r new.proof deep/said
mkdir mine.proof
echo mine >mine.proof/notes
run dedup -o mine r.h5
exits "a folder of somebody else" 1
one_error "a folder of somebody else"
says "a folder of somebody else" "mine.proof: is not empty: choose another folder with --proof"
verdict "a folder of somebody else: nothing is written" [ ! -e mine -a "$(ls mine.proof)" = notes ]
for proof in x x/said .; do
    run dedup --proof $proof -o x r.h5
    exits "--proof $proof" 2
    one_error "--proof $proof"
    absent "--proof $proof" x
done
says "--proof ." "--proof .: neither it nor -o x may be in the other one"
mkdir here
cd here || exit 1
run dedup -o . ../r.h5
exits "-o ." 2
says "-o ." "-o .: give --proof, too"
rm out err
timeout "$RUN_SECONDS" "$PARDUP" dedup --quiet --proof ../here.said -o . ../r.h5
status=$?
cd .. || exit 1
exits "-o . and --proof" 0
verdict "-o . and --proof: the same bytes" diff -r new here
run dedup --list --proof y -o x r.h5
exits "--list --proof" 2

# ---- the output as other programs read a folder: every file is data ----
python3 - new new.proof <<'P' >counted
import gzip, json, os, sys
rows = [json.loads(line) for name in sorted(os.listdir(sys.argv[1]))
        for line in (gzip.open if name.endswith(".gz") else open)(os.path.join(sys.argv[1], name), "rt")]
with open(os.path.join(sys.argv[2], "summary.json")) as f:
    print(len(rows) == json.load(f)["documents"]["after"] > 1, all(set(row) == {"id", "text"} for row in rows))
P
verdict "all lines of all files are documents, as many as the summary says" [ "$(cat counted)" = "True True" ]

# ---- ids with control characters: pardup takes them as it prints them ----
{ doc 'nine\n9' "$(sentences 1 9)"; printf '\n'; doc 'ten\u001b[1m' "$(sentences 1 9)"; printf '\n'; doc 'plain\\n' "$(sentences 20 29)"; printf '\n'; } >odd.jsonl
run detect --preset web -o odd.h5 odd.jsonl
run dedup --list -o odd.list odd.h5
verdict "odd ids: lists" [ "$(cat odd.list/keep.txt odd.list/drop.txt | tr '\n' ' ')" = 'nine\n9 plain\n ten\x1b[1m ' ]
run_np 2 detect --preset web --docs-from odd.list/drop.txt -o one.h5 odd.jsonl
says "odd ids: --docs-from" "2 documents of the collection were left out"
verdict "odd ids: --docs-from finds all" [ "$(grep -c 'not found' err)" -eq 0 ]
run text --docs-from odd.list/keep.txt odd.jsonl
verdict "odd ids: text --docs-from" [ "$(grep -c 'w20 ' out)" -eq 1 -a "$(grep -c 'not found' err)" -eq 0 ]
run dedup --keep list:odd.list/drop.txt -o odd.out odd.h5
verdict "odd ids: --keep list" grep -qF 'ten\u001b' odd.out/odd.jsonl
for command in "text --doc nine\n9 odd.jsonl" "show --doc nine\n9 odd.h5" "explain odd.h5 nine\n9 ten\x1b[1m" "report --doc ten\x1b[1m -o odd.html odd.h5"; do
    run $command
    exits "$command" 0
done

# ---- documents with one id: a list of ids must not drop both, and the proof tells them apart ----
{ doc same "$(sentences 1 20)"; printf '\n'; doc same "$(sentences 1 20)"; printf '\n'; doc other "$(sentences 30 40; sentences 1 9)"; printf '\n'; doc gone "$(sentences 1 20)"; printf '\n'; } >twins.jsonl
run detect --preset web -o twins.h5 twins.jsonl
run_np 2 dedup --list -o twins.list twins.h5
exits "one id twice" 0
says "one id twice" "warning: documents that would go, but have the id of one that stays: 1; these ids are in keep.txt only"
verdict "one id twice: drop.txt" [ "$(cat twins.list/drop.txt)" = gone ]
verdict "one id twice: keep.txt" [ "$(tr '\n' ' ' <twins.list/keep.txt)" = "same other " ]
verdict "one id twice: rows" [ "$(zstd -dcq twins.list/removed.jsonl.zst | grep -o '"doc":.*' | tr '\n' ' ')" = '"doc":1,"kept_doc":0} "doc":2,"kept_doc":0} "doc":3,"kept_doc":0} ' ]

# ---- attributes: line by line, also where a line is no document ----
mkdir holes
{ echo '{"id":"no text"}'; doc 11 "$(sentences 1 20)"; printf '\n{"id":"null","text":null}\n[1]\n'; doc 12 "$(sentences 1 20)"; printf '\n\n'; doc 13 "$(sentences 40 50)"; printf '\n{"id":"cut","te'; } >holes/a.jsonl
gzip -c holes/a.jsonl >holes/b.jsonl.gz
cp twins.jsonl holes/c.jsonl
run detect --preset web -o holes.h5 holes
run_np 2 dedup --annotate -o holes.notes holes.h5
exits "lines that are no document" 0
wanted="null 11 null null 12 13 null "
ids_of() { grep -o '"id":[^,]*' "$1" | cut -d: -f2 | tr -d '"' | tr '\n' ' '; }
verdict "lines that are no document: $(ids_of holes.notes/attributes/a.jsonl)" [ "$(ids_of holes.notes/attributes/a.jsonl)" = "$wanted" ]
gzip -dcq holes.notes/attributes/b.jsonl.gz >unpacked
verdict "lines that are no document, packed: $(ids_of unpacked)" [ "$(ids_of unpacked)" = "$wanted" ]
verdict "lines that are documents" [ "$(wc -l <holes.notes/attributes/c.jsonl)" -eq 4 ]

# ---- formats whose records can be left out only: told before anything is written ----
trec() { printf '<DOC>\n<DOCNO>%s</DOCNO>\n<TEXT>\n%s\n</TEXT>\n</DOC>\n' "$1" "$2"; }
{ trec t1 "$(sentences 1 20)"; trec t2 "$(sentences 1 20)"; trec t3 "$(sentences 40 50; sentences 1 15)"; } >part.trec
{ trec t4 "$(sentences 60 79)"; trec t5 "$(sentences 60 79)"; } >whole.trec
cp in/a.jsonl first.jsonl
run detect --preset web -o trec.h5 first.jsonl part.trec whole.trec
run_np 2 dedup -o trec.out trec.h5
exits "TREC: a part" 1
one_error "TREC: a part"
says "TREC: a part" "part.trec: parts of records of this format cannot be cut out: choose --as jsonl"
absent "TREC: a part" trec.out
run dedup --remove documents -o trec.out trec.h5
exits "TREC: whole documents" 0
verdict "TREC: whole documents" [ "$(grep -ch DOCNO trec.out/part.trec trec.out/whole.trec | tr '\n' ' ')" = "1 1 " ]
run detect --preset web -o trec.h5 first.jsonl whole.trec
run dedup -o trec.whole trec.h5
exits "TREC: nothing is cut" 0

# ---- folders that cannot be made ----
: >file
run dedup -o file/below r.h5
exits "a file in place of a folder" 1
one_error "a file in place of a folder"
run dedup -o /proc/none/below r.h5
exits "no folder can be made" 1
says "no folder can be made" "/proc/none: "
finish
