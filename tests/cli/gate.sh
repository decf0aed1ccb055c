#!/bin/bash
# detect --gate and export --format sarif: a build that must not have copies, told by file, line and column.
# Python finds the copied paragraphs in the files, and says where they must be told.
. "$(dirname "$0")/lib.sh"

python3 - <<'END'
import os
def other(k): return " ".join(chr(97 + (k * 7 + j * j * (k + 3)) % 26) * 2 + chr(97 + (k * k + j * 5) % 26) for j in range(12)).capitalize() + "."
def said(*numbers): return " ".join(f"Sentence number w{k} speaks of x{k} and of é{k}, [y{k}], in its own words." for k in numbers)
os.makedirs("pages/a b"); os.makedirs("alone")
kept, changed, torn = said(*range(100, 106)), said(*range(200, 206)), said(*range(300, 306))
files = {
    "pages/a b/one.md": "# One\n\n" + other(6) + "\n\n" + kept + "\n",
    "pages/a b/50%.md": "# Two\r\n\r\n\u00fc " + kept + "\r\n\r\n" + other(3),             # CR LF, and a column behind 1
    "pages/changed.md": "\ufeff# Three\n\n" + changed.replace("x203 and", "another thing and") + "\n\n" + other(4) + "\n",
    "pages/sibling.md": other(5) + "\n\n" + changed + "\n",
    "pages/torn.md": "# Five\n" + torn.replace(" speaks of", "\nspeaks of") + "\n" + other(1) + "\n",  # over several lines
    "pages/whole.md": torn + "\n\n" + other(2) + "\n",
    "alone/one.md": said(*range(20)) + "\n", "alone/two.md": said(*range(30, 50)) + "\n"}
for name, text in files.items():
    open(name, "w", encoding="utf-8", newline="").write(text)
END

run detect --gate -o out.h5 pages
exits "copies are found" 3
present "the result is written all the same" out.h5
grep -q "gate: copies found, exit status 3" err
verdict "the log says why" [ $? = 0 ]
run detect --quiet --gate -o out.h5 pages
verdict "--quiet: a status, and not a word" [ "$status" = 3 -a ! -s err -a ! -s out ]
run detect -o out.h5 pages
exits "without --gate copies are no matter" 0
run detect --gate -o none.h5 alone
exits "no copies" 0
run detect --gate -o none.h5 nowhere
exits "no such folder" 1
run detect --gate
exits "no -o" 2
run detect --gate --dry-run pages
exits "a dry run finds nothing" 0
if [ "$PARDUP_MPIRUN" != none ]; then
    run detect --gate -j 2 -o two.h5 pages
    exits "two ranks: copies are found" 3
    verdict "two ranks: no word of the launcher" sh -c '! grep -qi "mpi\|signal" err'
fi

run export -o found.sarif out.h5
exits "sarif by the ending" 0
run export --format sarif out.h5
verdict "the same on standard output" cmp -s out found.sarif
run export -o found.sarif out.h5
exits "its own page is written over" 0
verdict "structure, files, lines, columns and what differs" python3 - <<'END'
import json, re, sys, urllib.parse
log = json.load(open("found.sarif", encoding="utf-8"))
(run,) = log["runs"]
rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
assert log["version"] == "2.1.0" and run["tool"]["driver"]["name"] == "pardup" and run["columnKind"] == "unicodeCodePoints"
def text_at(location):  # the text of a region, and its file
    place = location["physicalLocation"]
    path, r = urllib.parse.unquote(place["artifactLocation"]["uri"]), place["region"]
    text = open(path, encoding="utf-8-sig", newline="").read()
    starts = [0] + [k + 1 for k, c in enumerate(text) if c == "\n"]
    return path, text[starts[r["startLine"] - 1] + r["startColumn"] - 1:starts[r["endLine"] - 1] + r["endColumn"] - 1], r
found = {}
for k, result in enumerate(run["results"]):
    assert rules[result["ruleIndex"]] == result["ruleId"] and result["level"] in ("note", "warning"), result
    assert result["properties"]["passage"] == k and result["relatedLocations"][0]["id"] == 1, result
    sides = [text_at(result["locations"][0]), text_at(result["relatedLocations"][0])]
    found[tuple(sorted(path for path, _, _ in sides))] = (result, {path: (text, region) for path, text, region in sides})
