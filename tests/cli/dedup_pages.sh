#!/bin/bash
# pardup dedup: a page of which a part goes stays a page. Its record keeps its type and heads, all tags stay, and the
# text is what is left, by the definition of removed.py.
. "$(dirname "$0")/lib.sh"
support=$here/../support
export PYTHONDONTWRITEBYTECODE=1
is() { verdict "$1: '$2' is '$3'" [ "$2" = "$3" ]; }
checked() { # checked NAME OUT INPUT...: removed.py agrees
    local name=$1 code
    shift
    python3 "$support/removed.py" "$PARDUP" "$@" >checked 2>&1
    code=$?
    verdict "$name: each removal is proved ($(tail -n 1 checked))" [ $code -eq 0 ]
}
cleaned() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1] + ".proof/summary.json"))["cleaned_records"])' "$1"; }

# ---- a web archive: codings, character sets, all kinds of markup ----
python3 "$support/make_pages.py" make pages.warc
run detect --preset web -o r.h5 pages.warc
exits "WARC: detect" 0
run dedup --min-left 0 -o new r.h5
exits "WARC" 0
checked "WARC" new --min-left 0 pages.warc
is "WARC: lines" "$(zstd -dcq new.proof/removed.jsonl.zst | wc -l)" 13
is "WARC: heads, tags and bytes" "$(python3 "$support/make_pages.py" judge pages.warc new/pages.warc)" "wrong:"
is "WARC: records as cleaned text" "$(cleaned new)" 2
says "WARC: the last line counts" "written as cleaned text: 2 records whose text was cut"
says "WARC: what is set aside is no copy" "words of menus, templates"
for np in 2 4; do
    run_np $np dedup --min-left 0 -o np$np r.h5
    verdict "WARC at $np ranks: same bytes" same_jobs new np$np
done
run dedup --min-left 0 --memory 64M -o small r.h5
verdict "WARC with little memory: same bytes" same_jobs new small
run detect --preset web -o again.h5 new/pages.warc
run dedup --min-left 0 -o again again.h5
is "WARC: lines of a second job" "$(zstd -dcq again.proof/removed.jsonl.zst | wc -l)" 0

# ---- files: pages, packed and not; a message whose text is a page ----
mkdir files
page() { printf '<html><head><title>%s</title></head><body>\n' "$1"; shift; printf '<p class=x>%s</p>\n' "$@"; echo '</body></html>'; }
mapfile -t shared < <(sentences 1 12)
mapfile -t own < <(sentences 40 46)
mapfile -t other < <(sentences 50 56)
mapfile -t fourth < <(sentences 60 66)
page a "${shared[@]}" >files/a.html
page b "${own[@]}" "${shared[@]:2:8}" >files/b.html
page c "${shared[@]:3:8}" "${other[@]}" | gzip >files/c.html.gz
{ printf 'From: a@b.example\nSubject: d\nDate: Mon, 1 Jan 2001 00:00:00 +0000\nMIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n'
  page d "${fourth[@]}" "${shared[@]:2:8}" | base64; } >files/d
cd files || exit 1
run detect --preset web --templates match -o ../files.h5 a.html b.html c.html.gz d
run dedup --min-left 0 -o ../cut ../files.h5
exits "files" 0
checked "files" ../cut --min-left 0 a.html b.html c.html.gz d
cd .. || exit 1
cut_b=$(page b "${own[@]}" "" "" "" "" "" "" "" "")
verdict "a page: its tags stay" cmp -s cut/b.html <(echo "$cut_b")
verdict "a packed page: its tags stay" cmp -s <(gzip -dc cut/c.html.gz) <(page c "" "" "" "" "" "" "" "" "${other[@]}")
is "files: records as cleaned text" "$(cleaned cut)" 1
verdict "a message: the cleaned text" grep -q '^Sentence number w66 ' cut/d
finish
