#!/usr/bin/env bash
# Other duplicate finders on the same texts: processor seconds, memory, and which planted copies they mark.
#
# usage: peers.sh [DOCUMENTS [PROGRAM...]]      generated pages [6000, 31 MB of JSON lines]; prints a table
#
# PROGRAM: pardup, sim_text, exactsubstr, passim, datatrove, text-dedup, rensa, onion [all]
#
# The Python programs live in $PEERS_ENV, an environment that is made if it is not there. sim_text is Debian's package
# similarity-tester. ExactSubstr and passim are neither in Debian nor on PyPI. They take part if
# a variable names them: EXACTSUBSTR its program dedup_dataset, PASSIM its program passim.
# Each program runs in one process with its own defaults, for LIMIT seconds at most [500]. Preparing its input is not
# counted, reading the input is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PARDUP=${PARDUP:-$here/../../build/release/pardup}
PEERS_ENV=${PEERS_ENV:-${TMPDIR:-/tmp}/pardup-peers}
LIMIT=${LIMIT:-500}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HF_HOME=$work/hf HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false
if [ ! -x "$PEERS_ENV/bin/python" ]; then
    python3 -m venv "$PEERS_ENV"
    "$PEERS_ENV/bin/pip" install --quiet 'datatrove[processing]' orjson spacy text-dedup rensa >&2
fi
python=$PEERS_ENV/bin/python
peers=("$python" "$here/peers.py")
documents=${1:-6000}
if [ $# -gt 1 ]; then
    programs=("${@:2}")
else
    programs=(pardup sim_text exactsubstr passim datatrove text-dedup rensa onion)
fi
"$PARDUP" synth --quiet --documents "$documents" --container jsonl --pack none --seed 9 -o "$work/in"
in=$work/in/part-00000.jsonl

# timed COMMAND...: adds to $work/times; standard output to $work/log
timed() {
    timeout "$LIMIT" /usr/bin/time -f "%U %S %M" -a -o "$work/times" "$@" >"$work/log" 2>"$work/errors" && return
    reason="failed, or took more than $LIMIT s: $(grep -v '^Command' "$work/errors" | tail -n 1 | cut -c 1-120)"
    return 1
}
# row NAME KIND FILE: its line of the table
row() {
    local cost
    cost=$(awk '{ s += $1 + $2; if ($3 > m) m = $3 } END { printf "%.1f | %d MB", s, m / 1024 }' "$work/times")
    echo "| $1 | $cost | $("${peers[@]}" judge "$in" "$work/in" "$2" "$3") |"
}
absent() { echo "| $1 | not run: $2 | | | | |"; }
version() { "$PEERS_ENV/bin/pip" list 2>/dev/null | awk -v name="$1" '$1 == name { print $2 }'; }

pardup() { # pardup NAME OPTION...
    local name=$1
    shift
    rm -f "$work/times"
    timed "$PARDUP" detect --quiet "$@" -o "$work/r.h5" "$in" || { absent "$name" "$reason"; return; }
    "$PARDUP" export --table passages "$work/r.h5" >"$work/passages.tsv"
    row "$name" pardup "$work/passages.tsv"
    rm "$work/r.h5"
}
sim_text() {
    command -v sim_text >/dev/null || { absent "sim_text" "no package similarity-tester"; return; }
    "${peers[@]}" words "$in" "$work/words" >"$work/list"
    rm -f "$work/times"
    timed sim_text -n -s -T -i <"$work/list" && row "sim_text, runs of 8 words" sim_text "$work/log" || absent "sim_text" "$reason"
}
exactsubstr() {
    [ -n "${EXACTSUBSTR:-}" ] || { absent "ExactSubstr" "neither in Debian nor on PyPI (EXACTSUBSTR)"; return; }
    "${peers[@]}" joined "$in" "$work/joined"
    mkdir "$work/cache"
    rm -f "$work/times"
    timed "$EXACTSUBSTR" make --data-file "$work/joined" &&
        timed "$EXACTSUBSTR" self-similar --data-file "$work/joined" --length-threshold 100 --cache-dir "$work/cache" --num-threads 1 &&
        timed "$EXACTSUBSTR" collect --data-file "$work/joined" --length-threshold 100 --cache-dir "$work/cache" &&
        row "ExactSubstr, 100 bytes" exactsubstr "$work/log" || absent "ExactSubstr" "$reason"
}
passim() {
    [ -n "${PASSIM:-}" ] || { absent "passim" "neither in Debian nor on PyPI (PASSIM)"; return; }
    "${peers[@]}" series "$in" "$work/series.json"
    rm -f "$work/times"
    SPARK_SUBMIT_ARGS="--master local[1] ${SPARK_SUBMIT_ARGS:-}" timed "$PASSIM" "$work/series.json" "$work/passim" &&
        row "passim" passim "$work/passim/out.json" || absent "passim" "$reason"
}
datatrove() {
    rm -f "$work/times"
    timed "${peers[@]}" datatrove "$in" "$work/dt" && row "datatrove $(version datatrove), minhash" datatrove "$work/dt/remove/000000.clusters" ||
        absent "datatrove" "$reason"
}
text_dedup() {
    rm -f "$work/times"
    timed "$python" -m text_dedup.minhash --path json --data_files "$in" --split train --column text --output "$work/td" \
        --num_proc 1 --debug --cache_dir "$work/tdcache" && row "text-dedup $(version text-dedup), minhash" text-dedup "$work/td/uf.pkl" ||
        absent "text-dedup" "$reason"
}
rensa() {
    rm -f "$work/times"
    timed "${peers[@]}" rensa "$in" && row "rensa $(version rensa), deduplicator" rensa "$work/log" || absent "rensa" "$reason"
}

echo "$(wc -c <"$in") bytes of JSON lines, $(grep -vc '^#' "$work/in/truth.tsv") planted copies"
echo
echo "| program, one process, its defaults | CPU s | memory | copies of 4 sentences or more | shorter copies | marked, not planted |"
echo "|---|--:|--:|--:|--:|--:|"
for program in "${programs[@]}"; do
    case $program in
    pardup) pardup "pardup detect" && pardup "pardup detect --preset edited" --preset edited ;;
    onion) absent onion "neither in Debian nor on PyPI" ;;
    *) "${program/-/_}" ;;
    esac
done
