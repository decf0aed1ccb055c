#!/bin/bash
# Names that people give to documents: by id, by path, by the name of the file without folder and ending, by address, in
# composed and decomposed letters. Wherever a document is named, the same names mean the same documents.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
same="$PYTHON $here/../support/same_result.py --tables passages,pairs,common"

# Eight books in folders; A and B of each pair share sentences. Two have the same file name; the letter of one is decomposed.
mkdir -p books/old books/new
for k in 1 2 3 4; do
    sentences $((k * 100)) $((k * 100 + 9)) >books/old/A0127$k.txt
    sentences $((k * 100)) $((k * 100 + 9)) >books/new/B0127$k.v2.txt
done
gzip books/new/B01274.v2.txt
cp books/old/A01272.txt books/new/twice.txt
cp books/old/A01273.txt books/old/twice.txt
nfd=$(printf 'Mu\xcc\x88ller') nfc=$(printf 'M\xc3\xbcller')
sentences 100 109 >"books/new/$nfd.html.txt"
options="--preset texts --progress none"
run detect $options -o all.h5 books
exits "books" 0

bad() { # bad NAME STATUS TEXT ARGUMENT...
    run "${@:4}"
    exits "$1" "$2"
    one_error "$1"
    says "$1" "$3"
}

# ---- lists ----
printf '%s\n' books/old/A01271.txt ./books/new/B01271.v2.txt B01272.v2 A01272 new/B01274.v2 old/twice "$nfc.html" >list
printf '%s\n' books/old/A0127[12].txt books/new/B0127[12].v2.txt books/new/B01274.v2.txt.gz books/old/twice.txt \
    "books/new/$nfd.html.txt" | LC_ALL=C sort >files
run detect $options --files-from files -o want.h5
for np in 1 3; do
    run_np $np detect $options --docs-from list -o got$np.h5 books
    exits "--docs-from on $np ranks" 0
    verdict "--docs-from: these documents, on $np ranks" $same want.h5 got$np.h5
    verdict "--docs-from: none is missing, on $np ranks" [ "$(grep -c 'not found' err)" -eq 0 ]
done
says "--docs-from: how names were understood" "--docs-from list: 5 names of files, the first is B01272.v2 for books/new/B01272.v2.txt"
run text --docs-from list books
exits "text --docs-from" 0
verdict "text --docs-from" [ "$(grep -c "^==> " out)" -eq 7 ]
printf 'A01271\ntwice\n' >twice
bad "a name of two files" 1 "--docs-from twice: twice may be books/new/twice.txt or books/old/twice.txt: give more of the path" \
    detect $options --docs-from twice -o x.h5 books
absent "a name of two files" x.h5
bad "a name of two files, text" 1 "twice may be" text --docs-from twice books
printf 'GX1\nGX2\n' >none
bad "no name is known" 1 "none of its 2 ids is that of one of the 11 documents: GX1 is one of its ids, books/new/B01271.v2.txt one of" \
    detect $options --docs-from none -o x.h5 books

# ---- tables ----
printf 'id,author\nA01271,Ann\nB01271.v2,Bea\nzz,Zoe\n' >meta.csv
run_np 2 detect $options --metadata meta.csv -o meta.h5 books
exits "--metadata" 0
says "--metadata" "2 of 11 documents have a row"
run export --table documents meta.h5
verdict "--metadata: its fields" grep -q 'A01271.txt.*Ann' out
printf 'id,author\nGX1,Ann\n' >none.csv
bad "--metadata without a match" 1 \
    "--metadata none.csv: none of its 1 id is that of one of the 11 documents: GX1 is one of its ids, books/new/B01271.v2.txt one" \
    detect $options --metadata none.csv -o x.h5 books
absent "--metadata without a match" x.h5
printf 'id,author\ntwice,Ann\nA01271,Ann\n' >two.csv
bad "--metadata with a name of two files" 1 "--metadata two.csv: twice may be" detect $options --metadata two.csv -o x.h5 books

