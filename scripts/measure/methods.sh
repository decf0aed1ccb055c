#!/bin/bash
# Every method of `pardup detect` on the same data: what it finds, and what it takes, as two
# Markdown tables. Labelled collections are left out where their archives are not (PARDUP_DATA,
# else ../shared/data).
# usage: scripts/measure/methods.sh [-o FILE] [-w DIR]
#   -o FILE   the tables go there [standard output]
#   -w DIR    work there and keep everything: collections, truth, results [a temporary folder]
# PARDUP: the program [build/release/pardup]; RANKS [2]; LIMIT: seconds a run may take [60];
# SYNTH_BYTES: size of the generated collection [100M]; ONLY: a pattern of the methods to run
set -euo pipefail
SCRIPT=methods.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# label | options | family: what its units are tells how settings are written for it
METHODS=(
    "pdc-imatch|--method pdc-imatch|sentences"
    "pdc-shingle2|--method pdc-shingle2|sentences"
    "pdc-shingle3|--method pdc-shingle3|sentences"
    "pdc-shingle4|--method pdc-shingle4|sentences"
    "pdc-spotsigs|--method pdc-spotsigs|sentences"
    "yoon|--method yoon|sentences"
    "qsign-exact|--method qsign-exact|sentences"
    "qsign-lsh|--method qsign-lsh|sentences"
    "sentence-fp|--method sentence-fp|own"
    "sentence-fp-sd|--method sentence-fp-sd|own"
    "sentence-length|--method sentence-length|lengths"
    "full-fp|--method full-fp|grams"
    "full-fp, 1 in 3|--method full-fp --sample 3|grams"
    "full-fp, 1 in 6|--method full-fp --sample 6|grams"
)
# The same with less similarity asked for, in the setting for edited text only.
LOOSE=(
    "pdc-shingle2, tau 0.2|--method pdc-shingle2 --tau 0.2|sentences"
    "pdc-shingle3, tau 0.2|--method pdc-shingle3 --tau 0.2|sentences"
    "pdc-spotsigs, tau 0.2|--method pdc-spotsigs --tau 0.2|sentences"
    "qsign-exact, tau 0.4|--method qsign-exact --tau 0.4|sentences"
    "words, Jaccard 0.3|--feature words --idf 0,1 --join jaccard --tau 0.3|sentences"
    "full-fp, any 4 words in any order|--method full-fp --ngram 4 --feature bag --idf 0,1|grams"
)
GRAM_GAP=60 # words, for a gap of 8 units of the others

# setting NAME FAMILY: the options. All methods get the same passages from what matches.
setting() {
    local passages="--gamma 0 --theta-d 0 --delta 0" gap=8 units=
    [ "$1" != default ] || return 0
    [ "$2" != grams ] || gap=$GRAM_GAP
    passages+=" --gap $gap"
    case $1-$2 in
    short-sentences) units="--units clause --min-words 5" ;;
    edited-sentences) units="--units stop --min-words 5" ;;
    short-own) units="--min-words 5" ;;
    pages-sentences | pages-own) units="--min-words 8" ;;
    esac
    case $1 in
    short) passages+=" --edges far --min-passage-words 20" ;;
    edited) passages+=" --edges far --min-passage-words 40" ;;
    esac
    echo "${units:+$units }$passages"
}

begin "$@"
: >texts
: >pages

# judge RESULT OPTION...: every measure over all classes of `pardup eval` into ${value[name]}
declare -A value
judge() {
    local result=$1 class name number rest
    shift
    value=()
    while IFS=$'\t' read -r class name number rest; do
        [ "$class" != all ] || value[$name]=$number
    done < <("$pardup" eval --bootstrap 0 --format tsv "$@" "$result")
}

# values NAME...: as one cell, rounded
values() {
    local name text=
    for name in "$@"; do
        text+=${text:+ / }$(printf %.3f "${value[$name]}")
    done
    echo " $text |"
}

# what_it_took LOG STAGE...: cells of seconds of stages and MB of memory
what_it_took() {
    local log=$1 stage
    shift
    for stage in "$@"; do
        printf ' %.1f |' "$(figure "$stage" "$log")"
    done
    echo " $(peak "$log") |"
}

# empty N: cells of what did not finish
empty() { printf ' |%.0s' $(seq "$1"); }

# run NAME LABEL SETTING OPTIONS FAMILY ARGUMENT...: fails when it did not finish
run() {
    local name=$1 label=$2 how=$3 options=$4 family=$5
    shift 5
    say "$name: $label, $how"
    # shellcheck disable=SC2046,SC2086 # lists of options
    timed_detect "$name" $options $(setting "$how" "$family") "$@" || { say "$outcome"; return 1; }
}

PAN=data/pan13-text-alignment-train
PAN_CLASSES=(02-no-obfuscation 03-random-obfuscation 04-translation-obfuscation
    05-summary-obfuscation)

pan13_cells() {
    local class
    if ! run pan13 "$@" "${pan13[@]}"; then
        printf ' %s |%s' "$outcome" "$(empty 6)"
        return
    fi
    judge pan13.h5 --truth $PAN/01-no-plagiarism
    printf ' %d |' "${value[found_passages]}"
    for class in "${PAN_CLASSES[@]}"; do
        judge pan13.h5 --truth "$PAN/$class"
        printf '%s' "$(values precision recall granularity plagdet)"
    done
    what_it_took pan13.log all
}

