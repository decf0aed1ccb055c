#!/bin/bash
# Running time against the number of documents, as in Figure 11 of the paper of PDC-MR: passages by I-Match beside
# SpotSigs of whole documents. Makes one collection of the largest size with `pardup synth`; each run takes the first
# of its shards. Appends a line of JSON for each run (scripts/measure/bench_record.py), then prints the table and draws the picture.
# usage: scripts/measure/running_time.sh [options] [MILLIONS...]     [1 2 3 4 5]
#   -m "METHOD..."  [pdc-imatch spotsigs-doc]
#   -n RANKS        [2]
#   -o FILE         lines of JSON; runs that it has are not repeated [build/running_time.jsonl]
#   -i FILE.png     the picture [beside FILE]
#   -w DIR          the collection is made and kept there, 7.8 GB a million [build/bench-data]
# PARDUP: the program [build/release/pardup]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tests/support/mpi_env.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
pardup=$(realpath "${PARDUP:-$root/build/release/pardup}")
methods="pdc-imatch spotsigs-doc" ranks=2 out=$root/build/running_time.jsonl picture='' folder=$root/build/bench-data
while getopts m:n:o:i:w: option; do
    case $option in
    m) methods=$OPTARG ;;
    n) ranks=$OPTARG ;;
    o) out=$OPTARG ;;
    i) picture=$OPTARG ;;
    w) folder=$OPTARG ;;
    *) sed -n '2,13s/^# \?//p' "$0" && exit 2 ;;
    esac
done
shift $((OPTIND - 1))
millions=("${@:-1 2 3 4 5}")
read -ra millions <<<"${millions[*]}"
most=$(printf '%s\n' "${millions[@]}" | sort -g | tail -n 1)
of_millions() { awk -v n="$1" 'BEGIN { printf "%d", n * 1e6 }'; }

mkdir -p "$folder" "$(dirname "$out")"
collection=$(find "$folder" -maxdepth 1 -name 'millions-*' | sort -t- -k2 -g | tail -n 1)
have=${collection##*millions-}
if ! awk -v have="${have:-0}" -v want="$most" 'BEGIN { exit !(have >= want) }'; then
    collection=$folder/millions-$most have=$most
    "${on_ranks[@]}" "$(nproc)" "$pardup" synth --seed 11 --documents "$(of_millions "$most")" --shard-bytes 500M -o "$collection"
fi
shards=("$collection"/part-*.warc.gz)
scratch=$(mktemp -d "$folder/scratch.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
touch "$out"

for n in "${millions[@]}"; do
    first=$(awk -v n="$n" -v have="$have" -v shards=${#shards[@]} 'BEGIN { k = int(shards * n / have + .5); print k < 1 ? 1 : k }')
    for method in $methods; do
        ! grep -q "\"millions\": $n, \"method\": \"$method\", \"ranks\": $ranks," "$out" || continue
        "$PYTHON" "$root/scripts/measure/bench_record.py" "$out" millions="$n" method="$method" ranks="$ranks" cpu_model="$cpu" \
            revision="$(git -C "$(dirname "$pardup")" describe --always --dirty 2>/dev/null || echo unknown)" cores="$(nproc)" \
            -- "${on_ranks[@]}" "$ranks" "$pardup" detect --verbose --progress none --scratch "$scratch" --method "$method" \
            -o "$scratch/x.h5" "${shards[@]:0:first}"
        rm -f "$scratch/x.h5"
    done
done
"$PYTHON" "$root/scripts/measure/running_time_plot.py" "$out" "${picture:-${out%.jsonl}.png}"
