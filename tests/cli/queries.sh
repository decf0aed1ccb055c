#!/bin/bash
# index and check: the worked example of docs/queries.md, answers to JSON lines, --add, wrong usage, damaged and foreign indexes.
. "$(dirname "$0")/lib.sh"
page=$here/../../docs/queries.md

# The commands of the recipe, and what it says that they print.
block() { awk -v open="^\`\`\`$1\$" '$0 ~ open {on = 1; next} /^```/ {on = 0} on' "$page"; }
mkdir example
block sh | sed "s|pardup |\"\$PARDUP\" |" >example.sh
(cd example && PARDUP=$(realpath "$PARDUP") timeout "$RUN_SECONDS" bash -e ../example.sh) >out 2>err
status=$?
exits "recipe" 0
sed '/^## An answer for a person/,$d' "$page" >recipe.md
page=recipe.md
block text >expected
verdict "recipe: decisions" diff <(head -n 3 out) <(head -n 3 expected)
verdict "recipe: the proof of what is removed" diff <(grep '"removed":' out) <(grep '"removed":' expected)
verdict "recipe: the table" diff <(tail -n 4 out) <(grep -A3 '^pardup-frequencies-1' "$here/../../docs/queries.md")
verdict "recipe: the corpus without the test" grep -qxF '{"id": "forum", "text": "Somebody asked me this today. I gave up."}' example/clean/pages.jsonl
prints "recipe" '"begin_a":30,"end_a":133,"begin_b":0,"end_b":103,'

# Targets and sources.
mkdir sources more targets
for k in $(seq 0 5); do sentences $((100 * k)) $((100 * k + 9)) >sources/s$k.txt; done
sentences 700 709 >more/s6.txt
cp sources/s1.txt more/s7.txt
for k in 1 7; do
    { sentences $((9000 + k)) $((9002 + k)); sentences $((100 * k)) $((100 * k + 6)); } >targets/t$k.txt
done
run index --method sentence-fp --gamma 3 -o index sources
exits "index" 0
says "index" "6 added, in 1 segment)"

# ---- JSON lines ----

ask() { # ask OPTION... <LINES: status, out, err
    timeout "$RUN_SECONDS" "$PARDUP" check --index index --stdin "$@" >out 2>err
    status=$?
}
line_of() { printf '{"id": "%s", "text": "%s"}\n' "$1" "$(tr '\n' ' ' <"$2")"; }

line_of t1 targets/t1.txt | ask
exits "a line" 0
prints "a line" '"id":"t1","duplicate":true,"collisions":7,"units":10,"passages":[{"source":"sources/s1.txt","begin_a":'
verdict "a line: one answer" [ "$(wc -l <out)" -eq 1 ]
begin=$(sed 's/.*"begin_a":\([0-9]*\),"end_a":\([0-9]*\).*/\1/' out)
verdict "a line: the passage begins behind three sentences" [ "$begin" -eq "$(sentences 9001 9003 | wc -c)" ]

{ echo nonsense; echo '[]'; echo '{"id": 5}'; echo '{"id": "x\u001b\"", "text": 7}'; echo; line_of t1 targets/t1.txt; printf '{"id": "last", "text": "One sentence."}'; } | ask --texts no --top 1
exits "bad lines" 0
verdict "bad lines: each has an answer" [ "$(wc -l <out)" -eq 6 ]
verdict "bad lines: four are refused" [ "$(grep -c '"error":' out)" -eq 4 ]
prints "bad lines" '{"id":5,"error":"no field \"text\" that is a string","line":3}'
prints "bad lines" '{"id":"x\u001b\"","error"'
prints "bad lines" '"agreement":null}],"ranking":[{"source":"sources/s1.txt","score":0.'
prints "bad lines" '{"id":"last","duplicate":false,"collisions":0,"units":1,"passages":[],"ranking":[]}'

# ---- numbers that no machine holds, ids that are too long, a mark before the first line ----
{
    printf '\xef\xbb\xbf{"id":1e400,"text":"One sentence."}\n{"id":-1e999,"size":1e999,"text":"One sentence."}\n'
    printf '{"id":01,"text":"One sentence."}\n{"id":"%s","text":"One sentence."}\n' "$(printf 'x%.0s' $(seq 1025))"
    printf '{"id":6,"text":["One sentence."]}\n{"id":7,"text":"One."}{"id":8,"text":"One."}\n'
} | ask
exits "odd lines" 0
prints "odd lines" '{"id":1e400,"duplicate":false'
prints "odd lines" '{"id":-1e999,"duplicate":false'
prints "odd lines" '{"id":"01","warning":"the line is not sound JSON; it was mended"'
prints "odd lines" '{"id":null,"error":"document id of 1025 bytes: more than 1024","line":4}'
prints "odd lines" '{"id":6,"error":"field \"text\" is a list, not a string: jq'
prints "odd lines" '{"id":null,"error":"more than one object in the line","line":6}'