# pair_cell NAME LABEL SETTING OPTIONS FAMILY PATH...: F1 of document pairs
pair_cell() {
    local name=$1
    if run "$@"; then
        judge "$name.h5" --truth "$name.truth"
        values pair_f1
    else
        echo " $outcome |"
    fi
}

# texts_row LABEL SETTING OPTIONS FAMILY
texts_row() {
    local row="| $1 | $2 |"
    [ -z "${pan13[*]}" ] || row+=$(pan13_cells "$@")
    [ -z "${clough[*]}" ] || row+=$(pair_cell clough "$@" "${clough[@]}")
    [ -z "${gov2[*]}" ] || row+=$(pair_cell gov2 "$@" "${gov2[@]}")
    echo "$row" >>texts
}

synth_cells() {
    if run synth "$@" "${synth[@]}"; then
        judge synth.h5 --truth synth/truth.tsv --ignore synth/boilerplate.tsv
        values precision recall granularity plagdet
        values pair_precision pair_recall pair_f1
        what_it_took synth.log join align all
    else
        printf ' %s |%s' "$outcome" "$(empty 5)"
    fi
}

laws_cells() {
    local chinese=()
    [ "$1" != pdc-spotsigs ] || chinese=(--antecedents 60) # the paper's setting
    if run chinese-laws "$@" "${chinese[@]}" "${laws[@]}"; then
        judge chinese-laws.h5 --truth chinese-laws.truth
        values pair_precision pair_recall pair_f1
        what_it_took chinese-laws.log all
    else
        printf ' %s |%s' "$outcome" "$(empty 2)"
    fi
}

# pages_row LABEL SETTING OPTIONS FAMILY
pages_row() {
    local row
    row="| $1 | $2 |$(synth_cells "$@" | tr -d '\n')"
    [ -z "${laws[*]}" ] || row+=$(laws_cells "$@" | tr -d '\n')
    echo "$row" >>pages
}

# labelled NAME FOLDER: a collection and its truth
labelled() {
    collection "$1" || return 1
    rm -rf "$1.truth"
    "$root/scripts/measure/accuracy_truth.py" "$1" "data/$2" "$1.truth"
}

# head_of FIRST NUMBER...: lines of a Markdown table
head_of() {
    local text="| $1 |" rule="|---|---|" column
    shift
    for column in "$@"; do
        text+=" $column |"
        rule+="--:|"
    done
    printf '%s\n%s\n' "$text" "$rule"
}

tables() {
    local title=() how
    provenance
    echo "Settings, over what \`--method\` sets:"
    for how in short edited pages; do
        echo "$how: \`$(setting $how sentences)\`"
        echo "(methods of grams: \`$(setting $how grams)\`);"
    done
    cat <<'TEXT'
sentence-fp and sentence-fp-sd keep their own units.

Texts. PAN13 training corpus, a class a column: precision / recall / granularity / plagdet; 01:
passages found where there are none. The others: F1 of document pairs. Seconds (of the job) and MB
(peak of a rank) are those of PAN13.

TEXT
    [ -z "${pan13[*]}" ] || title+=("01 none" "02 verbatim" "03 random" "04 translation"
        "05 summary" seconds MB)
    [ -z "${clough[*]}" ] || title+=("Clough & Stevenson")
    [ -z "${gov2[*]}" ] || title+=("GOV2")
    head_of "method | setting" "${title[@]}"
    cat texts
    cat <<TEXT

Pages: \`pardup synth --seed 1 --bytes $synth_bytes --profile versions\`, boilerplate judged neither
way: passages (precision / recall / granularity / plagdet), document pairs (precision / recall /
F1), seconds of stages and of the job, peak MB of a rank. Laws: Chinese legislation, pairs of
versions of one law; reuse among other laws has no labels and counts as wrong (pdc-spotsigs with
\`--antecedents 60\`).

TEXT
    title=(passages pairs "join s" "align s" "all s" MB)
    [ -z "${laws[*]}" ] || title+=(laws "all s" MB)
    head_of "method | setting" "${title[@]}"
    cat pages
    [ ! -s skipped ] || printf '\nSkipped, no archive: %s.\n' "$(paste -sd' ' skipped)"
}

synth_bytes=${SYNTH_BYTES:-100M}
pan13=() clough=() gov2=() laws=()
synth_paths synth --bytes "$synth_bytes" --profile versions
synth=("${paths[@]}")
! collection pan13 || pan13=("${paths[@]}")
! labelled clough clough-stevenson || clough=("${paths[@]}")
! labelled gov2 trec-neardup-pairs-gov2 || gov2=("${paths[@]}")
! labelled chinese-laws chinese-laws-national || laws=("${paths[@]}")

# rows TEXTS PAGES LINE...: a row for each LINE in each setting of TEXTS and of PAGES
rows() {
    local texts=$1 pages=$2 line label options family how
    shift 2
    for line in "$@"; do
        IFS='|' read -r label options family <<<"$line"
        # shellcheck disable=SC2053 # a pattern
        [[ $label == ${ONLY:-*} ]] || continue
        for how in $texts; do
            texts_row "$label" "$how" "$options" "$family"
        done
        for how in $pages; do
            pages_row "$label" "$how" "$options" "$family"
        done
    done
}

rows "default short" "default pages" "${METHODS[@]}"
rows edited pages "${LOOSE[@]}"
tables >tables.md
deliver tables.md "$out"
