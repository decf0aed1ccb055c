#!/bin/bash
# Month after month: detect --known, dedup, and index --add of what stays. Twelve crawls of a changing site leave what one job over
# all of them leaves, on any number of ranks, after kills, and with texts from the store where the files of earlier months are gone.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}
support=$here/../support

# month STORE NUMBER COMMAND...: a further crawl; COMMAND runs pardup
month() {
    local store=$1 number=$2
    shift 2
    "$@" detect --quiet --reproducible --known "$store" -o "$store.$number.h5" crawls/"$number"
    exits "$store, month $number: detect --known" 0
    "$@" dedup --quiet -o "$store.clean/$number" --proof "$store.proof/$number" "$store.$number.h5"
    exits "$store, month $number: dedup" 0
    if [ $store = store -a $number = 12 ]; then
        run dedup --quiet --check -o looked $store.12.h5 # the store does not have the month yet
        exits "--check" 0
    fi
    "$@" index --quiet --add -o "$store" "$store.clean/$number"
    exits "$store, month $number: index --add" 0
}

method=(--preset texts)
# first STORE OPTION...: the first crawl, compared by this method
first() {
    local store=$1
    shift
    run detect --quiet "${method[@]}" -o "$store.01.h5" crawls/01
    run dedup --quiet -o "$store.clean/01" --proof "$store.proof/01" "$store.01.h5"
    run index --quiet "${method[@]}" "$@" -o "$store" "$store.clean/01"
    exits "$store: the first month" 0
}

"$python" "$support/changing_site.py" crawls
run detect --quiet --preset texts -o all.h5 crawls
run dedup --quiet -o all all.h5
exits "one job over all" 0

# ---- twelve months, one after the other ----
first store
for number in 02 03 04 05 06 07 08 09 10 11 12; do
    month store $number run
    [ $number != 03 ] || cp -r store store.after-03
done
verdict "twelve months leave what one job leaves" diff -r store.clean all
left=$(cat all/*/* | wc -c)
verdict "most of the crawls is known ($left bytes of $(cat crawls/*/* | wc -c) are left)" [ "$left" -lt $(($(cat crawls/*/* | wc -c) / 2)) ]

# Other methods need longer paragraphs: what stays of a page must be long enough for a passage.
mv crawls crawls.short
all() { # all NAME OPTION...: crawls of long paragraphs, by this method
    local name=$1
    shift
    method=("$@")
    rm -rf crawls all all.proof
    "$python" "$support/changing_site.py" --months 4 --sentences 6 --url crawls
    run detect --quiet "${method[@]}" -o all.h5 crawls
    run dedup --quiet -o all all.h5
    first "$name"
    for number in 02 03 04; do
        month "$name" $number run
    done
    verdict "$name: four months leave what one job leaves" diff -r "$name.clean" all
}
all pages --preset web --templates match
all sentences --preset paper
all edited --preset edited
rm -r crawls
mv crawls.short crawls
method=(--preset texts)

# ---- what the proof says ----
zstd -dcq store.proof/12/removed.jsonl.zst >removed
for number in 01 05 11 12; do
    verdict "month 12 loses text that month $number keeps" grep -q "\"kept_id\":\"m$((10#$number))/" removed
