#!/bin/bash
# Does `pardup detect` stand very many, very small documents? Makes N of them in several shapes, see
# many_documents.py, and runs the main job on each; prints documents, seconds and peak memory.
# usage: scripts/measure/many_documents.sh [-w DIR] [N]      N: documents [1000000]; as files of their own: N / 10
#   -w DIR    work there and keep everything [a temporary folder]
# PARDUP: the program [build/release/pardup]; RANKS [2]; LIMIT: seconds a run may take [600];
# SHAPES ["files jsonl warc trec"]. Exit status 1 when a run did not finish, or its counts are wrong.
set -euo pipefail
SCRIPT=many_documents.sh
LIMIT=${LIMIT:-600}
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
copied=10 # one document in ten is a copy of another

begin "$@"
set -- ${rest[@]+"${rest[@]}"}
most=${1:-1000000}
read -ra shapes <<<"${SHAPES:-files jsonl warc trec}"
suffix() { case $1 in files) ;; warc) echo .warc.gz ;; *) echo ".$1" ;; esac; }

# row SHAPE: fails when something is wrong
row() {
    local shape=$1 n=$most input documents pairs
    [ "$shape" != files ] || n=$((most / 10))
    input=many-$shape-$n$(suffix "$shape")
    [ -e "$input" ] || {
        rm -rf "$input.part"
        "$root/scripts/data/many_documents.py" "$shape" "$n" "$input.part"
        mv "$input.part" "$input"
    }
    if ! timed_detect "$shape" --preset paper --max-df 300 --gamma 0 "$input"; then
        printf '%-6s %8d   %s\n' "$shape" "$n" "$outcome"
        return 1
    fi
    documents=$(figure documents "$shape.log")
    pairs=$(figure 'document pairs' "$shape.log")
    printf '%-6s %8d %8s %9s %8s %8s\n' "$shape" "$n" "$documents" "$pairs" \
        "$(figure all "$shape.log")" "$(peak "$shape.log")"
    [ "$documents" -eq "$n" ] || { say "$shape: $documents documents, not $n"; return 1; }
    [ "$pairs" -eq $((n / copied)) ] || { say "$shape: $pairs pairs, not $((n / copied))"; return 1; }
}

printf '%-6s %8s %8s %9s %8s %8s\n' shape made read pairs seconds "MB a rank"
status=0
for shape in "${shapes[@]}"; do
    row "$shape" || status=1
done
exit $status