# ---- results ----
run show --doc A01274 all.h5
exits "show --doc" 0
prints "show --doc" "B01274.v2.txt.gz"
run show --pair A01274 B01274.v2 all.h5
exits "show --pair" 0
prints "show --pair" "B01274.v2.txt.gz"
run show --doc "$nfc.html" all.h5
exits "show --doc in NFC" 0
run report --doc "./books/old/A01271.txt" -o page.html all.h5
exits "report --doc" 0
run text --doc A01271 books
exits "text --doc" 0
verdict "text --doc" cmp <(tr -s '\n ' '\n' <out) <(tr -s '\n ' '\n' <books/old/A01271.txt)
bad "show, a name of two files" 1 "twice may be books/new/twice.txt or books/old/twice.txt" show --doc twice all.h5
bad "text, a name of two files" 1 "twice may be" text --doc twice books
bad "show, part of a name" 1 "no document with this id; did you mean books/old/A01271.txt, books/old/A01272.txt or books/old/A01273.txt?" show --doc A0127 all.h5


# Names that are nearly right: letters without their marks, a wrong letter, a part in another case.
mkdir near
for name in Nguyễn_Văn_An Smith_Ann Müller_Eva; do sentences 1 9 >near/$name.txt; done
run detect --progress none -o n.h5 near
nearly() { bad "show --doc $1" 1 "$1: no document with this id; did you mean $2?" show --doc "$1" n.h5; }
nearly nguyen near/Nguyễn_Văn_An.txt
nearly van_an near/Nguyễn_Văn_An.txt
nearly muler near/Müller_Eva.txt
nearly Simth near/Smith_Ann.txt
nearly smith_anne.txt near/Smith_Ann.txt
nearly near "near/Müller_Eva.txt, near/Nguyễn_Văn_An.txt or near/Smith_Ann.txt"
bad "show, a strange name" 1 "pardup export --table documents n.h5 lists them" show --doc Kowalski n.h5

# ---- what dedup keeps ----
printf 'B01271.v2\nB01272.v2.txt\n' >keep
for np in 1 3; do
    run_np $np dedup --remove documents --keep list:keep -o kept$np all.h5
    exits "--keep list:, on $np ranks" 0
    verdict "--keep list: a listed book stays, on $np ranks" [ -n "$(find kept$np -name 'B01271*')" ]
    verdict "--keep list: the other one goes, on $np ranks" [ -z "$(find kept$np -name 'A01271*')" ]
done
bad "--keep list: none is known" 1 "--keep list:none: none of its 2 ids is that of one of the 11 documents: GX1" \
    dedup --keep list:none -o none.clean all.h5
bad "--keep list: a name of two files" 1 "twice may be" dedup --keep list:twice -o none.clean all.h5

# ---- judgements ----
printf 'A01271\tB01271.v2\nA01272\tB01272.v2\nold/twice.txt\tA01273.txt\nzz\tyy\n' >labels
run eval --format json --bootstrap 0 --truth labels all.h5
exits "eval --truth" 0
verdict "eval --truth: only strangers are unknown" [ "$(grep -c 'not a document' err)" -eq 2 ]
run detect --method nikkhoo --progress none -o near.h5 books
printf '7 Q0 %s 1 9.5 r\n7 Q0 %s 2 9.4 r\n' A01271 B01271.v2 >run
run prevalence --run run near.h5
exits "prevalence" 0
verdict "prevalence: both are known" [ "$(grep -c 'are not in' err)" -eq 0 ]
printf '7 Q0 GX1 1 9.5 r\n' >strange
bad "prevalence, none is known" 1 "--run, --qrels: none of its 1 id is that of one of the 11 documents: GX1 is one of its ids" \
    prevalence --run strange near.h5

# ---- pages: an address ----
for k in 1 2; do
    for week in 1 2; do
        page="<html><body><p>$(sentences $((k * 50)) $((k * 50 + 20)) | tr '\n' ' ')</p></body></html>"
        printf 'WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:%s-%s>\r\n' $k $week
        printf 'WARC-Target-URI: https://x.org/%s.html\r\nContent-Type: text/html\r\nContent-Length: %s\r\n\r\n%s\r\n\r\n' \
            $k ${#page} "$page"
    done
done >pages.warc
echo https://x.org/2.html >urls
run_np 2 detect $options --docs-from urls -o pages.h5 pages.warc
exits "an address" 0
run export --table documents pages.h5
verdict "an address: two captures" [ "$(grep -c 'x.org/2.html' out)" -eq 2 ]
run detect $options -o pages.h5 pages.warc
run show --doc https://x.org/1.html pages.h5
exits "show, an address" 0
run dedup --remove documents --keep list:urls -o pages pages.h5
exits "--keep list:, an address" 0
finish
