#!/bin/bash
# Sets of thousands of signatures of documents are compared exactly, at 1 and 3 ranks, in any memory.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

# Documents a and b share 5,846 of 6,000 words each, c shares 4,000 of 4,100 with d, and e has few words, all of a's.
"$PYTHON" - <<'END'
def write(name, words):
    lines = [" ".join(words[k:k + 400]) + "." for k in range(0, len(words), 400)]
    open(name, "w").write("\n\n".join(lines) + "\n")
a = [f"Word{k:05d}" for k in range(6000)]
write("a.txt", a)
write("b.txt", a[:5846] + [f"Other{k:05d}" for k in range(154)])
c = [f"More{k:05d}" for k in range(4100)]
write("c.txt", c)
write("d.txt", c[:4000] + ["And", "few"])
write("e.txt", a[:3900])
END

# similar METHOD: "a b similarity" of every pair with its doubles, sorted
similar() {
    "$PYTHON" - x.h5 <<'END'
import sys, h5py
f = h5py.File(sys.argv[1])
ids = [i.decode().rpartition("/")[2][0] for i in f["documents/id"][:]]
rows = zip(f["passages/doc_a"][:], f["passages/doc_b"][:], f["passages/similarity"][:])
for row in sorted({(ids[a], ids[b], float(s)) for a, b, s in rows}):
    print(*row)
END
}

expect() { # expect NAME "LINES" OPTION...
    local name=$1 lines=$2 np
    shift 2
    for np in 1 3; do
        run_np "$np" detect -o x.h5 --idf 0,1 --gamma 0 --progress none "$@" a.txt b.txt c.txt d.txt e.txt
        exits "$name at $np" 0
        verdict "$name at $np: $(similar | tr '\n' ';')" [ "$(similar)" = "$lines" ]
    done
}

jaccard=$("$PYTHON" -c 'print(5846 / 6154); print(4000 / 4102); print(3900 / 6000)')
set -- $jaccard
expect "jaccard of documents" "a b $1
a e $3
b e $3
c d $2" --units document --join jaccard --tau 0.65
expect "jaccard of documents, high" "a b $1
c d $2" --units document --join jaccard --tau 0.9 --memory 1M
expect "overlap of documents" "a b $("$PYTHON" -c 'print(5846 / 6000)')
c d $("$PYTHON" -c 'print(4000 / 4100)')" --units document --join overlap --tau 0.9
finish
