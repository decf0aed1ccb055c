#!/bin/bash
# Files of earlier releases (tests/old): each command that reads results or indexes reads them, or says in one line
# which command makes them anew. What it reads is judged by the collection that the files were made from.
. "$(dirname "$0")/lib.sh"
old=$here/../old
py=/usr/bin/python3

# reads NAME ARGUMENT...: it does what it does with a file of its own, and says no error.
reads() {
    local name=$1
    shift
    run "$@"
    exits "$version, $name" 0
    verdict "$version, $name: no error" [ "$(grep -c 'error' err)" -eq 0 ]
}

# tells NAME COMMAND ARGUMENT...: one line that names the command that makes the file anew.
tells() {
    local name=$1 command=$2
    shift 2
    run "$@"
    exits "$version, $name" 1
    one_error "$version, $name"
    says "$version, $name" "$command"
}

# Rows of `export --format jsonl --text N`: are the texts those of the documents?
quotes() { # quotes ROWS FILES_OF_A FILES_OF_B
    "$py" - "$@" <<'END'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
texts = [{d["id"]: d["text"] for d in map(json.loads, open(name))} for name in sys.argv[2:]]
for row in rows:
    for side, known in zip("ab", texts):
        assert row["text_" + side] and row["text_" + side] in known[row["id_" + side]], row
print(sorted({(row["id_a"], row["id_b"]) for row in rows}))
END
}

releases=0
for archive in "$old"/*.tar.gz; do
    version=$(basename "$archive" .tar.gz)
    releases=$((releases + 1))
    mkdir "$version"
    cd "$version" || exit 1
    tar xf "$archive"
    cp "$old"/*.jsonl .

    reads "export of detect" export --format jsonl --text 100000 detect.h5
    quotes out texts.jsonl texts.jsonl >pairs 2>err
    verdict "$version: copies of detect" [ "$(cat pairs)" = "[('text1', 'text11'), ('text1', 'text3'), ('text2', 'text5'), ('text3', 'text11')]" ]
    reads "export of check" export --format jsonl --text 100000 check.h5
    quotes out texts.jsonl sources.jsonl >pairs 2>err
    verdict "$version: copies of check" [ "$(cat pairs)" = "[('text7', 'source4'), ('text9', 'source6')]" ]

    printf 'text1\ttext3\n' >truth
    for result in detect check; do
        reads "show of $result" show "$result.h5"
        reads "show of rows of $result" show --by-passage "$result.h5"
        reads "report of $result" report -o "$result.html" "$result.h5"
        reads "mosaic of $result" eval --mosaic "$result.h5"
        reads "families of $result" families -o "$result.new.h5" "$result.h5"
        reads "families of $result, shown" show "$result.new.h5"
        reads "dedup of $result" dedup -o "clean.$result" "$result.h5"
        verdict "$version, dedup of $result: something went" [ "$(cat "clean.$result"/* | wc -w)" -lt "$(wc -w <texts.jsonl)" ]
        for table in passages pairs documents members document_families common; do
            reads "$table of $result" export --table "$table" "$result.h5"
        done
        case $version in
        0.[12].*) tells "aside of $result" "/common and /templates instead" export --table aside "$result.h5" ;;
        *) reads "aside of $result" export --table aside "$result.h5" ;;
        esac
        if "$py" -c 'import sys; sys.exit(sys.argv[1] not in ("0.1.0", "0.2.0"))' "$version"; then
            tells "families of $result" "pardup families" export --table families "$result.h5"
            tells "aside_spans of $result" "made anew by its command" export --table aside_spans "$result.h5"
        else
            reads "families of $result" export --table families "$result.h5"
        fi
        reads "families of $result made anew" export --table families "$result.new.h5"
    done
    reads "quotations" export --table quotations detect.h5
    reads "explain" explain detect.h5 text1 text3
    reads "decisions" export --table decisions check.h5
    verdict "$version: the whole copy is a duplicate" grep -qP '\ttext9\b' out
    reads "ranking" export --table ranking check.h5

    cp -a sources.index before
    for command in "check --index sources.index -o new.h5 texts.jsonl" "check --index sources.index --show texts.jsonl" \
        "detect --known sources.index -o new.h5 texts.jsonl" "index --add -o sources.index texts.jsonl" \
        "index --refresh -o sources.index"; do
        tells "$command" "pardup index -o" $command
    done
    verdict "$version: the index is as it was" diff -r before sources.index
    absent "$version: no result of it" new.h5
    reads "another index in its place" index -o sources.index sources.jsonl
    reads "check by it" check --index sources.index -o new.h5 texts.jsonl
    cd ..
done
verdict "releases" [ "$releases" -ge 2 ]

# A damaged index is made anew in its place, too; a folder of somebody else stays.
version=now
cp "$old"/*.jsonl .
reads "an index" index -o damaged sources.jsonl
printf 'X' | dd of=damaged/manifest bs=1 seek=40 conv=notrunc 2>err
tells "a damaged index" "make the index again" check --index damaged -o new.h5 texts.jsonl
reads "a damaged index, made anew" index -o damaged sources.jsonl
reads "a check by it" check --index damaged -o new.h5 texts.jsonl
verdict "nothing is left of the damaged one" [ "$(ls damaged | wc -l)" -eq 4 ]
mkdir foreign
echo "a list of what is in a ship" >foreign/manifest
tells "a manifest of somebody else" "no file of an index" index -o foreign sources.jsonl
verdict "it stays" grep -qx "a list of what is in a ship" foreign/manifest
finish
