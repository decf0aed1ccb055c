#!/bin/bash
# Many targets against many sources in one batch: queries_batch.sh [SOURCES, 100000] [TARGETS, 10000]. RANKS [2].
# Pages are made by pardup synth. Asks an index of the sources, and compares the passages with those of detect --against, byte by
# byte. In detect the targets count in --max-df, too: lines of more than 250 pages are left out first, so no class is common.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../tests/support/mpi_env.sh"
PARDUP=$(realpath "${PARDUP:-$here/../../build/release/pardup}")
sources=${1:-100000} targets=${2:-10000} ranks=${RANKS:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fast= # the processor is shared: go before others, if that is allowed
[ "$(id -u)" -ne 0 ] || fast="nice -n -10"
"$PARDUP" synth --documents $((sources + targets)) --page-bytes 1 --container jsonl --pack none --quiet -o made
mkdir sources targets
cat >split.py <<'END'
import glob, json, sys
from collections import Counter
names = sorted(glob.glob("made/part-*"))
pages_with = Counter()
for name in names:
    for page in open(name):
        pages_with.update(set(json.loads(page)["text"].split("\n")))
n = 0
with open("targets/targets.jsonl", "w") as targets, open("sources/sources.jsonl", "w") as sources:
    for name in names:
        for page in map(json.loads, open(name)):
            page["text"] = "\n".join(line for line in page["text"].split("\n") if not line or pages_with[line] <= 250)
            print(json.dumps(page), file=targets if n < int(sys.argv[1]) else sources)
            n += 1
END
/usr/bin/python3 split.py "$targets"
rm -r made

timed() { # timed NAME COMMAND...: what it says, and its time
    local name=$1
    shift
    { time $fast "${on_ranks[@]}" "$ranks" "$PARDUP" "$@" --progress none 2>log; } 2>times
    cat log
    echo "$name, $ranks ranks: $(awk '{print $1 " s, " $2 + $3 " s of processor"}' times)"
}
TIMEFORMAT='%R %U %S'
options="--method pdc-imatch --idf 0,1 --templates match"
uptime
timed index index $options -o index sources
timed check check --index index -o check.h5 targets
timed "detect --against" detect $options --frame match --against sources -o against.h5 targets

# In detect a source's number counts the targets, too, and passages have families.
rows() { # rows RESULT, NUMBER OF THE FIRST SOURCE
    "$PARDUP" export "$1" | awk -F'\t' -v OFS='\t' -v first="$2" \
        'NR == 1 {for (k = 1; k <= NF; k++) family = $k == "family" ? k : family} NR > 1 {$2 -= first; $family = ""} {print}'
}
rows check.h5 0 >check.tsv
rows against.h5 "$targets" >against.tsv
cmp check.tsv against.tsv && echo "the same $(($(wc -l <check.tsv) - 1)) passages, $(wc -c <check.tsv) bytes of a table"
uptime