done
cat store.clean/*/* >kept
"$python" - removed kept crawls/12 >judged <<'END'
import json, pathlib, sys
texts = [{}, {}]
for rows, lines in ((texts[0], open(sys.argv[2])), (texts[1], (l for p in pathlib.Path(sys.argv[3]).iterdir() for l in open(p)))):
    rows.update((row["id"], row["text"].encode()) for row in map(json.loads, lines))
n = 0
for line in open(sys.argv[1]):
    row = json.loads(line)
    if row["kept_id"].startswith("m12/"):
        continue
    # a document of an earlier month is what stays of it: its text has all that proves the removal, where the line says
    gone = texts[1][row["id"]][row["begin"]:row["end"]].split()
    kept = texts[0][row["kept_id"]][row["kept_begin"]:row["kept_end"]]
    n += 1
    if b" ".join(gone).rstrip(b".") != b" ".join(kept.split()).rstrip(b".") and row["agreement"] == 1:
        sys.exit(f"not proved: {line}")
print("proved" if n > 20 else n)
END
verdict "each removal is proved by text that stayed ($(cat judged))" [ "$(cat judged)" = proved ]

# ---- known text is cut as copies inside a crawl are: other numbers stay, and so do single sentences ----
fair="The fair of the old town had 1200 guests in the spring of that year, and nearly all of them came back in the autumn to buy wool and salt."
short="Nobody has ever seen the bridge of glass behind the mill."
mkdir old new
printf '{"id":"%s","text":"%s"}\n' o1 "$fair It rained." o2 "$short Then it snowed." o3 "$(sentences 1 4)" | sed ':a;N;s/\n\(Sent\)/ \1/;ta;P;D' >old/a.jsonl
printf '{"id":"%s","text":"%s"}\n' n1 "${fair/1200/1300} The sun shone." n2 "$short The moon rose." n3 "$(sentences 1 4) The end." |
    sed ':a;N;s/\n\(Sent\)/ \1/;ta;P;D' >new/a.jsonl
run detect --quiet --preset texts -o both.h5 old new
run dedup --quiet -o both both.h5
run index --quiet --preset texts -o small old
run detect --quiet --known small -o new.h5 new
run dedup --quiet -o cut new.h5
exits "a small store" 0
verdict "other numbers and single sentences stay" cmp cut/a.jsonl both/new/a.jsonl
verdict "a whole paragraph goes" [ "$(grep -c . cut/a.jsonl)" -eq 3 -a "$(wc -c <cut/a.jsonl)" -lt "$(wc -c <new/a.jsonl)" ]

# ---- ranks, memory, a store with texts ----
for np in 1 2 4; do
    rm -rf ranks ranks.*
    cp -r store.after-03 ranks
    mkdir ranks.clean ranks.proof
    run_np $np detect --quiet --reproducible --known ranks -o ranks.04.h5 crawls/04
    [ $np != 1 ] || cp ranks.04.h5 one.h5
    verdict "$np ranks: the same result" cmp -s one.h5 ranks.04.h5
    run_np $np dedup --quiet -o ranks.clean/04 --proof ranks.proof/04 ranks.04.h5
    run_np $np index --quiet --add -o ranks ranks.clean/04
    exits "$np ranks: index --add" 0
    verdict "$np ranks: the same files" diff -r store.clean/04 ranks.clean/04
    verdict "$np ranks: the same proof" diff -r store.proof/04 ranks.proof/04
done
mkdir elsewhere
first texts --with-text
for number in 02 03 04; do
    mv texts.clean/* elsewhere
    month texts $number run_np 2
    verdict "texts from the store, month $number" diff -r store.clean/$number texts.clean/$number
    verdict "texts from the store, month $number: the proof" diff -r store.proof/$number texts.proof/$number
done
run show --limit 0 --by-passage texts.04.h5
exits "show: texts from the store" 0
cp out shown
run show --limit 0 --by-passage store.04.h5
verdict "show: the same text" [ "$(grep -c . out)" -gt 100 -a "$(sed 's/texts\./store./' shown | cksum)" = "$(cksum <out)" ]

# ---- a second look at what was left ----
verdict "--check: nothing is left" grep -q '"removals":0' looked.proof/check.json

# ---- killed in the middle of each step, and taken up ----
killed=0
# try COMMAND...: pardup, killed after longer and longer times, until it comes to an end
try() {
    local delay words=("$@")
    for delay in 0.01 0.02 0.03 0.05 0.1 5 5; do
        { timeout -s KILL $delay "$PARDUP" "${words[@]}" >out 2>err </dev/null; } 2>/dev/null
        status=$?
        [ "$1" = dedup -a ! -d "${4-}/dedup-work" -a -s "${6-}/summary.json" ] && status=0 # killed when all was done
        [ $status -eq 0 ] && return
        killed=$((killed + 1))
        [ "$1" = index ] || words=("$@" --resume)
        if [ "$1" = dedup -a $status -eq 1 ]; then # killed while it removed its work folder: begin again
            rm -rf "$4" "$6"
            words=("$@")
        fi
    done
}
first again
for number in 02 03 04 05; do
    month again $number try
done
verdict "some were killed ($killed)" [ $killed -gt 4 ]
for number in 02 03 04 05; do
    verdict "after kills, month $number" diff -r store.clean/$number again.clean/$number
done

# ---- what is refused ----
run detect --known store --preset web -o x.h5 crawls/12
exits "--known with a preset" 2
says "--known with a preset" "--known takes the options of the method from the store"
run detect --known store --against crawls/11 -o x.h5 crawls/12
exits "--known with --against" 2
run detect --known nowhere -o x.h5 crawls/12
exits "no store" 1
one_error "no store"
run detect --known crawls -o x.h5 crawls/12
exits "no store, but a folder" 1
one_error "no store, but a folder"
rm -rf store.clean/01
run dedup -o lost store.12.h5
exits "the files of a store are gone" 1
one_error "the files of a store are gone"
says "the files of a store are gone" "store.clean/01"
verdict "the files of a store are gone: nothing is left" [ ! -e lost ]
finish
