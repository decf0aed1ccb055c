#!/bin/bash
# --keep-fields, --metadata and --date-field: fields of documents in /documents/meta, first dates of families.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1
"$PYTHON" - <<'EOF2'
import json, random
rng = random.Random(3)
line = lambda who, k: f"Sentence {k} of {who} says w{who}{k}, x{who}{k} and y{who}{k}."
dates = ["2009", "2009-01", "2009-01-13", "2008-12-31T23:00:00-02:00", "Tue, 13 Jan 2009 10:15:30 +0100", "never", None, 2007,
         "c. 2006", "2006-2009"]
with open("docs.jsonl", "w") as f:
    for n in range(60):
        text = " ".join(line("abcdefghijkl"[n % 12], k) for k in range(rng.randrange(12, 20)))
        record = {"id": f"d{n}", "text": text, "info": {"title": f'T"{n}"\n', "no": n, "x": 1.50}, "date": rng.choice(dates), "ok": n % 2 == 0,
                  "tags": [f"a \" {n}", 1.50, None, {"b ": []}] if n % 5 else ["x" * 600], "deep": {"er": {"a": n, "b": " c  d "}}}
        if n % 3 == 0:
            del record["info"]["title"]
        print(json.dumps(record), file=f)
with open("table.csv", "w", newline="") as f:
    f.write("\ufeffauthor,id,year\r\n")
    for n in range(0, 60, 2):
        f.write(f'"Smith, ""J"" {n}",d{n},{2000 + n % 7}\r\n')
    f.write("nobody,zz\x1b[2J,1990\r\n")
EOF2
judge() { # judge NAME RESULT PYTHON: the meta, dates and families of a result
    verdict "$1" "$PYTHON" - "$2" "$3" <<'EOF2'
import collections, datetime, email.utils, h5py, json, sys
f = h5py.File(sys.argv[1])
docs = [json.loads(line) for line in open("docs.jsonl")]
meta = [json.loads(m or "{}") for m in f["documents/meta"][()]]
def utc(moment):
    return (moment if moment.tzinfo else moment.replace(tzinfo=datetime.timezone.utc)).astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
def date(value):
    value = {"c. 2006": "2006?", "2006-2009": "2006/2009"}.get(value, str(value))
    if value[:4].isdigit():
        return value if len(value) < 11 or "/" in value else utc(datetime.datetime.fromisoformat(value))
    try:
        return utc(email.utils.parsedate_to_datetime(value))
    except (TypeError, ValueError):
        return ""
def wanted(d):
    return {}
exec(sys.argv[2])
assert meta == [wanted(d) for d in docs], next((a, wanted(b)) for a, b in zip(meta, docs) if a != wanted(b))
assert all(list(a) == list(wanted(b)) for a, b in zip(meta, docs)), "order of fields"
dates = [date(m.get(field, "")) for m in meta]
assert dates == [d.decode() for d in f["documents/date"][()]], dates
first = collections.defaultdict(list)  # the day that a coarse date begins with comes before that day
for family, doc in zip(f["members/family"][()].tolist(), f["members/doc"][()].tolist()):
    if dates[doc]:
        d = dates[doc]
        whole = d.split("/")[0].strip("?")
        begin = whole + {4: "-01-01T00:00:00Z", 7: "-01T00:00:00Z", 10: "T00:00:00Z"}.get(len(whole), "")
        first[family].append(("?" in d, d.split("/")[-1][:4], begin, len(d), doc))  # sure dates, then the year by which it was there
got = list(zip(f["families/first_date"][()], f["families/first_doc"][()].tolist(), f["families/first_sure"][()].tolist()))
want = [(dates[min(first[k])[-1]].encode(), min(first[k])[-1], not min(first[k])[0] and all(x[2] >= min(first[k])[2] for x in first[k]))
        if first[k] else (b"", -1, 0) for k in range(len(got))]
assert got == want and len(got) > 3, [x for x in zip(got, want) if x[0] != x[1]]
EOF2
}

