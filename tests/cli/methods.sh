#!/bin/bash
# Each method finds what it is made for, and not what it is not; options win over a method.
. "$(dirname "$0")/lib.sh"

# A passage of eight sentences in three forms: as it is; with two words of each exchanged; with the
# words of each sentence turned round.
sentences 1 8 >plain.txt
sed 's/speaks of/of speaks/' plain.txt >swapped.txt
sed -E 's/number w([0-9]+)/numeral w\1/; s/own words/new words/' plain.txt >edited.txt
mkdir all
for k in $(seq 40); do sentences $((1000 * k)) $((1000 * k + 9)) >all/other$k.txt; done
tail=0
for form in plain swapped edited; do
    tail=$((tail + 100000))
    { cat $form.txt; sentences $tail $((tail + 9)); } >all/$form.txt
done
cp plain.txt all/again.txt

# finds METHOD LIST OPTION...: which of the other forms are paired with `again`, in order
finds() {
    local method=$1 list=$2
    shift 2
    run_np 2 detect --idf 0,1 --method "$method" "$@" -o r.h5 all
    exits "$method $*" 0
    run export --table pairs r.h5
    local found
    found=$(awk -F'\t' 'NR > 1 && ($1 == 0 || $2 == 0)' out | wc -l)
    verdict "$method $*: $list of plain, edited, swapped, not $found" [ "$found" -eq "$list" ]
}
finds pdc-imatch 2
finds pdc-shingle2 1
finds pdc-shingle2 2 --tau 0.5
finds pdc-shingle4 1
finds pdc-spotsigs 1 --antecedents 5
finds yoon 2 --max-word-df 1
finds qsign-exact 3 --tau 5/6
finds qsign-exact 1 --tau 1 --feature shingle
finds qsign-index 3 --tau 5/6
finds qsign-exact 3 --tau 5/6 --feature multiset
finds nikkhoo 1 --shingle-blanks keep
finds qsign-lsh 3 --tau 5/6 --sketch minhash --rows 1 --tables 30
finds qsign-lsh:tau=5/6,rows=1,tables=30 3
finds pdc-imatch:idf=0,1,always-df=0 2
finds sentence-fp 1 --min-words 5
finds sentence-fp-sd 1
finds full-fp 1 --ngram 12
finds full-fp 1 --ngram 12 --sample 3
finds nikkhoo 1
finds nikkhoo 0 --tau 0.9
finds nikkhoo 3 --shingle-bytes 3 --tau 0.3
finds sentence-length 1 --window 8,1 --max-df 0 --feature sequence

run_np 2 detect --method qsign-exact --tau 2/3 -o r.h5 all
verdict "the summary counts candidates" grep -qE "candidates +[0-9]+" err
run detect --method qsign-exact --theta-d 1e6 -o r.h5 all
verdict "no pair reaches a high theta-d" grep -qE "passages +0$" err
verdict "pairs left out are counted" grep -qE "pairs below +[1-9]" err
# What is left out is counted on all ranks: the summary is the same for any number of them.
"$PARDUP" synth --bytes 3M --shard-bytes 300K -o web >out 2>err
for ranks in 1 2 3; do
    run_np $ranks detect --gamma 0 --delta 1 --min-passage-words 20 -o r.h5 web/part-*.warc.gz
    exits "left out, $ranks ranks" 0
    sed -nE 's/^pardup: +((left out|pairs below).*)/\1/p' err >left_out.$ranks
done
verdict "something is left out" [ "$(grep -cE ' [1-9][0-9]*( |$)' left_out.1)" -eq 2 ]
verdict "left out: the same on 1 and 2 ranks" cmp -s left_out.1 left_out.2
verdict "left out: the same on 1 and 3 ranks" cmp -s left_out.1 left_out.3

run detect --method yoon --delta 7 -o r.h5 all
verdict "delta 7: eight matches are more" grep -qE "document pairs +[1-9]" err
run detect --method yoon --delta 8 -o r.h5 all
verdict "delta 8: eight are not" grep -qE "document pairs +0$" err

# Whole documents have a resemblance, passages have none.
run detect --method nikkhoo -o r.h5 all
run export --table pairs --format jsonl r.h5
verdict "a resemblance" grep -qE '"resemblance":0\.[0-9]+' out
run detect --method pdc-shingle4 -o r.h5 all
run export --table pairs --format jsonl r.h5
verdict "no resemblance" grep -qF '"resemblance":null' out

# Whole documents have one match: limits on their number are 0 unless they are given.
mkdir alike
sentences 1 20 >alike/a.txt
sentences 1 21 >alike/b.txt
cp alike/a.txt alike/c.txt
for method in pdc-shingle4 qsign-exact yoon; do
    run detect --method $method --units document --max-word-df 1 --tau 0.8 -o r.h5 alike
    verdict "$method on whole documents finds pairs" grep -qE "document pairs +[1-9]" err
