#!/bin/bash
# What `pardup detect` finds with each preset: three Markdown tables over made and generated
# collections and, where their archives are (PARDUP_DATA, else ../shared/data), over real ones.
# usage: scripts/measure/accuracy.sh [-o FILE] [-w DIR]
#   -o FILE   the tables go there, between its lines "<!-- accuracy.sh -->" and "<!-- end -->" if it
#             has them [standard output]
#   -w DIR    work there and keep everything: collections, truth, results [a temporary folder]
# PARDUP: the program [build/release/pardup]; LIMIT: seconds a run may take [60];
# SYNTH_BYTES: size of a generated collection [20M]; RANKS [1]
set -euo pipefail

RANKS=${RANKS:-1}
SCRIPT=accuracy.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
synth_bytes=${SYNTH_BYTES:-20M}
begin "$@"
texts="$root/scripts/measure/accuracy_texts.py"
truth="$root/scripts/measure/accuracy_truth.py"
sets="$root/scripts/measure/accuracy_sets.py"
plants="$root/scripts/measure/plants.py"
export PARDUP="$pardup"

# The columns of the tables: the presets that the program has.
read -ra PRESETS < <("$pardup" detect --preset '?' 2>&1 | sed -n 's/.*expected one of: //p')
: >answers
: >labels
: >judged

# detect NAME INPUT...: NAME.PRESET.h5 for each preset, and NAME.PRESET.log; why there is no result is
# in NAME.PRESET.why
detect() {
    local name=$1 preset
    shift
    for preset in "${PRESETS[@]}"; do
        say "$name, $preset"
        rm -f "$name.$preset.why"
        timed_detect "$name.$preset" --preset "$preset" "$@" || echo "${outcome%%:*}" >"$name.$preset.why"
    done
}

# row TABLE TITLE NAME COMMAND...: a row, with what COMMAND RESULT prints in each column
row() {
    local table=$1 title=$2 name=$3 preset text="| $2 |"
    shift 3
    for preset in "${PRESETS[@]}"; do
        if [ -f "$name.$preset.why" ]; then
            text+=" $(<"$name.$preset.why") |"
        else
            text+=" $("$@" "$name.$preset.h5") |"
        fi
    done
    echo "$text" >>"$table"
}

