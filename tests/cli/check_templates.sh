#!/bin/bash
# With --templates aside, check leaves out of targets what the index has set aside of their sites, so that it finds what
# detect --against finds: on any number of ranks, and after sources were added and segments merged. Templates that only targets
# show stay, as an index does not know them.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

"$PYTHON" - <<'PY'
# Four sites with a menu each, in five steps of four pages. A table of contents of each site says little else and keeps its menu. A
# page of another site quotes a menu, and one the error page that a site shows at many addresses.
import json, os, random
rng = random.Random(7)
words = ["".join(rng.choice("bcdfgklmnprstv") + rng.choice("aeiou") for _ in range(rng.randint(2, 4))) for _ in range(900)]

def text(n):
    return [" ".join(rng.sample(words, rng.randint(7, 11))).capitalize() + "." for _ in range(n)]

menus = [text(5) for _ in range(4)]
error = text(5)
steps, targets = [[] for _ in range(5)], []
def page(site, number, sentences):
    return {"id": f"{site}-{number}", "url": f"http://{site}.example/page-{number}.html", "text": " ".join(sentences)}

articles = []
for site, menu in enumerate(menus):
    for k in range(20):
        article = text(9)
        articles.append(article)
        steps[k // 4].append(page(f"site{site}", k, menu + article))
    steps[0].append(page(f"site{site}", "contents", menu))
    for k in range(2):
        copied = rng.choice(articles)[2:7]
        targets.append(page(f"site{site}", f"new{k}", menu + text(4) + copied + text(2)))
for k in range(8):
    steps[0].append(page("site1", f"gone{k}", error))
for k, quoted in enumerate((menus[0], error, menus[2])):
    steps[0].append(page(f"quoting{k}", 0, text(4) + quoted + text(4)))
for k in range(2):  # copies of what a short page says, with the menus of two sites
    short = text(2 + 2 * k)
    steps[0].append(page("site0", f"short{k}", menus[0] + short))
    targets.append(page("site3", f"short{k}", menus[3] + short))
for k in range(3):  # the same, where one sentence of two or three differs in one word
    brief = text(2 + k % 2)
    steps[k].append(page("site0", f"brief{k}", menus[0][:2] + brief + menus[0][2:]))
    site = (3, 0, 3)[k]  # with the same menu, no edge goes into it
    targets.append(page(f"site{site}", f"brief{k}", menus[site][:2] + brief[:-1] + ["Other " + brief[-1]] + menus[site][2:]))
    steps[k].append(page("site1", f"half{k}", menus[1] + brief[:1] + text(1)))
targets.append(page("site1", "gone99", error))
targets.append(page("elsewhere", 0, text(3) + menus[0] + text(3)))  # of no site of the index
for k, step in enumerate(steps):
    with open(f"step{k}.jsonl", "w") as out:
        out.writelines(json.dumps(one) + "\n" for one in step)
os.mkdir("sources")
os.mkdir("targets")
with open("sources/all.jsonl", "w") as out:
    out.writelines(json.dumps(one) + "\n" for step in steps for one in step)
with open("targets/all.jsonl", "w") as out:
    out.writelines(json.dumps(one) + "\n" for one in targets)
PY
rows() { # rows RESULT: passages with ids in place of numbers, without families
    run export --table passages "$1"
    exits "export $1" 0
    awk -F'\t' -v OFS='\t' 'NR > 1 {$1 = $2 = $16 = ""; print}' out | sort
}

how="$pages_by_sentence --idf 0,1 --min-passage-words 0 --min-copy-words 1 --min-agreement 0.2"
run detect $how --against sources -o against.h5 targets
exits "against" 0
rows against.h5 >expected
verdict "there are passages ($(wc -l <expected))" [ "$(wc -l <expected)" -ge 6 ]
verdict "a target of another site shows what a site quotes" [ "$(grep -c elsewhere expected)" -eq 2 ]
verdict "short pages are found" [ "$(grep -c short expected)" -eq 2 ]
verdict "brief pages are found" [ "$(grep -c brief expected)" -eq 3 ]
verdict "not those that agree in half of their words" [ "$(grep -c half expected)" -eq 0 ]
verdict "no target of a site shows its menu or its error page" [ "$(grep -c -e gone -e quoting2 -e quoting1 expected)" -eq 0 ]
for ranks in 1 2 4; do
    run_np $ranks index $how -o index.$ranks sources
    exits "index, $ranks ranks" 0
    run_np $ranks check --index index.$ranks -o check.h5 targets
    exits "check, $ranks ranks" 0
    says "check, $ranks ranks" "  templates: 70 units of sites of the index aside"
    rows check.h5 >got
    verdict "$ranks ranks: passages" cmp -s expected got
done
for file in $(cd index.1 && ls); do
    verdict "1, 2 and 4 ranks make the same $file" cmp -s index.1/$file index.2/$file
    verdict "1, 2 and 4 ranks make the same $file" cmp -s index.1/$file index.4/$file
done

# Sources in steps, each of which shows the templates. The fifth step merges the segments.
add=$how
for k in 0 1 2 3 4; do
    run index $add -o steps step$k.jsonl
    exits "step $k" 0
    add=--add
done
verdict "segments are merged" [ "$(ls steps | grep -c segment)" -eq 1 ]
run index $how --verbose --method pdc-shingle2 -o parts sources
exits "parts" 0
for part in names "places of names" documents sets templates checksums; do
    says "parts" "  $part  "
done
bytes_of() { awk -v part="$1" 'index($0, "  " part "  ") {for (k = 1; k <= NF; k++) if ($k == "(bytes,") print $(k - 1)}' err; }
verdict "parts: documents take more than checksums ($(bytes_of documents), $(bytes_of checksums))" [ "$(bytes_of documents)" -gt "$(($(bytes_of checksums) * 3))" ]
verdict "parts: no section is left for the checksums" [ "$(bytes_of checksums)" -lt 2000 ]
run check --index steps -o steps.h5 targets
rows steps.h5 >got
verdict "in steps: passages" cmp -s expected got
run index --refresh -o steps
exits "refresh" 0
run check --index steps -o steps.h5 targets
rows steps.h5 >got
verdict "read again: passages" cmp -s expected got

# Copies are no units that recur, and match where sets are compared; without texts, brief pages must say the same.
for more in "--max-repeats 1" "--method pdc-shingle2 --tau 0.8 --max-repeats 1"; do
    run detect $how $more --against sources -o against.h5 targets
    rows against.h5 >expected
    verdict "$more: brief pages are found" [ "$(grep -c brief expected)" -eq 3 ]
    run index $how $more -o other sources
    run check --index other -o check.h5 targets
    rows check.h5 >got
    verdict "$more: passages" cmp -s expected got
    rm -r other
done
run check --index steps --texts no -o check.h5 targets
rows check.h5 >got
verdict "--texts no: pages that say the same" [ "$(grep -c short got) $(grep -c brief got)" = "2 0" ]

# An index that matches templates, or that keeps texts: the option is the index's own.
run index $how --templates match -o match sources
run check --index match -o match.h5 targets
rows match.h5 >got
verdict "--templates match finds menus" [ "$(wc -l <got)" -gt "$(($(wc -l <expected) + 100))" ]
finish
