#!/bin/bash
# Words of many scripts, against a slow reader in Python; copies that are written otherwise are found.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1
reader=$here/../support/word_reader.py
judge() { "$PYTHON" "$reader" judge documents.jsonl sentences.jsonl "$1" >out 2>err; }

# ---- words, forms and offsets ----
for seed in 1 2 3; do
    "$PYTHON" "$reader" make $seed >documents.jsonl
    for spelling in exact early-modern; do
        run sentences --offsets --spelling $spelling documents.jsonl
        mv out sentences.jsonl
        verdict "words of seed $seed, $spelling" judge $spelling
    done
done

# ---- one text in two ways of writing it is one family of equal documents ----
# pair_of TEXT TEXT [OPTION...]
pair_of() {
    printf '{"id":"a","text":"%s"}\n{"id":"b","text":"%s"}\n' "$1" "$2" >pair.jsonl
    shift 2
    run detect "$@" -o pair.h5 pair.jsonl
    mv err said
    run export --format jsonl pair.h5
}
found() { [ "$(wc -l <out)" -eq 1 ]; }
none() { [ ! -s out ]; }
bare='انما الاعمال بالنيات وانما لكل امري ما نوي'
pair_of "إِنَّمَا الْأَعْمَالُ بِالنِّيَّاتِ وَإِنَّمَا لِكُلِّ امْرِئٍ مَا نَوَى" "$bare"
verdict "vowel marks" found
verdict "offsets are those of the text" grep -q "\"begin_a\":0,\"end_a\":$(printf '%s' "إِنَّمَا الْأَعْمَالُ بِالنِّيَّاتِ وَإِنَّمَا لِكُلِّ امْرِئٍ مَا نَوَى" | wc -c),\"begin_b\":0,\"end_b\":$(printf '%s' "$bare" | wc -c)" out
pair_of "कि की कु कू" "क क क क"
verdict "Devanagari keeps its vowels" none
pair_of "Haue ye euer seene ſuch loue" "have ye ever seen such love"
verdict "another spelling is another text" none
pair_of "Haue ye euer seene ſuch loue" "have ye ever seen such love" --spelling early-modern
verdict "--spelling early-modern" found
run show --by-passage pair.h5
verdict "show compares words as detect did" grep -q "agreement 1.00: 6 words alike" out
run index --spelling early-modern -o index pair.jsonl
run check --index index --show pair.jsonl
verdict "and so does check" grep -q ": 6 words alike" out

# ---- words of ICU's dictionary are read again, too ----
pair_of "ฝนตกทั้งวันที่กรุงเทพ" "ฝนตกทั้งวันที่กรุงเทพ" --words icu
if ! grep -q "built without ICU" said; then
    run show --by-passage pair.h5
    verdict "words of ICU" grep -q ": 6 words alike" out
fi

# ---- the preset goes by scripts, not by lengths of words ----
pair_of "go on to it as is" "go on to it as is"
verdict "short words: texts" grep -q "preset edited: 2 of 2" said
pair_of "ฝนตกทั้งวัน" "ฝนตกทั้งวัน"
verdict "Thai: characters" grep -q "preset characters: 100 % of the words are single characters" said
pair_of "" ""
verdict "nothing" grep -q "preset edited: no document has text" said

finish
