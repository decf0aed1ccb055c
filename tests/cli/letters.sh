#!/bin/bash
# The frame of a letter: header, signature, quoted heads. The judge finds it from the definition in letters made at random.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
judge=$(dirname "$0")/../support/oracle_letter.py

"$PYTHON" "$judge" make 3000 7 >letters.jsonl
"$PARDUP" sentences letters.jsonl >whole
"$PARDUP" sentences --frame aside letters.jsonl >left
verdict "the judge finds the same frames" "$PYTHON" "$judge" judge letters.jsonl whole left

# two letters of one author: their text differs, what stands around it is the same
mkdir mail
for who in Anna Berta; do
    { printf 'From: me@here.org (A Writer of Letters)\nOrganization: The Long Hall of Old Books, Upper Town\n\n'
      [ $who = Anna ] && printf 'The sea is loud.\n' || printf 'Rain fell on stone.\n'
      printf -- '-- \nA Writer of Letters, the Long Hall, Upper Town\nAll that is gold does not glitter, and not all who wander are lost.\n'
    } >mail/$who.txt
done
for how in match aside; do
    for ranks in 1 2 3; do
        run_np $ranks detect --preset texts --frame $how -o $how.$ranks.h5 mail
        exits "$how, $ranks ranks" 0
        "$PARDUP" export $how.$ranks.h5 >$how.$ranks.csv
    done
    verdict "$how: the same at any number of ranks" cmp $how.1.csv $how.2.csv
    verdict "$how: the same at 3 ranks" cmp $how.1.csv $how.3.csv
done
verdict "a signature matches" test "$(wc -l <match.1.csv)" -gt 1
verdict "set aside it does not" test "$(wc -l <aside.1.csv)" -eq 1
verdict "the summary tells it" grep -q "menus and frame: [0-9]* of [0-9]* sentences aside" err
finish
