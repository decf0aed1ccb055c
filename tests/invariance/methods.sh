#!/usr/bin/env bash
# Results of every sentence method of `pardup detect` against the judge tests/support/oracle.py.
#
#   tests/invariance/methods.sh          random collections, and samples of the shared data
#   FULL=1 tests/invariance/methods.sh   more combinations of options, larger samples
#
# Random collections: many options, each run on another number of ranks.  Samples: every exact
# method on 1, 2 and 4 ranks, which must give the same bytes.  Samples are left out, and said to be,
# where the shared data is missing.
# Variables: see common.sh; also SEEDS ["1"; FULL: "1 2 3"], DOCUMENTS [150] of the random
# collections, and DRAWN [12; FULL: 100]: how many runs a seed have options drawn at random.
set -eu
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/combinations.sh"

if [ -n "$FULL" ]; then
    SEEDS=${SEEDS:-1 2 3}
    DRAWN=${DRAWN:-100}
fi
SEEDS=${SEEDS:-1}
DRAWN=${DRAWN:-12}
DOCUMENTS=${DOCUMENTS:-150}

# Joins at thresholds that similarities hit exactly, and rules for words that both joins meet.
thresholds() {
    cat <<'COMBINATIONS'
--feature shingle --ngram 1 --join jaccard --tau 2/3 --gamma 0
--feature shingle --ngram 1 --join overlap --tau 0.75 --gamma 0 --gap 2
--feature shingle --ngram 2 --join overlap --tau 0.9 --gamma 1
--feature shingle --ngram 2 --join jaccard --tau 9/11 --gamma 0 --theta-d 2
--feature shingle --ngram 3 --join jaccard --tau 0.6 --gamma 0 --edges sentence
--feature shingle --ngram 5 --join overlap --tau 0.5 --gamma 0 --max-df 5
--feature shingle --ngram 6 --join jaccard --tau 1 --gamma 1
--feature shingle --ngram 2 --join equal --gamma 1
--feature words --join jaccard --tau 0.75 --gamma 0 --idf 0,1
--feature words --join jaccard --tau 0.9 --gamma 0 --idf 0.2,0.9 --min-words 4
--feature words --join jaccard --tau 0.1 --gamma 1 --gap 1 --idf 0.25,1 --max-df 20
--feature words --join overlap --tau 2/3 --gamma 1 --gap 2
--feature words --join overlap --tau 0.6 --gamma 0 --idf 0.3,0.7
--feature words --join overlap --tau 0.8 --gamma 0 --max-word-df 0.2 --idf 0,1
--feature words --join overlap --tau 1 --gamma 1 --idf 0,1 --delta 2
--feature words --join overlap --tau 1/3 --gamma 0 --max-df 3 --idf 0.15,0.9
COMBINATIONS
}

