#!/bin/bash
# scripts/verify/verify.py on web archives and mail folders: what dedup wrote is proven, and changed bytes are found. A certificate
# has a tree of the records of an archive.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}
verify=$here/../../scripts/verify/verify.py
check() { # check STATUS NAME ARGUMENT...
    local want=$1 name=$2
    shift 2
    $python "$verify" "$@" >out 2>err
    status=$?
    verdict "$name: exit status $status, $(tail -n 1 out)" [ $status -eq "$want" ]
}
texts() { # a web archive of plain texts: a copied run, a whole copy, records that hold no document
    $python - "$@" <<'END'
import sys
def sentences(a, b):
    return "".join(f"Sentence number w{k} speaks of x{k} and y{k} and z{k}.\r\n" for k in range(a, b))
def record(kind, name, content):
    sys.stdout.buffer.write(f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:{name}>\r\nContent-Type: text/plain\r\n"
                            f"Content-Length: {len(content)}\r\n\r\n".encode() + content + b"\r\n\r\n")
record("warcinfo", "info", b"software: none\r\n")
record("conversion", "one", sentences(1, 40).encode())
record("conversion", "empty", b"")
record("conversion", "two", (sentences(50, 60) + sentences(10, 20) + sentences(60, 70)).encode())
record("metadata", "about", b"fetchTimeMs: 5\r\n")
record("conversion", "copy", sentences(1, 40).encode())
record("conversion", "last", sentences(100, 120).encode())
END
}
texts >texts.warc
texts | gzip -n >packed.warc.gz
run synth --seed 3 --bytes 2M -o made
cp made/part-00000.warc.gz pages.warc.gz
letter() { printf 'From a@b.example Thu Jan  1 00:00:00 2026\nFrom: %s@b.example\nSubject: letter\n\n%s\n\n' "$1" "$2"; }
{ letter one "$(sentences 1 20)"; letter two "$(sentences 30 50)"; letter three "$(sentences 1 20)"; letter four "Short and alone."; } >letters.mbox
for name in texts.warc packed.warc.gz letters.mbox; do
    run detect --preset texts -o r.h5 $name
    for options in "--certificate" "--remove documents"; do
        rm -rf x x.proof
        run dedup $options -o x r.h5
        exits "$name $options" 0
        case $name in letters.mbox) gone="1 gone and 0 cut" ;; *) gone="1 gone and [01] cut" ;; esac
        check 0 "$name $options" --pardup "$PARDUP" $name x x.proof
        verdict "$name $options: documents go" grep -q "$gone" out
        [ $name = letters.mbox ] || check 0 "$name $options without pardup" $name x x.proof
    done
done
# Pages: their text needs pardup.
run detect --frame match --templates match -o pages.h5 pages.warc.gz
for np in 1 2 3; do
    rm -rf p p.proof
    run_np $np dedup --certificate -o p pages.h5
    exits "pages, $np ranks" 0
    cp p.proof/certificate.json certificate$np
done
verdict "certificates are the same at 1, 2 and 3 ranks" cmp certificate1 certificate2
verdict "certificates are the same at 1, 2 and 3 ranks" cmp certificate1 certificate3
check 0 "pages" --pardup "$PARDUP" pages.warc.gz p p.proof
check 3 "pages without pardup" pages.warc.gz p p.proof
verdict "a tree of all records" grep -q "\"records\":$(zcat p/pages.warc.gz | grep -ac '^WARC/1.0'),\"root\":" p.proof/certificate.json
$python - "$verify" "$PARDUP" >changes 2>err <<'END'
import contextlib, gzip, io, os, random, runpy, shutil, sys
verify, pardup = sys.argv[1:]
random.seed(5)
def found(*options):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        sys.argv = [verify, *options, "pages.warc.gz", "now", "now.proof"]
        try:
            runpy.run_path(verify, run_name="__main__")
        except SystemExit as end:
            return end.code == 1 and "fault: " in said.getvalue()
shutil.copytree("p.proof", "now.proof")
os.mkdir("now")
good = gzip.open("p/pages.warc.gz").read()
old = {record.name: record.raw for record in runpy.run_path(os.path.dirname(verify) + "/archives.py")["records"]("pages.warc.gz", "web archive", "", {b"\x1f\x8b": "gzip"})}
counts = {"certified": 0, "stored": 0, "uncut": 0}
for kind in ["certified"] * 20 + ["stored"] * 10 + ["uncut"] * 20:
    if (kind == "uncut") == os.path.exists("now.proof/certificate.json"):
        os.remove("now.proof/certificate.json")
    data = bytearray(open("p/pages.warc.gz", "rb").read() if kind == "stored" else good)
    place = random.randrange(len(data))
    if kind == "uncut":  # without a certificate: a byte of a record that is not cut
        record = random.choice([raw for raw in old.values() if raw in good])
        place = good.find(record) + random.randrange(len(record))
    data[place] ^= random.randrange(1, 256)
    with open("now/pages.warc.gz", "wb") as file:
        file.write(data if kind == "stored" else gzip.compress(bytes(data), 1))
    counts[kind] += bool(found())
print(counts)
END
verdict "50 changed bytes are found ($(cat changes))" grep -qF "{'certified': 20, 'stored': 10, 'uncut': 20}" changes
zcat p/pages.warc.gz | sed '0,/<p>/s/<p>/<p>Other words stand here. /' | gzip >changed.gz
cp p/pages.warc.gz whole.gz
mv changed.gz p/pages.warc.gz
rm p.proof/certificate.json
check 1 "words that were added to a page" --pardup "$PARDUP" pages.warc.gz p p.proof
finish