# Fields of JSON lines.
options="--keep-fields date,info.title,info.no,info.x,ok,none,tags,deep.er"
run detect --progress none --preset texts -o one.h5 $options docs.jsonl
exits "fields" 0
judge "fields" one.h5 '
field = "date"
def wanted(d):
    values = {"date": d["date"], "info.title": d["info"].get("title"), "info.no": d["info"]["no"], "info.x": 1.5,
              "ok": d["ok"], "tags": d["tags"] if len(d["tags"]) > 1 else None, "deep.er": d["deep"]["er"]}
    return {k: v for k, v in values.items() if v is not None}'
says "values that are too long" "kept values that are cut at 512 bytes, or left out: 12"
says "a field that no document has" "--keep-fields none: no document has this field"
says "dates that are none" "documents whose date cannot be read as a date"
run_np 3 detect --progress none --preset texts --memory 1M -o three.h5 $options docs.jsonl
same "the same at 3 ranks" one.h5 three.h5
run families -o again.h5 one.h5
same "families again" one.h5 again.h5
run show --family 2 --width 60 one.h5
exits "show --family" 0
verdict "show --family: a line for each member" "$PYTHON" -c 'import h5py, sys
f = h5py.File("one.h5")
lines = open("out").read().split("\n\n")[0].splitlines()[1:]
first = f["families/first_doc"][2]
sure = "first" if f["families/first_sure"][2] else "first, as far as is sure"
assert lines[0] == "  %s, %s: d%d" % (sure, f["documents/date"][first].decode(), first), lines[0]
lines = lines[1:]
docs = [doc for family, doc in zip(f["members/family"], f["members/doc"]) if family == 2]
assert [line.split()[-1] for line in lines] == [f"d{doc}" for doc in docs], lines
assert [f["documents/date"][doc].decode() in line for line, doc in zip(lines, docs)] and any("20" in line for line in lines)
assert sum("representative" in line for line in lines) == 1'
run export --table families one.h5
prints "export" "first_date	first_doc	first_sure	first_id"
verdict "export: who was first" [ "$(sed 1d out | awk -F'\t' '$6 != "" && $8 != "d" $6' | wc -l)" -eq 0 -a "$(sed 1d out | cut -f 8 | grep -c .)" -gt 0 ]

printf '{"id":"nul","text":"Some text.","a":[1, 2\0],"b":[ "x \\" y" , {}]}\n' >nul.jsonl
run detect --quiet --keep-fields a,b -o nul.h5 nul.jsonl
exits "a list with NUL" 0
verdict "a list with NUL is left out" "$PYTHON" -c 'import h5py, json
assert json.loads(h5py.File("nul.h5")["documents/meta"][0]) == {"b": ["x \" y", {}]}'

# A table.
run detect --progress none --preset texts --date-field year --metadata table.csv -o one.h5 docs.jsonl
exits "table" 0
says "documents with a row" "--metadata table.csv: 30 of 60 documents have a row"
says "ids of no document" '1 of the 31 ids of --metadata table.csv are of no document: zz\x1b[2J'
judge "table" one.h5 '
field = "year"
def wanted(d):
    n = int(d["id"][1:])
    return {} if n % 2 else {"author": f"Smith, \"J\" {n}", "year": str(2000 + n % 7)}'
run_np 2 detect --progress none --preset texts --date-field year --metadata table.csv -o two.h5 docs.jsonl
same "table: the same at 2 ranks" one.h5 two.h5
run detect --progress none --preset texts --keep-fields year,info.no --metadata table.csv -o one.h5 docs.jsonl
judge "both" one.h5 '
field = "date"
def wanted(d):
    n = int(d["id"][1:])
    return {"info.no": n} if n % 2 else {"year": str(2000 + n % 7), "info.no": n}'

# dedup keeps by a column of the table.
for k in 0 1 2; do
    printf '{"id":"c%s","text":"%s"}\n' $k "$(sentences 1 12 | tr '\n' ' ')"
done >copies.jsonl
printf 'id,year\nc0,1999\nc1,2010\nc2,2005\n' >years.csv
run detect --progress none --preset texts --metadata years.csv -o copies.h5 copies.jsonl
run dedup --keep field:year --list -o kept copies.h5
exits "dedup" 0
verdict "dedup: the greatest year stays" [ "$(cat kept/keep.txt)" = c1 ]