# Lines that are read in one pass, and the same lines with a name that has an escape, which a parser reads.
text=$(tr '\n' ' ' <targets/t1.txt)
for line in '"id": "a\"b\\\\c\/d", "text": "TEXT"' '  "text" : "TEXT" ,"id":"x"  ' '"id":"1","id":"2","text":"TEXT\n\nMore\n\n\ttext"' '"text":"TEXT"' '"id":"x"' '"id":"é","text":"é TEXT"' '"id":"x","text":""' '"id":"\u00e9\ud83d\uDE00\u000a\u0041","text":"\u201cTEXT\u201D \u4e2d"' \
    '"id":"x\ud83d","text":"TEXT"' '"id":"x\ude00","text":"TEXT"' '"id":"x\u0000","text":"TEXT"' '"id":"x","text":"\u12g4 TEXT"' '"id":"x\u123"'; do
    echo "{${line//TEXT/$text}}"
done >simple
sed 's/^{/{"\\u006e": 1, /' simple >parsed
ask <simple
exits "simple lines" 0
cp out expected
ask <parsed
verdict "simple lines: a parser says the same" cmp -s expected out
verdict "simple lines: all have an answer" [ "$(wc -l <out)" -eq 13 ]
prints "simple lines" "$(printf '"id":"é\U1F600\\u000aA"')"
printf '{"id":"x","text":"cut\n{"id":"x","text":"a\x01b"}\n{"id":"x","text":"\xff"}\n{"id":"x","text":"y"} z\n{"id":"x" "text":"y"}\n' | ask
verdict "broken lines: all have an answer" [ "$(wc -l <out)" -eq 5 ]
verdict "broken lines: what is no object is refused" [ "$(grep -n '"error":' out | cut -d: -f1 | tr '\n' ' ')" = "1 4 5 " ]
verdict "broken lines: broken strings are mended" [ "$(grep -n '^{"id":"x","warning":"the line is not sound JSON; it was mended","duplicate":' out | cut -d: -f1 | tr '\n' ' ')" = "2 3 " ]

# Numbers stay as they are written, and fields lie in objects, as in a file of such lines.
{ printf '\xef\xbb\xbf'; line_of t1 targets/t1.txt; printf ' \t\r\n'; for id in 18446744073709551615 1.50 -0 1e400 true; do echo "{\"id\":$id,\"hash\":98765432109876543210,\"text\":\"x\"}"; done; } >odd
ask <odd
exits "numbers" 0
verdict "a byte order mark and a line of blanks" [ "$(wc -l <out)" -eq 6 -a "$(grep -c '"error":' out)" -eq 0 ]
verdict "numbers: ids as written" [ "$(cut -d, -f 1 out | tail -n 5 | tr '\n' ' ')" = '{"id":18446744073709551615 {"id":1.50 {"id":-0 {"id":1e400 {"id":null ' ]
echo '{"meta":{"id":7.0,"text":"One sentence."},"id":"y"}' | ask --id-field meta.id --text-field meta.text
prints "fields in objects" '{"id":7.0,"duplicate":false,'

# Each answer comes before the next line is sent, and SIGTERM ends the program. LeakSanitizer is left out:
# its tracer and the program wait for each other in a job in the background.
mkfifo in
ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" timeout "$RUN_SECONDS" "$PARDUP" check --index index --stdin <in >out 2>err &
job=$!
exec 7>in
for k in 1 2; do
    line_of t1 targets/t1.txt >&7
    for tries in $(seq 200); do [ "$(wc -l <out)" -ge $k ] && break; sleep 0.05; done
    verdict "answer $k comes at once" [ "$(wc -l <out)" -eq $k ]
done
kill "$job"
wait "$job"
status=$?
exec 7>&-
exits "SIGTERM" 0

# ---- a further segment ----

run check --index index -o before.h5 targets
exits "before" 0
run index --add -o index more
exits "add" 0
says "add" "8  (2 added, in 2 segments)"
run check --index index -o after.h5 targets
exits "after" 0
run index --method sentence-fp --gamma 3 -o whole sources more
run check --index whole -o whole.h5 targets
exits "whole" 0
for table in passages pairs decisions ranking sources source_files; do
    run export --table $table whole.h5
    cp out expected
    run export --table $table after.h5
    verdict "two segments answer as one: $table" cmp -s expected out
done
run export before.h5
verdict "before: one passage" [ "$(wc -l <out)" -eq 2 ]
run export after.h5
verdict "after: three passages" [ "$(wc -l <out)" -eq 4 ]
run index --add -o nowhere more
exits "add to nothing" 1
one_error "add to nothing"
run index --add --method yoon -o index more
exits "add with another method" 2
says "add with another method" "take their options from the index"