# Units that overlap, with every feature; words from files: ANTECEDENTS and STOPS stand for those.
other_units() {
    cat <<'COMBINATIONS'
--window 2,1 --feature words --join jaccard --tau 0.6 --gamma 0
--window 2,1 --templates aside --gamma 0 --gap 1
--units clause --templates aside --gamma 0
--units document --feature shingle --ngram 2 --join jaccard --tau 0.2 --gamma 0 --templates aside
--templates aside --gamma 0 --join jaccard --tau 0.75
--window 3,2 --feature words --join overlap --tau 0.75 --gamma 0 --gap 1 --idf 0,1
--window 2,1 --jump --feature shingle --ngram 3 --join jaccard --tau 0.5 --gamma 0
--window 1,3 --feature sequence --gamma 0 --gap 2
--window 2,2 --feature bag --idf 0,1 --gamma 0
--window 1,2 --jump --feature words --gamma 0 --gap 1
--window 3,1 --feature lengths --gamma 0 --max-df 10
--window 4,3 --jump --feature lengths --gamma 0 --gap 2 --units clause
--window 2,1 --units stop --feature spot --antecedents 20 --join overlap --tau 2/3 --gamma 0
--units clause --feature words --join overlap --tau 0.6 --gamma 1 --min-words 3
--units stop --feature shingle --ngram 2 --join jaccard --tau 0.75 --gamma 0
--units clause --window 5,5 --feature sequence --gamma 0 --edges sentence
--units gram --ngram 5 --feature words --join jaccard --tau 2/3 --gamma 1 --gap 1 --max-df 20
--units gram --ngram 4 --sample 3 --feature bag --idf 0,1 --gamma 0
--units gram --ngram 8 --sample 2 --feature spot --antecedents 30 --join jaccard --tau 0.5 --gamma 0
--units gram --ngram 3 --feature sequence --gamma 3 --max-df 50 --edges sentence
--feature spot --antecedents 3 --stop-words none --join jaccard --tau 0.75 --gamma 0
--feature spot --antecedents 40 --stop-words none --spot-distance 2 --join overlap --tau 0.6 --gap 1
--feature spot --antecedents ANTECEDENTS --stop-words STOPS --join jaccard --tau 0.5 --gamma 0
--feature spot --antecedents ANTECEDENTS --spot-chain 1 --join overlap --tau 2/3 --gamma 0 --gap 2
--feature spot --stop-words STOPS --spot-chain 3 --spot-distance 2 --join equal --gamma 0
--feature bag --max-word-df 0.4 --gamma 0 --gap 2 --delta 1
--feature sequence --gamma 1 --max-df 0
--feature lengths --gamma 4 --max-df 0 --gap 0
COMBINATIONS
}

# lsh may lose pairs; what it finds shows where nothing is left out afterwards.
approximate() {
    cat <<'COMBINATIONS'
--method qsign-lsh --theta-d 0
--method qsign-lsh --theta-d 0 --tau 0.75 --edges sentence --bits 48 --tables 12
--method qsign-lsh --theta-d 0 --tau 0.9 --bits 16 --diffbit 3 --window 1,2
--feature shingle --ngram 2 --join lsh --tau 0.6 --gamma 0 --bits 24 --max-df 20
--method qsign-lsh --theta-d 0 --sketch minhash --gap 0
--feature spot --antecedents 30 --join lsh --sketch minhash --tau 0.5 --gamma 0 --rows 2 --tables 16
COMBINATIONS
}

every_combination() {
    presets
    kinds
    thresholds
    other_units
    approximate
}

# A sentence ends at 10,000 bytes at the latest: sets of 4096 signatures come from windows.
huge_sets() {
    cat <<'COMBINATIONS'
--window 2,1 --feature words --join overlap --idf 0,1 --gamma 0
--window 2,1 --feature shingle --ngram 1 --join jaccard --gamma 0
--window 2,1 --feature shingle --ngram 2 --join jaccard --tau 0.5 --gamma 0
--window 2,1 --feature words --join lsh --idf 0,1 --gamma 0
--units document --feature words --join overlap --tau 0.6 --idf 0,1 --gamma 0
COMBINATIONS
}

# Ends of passages grow over letters that were misread.
edited_text() {
    cat <<'COMBINATIONS'
--preset edited
--preset edited --rare 0.001 --gap 20
--method edited --edges sentence --gamma 3
COMBINATIONS
}

# For a collection in which more than the usual --max-df documents share a banner.
chosen_combinations() {
    cat <<'COMBINATIONS'
--method pdc-shingle2 --gamma 0 --tau 0.6 --gap 2
--method pdc-spotsigs
--method yoon
--method qsign-exact
--method sentence-fp
--method full-fp --sample 3
COMBINATIONS
}