# The date of a WARC record.
for k in 1 2 3; do
    body="<p>Page $k has text.</p>"
    printf 'WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:%s>\r\nWARC-Date: 2011-0%s-02T03:04:05Z\r\n' $k $k
    printf 'Content-Type: text/html\r\nContent-Length: %s\r\n\r\n%s\r\n\r\n' ${#body} "$body"
done >pages.warc
run detect --progress none --keep-fields title,date -o warc.h5 pages.warc
exits "WARC" 0
verdict "WARC-Date" "$PYTHON" -c 'import h5py, json
f = h5py.File("warc.h5")["documents"]
want = [f"2011-0{k}-02T03:04:05Z" for k in (1, 2, 3)]
assert [json.loads(m) for m in f["meta"]] == [{"date": d} for d in want] and [d.decode() for d in f["date"]] == want'

# Fields are columns of tables that name documents; so is the address where ids are numbers of records.
cat >exported.py <<'EOF2'
import csv, json, subprocess, sys
def table(result, name, *more):
    out = subprocess.run([sys.argv[1], "export", "--table", name, "--format", "jsonl", *more, result], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in out.stdout.splitlines()]
documents = table("table.h5", "documents")
meta = [json.loads(d["meta"] or "{}") for d in documents]
fields = sorted({k for m in meta for k in m})
assert fields == ["author", "year"], fields
for d, m in zip(documents, meta):
    assert all(d[k] == m.get(k) for k in fields), d
for name, sides in (("passages", "ab"), ("pairs", "ab"), ("members", "")):
    rows = table("table.h5", name)
    assert rows
    for r in rows:
        for side in sides or [""]:
            end = side and "_" + side
            for k in fields:
                assert r[k + end] == meta[r["doc" + end]].get(k), r
got = [r["year_b"] for r in table("table.h5", "passages", "--sort", "year_b:desc")]
there = [y for y in got if y is not None]
assert there == sorted(there, reverse=True) and got[len(there):] == [None] * (len(got) - len(there)) and there
assert [r["url"] for r in table("warc.h5", "documents")] and "url_a" not in table("table.h5", "passages")[0]
EOF2
run detect --progress none --preset texts --metadata table.csv -o table.h5 docs.jsonl
"$PYTHON" exported.py "$PARDUP" >out 2>err
verdict "export: kept fields are columns" [ $? -eq 0 ]
run export --sort nothing table.h5
one_error "--sort by a column that is not there"
says "--sort by a column that is not there" "year_b"

# A value of any length is cut between characters.
printf '{"id":"long","text":"Some text.","t":"%s"}\n' "$(printf 'é%.0s' {1..400})" >long.jsonl
run detect --progress none --keep-fields t -o long.h5 long.jsonl
says "a long value" "kept values that are cut at 512 bytes, or left out: 1"
verdict "a long value" "$PYTHON" -c 'import h5py, json
assert json.loads(h5py.File("long.h5")["documents/meta"][0])["t"] == "é" * 256'

# What cannot be done.
wrong() { # wrong NAME STATUS MESSAGE OPTION...
    local name=$1 code=$2 message=$3
    shift 3
    run detect --progress none -o bad.h5 "$@" docs.jsonl
    exits "$name" "$code"
    one_error "$name"
    says "$name" "$message"
    absent "$name" bad.h5
}
wrong "an empty name" 2 "--keep-fields: an empty name" --keep-fields a,,b
wrong "no table" 1 "nowhere.csv" --metadata nowhere.csv
printf 'id,a\nx,1\nx,2\n' >bad.csv
wrong "an id twice" 1 "bad.csv: line 3: the id x occurs twice" --metadata bad.csv
printf 'id,a\n"x,1\n' >bad.csv
wrong "an open quote" 1 "bad.csv: line 2: a quote without its end" --metadata bad.csv
mkfifo pipe
wrong "a pipe" 1 "pipe" --metadata pipe
finish