# Frequencies are frozen: words of the first sources decide, until --refresh.
mkdir few later
for k in $(seq 4); do echo "Alpha beta gamma delta tail$k. Rare words stand here $k." >few/f$k.txt; done
for k in $(seq 30); do echo "Alpha beta gamma delta tail$k. Other words $k." >later/l$k.txt; done
echo "Alpha beta gamma delta tail2. Nothing else." >one.txt
echo "Tail2." >two.txt
frozen="--feature bag --idf 0,1 --max-word-df 0.5 --gamma 0 --min-words 1"
run index $frozen -o frozen few
run index --add -o frozen later
run check --index frozen -o f.h5 one.txt two.txt # four words of five are left out: tail2 is what counts
run export --table decisions f.h5
verdict "frozen: both collide" [ "$(awk '$2 == 1' out | wc -l)" -eq 2 ]
run index --refresh -o frozen
exits "refresh" 0
says "refresh" "34  (34 added, in 1 segment)"
run index $frozen -o anew few later
for file in 0.words 1.segment; do
    verdict "refresh makes $file as a new index has it" cmp -s anew/$file frozen/$(ls frozen | grep "${file#*.}\$")
done
run index --refresh -o frozen few
exits "refresh and a source" 2
run index --limit-docs 2 -o part few
run index --refresh -o part
exits "refresh of some documents" 2

# Many segments are merged; the index answers as one that was made at once.
run index $pages_by_sentence --templates match --idf 0,1 --max-df 3 -o many sources
for k in 1 2 3 4 5 6 7 8; do
    mkdir more.$k
    { sentences $((100 * k - 50)) $((100 * k + 5)); echo "This line is common to many texts."; } >more.$k/m$k.txt
    run index --add -o many more.$k
    exits "add $k" 0
done
mkdir shared
{ sentences 300 304; echo "This line is common to many texts."; sentences 9100 9101; } >shared/t.txt
verdict "segments are merged" [ "$(ls many | grep -c segment)" -le 5 ]
run check --index many --gamma 0 -o many.h5 targets shared
exits "many segments" 0
run index $pages_by_sentence --templates match --idf 0,1 --max-df 3 -o whole.many sources more.*
says "many segments" "(1 of them in over 3 documents)"
run check --index whole.many --gamma 0 -o whole.h5 targets shared
for table in passages pairs decisions ranking sources source_files; do
    run export --table $table whole.h5
    cp out expected
    run export --table $table many.h5
    verdict "many segments answer as one: $table" cmp -s expected out
    verdict "many segments: there are $table" [ "$(wc -l <out)" -ge 3 ]
done

# ---- wrong usage ----

run check -o x.h5 targets
exits "no index" 2
says "no index" "--index INDEX is required"
run check --index sources -o x.h5 targets
exits "a folder that is no index" 1
says "a folder that is no index" "sources: no index"
one_error "a folder that is no index"
run index -o older targets
printf '\001' | dd of=older/manifest bs=1 seek=12 conv=notrunc 2>/dev/null
run check --index older -o x.h5 targets
exits "an index of another version" 1
one_error "an index of another version"
says "an index of another version" "older/manifest: version 1 of the format, this pardup reads version"
says "an index of another version" "make the index again"
run index -o sources targets
exits "a folder with other files" 1
says "a folder with other files" "it has s"
verdict "a folder with other files stays" [ "$(ls sources | wc -l)" -eq 6 ]
run check --index index --stdin targets
exits "--stdin and targets" 2

# ---- damage ----

