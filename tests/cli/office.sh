#!/bin/bash
# Files as they come: docx, odt, pptx, epub, notebooks, and files that a converter makes text of.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONPATH=$here/../support PYTHONDONTWRITEBYTECODE=1

cat >makes.py <<'P'
import make_office as o, os, random, zipfile
essay = ["A Heading of the Essay", "The first paragraph\thas a tab & <signs>.\nA second line of it.",
         "The second paragraph  is quite another one."]
gone = '<w:p><w:r><w:delText>GONE</w:delText><w:instrText>GONE</w:instrText></w:r></w:p><w:p><w:moveFrom><w:r><w:t>GONE</w:t></w:r></w:moveFrom></w:p><mc:Fallback xmlns:mc="m"><w:p><w:r><w:t>GONE</w:t></w:r></w:p></mc:Fallback>'
odt_gone = '<text:tracked-changes><text:p>GONE</text:p></text:tracked-changes><text:p><office:annotation><text:p>GONE</text:p></office:annotation></text:p>'
known = dict(title="Tom & Jerry", author="Ada Lovelace", date="1843-10-01T00:00:00Z")
os.mkdir("one")
o.docx("one/a.docx", essay, ["A note at the foot."], gone, **known)
o.odt("one/a.odt", essay, ["A note at the foot."], odt_gone, **known)
o.pptx("one/a.pptx", ["Slide one\nits line", "Slide two", "Slide three"], **known)
o.epub("one/a.epub", ["Chapter one.\nMore of one.", "Chapter two.", "Chapter three."], **known)
o.ipynb("one/a.ipynb", ["# Head\ntext of it", "x = 1\nprint(x)"])
# Six documents with one passage in all of them.
rng = random.Random("office")
words = [a + b + c for a in ("ba", "ke", "li", "mo", "su") for b in ("ra", "ne", "ti", "lo") for c in ("n", "s", "l", "m")]
def sentence():
    return (" ".join(rng.choice(words) for _ in range(12))).capitalize() + "."
shared = [sentence() for _ in range(8)]
def own(lines=6):
    return [sentence() for _ in range(lines)]
os.mkdir("all")
def text():
    return [" ".join(own()), " ".join(shared), " ".join(own())]
o.docx("all/a.docx", text(), **known)
o.odt("all/b.odt", text(), title="Second")
o.pptx("all/c.pptx", ["\n".join(text())])
o.epub("all/d.epub", text())
o.ipynb("all/e.ipynb", ["\n\n".join(text())])
open("all/f.txt", "w").write("\n\n".join(text()) + "\n")
os.mkdir("pdf")
o.pdf("pdf/g.pdf", own() + [""] + shared + [""] + own())
o.pdf("pdf/-h.pdf", shared)
# By hand: no relationships, no type.
os.mkdir("hand")
with zipfile.ZipFile("one/a.docx") as z, zipfile.ZipFile("hand/a.docx", "w") as to:
    to.writestr("_rels/.rels", "<Relationships/>")
    to.writestr("word/document.xml", z.read("word/document.xml"))
with zipfile.ZipFile("one/a.odt") as z, zipfile.ZipFile("hand/a.odt", "w") as to:
    to.writestr("META-INF/manifest.xml", "<manifest/>")
    to.writestr("content.xml", z.read("content.xml"))
