#!/bin/bash
# Units that many pages of a site share are set aside and listed; near-duplicate pages and texts of other sites stay. The same
# on any number of ranks. `text` and `sentences` leave the same units out.
. "$(dirname "$0")/lib.sh"

# pages NAME: 12 pages with a menu and a notice, each with an article of its own; 4 pages with one article.
pages() {
    awk -v site="$1" 'BEGIN {
        for (p = 0; p < 16; p++) {
            article = p < 12 ? p : 12
            printf "{\"id\": \"%s-%d\", \"owner\": \"o%d\", \"url\": \"http://WWW.%s.example:80/%d-%s\", \"text\": \"", site, p, p, site, p, site
            printf "Home of %s. All our offers. Contact and help. ", site
            for (s = 0; s < 8; s++)
                printf "Article %d of %s says sentence%d in words w%d v%d here. ", article, site, s, article * 9 + s, s
            print "Nothing on these pages may be copied by anybody.\"}"
        }
    }'
}
pages one >pages.jsonl
pages two >>pages.jsonl
web="$pages_by_sentence --templates aside --always-df 1000000"

run detect $web -o aside.h5 pages.jsonl
exits "aside" 0
verdict "the summary tells the templates" grep -q "templates of 2 sites: 128 of 384 units aside, 17 % of words" err
cp aside.h5 one.h5
run export --table templates aside.h5
verdict "a menu of three lines and a notice, of both sites" [ "$(wc -l <out)" -eq 9 ]
verdict "16 pages of www.one.example have it" grep -q "^0	0	www.one.example	[0-9]*	16	3$" out
run export --table pairs aside.h5
verdict "the four pages with one article stay, in both sites" [ "$(wc -l <out)" -eq 13 ]
run export --table documents aside.h5
verdict "documents have address and host" grep -q "	http://WWW.one.example:80/3-one	www.one.example" out

run detect $web --templates match --max-df 0 -o match.h5 pages.jsonl
run export --table templates match.h5
verdict "match: none is listed" [ "$(wc -l <out)" -eq 1 ]

run detect $web --skip-same-host -o skipped.h5 pages.jsonl
run export --table pairs skipped.h5
verdict "pairs of one site are left out" [ "$(wc -l <out)" -eq 1 ]

run detect $web --site-field owner -o owner.h5 pages.jsonl
run export --table templates owner.h5
verdict "--site-field: p-th pages of both are a site of two, without templates; the menu is an imprint" \
    sh -c '! awk -F"\t" "NR > 1 && \$3 != \"\"" out | grep -q . && [ "$(wc -l <out)" -gt 1 ]'
run detect $web --site-field nobody -o no.h5 pages.jsonl
exits "a field that no object has" 1
verdict "it is named" grep -q "site-field nobody" err

for np in 2 4; do
    run_np $np detect $web -o other.h5 pages.jsonl
    verdict "the same on $np ranks" /usr/bin/python3 "$here/../support/same_result.py" aside.h5 other.h5
done

run text --templates aside pages.jsonl
exits "text" 0
verdict "text: no menu, no notice" [ "$(grep -c 'All our offers\|Nothing on' out)" -eq 0 ]
verdict "text: all articles" [ "$(grep -c 'sentence7' out)" -eq 32 ]
verdict "text: says that it reads twice" grep -q "templates: 8 (128 of 384 units, .*reading the inputs again" err
cp out text
run text --templates aside --memory 1M --scratch spill pages.jsonl
verdict "text: the same with little memory" cmp -s out text
verdict "text: nothing stays in scratch" [ -z "$(ls -A spill)" ]
run sentences --templates aside --doc two-5 pages.jsonl
verdict "sentences: the article only" [ "$(wc -l <out)" -eq 8 ]
run text --templates aside --files-from - 
exits "a list from standard input" 2

