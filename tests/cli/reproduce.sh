#!/usr/bin/env bash
# Each script of scripts/reproduce/ in its smallest form, as a stranger has it: without archives, with pages that
# pardup synth makes, or with a collection of one's own.
. "$(dirname "$0")/lib.sh"
reproduce=$(cd "$(dirname "$0")/../../scripts/reproduce" && pwd)
export PARDUP PARDUP_DATA=$PWD/nowhere RANKS=1 MADE=80 DOCUMENTS=40 SENTENCES=300 PAGES=60 QUERIES=8 CUTOFFS="0.1 1.0"

script() { # script NAME ROWS ARGUMENT...: it ends well, and prints a table of at least so many rows
    local name=$1 rows=$2
    shift 2
    "$reproduce/$name" "$@" >out 2>err </dev/null
    status=$?
    exits "$name $*" 0
    verdict "$name $*: at least $rows rows ($(grep -c '^|' out))" [ "$(grep -c '^|' out)" -ge "$rows" ]
}

script pdc-mr.sh 15
says "pdc-mr.sh" "pardup synth take its place"
row() { # row WHAT PATTERN: the last table has such a row
    verdict "$1" grep -Eq "$2" out
}

row "figure 8: mean signatures, more of them with more antecedents" '^\| mean signatures a sentence \| [0-9.]+ \| .* [1-9][0-9.]+ \|$'
script fig10.sh 8
script yoon.sh 8
row "figure 5: words that are left in a sentence" '^\| 1\.0 \| 0 \| [1-9][0-9]*\.[0-9]+ \|'
script wang-chang.sh 20 -w wang
row "table 2: a rate of collisions" '^\| SL-FP \| [0-9,]+ \| [0-9,]+ \| [0-9.]+ % \|$'
row "SG-63-Sym: a row of the search" '^\| SG-63-Sym \| [1-9][0-9]* \| '
# The rankings of SG-63 by a dictionary are those of check.
"$reproduce/shingle_ranking.py" --query-step 1 wang/reuters/SG-63 again wang/reuters/queries.jsonl -- wang/made-reuters/part-*
for ranking in again wang/reuters/SG-63; do
    awk -F'\t' 'NR > 1 { printf "%s %s %.9f\n", $1, $3, $4 }' $ranking/ranking.tsv | sort >"$(basename $ranking).scores"
done
verdict "SG-63 by a dictionary: the same $(wc -l <again.scores) scores" cmp again.scores SG-63.scores
verdict "SG-63: there are scores" [ "$(wc -l <again.scores)" -gt 20 ]
script nikkhoo.sh 20
row "table 3.2: seconds beside the published ones" '^\| 100 % \| 0\.0000 \| 1\.0000 .* [0-9.e-]+ \(750\) \|$'
row "blanks: resemblance moves" '^\| with blanks \| [1-9][0-9,]* \| .* \| 0\.0[0-9]+ \| [0-9.]+ \|$'
row "section 4.2: kinds of near duplicates by address" '^\| (another|one) host,? .* \| [1-9][0-9,]* \| [0-9.]+ % \|$'
script table3.sh 0
row "table 3: a passage to be read" '^--- 1: row [0-9]+ '
RANKS=1 "$reproduce/qsign.sh" -o qsign >out 2>err </dev/null
status=$?
exits "qsign.sh" 0
cp qsign.md out
row "figures 4 to 7: a table" '^\| reuters'
row "figures 5 and 7: baselines" '^\| SP \| diffbit 5'
# In texts with many similar sentences DivideSkip must find all, and PartEnum what a comparison of signatures finds.
near=$("$here/../support/make_collection.py" random near --near --seed 1 --documents 150)
"$PARDUP" sentences "$near" 2>err | "$reproduce/qsign_baselines.py" --queries 400 >out 2>>err
status=${PIPESTATUS[1]}
exits "qsign_baselines.py" 0
row "DivideSkip finds what the index of all words finds" '^\| D \| tau 0.6 \| 1.000 '
verdict "PartEnum finds what a comparison of signatures finds" awk -F'|' '
    $2 == " S " { least = $4 }
    $2 == " SP " { rows++; if ($4 < least) exit bad = 1 }
    END { exit bad || rows != 4 }' out

# a collection of one's own
"$PARDUP" synth --quiet --documents 80 --seed 9 --container jsonl -o own
"$PARDUP" synth --quiet --documents 80 --seed 10 --container jsonl -o posts
script pdc-mr.sh 15 own/part-*
prints "pdc-mr.sh with a collection" "$PWD/own/part-"
script wang-chang.sh 10 own/part-*
script table3.sh 0 own
row "table3.sh with a collection" '^--- 1: row [0-9]+ '
script yoon.sh 8 own posts

# ---- a published method under sbatch, without Slurm: it leaves what it was made of
export SLURM_JOB_ID=1 SLURM_SUBMIT_DIR="$reproduce/../.." LAUNCH=env
for paper in zhang yoon nikkhoo qsign wang; do
    bash "$SLURM_SUBMIT_DIR/slurm/reproduce.sbatch" $paper $paper.h5 own >out 2>err
    status=$?
    exits "reproduce.sbatch $paper" 0
    verdict "reproduce.sbatch $paper: the sum of the result" grep -q "^result: $(sha256sum $paper.h5)" $paper.h5.txt
    verdict "reproduce.sbatch $paper: the sums of the inputs" [ "$(grep -c '^input: ' $paper.h5.txt)" -eq "$(find own -type f | wc -l)" ]
done
bash "$SLURM_SUBMIT_DIR/slurm/reproduce.sbatch" nobody x.h5 own >out 2>err
status=$?
exits "reproduce.sbatch nobody" 2
finish