# What is no document.
os.mkdir("bad")
o.bomb("bad/bomb.docx")
whole = open("one/a.docx", "rb").read()
open("bad/cut.docx", "wb").write(whole[:len(whole) // 2])
damaged = bytearray(whole)
at = whole.index(b"word/document.xml") + len("word/document.xml") + 20
damaged[at:at + 40] = b"\xff" * 40
open("bad/damaged.docx", "wb").write(damaged)
with zipfile.ZipFile("plain.zip", "w") as z:
    z.writestr("a.txt", "no document")
open("bad.ipynb", "w").write('{"cells": [{"cell_type": "code", "source": ["x"')
P
"$PYTHON" makes.py
verdict "documents are made" test -s all/e.ipynb

# ---- the text ----
for kind in docx odt; do
    run text one/a.$kind
    head -n 4 out >wanted
    run text hand/a.$kind
    exits "made by hand, $kind" 0
    verdict "made by hand, $kind: the same text" cmp -s wanted <(head -n 4 out)
done
text_is() { # text_is NAME FILE: the text of a file is standard input
    cat >wanted
    run text "$2"
    verdict "$1: the text is read" test "$status" = 0
    verdict "$1: the text is right" "$PYTHON" -c 'import sys; sys.exit(open("out").read().strip() != open("wanted").read().strip())'
}
essay="A Heading of the Essay

The first paragraph has a tab & <signs>.
A second line of it.

The second paragraph is quite another one.

A note at the foot."
text_is docx one/a.docx <<<"$essay"
text_is odt one/a.odt <<<"$essay"
text_is pptx one/a.pptx <<<$'Slide one\n\nits line\n\nSlide two\n\nSlide three'
text_is epub one/a.epub <<<$'Chapter one.\n\nMore of one.\n\nChapter two.\n\nChapter three.'
text_is ipynb one/a.ipynb <<<$'# Head\ntext of it\n\nx = 1\nprint(x)'

# ---- a collection of all kinds ----
job=(detect --preset texts --keep-fields title,author,date --reproducible)
run "${job[@]}" -o all.h5 all
exits "all kinds" 0
says "all kinds: the summary counts them" "files made into text: 1 docx, 1 odt, 1 pptx, 1 epub, 1 notebook"
run export --table pairs -o pairs.csv all.h5
verdict "all kinds: each pair shares the passage" test "$(wc -l <pairs.csv)" = 16
run export --table documents -o documents.csv all.h5
verdict "docx: title, author and date are kept" grep -q 'Tom & Jerry.*Ada Lovelace.*1843-10-01T00:00:00Z' documents.csv
verdict "odt: a title is kept" grep -q 'b.odt.*Second' documents.csv
run export --text 2000 -o passages.csv all.h5
verdict "all kinds: offsets count in the text that is shown" "$PYTHON" -c '
import csv, subprocess, sys
texts = {}
def text(name):
    if name not in texts:
        texts[name] = subprocess.run([sys.argv[1], "text", name], capture_output=True).stdout
    return texts[name]
rows = list(csv.DictReader(open("passages.csv")))
assert rows
for r in rows:
    for side in "ab":
        cut = text(r["id_" + side])[int(r["begin_" + side]):int(r["end_" + side])].decode()
        assert " ".join(cut.split()) == " ".join(r["text_" + side].split()), (r, cut)
' "$PARDUP"
for n in 2 4; do
    run_np "$n" "${job[@]}" -o "all$n.h5" all
    exits "all kinds on $n ranks" 0
    verdict "all kinds: the same bytes on $n ranks" cmp all.h5 "all$n.h5"
done
run compare all/a.docx all/b.odt
prints "compare a docx and an odt" "passage"

# ---- copies taken out ----
run dedup --remove passages -o cut all.h5
verdict "parts of an office document are not cut out" test "$status" = 1
says "parts of an office document are not cut out" "--remove documents"
cp one/a.docx all/g.docx && cp one/a.docx all/h.docx
run "${job[@]}" -o twice.h5 all
run dedup --remove documents -o whole twice.h5
exits "office documents are left out whole" 0
verdict "office documents are left out whole: the copy is gone" test -e whole/g.docx -a ! -s whole/h.docx
verdict "office documents are left out whole: others are as they were" cmp whole/g.docx one/a.docx
rm all/g.docx all/h.docx

# ---- what is no document ----
run detect -o bad.h5 all bad
exits "bad files are skipped" 0
says "a bomb" "bomb.docx: byte 0: the parts of the document are too large"
says "a cut archive" "cut.docx: byte 0: a zip archive or office document that is damaged"
says "a damaged archive" "damaged.docx: byte 0: a zip archive or office document that is damaged"
run detect -o bad.h5 all plain.zip
exits "a plain zip archive" 1
says "a plain zip archive" "plain.zip"
run text bad.ipynb
says "a broken notebook" "bad.ipynb: byte 0: a notebook without a list of cells"

# ---- converters ----
mkdir bin
cat >bin/makes_text <<'P'
#!/bin/sh
# What it is called with, then the file; fails for files that say so.
grep -q FAIL "$1" && { echo "this file is broken" >&2; exit 3; }
grep -q ENDLESS "$1" && exec yes
echo "called with $# words."
cat "$1"
P
chmod +x bin/makes_text
PATH=$PWD/bin:$PATH
printf 'Converted text.\n' >"a b.foo"
echo FAIL >fails.foo
echo ENDLESS >endless.foo
run text --convert 'foo=makes_text {} $(touch made) ;x' "a b.foo"
exits "a converter of one's own" 0
verdict "a converter of one's own: words are split, the path is one" grep -q "called with 4 words" out
verdict "a converter runs without a shell" test ! -e made
run detect --convert '.FOO=makes_text {}' --max-document 1M -o conv.h5 all "a b.foo" fails.foo endless.foo
exits "converters" 0
says "converters are counted and named" "1 FOO (makes_text)"
says "a converter fails" "fails.foo: byte 0: makes_text makes no text of it: it ended with status 3: this file is broken"
says "a converter that prints without end" "endless.foo: byte 0: makes_text makes too much text of it"
run text --convert 'foo=no_such_program {}' "a b.foo"
says "a converter that is not there" "--convert foo: there is no program no_such_program"
for wrong in foo 'foo=' 'foo=cat' '=cat {}'; do
    run text --convert "$wrong" all/f.txt
    exits "--convert $wrong" 2
done
printf '\xd0\xcf\x11\xe0 an old document' >old.doc
printf '#!/bin/sh\nexit 1\n' >bin/antiword
printf '#!/bin/sh\necho The next converter has read it.\n' >bin/catdoc
chmod +x bin/antiword bin/catdoc
run detect -o old.h5 old.doc
says "the first converter of a kind fails: the next one is called" "1 doc (catdoc)"
run text old.doc
prints "the first converter fails: the text" "The next converter has read it."
rm bin/antiword bin/catdoc
(PATH=$PWD/bin:/nowhere; "$PARDUP" text pdf/g.pdf) >out 2>err
verdict "a PDF without pdftotext" grep -q "g.pdf: byte 0: a file of type pdf needs pdftotext, which is not installed (Debian, Ubuntu: poppler-utils)" err

if command -v pdftotext >/dev/null; then
    (cd pdf && "$PARDUP" text -- -h.pdf) >out 2>err
    verdict "a PDF whose name begins with a dash" test -s out
    run "${job[@]}" -o pdf.h5 all pdf
    exits "PDF" 0
    says "PDF is counted" "2 pdf (pdftotext)"
    run export --table pairs -o pairs.csv pdf.h5
    verdict "PDF shares the passage with all kinds" test "$(wc -l <pairs.csv)" = 29
    run_np 2 "${job[@]}" -o pdf2.h5 all pdf
    verdict "PDF: the same bytes on 2 ranks" cmp pdf.h5 pdf2.h5
    verdict "PDF: no rank warns of a fork" test ! -s err -o -z "$(grep -i fork err)"
    run compare all/a.docx pdf/g.pdf
    prints "compare a docx and a PDF" "passage"
    mkdir other
    cp pdf/g.pdf other/essay.txt
    { printf '\357\273\277\n'; cat pdf/g.pdf; } >other/essay.html
    run text other
    verdict "a PDF by another name, and behind a mark" test "$(grep -c . out)" -ge 2 -a "$(grep -c '%PDF' out)" = 0
    run detect --progress none -o other.h5 other
    says "a PDF by another name is told" "2 pdf (pdftotext)"
    printf '%%PDF-1.4\nbroken' >broken.pdf
    run text broken.pdf
    says "a broken PDF" "broken.pdf: byte 0: pdftotext makes no text of it"
else
    echo "skipped: no pdftotext, so no PDF is read"
fi
finish
