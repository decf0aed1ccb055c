#!/bin/bash
# An output replaces what pardup has written, and no file of somebody else. What a file is, its content tells.
. "$(dirname "$0")/lib.sh"

mkdir texts
for k in 1 2; do
    printf 'A long sentence that both of these documents have, word for word, from here to its end, and once more %s.\n' "$k" >texts/$k.txt
done
run detect --preset texts -o result.h5 texts
exits "a result" 0

# ---- a file of somebody else stays as it is ----
printf 'My essay, which nobody shall lose.\n' >essay.txt
printf 'doc\tnote\n1\tmine\n' >notes.tsv
printf '{"title": "mine"}\n' >mine.jsonl
printf '{"id": "1", "text": "A collection of mine.", "url": "http://a.example"}\n' >corpus.jsonl # names that tables of pardup have, too
printf 'id,words,text\n1,3,mine and yours\n' >corpus.csv
printf 'doc_a\tdoc_b\n1\t2\n' >labels.tsv
printf '<!DOCTYPE html><title>My page</title>\n' >page.html
printf '\211HDF\r\n\032\n and no more' >broken.h5
printf 'PAR1 of somebody PAR1' >table.parquet
/usr/bin/python3 -c 'import h5py; h5py.File("other.h5", "w")["data"] = [1, 2]' || cp broken.h5 other.h5
for file in essay.txt notes.tsv mine.jsonl corpus.jsonl corpus.csv labels.tsv page.html broken.h5 other.h5 table.parquet; do
    cp $file kept
    for command in "detect --preset texts" "compare" "report" "export" "families" "export --format parquet"; do
        inputs=result.h5
        [ "${command%% *}" != detect ] || inputs=texts
        [ "$command" != compare ] || inputs="texts/1.txt texts/2.txt"
        run $command -o $file $inputs
        says "$command -o $file" "$file: pardup has not written this file, which would be lost"
        verdict "$command -o $file: status, and the file" sh -c '[ "$1" -ne 0 ] && cmp -s kept "$2"' - "$status" $file
    done
done
run index -o index texts
for ranks in 1 2; do
    run_np $ranks check --index index -o essay.txt texts
    says "check, $ranks ranks" "essay.txt: pardup has not written this file"
    run_np $ranks detect --preset texts -o essay.txt texts
    says "detect, $ranks ranks" "essay.txt: pardup has not written this file"
    verdict "$ranks ranks: the file" grep -q "My essay" essay.txt
done
run detect --preset texts --force -o essay.txt texts
exits "--force" 0
verdict "--force replaces it" sh -c '! grep -q "My essay" essay.txt'

# ---- outputs of pardup are replaced, also by those of another kind ----
: >empty
run detect --preset texts -o empty texts
exits "an empty file" 0
for table in passages pairs documents files common families members document_families templates aside_spans skipped; do
    for format in tsv csv jsonl parquet; do
        run export --table $table --format $format -o out.$table.$format result.h5
        exits "$table as $format" 0
        run export --table $table --format $format -o out.$table.$format result.h5
        exits "$table as $format, again" 0
    done
done
run export --text 20 -o out.txt result.h5
run export --text 20 -o out.txt result.h5
exits "passages with texts, again" 0
run report -o out.html result.h5
run report -o out.html result.h5
exits "a page, again" 0
run families -o new.h5 result.h5
run families -o new.h5 result.h5
exits "families, again" 0
run families result.h5
exits "families into their result" 0
run detect --preset texts -o result.h5 texts
exits "a result, again" 0
run export --format tsv -o new.h5 result.h5
exits "a table in place of a result" 0

# ---- a folder of inputs that also holds what pardup wrote ----
mkdir -p desk/in desk/notes
cp texts/* desk/in
sentences 1 9 >desk/notes/a.txt
cp texts/* desk
run detect --preset texts -o desk/o.h5 desk
exits "the first result in the folder" 0
cp desk/o.h5 first.h5
for more in html csv jsonl parquet txt; do
    if [ "$more" = html ]; then run report -o desk/o.html desk/o.h5; else run export -o "desk/o.$more" desk/o.h5; fi
done
for np in 1 2; do
    run_np $np detect --preset texts -o desk/o.h5 desk
    exits "a second result, on $np ranks" 0
    says "a second result, on $np ranks" "6 files of pardup itself in folders of the input passed over: desk/o.csv ..."
    verdict "a second result, on $np ranks: the same" \
        "${PYTHON:-/usr/bin/python3}" "$here/../support/same_result.py" --tables documents,files,passages first.h5 desk/o.h5
done
run text desk
exits "text of the folder" 0
verdict "text of the folder: no page, no table" [ "$(grep -c 'desk/o[.]' out)" -eq 0 ]
printf 'id,text\nx,"A table of somebody else."\n' >desk/other.csv
cp desk/o.csv desk/notes/kept.csv # in a folder without a result nothing is looked into
run text desk
verdict "a table of somebody else is read" [ "$(grep -c 'A table of somebody else' out)" -eq 1 ]
verdict "a folder without a result is read whole" [ "$(grep -c 'kept.csv' out)" -ge 1 ]
run text desk/o.csv
verdict "a file that is named is read" grep -q doc_a out
finish
