#!/bin/bash
# check with joins that compare sets finds exactly what detect --against finds, whatever the ranks; after --add; in damaged sets.
. "$(dirname "$0")/check_sides.sh"
for ranks in 1 2 4; do
    agrees "jaccard" $ranks --method pdc-shingle2 --tau 0.5 --gamma 1
done
for file in $(cd index.1 && ls); do
    verdict "jaccard: 1, 2 and 4 ranks make the same $file" cmp -s index.1/$file index.2/$file
    verdict "jaccard: 1, 2 and 4 ranks make the same $file" cmp -s index.1/$file index.4/$file
done
agrees "overlap" 2 --method qsign-exact --theta-d 0 --gap 1
printf '%s\n' number speaks of and in >spots
agrees "spots" 3 --method pdc-spotsigs --antecedents spots --tau 0.4 --gamma 0 --gap 2
agrees "any signature in common" 1 --method pdc-shingle2 --tau 0 --gamma 1
agrees "whole documents" 2 --units document --feature shingle --ngram 3 --join jaccard --tau 0.2 --gamma 0 --copies report
agrees "shingles of bytes" 2 --method nikkhoo --tau 0.2 --min-passage-words 0
agrees "shingles of bytes of sentences" 3 --feature bytes --shingle-bytes 12 --join jaccard --tau 0.5 --gamma 1

# Sources that come in steps, of which some are merged, answer as sources that came at once.
how="--method pdc-shingle2 --tau 0.5 --gamma 1 --max-df 3"
mkdir steps
cp sources/* steps
rm -rf stepwise whole
run index $how -o whole sources
for k in 0 1 2 3 4 5 6 7 9; do
    [ -e stepwise ] && how=--add
    run index $how -o stepwise steps/s$k.txt
    exits "step $k" 0
done
run index --add -o stepwise steps/repeats.txt
verdict "segments are merged" [ "$(ls stepwise | grep -c segment)" -le 5 ]
run check --index whole -o whole.h5 targets
exits "whole" 0
run check --index stepwise -o steps.h5 targets
exits "stepwise" 0
names() { # names TABLE RESULT: rows with ids in place of numbers
    run export --table $1 $2
    sed 's,steps/,sources/,' out | awk -F'\t' -v OFS='\t' 'NR > 1 {$1 = $2 = ""; print}' | sort
}
for table in passages pairs; do
    names $table whole.h5 >expected
    names $table steps.h5 >got
    verdict "sources in steps: $table" cmp -s expected got
    verdict "sources in steps: there are $table" [ "$(wc -l <got)" -ge 5 ]
done

# Each byte of the tables of sets counts.
segment=$(ls whole | grep segment)
size=$(stat -c %s "whole/$segment")
for at in $(seq 1000 1531 "$size"); do
    rm -rf broken
    cp -r whole broken
    byte=$(od -An -tu1 -j"$at" -N1 "broken/$segment")
    printf "$(printf '\\x%02x' $((byte ^ 255)))" | dd of="broken/$segment" bs=1 seek="$at" conv=notrunc status=none
    run check --index broken -o x.h5 targets
    verdict "byte $at flipped: status (was $status)" [ "$status" -eq 1 ]
    says "byte $at flipped" "broken/$segment"
done
# If all words are antecedents, so are those that no source has: they begin spots, and two texts are less alike.
mkdir spot spot/targets spot/sources
echo "Hamu vazu in riki dilo the." >spot/targets/a.txt
echo "In riki dilo the in in." >spot/sources/b.txt
echo "Other words stand here, nothing else." >spot/sources/c.txt
for least in 10000 9; do
    how="--feature spot --antecedents $least --stop-words english --spot-distance 2 --spot-chain 1 --join jaccard --tau 0.5 --gamma 0"
    run detect $how --against spot/sources -o spot.against.h5 spot/targets
    run export spot.against.h5
    tail -n +2 out | cut -f1-14 >expected
    rm -rf spot.index
    run index $how -o spot.index spot/sources
    run check --index spot.index -o spot.h5 spot/targets
    run export spot.h5
    verdict "--antecedents $least: words that no source has" cmp -s expected <(tail -n +2 out | cut -f1-14)
done
finish
