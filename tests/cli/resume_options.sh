#!/bin/bash
# --resume with another value of each option of detect, one at a time. An option that shapes the result is refused
# and named; any other option is accepted, and the result is that of an undisturbed job. An option that this script
# does not know is a failure.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1

"$PARDUP" synth --bytes 1M --shard-bytes 200K --profile law -o web >synth.log 2>&1 || { cat synth.log; exit 1; }
echo nobody >ids
echo id,year >table.csv
printf '%s\n' web/part-*.warc.gz >list
operands=$(echo web/part-*.warc.gz)
base="--compress none --progress none --scratch scratch -o x.h5 --method pdc-shingle2 --feature shingle --ngram 2
    --join jaccard --tau 0.6 --max-near 3 --max-df 40 --gap 2"
windows="$base --window 2,1"
grams="$base --units gram --feature sequence --join equal --sample 2"
mkdir scratch

detect() { # detect OPTION...: with $options before it; the last of an option counts
    rm -f x.h5
    run detect $options "$@" $operands
}

# Kill a job with $options when its units are joined, and move its checkpoint to the folder $1.
interrupt() {
    until compgen -G 'scratch/*/joined' >/dev/null; do
        rm -rf x.h5 x.h5.part scratch/*
        "$PARDUP" detect $options $operands >out 2>err </dev/null &
        until compgen -G 'scratch/*/joined' >/dev/null || ! kill -0 $! 2>/dev/null; do sleep 0.002; done
        kill -9 $! 2>/dev/null
        wait $! 2>/dev/null
    done
    mv scratch "$1"
}
restore() { rm -rf scratch x.h5 x.h5.part && cp -a "$checkpoint" scratch; }

known=
attributes=
refused() { # refused OPTION VALUE ATTRIBUTE: another value is an error that names the attribute
    known="$known $1"
    attributes="$attributes $3"
    compgen -G 'scratch/*/job' >/dev/null || restore
    detect --resume "--$1" $2
    exits "--$1 $2" 1
    one_error "--$1 $2"
    says "--$1 $2" "the checkpoint is of other options: \"$3 "
    absent "--$1 $2" x.h5
    verdict "--$1 $2: the checkpoint is kept" compgen -G 'scratch/*/job' >/dev/null
}
accepted() { # accepted OPTION [VALUE]
    known="$known $1"
    restore
    detect --resume "--$1" ${2:-}
    exits "--$1 ${2:-}" 0
    says "--$1 ${2:-}" "going on from the checkpoint"
    verdict "--$1 ${2:-}: same result" "$PYTHON" "$here/../support/same_result.py" \
        --tables passages,pairs,documents,files,common,skipped reference.h5 x.h5
}

# ---- grams ----
options=$grams
interrupt gram_checkpoint
checkpoint=gram_checkpoint
refused sample 3 sample
refused winnow 3 winnow
refused char-ngram 9 char_ngram
rm -rf scratch && mkdir scratch

# ---- windows ----
options=$windows
detect
exits "undisturbed" 0
mv x.h5 reference.h5
verdict "there are passages" "$PYTHON" -c 'import h5py; assert len(h5py.File("reference.h5")["passages/doc_a"]) > 0'
interrupt window_checkpoint
checkpoint=window_checkpoint
refused method pdc-shingle3 method
refused format warc format
refused id-field name id_field
refused text-field body text_field
refused url-field address url_field
refused site-field owner site_field
refused keep-fields date keep_fields
refused metadata table.csv metadata
refused date-field year date_field
refused templates aside templates
refused frame aside frame
refused aside frame frame
refused min-copy-words 5 min_copy_words
refused min-copy-agreement 0.5 min_copy_agreement
refused content main content
refused limit-docs 5 limit_docs
refused docs-from ids docs_from
refused max-document 1M max_document
refused strict "" strict # what was read before may lack bad records
refused units clause units
refused window 3,1 window
refused jump "" jump
refused feature spot feature
refused ngram 3 ngram
refused antecedents 5000 antecedents
refused stop-words none stop_words
refused spot-distance 2 spot_distance
refused spot-chain 3 spot_chain
refused join overlap join
refused tau 0.7 tau
refused shingle-bytes 32 shingle_bytes
refused shingle-blanks keep shingle_blanks
refused sct "20 --units document --window 1,1" units
refused sketch minhash sketch
refused rows 4 rows
refused bits 40 bits
refused word-bits 2 word_bits
refused diffbit 6 diffbit
refused tables 9 tables
refused theta-d 1 theta_d
refused delta 1 delta
refused max-word-df 0.5 max_word_df
refused gamma 4 gamma
refused gap 3 gap
refused passages best passages
refused reach 2 reach
refused rare 0.1 rare
printf 'pardup-frequencies-1\t9\t9\tchar\texact\n' >words.tsv
refused frequencies words.tsv frequencies
# units come first in the list of options, and refining needs these
refused refine "words --units gram --ngram 1 --feature pairs --join equal --window 1,1" units
refused max-df 41 max_df
refused common first common
refused within "" within
refused copies report copies
refused max-near 4 max_near
refused edges far edges
refused min-passage-words 3 min_passage_words
refused skip-same-host "" skip_same_host
refused skip-same author skip_same
refused family-coverage 0.7 family_coverage
refused min-words 2 min_words
refused idf 0,1 idf
refused lexicons "3 --feature words --join equal" feature
refused empty "match --feature words --join equal" feature
refused max-df-of "times --join equal" join
refused always-df 10 always_df
refused min-agreement 0.5 min_agreement
refused preset web preset
refused min-counted 2 min_counted
refused max-repeats 2 max_repeats
refused repeats first repeats
refused spelling early-modern spelling
run detect --words icu -o x.h5 $operands
if grep -qF "built without ICU" err; then
    known="$known words"
