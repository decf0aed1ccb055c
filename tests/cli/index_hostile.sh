#!/bin/bash
# Indexes of strangers: options that an index does not keep, and numbers that its files do not bear out. Each is refused
# in one line, and no file of the user changes.
. "$(dirname "$0")/lib.sh"
RUN_SECONDS=${RUN_SECONDS:-20}
python=/usr/bin/python3
$python -c 'import ctypes; ctypes.CDLL("libxxhash.so.0")' 2>/dev/null || exit 77

mkdir in made
sentences 1 30 >in/a.txt
sentences 10 40 >in/b.txt
sentences 5 35 >t.txt
run index -o good.index in
exits "a good index" 0
echo precious >victim
$python "$here/../support/hostile_indexes.py" good.index made "$PWD/victim" >list 2>err
verdict "hostile indexes are made" [ "$(wc -l <list)" -gt 40 ]
while IFS=$'\t' read -r name words; do
    run check --index made/"$name" --show t.txt
    verdict "$name, check: no crash, no hang (was $status)" [ "$status" -le 1 ]
    verdict "$name, check: one error at most" [ "$(grep -c error err)" -le 1 ]
    if [ "$words" != - ]; then
        exits "$name" 1
        one_error "$name"
        says "$name" "$words"
    fi
    run index --add -o made/"$name" t.txt
    verdict "$name, index --add: no crash, no hang (was $status)" [ "$status" -le 1 ]
    verdict "$name, index --add: one error at most" [ "$(grep -c error err)" -le 1 ]
    [ "$words" = - ] || says "$name, index --add" "$words"
    verdict "$name: the user's file is whole" [ "$(cat victim)" = precious ]
    rm -rf made/"$name"
done <list
run check --index good.index --show t.txt
exits "the index that they were made of" 0
finish
