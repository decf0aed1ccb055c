#!/bin/bash
# --include and --exclude: which files of folders are read; the others are counted.
. "$(dirname "$0")/lib.sh"
mkdir -p in/sub/deep other
for name in a.txt b.html sub/c.txt sub/deep/d.txt sub/e.md; do sentences 1 3 >in/$name; done
sentences 1 3 >other/f.txt
ids() { # ids NAME WANTED OPTION...: the documents of a job
    local name=$1 want=$2
    shift 2
    run detect --progress none -o out.h5 "$@"
    exits "$name" 0
    cp err told
    run export --table documents out.h5
    verdict "$name: $want" [ "$(cut -f 1 out | tail -n +2 | tr '\n' ' ')" = "$want " ]
    cp told err
}
ids "all" "in/a.txt in/b.html in/sub/c.txt in/sub/deep/d.txt in/sub/e.md" in
ids "one ending" "in/a.txt in/sub/c.txt in/sub/deep/d.txt" --include '*.txt' in
says "one ending" "--include, --exclude: 2 files of folders are left out"
ids "two endings" "in/a.txt in/b.html in/sub/c.txt in/sub/deep/d.txt" --include '*.txt' --include '*.html' in/
ids "a folder" "in/a.txt in/b.html" --exclude 'sub/*' in
says "a folder" "3 files of folders are left out"
ids "exclude wins" "in/sub/c.txt in/sub/e.md" --include 'sub/*' --exclude '*/deep/*' in
ids "a file that is named is read" "in/b.html in/a.txt" --include '*.txt' --exclude 'sub/*' in/b.html in
ids "each folder has its paths" "in/sub/c.txt other/f.txt" --include '?.txt' in/sub other
echo in >list
ids "a list" "in/a.txt in/sub/c.txt in/sub/deep/d.txt" --include '*.txt' --files-from list

# ---- files beside texts that make a large family ----
for k in 1 2 3; do
    mkdir -p "repo/r$k"
    sentences "${k}1" "${k}3" >"repo/r$k/text.tei"
    sentences 100 104 >"repo/r$k/README.md"
done
run detect -o out.h5 repo
says "files beside texts" "3 files called as repo/r1/README.md are in families of whole documents: --include '*.tei' reads texts alone"
run detect -o out.h5 --include '*.tei' repo
verdict "texts alone" eval '! grep -q "reads texts alone" err'
rm repo/r3/README.md
run detect -o out.h5 repo
verdict "two are not told" eval '! grep -q "reads texts alone" err'

for k in 1 2 3; do sentences "${k}20" "${k}26" >"repo/r$k/README.md"; done
for k in 1 2 3; do sentences 60 66 >"repo/r$k/copy.tei"; done
run detect -o out.h5 repo
says "a family of texts" "the largest has 3"
verdict "files beside texts that are no copies are not told" eval '! grep -q "reads texts alone" err'

# ---- what is not read is told ----
mkdir beside
sentences 1 3 >beside/text.txt
ln -s nowhere beside/nowhere
ln -s itself beside/itself
ln -s ../in beside/in
ln -s ../in/a.txt beside/file
mkfifo beside/pipe
ids "beside files" "beside/file beside/text.txt" beside
says "beside files" "links to folders (name a link to follow it): 1"
says "beside files" "links that lead nowhere: 2"
says "beside files" "pipe: left out: pipes, sockets or devices: 1"

# ---- what programs keep beside texts ----
mkdir -p clones/r1/.git/objects clones/r2/.svn clones/r2/node_modules/a clones/r2/.ipynb_checkpoints clones/r2/.venv
for name in r1/text.txt r1/.git/config r2/text.txt r2/.svn/entries r2/node_modules/a/README r1/text.txt~ \
    r1/.text.txt.swp 'r2/#text.txt#' r2/.#text.txt r2/._text.txt r2/Thumbs.db r2/.hidden '~user.txt' r1/.gitignore \
    r2/.gitattributes r2/.ipynb_checkpoints/text.txt r2/.venv/README '~$text.docx' r2/venv.txt; do
    sentences 1 3 >"clones/$name"
done
printf '\0\0\1' | tee clones/.DS_Store clones/r1/.git/index >clones/r2/desktop.ini
ids "clones" "clones/r1/text.txt clones/r2/.hidden clones/r2/text.txt clones/r2/venv.txt clones/~user.txt" clones
says "clones" "left out: files that programs keep beside texts, such as .git (name one to read it): 16"
rm clones/r1/.git/index
ids "a history that is named" "clones/r1/.git/config" clones/r1/.git

run detect --progress none -o one.h5 --include "*.txt" in
run_np 2 detect --progress none -o two.h5 --include '*.txt' in
verdict "the same at 2 ranks" "${PYTHON:-/usr/bin/python3}" "$here/../support/same_result.py" --tables documents,files,passages one.h5 two.h5
run text --include 'a.*' in
exits "text" 0
run detect --progress none -o none.h5 --include '*.pdf' in
exits "nothing left" 1
one_error "nothing left"
says "nothing left" "in: no files in it: --include, --exclude leave out all 5"
absent "nothing left" none.h5
run detect --progress none -o none.h5 --against other --exclude 'f*' in
exits "no sources left" 1
says "no sources left" "other: no files in it (--against): --include, --exclude leave out all 1"
finish
