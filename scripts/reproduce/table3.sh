#!/bin/bash
# Zhang et al. (SIGIR 2010), table 3: passages of web archives sorted into kinds by a reader. Prints
# passages drawn with a seed, or with --count the share of each kind in a file of labels.
# usage: scripts/reproduce/table3.sh [--preset paper|web] [-o OUT] [-w DIR] [COLLECTION...]
#        scripts/reproduce/table3.sh --count LABELS
#   -o OUT       the passages [standard output]
#   -w DIR       work there and keep everything [a temporary folder]
#   COLLECTION   files or folders in place of the archives
# LABELS has lines "preset doc_a begin_a end_a doc_b begin_b end_b kind" with tabs and a header.
# The archives are warc-samples of PARDUP_DATA [../shared/data]; each packed archive counts once. Without them MADE pages
# of pardup synth do [3000].
# PARDUP: the program [build/release/pardup]; SEED [1]; COUNT [200]
set -euo pipefail
SCRIPT=table3.sh

# Shares of the paper's kinds, and of pages captured again, for which the paper has no kind.
shares() {
    awk -F'\t' 'NR == 1 { next }
        { all[$1]++; kind[$1 "\t" $NF]++ }
        END {
            for (preset in all) {
                split("news multi quote other same", names, " ")
                for (k = 1; k <= 5; k++)
                    printf "%s\t%s\t%d of %d\t%.1f %%\n", preset, names[k],
                        kind[preset "\t" names[k]], all[preset],
                        100 * kind[preset "\t" names[k]] / all[preset]
            }
        }' "$1"
}

if [ "${1:-}" = --count ]; then
    [ -r "${2:-}" ] || { echo "$SCRIPT: cannot read '${2:-}': give a file of labels" >&2; exit 2; }
    shares "$2"
    exit
fi
preset=paper
if [ "${1:-}" = --preset ]; then
    preset=${2:-}
    shift 2 || { echo "$SCRIPT: --preset needs paper or web" >&2; exit 2; }
fi
. "$(dirname "${BASH_SOURCE[0]}")/../measure/common.sh"
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
begin_with "$@"
if [ -n "$COLLECTION" ]; then
    mapfile -t paths <<<"$COLLECTION"
elif unpacked warc-samples; then
    ln -sfn data/warc-samples warc-samples # ids of the labels
    # Archives packed by gzip, and the cut one that is not packed; of equal contents the first.
    find warc-samples/ -type f \( -name '*arc.gz' -o -name '*truncated.arc' \) | LC_ALL=C sort |
        while read -r file; do
            printf '%s %s\n' "$( (gzip -dcf "$file" 2>unpack.log || true) | sha256sum | cut -c1-64)" "$file"
        done | awk '!seen[$1]++ { print $2 }' >archives
    mapfile -t paths <archives
else
    say "$MADE pages of pardup synth take their place"
    synth_paths made --documents "$MADE" --seed "${SEED:-1}"
fi
"$pardup" detect --preset "$preset" --progress none -o "$preset.h5" "${paths[@]}" 2>detect.log ||
    { say "detect failed"; cat detect.log >&2; exit 1; }
PARDUP=$pardup /usr/bin/python3 "$root/scripts/measure/sample_passages.py" \
    --count "${COUNT:-200}" --seed "${SEED:-1}" "$preset.h5" "${paths[@]}" >passages.txt
deliver passages.txt "$out"
