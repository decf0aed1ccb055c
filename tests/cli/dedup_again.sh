#!/bin/bash
# pardup dedup: what a passage has not said directly. A text that stands twice in a document, a copy whose own copy has
# gone, and a sentence of which two passages have parts go as well, each with its proof; then a second job finds nothing.
. "$(dirname "$0")/lib.sh"
removed="python3 $here/../support/removed.py"

# words A FROM TO: words that stand nowhere else
words() {
    local k
    for k in $(seq "$2" "$3"); do printf '%s%s ' "$1" "$k"; done
}
s() { # s A...: a sentence of twelve words for each name
    local name
    for name in "$@"; do echo "Begin$name $(words "$name" 1 10)end$name."; done
}
doc() { printf '{"id":"%s","author":"%s","text":"%s"}\n' "$1" "$2" "$(echo "$3" | sed -z 's/\n/\\n/g')"; }
lines() { zstd -dcq "$1.proof/removed.jsonl.zst" >lines; }
# goes NAME ID KEPT N: document ID loses N runs of sentences because of KEPT
goes() {
    local n
    n=$(grep -c "\"id\":\"$2\".*\"kept_id\":\"$3\"" lines)
    verdict "$1: $n runs of $2 go because of $3, not $4" [ "$n" -eq "$4" ]
}
clean() { # clean NAME DETECT...: dedup proves all, and a second job finds nothing; the same at two ranks
    local name=$1 code
    shift
    run detect "$@" -o "$name.h5" "$name.jsonl"
    exits "$name: detect" 0
    run dedup --check --min-run 1 -o "$name" "$name.h5"
    exits "$name: dedup" 0
    says "$name" " 0  removals more in a second job"
    $removed "$PARDUP" "$name" --min-run 1 "$name.jsonl" >checked 2>&1
    code=$?
    verdict "$name: each removal is proved ($(tail -n 1 checked))" [ $code -eq 0 ]
    run_np 2 dedup --check --min-run 1 -o "$name.np" "$name.h5"
    verdict "$name: same bytes at two ranks" same_jobs "$name" "$name.np"
    lines "$name"
}

# ---- a text that stands twice in a document: passages with the other one have it once ----
{
    doc first x "$(s a b c d p q)"
    doc second x "$(s e f p q g h i j k l p q m n)"
} >twice.jsonl
clean twice --preset texts
goes "twice" second first 2
# Questions begin alike: the second place must be compared with the place of its own text.
questions() {
    local k
    for k in $(seq "$1" "$2"); do echo "What is it that you can say about the thing that is called thing$k?"; done
}
{
    doc first x "$(s a b; questions 1 9; s c d)"
    doc second x "$(s e f; questions 1 9; s g h; questions 4 4; s i j; questions 7 7; s k l)"
} >asked.jsonl
clean asked --preset texts
goes "asked" second first 3

# ---- the copy has gone because of a third text, which no passage names ----
{
    doc one x "$(s a b c d z y)"
    doc two y "$(s a b c d e f g h)"
    doc three z "$(s a k c l e m g n)"
} >third.jsonl
clean third --preset web --min-passage-words 0 --min-agreement 0
goes "third" three one 2
goes "third" three two 2
sed 's/"z"/"x"/' third.jsonl >same.jsonl
run detect --preset web --min-passage-words 0 --min-agreement 0 --keep-fields author --skip-same author -o own.h5 same.jsonl
run dedup -o own own.h5
exits "one author" 0
lines own
goes "one author: the third text is left out" three one 0

# ---- two passages have a part each of a sentence ----
topic() { echo "Topic $(words t 1 14; words u 1 "$1")end."; }
{
    doc first x "$(s a b c; topic 30; s d e f)"
    doc second x "$(s g; topic 30; s d e h i j k l; s a b c; topic 20; s m n)"
} >parts.jsonl
clean parts --preset texts
verdict "parts: the whole sentence goes" [ "$(grep -c 'u30 end' parts/parts.jsonl)" -eq 1 ]

# ---- a sentence whose first word is another one lies partly in the passage ----
{
    doc first x "$(s a b; echo "Begin of $(words t 1 20)end."; s c d)"
    doc second x "$(s e f; echo "Start of $(words t 1 20)end."; s g h)"
} >edge.jsonl
clean edge --preset texts --edges word
goes "edge" second first 1

# ---- a template whose copies go: a second job takes the rest for copies, unless it is told ----
page() { printf '{"id":"%s","url":"http://a.example/%s","text":"%s"}\n' "$1" "$1" "$(echo "$2" | sed -z 's/\n/\\n/g')"; }
{
    page one "$(s a b c d e f g; s t u v w; s h i j k l m n)"
    page two "$(s aa ba ca da ea fa ga; s t u v w; s ha ia ja ka la ma na)"
    for k in 3 4 5 6; do
        page "copy$k" "$(s a$k b$k c$k d$k e$k; s e f g; s t u v w; s h i j; s h$k i$k j$k k$k l$k m$k)"
    done
} >told.jsonl
by_hand() { # by_hand DETECT...: how many removals a second job finds
    run detect --preset web "$@" -o hand.h5 told/told.jsonl
    rm -rf hand hand.proof
    run dedup -o hand hand.h5
    zstd -dcq hand.proof/removed.jsonl.zst | wc -l
}
run detect --preset web -o told.h5 told.jsonl
run dedup --check -o told told.h5
exits "told: dedup" 0
says "told: it finds nothing" " 0  removals more in a second job with --ignore aside.txt.zst (0 words"
found=$(grep -o '^{"documents":[0-9]*,"removals":[0-9]*' told.proof/check.json | grep -o '[0-9]*$')
verdict "a second job finds text of the template ($found)" [ "$found" -gt 0 ]
verdict "as a second job by hand does" [ "$(by_hand)" -eq "$found" ]
verdict "aside.txt.zst has the template" grep -q 'Beginv v1 v2' <(zstd -dcq told.proof/aside.txt.zst)
verdict "and no other text" [ "$(zstd -dcq told.proof/aside.txt.zst | grep -c '^Begin')" -eq 4 ]
verdict "check.json says so" grep -qF '"ignored":{"documents":0,"removals":0,"words":0,"share":0.000000}}' told.proof/check.json
verdict "as a second job by hand that is told" [ "$(by_hand --ignore told.proof/aside.txt.zst)" -eq 0 ]
need_ranks 3
for n in 2 3; do
    run_np "$n" dedup --check -o "told$n" told.h5
    exits "told: $n ranks" 0
    verdict "told: $n ranks write the same" same_jobs told "told$n"
done
finish
