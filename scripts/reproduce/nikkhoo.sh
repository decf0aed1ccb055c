#!/bin/bash
# Nikkhoo, "The Impact of Near-Duplicate Documents on Information Retrieval Evaluation" (thesis,
# Waterloo 2010): tables 3.1 to 3.4, figure 3.9 and table 4.1, the published figures beside ours; shingles with
# blanks; kinds of near duplicates by address, of web archives (warc-samples).
# The collection is 20 Newsgroups (8 groups) and Reuters-21578. The runs are made up: variants of BM25 for
# topics drawn from the collection, always the same for a seed (bm25_runs.py).
# usage: scripts/reproduce/nikkhoo.sh [-o OUT.md] [-w DIR] [COLLECTION...]
#   -o OUT.md   the tables [standard output]
#   -w DIR      work there and keep everything [a temporary folder]
#   COLLECTION  files or folders in place of both collections
# PARDUP: the program [build/release/pardup]; PARDUP_DATA: the archives [../shared/data]; RANKS [2];
# LIMIT: seconds a run may take [300]; SEED: of the runs [1]
set -euo pipefail
SCRIPT=nikkhoo.sh
LIMIT=${LIMIT:-300}
. "$(dirname "${BASH_SOURCE[0]}")/../measure/common.sh"
python=/usr/bin/python3 # the one that has the distribution's h5py
export PYTHONHASHSEED=0
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
begin_with "$@"
here=$root/scripts/reproduce

# detect NAME OPTION...: all pairs with a common shingle, with what is left of the shingles
detect() {
    say "detect $*"
    timed_detect "$1" --method nikkhoo --scratch . --files-from paths.txt "${@:2}" || {
        say "$1: $outcome"
        exit 1
    }
}

# reduced WHAT OPTION VALUE...: a table of runs with `--OPTION VALUE` against the full run
reduced() {
    local value files=()
    for value in "${@:3}"; do
        detect "$2$value" "--$2" "$value"
        files+=("$value=$2$value.h5")
    done
    "$python" "$here/nikkhoo_tables.py" "$1" full.h5 "${files[@]}"
}

# addresses: a result of documents with addresses: full.h5, if newsgroups and Reuters are not at hand, or web archives
addresses() {
    if [ -n "$stand_in" ]; then
        ln -sf full.h5 addresses.h5
    else
        unpacked warc-samples || return 1
        mapfile -t paths < <(find data/warc-samples -type f -name '*arc.gz' | LC_ALL=C sort)
        timed_detect addresses --method nikkhoo --scratch . "${paths[@]}"
    fi
}

prevalence() { "$pardup" prevalence --run runs/*.run full.h5 "$@" 2>>prevalence.log; }

: >paths.txt
for name in ${COLLECTIONS:-newsgroups reuters}; do
    collection "$name" || exit 77
    printf '%s\n' "${paths[@]}" >>paths.txt
done
"$pardup" sentences --files-from paths.txt >sentences.jsonl 2>sentences.log
"$python" "$here/bm25_runs.py" --seed "${SEED:-1}" -o runs <sentences.jsonl
"$python" "$here/nikkhoo_shingles.py" <sentences.jsonl >shingles.txt

{
    provenance
    detect full
    printf '\n### Tables 3.1 and 3.2: hash-value-based sampling\n'
    reduced sampling sample 2 4 8 16 32 64 128 256 512
    printf '\n### Tables 3.3 and 3.4: shingle commonality threshold\n'
    reduced sct sct 100 90 80 70 60 50 40 30 20 10
    printf '\n### Shingles with blanks, as the thesis prints them\n'
    detect blanks --shingle-blanks keep
    "$python" "$here/nikkhoo_tables.py" blanks full.h5 blanks.h5
    if addresses; then
        printf '\n### Section 4.2: near duplicates by address\n'
        "$python" "$here/nikkhoo_tables.py" addresses addresses.h5
    fi
    printf '\n### Figure 3.9: pairs that MapReduce #1 puts out\n\n'
    "$python" "$here/nikkhoo_tables.py" pairs shingles.txt
    printf '\n### Table 4.1: run-topics of %s made-up runs and %s made-up topics\n' \
        "$(find runs -name '*.run' | wc -l)" "$(wc -l <runs/topics.tsv)"
    prevalence --table shares --bound more-than >shares.tsv
    prevalence --table topics --rr 0.9,0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1 >topics.tsv
    "$python" "$here/nikkhoo_tables.py" prevalence shares.tsv topics.tsv
    printf '\nMade-up relevant documents: '
    prevalence --table relevant --qrels runs/qrels.txt | awk -F'\t' '$2 == "all" {
        printf "%d of %d (%.2f %%) are near duplicates of others; %d of %d that runs found (%.2f %%) " \
            "repeat one ranked earlier.\n", $5, $3, 100 * $6, $8, $7, 100 * $9 }'
} >tables.md
deliver tables.md "$out"
