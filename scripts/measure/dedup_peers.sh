#!/usr/bin/env bash
# What pardup dedup, datatrove and text-dedup remove from the same JSON lines, and what of the planted copies is left.
#
# usage: dedup_peers.sh VENV [DOCUMENTS]
#
# VENV is a Python environment with `pip install 'datatrove[processing]' orjson spacy text-dedup`. Prints for each program
# processor seconds, peak memory, a line of dedup_peers.py judge, and the copies that are left by `pardup eval --mosaic`. Each runs in one process, with its defaults, for LIMIT
# seconds at most [500].
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PARDUP=${PARDUP:-$here/../../build/release/pardup}
python=$1/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HF_HOME=$work/hf HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false
"$PARDUP" synth --quiet --documents "${2:-4000}" --container jsonl --pack none --seed 9 -o "$work/in"
in=$work/in/part-00000.jsonl
timed() { # timed NAME COMMAND...
    local name=$1
    shift
    if timeout "${LIMIT:-500}" /usr/bin/time -f "%U %S %M" -o "$work/time" "$@" >"$work/log" 2>&1; then
        awk -v name="$name" '{printf "%s: %.1f CPU s, %d MB\n", name, $1 + $2, $3 / 1024}' "$work/time"
    else
        echo "$name: failed: $(tail -n 1 "$work/log" | cut -c 1-200)"
        return 1
    fi
}
mosaic() { # mosaic FOLDER|FILE
    "$PARDUP" detect --quiet --force --preset texts -o "$work/left.h5" "$1" && "$PARDUP" eval --mosaic "$work/left.h5" | tail -n 2
}
judge() { "$python" "$here/dedup_peers.py" judge "$in" "$work/in/truth.tsv" "$@" && mosaic "$1"; }
echo "all texts:" && mosaic "$in"

timed "pardup detect" "$PARDUP" detect --preset texts -o "$work/r.h5" "$in" && timed "pardup dedup" "$PARDUP" dedup -o "$work/pardup" "$work/r.h5" &&
    judge "$work/pardup"
datatrove() { # datatrove KIND
    timed "datatrove $1" "$python" "$here/dedup_peers.py" "datatrove-$1" "$in" "$work/$1" "$work/$1.out" && judge "$work/$1.out" || true
}
datatrove minhash
timed "text-dedup minhash" "$python" -m text_dedup.minhash --path json --data_files "$in" --split train --column text \
    --output "$work/td" --num_proc 1 --cache_dir "$work/cache" &&
    "$python" -c "import datasets, sys; datasets.load_from_disk(sys.argv[1]).to_json(sys.argv[2])" "$work/td" "$work/td.jsonl" >/dev/null 2>&1 &&
    judge "$work/td.jsonl" || true
datatrove sentences # the slowest
