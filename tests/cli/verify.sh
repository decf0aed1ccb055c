#!/bin/bash
# scripts/verify/verify.py: it proves what `pardup dedup` wrote, and finds 200 changes of the output and of the proof (CHANGES=10000: as
# many). Half of them are made where a certificate lies, which leaves no byte unproven. Without it a change says nothing, and need not be
# found, if it is in the value of `family` or `passage`, or if it moves an end of a line over white space in a document that goes whole.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}
verify=$here/../../scripts/verify/verify.py
doc() { printf '{"id":"%s","text":"%s", "n": [1.50, {"text":"é"}]}\n' "$1" "${2//$'\n'/\\n}"; }
edited() { sentences "$1" "$2" | sed '0~3s/speaks of/talks about/'; }
own="Of all these words not one stands anywhere else."
mkdir -p in/texts
{
    doc one "$(sentences 1 30)"
    doc begin "$own"$'\n'"$(sentences 1 20)"
    echo '{"id":"no text"}'
    doc middle "$(sentences 1 14)"$'\n\n'"Another sentence ist übrigens alone here."$'\n\n* * *\n\n'"$(sentences 15 30)"
    doc ends "Nobody says this. $(sentences 1 20 | paste -sd ' ') Nor this."
} >in/a.jsonl
{
    doc signs "$(sentences 1 30)"$'\n\n* * *'
    doc copy "$(sentences 1 30)"
    doc other "$(sentences 40 60)"
} | gzip -n >in/b.jsonl.gz
{
    doc edited "$own"$'\r\n'"$(edited 40 60)"
    doc copy "$(edited 1 18)"
    printf '\n{"text": "%s", "id": "last"}\r\n' "$(sentences 70 90 | paste -sd ' ')"
} | zstd -q >in/c.jsonl.zst
sentences 100 130 >in/texts/first.txt
{ echo "$own" && sentences 100 120; } | sed 's/$/\r/' >in/texts/second.txt
sentences 100 130 >in/texts/third.txt
sentences 70 90 | gzip -n >in/texts/packed.txt.gz
: >in/texts/empty.txt
printf '{\n  "made by": "hand"\n}\n' >in/texts/about.json # JSON without a text is no document

proven() { # proven NAME FILE...: verify.py finds no fault
    name=$1
    shift
    $python "$verify" "$@" >out 2>err
    status=$?
    verdict "$name: all is proven (exit status $status)" [ $status -eq 0 ]
}
run detect --preset texts -o r.h5 in
for np in 1 2; do
    for options in "--remove passages" "--remove documents --certificate" "--min-left .3 --certificate" "--keep longest"; do
        rm -rf x x.proof
        run_np $np dedup $options -o x r.h5
        exits "$options, $np ranks" 0
        proven "$options, $np ranks" in x x.proof
        verdict "$options, $np ranks: something goes" grep -q '^15 documents, [1-9]' out
        [ "$options" = "${options%--certificate}" ] || cp x.proof/certificate.json "certificate$np${options// /}"
    done
