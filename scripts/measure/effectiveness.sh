#!/bin/bash
# How much of the known duplicates `pardup detect` finds: one Markdown table over generated
# collections and, where their archives are (PARDUP_DATA, else ../shared/data), labelled ones.
# usage: scripts/measure/effectiveness.sh [-o FILE] [-w DIR]
#   -o FILE   the table goes there [standard output]
#   -w DIR    work there and keep everything: collections, truth, results [a temporary folder]
# PARDUP: the program [build/release/pardup]; RANKS [2]; SYNTH_BYTES: size of a generated one [100M]
set -euo pipefail

# The settings: names for the table, and options of detect.
NAMES=("default" "short passages")
OPTIONS=("" "--units clause --edges far --gamma 0 --gap 8 --min-words 5 --min-passage-words 20")

SCRIPT=effectiveness.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
synth_bytes=${SYNTH_BYTES:-100M}
begin "$@"
: >rows

# detect NAME INPUT...: NAME.0.h5, NAME.1.h5, ... with the settings in turn
detect() {
    local name=$1 k options
    shift
    for k in "${!NAMES[@]}"; do
        read -ra options <<<"${OPTIONS[k]}"
        say "$name, ${NAMES[k]}"
        mpirun -q -np "$ranks" "$pardup" detect --progress none "${options[@]}" -o "$name.$k.h5" \
            "$@" 2>"$name.$k.log" || { cat "$name.$k.log" >&2; exit 1; }
    done
}

# cells passages|pairs: the measures over all classes, of `pardup eval --format tsv`, as cells. Cells of
# passages are empty where the truth is of pairs only; all are empty where nothing is true nor found.
cells() {
    awk -F'\t' -v what="$1" '
        $1 == "all" { value[$2] = $3 }
        function row(of, measures, known,    n, k, name, text) {
            text = known ? sprintf(" %d | %d |", value["true_" of], value["found_" of]) : " | |"
            known = known && value["true_" of] + value["found_" of] > 0
            n = split(measures, name, " ")
            for (k = 1; k <= n; k++)
                text = text (known ? sprintf(" %.3f |", value[name[k]]) : " |")
            return text
        }
        END {
            print row("passages", "precision recall granularity plagdet", what == "passages") \
                row("pairs", "pair_precision pair_recall pair_f1", 1)
        }'
}

# judge TITLE passages|pairs NAME OPTION...: a row for each setting; options of eval
judge() {
    local title=$1 what=$2 name=$3 k row
    shift 3
    for k in "${!NAMES[@]}"; do
        row=$("$pardup" eval --bootstrap 0 --format tsv "$@" "$name.$k.h5" | cells "$what")
        echo "| $title | ${NAMES[k]} |$row" >>rows
    done
}

# labelled NAME FOLDER TITLE: a collection with labels of document pairs
labelled() {
    collection "$1" || return 0
    detect "$1" "${paths[@]}"
    rm -rf "$1.truth"
    "$root/scripts/measure/effectiveness_truth.py" "$1" "data/$2" "$1.truth"
    judge "$3" pairs "$1" --truth "$1.truth"
}

for profile in versions law ocr; do
    rm -rf "synth-$profile"
    "$pardup" synth --seed 1 --bytes "$synth_bytes" --profile "$profile" -o "synth-$profile"
    detect "synth-$profile" "synth-$profile"/part-*.warc.gz
    truth=(--truth "synth-$profile/truth.tsv")
    judge "synth, $profile" passages "synth-$profile" "${truth[@]}"
    judge "synth, $profile, no boilerplate [3]" passages "synth-$profile" "${truth[@]}" \
        --ignore "synth-$profile/boilerplate.tsv"
done

if collection pan13; then
    pan=data/pan13-text-alignment-train
    detect pan13 "${paths[@]}"
    judge "PAN13 train 01 + 02" passages pan13 --truth $pan/01-no-plagiarism \
        --truth $pan/02-no-obfuscation
    for class in 01-no-plagiarism 02-no-obfuscation 03-random-obfuscation \
        04-translation-obfuscation 05-summary-obfuscation; do
        judge "PAN13 train $class" passages pan13 --truth "$pan/$class"
    done
fi

labelled clough clough-stevenson "Clough & Stevenson [1]"
if [ -d clough.truth ]; then
    for kind in non cut light heavy; do
        judge "Clough & Stevenson, $kind [1]" pairs clough --truth "clough.truth/$kind"
    done
fi
labelled gov2 trec-neardup-pairs-gov2 "GOV2 pairs [1]"
labelled spdx spdx-licenses "SPDX licences [2]"
labelled chinese-laws chinese-laws-national "Laws versions [2]"
labelled installguide debian-installguide-html "install guide [2]"

{
    echo "$("$pardup" --version) ($(git -C "$root" describe --always --dirty 2>/dev/null || echo "no revision")), $(date -u +%Y-%m-%d)."
    echo "Generated collections: \`pardup synth --seed 1 --bytes $synth_bytes\`. Settings:"
    for k in "${!NAMES[@]}"; do
        echo "${NAMES[k]}: \`pardup detect${OPTIONS[k]:+ ${OPTIONS[k]}}\`$([ "$k" -lt $((${#NAMES[@]} - 1)) ] && echo ';' || echo '.')"
    done
    echo
    echo "| collection | setting | true passages | found | precision | recall | granularity | plagdet | true pairs | found | precision | recall | F1 |"
    echo "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    cat rows
    echo
    echo "Passages as \`pardup eval\` judges them; pairs of documents with a passage. Of PAN13, and at"
    echo "[1], only the document pairs are judged that the collection lists. [2] The labels do not"
    echo "cover all reuse, so precision is a lower bound: licences of one family by their ids; versions"
    echo "of one law; the same page in the manuals of two architectures. [3] Text of templates is judged"
    echo "neither way (\`--ignore boilerplate.tsv\`)."
    if [ -s skipped ]; then
        echo
        echo "Skipped, no archive: $(paste -sd' ' skipped)."
    fi
} >table.md
deliver table.md "$out"
