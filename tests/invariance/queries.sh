#!/usr/bin/env bash
# Targets against sources, on 1, 2 and 4 ranks, against the judge tests/support/oracle.py.
#
#   tests/invariance/queries.sh          some 60 invented documents a seed
#
# `pardup detect --against`: every method, the kinds of --preset, common units with --common first,
# equal documents with --copies, and options drawn at random.  Targets are the first documents of a
# collection, sources the others; the share of each differs from seed to seed.
#
# `pardup index` and `pardup check`: the same options where an index takes them, and frequencies of
# words that only the sources decide.  Targets count for --max-df in both.  Index and check run on different numbers of ranks.  Sources that
# come in steps make the same index.
# With --frequencies a table decides in place of the documents.
# Variables: see common.sh; also SEEDS ["1 2"], DOCUMENTS [60], DRAWN [8] runs a seed with options
# drawn at random.
set -eu
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/combinations.sh"

SEEDS=${SEEDS:-1 2}
DOCUMENTS=${DOCUMENTS:-60}
DRAWN=${DRAWN:-8}
ranks=(1 2 4)

# Common units and equal documents, where a small --max-df bites.
sides() {
    cat <<'COMBINATIONS'
--method pdc-imatch --max-df 3 --common first --gamma 0
--method pdc-imatch --max-df 3 --common first --gamma 0 --copies report
--method pdc-imatch --max-df 0 --copies report
--method pdc-imatch --max-df 2 --copies report --common aside --gamma 1
--method pdc-imatch --max-df 2 --copies report --common first --passages best --gap 2
--method qsign-exact --max-df 3 --common first --copies report --theta-d 0
--method pdc-shingle2 --tau 0.6 --gamma 0 --max-df 2 --common first --edges far
--method sentence-length --window 3,2 --jump --max-df 3 --common first
--method full-fp --sample 3 --max-df 4 --common first --copies report
--method imatch-doc --max-df 1 --common first --copies report
--units stop --window 2,2 --feature sequence --gamma 0 --max-df 2 --common first
COMBINATIONS
}

# Frequencies of a background that has half of the targets and some of the sources.
tables() {
    cat <<COMBINATIONS
--method pdc-imatch --gamma 0 --always-df 0 --idf 0.3,0.8 --frequencies $work/table.tsv
--method yoon --delta 0 --max-word-df 0.2 --frequencies $work/table.tsv
--method imatch-doc --always-df 0 --idf 0.2,1 --frequencies $work/table.tsv
--method pdc-spotsigs --antecedents 30 --tau 0.3 --gamma 0 --frequencies $work/table.tsv
--method edited --rare 0.01 --frequencies $work/table.tsv
--method edited --rare 0.005 --gamma 1 --gap 20 --max-df 5 --common first --copies report --frequencies $work/table.tsv
COMBINATIONS
}

# make_table: by another number of ranks than the runs that read it.
make_table() {
    head -n $((targets / 2 + 1)) "$work/targets.jsonl" >"$work/background.jsonl"
    head -n 9 "$work/sources.jsonl" >>"$work/background.jsonl"
    pardup_on 3 frequencies --quiet -o "$work/table.tsv" "$work/background.jsonl"
}

every_combination() {
    presets
    kinds
    sides
    tables
    drawn
}