assert len(found) == 3 == len(run["results"]), found.keys()
same, sides = found["pages/a b/50%.md", "pages/a b/one.md"]
assert same["ruleId"] == "copied-text" and re.search(r"all (\d+) words agree\.$", same["message"]["text"]), same
for path, line, column in (("pages/a b/50%.md", 3, 3), ("pages/a b/one.md", 5, 1)):
    text, region = sides[path]
    assert text.startswith("Sentence number w100 ") and text.rstrip(".").endswith("[y105], in its own words"), text
    assert (region["startLine"], region["startColumn"]) == (line, column), region
changed, sides = found["pages/changed.md", "pages/sibling.md"]
assert changed["ruleId"] == "changed-copy" and changed["level"] == "warning"
assert changed["message"]["text"].endswith('Not alike: here "another thing", there "x203".'), changed["message"]
assert "[pages/sibling.md](1)" in changed["message"]["text"] and sides["pages/changed.md"][1]["startLine"] == 3
torn, sides = found["pages/torn.md", "pages/whole.md"]
assert torn["ruleId"] == "copied-text" and (sides["pages/torn.md"][1]["startLine"], sides["pages/torn.md"][1]["endLine"]) == (2, 8), sides
END

# Pages of HTML that are files: lines of the source, also behind tags, character references and a mark at the beginning.
mkdir site
python3 - <<'END'
def said(*numbers): return " ".join(f"Sentence number w{k} speaks of x{k} and of é{k} &amp; [y{k}], in its <b>own</b> words." for k in numbers)
def own(a): return " ".join(chr(97 + (a * 7 + j * j) % 26) * 3 + str(j) for j in range(30)) + "."
for name, mark, before in (("one", "", 2), ("two", "\ufeff", 5)):
    open(f"site/{name}.html", "w").write(f"{mark}<html>\n<body>\n" + f"<p>{own(before)}</p>\n" * before +
        f"<div>\n<p class='é'>{said(*range(3))}\n{said(*range(3, 6))}</p></div>\n<p>{own(9 + before)}</p></body></html>\n")
END
run detect --preset texts -o site.h5 site
run export -o site.sarif site.h5
exits "sarif of pages" 0
verdict "pages: lines of the source" python3 - <<'END'
import json
(result,) = json.load(open("site.sarif"))["runs"][0]["results"]
for place, line in zip((result["locations"][0], result["relatedLocations"][0]), (6, 9)):
    physical = place["physicalLocation"]
    r = physical["region"]
    assert (r["startLine"], r["endLine"]) == (line, line + 1), physical
    lines = open(physical["artifactLocation"]["uri"], encoding="utf-8-sig").read().split("\n")
    assert lines[r["startLine"] - 1][r["startColumn"] - 1:].startswith("Sentence number w0"), physical
    assert lines[r["endLine"] - 1][:r["endColumn"] - 1].rstrip(".").endswith("words"), physical
END

# A record of a file of many has no lines of its own: it is told by its id.
python3 - >records.jsonl <<'END'
import json
for name in ("first", "second"):
    print(json.dumps({"id": name, "text": " ".join(f"Sentence number w{k} speaks of x{k}." for k in range(9))}))
END
run detect --quiet -o records.h5 records.jsonl
run export -o records.sarif records.h5
verdict "records: the file and the id" python3 - <<'END'
import json
(result,) = json.load(open("records.sarif"))["runs"][0]["results"]
for place, name in ((result["locations"][0], "first"), (result["relatedLocations"][0], "second")):
    assert place["physicalLocation"] == {"artifactLocation": {"uri": "records.jsonl"}}, place
    assert place["logicalLocations"] == [{"fullyQualifiedName": name}], place
END
run export --format sarif none.h5
exits "no copies: a log without findings" 0
verdict "no copies: still a log" python3 -c 'import json; assert json.load(open("out"))["runs"][0]["results"] == []'

run export --format sarif --table documents out.h5
exits "sarif is of passages" 2
run export --format sarif --text 9 out.h5
exits "sarif has no columns" 2
echo '{"driver": "mine"}' >mine.sarif
run export -o mine.sarif out.h5
exits "a file of others stays" 1
rm pages/torn.md
run export -o gone.sarif out.h5
exits "a text is gone" 1
absent "a text is gone: no file" gone.sarif
finish
