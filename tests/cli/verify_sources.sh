#!/bin/bash
# scripts/verify/verify.py: removals that are proved by text outside of the collection. Sources of detect --against, earlier months in a
# store of --known, and an index of check are read again, and each change of them or of the lines about them is found.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}
verify=$here/../../scripts/verify/verify.py
doc() { printf '{"id":"%s","text":"%s", "n": [1.50, {"text":"é"}]}\n' "$1" "${2//$'\n'/\\n}"; }
edited() { sentences "$1" "$2" | sed '0~3s/speaks of/talks about/'; }
mkdir -p months/{1,2,3} items/more
{ doc one "$(sentences 1 30)" && echo '{"id":"no text"}' && doc two "$(sentences 40 60)"; } >months/1/a.jsonl
sentences 100 130 | gzip -n >months/1/text.txt.gz
{ doc three "$(sentences 1 30)" && doc four "Mine."$'\n'"$(edited 45 60)" && doc five "$(sentences 70 90)"; } >months/2/a.jsonl
{ doc six "$(sentences 70 90)" && doc seven "$(sentences 105 130)"$'\n'"Nobody else." && doc eight "$(sentences 200 220)"; } | gzip -n >months/2/b.jsonl.gz
{ doc nine "$(sentences 200 220)" && doc ten "Here. $(sentences 5 20)" && doc eleven "$(sentences 300 320)"; } >months/3/a.jsonl
{ sentences 100 105 && sentences 70 90 && echo "It is new."; } >months/3/b.txt
{ doc item "$(sentences 205 215)" && doc "other item" "$(sentences 10 16)"; } >items/a.jsonl
sentences 72 80 >items/more/text.txt
: >items/more/nothing.txt

judge() { # judge NAME STATUS ARGUMENT...: what verify.py says
    name=$1
    want=$2
    shift 2
    $python "$verify" "$@" >out 2>err
    status=$?
    exits "$name" "$want"
}

run detect --preset texts -o 1.h5 months/1
run dedup -o clean/1 --proof proof/1 1.h5
run index --preset texts -o store clean/1
known=(--sources clean/1)
for month in 2 3; do
    run detect --known store -o $month.h5 months/$month
    run dedup --certificate -o clean/$month --proof proof/$month $month.h5
    run index --add -o store clean/$month
    judge "month $month" 0 "${known[@]}" months/$month clean/$month proof/$month
    prints "month $month" ": 0 faults, 0 not checked"
    verdict "month $month: earlier months prove something" grep -q ' gone and [1-9]' out
    [ $month = 3 ] || known+=(--sources clean/2)
done
against=(--against items/more --against items/a.jsonl)
run detect --preset texts "${against[@]}" -o against.h5 months/3
run dedup --certificate --remove documents --min-left 1 -o against against.h5
against=("${against[@]/--against/--sources}")
judge "--against" 0 "${against[@]}" months/3 against against.proof
run detect --preset texts --against items -o against.h5 months
run dedup -o all against.h5
judge "--against, one folder" 0 --sources items months all all.proof
verdict "items prove something" grep -q ' cut by [3-9] lines' out
run decontaminate --against items/a.jsonl -o trained months
judge "decontaminate" 0 --sources items/a.jsonl months trained trained.proof
verdict "leaks are removed" grep -q ' by [1-9][0-9]* lines' out
run index --preset texts -o index items
run check --index index -o check.h5 months
run dedup --certificate -o check check.h5
judge "check" 0 --checked --sources items months check check.proof
verdict "an index proves something" grep -q ' cut by [3-9] lines' out

# What is not at hand is not proven, and is not taken for it.
judge "sources that nobody names" 1 months/3 clean/3 proof/3
judge "sources that are not at hand" 3 --sources - months/3 clean/3 proof/3
judge "a month that is not at hand" 3 --sources clean/1 --sources - months/3 clean/3 proof/3
verdict "only its own files and texts" [ "$(grep -c '^not checked: .*clean/1/' out) $(grep -c '^not checked: .*clean/2/' out)" = "0 2" ]
judge "a month that is missing" 1 --sources clean/1 months/3 clean/3 proof/3
judge "months in another order" 1 --sources clean/2 --sources clean/1 months/3 clean/3 proof/3
judge "an index that is taken for sources" 1 --sources items months check check.proof

