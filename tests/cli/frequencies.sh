#!/bin/bash
# pardup frequencies writes the same table on any number of ranks. With --frequencies the table says how rare words are: a table
# of the collection itself changes nothing, three sources and 200 give one judgement, and an index keeps what the table says. A
# table that cannot be right is one clear line.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1
same="$PYTHON $here/../support/same_result.py --tables passages,pairs,common,families"

"$PYTHON" - <<'PY'
# Words of a language are drawn by Zipf's law. Sources: 200, of which the first three are a test. Targets: 60, of which six have
# a paragraph of the test, three of them with every fourth word changed.
import json, random
rng = random.Random(46)
names = sorted({"".join(rng.choice("bcdfgklmnprstv") + rng.choice("aeiouéö") for _ in range(rng.randint(1, 4))) for _ in range(4000)})
rng.shuffle(names)
weights = [1 / (k + 3) for k in range(len(names))]

def words(n):
    return rng.choices(names, weights, k=n)

def edited(run):
    return [rng.choice(names) if k % 4 == 3 else word for k, word in enumerate(run)]

def text(run):
    return ". ".join(" ".join(run[k:k + 11]).capitalize() for k in range(0, len(run), 11)) + "."

def write(path, texts):
    with open(path, "w") as out:
        for k, run in enumerate(texts):
            out.write(json.dumps({"id": f"{path[:4]}-{k}", "text": text(run)}) + "\n")

sources = [words(120) for _ in range(200)]
targets = [words(150) for _ in range(60)]
for k in range(6):
    copied = sources[k % 3][33:77]
    targets[9 * k][66:66] = edited(copied) if k > 2 else copied
write("test.jsonl", sources[:3])
write("more.jsonl", sources[3:])
write("targets.jsonl", targets)
write("background.jsonl", [words(90) for _ in range(300)] + targets)
PY

# ---- the table ----
printf '{"id": 1, "text": "A cat saw the cat. The Dog did not."}\n{"id": 2, "text": "The cat, ÉTÉ and été. %s %s"}\n{"id": 3, "text": "!"}\n' \
    "$(printf 'x%.0s' $(seq 64)) $(printf 'x%.0s' $(seq 64))" "$(printf 'y%.0s' $(seq 65)) $(printf 'y%.0s' $(seq 65))" >small.jsonl
printf 'pardup-frequencies-1\t2\t18\tchar\texact\ncat\t2\t3\nthe\t2\t3\n%s\t1\t2\nété\t1\t2\n' "$(printf 'x%.0s' $(seq 64))" >want
run frequencies -o small.tsv small.jsonl
exits "a small table" 0
verdict "a small table: words that occur twice, in the order of their bytes, without a word of 65 bytes" cmp want small.tsv
says "a small table" "18 words in 2 documents; 4 different words"
run frequencies --limit-docs 1 -o limited.tsv small.jsonl
printf 'pardup-frequencies-1\t1\t9\tchar\texact\ncat\t1\t2\nthe\t1\t2\n' >want
verdict "--limit-docs" cmp want limited.tsv

run frequencies -o table.tsv background.jsonl
exits "one rank" 0
for np in 2 3 4; do
    run_np $np frequencies --memory 1M --scratch . -o table$np.tsv background.jsonl
    exits "$np ranks" 0
    verdict "$np ranks: the same bytes" cmp table.tsv table$np.tsv
done
verdict "sorted" env LC_ALL=C sort -c <(tail -n +2 table.tsv)
cp table.tsv before
for input in missing.jsonl wordless.txt; do
    echo "!?" >wordless.txt
    run frequencies -o table.tsv $input
    exits "$input" 1
    one_error "$input"
    verdict "$input: the old table stays" cmp before table.tsv
    verdict "$input: nothing else is left" [ ! -e table.tsv.part ]
done
echo mine >mine.tsv
run frequencies -o mine.tsv background.jsonl
exits "a foreign file" 1
says "a foreign file" "pardup has not written this file"

# ---- a table of the collection itself changes nothing ----
run frequencies -o own.tsv targets.jsonl more.jsonl
number=0
for method in "--preset edited" "--method pdc-imatch --gamma 0 --idf 0.3,0.8 --always-df 0" "--method yoon --max-word-df 0.2 --delta 0" \
    "--method pdc-spotsigs --antecedents 40 --gamma 0 --tau 0.3" "--method imatch-doc --idf 0.2,1 --always-df 0"; do
    number=$((number + 1))
    run detect $method --compress none -o want.h5 targets.jsonl more.jsonl
    exits "$method" 0
    np=$((number % 4 + 1))
    run_np $np detect $method --compress none --frequencies own.tsv -o got.h5 targets.jsonl more.jsonl
    exits "$method, its own table, $np ranks" 0
    verdict "$method: its own table changes nothing" $same want.h5 got.h5
    rm -rf index.a index.b
    run index $method -o index.a targets.jsonl more.jsonl
    run_np $np index $method --frequencies own.tsv -o index.b targets.jsonl more.jsonl
    verdict "$method, index: its own table changes nothing" cmp index.a/0.words index.b/0.words