else
    refused words icu words_kind
fi

restore
detect --resume --against web/part-00000.warc.gz
exits "--against" 1
says "--against" "the checkpoint is of another input"
known="$known against"

for option in --include --exclude; do # they say what is read
    restore
    operands=web detect --resume $option "part-*1.warc.gz"
    exits "$option" 1
    says "$option" "the checkpoint is of another input"
    known="$known ${option#--}"
done

echo "Text that is nobody's copy." >ignored.txt
restore
detect --resume --with web/part-00000.warc.gz
exits "--with" 1
says "--with" "the checkpoint is of another input"
known="$known with"

printf 'root mine\nblock p\n' >rows.txt
for option in "--ignore ignored.txt" "--convert foo=cat{}" "--vocabulary rows.txt"; do
    restore
    detect --resume $option
    exits "$option" 1
    says "$option" "the checkpoint is of another input"
    option=${option%% *}
    known="$known ${option#--}"
done

accepted memory 2M
accepted compress deflate
accepted reproducible
accepted matches ""
accepted progress log
operands= accepted files-from list
accepted null ""
accepted skip-unknown ""
accepted verbose ""

# ---- files beside the collection ----
stale() { # stale NAME FILE: the checkpoint is of another FILE
    detect --resume
    exits "$1" 1
    says "$1" "the checkpoint is of another input: \"$2, "
    says "$1" " bytes, changed 20"
    verdict "$1: the checkpoint is kept" compgen -G 'scratch/*/job' >/dev/null
}
first=web/part-00000.warc.gz
rm -rf scratch x.h5 && mkdir scratch
printf 'the\nof\n' >stop
printf 'and\nto\n' >begin
options="$windows --stop-words stop --antecedents begin"
for file in stop begin $first; do touch -d '2020-01-01 10:00:00.25' $file; done
interrupt list_checkpoint
checkpoint=list_checkpoint
for file in stop begin $first; do # written again within the second, with the same length
    restore
    touch -d '2020-01-01 10:00:00.75' $file
    stale "$file written again" "$file"
    touch -d '2020-01-01 10:00:00.25' $file
done
printf 'the\non\nby\n' >stop
touch -d '2020-01-01 10:00:00.25' stop
stale "another list of stop words" stop
rm -rf scratch && mkdir scratch

# The defaults of --stop-words and --antecedents are no names of files.
options=$windows
echo one >english
echo one >10000
interrupt default_checkpoint
checkpoint=default_checkpoint
restore
echo two >>english
echo two >>10000
detect --resume
exits "files called as the defaults" 0
says "files called as the defaults" "going on from the checkpoint"

# ---- options that have no other value to resume with ----
restore
detect --resume --dry-run --price 1
exits "--dry-run --price" 0
verdict "--dry-run: the checkpoint is kept" compgen -G 'scratch/*/job' >/dev/null
mkdir elsewhere
for option in "-o other.h5" "--scratch elsewhere"; do # these say where the checkpoint is
    restore
    detect --resume $option
    exits "$option" 0
    says "$option" "no checkpoint"
done
known="$known output scratch resume dry-run price force quiet gate known"

verdict "the result says every option it depends on" "$PYTHON" -c 'import h5py, sys
missing = [name for name in sys.argv[1:] if name not in h5py.File("reference.h5").attrs]
assert not missing, missing' $attributes

{ "$PARDUP" detect --help all; "$PARDUP" help method; } >out
for option in $(sed -n 's/^  \(-o, \)\?--\([a-z-]*\).*/\2/p' out); do
    verdict "--$option is tried here" grep -qF " $option " <<<"$known "
done
finish
