#!/bin/bash
# Wang & Chang, "Exploiting Sentence-Level Features for Near-Duplicate Document Detection" (AIRS 2009):
# tables 2 to 5 and figure 4, on Reuters-21578 and newsgroups (PARDUP_DATA, else ../shared/data).
# 180 documents are drawn at random; excerpts of them are the queries, and one query has all excerpts
# (excerpts.py). Eight kinds of features, sentence lengths with several windows.
# usage: scripts/reproduce/wang-chang.sh [-o OUT.md] [-w DIR] [COLLECTION...]
#   -o OUT.md   the tables [standard output]; with matplotlib, figures OUT-COLLECTION.png beside it
#   -w DIR      work there and keep everything [a temporary folder]
#   COLLECTION  files or folders in place of both collections
# PARDUP: the program [build/release/pardup]; COLLECTIONS [reuters newsgroups]; SEED [1]; QUERIES [180]
set -euo pipefail
SCRIPT=wang-chang.sh
. "$(dirname "${BASH_SOURCE[0]}")/../measure/common.sh"
ranks=1
. "$root/scripts/reproduce/common.sh"
begin_with "$@"
drawn=$out
[ -z "$out" ] || can_draw || drawn=

features() {
    cat <<'FEATURES'
SL-FP|--method sentence-fp
SL-FP-SD|--method sentence-fp-sd
lengths 5,1|--method sentence-length --window 5,1
lengths 10,1|--method sentence-length --window 10,1
lengths 10,5|--method sentence-length --window 10,5
lengths 5,1 jumping|--method sentence-length --window 5,1 --jump
lengths 10,1 jumping|--method sentence-length --window 10,1 --jump
Full-FP|--method full-fp
SG-63|--method full-fp --sample 3
SG-66|--method full-fp --sample 6
FEATURES
}

# Every unit counts, and every source with a unit of the query is listed. No passage is wanted.
INDEX_OPTIONS=(--max-df 0)
CHECK_OPTIONS=(--top 10000000 --gamma 1000000 --texts no)

# paths_of COLLECTION: into ${paths[@]}
paths_of() {
    collection "$1" || return 1
    [ "$1" != newsgroups ] || [ -n "$stand_in" ] || paths=(--format mail "${paths[@]}")
}

# one COLLECTION NAME OPTIONS: a line of runs.tsv
one() {
    local folder="$1/${2//[ ,]/-}" index_seconds names shared
    say "$1: $2"
    # shellcheck disable=SC2086 # a list
    make_index "$folder.index" $3 "${INDEX_OPTIONS[@]}" "${paths[@]}"
    index_seconds=$seconds
    # One name for each feature, as features count once in a document, and those of several documents are common.
    # shellcheck disable=SC2086 # a list
    timed "$pardup" index --progress none -o "$folder.shared" $3 --max-df 1 --max-repeats 1 --repeats first "${paths[@]}"
    rm -r "$folder.shared"
    names=$(figure "names added" log)
    shared=$(sed -n 's/^pardup: *names added .*(\([0-9,]*\) of them in over 1 documents)$/\1/p' log)
    check_index "$folder.index" "$folder" "${CHECK_OPTIONS[@]}" "$1/queries.jsonl"
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$2" "$folder" "$names" "${shared//,/}" "$index_bytes" "$index_seconds" "$seconds" \
        "$(awk -F'\t' 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "text_bytes") c = k; next }
            { n += $c } END { printf "%.0f", n }' "$folder/sources.tsv")" >>"$1/runs.tsv"
}

# symmetric COLLECTION: SG-63-Sym has the index of SG-63, but of the queries every third shingle only, too. A target of
# `check` always has all of them.
symmetric() {
    "$reproduce/shingle_ranking.py" "$1/SG-63" "$1/SG-63-Sym" "$1/queries.jsonl" -- "${paths[@]}"
    awk -F'\t' -v OFS='\t' -v folder="$1/SG-63-Sym" -v seconds="$(cat "$1/SG-63-Sym/seconds")" \
        '$1 == "SG-63" { $1 = "SG-63-Sym"; $2 = folder; $7 = seconds; print }' "$1/runs.tsv" >"$1/symmetric.tsv"
    cat "$1/symmetric.tsv" >>"$1/runs.tsv"
}

{
    provenance
    for name in ${COLLECTIONS:-reuters newsgroups}; do
        paths_of "$name" || continue
        mkdir -p "$name"
        : >"$name/runs.tsv"
        /usr/bin/python3 "$reproduce/excerpts.py" --seed "${SEED:-1}" --queries "${QUERIES:-180}" \
            -o "$name/queries.jsonl" -t "$name/truth.tsv" -- "${paths[@]}"
        while IFS='|' read -r feature options; do
            one "$name" "$feature" "$options" </dev/null
        done < <(features)
        symmetric "$name"
        printf '\n### %s: %s sources\n' "$name" "$(($(wc -l <"$name/SL-FP/sources.tsv") - 1))"
        /usr/bin/python3 "$reproduce/ranking_table.py" ${drawn:+--figure "${drawn%.md}-$name.png"} \
            "$name/truth.tsv" "$name/runs.tsv"
    done
    [ ! -s skipped ] || printf '\nSkipped, no archive: %s.\n' "$(paste -sd' ' skipped)"
} >tables.md
deliver tables.md "$out"
