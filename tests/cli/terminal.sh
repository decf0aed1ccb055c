#!/bin/bash
# What a person sees: nothing wider than the terminal, a closing summary of at most five lines, silence with --quiet.
. "$(dirname "$0")/lib.sh"
mkdir in
for k in $(seq 1 30); do sentences $k $((k + 20)) >in/a-name-that-is-rather-long-so-that-lines-become-wide-$k.txt; done

widest() { awk '{ if (length > most) most = length } END { print most + 0 }' out; }
narrow() { verdict "$1: no line is wider than $2 (is $(widest))" [ "$(widest)" -le "$2" ]; }

long=$(printf 'x%.0s' $(seq 100))
for columns in 40 80; do
    on_terminal $columns detect --preset texts --progress bar --scratch . -o out.h5 in
    prints "$columns: the bar" "pardup: read   ["
    prints "$columns: time left" " left"
    prints "$columns: the summary" "pardup: out.h5"
    narrow "$columns columns: detect" $columns
    on_terminal $columns detect --preset texts --verbose --progress bar --scratch . -o out.h5 in
    narrow "$columns columns: detect --verbose" $columns
    for what in "" --by-passage; do
        on_terminal $columns show $what out.h5
        narrow "$columns columns: show $what" $columns
    done
    on_terminal $columns help detect all
    narrow "$columns columns: help" $columns
    on_terminal $columns text /nowhere/$long
    narrow "$columns columns: an error" $columns
    prints "$columns columns: an error" "pardup: error:"
done
on_terminal 80 help
verdict "a screen of 24 lines" [ "$(wc -l <out)" -le 24 ]

# ---- messages that go to a file ----
plain() { timeout "$RUN_SECONDS" "$PARDUP" "$@" >out 2>err </dev/null; }
plain detect --preset texts --scratch . -o out.h5 in
verdict "the closing summary has at most five lines" [ "$(sed -n '/out.h5/,$p' err | wc -l)" -le 5 ]
verdict "it is at most 80 columns wide" awk 'length > 80 { exit 1 }' err
says "documents" "30 documents"
says "passages" " passages in 435 pairs of documents"
plain detect --preset texts --verbose --scratch . -o out.h5 in
says "--verbose: stages" "stage    seconds"
plain detect --preset texts --quiet --progress bar --scratch . -o out.h5 in
verdict "--quiet: nothing is said" [ ! -s err ]
printf '\x1f\x8b\x08broken' >bad.gz
plain detect --preset texts --quiet --scratch . -o out.h5 in bad.gz
verdict "--quiet: no warnings" [ "$(grep -vc 'error: ' err)" -eq 0 ]
plain text --quiet nowhere.txt
verdict "--quiet: errors are said" grep -q "error: nowhere.txt" err
plain synth --quiet --documents 50 -o web
verdict "synth --quiet" [ ! -s err ]
need_ranks 2
timeout "$RUN_SECONDS" "${on_ranks[@]}" 2 "$PARDUP" detect --preset texts --quiet --scratch . -o two.h5 in >out 2>err </dev/null
verdict "--quiet on two ranks" [ ! -s err ]
plain detect --scratch . -o x.h5 bad.gz in
verdict "alone: a warning names no rank" [ "$(grep -c 'rank 0' err)" -eq 0 ]
says "a warning" "warning: bad.gz: byte"
timeout "$RUN_SECONDS" "${on_ranks[@]}" 2 "$PARDUP" detect --scratch . -o x.h5 bad.gz in >out 2>err </dev/null
verdict "several ranks: a warning names its rank" grep -q "warning: rank [01]: bad.gz: byte" err

# ---- numbers, and what is left to see ----
mkdir large
sentences 1 600 >large/a.txt
sentences 1 650 >large/b.txt
plain detect --preset texts --scratch . -o large.h5 large
says "numbers have commas" "2 documents (78.1 kB), 1,250 sentences; 0 records skipped"
for k in $(seq 450); do echo "{\"id\": \"$k\", \"text\": \"Document $k has this. All of these pages have one long sentence with fifteen words or so in it here.\"}"; done >alike.jsonl
plain detect --preset texts --max-df 1000 --passages all -o alike.h5 alike.jsonl
says "too many passages: what to do first" "101,025 passages are too many to read: pardup show alike.h5 prints families, best first; --min-passage-words 50"
plain synth --documents 40 -o web
says "one file" " in 1 file: "
says "synth: what next" "next: pardup detect -o web.h5 web/part-*"
plain show --by-passage --limit 2 out.h5
left=$(("$("$PARDUP" export out.h5 | wc -l)" - 3))
prints "show: passages left" "$left more passages; --limit 0 shows all."
plain show --limit 2 --doc in/a-name-that-is-rather-long-so-that-lines-become-wide-7.txt out.h5
left=$(("$("$PARDUP" export out.h5 | grep -c 'wide-7.txt')" - 2))
prints "show --doc: passages left" "$left more passages; --limit 0 shows all."
plain show --by-passage --limit 0 out.h5
verdict "show --limit 0: nothing is left" [ "$(grep -c ' more passage' out)" -eq 0 ]
plain show --passage 3 out.h5
verdict "show --passage: nothing is left" [ "$(grep -c ' more passage' out)" -eq 0 ]
on_terminal 80 show --limit 1 --family 0 out.h5
prints "a member's name is whole" "wide-19.txt"
narrow "80 columns: show --family" 80
on_terminal 42 show --limit 1 --family 0 out.h5
prints "where a passage is, in a narrow column" "0-"
verdict "narrow columns: no offset is cut" [ "$(grep -c '[0-9]-\?\.\.\. *|' out)" -eq 0 ]
plain synth --documents 300 -o web
plain detect --scratch . -o web.h5 web/part-*
for columns in 40 80; do
    on_terminal $columns eval --truth web/truth.tsv web.h5
    narrow "$columns columns: eval" $columns
    prints "$columns columns: eval" "plagdet"
