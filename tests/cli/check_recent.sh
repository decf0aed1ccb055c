#!/bin/bash
# check --stdin keeps sources that it has read. Answers are those of a program that has read none, with much memory and little.
. "$(dirname "$0")/lib.sh"
mkdir sources
for k in $(seq 0 39); do sentences $((100 * k)) $((100 * k + 59)) >sources/s$k.txt; done

# A target shares some sentences with two sources, each at the begin, in the middle or at the end.
for n in $(seq 0 29); do
    first=$((n * 7 % 40 % (n % 3 * 10 + 4))) second=$((n * 11 % 40)) at=$((n % 3 * 26)) # some sources come again and again
    text=$({ sentences $((100 * first + at)) $((100 * first + at + 6)); echo "Own words of target number $n."; sentences $((100 * second + 30)) $((100 * second + 35)); } | tr '\n' ' ')
    printf '{"id": "t%s", "text": "%s"}\n' $n "$text"
done >targets

answers() { # answers OPTION... <LINES: to out
    timeout "$RUN_SECONDS" "$PARDUP" check --index index --stdin "$@" >out 2>err
    status=$?
}

compare() { # compare NAME OPTION-OF-INDEX...
    local name=$1 memory
    shift
    rm -rf index
    run index "$@" -o index sources
    exits "$name, index" 0
    for n in $(seq 30); do
        sed -n ${n}p targets | timeout "$RUN_SECONDS" "$PARDUP" check --index index --stdin
    done >alone
    verdict "$name: there are passages" [ "$(grep -c '"agreement":1}.*"agreement":1}' alone)" -gt 25 ]
    for memory in 1M 1G; do
        cat targets targets | answers --memory $memory
        exits "$name, $memory" 0
        verdict "$name, $memory: each answer is that of a program of its own" cmp -s out <(cat alone alone)
    done
}
compare "texts in the index" --method pdc-imatch --idf 0,1 --gamma 3 --with-text
compare "texts in files" --method pdc-imatch --idf 0,1 --gamma 3
compare "clauses" --method sentence-fp --gamma 3 --with-text
finish
