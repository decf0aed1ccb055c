#!/bin/bash
# Files of strangers: a result that is not what it says, a pipe or a device under the name of a file, control
# characters in ids, names and text. Each is refused in one line that names the file, or made harmless.
. "$(dirname "$0")/lib.sh"
RUN_SECONDS=20
python=/usr/bin/python3
$python -c 'import h5py, numpy' 2>/dev/null || python=python3
$python -c 'import h5py, numpy' 2>/dev/null || exit 77

mkdir in results
sentences 1 30 >in/a.txt
sentences 10 40 >in/b.txt
run detect -o good.h5 in
exits "a good result" 0

# ---- results that are not what they say ----
$python "$here/../support/hostile_results.py" good.h5 results >list 2>err
verdict "hostile results are made" [ "$(wc -l <list)" -gt 30 ]
while IFS=$'\t' read -r name table words; do
    for command in show "export --table passages" "export --table documents"; do
        run $command results/$name.h5
        verdict "$name, $command: no crash, no hang (was $status)" [ "$status" -le 1 ]
        verdict "$name, $command: nothing of another file" sh -c '! grep -q the-secret-text out err'
        verdict "$name, $command: one line" [ "$(wc -l <err)" -le 1 ]
    done
    [ "$words" != - ] || continue
    command=show
    [ "$table" = show ] || command="export --table $table"
    run $command results/$name.h5
    exits "$name" 1
    one_error "$name"
    says "$name" "results/$name.h5: "
    says "$name" "$words"
done <list
run show results/text-longer.h5
exits "a document of another length" 1
says "a document of another length" "document in/a.txt has changed since the result was made"
printf 'in/a.txt\t0\t50\tin/b.txt\t0\t50\n' >truth
for name in no-document text-for-number rows-2e61; do
    run eval --truth truth results/$name.h5
    exits "eval $name" 1
    one_error "eval $name"
    says "eval $name" "results/$name.h5: "
done
run show results/good.h5
exits "the result that they were made of" 0
prints "the result that they were made of" "units matched"

# ---- pipes and devices under the names of files ----
mkfifo pipe
for what in pipe /dev/zero /dev/null; do
    for command in show export "eval --truth truth" "detect -o x.h5" text sentences; do
        run $command $what
        exits "$command $what" 1
        one_error "$command $what"
        says "$command $what" "$what: "
    done
done
for what in pipe /dev/zero; do
    for option in --files-from --stop-words --antecedents; do
        run detect -o x.h5 --method spotsigs-doc $option $what in
        exits "$option $what" 1
        one_error "$option $what"
        says "$option $what" "$what: "
    done
    run eval --truth $what good.h5
    exits "--truth $what" 1
    says "--truth $what" "$what: "
done
run_np 3 detect -o x.h5 --files-from pipe
exits "--files-from a pipe, 3 ranks" 1
one_error "--files-from a pipe, 3 ranks"
timeout 20 "$PARDUP" detect -o x.h5 --files-from <(find in -name '*.txt') >out 2>err
status=$?
exits "--files-from <(find)" 0
timeout 20 "$PARDUP" eval --truth <(sleep 0.3; cat truth) good.h5 >out 2>err
status=$?
exits "--truth <(slow)" 0
finish
