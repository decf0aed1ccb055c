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

# ---- a collection in two scripts: copies in either are found ----
law='凡在法律上享有权利的人都应当依照约定按时交付货物并且承担运输途中可能发生的全部损失费用'
more='任何一方不得擅自变更或者解除合同否则必须赔偿对方因此遭受的经济损失'
edited='凡在法律上享有权利天人都应当依照约定按天交付货物并且承担运天途中可能发生的全部天失费用任何一方不得天自变更或者解除合同天则必须赔偿对方因此天受的经济损失'
other='春天来了山上开满各种颜色的花孩子们在河边放风筝老人坐着喝茶谈论去年收成和今年雨水情况'
english='whoever signs this paper agrees to pay the rent on the first day of every month'
pair_of "$law。$english." "$other. $english."
verdict "mixed: characters" grep -q "preset characters: 7[0-9] % of the words are single characters" said
verdict "mixed: the English copy" found
pair_of "$law。$english." "$other. ${english% every month}."
verdict "mixed: fifteen words are too few" none
pair_of "$law$more。" "$other。$edited。"
verdict "every tenth character is another one" found
pair_of "$other。$law。" "凡在法律上享有权利的人都应当依照约定按时交付货物并且"
verdict "26 characters say as much as sixteen words" found
pair_of "$other。$law。" "凡在法律上享有权利的人都应当依照约定按时交付货物并"
verdict "25 characters say less" none

# ---- invented text in two scripts, against the slow judge ----
"$PYTHON" - >mixed.jsonl <<'END'
import json, random
draw = random.Random(46)
characters = ["一", "人", "法", "国", "か", "ก", "ขา", "งี่"]
words = "the state may not shall be law copy カタカナ 한국".split()
def sentence():
    runs = [draw.choices(characters, k=draw.randint(1, 7)) if draw.random() < 0.6 else
            [" " + word + " " for word in draw.choices(words, k=draw.randint(1, 6))]
            for _ in range(draw.randint(1, 10))]
    return "".join(sum(runs, [])) + draw.choice(("。", ". "))
pool = [sentence() for _ in range(40)]
for number in range(40):
    text = "".join(draw.choice(pool) if draw.random() < 0.7 else sentence() for _ in range(draw.randint(0, 12)))
    print(json.dumps({"id": f"d{number}", "text": text}))
END
run sentences --offsets mixed.jsonl
mv out mixed.sentences
equal() { "$PYTHON" "$here/../support/oracle.py" --sentences mixed.sentences --list list >out 2>err; }
# judged OPTIONS: detect with these options finds what the judge does.
judged() {
    # shellcheck disable=SC2086 # a list of options
    run detect $1 -o mixed.h5 mixed.jsonl
    echo "mixed.h5 --complete $1" >list
    verdict "mixed: $1" equal
}
judged "--preset characters"
judged "--preset characters --gamma 0 --winnow 3 --min-passage-words 5"
judged "--method full-fp --ngram 3 --char-ngram 5 --max-df 12 --min-passage-words 6"

pair_of "" ""
verdict "nothing" grep -q "preset edited: no document has text" said

finish
