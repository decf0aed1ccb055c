#!/usr/bin/env bash
# Results of `pardup detect` against the judge tests/support/oracle.py: many options, collections.
#
#   tests/invariance/oracle.sh          random collections, and samples of the shared data
#   FULL=1 tests/invariance/oracle.sh   all option combinations on the real collections too
#
# Real collections are left out, and said to be, where the shared data is missing.
# Variables: see common.sh; also SEEDS ["1 2 3"], DOCUMENTS [150] of the random collections.
set -eu
. "$(dirname "$0")/common.sh"

SEEDS=${SEEDS:-1 2 3}
DOCUMENTS=${DOCUMENTS:-150}
ranks=2
defaults="--min-words 1 --idf 0.1,1.0" # told to the judge, not to pardup: its own must be these

every_combination() {
    local max_df gamma gap edges
    for max_df in 0 300; do
        for gamma in 0 1 3; do
            for gap in 0 2; do
                for edges in word sentence; do
                    echo "--preset texts --max-df $max_df --gamma $gamma --gap $gap --edges $edges"
                done
            done
        done
    done
}

# Every value of every option at least once, the costly meetings of them left out.
chosen_combinations() {
    cat <<'COMBINATIONS'
--preset texts --max-df 300 --gamma 3 --gap 0 --edges word
--preset texts --max-df 300 --gamma 1 --gap 2 --edges word
--preset edited --max-df 300 --gamma 0 --gap 0 --edges sentence
--preset texts --max-df 300 --gamma 0 --gap 2 --edges word
--preset texts --max-df 0 --gamma 3 --gap 2 --edges word
--preset texts --max-df 0 --gamma 1 --gap 0 --edges sentence
COMBINATIONS
}

# The judge refines few pairs in a minute: edited copies are looked for in fewer documents.
without_edited() {
    chosen_combinations | grep -v -e '--preset edited'
}

only_edited() {
    chosen_combinations | grep -e '--preset edited'
}

# What the plain cross leaves out; a small max-df bites in small collections.
random_extras() {
    cat <<'COMBINATIONS'
--preset texts --max-df 20 --gamma 1 --gap 0 --edges word
--preset texts --max-df 3 --gamma 0 --gap 1 --edges word
--preset texts --max-df 1 --gamma 0 --gap 0 --edges word
--max-df 300 --gamma 0 --gap 0 --edges word --min-words 4
--max-df 300 --gamma 1 --gap 5 --edges word --min-words 2
--max-df 300 --gamma 0 --gap 0 --edges word --idf 0.3,0.7
--max-df 300 --gamma 1 --gap 1 --edges sentence --idf 0.0,1.0
--max-df 15 --gamma 0 --gap 3 --edges word --idf 0.2,0.8 --min-words 3
COMBINATIONS
}

one_by_one() {
    cat <<'COMBINATIONS'
--gamma 0 --gap 0 --edges word --idf 0.0,1.0
--gamma 0 --gap 0 --edges sentence --idf 0.0,1.0
COMBINATIONS
}

# Three documents of which every other sentence is shared: pairs with more passages than travel in one piece.
alternating() {
    awk 'BEGIN {
        for (d = 0; d < 3; d++) {
            printf "{\"id\": \"%d\", \"text\": \"", d
            for (k = 0; k < 2500; k++)
                printf "Shared%d stands here. Alone%dx%d is elsewhere. ", k, d, k
            print "\"}"
        }
    }'
}

# Four versions of a long text, each with other words in some sentences: the words of a passage travel
# in several records.
edited() {
    awk 'BEGIN {
        for (d = 0; d < 4; d++) {
            printf "{\"id\": \"%d\", \"text\": \"", d
            for (k = 0; k < 300; k++) {
                for (j = 0; j < 12; j++)
                    if (j && k % (d + 2) == 0 && j % 5 == k % 5) printf "other%dx%d ", d, j
                    else printf "%s%dx%d ", (j ? "w" : "W"), k % 90, j
                printf "stands. "
            }
            print "\"}"
        }
    }'
}

long_words() {
    cat <<'COMBINATIONS'
--gamma 3 --gap 4 --edges word --idf 0.0,1.0
--gamma 3 --gap 4 --edges sentence --idf 0.0,1.0
COMBINATIONS
}

# collection LABEL COMBINATIONS ARGUMENT...: COMBINATIONS is a command that prints option lines.
collection() {
    local label=$1 combinations=$2 options number=0
    shift 2
    case $label in $ONLY) ;; *) return 0 ;; esac
    check "$label: sentences" sentences_of sentence "$work/s.jsonl" "$@"
    : >"$work/list"
    while read -r options; do
        number=$((number + 1))
        # options is a list of words
        # the judge is given all sentences of a page, those of its frame too
        if detect "$ranks" "$work/r$number.h5" --frame match $options "$@" >"$work/log" 2>&1; then
            echo "$work/r$number.h5 $defaults # $options" >>"$work/list"
        else
            failed=$((failed + 1))
            echo "FAILED  $label $options: detect"
            tail -n 5 "$work/log" | sed 's/^/        /'
        fi
    done < <($combinations)
    [ ! -s "$work/list" ] || judge "$label" "$work/s.jsonl" "$work/list"
    rm -f "$work"/r*.h5
}

# sample NAME PARDUP_OPTION...: a collection of the shared data, when it is there.
sample() {
    local label=$1
    shift
    ! real "$label" $groups || collection "$label" "$cross" "$@" "${paths[@]}"
}

for seed in $SEEDS; do
    lines=$(make_collection random "$work/random$seed" --seed "$seed" --documents "$DOCUMENTS")
    collection "random-$seed" every_combination "$lines"
    collection "random-$seed-more" random_extras "$lines"
done
lines=$(make_collection random "$work/larger" --seed 97 --documents 800) # 300 < df of its banner
collection "random-larger" without_edited "$lines"
folder=$(make_collection random "$work/texts" --seed 99 --documents 60 --as text)
collection "random-texts" chosen_combinations "$folder"
pages=$(make_collection random "$work/pages" --seed 98 --documents 60 --as html)
collection "random-pages" chosen_combinations "$pages"

alternating >"$work/alternating.jsonl"
collection "random-alternating" one_by_one "$work/alternating.jsonl"

edited >"$work/edited.jsonl"
collection "random-edited" long_words "$work/edited.jsonl"

cross=without_edited
groups="--groups 2" # of the newsgroups; the others have none
many=2 # documents of a sample, in hundreds: the judge compares every pair with something in common
if [ -n "$FULL" ]; then
    cross=every_combination
    groups=""
    many=1000000
    PARDUP_TIMEOUT=$((PARDUP_TIMEOUT * 5))
fi
sample reuters --limit-docs $((500 * many))
sample newsgroups --format text --limit-docs $((200 * many))
sample installguide-en --limit-docs $((200 * many))
sample legal --format text --limit-docs $((3 * many))
sample spdx --limit-docs $((50 * many))
cross=only_edited
sample reuters --limit-docs 100
sample newsgroups --format text --limit-docs 20
sample installguide-en --limit-docs 40
if [ -n "$FULL" ]; then
    cross=every_combination
    sample installguide-zh
    sample gov2 --format text
    sample clough --format text
    sample clueweb
    sample chinese-laws --format text
    sample articles
    sample pan13 --format text
fi

finish
