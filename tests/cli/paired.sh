#!/usr/bin/env bash
# pardup eval of two results by one truth: differences, Student's t and p, and the paired bootstrap, beside a Python of the formulas.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}
"$PARDUP" synth --quiet --documents 120 --seed 5 --container jsonl -o made
"$PARDUP" detect --quiet --preset paper --matches -o first.h5 made
"$PARDUP" detect --quiet --method pdc-shingle3 --tau .5 --max-df 20 --matches -o second.h5 made
for name in first second; do
    "$PARDUP" export --table matches $name.h5 | awk -F'\t' 'NR > 1 { print $6 "\t" $2 "\t" $7 "\t" $4 }' >$name.tsv
done
verdict "the results differ" [ "$(comm -3 <(sort first.tsv) <(sort second.tsv) | wc -l)" -gt 50 ]
awk 'NR % 3' first.tsv | head -n 3000 >truth.tsv # a part of what is found is wrong, and 50 are missed
head -n 50 second.tsv | awk -F'\t' -v OFS='\t' '{ print $1, $2 + 100, $3, $4 }' >>truth.tsv
cat >formulas.py <<'END'
import collections, json, math, sys
said, resamples, seed = json.load(open("out")), int(sys.argv[1]), int(sys.argv[2])
def read(name):
    pairs = collections.defaultdict(set)
    for line in open(name):
        a, i, b, j = line.rstrip("\n").split("\t")
        pairs[a, b].add((i, j))
    return pairs
truth, results = read("truth.tsv"), [read("first.tsv"), read("second.tsv")]
share = lambda part, all_, other: part / all_ if all_ else float(not other)
def measures(both, true, found):
    p, r = share(both, found, true), share(both, true, found)
    return {"precision": p, "recall": r, "f1": 2 * p * r / (p + r) if p + r else 0.0}
keys = sorted(set(truth) | set(results[0]) | set(results[1]))
counts = [[(len(truth[k] & r[k]), len(truth[k]), len(r[k])) for k in keys] for r in results]
total = lambda rows: measures(*map(sum, zip(*rows)))
n = len(keys)
assert said["document pairs"] == n, (said["document pairs"], n)
def student(t, degrees):  # Simpson's rule over the density, 1 - P(|x| < |t|)
    f = lambda x: math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi) * (1 + x * x / degrees) ** (-(degrees + 1) / 2)
    steps, h = 20000, abs(t) / 20000
    return 1 - 2 * h / 3 * sum((1 if k in (0, steps) else 4 if k % 2 else 2) * f(k * h) for k in range(steps + 1))
M = (1 << 64) - 1
def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & M
    x = (x ^ x >> 27) * 0x94D049BB133111EB & M
    return x ^ x >> 31
step = 0x9E3779B97F4A7C15
def quantile(v, q):
    k = int(q * (len(v) - 1))
    return v[k] + (q * (len(v) - 1) - k) * (v[k + 1] - v[k])
drawn = []
for r in range(resamples):
    start = mix(mix(seed * 2) + r * step & M)
    chosen = [mix(start + k * step & M) * n >> 64 for k in range(n)]
    one, two = (total([c[k] for k in chosen]) for c in counts)
    drawn.append({name: two[name] - one[name] for name in one})
near = lambda a, b: math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-9)
for name in ("precision", "recall", "f1"):
    one, two = (total(c)[name] for c in counts)
    assert near(said[name + " of the first"], one) and near(said[name + " of the second"], two), (name, said, one, two)
    has = {"precision": lambda a, b: a[2] and b[2], "recall": lambda a, b: a[1], "f1": lambda a, b: True}[name]
    off = [measures(*b)[name] - measures(*a)[name] for a, b in zip(*counts) if has(a, b)]
    m = len(off)
    mean = sum(off) / m
    t = mean / math.sqrt(sum((x - mean) ** 2 for x in off) / (m - 1) / m)
    assert said[name + " samples"] == m and near(said[name + " mean difference of a sample"], mean) and near(said[name + " t"], t), (name, t, said)
    assert near(said[name + " p (t-test)"], student(t, m - 1)), (name, student(t, m - 1), said)
    values = sorted(d[name] for d in drawn)
    assert all(map(near, said[name + " difference"], [two - one, quantile(values, .025), quantile(values, .975)])), (name, said)
    chance = min(1, 2 * min(sum(v <= 0 for v in values), sum(v >= 0 for v in values)) / resamples)
    assert near(said[name + " p (bootstrap)"], chance)
print("equal")
END
run eval --truth truth.tsv --bootstrap 40 --seed 7 --format json first.h5 second.h5
exits "two results" 0
"$python" formulas.py 40 7 >judged 2>err
verdict "as the formulas have it" grep -q equal judged
run eval --truth truth.tsv first.h5 second.h5
prints "for people" "p of t"
run eval --truth truth.tsv --bootstrap 0 --format json first.h5 first.h5
exits "a result and itself" 0
"$python" -c 'import json; s = json.load(open("out")); assert s["f1 t"] is None and s["f1 difference"] == 0 and s["f1 p (bootstrap)"] is None' 2>err
verdict "a result and itself: no difference, no t" [ $? -eq 0 ]
"$PARDUP" detect --quiet --preset paper --matches --limit-docs 100 -o fewer.h5 made
run eval --truth truth.tsv first.h5 fewer.h5
verdict "other documents: refused" [ $status -ne 0 ]
one_error "other documents"
says "other documents" "other documents"
run eval --mosaic first.h5 second.h5
one_error "mosaic of two"
run eval --truth truth.tsv first.h5 second.h5 fewer.h5
says "three results" "one result file, or two"
printf 'nowhere\t1\tnobody\t2\n' >>truth.tsv
run eval --truth truth.tsv first.h5 second.h5
verdict "unknown documents are named once" [ "$(grep -c nowhere err)" = 1 ]
finish
