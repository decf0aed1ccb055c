#!/bin/bash
# --docs-from: only the documents of a list are read. The result is that of a collection with these documents
# alone, at any number of ranks.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1
same="$PYTHON $here/../support/same_result.py --tables passages,pairs,common,skipped"

# Documents d1 to d40 in four files. Even ones share sentences with their neighbours. The list names
# d1 to d30 but for d7, and two that are not there.
for k in $(seq 1 40); do
    echo "{\"id\": \"d$k\", \"text\": \"$(sentences $((k / 2 * 10)) $((k / 2 * 10 + 9)) | tr '\n' ' ')\"}"
done >all.jsonl
split -n l/4 --additional-suffix .jsonl all.jsonl part.
grep -vE '"d(7|3[1-9]|40)"' all.jsonl >listed.jsonl
{
    printf 'nobody\r\n\ngh\033[31most\n'
    seq -f 'd%g' 30 -1 1 | grep -vx d7
} >list
gzip -k list
options="--preset texts --scratch . --compress none"

run detect $options -o want.h5 listed.jsonl
exits "the documents alone" 0
for np in 1 2 3; do
    run_np $np detect $options --docs-from list -o got$np.h5 part.*.jsonl
    exits "$np ranks" 0
    verdict "$np ranks: same result" $same want.h5 got$np.h5
    says "$np ranks: counted" "--docs-from list: 11 documents of the collection were left out"
    says "$np ranks: not found" '2 of the 31 ids of --docs-from list were not found: nobody gh\x1b[31most'
done
run detect $options --docs-from list.gz -o gz.h5 part.*.jsonl
verdict "a compressed list" $same want.h5 gz.h5
timeout "$RUN_SECONDS" "$PARDUP" detect $options --docs-from - -o stdin.h5 part.*.jsonl <list >out 2>err
verdict "standard input" $same want.h5 stdin.h5
run detect $options --docs-from list --limit-docs 5 -o limit.h5 part.*.jsonl
verdict "with --limit-docs" grep -qE "documents +5 " err
for command in text sentences; do
    run $command listed.jsonl
    cp out want
    run $command --docs-from list part.*.jsonl
    exits "$command" 0
    verdict "$command" cmp out want
    says "$command" "11 documents of the collection were left out"
    says "$command" "2 of the 31 ids"
done

# A document that is not wanted is not looked at: what is wrong with it is not told.
printf '{"id": "wanted", "text": "A text."}\n{"id": "other", "text": "\\u0000\\u0001\\u0002\\u0003"}\n' >bad.jsonl
echo wanted >one
run text --strict --docs-from one bad.jsonl
exits "a bad document that is left out" 0

# ---- what is wrong ----
bad() { # bad NAME STATUS TEXT ARGUMENT...
    run "${@:4}"
    exits "$1" "$2"
    one_error "$1"
    says "$1" "$3"
}
echo nobody >none
: >empty
bad "none found" 1 "--docs-from none: none of its 1 id is that of one of the 40 documents" \
    detect $options --docs-from none -o x.h5 all.jsonl
absent "none found" x.h5
bad "none found by text" 1 "none of its 1 id" text --docs-from none all.jsonl
bad "an empty list" 1 "--docs-from empty: no id in it" detect $options --docs-from empty -o x.h5 all.jsonl
bad "no list" 1 "nowhere: No such file" detect $options --docs-from nowhere -o x.h5 all.jsonl
bad "both from standard input" 2 "cannot both be standard input" \
    detect $options --docs-from - --files-from - -o x.h5
bad "--dry-run" 2 "--dry-run does not go with --docs-from" \
    detect $options --dry-run --docs-from list -o x.h5 all.jsonl

# ---- a checkpoint of another list is refused, even if the list has the same name ----
mkdir scratch
"$PARDUP" detect $options --scratch scratch --docs-from list -o r.h5 part.*.jsonl \
    >out 2>err </dev/null &
until compgen -G 'scratch/*/job' >/dev/null || ! kill -0 $! 2>/dev/null; do sleep 0.002; done
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
if compgen -G 'scratch/*/job' >/dev/null; then # else the job was faster
    echo d31 >>list
    bad "another list" 1 'the checkpoint is of another input: "--docs-from: 31 ids' \
        detect $options --scratch scratch --docs-from list --resume -o r.h5 part.*.jsonl
fi
finish
