#!/bin/bash
# Odd files as real collections have them: what `text` prints and says of each, and that three ranks read the same.
. "$(dirname "$0")/lib.sh"
export PYTHONDONTWRITEBYTECODE=1
mkdir files
python3 "$here/../support/odd_files.py" files >list
verdict "there are files" [ "$(wc -l <list)" -gt 20 ]

holds() { # holds NAME FILE TEXT|TEXT...: FILE has each TEXT, and none that stands behind a "!"
    local name=$1 file=$2 text
    [ "$3" != - ] || return
    while IFS= read -r -d '|' text; do
        if [ "${text:0:1}" = "!" ]; then
            verdict "$name: no '${text:1}' in $file" sh -c '! grep -qF -- "$1" "$2"' - "${text:1}" "$file"
        else
            verdict "$name: '$text' in $file" grep -qF -- "$text" "$file"
        fi
    done <<<"$3|"
}
while IFS=$'\t' read -r name want prints says; do
    run text "files/$name"
    exits "$name" "$want"
    holds "$name" out "$prints"
    holds "$name" err "$says"
done <list

for np in 1 3; do
    run_np $np detect --skip-unknown --reproducible -o $np.h5 files
    exits "detect, $np ranks" 0
    run export --table documents -o $np.documents.tsv $np.h5
    run export --table skipped -o $np.skipped.tsv $np.h5
done
verdict "three ranks: the same documents" cmp 1.documents.tsv 3.documents.tsv
verdict "three ranks: the same is skipped" cmp 1.skipped.tsv 3.skipped.tsv
same() { # same NAME A B: two texts that printf makes have the same words
    printf "$2" >a.words
    printf "$3" >b.words
    run sentences a.words
    grep -o '"words":.*' out >want
    run sentences b.words
    verdict "$1: the same words" cmp -s want <(grep -o '"words":.*' out)
    verdict "$1: there are words" grep -q '"words":\["' out
}
same "an apostrophe of windows-1252" "It isn't l'\u00e9t\u00e9, \u043f'\u044f 'tis" "It isn\u0092t l\u0092\u00e9t\u00e9, \u043f\u0092\u044f \u0092tis"
same "letters in circles and squares" "as AB kg 12 \u795d \u5f97 \u30a2 \u30ad\u30ed 5km" "\u24d0\u24e2 \U0001f130\U0001f131 \u338f \u246b \u3297 \U0001f250 \u32d0 \u3314 5\u339e"
same "bold and underlined print" "SYNOPSIS. The word is \u00e9t\u00e9 here a_b." "S\bSY\bY\bYN\bNO\bOP\bPS\bSI\bIS\bS. The _\bw_\bo_\br_\bd i\b_s\b_ \u00e9\b\u00e9t\bt_\b\u00e9 here a_b."
same "colours and links" "It is red and colour, link here." "It is \033[31;1mred\033[m and co\033[32mlou\033[0mr, \033]8;;http://a.b/\033\\\\link\033]8;;\007 here.\033[K"
same "an escape that is none" "a b c" "a \033b\033 \bc\033"
same "radicals" "\u5927\u5b66\u6bcd" "\u2f24\u5b66\u2e9f"
same "signs are no letters" "word word" "word\u2122 word\u00ae"
iconv -f utf-8 -t gbk <<<'{"id":"a","text":"这是中文文本。这是测试。今天天气很好。"}' >gbk.jsonl
printf '<html><meta charset=utf-8><p>caf\xc3\xa9 and \xe9t\xe9, d\xe9j\xe0 vu, p\xe8re, m\xe8re.</p></html>\n' >mixed.html
cp mixed.html other.html
for np in 1 3; do
    run_np $np detect -o broken.h5 gbk.jsonl mixed.html other.html
    exits "broken texts, $np ranks" 0
    says "broken texts, $np ranks" "1 of 3 documents had to be mended: bytes that are no UTF-8"
    says "broken texts, $np ranks" "broken sequences of bytes became U+FFFD: texts may be in another character set"
done
run detect -o sound.h5 "files/utf-16-le.txt" files/late.xhtml
verdict "sound texts: nothing is broken" [ "$(grep -c -e mended -e U+FFFD err)" -eq 0 ]
verdict "every file is there" [ "$(tail -n +2 1.documents.tsv | wc -l)" -gt 20 ]
finish
