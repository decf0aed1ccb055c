#!/bin/bash
# --vocabulary: rows of a person say what elements of XML do, what one document is, and where id, title, author and date are.
. "$(dirname "$0")/lib.sh"

cat >rows <<'END'
# minutes of a council
root      minutes
document  session note/
id        @n
block     speech heading
inline    name
out       stage
value     agenda@text note@text
title     heading
author    speech@by
date      session@when
END
{
    echo '<?xml version="1.0" encoding="UTF-8"?><!-- <minutes> --><x:minutes xmlns:x="y">'
    for k in $(seq 1 400); do
        echo " <session n='s$k' when='1902-03-04'><heading>On <name>Walls</name></heading><agenda text='A wall of $k stones'/>"
        echo "  <speech by='Smith $k'>Oak $k and <name>elm</name>s stood<stage>Laughter</stage> there, and in year $k"
        echo "  the harbour of town $k was closed by $k men with $k ropes.</speech></session>"
    done
    echo "<note n='n1' text='A note.'/></x:minutes>"
} >minutes.xml

run text --vocabulary rows minutes.xml
exits "text" 0
printf '==> s1 <==\nOn Walls\n\nA wall of 1 stones\n\nOak 1 and elms stood there, and in year 1 the harbour of town 1 was closed by 1 men with 1 ropes.\n' >expected
verdict "documents, ids, attributes, what is left out" cmp -s expected <(head -6 out)
verdict "all documents, and one without content" test "$(grep -c '^==> ' out)/$(tail -3 out | tr '\n' ' ')" = '401/==> n1 <== A note.  '
for np in 1 2 4; do
    run_np "$np" detect --quiet --vocabulary rows --keep-fields title,author,date --reproducible -o "$np.h5" minutes.xml
    exits "detect with $np" 0
done
verdict "the same bytes with 1, 2 and 4 ranks" eval 'cmp -s 1.h5 2.h5 && cmp -s 1.h5 4.h5'
run export --table documents --format tsv 1.h5
verdict "title, author and date" grep -q '^s7	.*1902-03-04.*On Walls.*Smith 7$' out
run export --table passages --text 20 --vocabulary rows 1.h5
exits "texts of a result" 0
run index --quiet --vocabulary rows -o i minutes.xml
exits "index" 0

# rows win over a dialect of pardup's own, and `closed` takes its place
echo '<TEI><text><body><p>One<note>two</note> three.</p><ab>Four</ab></body></text></TEI>' >a.xml
echo '<TEI><text><body><p>One three.</p><ab>Four</ab></body></text></TEI>' >b.xml
printf 'root TEI\nout note\n' >tei
run compare --vocabulary tei a.xml b.xml
verdict "a row for TEI" grep -q 'the same words in the same order' out
printf '\xEF\xBB\xBFroot * \r\nsign urn:x\r\nclosed\r\nonly p\r\n' >closed
echo '<t xmlns="urn:x"><p>One</p><ab>Four</ab></t>' >c.xml
run text --vocabulary closed --vocabulary tei c.xml
verdict "any root with a sign; only some elements" test "$(cat out)" = One
run text --vocabulary closed a.xml
verdict "no sign, no row" grep -q Four out
echo '<rss><channel><item><title>One</title><guid>two</guid></item></channel></rss>' >feed.xml
run text --vocabulary <(printf 'root rss\nout title\n') feed.xml
verdict "a feed, from a pipe" test "$(cat out)" = two

wrong() { # wrong ROWS MESSAGE
    printf "$1" >bad
    run text --vocabulary bad a.xml
    exits "$2: status" 1
    verdict "$2" grep -qF "$2" err
}
wrong 'root a\n\nfoo b\n' "bad:3: 'foo' begins no row; rows begin with root sign"
wrong 'out a\n' "bad:1: the first row names root elements"
wrong 'root a\nout <p>\n' 'bad:2: out: names of elements stand alone'
wrong 'root a\nout t:p\n' 'bad:2: out: names stand without a prefix'
wrong 'root a\nvalue p\n' 'bad:2: value: an attribute with text is written as element@attribute'
wrong 'root a\nvalue p@a p@b p@c p@d\n' 'bad:2: value: an element has at most three'
wrong 'root a\nout p@a\n' 'bad:2: out: only value, id, title, author and date'
wrong 'root a\nout\n' 'bad:2: out: a name is missing'
wrong 'root a\nid b\nid @c\n' 'bad:3: id: a document has one id'
wrong 'root a\nclosed yes\n' 'bad:2: closed: nothing stands behind it'
wrong 'root a\ndocument b\nroot c\ndocument d\n' 'bad:4: document: another dialect has documents'
wrong 'root a\n\0\n' 'bad:2: not a file of rows'
wrong '' 'bad: no row in it'
{ echo root a; echo "out$(printf ' x%d' $(seq 301))"; } >many
run text --vocabulary many a.xml
verdict "too many names" grep -qF 'many:2: out: a dialect has at most 300 names' err
run_np 2 detect --vocabulary none -o x.h5 a.xml
verdict "a file that is not there" grep -qF 'none: No such file' err
tr -d '\n' <minutes.xml | sed 's/<!--.*-->//; s/> *</></g' >line.xml
run_np 2 detect --quiet --vocabulary rows -o line.h5 line.xml
run export --table documents --format tsv line.h5
verdict "documents on one line" [ "$(wc -l <out)" = 402 ]
run text --format added minutes.xml
verdict "no vocabulary, no document" grep -qF 'no documents in it' err
finish
