#!/bin/bash
# pardup prevalence: its tables against tests/support/prevalence_reference.py on random runs, runs as
# they are found, what --unique writes, and what it says of bad files.
. "$(dirname "$0")/lib.sh"
py=/usr/bin/python3 # the one that has the distribution's h5py
$py -c 'import h5py' 2>/dev/null || exit 77
reference=$here/../support/prevalence_reference.py

# ---- random results and runs ----
$py - <<'END'
import itertools, random
import h5py, numpy


def write_result(path, names, pairs, units="document"):
    with h5py.File(path, "w") as h5:
        h5["/documents/id"] = numpy.array([n.encode() for n in names])
        columns = list(zip(*pairs)) if pairs else [()] * 3
        h5["/pairs/doc_a"], h5["/pairs/doc_b"] = (numpy.array(c, dtype="u8") for c in columns[:2])
        for name in ("resemblance", "coverage_a", "coverage_b"):
            h5[f"/pairs/{name}"] = numpy.array(columns[2], dtype="f8")
        h5["/pairs/coverage_b"][...] = numpy.array(columns[2], dtype="f8") / 2
        for name, value in (("units", units), ("join", "jaccard")):
            h5.attrs[name] = numpy.bytes_(value)
        h5.attrs["tau"] = 0.1


for number in range(4):
    rng = random.Random(number)
    names = [f"doc-{k}" for k in range(rng.randint(5, 60))]
    pairs = [(a, b, rng.choice([0.1, 0.3, 0.5, 0.7, 1.0]))
             for a, b in itertools.combinations(range(len(names)), 2) if rng.random() < 0.08]
    write_result(f"r{number}.h5", names, pairs)
    pool = names + ["absent-1", "absent-2"]
    for run in range(3):
        with open(f"r{number}.{run}.run", "w") as f:
            for topic in rng.sample(range(7, 14), rng.randint(1, 5)):
                docs = rng.sample(pool, rng.randint(1, len(pool)))
                order = list(enumerate(docs))
                rng.shuffle(order) # the lines of a run need no order
                for rank, doc in order:
                    tie = 0 if run == 2 else rank # a run without ranks
                    f.write(f"{topic} Q0 {doc} {tie} {100 - rank} tag{run}\n")
    with open(f"r{number}.qrels", "w") as f:
        for topic in range(7, 15):
            for doc in rng.sample(pool, rng.randint(1, len(pool))):
                f.write(f"{topic} 0 {doc} {rng.choice([-2, 0, 1, 2])}\n")
write_result("passages.h5", ["a", "b"], [(0, 1, 0.8)], "sentence")
END
[ -s r3.qrels ] || exit 1

same() { # same NAME TABLE LEAST TOP ROUND [QRELS]: the table is that of the reference
    local name=$1 table=$2 least=$3 top=$4 k=$5 qrels=${6-}
    local options=(--table "$table" --rr "$least" --top "$top")
    [ "$table" = more ] && options=(--table shares --bound more-than --rr "$least" --top "$top")
    run prevalence "${options[@]}" ${qrels:+--qrels "$qrels"} --run "r$k.0.run" "r$k.1.run" \
        "r$k.2.run" "r$k.h5"
    exits "$name" 0
    tail -n +2 out >got
    $py "$reference" "$table" "$least" "$top" "r$k.h5" "${qrels:--}" "r$k".[012].run >want
    verdict "$name" cmp got want
}
for k in 0 1 2 3; do
    for table in topics runs shares more run-topics; do
        same "round $k: $table" $table 0.5,0.1 1,3,10,1000 $k
    done
    for table in runs relevant run-topics; do
        same "round $k: $table with judgements" $table 0.5,1 2,20 $k r$k.qrels
    done
    run prevalence --unique -o u$k --rr 0.3 --qrels r$k.qrels --run r$k.0.run --run r$k.1.run \
        --run r$k.2.run r$k.h5
    exits "round $k: unique" 0
    for f in u$k/r$k.*.run; do
        awk -v f="${f##*/}" '{print f "\t" $1 "\t" $3}' "$f"
    done >got
    awk -v f=r$k.qrels '{print f "\t" $1 "\t" $3}' u$k/r$k.qrels >>got
    $py "$reference" kept 0.3 1 r$k.h5 r$k.qrels "r$k".[012].run >want
    verdict "round $k: what is kept" cmp <(sort got) <(sort want)
    verdict "round $k: every line is kept or listed" [ "$(cat r$k.[012].run r$k.qrels | wc -l)" -eq \
        $(($(cat u$k/r$k.* | wc -l) + $(tail -n +2 u$k/repeats.tsv | wc -l))) ]
    awk '{k = FILENAME " " $1; n[k]++; s[k] += $4} END {for (k in n) if (s[k] != n[k] * (n[k] + 1) / 2) exit 1}' \
        u$k/r$k.[012].run
    verdict "round $k: ranks are counted anew" [ $? -eq 0 ]
    run prevalence --table shares --rr 0.3 --top 5,50 --run u$k/r$k.0.run --run u$k/r$k.1.run r$k.h5
    verdict "round $k: no repeat is left" [ "$(tail -n +2 out | cut -f3- | tr -d '0.\t\n')" = "" ]
done