# flip FILE BYTE: turns all bits of a byte.
flip() {
    local byte
    byte=$(od -An -tu1 -j"$2" -N1 "$1")
    printf "$(printf '\\x%02x' $((byte ^ 255)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
for file in $(cd whole && ls | grep -v lock); do
    size=$(stat -c %s "whole/$file")
    for at in 0 8 12 40 $((size / 3)) $((size / 2)) $((size - 40)) $((size - 1)); do
        rm -rf broken
        cp -r whole broken
        flip "broken/$file" "$at"
        run check --index broken -o x.h5 targets
        verdict "$file, byte $at flipped: status (was $status)" [ "$status" -eq 1 ]
        one_error "$file, byte $at flipped"
        says "$file, byte $at flipped" "broken/$file"
        absent "$file, byte $at flipped" x.h5
    done
    rm -rf broken
    cp -r whole broken
    truncate -s -9 "broken/$file"
    run check --index broken -o x.h5 targets
    verdict "$file cut: an error" [ "$status" -eq 1 ]
    rm "broken/$file"
    run check --index broken -o x.h5 targets
    verdict "$file gone: an error" [ "$status" -eq 1 ]
    one_error "$file gone"
done
rm -rf broken
cp -r whole broken
cp index/0.words index/1.segment broken
run check --index broken -o x.h5 targets
exits "a segment of another index" 1
says "a segment of another index" "belongs to another index"

# Sources that have changed, or are gone.
cp sources/s1.txt kept.txt
sed -i 's/speaks/tells/' sources/s1.txt
run check --index index -o x.h5 targets
exits "a source has changed" 1
says "a source has changed" "document sources/s1.txt has changed since the index was made"
rm sources/s1.txt
run check --index index -o x.h5 targets
exits "a source is gone" 1
says "a source is gone" "sources/s1.txt"
run check --index index --texts no -o x.h5 targets
exits "a source is gone, --texts no" 0
cp kept.txt sources/s1.txt
# ---- units with several names: rewritten text, lexicons ----

mkdir rewritten
tr ' ' '\n' <sources/s1.txt | grep . | awk 'NR % 7' | paste -sd ' ' | sed 's/own words/terms/g' >rewritten/r1.txt
for how in "--preset edited" "--method imatch-doc --lexicons 9 --idf 0,1 --copies report" \
    "--feature bytes --shingle-bytes 12 --join jaccard --tau 0.4 --gamma 1"; do
    rm -rf index
    run index $how --with-text -o index sources
    exits "$how: index" 0
    run index --add -o index more
    exits "$how: add" 0
    run check --index index -o several.h5 rewritten targets
    exits "$how: check" 0
    run export several.h5
    awk -F'\t' 'NR > 1 {print $7, $8, $9, $10}' out | sort >expected
    for file in rewritten/r1.txt targets/t1.txt targets/t7.txt; do line_of $file $file; done | ask
    exits "$how: lines" 0
    grep -o '"begin_a":[0-9]*,"end_a":[0-9]*,"begin_b":[0-9]*,"end_b":[0-9]*' out | grep -o '[0-9][0-9,]*' | paste -d ' ' - - - - | tr -d , | sort >got
    verdict "$how: lines and collections have the same passages" cmp -s expected got
    cp expected "passages.$(wc -w <<<"$how")"
done
verdict "rewritten text is found" [ "$(wc -l <passages.2)" -ge 3 ]
run index --preset edited -o edited sources
run check --index edited --texts no -o x.h5 targets
exits "refined passages without texts" 2
says "refined passages without texts" "--texts no does not go with the method of this index (--refine)"
mv sources gone
run check --index edited --show rewritten
exits "refined passages, sources gone" 1
one_error "refined passages, sources gone"
mv gone sources
# ---- folders ----

# Sources that are added from another folder are found from any folder, and keep their ids.
mkdir -p one/base two/more three
cp sources/s1.txt one/base
cp sources/s2.txt two/more
for text in "" --with-text; do
    rm -rf one/index
    (cd one && "$PARDUP" index --method sentence-fp --gamma 3 $text -o index base 2>../err) || cat err
    (cd two && "$PARDUP" index -o ../one/index --add more 2>../err) || cat err
    (cd three && "$PARDUP" check --index ../one/index -o x.h5 ../two/more 2>../err)
    status=$?
    exits "added from another folder$text" 0
    run export three/x.h5
    prints "added from another folder$text" "	more/s2.txt"
done
run check --index one/index --show two/more
prints "added from another folder, shown" "more/s2.txt: 120 words"
mv two/more two/gone
(cd one && "$PARDUP" index --refresh -o index >../out 2>../err)
status=$?
exits "refresh, a source is gone" 1
says "refresh, a source is gone" "/two/more/s2.txt: No such file or directory; the index stays as it is"
run check --index one/index -o x.h5 targets
exits "refresh, a source is gone: the index stays" 0

# What cannot be made leaves nothing.
mkdir nothing
run index -o none nothing
exits "no sources" 1
one_error "no sources"
absent "no sources" none
run index -o none/none sources
absent "no folder" none
mkdir bare
run index -o bare nothing
verdict "a folder that was there stays" [ -d bare ]
run index -o bare sources
exits "a folder that was there becomes an index" 0

# Sources without words make an index that answers.
echo ". . ." >nothing/dots.txt
run index -o none nothing
exits "no words" 0
run check --index none -o x.h5 targets
exits "no words, check" 0
run export --table decisions x.h5
verdict "no words: no target is a duplicate" [ "$(awk 'NR > 1 && $2 + $3 == 0' out | wc -l)" -eq 2 ]

# Targets that are sources are found in themselves, as detect --against finds them.
run check --index index -o x.h5 sources
exits "targets that are sources" 0
run export x.h5
verdict "targets that are sources: each is found" [ "$(cut -f17 out | grep sources | sort -u | wc -l)" -eq 6 ]
finish
