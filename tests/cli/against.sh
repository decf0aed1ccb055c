#!/bin/bash
# --against: exactly the passages between a target and a source that a job over both finds, whatever the ranks.
. "$(dirname "$0")/lib.sh"

# Targets and sources that share runs of sentences with each other and among themselves.
mkdir targets sources empty
for k in $(seq 0 7); do
    { sentences $((100 * k)) $((100 * k + 9)); sentences $((100 * k + 50)) $((100 * k + 55)); } >sources/s$k.txt
    { sentences $((9000 + k)) $((9003 + k)); sentences $((100 * (k / 2))) $((100 * (k / 2) + 7)); } >targets/t$k.txt
done
cp sources/s3.txt sources/s9.txt
cp targets/t1.txt targets/t9.txt
targets=$(ls targets | wc -l)

# The rows of a table; without the family of a passage, which all links of its job make.
rows() {
    run export --table "$1" "$2"
    exits "export $2" 0
    [ "$1" != passages ] || { cut -f1-15,17- out >cut && mv cut out; }
}

# The rows of a job over both whose first document is a target and whose second is a source.
across() { awk -F'\t' -v t="$targets" 'NR == 1 || ($1 < t && $2 >= t)' out; }

agrees() { # agrees NAME RANKS OPTION...
    local name=$1 ranks=$2 table
    shift 2
    run_np 2 detect --idf 0,1 "$@" -o both.h5 targets sources
    exits "$name, both" 0
    run_np "$ranks" detect --idf 0,1 "$@" --against sources -o against.h5 targets
    exits "$name, against" 0
    for table in passages pairs; do
        rows $table both.h5
        across >expected
        rows $table against.h5
        verdict "$name, $ranks ranks: $table" cmp -s expected out
        verdict "$name: there are $table" [ "$(wc -l <expected)" -gt 8 ]
    done
    agrees_with "$name" "$ranks" "$@"
}

# --with: the targets with each other, too, but no two sources
agrees_with() {
    local name=$1 ranks=$2 table
    shift 2
    run_np 2 detect --idf 0,1 "$@" -o both.h5 targets sources
    run_np "$ranks" detect --idf 0,1 "$@" --with sources -o with.h5 targets
    exits "$name, with" 0
    for table in passages pairs; do
        rows $table both.h5
        awk -F'\t' -v t="$targets" 'NR == 1 || $1 < t' out >expected
        rows $table with.h5
        verdict "$name, $ranks ranks: $table with" cmp -s expected out
    done
    verdict "$name: pairs of targets with" awk -F'\t' -v t="$targets" '$2 < t { found = 1 } END { exit !found }' out
}
for ranks in 1 2 4; do
    agrees "default" $ranks
    agrees "sets" $ranks --method qsign-exact --tau 0.6 --gamma 1
done
agrees "windows" 3 --edges word --window 2,2 --gamma 0 --gap 1
agrees "grams" 3 --method full-fp --sample 3 --gamma 0
agrees_with "common first" 2 --max-df 3 --common first --copies report
agrees "spilled" 3 --memory 16M --gap 2

# As the judge has it.
"$PARDUP" sentences --offsets targets sources >both.sentences
run detect --preset texts --gamma 1 --with sources -o with.h5 targets
echo "with.h5 --preset texts --gamma 1" >runs
verdict "with: as the judge has it" "${PYTHON:-/usr/bin/python3}" "$here/../support/oracle.py" --sentences both.sentences --list runs

# Several sources; the document numbers are those of the inputs in this order.
mkdir more
mv sources/s9.txt more
run detect --idf 0,1 --against sources --against more -o against.h5 targets
exits "two sources" 0
says "two sources" "against 9 sources"
rows passages against.h5
verdict "the second source is found" awk -F'\t' 'NR > 1 && $2 == 17' out
run detect --against sources -o one.h5 targets/t0.txt
exits "one target" 0

# Both sides must have documents.
run detect --against empty -o none.h5 targets
exits "no source" 1
one_error "no source"
absent "no source" none.h5
run detect --against missing -o none.h5 targets
exits "a source that is not there" 1
says "a source that is not there" missing

run detect --against sources --with sources -o none.h5 targets
exits "--against and --with" 2
one_error "--against and --with"

# A checkpoint of other sources is refused.
run detect --against sources --dry-run -o dry.h5 targets
exits "dry run" 0
prints "dry run" "expected documents"
finish
