#!/bin/bash
# Program text: its words against a slow definition, what --preset auto makes of sources, and the passages against the judge.
. "$(dirname "$0")/lib.sh"
export PYTHONDONTWRITEBYTECODE=1
PYTHON=${PYTHON:-/usr/bin/python3}
support=$here/../support
for seed in 1 2 3; do
    python3 "$support/oracle_code.py" --make "odd$seed" --seed "$seed"
done
run sentences --words code --offsets odd1 odd2 odd3 "$support"/*.[ch] "$support"/*.py
exits "words" 0
cp out s.jsonl
verdict "words are those of the definition" python3 "$support/oracle_code.py" --judge s.jsonl

# A program, the same with other names, order, comments and layout, and another one.
mkdir programs
cat >programs/first.c <<'END'
/* Sums up. */
static int sum(const int *values, int n)
{
    int total = 0;
    for (int k = 0; k < n; k++)
        total += values[k] * 2 - values[k] / 3; // weights
    return total > 100 ? -1 : total;
}

static void print(const char *name, double value)
{
    printf("%s: %.2f\n", name, value);
    if (value != value || value < 0 || name == NULL)
        fprintf(stderr, "%s: no such value\n", name);
}
END
cat >programs/second.c <<'END'
void show(char const *what, float it) {
    printf("%s: %.2f\n", what, it);  /* the value
                                        of it */
    if (it != it || it < 1 || what == 0) { fprintf(log, "%s: no such value\n", what); } }
int add_all(const long *list, int size) { int s = 7; for (int i = 1; i < size; i++) { s += list[i] * 5 - list[i] / 9; }
    return s > 55 ? -2 : s; }
END
cat >programs/other.py <<'END'
#!/usr/bin/env python3
"""Counts words."""
import sys
for line in sys.stdin:
    # each line
    print(len(line.split()), "words in", repr(line[:10]))
END
cp programs/other.py programs/script
for np in 1 3; do
    run_np $np detect --reproducible -o $np.h5 programs
    exits "programs, $np ranks" 0
done
verdict "three ranks: the same bytes" cmp 1.h5 3.h5
verdict "most files are programs" grep -q "preset code: most files are program text" err
run export --table passages 3.h5
cut -f 7-10 out >spans
grep -q begin_a spans || exit 1
run export --table pairs 3.h5
verdict "one pair, and the two equal scripts" [ "$(wc -l <out)" -eq 3 ]
mkdir mixed
cp programs/* mixed
for k in 1 2 3 4; do sentences $((k * 10)) $((k * 10 + 5)) >mixed/$k.txt; done
run detect -o m.h5 mixed
verdict "half of the files are no programs" grep -q "preset edited" err
run detect --preset texts --verbose -o m.h5 programs
verdict "a preset on the command line wins" sh -c '! grep -q "preset code" err'

# The report shows programs in a fixed face, and texts not.
run report -o r.html 3.h5
verdict "a fixed face" grep -q '"code":true' r.html
run report -o r.html m.h5
verdict "no fixed face" grep -q '"code":false' r.html

# An index of programs is searched with their words.
run index -o i.pdx programs/first.c programs/other.py
exits "index" 0
run check --index i.pdx --reproducible -o c.h5 programs/second.c
exits "check" 0
run export --table passages c.h5
verdict "check finds what detect finds" [ "$(wc -l <out)" -eq 3 ]

for np in 1 2; do
    run_np $np detect --preset code --max-df 5 -o odd.$np.h5 odd1 odd2 odd3
    exits "odd programs, $np ranks" 0
done
run sentences --words code --offsets odd1 odd2 odd3
cp out s.jsonl
if "$PYTHON" -c 'import h5py' 2>/dev/null; then
    "$PYTHON" "$support/oracle.py" --sentences s.jsonl odd.1.h5 odd.2.h5 >out 2>err
    verdict "the judge finds the same passages" [ $? -eq 0 ]
fi
finish
