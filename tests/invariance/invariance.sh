#!/usr/bin/env bash
# The result does not depend on the number of ranks, nor on the clothes the collection comes in.
#
#   tests/invariance/invariance.sh
#
# One random collection is searched with 1, 2, 3, 4 and 8 ranks: every dataset must be the same,
# byte for byte.  Then it comes as a directory of files, a list of files, and WARC archives in four
# packings: /passages, /pairs and /common must be the same.  Last the same for HTML pages.  The first
# documents under --limit-docs give what they give alone.
# Variables: see common.sh; also DOCUMENTS [800] and SEED [1] of the collection.
set -eu
. "$(dirname "$0")/common.sh"

DOCUMENTS=${DOCUMENTS:-800}
SEED=${SEED:-1}
values=passages,pairs,common

same() {
    "$PYTHON" "$support/same_result.py" "$@"
}

# The comparisons below say little about empty tables.
not_empty() {
    "$PYTHON" - "$@" <<'PROGRAM'
import sys
import h5py
with h5py.File(sys.argv[1], "r") as result:
    empty = [table for table in sys.argv[2:] if len(result[f"/{table}/doc" if table == "common"
                                                           else f"/{table}/doc_a"]) == 0]
sys.exit(f"empty: {', '.join(empty)}" if empty else 0)
PROGRAM
}

make() {
    make_collection random "$work/random" --seed "$SEED" --documents "$DOCUMENTS" --as "$1"
}

# pack VERSION PACK OUT PATH...
pack() {
    local version=$1 how=$2 out=$3
    shift 3
    "$PYTHON" "$repository/scripts/data/make_warc.py" --version "$version" --pack "$how" -o "$out" "$@" \
        2>"$work/pack.log" || { cat "$work/pack.log" >&2; exit 1; }
}

# compare NAME REFERENCE NP ARGUMENT...: same values as the reference from another input.
compare() {
    local name=$1 reference=$2 np=$3
    shift 3
    rm -f "$work/other.h5"
    check "$name: runs" detect "$np" "$work/other.h5" "$@"
    check "$name: same values" same --tables $values "$reference" "$work/other.h5"
}

# ranks NAME OPTION...: the same bytes for every number of ranks; leaves NAME-1.h5.
ranks() {
    local name=$1 np
    shift
    for np in 1 2 3 4 8; do
        check "$name: runs on $np ranks" detect "$np" "$work/$name-$np.h5" "$@" "$lines"
        [ "$np" -eq 1 ] ||
            check "$name: same on $np ranks" same "$work/$name-1.h5" "$work/$name-$np.h5"
    done
    check "$name: not empty" not_empty "$work/$name-1.h5" passages pairs common
}

# clothes NAME REFERENCE DIRECTORY OPTION...: a directory of files, and the same wrapped in all ways.
clothes() {
    local name=$1 reference=$2 directory=$3 how version np
    shift 3
    compare "$name: directory" "$reference" 3 "$@" "$directory"
    find "$directory" -type f | LC_ALL=C sort >"$work/list"
    compare "$name: list of files" "$reference" 2 "$@" --files-from "$work/list"
    for how in plain gzip record zstd; do
        case $how in plain) suffix=warc ;; zstd) suffix=warc.zst ;; *) suffix=warc.gz ;; esac
        for version in 1.0 0.18; do
            pack "$version" "$how" "$work/$name-$how-$version.$suffix" "$directory"
            for np in 1 3; do
                compare "$name: WARC $version $how on $np ranks" "$reference" "$np" "$@" \
                    "$work/$name-$how-$version.$suffix"
            done
        done
    done
    mkdir "$work/$name-shards"
    "$PYTHON" "$repository/scripts/data/make_warc.py" --shards 5 -o "$work/$name-shards/s.warc.gz" \
        "$directory" 2>/dev/null
    compare "$name: five archives" "$reference" 3 "$@" "$work/$name-shards"
}

lines=$(make jsonl)
ranks defaults
ranks options --gamma 1 --gap 2 --max-df 50 --edges sentence --min-words 2 --idf 0.2,0.9

# Documents beyond a limit leave no trace, though ranks that do not know yet have read them.
mkdir "$work/parts"
split -n l/9 --additional-suffix .jsonl "$lines" "$work/parts/"
head -n $((DOCUMENTS * 2 / 5)) "$lines" >"$work/first.jsonl"
narrow=(--idf 0.2,0.85)
check "first documents: runs" detect 1 "$work/first.h5" "${narrow[@]}" "$work/first.jsonl"
check "first documents: not empty" not_empty "$work/first.h5" passages pairs
for np in 1 2 4 8; do
    compare "limit on $np ranks" "$work/first.h5" "$np" "${narrow[@]}" \
        --limit-docs $((DOCUMENTS * 2 / 5)) "$work/parts"
done

# With little memory all grams are signed twice, and postings of names that do not recur are dropped.
check "grams: runs" detect 1 "$work/grams.h5" --preset texts "$lines"
check "grams: not empty" not_empty "$work/grams.h5" passages pairs
for np in 1 3; do
    compare "grams on $np ranks with little memory" "$work/grams.h5" "$np" --preset texts --memory 1M "$lines"
done

gzip -nk "$lines"
compare "JSON lines, gzip" "$work/defaults-1.h5" 3 "$lines.gz"
zstd -q "$lines"
compare "JSON lines, zstd" "$work/defaults-1.h5" 3 "$lines.zst"
clothes text "$work/grams.h5" "$(make text)" --preset texts # records of archives have addresses: auto chooses otherwise

pages=$(make html)
check "pages: runs" detect 1 "$work/pages.h5" --templates match "$pages"
check "pages: not empty" not_empty "$work/pages.h5" passages pairs
clothes html "$work/pages.h5" "$pages" --templates match # pages in archives have addresses, and so stubs

finish
