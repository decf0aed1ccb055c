#!/bin/bash
# Recall against time: qsign-lsh over its parameters (bit sampling and min-wise hashing), next to
# qsign-exact and the index of all words (qsign-index), on the same collections: a generated one, and newsgroups and Reuters where their
# archives are (PARDUP_DATA, else ../shared/data). Writes PREFIX.tsv (every run), PREFIX.md (the
# runs that no other beats) and, with matplotlib, PREFIX.png.
# usage: scripts/measure/lsh_curve.sh [-o PREFIX] [-w DIR] [-- OPTION...]
#   -o PREFIX   of the files [lsh-curve]
#   -w DIR      work there and keep everything [a temporary folder]
#   OPTION...   of detect, for every run
# PARDUP: the program [build/release/pardup]; RANKS [2]; LIMIT: seconds a run may take [60], and at
# most 4 times what the exact join took; SYNTH_BYTES: size of the generated collection [100M];
# NEWSGROUPS: how many groups [2]; COLLECTIONS [synth newsgroups reuters]; the grid of bit sampling:
# BITS, WORD_BITS, TABLES, DIFFBITS, which has to ascend; that of min-wise hashing: MIN_TABLES,
# ROWS, which has to descend; THETA_D [0 5]: scores at which document pairs are counted, 0 and 5 among them
set -euo pipefail
SCRIPT=lsh_curve.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

EXACT_LIMIT=3600 # seconds
number=0         # of the run
PATIENCE=4       # times the exact join
START=2          # seconds, added to that
read -ra THETA_D <<<"${THETA_D:-0 5}" # scores that make a pair of documents one to be found
read -ra bits <<<"${BITS:-16 24 32 48 64}"
read -ra word_bits <<<"${WORD_BITS:-1 2}"
read -ra diffbits <<<"${DIFFBITS:-1 2 4 6 8 10}"
read -ra tables <<<"${TABLES:-1 4 16}"
read -ra min_tables <<<"${MIN_TABLES:-4 8 16 32 64}"
read -ra rows <<<"${ROWS:-4 3 2 1}"
read -ra collections <<<"${COLLECTIONS:-synth newsgroups reuters}"
here=$PWD
begin "$@"
prefix=${out:-$here/lsh-curve}

# paths_of COLLECTION: into ${paths[@]}
paths_of() {
    case $1 in
    synth) synth_paths synth --bytes "${SYNTH_BYTES:-100M}" --profile versions ;;
    newsgroups)
        collection newsgroups --groups "${NEWSGROUPS:-2}" || return 1
        [ -n "$stand_in" ] || paths=(--format text "${paths[@]}")
        ;;
    *) collection "$1" ;;
    esac
}

# write_row COLLECTION PARAMETERS NAME: of a run that finished or not, see $outcome; PARAMETERS are
# fields, a tab behind each
write_row() {
    local measured
    if [ -z "$outcome" ]; then
        measured=$("$root/scripts/measure/lsh_measure.py" "$1.exact.h5" "$3.h5" "${THETA_D[@]}")
        printf '%s\t%s%s\t\n' "$1" "$2" "$measured" >>every.tsv
    else
        printf '%s\t%s\t\t\t\t\t\t%s\n' "$1" "$2" "$outcome" >>every.tsv
    fi
}

# one COLLECTION PARAMETERS OPTION...: a run, unless one that makes fewer candidates took too long
one() {
    local name=$1 parameters=$2 result
    shift 2
    number=$((number + 1)) # a run that took too long may still hold the scratch of its result
    result=$name.lsh-$number
    if [ -z "$settled" ]; then
        say "$name: $parameters"
        timed_detect "$result" --method qsign-lsh --theta-d 0 "$@" ||
            settled="not run: with fewer candidates $outcome"
    else
        outcome=$settled
    fi
    # shellcheck disable=SC2086 # a list
    write_row "$name" "$(printf '%s\t' $parameters)" "$result"
    rm -f "$result".*
}

# sample_bits COLLECTION OPTION...: candidates become more with diffbit
sample_bits() {
    local name=$1 b w t d settled
    shift
    for b in "${bits[@]}"; do
        for w in "${word_bits[@]}"; do
            for t in "${tables[@]}"; do
                settled=
                for d in "${diffbits[@]}"; do
                    [ "$d" -lt "$b" ] || continue
                    one "$name" "bits $b $w $d - $t" --sketch bits --bits "$b" --word-bits "$w" \
                        --diffbit "$d" --tables "$t" "$@"
                done
            done
        done
    done
}

# sample_rows COLLECTION OPTION...: candidates become more with fewer rows
sample_rows() {
    local name=$1 t r settled
    shift
    for t in "${min_tables[@]}"; do
        settled=
        for r in "${rows[@]}"; do
            one "$name" "minhash - - - $r $t" --sketch minhash --rows "$r" --tables "$t" "$@"
        done
    done
}

printf '%s\t' collection join bits word_bits diffbit rows tables seconds candidates similar \
    class_recall "${THETA_D[@]/#/recall_}" >every.tsv
echo outcome >>every.tsv
for name in "${collections[@]}"; do
    paths_of "$name" || continue
    say "$name: exact"
    limit=$EXACT_LIMIT
    timed_detect "$name.exact" --method qsign-exact --theta-d 0 "${rest[@]}" "${paths[@]}" || {
        say "$name: $outcome"
        exit 1
    }
    write_row "$name" $'exact\t-\t-\t-\t-\t-\t' "$name.exact"
    timed_detect "$name.index" --method qsign-index --theta-d 0 "${rest[@]}" "${paths[@]}" || {
        say "$name: index of all words: $outcome"
        exit 1
    }
    write_row "$name" $'index\t-\t-\t-\t-\t-\t' "$name.index"
    limit=$(awk -v most="${LIMIT:-60}" -v times=$PATIENCE -v start=$START \
        -v exact="$(figure all "$name.exact.log")" 'BEGIN {
            seconds = int(times * exact + start)
            print seconds < most ? seconds : most
        }')
    sample_rows "$name" "${rest[@]}" "${paths[@]}"
    sample_bits "$name" "${rest[@]}" "${paths[@]}"
done
mkdir -p "$(dirname "$prefix")"
deliver every.tsv "$prefix.tsv"
{
    provenance
    cat <<TEXT
qsign-lsh against qsign-exact: recall of pairs of similar classes, and of document pairs with a
score (theta-d) of at least ${THETA_D[*]}. Seconds are those of the join stage. The settings that no
other beats in both recall of classes and time:
TEXT
    echo
    picture=()
    ! can_draw || picture=("$prefix.png")
    "$root/scripts/measure/lsh_plot.py" "$prefix.tsv" "${picture[@]}"
    [ ! -s skipped ] || printf '\nSkipped, no archive: %s.\n' "$(paste -sd' ' skipped)"
} >"$prefix.md"
