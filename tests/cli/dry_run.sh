#!/bin/bash
# pardup detect --dry-run: says what the job then takes, on any number of ranks, and leaves nothing.
. "$(dirname "$0")/lib.sh"
mkdir scratch
run synth --documents 400 --shard-bytes 3M --seed 5 -o pages
run synth --documents 400 --seed 6 --container jsonl -o stream
run synth --documents 60 --seed 7 --container text --pack none -o files
rm -f pages/*.tsv pages/*.json stream/*.tsv stream/*.json files/*.tsv files/*.json

expected() { awk -v name="$1" '$1 == "expected" && $2 == name { print $3 }' expectation; }
within() { # within NAME VALUE: expected and real, a factor of 1.5
    awk -v x="$(expected "$1")" -v y="$2" 'BEGIN { exit !(x > 0 && x <= 1.5 * y && y <= 1.5 * x) }'
}
value() { sed -n "s/.*  $1  *\([0-9]*\) .*/\1/p" err; }

dry_run() { # dry_run NP NAME ARGUMENT...
    local np=$1 name=$2
    shift 2
    run_np "$np" detect --dry-run --scratch scratch "$@"
    exits "$name" 0
    cp out expectation
    for line in documents sentences words passages pairs memory scratch exchanged \
        read count gather join align write all core-hours; do
        verdict "$name: says what $line are expected" grep -qE "^expected $line +[0-9]" expectation
    done
    prints "$name" "based on "
    verdict "$name: one result a run" [ "$(grep -c '^expected documents' expectation)" -eq 1 ]
    verdict "$name: nothing left in scratch" [ -z "$(ls -A scratch)" ]
}

for kind in pages stream files; do
    for np in 1 3; do
        dry_run $np "$kind, $np ranks" -o x.h5 $kind
        absent "$kind, $np ranks" x.h5
        absent "$kind, $np ranks" x.h5.dry-run
        run_np $np detect --scratch scratch -o real.h5 $kind
        verdict "$kind, $np ranks: documents" within documents "$(value documents)"
        verdict "$kind, $np ranks: sentences" within sentences "$(value sentences)"
        peak=$(sed -n 's|.*peak memory a rank: .* / \([0-9]*\) MB.*|\1|p' err)
        verdict "$kind, $np ranks: memory" within memory "$peak"
    done
done

# ---- what is there stays ----
cp real.h5 before.h5
dry_run 1 "a result of that name" -o real.h5 files
verdict "the result that was there" cmp real.h5 before.h5
run_np 1 detect --dry-run --scratch scratch --price 36000 files
cp out expectation
near() { # near NAME FACTOR LEAST: the expected NAME is FACTOR times the expected seconds, but for LEAST
    awk -v x="$(expected "$1")" -v y="$(expected all)" "BEGIN { exit !(y > 0 && (x - y * $2)^2 < $3^2) }"
}
verdict "a price: core-hours are the seconds of one rank" near core-hours 1/3600 .0001
verdict "a price: cost is core-hours times it" near cost 10 .1
run detect --price 1 -o x.h5 files
exits "a price without --dry-run" 2
one_error "a price without --dry-run"
run detect --dry-run --scratch scratch --limit-docs 10 files
exits "without -o, with a limit" 0
cp out expectation
verdict "the limit counts" [ "$(expected documents)" -eq 10 ]
verdict "no result, whatever its name" [ -z "$(find . -name 'pardup*')" ]

# ---- what the job would not get past ----
run detect --dry-run --scratch scratch -o x.h5 nowhere
exits "missing input" 1
one_error "missing input"
mkdir empty
run detect --dry-run --scratch scratch -o x.h5 empty
exits "empty collection" 1
run detect --dry-run --scratch scratch -o nowhere/x.h5 files
exits "no such output folder" 1
one_error "no such output folder"
run detect --dry-run=yes -o x.h5 files
exits "a value for --dry-run" 2
verdict "nothing left in scratch after failures" [ -z "$(ls -A scratch)" ]
finish