# detect_against: every combination on a number of ranks that differs from seed to seed.
detect_against() {
    local options number=$seed np
    while read -r options; do
        number=$((number + 1))
        np=${ranks[number % ${#ranks[@]}]}
        one_run "against-$seed" "$np" "$work/r$number.h5" "$options" \
            --against "$work/sources.jsonl" "$work/targets.jsonl" || true
    done < <(every_combination | edges_in_turn)
    judge_lists "against-$seed" "$work/targets.jsonl" "$work/sources.jsonl"
}

# Frequencies, units on the index side, features that count for nothing.
queries() {
    cat <<'COMBINATIONS'
--method pdc-imatch --gamma 0 --always-df 0 --idf 0.3,0.8
--method pdc-imatch --gamma 0 --always-df 4 --idf 0.4,1 --min-counted 2
--method yoon --delta 0 --max-word-df 0.2
--method yoon --delta 1 --min-words 3 --max-df 2
--method yoon --delta 1 --min-words 3 --max-df 2 --max-df-of documents
--method yoon --delta 0 --max-df 5 --max-word-df 1 --common first --max-repeats 3 --repeats first
--method yoon --gamma 1 --gap 1 --max-repeats 1
--method yoon --max-repeats 1 --repeats first --max-df 3 --common first
--method sentence-fp --max-df 2
--method sentence-fp-sd --max-df 0
--method sentence-length --window 2,1 --gamma 1
--method sentence-length --window 3,2
--method sentence-length --window 2,1 --jump --max-df 5
--method full-fp --ngram 3 --max-df 0
--method full-fp --ngram 3 --sample 3
--method full-fp --ngram 4 --sample 6 --gamma 1 --gap 12
--feature shingle --ngram 2 --join equal --gamma 0 --max-df 0
--feature spot --antecedents 20 --join equal --gamma 0
--method imatch-doc --always-df 0 --idf 0.2,1
--method pdc-shingle2 --tau 0.5 --gamma 0 --max-df 3
--method pdc-shingle3 --tau 0 --gamma 1 --gap 1
--method pdc-spotsigs --antecedents 30 --tau 0.3 --gamma 0 --max-repeats 1 --repeats first
--method qsign-exact --tau 0.4 --theta-d 0 --delta 2 --max-df 2 --common first
--method qsign-exact --window 3,2 --theta-d 1 --always-df 0 --idf 0.2,1
--method spotsigs-doc --antecedents 30 --tau 0.2 --copies report
--method nikkhoo --shingle-bytes 9 --sct 12
--method nikkhoo --shingle-bytes 12 --sct 5 --tau 0.3 --sample 2 --join overlap --copies report
--method pdc-shingle2 --tau 0.4 --gamma 0 --max-near 1
--method qsign-exact --tau 0.4 --theta-d 0 --max-near 2 --max-df 4 --common first
--method qsign-lsh --theta-d 0 --bits 48 --tables 12
--feature words --lexicons 4 --gamma 0 --always-df 0 --idf 0.2,1 --max-df 6 --common first
--method imatch-doc --lexicons 9 --always-df 0 --idf 0.2,1
--method edited --rare 0.01 --with-text
--method edited --rare 0.005 --gamma 1 --gap 20 --max-df 5 --common first --copies report
--method pdc-imatch --max-df 2 --copies report --common first --passages best --gap 2
--method pdc-shingle2 --tau 0.4 --gamma 0 --max-df 1
--method pdc-shingle2 --tau 0.4 --gamma 0 --max-near 1 --max-df 3
--method full-fp --ngram 4 --sample 6 --gamma 1 --gap 12 --max-df 4
--preset texts --ngram 3 --max-df 3 --common aside
--preset code --max-df 3
--preset web --max-df 4
--feature pairs --units gram --ngram 1 --reach 3 --rare 0.01 --gamma 1 --gap 3 --passages best
COMBINATIONS
}

# one_check NUMBER OPTIONS SOURCES TARGETS: an index of the sources and a check of the targets, on numbers of ranks that
# differ from NUMBER to NUMBER; lists the result for the judge.
one_check() {
    local number=$1 options=$2 np_index=${ranks[$1 % ${#ranks[@]}]} np_check=${ranks[($1 + 1) % ${#ranks[@]}]}
    local result=$work/r$1.h5
    rm -rf "$work/index"
    # shellcheck disable=SC2086 # options is a list of words
    if pardup_on "$np_index" index $options -o "$work/index" "$3" >"$work/log" 2>&1 &&
        pardup_on "$np_check" check --top $((seed * 3)) --index "$work/index" -o "$result" "$4" >"$work/log" 2>&1; then
        echo "$result $TOLD --check --top $((seed * 3)) # ${options/ --with-text/}" >>"$work/list.$(base_units $options)"
    else
        failed=$((failed + 1))
        echo "FAILED  check-$seed $options: on $np_index, $np_check ranks"
        tail -n 5 "$work/log" | sed 's/^/        /'
    fi
}

# check_index: an index of the sources and a check of the targets for every combination.
check_index() {
    local options number=$seed
    while read -r options; do
        case $options in
        *"--templates aside"*) continue ;; # the judge does not know the sites of sources
        *--within*) continue ;; # detect alone has it
        *"--preset web"*) options="$options --templates match" ;;
        esac
        number=$((number + 1))
        one_check "$number" "$options" "$work/sources.jsonl" "$work/targets.jsonl"
    done < <({ queries && every_combination; } | edges_in_turn)
    judge_lists "check-$seed" "$work/targets.jsonl" "$work/sources.jsonl"
}

# Features that ask for no frequencies of words, which an index keeps from its first sources.
added() {
    cat <<'COMBINATIONS'
--method sentence-fp-sd
--method sentence-fp --max-df 2
--method sentence-fp --max-df 2 --common first
--method sentence-fp --max-df 4 --max-df-of times
--method sentence-length --window 3,2 --max-df 4
--method full-fp --ngram 3 --sample 2 --max-df 5 --common first
--method pdc-shingle2 --tau 0.4 --gamma 0 --max-df 3
--method pdc-shingle2 --tau 0.6 --max-df 2 --common first
--method pdc-shingle2 --tau 0.4 --gamma 0 --max-near 1 --max-df 3
--method nikkhoo --shingle-bytes 12 --sct 5 --tau 0.1
COMBINATIONS
}

# check_added: an index whose sources came in three steps is an index of all of them.
check_added() {
    local options number=0 result third
    third=$(($(wc -l <"$work/sources.jsonl") / 3))
    split -l "$third" --numeric-suffixes=1 --additional-suffix .jsonl "$work/sources.jsonl" "$work/step-"
    while read -r options; do
        number=$((number + 1))
        result=$work/r$number.h5
        rm -rf "$work/index"
        # shellcheck disable=SC2086 # options is a list of words
        "$PARDUP" index $options -o "$work/index" "$work/step-01.jsonl" >"$work/log" 2>&1
        for step in "$work"/step-0[2-9].jsonl; do
            check "added-$seed $options: ${step##*/}" "$PARDUP" index -o "$work/index" --add "$step"
        done
        check "added-$seed $options: check" \
            "$PARDUP" check --index "$work/index" -o "$result" "$work/targets.jsonl"
        echo "$result $TOLD --check # $options" >>"$work/list.$(base_units $options)"
    done < <(added | edges_in_turn)
    judge_lists "added-$seed" "$work/targets.jsonl" "$work/sources.jsonl"
    rm "$work"/step-*
}

# Frames of pages aside, for units of every kind. Their words count for frequencies, of which the judge knows nothing.
framed() {
    cat <<'COMBINATIONS'
--preset web --templates match
--preset web --templates match --gamma 0 --min-passage-words 0 --with-text
--preset web --templates match --gamma 1 --edges far --with-text
--preset web --templates match --method pdc-shingle2 --tau 0.6 --gamma 1
--preset texts --frame aside --with-text
--method sentence-fp --frame aside --edges word
--method sentence-length --window 3,2 --frame aside --with-text
--method imatch-doc --frame aside --copies report
--method yoon --max-word-df 1 --frame aside --gap 1 --delta 1
COMBINATIONS
}

# check_pages: the same for pages, whose menus and footers the judge does not see.
check_pages() {
    local options number=$seed pages page
    pages=$(make_collection random "$work/pages$seed" --near --seed "$seed" --documents "$DOCUMENTS" --as html)
    mkdir "$work/targets" "$work/sources"
    for page in "$pages"/*; do
        if [ "$number" -lt $((seed + targets)) ]; then mv "$page" "$work/targets"; else mv "$page" "$work/sources"; fi
        number=$((number + 1))
    done
    while read -r options; do
        number=$((number + 1))
        one_check "$number" "$options" "$work/sources" "$work/targets"
    done < <(framed)
    judge_lists "pages-$seed" --frame aside "$work/targets" "$work/sources"
    rm -r "$work/targets" "$work/sources"
}

for seed in $SEEDS; do
    lines=$(make_collection random "$work/random$seed" --near --seed "$seed" --documents "$DOCUMENTS")
    targets=$((DOCUMENTS * (seed % 3 + 1) / 4))
    head -n "$targets" "$lines" >"$work/targets.jsonl"
    tail -n +$((targets + 1)) "$lines" >"$work/sources.jsonl"
    TOLD="--targets $targets"
    make_table
    detect_against
    check_index
    check_added
    check_pages
done
finish
