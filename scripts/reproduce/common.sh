# shellcheck shell=bash disable=SC2034,SC2154 # the scripts that source it use its variables
# scripts/reproduce/common.sh - sourced by the scripts of this folder: texts for a stranger, an index, checks
# against it, and what both took. All runs are one process. Sourced after ../measure/common.sh.

export PARDUP=$pardup
reproduce=$root/scripts/reproduce

# begin_with [-o OUT] [-w DIR] [COLLECTION...]: as begin; the paths take the place of all named collections.
# Without archives and paths, MADE documents of pardup synth do [3000].
begin_with() {
    local start=$PWD path
    begin "$@"
    for path in "${rest[@]}"; do
        path=$(cd "$start" && realpath -e "$path") || exit 2
        COLLECTION+=${COLLECTION:+$'\n'}$path
    done
    export COLLECTION=${COLLECTION:-} MADE=${MADE:-3000}
    [ -z "$COLLECTION" ] || COLLECTIONS=${COLLECTIONS:-own}
}

# timed COMMAND...: runs it, with what it says in the file `log`; its wall seconds are in $seconds.
timed() {
    local begin end
    begin=$(date +%s.%N)
    "$@" >log 2>&1 || {
        say "failed: $*"
        cat log >&2
        exit 1
    }
    end=$(date +%s.%N)
    seconds=$(awk -v a="$begin" -v b="$end" 'BEGIN { printf "%.3f", b - a }')
}

# make_index FOLDER ARGUMENT...: an index of the sources; its bytes in $index_bytes, $seconds.
make_index() {
    local folder=$1
    shift
    rm -rf "$folder"
    timed "$pardup" index --progress none -o "$folder" "$@"
    index_bytes=$(du -sb "$folder" | cut -f 1)
}

# check_index FOLDER OUT ARGUMENT...: checks targets and exports the tables into the folder OUT; $seconds.
check_index() {
    local folder=$1 out=$2 table
    shift 2
    mkdir -p "$out"
    timed "$pardup" check --progress none --index "$folder" -o "$out/result.h5" "$@"
    for table in documents sources decisions ranking; do
        "$pardup" export --format tsv --table "$table" "$out/result.h5" >"$out/$table.tsv"
    done
}