done

# ---- three sources and 200 give one judgement ----
cat test.jsonl more.jsonl >200.jsonl
rows() { # rows RESULT: passages of the three sources of the test
    run export --format jsonl "$1"
    exits "export $1" 0
    grep -E '"id_b":"test-[012]"' out | "$PYTHON" -c 'import json, sys
for row in map(json.loads, sys.stdin):
    print(*(row[name] for name in ("id_a", "id_b", "begin_a", "end_a", "begin_b", "end_b", "agreement")))' | sort
}
for options in "--preset edited --max-df 0" "--method pdc-imatch --gamma 0 --always-df 0 --idf 0.2,1 --max-df 0"; do
    for sources in test.jsonl 200.jsonl; do
        run detect $options --frequencies table.tsv --against $sources -o d.h5 --force targets.jsonl
        exits "$options, against $sources" 0
        rows d.h5 >against.$sources
        rm -rf index
        run index $options --frequencies table.tsv -o index $sources
        exits "$options, index of $sources" 0
        run_np 2 check --index index -o c.h5 --force targets.jsonl
        exits "$options, check $sources" 0
        rows c.h5 >check.$sources
    done
    verdict "$options: there are rows" [ -s against.test.jsonl ]
    verdict "$options: 3 sources and 200 give the same rows" cmp against.test.jsonl against.200.jsonl
    verdict "$options: check finds what detect --against finds" cmp against.test.jsonl check.test.jsonl
    verdict "$options: check, 3 sources and 200" cmp check.test.jsonl check.200.jsonl
done
leaks() { # leaks RESULT: targets that have a passage
    run export --format jsonl "$1"
    "$PYTHON" -c 'import json, sys; print(len({json.loads(line)["id_a"] for line in sys.stdin}))' <out
}
rm -rf index plain
run index --preset edited --frequencies table.tsv --with-text -o index test.jsonl
verdict "an index with a table needs no hint" [ "$(grep -c 'say little' err)" -eq 0 ]
run index --preset edited -o plain test.jsonl
says "an index of few words" "360 words say little about how rare a word is: --frequencies of a larger background"
run check --index index -o with.h5 targets.jsonl
run check --index plain -o without.h5 targets.jsonl
with=$(leaks with.h5) without=$(leaks without.h5)
verdict "a table finds more edited leaks ($with, without it $without)" [ "$with" -eq 6 -a "$without" -lt 6 ]

# ---- an index keeps what the table says ----
words_before=$(cksum <index/0.words)
run index --frequencies table.tsv -o index --add more.jsonl
exits "--add with a table" 2
run index -o index --refresh --frequencies table.tsv
exits "--refresh with a table" 2
says "--refresh with a table" "take their options from the index"
mv table.tsv away.tsv
run index -o index --add more.jsonl
exits "--add, the table is gone" 0
mv more.jsonl more.kept
grep -v test more.kept | head -50 >more.jsonl
run index -o index --refresh
exits "--refresh, the table is gone" 0
verdict "--refresh: what the table says stays" [ "$(cksum <index/0.words)" = "$words_before" ]
run check --index index -o refreshed.h5 targets.jsonl
exits "check, the table is gone" 0
mv more.kept more.jsonl
mv away.tsv table.tsv
rows with.h5 >want
rows refreshed.h5 >got
verdict "--add and --refresh change no judgement" cmp want got

# ---- other readers ----
gzip -k table.tsv
run detect --preset edited --against test.jsonl --frequencies table.tsv -o plain.h5 targets.jsonl
run detect --preset edited --against test.jsonl --frequencies table.tsv.gz -o packed.h5 targets.jsonl
verdict "a compressed table" $same plain.h5 packed.h5
"$PYTHON" - plain.h5 packed.h5 <<'PY'
import sys, h5py
a, b = (h5py.File(path).attrs for path in sys.argv[1:])
assert a["frequencies"] in (b"table.tsv", "table.tsv") and a["frequencies_hash"] == b["frequencies_hash"] != 0
PY
verdict "the result names the table" [ $? -eq 0 ]
mkdir -p elsewhere
(cd elsewhere && run explain ../plain.h5 targ-0 test-0 && cp out ../out && cp err ../err && exit $status)
status=$?
exits "explain, from another folder" 0
prints "explain" "targ-0"
run compare --preset edited --frequencies table.tsv targets.jsonl test.jsonl
exits "compare" 0
run detect --preset texts --frequencies table.tsv --against test.jsonl -o texts.h5 targets.jsonl
exits "a preset that does not ask" 0
says "a preset that does not ask" "--frequencies: preset texts does not ask how rare words are"
run detect --dry-run --preset edited --frequencies table.tsv targets.jsonl
exits "--dry-run" 0