# Each change is found, with a certificate and without.
$python - "$verify" >changes 2>err <<'P'
import gzip, json, os, pathlib, shutil, subprocess, sys
verify, found, missed = sys.argv[1], 0, []
jobs = {"known": (["--sources", "now/1", "--sources", "now/2"], "months/3", "clean/3", "proof/3", {"now/1": "clean/1", "now/2": "clean/2"}),
        "against": (["--sources", "now/items"], "months", "all", "all.proof", {"now/items": "items"}),
        "check": (["--checked", "--sources", "now/items"], "months", "check", "check.proof", {"now/items": "items"})}

def unpacked(path):
    return gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()

def judge(name, what, certified, change):
    """A copy of the sources and of the proof is changed: does verify.py find a fault?"""
    global found
    options, source, clean, proof, copies = jobs[name]
    shutil.rmtree("now", ignore_errors=True)
    for to, path in {**copies, "now/proof": proof}.items():
        shutil.copytree(path, to)
    lines = [json.loads(line) for line in subprocess.run(["zstd", "-dc", "now/proof/removed.jsonl.zst"], capture_output=True, check=True).stdout.splitlines()]
    if not certified:
        pathlib.Path("now/proof/certificate.json").unlink(missing_ok=True)
    change(lines)
    written = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
    if not certified or what.startswith("line"):
        for line in lines:  # as pardup writes a share
            written = written.replace(b'"agreement":%s,' % json.dumps(line["agreement"]).encode(), b'"agreement":%.4f,' % line["agreement"])
        pathlib.Path("now/proof/removed.jsonl.zst").write_bytes(subprocess.run(["zstd", "-q"], input=written, capture_output=True, check=True).stdout)
    status = subprocess.run([sys.executable, verify, *options, source, clean, "now/proof"], capture_output=True)
    good = status.returncode == (0 if what == "line as it was" else 1)
    found += good
    if not good:
        missed.append(f"{name}, {what}, certified {certified}: {status.stdout.decode()}")

def word(line_of, owner):
    """Replace a word of a text that is kept for a removal."""
    def change(lines):
        for path in pathlib.Path("now").rglob("*"):
            if path.is_file() and path.parent.name != "proof" and (data := unpacked(path)) and line_of in data:
                data = data.replace(line_of, owner, 1)
                path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
                return
        raise LookupError(line_of)
    return change

def put(k, key, value):
    return lambda lines: lines[k].update({key: value(lines[k][key])})

def swap(lines):
    lines[0]["kept_doc"], lines[-1]["kept_doc"] = lines[-1]["kept_doc"], lines[0]["kept_doc"]

for name, words in {"known": b"number w12 ", "against": b"number w12 ", "check": b"number w208 "}.items():
    judge(name, "line as it was", False, lambda lines: None)
    for certified in (False, True):
        judge(name, "word", certified, word(words, b"number we12 "))
        for k in (0, -1):
            judge(name, "line: kept_doc", certified, put(k, "kept_doc", lambda row: row + 1))
            judge(name, "line: kept_doc far", certified, put(k, "kept_doc", lambda row: row + 1000))
            judge(name, "line: kept_begin", certified, put(k, "kept_begin", lambda at: at + 9))
            judge(name, "line: kept_end", certified, put(k, "kept_end", lambda at: at - 9))
            judge(name, "line: kept_id", certified, put(k, "kept_id", lambda name: name + "0"))
            judge(name, "line: agreement", certified, put(k, "agreement", lambda share: share - .01))
            judge(name, "line: doc", certified, put(k, "doc", lambda row: row + 1000))
        judge(name, "line: kept_doc of two", certified, swap)
judge("known", "byte of a file that proves nothing", True, word(b"Mine", b"Nine"))
judge("known", "source that is gone", True, lambda lines: os.remove("now/2/b.jsonl.gz"))
print(found, "right,", len(missed), "missed", *missed, sep=" ")
P
verdict "changes are found ($(head -n 4 changes))" grep -q '^[1-9][0-9]* right, 0 missed' changes
finish