# ---- runs as they are found: tabs, CR LF, gzip, a byte order mark, empty lines ----
printf '\xef\xbb\xbf\r\n' >odd.run
tr ' ' '\t' <r1.0.run | sed 's/$/ more columns\r/' >>odd.run
gzip -k odd.run
for f in odd.run odd.run.gz; do
    run prevalence --table topics --run $f r1.h5
    cp out got
    run prevalence --table topics --run r1.0.run r1.h5
    verdict "$f: as the plain run" cmp got out
done
run prevalence --unique -o odd --run odd.run.gz r1.h5
verdict "the written run is not compressed" grep -q . odd/odd.run
printf '1 Q0 a 1 5 t\n1 Q0 a 2 4 t\n1 Q0 b 3 9 t\n' >again.run
run prevalence --coverage 0.4 --table runs --run again.run passages.h5
says "a document twice" "1 line of runs names a document again"
says "ranks against scores" "in 1 runs and topics the scores rise"
prints "both documents are near" "$(printf 't\tagain.run\t1\t2\t0\t2\t1.000000')"
run prevalence --coverage 0.41 --table runs --run again.run passages.h5
prints "the lesser coverage counts" "$(printf 't\tagain.run\t1\t2\t0\t0\t0.000000')"
printf '1 0 a 0\n1 0 b 2\n2 0 a 0\n1 0 a 1\n1 0 b 1\n' >disputed.qrels
run prevalence --coverage 0.4 --table relevant --qrels disputed.qrels --run again.run passages.h5
says "judged twice" "1 judgements disagree with an earlier one of the same topic and document"
prints "relevant if one line says so" "$(printf '0.4\t1\t2\t0\t2\t1.000000')"
printf '1 Q0 a 1 5 t\n1 Q0 \033[31m 2 4 t\n1 Q0 nobody 3 9 t\n' >unknown.run
run prevalence --coverage 0.5 --run unknown.run passages.h5
says "unknown documents" '2 of the 3 documents that the runs name are not in passages.h5 (first: \x1b[31m nobody)'
printf '1 Q0 a 1 5 t\n1 Q0 b 2 5 t\n1 Q0 c 3 5 t\n' >order.run
run prevalence --coverage 0.1 --order score --top 2 --table run-topics --run order.run passages.h5
prints "score: the greatest id first" "$(printf '1\t2\t2\t1\t0')"
run prevalence --coverage 0.1 --order rank --top 2 --table run-topics --run order.run passages.h5
prints "rank: the file's order" "$(printf '1\t2\t2\t0\t2')"

# ---- wrong usage, bad files ----
bad() { # bad NAME STATUS TEXT ARGUMENT...: one clear line
    run prevalence "${@:4}"
    exits "$1" "$2"
    one_error "$1"
    says "$1" "$3"
}
bad "no run" 2 "--run FILE is required" r1.h5
bad "no result" 2 "no result file given" --run r1.0.run
bad "passages without --coverage" 2 "detect with --method nikkhoo has it; or give --coverage X" --run r1.0.run passages.h5
bad "top" 2 "--top 10,x: expected whole numbers" --top 10,x --run r1.0.run r1.h5
bad "top 1.5" 2 "expected whole numbers" --top 1.5 --run r1.0.run r1.h5
bad "rr" 2 "--rr 1.5: expected numbers above 0 and up to 1" --rr 1.5 --run r1.0.run r1.h5
bad "relevant" 2 "--table relevant needs --qrels" --table relevant --run r1.0.run r1.h5
bad "unique" 2 "--unique needs -o DIR" --unique --run r1.0.run r1.h5
bad "output" 2 "-o DIR goes with --unique only" -o x --run r1.0.run r1.h5
bad "unique with two" 2 "needs one threshold" --unique -o x --rr .5,.6 --run r1.0.run r1.h5
mkdir -p other && cp r1.0.run other
bad "one name" 2 "would both be written to x/r1.0.run" --unique -o x --run r1.0.run \
    --run other/r1.0.run r1.h5
bad "over the input" 2 "it is an input" --unique -o . --run r1.0.run r1.h5
cmp -s r1.0.run other/r1.0.run
verdict "the input is as it was" [ $? -eq 0 ]
bad "no file" 1 "nowhere.run: No such file" --run nowhere.run r1.h5
: >empty.run
bad "an empty run" 1 "empty.run: no line of a run in it" --run empty.run r1.h5
printf '1 Q0 a 1 5 t\n1 Q0 a\n' >cut.run
bad "columns" 1 "cut.run: line 2: expected 6 columns of a run" --run cut.run r1.h5
printf '1 Q0 a first 5 t\n' >rank.run
bad "rank" 1 "rank.run: line 1: the rank first is no whole number" --run rank.run r1.h5
printf '\n1 Q0 a 1 nan t\n' >score.run
bad "score" 1 "score.run: line 2: the score nan is no number" --run score.run r1.h5
bad "a run as judgements" 1 "r1.0.run: line 1: 6 columns: this is a run" --qrels r1.0.run --run r1.0.run r1.h5
head -c 60 odd.run.gz >broken.run.gz
bad "broken gzip" 1 "broken.run.gz: " --run broken.run.gz r1.h5
head -c 3000000 /dev/zero | tr '\0' x >long.run
bad "a long line" 1 "long.run: line 1: longer than" --run long.run r1.h5
finish