# ---- another table under the same name is not resumed with ----
job="--preset edited --frequencies table.tsv --scratch scratch --compress none -o r.h5"
mkdir scratch
until compgen -G 'scratch/*/joined' >/dev/null; do
    rm -rf r.h5 scratch/*
    "$PARDUP" detect $job targets.jsonl more.jsonl >out 2>err </dev/null &
    until compgen -G 'scratch/*/joined' >/dev/null || ! kill -0 $! 2>/dev/null; do sleep 0.002; done
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
done
cp table.tsv kept.tsv
sed -i '$d' table.tsv
run detect $job --resume targets.jsonl more.jsonl
exits "resumed with another table" 1
says "resumed with another table" "the checkpoint is of another input: \"--frequencies:"
run explain plain.h5 targ-0 test-0
exits "explain with another table" 1
says "explain with another table" "has changed since it was read before"
cp kept.tsv table.tsv
run detect $job --resume targets.jsonl more.jsonl
exits "resumed with the same table" 0

# ---- a table of a stranger ----
bad() { # bad NAME LINE TEXT: bad.tsv is refused with the line
    run detect --preset edited --frequencies bad.tsv -o bad.h5 targets.jsonl
    exits "$1" 1
    one_error "$1"
    says "$1" "$3"
    [ "$2" = 0 ] || says "$1" "bad.tsv: line $2:"
    absent "$1" bad.h5
    run index --preset edited --frequencies bad.tsv -o bad.index test.jsonl
    exits "$1, index" 1
    one_error "$1, index"
    absent "$1, index" bad.index
}
first='pardup-frequencies-1\t10\t100\tchar\texact\n'
: >bad.tsv; bad "an empty file" 0 "bad.tsv: empty"
echo hello >bad.tsv; bad "another file" 1 "no table of frequencies: a table begins with pardup-frequencies-1"
head -c 3000000 /dev/zero >bad.tsv; bad "zeros" 0 "bad.tsv"
printf 'pardup-frequencies-1\t10\t100\n' >bad.tsv; bad "a short first line" 1 "expected pardup-frequencies-1, the numbers"
printf 'pardup-frequencies-1\t10\tmany\tchar\texact\n' >bad.tsv; bad "no number" 1 "expected pardup-frequencies-1, the numbers"
printf 'pardup-frequencies-1\t10\t100\ticu\texact\n' >bad.tsv; bad "other words" 1 "a table of words with --words icu; this job has --words char"
printf 'pardup-frequencies-1\t10\t100\tchar\tearly-modern\n' >bad.tsv; bad "other spelling" 1 "--spelling early-modern; this job has --spelling exact"
printf "${first}a\t1\n" >bad.tsv; bad "a column is missing" 2 "expected a word, its documents and its occurrences"
printf "${first}a\t1\t2\t3\n" >bad.tsv; bad "a column too many" 2 "expected a word, its documents and its occurrences"
printf "${first}a\t1\t-2\n" >bad.tsv; bad "a negative number" 2 "expected a word, its documents and its occurrences"
printf "${first}a\t1\t99999999999999999999\n" >bad.tsv; bad "a huge number" 2 "expected a word, its documents and its occurrences"
printf "${first}a\t0\t2\n" >bad.tsv; bad "zero documents" 2 "expected a word, its documents and its occurrences"
printf "${first}\t1\t2\n" >bad.tsv; bad "no word" 2 "no word in it"
printf "${first}a\t3\t2\n" >bad.tsv; bad "more documents than occurrences" 2 "more documents than occurrences"
printf "${first}a\t11\t12\n" >bad.tsv; bad "more documents than there are" 2 "more documents than the 10 of the first line"
printf "${first}a\t2\t60\nb\t2\t41\n" >bad.tsv; bad "more words than there are" 3 "than the 100 words of the first line"
printf "${first}a\t2\t2\na\t2\t2\n" >bad.tsv; bad "a word that is there twice" 3 "a is there twice"
printf "${first}b\t2\t2\na\t2\t2\n" >bad.tsv; bad "not in order" 3 "a stands behind b: words must be in the order of their bytes"
printf "${first}The\t2\t2\n" >bad.tsv; bad "a capital letter" 2 "The is not in the form in which words are compared"
printf "${first}\xff\t2\t2\n" >bad.tsv; bad "not UTF-8" 2 "the word is not UTF-8"
printf "${first}a\0b\t2\t2\n" >bad.tsv; bad "a byte 0" 2 "a byte 0 in it"
printf "${first}%s\t2\t2\n" "$(printf 'x%.0s' $(seq 65))" >bad.tsv; bad "a long word" 2 "a word of 65 bytes: 64 are the most"
printf "${first}%s" "$(head -c 1100000 /dev/zero | tr '\0' x)" >bad.tsv; bad "a long line" 2 "longer than"
head -c 400 table.tsv.gz >bad.tsv; bad "a compressed file that is cut" 0 "bad.tsv"
rm bad.tsv; bad "no file" 0 "bad.tsv: No such file"
mkdir bad.tsv; bad "a folder" 0 "bad.tsv: no regular file"; rmdir bad.tsv
mkfifo bad.tsv; bad "a pipe" 0 "bad.tsv: no regular file"
run frequencies targets.jsonl
exits "no -o" 2
says "no -o" "-o TABLE is required"

finish