# Without addresses the folder of the file is the site.
mkdir folder
for p in 0 1 2 3 4 5; do
    printf 'Menu of the folder.\n\nPage %d has words a%d b%d c%d of its own.\n\nMore of page %d in d%d e%d f%d.\n\nAnd the end of page %d is g%d h%d.\n\nImprint of it.\n' \
        $p $p $p $p $p $p $p $p $p $p $p >folder/$p.txt
done
run text --templates aside folder
verdict "a folder is a site" [ "$(grep -c 'Menu\|Imprint' out)" -eq 0 ]


# ---- pages that say little: copies by what they say outside templates, whatever the templates are ----
# short NAME: a page with a menu of its site and two sentences, of 24 and of 18 words in all, and one of four words with a name
short() {
    printf '{"id": "%s-24", "url": "http://www.%s.example/24", "text": "Home of %s. All our offers. Contact and help. ' "$1" "$1" "$1"
    echo 'This page tells in a few words what the chapter behind it is about. All that it needs is said in there. Nothing on these pages may be copied by anybody."}'
    printf '{"id": "%s-18", "url": "http://www.%s.example/18-%s", "text": "Home of %s. All our offers. Contact and help. ' "$1" "$1" "$1" "$1"
    echo 'Another page tells in fewer words what its chapter is about. All of it stands there. Nothing on these pages may be copied by anybody."}'
    printf '{"id": "%s-tiny", "url": "http://www.%s.example/of-%s/tiny.html?a=%s", "text": "Home of %s. All our offers. Contact and help. ' "$1" "$1" "$1" "$1" "$1"
    echo 'Nothing on these pages may be copied by anybody. Tiny as it is."}'
    # two sentences, of which one names the site; 22 of 25 words agree, or 16 of 27
    printf '{"id": "%s-25", "url": "http://www.%s.example/25", "text": "Home of %s. All our offers. Contact and help. ' "$1" "$1" "$1"
    printf 'Release %s-%s of it was made in the spring and repairs all that was broken. Ask us where it can be had. ' "$1" "$1"
    echo 'Nothing on these pages may be copied by anybody."}'
    printf '{"id": "%s-half", "url": "http://www.%s.example/half", "text": "Home of %s. All our offers. Contact and help. ' "$1" "$1" "$1"
    printf 'Of this there is a lot to tell, but not here. In %s %s %s %s %s %s %s %s %s %s %s others have told it. ' "$1" "$1"{a,b,c,d,e,f,g,h,i,j}
    echo 'Nothing on these pages may be copied by anybody."}'
}
{
    pages one
    short one
    pages two
    short two
} >short.jsonl
run detect $web --idf 0,1 --max-df 0 -o short.h5 short.jsonl
run export --table pairs short.h5
verdict "two short pages of two sites are copies" [ "$(grep -c 'one-24.*two-24' out)" -eq 1 ]
verdict "not with fewer words than --min-copy-words" [ "$(grep -c 'one-18' out)" -eq 0 ]
verdict "but if the pages have one name" [ "$(grep -c 'one-tiny.*two-tiny' out)" -eq 1 ]
verdict "so are pages whose words nearly agree" [ "$(grep -c 'one-25.*two-25' out)" -eq 1 ]
verdict "not if too few agree" [ "$(grep -c 'one-half' out)" -eq 0 ]
run export --table passages short.h5
verdict "a passage is what they say outside templates" [ "$(awk '$17 == "one-25" {print $3, $4, $5, $6, $11}' out)" = "3 3 2 2 2" ]
verdict "its similarity is its agreement" awk '$17 == "one-25" {exit $12 != $15 || $15 < 0.7 || $15 == 1}' out
run explain short.h5 one-24 two-24
exits "explain" 0
verdict "explain: the passage is found again" grep -q "1 passage" out
for np in 2 3; do
    run_np $np detect $web --idf 0,1 --max-df 0 -o other.h5 short.jsonl
    verdict "short pages: the same on $np ranks" /usr/bin/python3 "$here/../support/same_result.py" short.h5 other.h5