done
verdict "certificates are the same at 1 and 2 ranks" cmp certificate1--min-left.3--certificate certificate2--min-left.3--certificate
verdict "a certificate has all files" [ "$(grep -c '^{"file":"' certificate1--removedocuments--certificate)" -eq 9 ]
verdict "its text that is gone" grep -q '^{"file":"texts/third.txt",.*"after":null' certificate1--min-left.3--certificate
run dedup --certificate --list -o z r.h5
exits "a certificate of lists" 2
rm -rf x x.proof
run dedup --certificate -o x r.h5
verdict "a certificate counts records" grep -q "^{\"file\":\"a.jsonl\",.*\"records\":$(wc -l <x/a.jsonl),\"root\":" x.proof/certificate.json
proven "files and folders" in/a.jsonl in/b.jsonl.gz in/c.jsonl.zst in/texts x x.proof/removed.jsonl.zst

# Texts become JSON lines, which have a tree, as lines of the input have.
run dedup --certificate --as jsonl -o lines r.h5
exits "--as jsonl" 0
root=$($python -c 'import runpy, sys
v = runpy.run_path(sys.argv[1])
leaves = [v["digest"](b"\0" + line) for line in v["lines_of"](sys.argv[2])]
print(f"\"records\":{len(leaves)},\"root\":\"{v['"'tree'"'](leaves).hex()}")' "$verify" lines/texts/first.txt.jsonl)
verdict "--as jsonl: a tree of records ($root)" grep -qF "$root" lines.proof/certificate.json

# What pardup reads otherwise than a stranger: proven with it, counted without it.
mkdir latin
sentences 1 20 >latin/a.txt
{ echo "Öffentlich übrig bleiben schöne Wörter." && sentences 1 20; } | iconv -t latin1 >latin/b.txt
run detect --preset texts -o l.h5 latin
run dedup -o l l.h5
$python "$verify" latin l l.proof >out
verdict "another character set: not checked (exit status $?)" [ "$(grep -c '^not checked: latin/b.txt' out)" -eq 1 ]
$python "$verify" latin l l.proof >out
status=$?
exits "another character set" 3
proven "another character set, with pardup" --pardup "$PARDUP" latin l l.proof

run dedup --min-left .3 -o y r.h5
$python - "$verify" >changes 2>err <<'END'
import contextlib, gzip, io, json, os, random, re, runpy, shutil, subprocess, sys
verify = sys.argv[1]
rules = runpy.run_path(verify)
random.seed(47)

def unpacked(path):
    return subprocess.run(["zstd", "-dcq", path], capture_output=True, check=True).stdout if path.endswith(".zst") else \
        gzip.open(path).read() if path.endswith(".gz") else open(path, "rb").read()

def pack(path, data):
    with open(path, "wb") as file:
        file.write(subprocess.run(["zstd", "-q"], input=data, capture_output=True, check=True).stdout if path.endswith(".zst") else
                   gzip.compress(data) if path.endswith(".gz") else data)

def found():
    with contextlib.redirect_stdout(io.StringIO()) as said:
        sys.argv = [verify, "in", "now", "now.proof"]
        try:
            runpy.run_path(verify, run_name="__main__")
        except SystemExit as end:
            return end.code, said.getvalue()

texts = []
for path in rules["files_of"](["in"]):
    data = unpacked(path)
    if ".jsonl" not in path:
        texts.append(data)
    else:
        records = [rules["parsed"](line) for line in data.split(b"\n") if line.strip()]
        texts += [rules["utf8"](record["text"]) for record in records if "text" in record]

def says_nothing(before, after):
    """A change of a line of the proof that leaves all that can be proven."""
    try:
        before, after = json.loads(before), json.loads(after)
        other = {name for name in before if before[name] != after[name]}
        if other <= {"family", "passage"}:
            return type(after["passage"]) is int
        was, now = (texts[line["doc"]][line["begin"]:line["end"]] for line in (before, after))
        return other <= {"begin", "end"} and before["removed"] != "passage" and was.strip() == now.strip()
    except (ValueError, LookupError, TypeError):
        pass
    return False

missed, nothing, kinds, done = 0, 0, {}, 0
while done < int(os.environ.get("CHANGES", 200)):
    whole = random.choice("xy")
    certified = whole == "x"
    kind = random.choice(["stored byte"] * 3 * certified + ["byte of the output", "byte of the proof", "byte of the proof", "line out of the output", "line out of the proof",
                          "record too many", "file too many", "file too few"])
    for name in ("now", "now.proof"):
        shutil.rmtree(name, ignore_errors=True)
    shutil.copytree(whole, "now")
    shutil.copytree(whole + ".proof", "now.proof")
    if "byte of the proof" != kind and done % 2 and not certified:
        os.remove("now.proof/summary.json")
    path = random.choice([path for path in rules["files_of"](["now"]) if unpacked(path)])
    if "proof" in kind:
        path = "now.proof/removed.jsonl.zst"
    if kind == "stored byte":
        path = random.choice([path for path in rules["files_of"](["now", "now.proof"]) if os.path.getsize(path)])
        data = bytearray(open(path, "rb").read())
        data[place := random.randrange(len(data))] ^= random.randrange(1, 256)
        with open(path, "wb") as file:
            file.write(data)
    data = unpacked(path) if kind != "stored byte" else bytes(data)
    lines = data.splitlines(True)
    at = random.randrange(len(lines))
    what = kind
    if kind == "stored byte":
        what += f" {place}"
    elif kind.startswith("byte"):
        place = random.randrange(len(data))
        # half of the bytes become digits, because other bytes break a number of the proof
        byte = random.choice([random.randrange(256), random.choice(b"0123456789")])
        if data[place] == byte:
            continue
        new = data[:place] + bytes([byte]) + data[place + 1:]
        at = data.count(b"\n", 0, place)
        what += f" {place}: {lines[at][:-1]} {new[place - 9:place + 9]}"
        if "proof" in kind and not certified and says_nothing(lines[at], new.splitlines(True)[at]):
            nothing += 1
            continue
        pack(path, new)
    elif kind.startswith("line"):
        pack(path, b"".join(lines[:at] + lines[at + 1:]))
    elif kind.startswith("record"):
        pack(path, b"".join(lines[:at] + [random.choice(lines)] + lines[at:]))
    elif kind == "file too many":
        shutil.copy(path, path + ".txt")
    else:
        os.remove(path)
    done += 1
    kinds[kind] = kinds.get(kind, 0) + 1
    status, said = found()
    if status != 1 or "fault: " not in said:
        missed += 1
        print("missed:", what, path, said)
print(done, "changes,", missed, "missed,", nothing, "that say nothing:", kinds)
END
verdict "${CHANGES:=200} changes are found ($(tail -n 4 changes))" grep -q "^$CHANGES changes, 0 missed" changes
finish
