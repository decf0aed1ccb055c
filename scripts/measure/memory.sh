#!/bin/bash
# Does `pardup detect` keep the promise of --memory, and is work shared evenly? Runs it on a generated collection many
# times larger than --memory with every method, with few open files, and on skewed collections. Prints for each run the
# peak of the rank that had most, less the most of five jobs that do next to nothing (MPI's and HDF5's own), and the busiest
# rank against the mean of the stage where that is worst (stages above a second).
# usage: scripts/measure/memory.sh [-w DIR] [CASE...]      [methods files skew]
#   -w DIR    work there and keep everything [a temporary folder]
# PARDUP: the program [build/release/pardup]; RANKS [2]; LIMIT: seconds a run may take [600]; MEMORY [64M]; BYTES of
# HTML, all ranks [20 * MEMORY * RANKS]; METHODS [all]; SKEW: 1/SKEW of the skewed collections' sizes [1]. Exit status 1
# when a run fails, needs more, or a result is wrong.
set -euo pipefail
SCRIPT=memory.sh
LIMIT=${LIMIT:-600}
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
memory=${MEMORY:-64M}
megabytes=${memory%M}
skew=${SKEW:-1}
read -ra methods <<<"${METHODS:-$("$pardup" detect --method '?' 2>&1 | sed -n 's/.*expected one of: //p')}"
busy_above=1 # seconds; shorter stages say nothing
status=0

# Peak of a stage, and seconds of the busiest and of the mean rank: columns of the summary's table.
stages() { sed -n 's/^pardup: \+\(read\|count\|gather\|join\|align\|write\) \+[0-9.]\+ \+[0-9.]\+ *( *[0-9.]\+ \+\([0-9.]\+\) \+\([0-9.]\+\)).* \([0-9]\+\) MB$/\1 \2 \3 \4/p' "$1"; }

# row NAME WANT ARGUMENT...: one run. WANT: "passages=N", "pairs=N" or nothing.
row() {
    local name=$1 want=$2 own first uneven verdict=ok
    shift 2
    if ! timed_detect run --memory "$memory" --scratch scratch "$@"; then
        printf '%-34s %s\n' "$name" "$outcome"
        status=1
        return
    fi
    own=$(($(peak run.log) - base))
    first=$(stages run.log | awk -v most=$((base + megabytes * 115 / 100)) '$4 > most { print $1; exit }')
    uneven=$(stages run.log | awk -v above=$busy_above '$2 > above && $3 / $2 > worst { worst = $3 / $2; at = $1 }
        END { if (at) printf "%.1f in %s", worst, at; else printf "-" }')
    [ -z "$first" ] || { verdict="TOO MUCH in $first"; status=1; }
    case $want in
    passages=*) [ "$(figure passages run.log)" = "${want#*=}" ] || { verdict="WRONG: $(figure passages run.log) passages, not ${want#*=}"; status=1; } ;;
    pairs=*) [ "$(figure 'document pairs' run.log)" = "${want#*=}" ] || { verdict="WRONG: $(figure 'document pairs' run.log) pairs, not ${want#*=}"; status=1; } ;;
    esac
    [ -z "$(ls -A scratch)" ] || { verdict="scratch is not empty"; status=1; }
    printf '%-34s %8s %8s %8s   %-14s %s\n' "$name" "$memory" "$own" "$(figure all run.log)" "$uneven" "$verdict"
    cp run.log "log.${name//[ \/]/_}"
}

# The generated collection, in $web.
generated() {
    web=web-${BYTES:=$((20 * megabytes * ranks))M}
    [ -e "$web/synth.json" ] || "$pardup" synth --bytes "$BYTES" --shard-bytes 50M -o "$web" 2>/dev/null
}

case_methods() {
    local method
    generated
    for method in "${methods[@]}"; do
        # pages share whole templates: at its defaults --max-df leaves them out only in large collections
        row "$method" "" --method "$method" --max-df 100 --gap 2 "$web"/part-*.warc.gz
    done
}