done
# with --gamma 1, two sentences make a passage, which has fewer words than the copy
run detect $web --idf 0,1 --max-df 0 --gamma 1 -o gamma.h5 short.jsonl
"$PARDUP" sentences --offsets short.jsonl >sentences.tsv
run detect $web --idf 0,1 --max-df 0 --min-copy-agreement 1 -o same.h5 short.jsonl
run export --table pairs same.h5
verdict "with --min-copy-agreement 1 all words must agree" [ "$(grep -c 'one-24.*two-24' out) $(grep -c 'one-25' out)" = "1 0" ]
verdict "and the name of a page says nothing" [ "$(grep -c 'one-tiny' out)" -eq 0 ]
run detect $web --idf 0,1 --max-df 0 --min-copy-agreement 0.4 --min-agreement 0 --edges sentence --passages all --max-repeats 1 -o half.h5 short.jsonl
run export --table pairs half.h5
verdict "with 0.4 half of the words is enough" [ "$(grep -c 'one-half.*two-half' out)" -eq 1 ]
printf '%s\n' short.h5 gamma.h5 same.h5 half.h5 >runs
verdict "as the judge has it" /usr/bin/python3 "$here/../support/oracle.py" --sentences sentences.tsv --list runs

# ---- saved pages that say their address: its host is their site ----
mkdir saved
saved() { # saved NAME TAG...: a page with tags in its head
    printf '<!DOCTYPE html><html><head>%s<title>%s</title></head><body><p>Page %s tells %s.</p></body></html>\n' \
        "${*:2}" "$1" "$1" "$(printf "$1%s " {a..z})" >"saved/$1.html"
}
saved a '<link rel="stylesheet" href="http://style.example/canonical.css">' '<link rel="canonical" href="https://Shop.example/a">'
saved b "<link href='http://shop.example:80/b' rel='CANONICAL' >"
saved c '<link rel=canonical href=https://shop.example/c><link rel=canonical href=https://other.example/c>'
saved d '<link rel="canonical" href="/d">'
saved e "$(printf '%70000s' '')<link rel=canonical href=https://late.example/e>"
saved f '<link rel=canonical'
run detect --preset web -o saved.h5 saved
exits "saved pages" 0
run export --table documents saved.h5
verdict "the host of the address of a saved page is its site" \
    [ "$(awk -F'\t' 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == "host") at = k} NR > 1 {print $at}' out | paste -sd' ')" = "shop.example shop.example shop.example saved saved saved" ]
"$PARDUP" sentences --offsets saved >saved.tsv
verdict "saved pages: as the judge has it" /usr/bin/python3 "$here/../support/oracle.py" --sentences saved.tsv saved.h5

# ---- an index: what many pages of a site of the sources share is not in it ----
{
    echo '{"id": "menu", "text": "Home of one. All our offers. Contact and help. Nothing on these pages may be copied by anybody."}'
    echo '{"id": "article", "text": "Article 3 of one says sentence0 in words w27 v0 here. Article 3 of one says sentence1 in words w28 v1 here."}'
} >target.jsonl
collisions() { # collisions NAME INDEX MENU ARTICLE
    run check --index "$2" -o check.h5 target.jsonl
    exits "$1" 0
    run export --table decisions check.h5
    verdict "$1: $3 of the menu, $4 of the article collide" [ "$(awk 'NR > 1 {printf "%s ", $2}' out)" = "$3 $4 " ]
}
how="--method sentence-fp-sd --gamma 0 --max-df 0"
run index $how --templates aside -o aside.index pages.jsonl
exits "index, aside" 0
collisions "index, aside" aside.index 0 2
run index $how -o match.index pages.jsonl
collisions "index, match" match.index 4 2
run_np 3 index $how --templates aside -o other.index pages.jsonl
verdict "index: the same on 3 ranks" cmp -s aside.index/1.segment other.index/1.segment
finish
