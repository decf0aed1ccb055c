#!/bin/bash
# The output of `dedup` is data and nothing else: plain Python, pandas, datasets, duckdb and polars, where they are installed, open its whole
# folder and count the documents of the summary. PYTHON: an interpreter that has more of them.
. "$(dirname "$0")/lib.sh"
python=${PYTHON:-/usr/bin/python3}
mkdir -p in/old
doc() { printf '{"id":"%s","text":"%s","n":1}\n' "$1" "${2//$'\n'/ }"; }
{ doc a "$(sentences 1 30)" && doc b "$(sentences 1 30)" && doc c "$(sentences 40 60) $(sentences 5 28)"; } >in/one.jsonl
{ doc d "$(sentences 40 60)" && doc e "$(sentences 70 90)"; } | gzip -n >in/two.jsonl.gz
{ doc f "$(sentences 70 90)" && doc g "$(sentences 100 120)"; } | zstd -q >in/old/three.jsonl.zst
run detect --preset texts -o r.h5 in
run dedup --certificate -o clean r.h5
exits "dedup" 0
verdict "the names of the input and no other" [ "$(cd clean && find . -type f | sort)" = "$(cd in && find . -type f | sort)" ]
verdict "files of which all is gone are whole, too" gzip -t clean/two.jsonl.gz
verdict "and have no record" [ "$(zcat clean/two.jsonl.gz | wc -c)" -eq 0 ]
cat >open.py <<'END_OF_OPEN'
import gzip, json, os, subprocess, sys
wanted = json.load(open("clean.proof/summary.json"))["documents"]["after"]
paths = sorted(os.path.join(at, name) for at, _, names in os.walk("clean") for name in names)

def plain(path):
    packed = subprocess.run(["zstd", "-dcq", path], capture_output=True, check=True).stdout if path.endswith(".zst") else \
        gzip.open(path).read() if path.endswith(".gz") else open(path, "rb").read()
    return [json.loads(line) for line in packed.splitlines()]

def by_python():
    return [record["id"] for path in paths for record in plain(path)]

def by_pandas():
    import io
    import pandas
    def opened(path):  # its zstd is a module of its own
        return io.StringIO("\n".join(map(json.dumps, plain(path)))) if path.endswith(".zst") else path
    frames = [pandas.read_json(opened(path), lines=True) for path in paths]
    return list(pandas.concat(frames)["id"])

def by_datasets():
    import datasets
    return datasets.load_dataset("json", data_files=paths, split="train", cache_dir="cache")["id"]

def by_duckdb():
    import duckdb
    return [row[0] for row in duckdb.sql("select id from read_json('clean/**/*', format = 'newline_delimited')").fetchall()]

def by_polars():
    import polars
    return list(polars.concat([polars.read_ndjson(path) for path in paths if plain(path)])["id"])  # one without a row is an error

for reader in (by_python, by_pandas, by_datasets, by_duckdb, by_polars):
    name = reader.__name__[3:]
    try:
        ids = list(reader())
        print(name, len(ids), "right" if len(ids) == wanted == len(set(ids)) else f"wrong: {wanted} documents, {ids}")
    except ImportError:
        print(name, "is not installed")
    except Exception as error:
        print(name, "wrong:", repr(error).splitlines()[0][:300])
END_OF_OPEN
$python open.py >opened 2>err
verdict "counted: $(paste -sd ';' opened)" grep -q '^python [1-6] right' opened
verdict "no reader counts otherwise: $(paste -sd ';' opened)" awk '/wrong/ { bad = 1 } END { exit bad || NR != 5 }' opened
finish