# measured FORMAT OPTION... RESULT: the measures of accuracy_texts.py put into FORMAT, where {NAME} is
# one; they are taken once for each result
measured() {
    local format=$1 result=${*: -1} pair
    shift
    [ "$result.measures" -nt "$result" ] ||
        "$texts" "${@:1:$#-1}" "$result" "${inputs[@]}" >"$result.measures"
    for pair in $(<"$result.measures"); do
        format=${format//"{${pair%%=*}}"/${pair#*=}}
    done
    echo "$format"
}

# took RESULT: CPU seconds of the stages, and MB of the rank that had most
took() {
    local log=${1%.h5}.log
    awk '/^pardup:   (read|count|gather|join|align|write) / { sum += $4 } END { printf "%.1f s", sum }' "$log"
    echo ", $(peak "$log") MB"
}

# eval_cell passages|pairs OPTION... RESULT: precision / recall / plagdet or F1 over all classes
eval_cell() {
    local what=$1
    shift
    "$pardup" eval --bootstrap 0 --format tsv "$@" | awk -F'\t' -v what="$what" '
        $1 == "all" { value[$2] = $3 }
        END {
            if (value["true_" what] + value["found_" what] == 0)
                print "none found"
            else if (value["true_" what] == 0)
                print value["found_" what] " found"
            else if (what == "passages")
                printf "%.2f / %.2f / %.3f\n", value["precision"], value["recall"], value["plagdet"]
            else
                printf "%.2f / %.2f / %.3f\n", value["pair_precision"], value["pair_recall"],
                    value["pair_f1"]
        }'
}

# plagdet OPTION... RESULT
plagdet() {
    local cell
    cell=$(eval_cell passages "$@")
    echo "${cell##* / }"
}

# ------------------------------------------------------------------ what a newcomer tries

# made KIND FILE TITLE FORMAT: a collection of copies_collection.py
made() {
    "$root/scripts/data/copies_collection.py" "$1" "$2"
    detect "$1" "$2"
    inputs=()
    row answers "$3" "$1" measured "$4" --rows
}

made twins twins "two equal files: share of the text, rows" "{text} in {passages}"
if collection editions; then
    detect editions "${paths[@]}"
    inputs=()
    row answers "two editions of one book: share of the text, rows" editions \
        measured "{text} in {passages}" --rows
fi
made versions versions.jsonl "150 versions of one law: documents found, share of the text, rows" \
    "{documents}, {text} in {passages}"
made copies copies.jsonl "350 copies of a page among 3,350: documents found, document pairs" \
    "{documents}, {pairs}"

if collection books; then
    inputs=("${paths[@]}")
    detect books "${inputs[@]}"
    options=(--alignments data/books-eebo/alignments.tsv --cache "$PWD/books.npz")
    row answers "books: verbatim bytes covered" books measured "{covered}" "${options[@]}"
    row answers "books: verbatim runs missed" books measured "{missed}" "${options[@]}"
    row answers "books: alignments touched" books measured "{touched}" "${options[@]}"
    row answers "books: passages supported" books measured "{supported} of {passages}" \
        "${options[@]}"
    row answers "books: CPU, memory" books took
fi
if collection newsgroups; then
    inputs=("${paths[@]}")
    detect newsgroups "${inputs[@]}"
    options=(--cache "$PWD/newsgroups.npz")
    row answers "newsgroups: verbatim bytes covered" newsgroups measured "{covered}" "${options[@]}"
    row answers "newsgroups: verbatim runs missed" newsgroups measured "{missed}" "${options[@]}"
    row answers "newsgroups: passages supported" newsgroups measured "{supported} of {passages}" \
        "${options[@]}"
    row answers "newsgroups: CPU, memory" newsgroups took
fi
if collection gov2; then
    detect gov2 "${paths[@]}"
    inputs=()
    row answers "GOV2, pages with tables: most rows of one pair, rows" gov2 \
        measured "{most}, {passages}" --rows
fi
if collection pan13; then
    pan=data/pan13-text-alignment-train
    detect pan13 "${paths[@]}"
    every=()
    for class in $pan/0?-*; do every+=(--truth "$class"); done
    row answers "PAN13, classes 01 and 02: plagdet" pan13 plagdet \
        --truth $pan/01-no-plagiarism --truth $pan/02-no-obfuscation
    row answers "PAN13, all classes: plagdet" pan13 plagdet "${every[@]}"
fi

# ------------------------------------------------------------------ labelled collections

# labelled NAME FOLDER TITLE: a collection with labels of document pairs
labelled() {
    [ -f "$1.${PRESETS[0]}.log" ] || { collection "$1" && detect "$1" "${paths[@]}"; } || return 0
    rm -rf "$1.truth"
    "$truth" "$1" "data/$2" "$1.truth"
    row labels "$3" "$1" eval_cell pairs --truth "$1.truth"
}

for profile in versions law ocr; do
    rm -rf "synth-$profile"
    "$pardup" synth --seed 1 --bytes "$synth_bytes" --profile "$profile" -o "synth-$profile"
    detect "synth-$profile" "synth-$profile"/part-*.warc.gz
    row labels "synth, $profile" "synth-$profile" eval_cell passages \
        --truth "synth-$profile/truth.tsv"
    row labels "synth, $profile, no boilerplate [3]" "synth-$profile" eval_cell passages \
        --truth "synth-$profile/truth.tsv" --ignore "synth-$profile/boilerplate.tsv"
done
if [ -d data/pan13-text-alignment-train ]; then
    for class in $pan/0?-*; do
        row labels "PAN13, ${class##*/}" pan13 eval_cell passages --truth "$class"
    done
fi
labelled clough clough-stevenson "Clough & Stevenson [1]"
if [ -d clough.truth ]; then
    for kind in non cut light heavy; do
        row labels "Clough & Stevenson, $kind [1]" clough eval_cell pairs --truth "clough.truth/$kind"
    done
fi
labelled gov2 trec-neardup-pairs-gov2 "GOV2 pairs [1]"
labelled spdx spdx-licenses "SPDX licences [2]"
labelled chinese-laws chinese-laws-national "Laws versions [2]"
labelled installguide debian-installguide-html "install guide [2]"

# ------------------------------------------------------------------ collections with a judge of their own

# judged NAME TITLE INPUT...: INPUT as given to detect in data/
judged() {
    unpacked "$1" || return 0
    detect "$1" "${@:3}"
    row judged "$2" "$1" "$sets" "$1" "data/$1"
}

# found NAME RESULT: found of planted texts of each kind, rows
found() {
    "$plants" judge "$2" "$1.truth.jsonl" |
        sed -E 's/long .*; ([0-9]+) rows.*/\1 rows/; s/[^ ,;]+ ([0-9]+\/[0-9]+),?/\1/g'
}

# planted NAME FOLDER: copies planted in the pages of an archive
planted() {
    unpacked "${2%%/*}" || return 0
    rm -rf "planted-$1"
    "$plants" plant --pages 500 "data/$2" "planted-$1" >&2
    detect "planted-$1" "planted-$1"
    row judged "planted in $1: verbatim, tenth word, shuffled, OCR, names; 1, 2, 3 sentences" \
        "planted-$1" found "planted-$1"
}

judged code-civil-fr "Code civil 1979 and 2015: articles the same, edited, little in common, other" \
    data/code-civil-fr/docs
judged bln600-ocr "newspapers, OCR errors < 3, 3-6, 6-10, 10-20, > 20 %: share covered; wrong passages" \
    --against data/bln600-ocr/typed.jsonl data/bln600-ocr/ocr.jsonl
judged hadith-arabic-bukhari "Arabic traditions that name their source" \
    --against data/hadith-arabic-bukhari/book.jsonl data/hadith-arabic-bukhari/quoting.jsonl
judged licence-variants "variants of licences; licences in other texts" data/licence-variants/docs
judged irplag-java "copied programs, AUC" data/irplag-java/docs
judged doxygen-versions "doxygen manuals: same page in two versions; pairs within a version" \
    data/doxygen-versions
planted articles article-extraction-A/html
planted pages wcxb-dev/html
planted manual debian-installguide-html/amd64/en
planted manual-zh debian-installguide-html/amd64/zh_CN

# ------------------------------------------------------------------ the tables

# table FILE HEADING: with a column for each preset
table() {
    local preset line="| $2 |" rule="|---|"
    for preset in "${PRESETS[@]}"; do
        line+=" $preset |"
        rule+="--:|"
    done
    printf '%s\n%s\n' "$line" "$rule"
    cat "$1"
}

{
    provenance
    echo "Generated collections: \`pardup synth --seed 1 --bytes $synth_bytes\`. A cell with \`> $limit s\`" \
        "is a job that was ended after $limit seconds."
    [ ! -s skipped ] || echo "Skipped, no archive: $(sort -u skipped | paste -sd' ')."
    echo
    table answers "collection: measure"
    echo
    table labels "labelled collection: precision / recall / plagdet or F1"
    echo
    table judged "collection with a judge of its own: measure"
} >table.md

if [ -n "$out" ] && grep -qxF '<!-- accuracy.sh -->' "$out" 2>/dev/null; then
    awk '$0 == "<!-- end -->" { inside = 0 }
        !inside { print }
        $0 == "<!-- accuracy.sh -->" {
            inside = 1
            print ""
            while ((getline line <"table.md") > 0) print line
            print ""
        }' "$out" >page.md
    cp page.md "$out"
else
    deliver table.md "$out"
fi