done
run detect --method nikkhoo --theta-d 1 --gamma 0 --delta 0 -o r.h5 alike
verdict "a score of 1 can be reached" grep -qE "document pairs +1$" err
for wrong in "--gamma 1" "--delta 1" "--theta-d 1.5"; do
    run detect --method nikkhoo $wrong -o x.h5 alike
    exits "whole documents, $wrong" 2
    says "whole documents, $wrong" "$wrong finds nothing"
    one_error "whole documents, $wrong"
    absent "whole documents, $wrong" x.h5
done

# Options that do not go together.
for wrong in "--method nikkhoo --units gram" "--method pdc-imatch --sample 2" "--method pdc-shingle2 --sct 9" \
    "--method imatch-doc --sct 9" "--method pdc-shingle2 --lexicons 3"; do
    run detect $wrong -o r.h5 all
    exits "$wrong" 2
    one_error "$wrong"
done

# A family: each of 30 sentences is like the 29 others. It counts, or is set aside, whole.
mkdir family
for k in $(seq 30); do
    { echo "This is page number w$k of the long list of pages of our site."; sentences $k $k; } >family/$k.txt
done
for ranks in 1 3; do
    run_np $ranks detect --method qsign-exact --theta-d 0 --max-near 29 -o r.h5 family
    verdict "29 partners are not more than 29" grep -qE "crowded classes +0 " err
    verdict "every sentence pair of the family" grep -qE "sentence pairs +870 " err
    run_np $ranks detect --method qsign-exact --theta-d 0 --max-near 28 -o r.h5 family
    verdict "29 are more than 28" grep -qE "crowded classes +60 " err
    verdict "no sentence pair is left" grep -qE "sentence pairs +0 " err
    run export --table common r.h5
    verdict "crowded classes are listed" [ "$(wc -l <out)" -eq 61 ]
done

# A hub: one sentence of ten words that 30 others share six of, each another six. They have one
# partner, it has 30; when it is set aside no pair is left to count, on any number of ranks.
mkdir hub
python3 -c '
import itertools
words = [f"hub{k}" for k in range(10)]
open("hub/hub.txt", "w").write(" ".join(words) + ".")
for n, six in enumerate(itertools.islice(itertools.combinations(words, 6), 30)):
    own = [f"own{n}x{k}" for k in range(4)]
    open(f"hub/leaf{n}.txt", "w").write(" ".join([*six, *own]) + ".")
'
for ranks in 1 3; do
    run_np $ranks detect --method qsign-exact --theta-d 0 -o r.h5 hub
    verdict "the hub has 30 partners" grep -qE "similar classes +30 " err
    run_np $ranks detect --method qsign-exact --theta-d 0 --max-near 10 -o r.h5 hub
    verdict "the hub is crowded, the leaves are not" grep -qE "crowded classes +1 " err
    verdict "the pairs of the hub do not count" grep -qE "similar classes +0 " err
done

refuse() { # refuse WHAT-IT-SAYS OPTION...
    local words=$1
    shift
    run detect "$@" -o x.h5 all
    exits "$*" 2
    says "$*" "$words"
    one_error "$*"
    absent "$*" x.h5
}
# Parameters may stand with the name of the method: the same result, which keeps the name alone.
run detect --method qsign-lsh:rows=2,tables=5,idf=0.1,0.9 --tau 0.7 --reproducible -o a.h5 all
exits "parameters with a method" 0
run detect --method qsign-lsh --rows 2 --tables 5 --idf 0.1,0.9 --tau 0.7 --reproducible -o b.h5 all
verdict "options and parameters give one result" cmp a.h5 b.h5
run help method qsign-lsh
prints "help method qsign-lsh" "--tables C"
verdict "help method qsign-lsh: no parameter of others" bash -c '! grep -q -- "--antecedents A" out'
refuse "no parameter 'rows': pardup help method yoon lists them" --method yoon:rows=3
refuse "full-fp:ngram: ngram needs =VALUE" --method full-fp:ngram
refuse "jump takes no value" --method sentence-length:jump=1
refuse "--tau 2: expected a number" --method qsign-exact:tau=2
refuse "expected one of: pdc-imatch pdc-shingle2" --method nothing
refuse "expected one of: pdc-imatch pdc-shingle2" --method nothing:tau=1
refuse "--empty match goes with --feature words and --join equal only" --empty match --join jaccard
refuse "--max-df-of times goes with --join equal only" --max-df-of times --join overlap
refuse "go with --feature words, multiset, shingle, bytes and spot only" --feature bag --join jaccard
refuse "goes neither with --window" --units gram --window 3,1
refuse "goes neither with --window nor with --feature lengths" --units gram --feature lengths
refuse "--sample goes with --units gram" --sample 3
refuse "--jump goes with --window" --jump
refuse "must not exceed --bits" --method qsign-lsh --bits 8 --diffbit 9
refuse "--tau 3/2: expected a number from 0 on" --tau 3/2
refuse "--tau 1/: expected a number" --tau 1/
refuse "--window 3: expected two whole numbers" --window 3
refuse "--ngram 0: expected a whole number" --method pdc-shingle4 --ngram 0
run_np 3 detect --method pdc-spotsigs --stop-words nowhere.txt -o x.h5 all
exits "a list that is not there" 1
says "a list that is not there" "nowhere.txt: No such file"
one_error "a list that is not there"
absent "a list that is not there" x.h5
finish
