# Shared by check.sh and check_sets.sh (sourced): targets and sources, and what both commands find between them.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# Targets and sources that share runs of sentences with each other and among themselves.
mkdir targets sources
for k in $(seq 0 7); do
    { sentences $((100 * k)) $((100 * k + 9)); sentences $((100 * k + 50)) $((100 * k + 55)); } >sources/s$k.txt
    { sentences $((9000 + k)) $((9003 + k)); sentences $((100 * (k / 2))) $((100 * (k / 2) + 7)); } >targets/t$k.txt
done
cp sources/s3.txt sources/s9.txt
cp sources/s5.txt targets/copy.txt
{ echo "Some other words come first here."; sentences 302 304; echo "An inserted line of text."; sentences 305 308; } >targets/gap.txt
sed 's/its own words/the words of others/' sources/s6.txt >targets/edited.txt # edges: the begin of each sentence agrees
{ sentences 202 206 | sed '1s/^.*speaks/Now it speaks/; $s/in its own words/and ends/'; } >targets/edges.txt
for k in $(seq 30); do echo "This same line stands here again and again."; done | tee sources/repeats.txt >targets/repeats.txt
targets=$(ls targets | wc -l) # their numbers come first, so source n is document targets + n of a job over both

index_only="--templates match" # options of index alone
# agrees NAME RANKS OPTION...: `check` against an index, with any number of ranks, finds what `detect --against` finds.
# Passages and pairs are equal when the numbers of sources are shifted; families are equal as sets. More than 7 rows are expected,
# so that two empty tables do not pass.
agrees() {
    local name=$1 ranks=$2 table
    shift 2
    run_np 2 detect "$@" --templates match --against sources -o against.h5 targets
    exits "$name, against" 0
    rm -rf index
    run_np "$ranks" index "$@" $index_only -o index sources
    exits "$name, index" 0
    run_np "$ranks" check --index index -o check.h5 targets
    exits "$name, check" 0
    for table in passages pairs; do
        rows $table against.h5
        awk -F'\t' -v OFS='\t' -v t="$targets" 'NR > 1 {$2 -= t} {print}' out >expected
        rows $table check.h5
        verdict "$name, $ranks ranks: $table" cmp -s expected out
        verdict "$name: there are $table" [ "$(wc -l <expected)" -gt 8 ]
    done
    verdict "$name, $ranks ranks: families" "${PYTHON:-/usr/bin/python3}" "$here/../support/check_families.py" against.h5 check.h5
    rm -rf "index.$ranks"
    cp -r index "index.$ranks"
}
