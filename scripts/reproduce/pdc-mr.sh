#!/bin/bash
# Zhang, Zhang, Yu, Huang, "Efficient Partial-Duplicate Detection Based on Sequence Matching" (SIGIR
# 2010): table 2 by sequences, and figures 6 to 9 by pairs of sentences, on a collection as large as the paper's labelled one, made of the
# sentences of Reuters-21578 (labelled_sample.py; PARDUP_DATA, else ../shared/data); the two numbers of
# figure 10 on pages of pardup synth.
# usage: scripts/reproduce/pdc-mr.sh [-o OUT.md] [-w DIR] [COLLECTION...]
#   -o OUT.md   the tables [standard output]
#   -w DIR      work there and keep everything [a temporary folder]
#   COLLECTION  files or folders whose sentences are used [Reuters-21578, else pages of pardup synth]
# PARDUP: the program [build/release/pardup]; SEED [1]; DOCUMENTS [2000] and SENTENCES [57135] of the sample;
# PAGES for figure 10 [20000]; LIMIT: seconds a run may take [600]
set -euo pipefail
SCRIPT=pdc-mr.sh
LIMIT=${LIMIT:-600}
. "$(dirname "${BASH_SOURCE[0]}")/../measure/common.sh"
ranks=1
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
begin_with "$@"

paper=(--preset paper)

# judge GAMMA OPTION...: cells of precision, recall, F1 against passages of more than GAMMA sentences;
# GAMMA pairs: against pairs of sentences
judge() {
    local gamma=$1
    shift
    if [ "$gamma" = pairs ]; then
        cp sample/pairs.tsv truth.tsv
        set -- --matches --gamma 0 "$@"
    else
        awk -F'\t' -v gamma="$gamma" '$8 > gamma' sample/truth.tsv >truth.tsv
        set -- --gamma "$gamma" "$@"
    fi
    timed_detect run "${paper[@]}" "$@" "${paths[@]}" || {
        say "$outcome: $*"
        cat run.log >&2
        exit 1
    }
    "$pardup" eval --bootstrap 0 --format tsv --truth truth.tsv run.h5 |
        awk -F'\t' '$1 == "all" { v[$2] = $3 } END {
            p = v["precision"]; r = v["recall"]
            printf " %.3f | %.3f | %.3f |", p, r, p + r ? 2 * p * r / (p + r) : 0 }'
}

f1() { judge "$@" | awk '{ printf " %s |", $(NF - 1) }'; }

# table2 NAME PUBLISHED OPTION...: PUBLISHED are precision, recall, F1
table2() {
    local name=$1 published=$2
    shift 2
    say "$name"
    echo "| $name | $published |$(judge 3 "$@")$(f1 1 "$@")"
}

# sweep NAME OPTION VALUE... -- OPTION...: a row of F1 for each value of an option
sweep() {
    local name=$1 option=$2 row value
    local -a values=()
    shift 2
    while [ "$1" != -- ]; do
        values+=("$1")
        shift
    done
    shift
    say "$name"
    row="| $name |"
    for value in "${values[@]}"; do
        row+=$(f1 pairs "$@" "$option" "$value")
    done
    echo "$row"
}

# head_of COLUMN...: two lines of a Markdown table
head_of() {
    printf '\n|'
    printf ' %s |' "$@"
    printf '\n|---|'
    printf -- '--:|%.0s' $(seq 2 $#)
    echo
}

# documents_found METHOD...: how many documents have a duplicate, into the file METHOD.docs
documents_found() {
    local name=$1
    shift
    timed_detect "$name" "$@" "${paths[@]}"
    "$pardup" export --format tsv --table pairs "$name.h5" |
        awk -F'\t' 'NR > 1 { print $1; print $2 }' | sort -u >"$name.docs"
}

taus=(0.9 0.8 0.7 0.6 0.5 0.4 0.3 0.2 0.1)
ranges=(0.0,1.0 0.1,1.0 0.2,1.0 0.3,1.0 0.4,1.0 0.5,1.0 0.6,1.0 0.7,1.0 0.8,1.0 0.9,1.0)
antecedents=(10 100 500 1000 5000 10000 20000)
imatch=(--method pdc-imatch)

tables() {
    provenance
    collection reuters || exit 77
    [ -z "$stand_in" ] || printf '\nThe sentences come from %s.\n' "$stand_in"
    /usr/bin/python3 "$root/scripts/reproduce/labelled_sample.py" --seed "${SEED:-1}" --documents "${DOCUMENTS:-2000}" \
        --sentences "${SENTENCES:-57135}" -o sample -- "${paths[@]}"
    paths=(sample/collection.jsonl)
    echo
    echo "$(wc -l <"${paths[0]}") documents, $(wc -l <sample/truth.tsv) labelled sequences, of which" \
        "$(awk -F'\t' '$8 > 3' sample/truth.tsv | wc -l) have more than three sentences."
    head_of "Table 2" "published P" R F1 "measured P" R F1 "F1, gamma 1"
    table2 "2-shingles, tau 0.9" ".987 | .966 | .977" --method pdc-shingle2
    table2 "3-shingles, tau 0.9" ".987 | .966 | .977" --method pdc-shingle3
    table2 "4-shingles, tau 0.9" ".987 | .967 | .977" --method pdc-shingle4
    table2 "I-Match, idf 0.1 to 1.0" ".985 | .960 | .972" "${imatch[@]}"
    table2 "SpotSigs, 10,000 antecedents, tau 0.9" ".981 | .965 | .973" --method pdc-spotsigs
    head_of "Figures 6 and 9: F1 at tau" "${taus[@]}"
    sweep "2-shingles" --tau "${taus[@]}" -- --method pdc-shingle2
    sweep "3-shingles" --tau "${taus[@]}" -- --method pdc-shingle3
    sweep "4-shingles" --tau "${taus[@]}" -- --method pdc-shingle4
    sweep "SpotSigs, 100 antecedents" --tau "${taus[@]}" -- --method pdc-spotsigs --antecedents 100
    sweep "SpotSigs, 1,000 antecedents" --tau "${taus[@]}" -- --method pdc-spotsigs --antecedents 1000
    sweep "SpotSigs, 10,000 antecedents" --tau "${taus[@]}" -- --method pdc-spotsigs
    head_of "Figure 7: F1 at idf" "${ranges[@]/,/ to }"
    sweep "I-Match" --idf "${ranges[@]}" -- "${imatch[@]}"
    head_of "Figure 8: F1 at antecedents" "${antecedents[@]}"
    sweep "SpotSigs, tau 0.9" --antecedents "${antecedents[@]}" -- --method pdc-spotsigs
    "$pardup" sentences "${paths[@]}" 2>sentences.log |
        /usr/bin/python3 "$root/scripts/reproduce/spot_counts.py" "${antecedents[@]}" >spots.tsv
    echo "| mean signatures a sentence | $(cut -f 2 spots.tsv | paste -sd '|' | sed 's/|/ | /g') |"
    echo "| sentences without a signature | $(cut -f 3 spots.tsv | paste -sd '|' | sed 's/|/ | /g') |"
    synth_paths synth --documents "${PAGES:-20000}" --seed "${SEED:-1}"
    documents_found whole --method spotsigs-doc
    documents_found passages "${paper[@]}" "${imatch[@]}"
    head_of "Figure 10" "documents"
    echo "| with a near-duplicate document (SpotSigs of documents, tau 0.44) | $(wc -l <whole.docs) |"
    echo "| others with a passage of more than three sentences | $(comm -13 whole.docs passages.docs | wc -l) |"
}

tables >tables.md
deliver tables.md "$out"