done
for k in $(seq 1 20); do
    echo "7 Q0 in/a-name-that-is-rather-long-so-that-lines-become-wide-$k.txt $k $((100 - k)) a-run-with-a-name-of-its-own"
done >found-by-a-system-that-has-a-name.run
for columns in 20 40 80; do
    on_terminal $columns prevalence --coverage 0.5 --run found-by-a-system-that-has-a-name.run out.h5
    narrow "$columns columns: prevalence" $columns
    [ $columns = 20 ] || prints "$columns columns: prevalence" "mean_share"
    verdict "$columns columns: prevalence has no tabs" [ "$(grep -c "$(printf '\t')" out)" -eq 0 ]
done
plain prevalence --table topics --coverage 0.5 --run found-by-a-system-that-has-a-name.run out.h5
verdict "prevalence in a file has tabs" grep -qP '^0.5\tall\t1\t20\t' out
# ---- every command that takes time says how far it is ----
plain detect --preset texts --progress bar --scratch . -o out.h5 in
says "detect: families" "pardup: families ["
says "detect: write" "pardup: write  ["
for words in "dedup -o clean" "export --text 80 -o rows.csv" "export -o rows.parquet" "export -o found.sarif" "report -o page.html" "families -o new.h5"; do
    plain $words --progress bar out.h5
    says "$words: a bar" " left"
    plain $words --progress none --quiet out.h5
    verdict "$words: none" [ "$(grep -c '\[[#.]*\]' err)" -eq 0 ]
    rm -rf clean clean.proof rows.csv rows.parquet found.sarif page.html new.h5
done
plain dedup --progress bar -o clean out.h5
for step in read sort compare seek write; do says "dedup: $step" "pardup: $(printf %-6s $step) ["; done
on_terminal 80 export --progress bar --table documents out.h5
verdict "no bar between rows" [ "$(grep -c ' left' out)" -eq 0 ]
# ---- rows for a person are lined up, rows for programs have tabs ----
for columns in 40 80; do
    on_terminal $columns export --table pairs out.h5
    narrow "$columns columns: export" $columns
    prints "$columns columns: export" "coverage_a"
    verdict "$columns columns: export has no tabs" [ "$(grep -c "$(printf '\t')" out)" -eq 0 ]
    verdict "$columns columns: short numbers" [ "$(grep -cE '[.][0-9]{4}' out)" -eq 0 ]
done
verdict "80 columns: export calls documents as show does" [ "$(grep -c '^a-name-that' out)" -gt 10 -a "$(grep -c 'in/a-name' out)" = 0 ]
verdict "80 columns: shares as the page writes them" grep -qE ' [0-9]+ %' out
verdict "80 columns: ids in place of numbers of documents" [ "$(grep -c 'doc_a' out)" -eq 0 ]
on_terminal 80 export --format tsv --table pairs out.h5
verdict "--format tsv: tabs on a terminal, too" grep -q "$(printf '\t')" out
plain export --table pairs out.h5
verdict "export in a file has tabs" grep -q "^doc_a$(printf '\t')doc_b" out
TERM=dumb on_terminal 80 detect --preset texts --scratch . -o out.h5 in
verdict "TERM=dumb: no bar" [ "$(grep -c '\[[#.]*\]' out)" -eq 0 ]
TERM=xterm on_terminal 80 detect --preset texts --scratch . -o out.h5 in
verdict "TERM=xterm: a bar" grep -q '\[[#.]*\]' out

# Each step of an index and of a check has a bar.
on_terminal 80 index --progress bar -o bar.index in
for step in read documents names classes; do prints "index: a bar" "pardup: $(printf %-6s $step) ["; done
on_terminal 80 check --progress bar --index bar.index -o bar.h5 in
for step in read count align families write; do prints "check: a bar" "pardup: $(printf %-6s $step) ["; done
on_terminal 80 detect --preset texts --progress bar -o out.h5 in
for step in read gather classes align families write; do prints "detect: a bar" "pardup: $(printf %-6s $step) ["; done
finish
