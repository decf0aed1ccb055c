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
add_three() { # add_three INDEX: three segments more, so that the next one is merged with them
    for k in 1 2 3; do
        sentences $((10 * k)) $((10 * k + 9)) >"$k.txt"
        run index --add -o "$1" "$k.txt"
        exits "add $k to $1" 0
    done
}
run index -o good.index in
exits "a good index" 0
add_three good.index
echo precious >victim
$python "$here/../support/hostile_indexes.py" good.index made "$PWD/victim" >list 2>err
verdict "hostile indexes are made" [ "$(wc -l <list)" -gt 40 ]
try() { # try: check with each index of the list, and add to it, which merges its segments
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
}
try
run index --method pdc-shingle2 --tau 0.5 --gamma 1 -o sets.index in
add_three sets.index
$python "$here/../support/hostile_indexes.py" sets.index made sets >list 2>err
verdict "hostile sets are made" [ "$(wc -l <list)" -gt 20 ]
try
run check --index good.index --show t.txt
exits "the index that they were made of" 0
finish
