#!/bin/bash
# dedup is killed at several moments while it writes Parquet, CSV, lists of JSON objects and JSON lines, and goes on with
# --resume to the same bytes; it does not go on with another result or with inputs that have changed.
. "$(dirname "$0")/lib.sh"

# Four files with copies. Each is so large, by blanks in another column or between records, that most are bundles of their own.
mkdir in
"${PYTHON:-/usr/bin/python3}" - "$here/../support" <<'END'
import csv, json, sys
sys.path.insert(0, sys.argv[1])
import make_parquet
BLANKS = 17000000
def said(a, b): return " ".join(f"Sentence number w{k} speaks of x{k} and y{k} in its own words." for k in range(a, b))
def rows(name, first):
    for k in range(first, first + 30):
        text = said(20 * k, 20 * k + 12)
        if k % 5 == 4:
            text = said(20 * (k - 3), 20 * (k - 3) + 12)
        elif k % 5 == 3:
            text += " " + said(20 * (k - 2), 20 * (k - 2) + 6)
        yield {"id": f"{name}{k}", "text": text, "rest": " " * BLANKS if k == first + 7 else f"r{k}"}
options = ["--group-rows", "9", "--page-rows", "4", "--lists", "--no-crc", "", ""]
with open("in/a.parquet", "wb") as f:
    f.write(make_parquet.write(list(rows("p", 0)), make_parquet.options(options)))
with open("in/b.csv", "w", newline="") as f:
    w = csv.DictWriter(f, ["id", "text", "rest"])
    w.writeheader()
    w.writerows(rows("c", 20))
with open("in/c.json", "w") as f:
    first, *others = (json.dumps(dict(r, rest=0)) for r in rows("j", 40))
    f.write("[\n" + first + "," + " " * BLANKS + ",\n".join(others) + "\n]\n")
with open("in/d.jsonl", "w") as f:
    f.writelines(json.dumps(dict(r, rest=0)) + "\n" for r in rows("l", 60))
END
run detect --quiet --preset web -o r.h5 in
exits "detect" 0
run dedup --certificate -o whole r.h5
exits "dedup" 0
says "dedup" "(48 gone, 18 cut)"
for file in a.parquet b.csv c.json d.jsonl; do
    verdict "$file has changed" [ "$(stat -c %s whole/$file)" -lt "$(stat -c %s in/$file)" ]
done

# ---- killed ----
# killed NAME STRACE-OPTION...: what it leaves is taken up
unfinished=0
killed() {
    local name=$1
    shift
    rm -rf new new.proof
    (ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" timeout "$RUN_SECONDS" strace -f -q -o trace "$@" "$PARDUP" dedup --certificate -o new r.h5
        echo $? >ended) >out 2>err </dev/null
    verdict "killed $name: it was" [ "$(cat ended)" -eq 137 ]
    verdict "killed $name: nothing half written has a name" [ -z "$(cd whole && for f in *; do [ ! -e "../new/$f" ] || cmp "$f" "../new/$f"; done 2>&1)" ]
    [ "$(ls new 2>/dev/null | wc -l)" -lt 2 ] || unfinished=$((unfinished + 1))
    run_np 2 dedup --resume --certificate -o new r.h5
    exits "killed $name and resumed" 0
    verdict "killed $name and resumed: same bytes" same_jobs whole new
}
if command -v strace >/dev/null && strace -q -o trace true; then
    for count in 1 4 8; do # the job, a file, what a bundle has removed, its mark
        killed "at rename $count" -e trace=rename -e inject=rename:signal=KILL:when=$count
    done
    for count in 8 33; do # in the Parquet file, in the list
        killed "at write $count" -e trace=write -e inject=write:signal=KILL:when=$count
    done
    for count in 1 2 4; do # in the last clean-up: a mark, what goes with it
        killed "at unlink $count" -e trace=unlinkat -e inject=unlinkat:signal=KILL:when=$count
    done
    killed "before the folder goes" -e trace=rmdir -e inject=rmdir:signal=KILL:when=1
    verdict "files that were done were taken up ($unfinished)" [ "$unfinished" -ge 3 ]
else
    echo "skip    killed: strace cannot be used here"
fi

# ---- a folder that another job writes ----
if command -v flock >/dev/null; then
    rm -rf new new.proof
    mkdir -p new/dedup-work
    for resume in "" --resume; do
        flock new "$PARDUP" dedup $resume -o new r.h5 >out 2>err
        status=$?
        exits "another job is at work, dedup $resume" 1
        one_error "another job is at work, dedup $resume"
    done
    says "another job is at work" "new: in use by another job that writes the same folder"
    verdict "another job is at work: nothing is written" [ "$(ls -A new | wc -l)" -eq 1 ]
fi

# ---- a folder that is of another job ----
rm -rf new new.proof
(
    trap '' XFSZ
    ulimit -f 10000 # less than a file takes
    run dedup --certificate -o new r.h5
    echo $status >ended
)
verdict "a job that failed leaves what is done" [ "$(cat ended)" -eq 1 -a -d new/dedup-work ]
stale() { # stale NAME RESULT
    run dedup --resume --certificate -o new "$2"
    exits "$1" 1
    one_error "$1"
    says "$1" "new: holds the files of a job with other options, another result or inputs that have changed since: choose another folder"
}
run detect --quiet --preset web --gamma 9 -o other.h5 in
stale "another result" other.h5
cp -p in/b.csv b.csv
sed -i 's/r25/R25/' in/b.csv # a column that is no text, and as many bytes
stale "changed inputs" r.h5
mv b.csv in/b.csv
run dedup --resume --certificate -o new r.h5
exits "as it was" 0
verdict "as it was: same bytes" same_jobs whole new
mkdir -p foreign/dedup-work
echo mine >foreign/dedup-work/notes
run dedup --resume -o foreign r.h5
exits "a folder that dedup has not made" 1
one_error "a folder that dedup has not made"
says "a folder that dedup has not made" "foreign/dedup-work: is not of a dedup job: choose another folder"
verdict "a folder that dedup has not made: it stays" [ "$(cat foreign/dedup-work/notes)" = mine ]
# ---- another list ----
# A try that was refused has kept its folder. Another list under the same name must not go on with it.
rm -rf part part.proof
echo l61 >wanted
run dedup --resume --keep list:wanted --max-loss 0.01 -o part r.h5
exits "a list, refused" 1
says "a list, refused" "--max-loss"
echo l63 >wanted
run dedup --resume --keep list:wanted --max-loss 0.01 -o part r.h5
exits "another list" 1
one_error "another list"
says "another list" "holds the files of a job with other options"

# ---- documents in another order than their file has them ----
"${PYTHON:-/usr/bin/python3}" - <<'END'
import shutil, h5py
shutil.copy("r.h5", "swapped.h5")
with h5py.File("swapped.h5", "r+") as f:
    last = len(f["documents/offset"]) - 1
    for name in "offset", "skip":
        column = f["documents/" + name]
        column[last - 3], column[last] = int(column[last]), int(column[last - 3])
END
for np in 1 2 3; do
    rm -rf swapped swapped.proof
    run_np $np dedup -o swapped swapped.h5
    exits "documents out of order, $np ranks" 1
    says "documents out of order, $np ranks" "are not in the order of their file"
    verdict "documents out of order, $np ranks: nothing is written" [ ! -e swapped -a ! -e swapped.proof ]
done
finish
