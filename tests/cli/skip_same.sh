#!/bin/bash
# --skip-same FIELD: pairs of documents with the same value of a field are left out, and counted.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1

"$PYTHON" - <<'EOF2'
import json, random
rng = random.Random(5)
line = lambda who, k: f"Sentence {k} of {who} says w{who}{k}, x{who}{k} and y{who}{k}."
long = "z" * 600
authors = ["Smith", "Sm\u00efth", 7, "7", "", None, long + "1", long + "2"]
docs = []
for n in range(48):
    begin = rng.randrange(8)
    text = " ".join(line("abcd"[n % 4], k) for k in range(begin, begin + rng.randrange(8, 14)))
    docs.append({"id": f"d{n}", "url": f"http://h{n % 5}.example/{n}", "text": text, "author": rng.choice(authors)})
    if n % 7 == 0:
        del docs[-1]["author"]
with open("docs.jsonl", "w") as f:
    f.writelines(json.dumps(d) + "\n" for d in docs)
with open("table.csv", "w") as f:
    f.write("id,year,group\n")
    f.writelines(f"d{n},{2000 + n % 3},{'' if n % 6 == 1 else n % 6}\n" for n in range(0, 40))
EOF2

# judge NAME FIELD HOSTS: x.h5 has the passages of all.h5 but those that the definition leaves out,
# and the log in `err` tells how many these are. HOSTS: 1 if --skip-same-host is there as well.
judge() {
    verdict "$1" "$PYTHON" - "$2" "$3" <<'EOF2'
import csv, h5py, json, re, sys
field, hosts = sys.argv[1], sys.argv[2] == "1"
docs = [json.loads(line) for line in open("docs.jsonl")]
table = {row["id"]: row for row in csv.DictReader(open("table.csv"))}
values = [str(d.get(field) or table.get(d["id"], {}).get(field) or "") for d in docs]
def rows(name):
    p = h5py.File(name)["passages"]
    columns = sorted(c for c in p if len(p[c]) == len(p["doc_a"]) and c not in ("pair", "family"))  # families go by all links of a job
    return [dict(zip(columns, row)) for row in zip(*(p[c][()].tolist() for c in columns))]
everything, same, host, rest = rows("all.h5"), 0, 0, []
for row in everything:
    a, b = row["doc_a"], row["doc_b"]
    if hosts and docs[a]["url"].split("/")[2] == docs[b]["url"].split("/")[2]:
        host += 1
    elif values[a] and values[a] == values[b]:
        same += 1
    else:
        rest.append(row)
assert same > 20 and len(rest) > 50 and (host > 20) == hosts, (same, host, len(rest))
assert rows("x.h5") == rest
log = open("err").read()
assert int(re.search(r"left out, same field +(\d+)", log)[1]) == same, (log, same)
assert not hosts or int(re.search(r"left out, same host +(\d+)", log)[1]) == host, (log, host)
attribute = h5py.File("x.h5").attrs["skip_same"]
assert (attribute.decode() if isinstance(attribute, bytes) else attribute) == field
EOF2
}
method="--preset paper --idf 0,1 --max-df 1000"
run detect $method -o all.h5 docs.jsonl
exits "all pairs" 0
for np in 1 2 4; do
    run_np $np detect $method --skip-same author -o x.h5 docs.jsonl
    exits "author, $np ranks" 0
    judge "author, $np ranks" author 0
    run_np $np detect $method --skip-same author --skip-same-host -o x.h5 docs.jsonl
    exits "author and host, $np ranks" 0
    judge "author and host, $np ranks" author 1
    run_np $np detect $method --metadata table.csv --skip-same group -o x.h5 docs.jsonl
    exits "column, $np ranks" 0
    judge "column, $np ranks" group 0
done
run detect $method --keep-fields author --metadata table.csv --skip-same group -o x.h5 docs.jsonl
judge "a field that --keep-fields does not name" group 0

run detect $method --skip-same nothing -o x.h5 docs.jsonl
exits "a field that no document has" 0
verdict "a field that no document has: it is told" grep -q -e '--skip-same nothing: no document has this field' err
run detect $method --skip-same '' -o x.h5 docs.jsonl
exits "an empty name" 2
verdict "an empty name: it is told" grep -q -e "--skip-same: an empty name" err

finish