# On samples: every exact method as it is, and some where the preset alone finds little there.
exact_methods() {
    cat <<'COMBINATIONS'
--method pdc-shingle2
--method pdc-shingle3
--method pdc-shingle4
--method pdc-spotsigs
--method yoon
--method qsign-exact
--method sentence-fp
--method sentence-fp-sd
--method sentence-length
--method full-fp
--method imatch-doc
--method spotsigs-doc --tau 0.5
--method pdc-shingle2 --tau 0.6 --gamma 0 --gap 2
--method pdc-spotsigs --tau 1/2 --gamma 0 --antecedents 60
--method full-fp --sample 3 --gamma 2
--preset web --frame match
--method qsign-index --feature multiset --theta-d 2
--method pdc-imatch --empty match --idf 0.4,1 --max-df-of times
--method pdc-imatch --within --gamma 1
COMBINATIONS
    [ -z "$FULL" ] || cat <<'COMBINATIONS'
--preset texts
--method pdc-shingle3 --tau 2/3 --gamma 1 --gap 1
--method pdc-shingle4 --tau 0.5 --gamma 0
--method qsign-exact --tau 0.75 --theta-d 2 --gap 2
--method yoon --max-word-df 0.1 --delta 1
--method sentence-length --window 6,3 --jump
--method pdc-imatch --join jaccard --tau 0.8 --gamma 1
--method pdc-imatch --window 3,1 --join overlap --tau 0.75
COMBINATIONS
}

words_from_files() {
    sed "s|ANTECEDENTS|$work/antecedents|; s|STOPS|$work/stops|"
}

# random LABEL COMBINATIONS ARGUMENT...: COMBINATIONS is a command that prints option lines.
random() {
    local label=$1 combinations=$2 options number=0
    shift 2
    case $label in $ONLY) ;; *) return 0 ;; esac
    while read -r options; do
        number=$((number + 1))
        one_run "$label" $((1 + number % 4)) "$work/r$number.h5" "$options" "$@" || true
    done < <($combinations | words_from_files | edges_in_turn)
    judge_lists "$label" "$@"
}

# sample NAME MAX_DF ARGUMENT...: the collection, of which `real` left the paths.  MAX_DF keeps what
# all documents share, such as the names of header lines, from making millions of passages.
sample() {
    local label=$1 max_df=$2 options np number=0
    shift 2
    while read -r options; do
        number=$((number + 1))
        options="$options --max-df $max_df"
        one_run "$label" 1 "$work/r$number.h5" "$options" "$@" || continue
        for np in 2 4; do
            detect "$np" "$work/r-other.h5" $options "$@" >"$work/log" 2>&1 || true
            check "$label $options: same on $np ranks" "$PYTHON" "$support/same_result.py" \
                "$work/r$number.h5" "$work/r-other.h5"
            rm -f "$work/r-other.h5"
        done
    done < <(exact_methods | edges_in_turn)
    judge_lists "$label" "$@"
}

printf 'The\nof isn'"'"'t\n  Naxi ÜBUNG tudi\tcafé of\n' >"$work/antecedents"
printf 'AND in\n\nof señor\n' >"$work/stops"
for seed in $SEEDS; do
    lines=$(make_collection random "$work/random$seed" --near --seed "$seed" \
        --documents "$DOCUMENTS")
    random "random-$seed" every_combination "$lines"
    random "random-$seed-drawn" drawn "$lines"
done
lines=$(make_collection random "$work/larger" --near --seed 97 --documents 800)
random "random-larger" chosen_combinations "$lines"
lines=$(make_collection huge "$work/huge")
random random-huge huge_sets "$lines"

lines=$(make_collection misread "$work/misread")
random random-misread edited_text "$lines"

many=1
if [ -n "$FULL" ]; then
    many=4
    PARDUP_TIMEOUT=$((PARDUP_TIMEOUT * 5))
fi
! real reuters || sample reuters 30 --limit-docs $((800 * many)) "${paths[@]}"
! real newsgroups --groups 1 ||
    sample newsgroups 10 --format text --limit-docs $((200 * many)) "${paths[@]}"
! real pan13-sample || sample pan13-sample 30 --format text "${paths[@]}"
! real chinese-laws ||
    sample chinese-laws 5 --format text --limit-docs $((12 * many)) "${paths[@]}"
if real legal; then # some of the books are too long for comparing everything
    mapfile -t paths < <(find "${paths[@]}" -type f -size -300k | LC_ALL=C sort)
    sample legal 5 --format text "${paths[@]}"
fi

finish