case_files() {
    generated
    ulimit -S -n 64
    row "pdc-imatch, 64 open files" "" --max-df 100 --gap 2 "$web"/part-*.warc.gz
    row "pdc-shingle2, 64 open files" "" --method pdc-shingle2 --max-df 100 --gap 2 --max-near 20 "$web"/part-*.warc.gz
    ulimit -S -n "$(ulimit -H -n)"
}

# documents N FILE PROGRAM: JSON lines; the awk program prints the text of document k.
documents() {
    [ -e "$2" ] || { awk -v n="$1" "function word(k) { return sprintf(\"w%d\", k) }
        BEGIN { for (k = 0; k < n; k++) { printf \"{\\\"id\\\":\\\"d%d\\\",\\\"text\\\":\\\"\", k; $3; print \"\\\"}\" } }" >"$2.part" && mv "$2.part" "$2"; }
}

case_skew() {
    local n pair web shard all=(--idf 0,1 --max-df 0)
    n=$((100000 / skew))
    documents $n class.jsonl 'if (k % 10 == 0) printf "This one stands in a tenth of all. "; for (s = 0; s < 8; s++) printf "Only document x%d has y%d and z%d. ", k, s, k % 97'
    row "one class in 10 % of $n" passages=0 "${all[@]}" class.jsonl
    n=$((3163 * 1000 / skew / 1000))
    documents 2 dots.jsonl "for (s = 0; s < $n; s++) printf \"Zero zero again. \""
    row "a pair with $((n * n)) dots" passages=$((2 * n - 1 - 2 * 3)) "${all[@]}" --edges sentence dots.jsonl
    row "the same, gap 1" pairs=1 "${all[@]}" --gap 1 dots.jsonl
    n=$((400000 / skew))
    documents 2 blocks.jsonl "for (s = 0; s < $n; s++) printf \"Sentence a%d speaks of b%d. \", s, s"
    row "a pair with $n blocks" passages=1 "${all[@]}" blocks.jsonl
    n=$((10000 / skew))
    documents $n same.jsonl 'for (s = 0; s < 10; s++) printf "All of them say a%d and b%d. ", s, s'
    row "$n times the same" passages=0 --idf 0,1 --max-df 300 same.jsonl
    n=$((1500 / (skew > 4 ? 4 : skew)))
    documents $n some.jsonl 'for (s = 0; s < 10; s++) printf "All of them say a%d and b%d. ", s, s'
    row "$n times the same, max-df 0" passages=$((n * (n - 1) / 2)) "${all[@]}" some.jsonl
    web=files-$skew
    [ -e $web/all ] || "$pardup" synth --bytes $((700 / skew))M --shard-bytes $((10 / (skew > 10 ? 10 : skew)))M -o $web 2>/dev/null
    if [ ! -e $web/all ]; then # the first 50 become one file; members of gzip may follow each other
        mkdir $web/all
        shard=($web/part-*.warc.gz)
        cat "${shard[@]:0:50}" >$web/all/a.warc.gz
        ln "${shard[@]:50}" $web/all
    fi
    row "one file 50 times larger" "" --max-df 100 $web/all
    row "the same by sentences" "" --preset web --method pdc-imatch --max-df 100 --gap 2 $web/all
}

begin "$@"
set -- ${rest[@]+"${rest[@]}"}
[ $# -gt 0 ] || set -- methods files skew
mkdir -p scratch
documents 2 tiny.jsonl 'printf "One sentence is here. And k is %d. ", k'
base=0 # the most of five jobs: a single one moves by 2 MB, as the loaded part of MPI does
for _ in 1 2 3 4 5; do
    timed_detect tiny --gamma 0 --memory "$memory" tiny.jsonl || { cat tiny.log; exit 1; }
    own=$(peak tiny.log)
    base=$((own > base ? own : base))
done
echo "$ranks ranks; jobs that do next to nothing have a peak of up to $base MB"
printf '%-34s %8s %8s %8s   %-14s\n' run memory "own MB" seconds "busy most/mean"
for c in "$@"; do "case_$c"; done
exit $status
