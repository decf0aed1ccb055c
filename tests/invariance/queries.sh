#!/usr/bin/env bash
# Targets against sources, on 1, 2 and 4 ranks, against the judge tests/support/oracle.py.
#
#   tests/invariance/queries.sh          some 60 invented documents a seed
#
# `pardup detect --against`: every method, the kinds of --preset, common units with --common first,
# equal documents with --copies, and options drawn at random.  Targets are the first documents of a
# collection, sources the others; the share of each differs from seed to seed.
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

every_combination() {
    presets
    kinds
    sides
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
    done < <(every_combination)
    judge_lists "against-$seed" "$work/targets.jsonl" "$work/sources.jsonl"
}

for seed in $SEEDS; do
    lines=$(make_collection random "$work/random$seed" --near --seed "$seed" --documents "$DOCUMENTS")
    targets=$((DOCUMENTS * (seed % 3 + 1) / 4))
    head -n "$targets" "$lines" >"$work/targets.jsonl"
    tail -n +$((targets + 1)) "$lines" >"$work/sources.jsonl"
    TOLD="--targets $targets"
    detect_against
done
finish
