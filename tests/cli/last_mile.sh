#!/bin/bash
# What stopped six new users, a row for each, typed as they typed it. Scripts that say more: output, given, label, office, ignore, each,
# quotations, changes, terminal, report.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

# ---- anybody: a forgotten name for -o ----
for k in 1 2 3; do sentences 1 12 >essay$k.txt; done
cp essay1.txt kept
run detect -o essay1.txt essay2.txt essay3.txt
exits "a result over an essay" 1
says "a result over an essay" "--force"
verdict "the essay is there" cmp -s essay1.txt kept
run detect --preset texts -o o.h5 essay1.txt essay2.txt
for command in "export -o" "report -o" "picture -o" "families -o" "dedup -o" "index -o" "check --show --index none -o" "frequencies -o"; do
    operands=o.h5
    case $command in index* | check* | freq*) operands=essay2.txt ;; esac
    run $command essay1.txt $operands
    verdict "$command over an essay" [ "$status" -ne 0 ]
    verdict "$command: the essay is there" cmp -s essay1.txt kept
done

mkdir runs pages
for file in runs/a.run pages/truth.tsv pages.key.csv; do echo mine >$file; done
printf '7 Q0 essay1.txt 1 9.5 r\n' >a.run
run prevalence --unique --coverage .5 -o runs --run a.run o.h5
exits "runs in a folder of another one" 1
run synth -o pages --container jsonl --pack none --bytes 100K
exits "a made collection in a folder of another one" 1
run report --each -o pages o.h5
exits "pages with the key of another one" 1
verdict "files in folders stay" [ "$(cat runs/a.run pages/truth.tsv pages.key.csv | sort -u)" = mine ]
run synth -o made --container jsonl --pack none --bytes 100K
run synth -o made --container jsonl --pack none --bytes 100K
exits "its own folder, again" 0

# ---- anybody: equal messages in plain English, in Vietnamese, and a file without words ----
mkdir chat
for k in 1 2 3 4 5 6; do printf 'ok so we go at 6 to the bar of Al, it is on us all, do you go as we do or do I go by me\n' >chat/$k.txt; done
run detect -o chat.h5 chat
verdict "chat: no word of Chinese" [ "$(grep -c 'Chinese' err)" -eq 0 ]
verdict "chat: 15 passages" grep -qE '^pardup:   passages +15$' err
mkdir viet
for k in 1 2 3; do printf 'Anh ấy đi ra chợ để mua cá và rau về cho bà và mẹ ăn, rồi đi ra bờ hồ để đi bộ cho nó khoẻ\n' >viet/$k.txt; done
: >viet/empty.txt
run detect -o viet.h5 viet
verdict "Vietnamese: 3 passages" grep -qE '^pardup:   passages +3$' err

# ---- scholar, archivist: names that people have ----
mkdir -p books
for k in 1 2 3; do { sentences 1 12; sentences ${k}00 ${k}05; } >books/A0127$k.txt; done
printf 'id,author,title,date\nA01271,Ann,One,c. 1633\nA01272,Bob,Two,1608?\nA01273,Cy,Three,1626-1627\n' >meta.csv
run detect --preset texts --metadata meta.csv -o b.h5 books
says "a table of names" "3 of 3 documents have a row"
verdict "dates as people write them" [ "$(grep -c 'cannot be read as a date' err)" -eq 0 ]
run show --label '{author}, {title} ({date})' b.h5
prints "author and title are shown" "Bob, Two (1608?)"

# ---- teacher: who copied ----
run index --with-text -o s.index books/A01271.txt chat/1.txt
run check --top 3 --index s.index -o c.h5 books/A01272.txt books/A01273.txt
for table in decisions ranking; do
    run export --format csv --label '{name}' --table $table c.h5
    prints "$table has ids" "books/A01272.txt"
    prints "$table has labels" ",A01273"
done

# ---- scholar: who quotes whom; one family is one text ----
run export --format csv --table quotations b.h5
prints "quotations, the oldest first" "1608?"
verdict "quotations, the oldest first" [ "$(sed -n 2p out | grep -c '1608?')" = 1 ]
mkdir chain
"$PYTHON" - <<'P'
import random
rng = random.Random("tiles")
tiles = [" ".join(" ".join(f"word{rng.randrange(9999)}" for _ in range(11)).capitalize() + "." for _ in range(4)) for _ in range(14)]
for k in range(12):
    open(f"chain/{k}.txt", "w").write(" ".join(tiles[k:k + 3]) + "\n")
P
run detect --preset texts -o chain.h5 chain
run export --format csv --table families chain.h5
verdict "texts that overlap like tiles are no single family" [ "$(wc -l <out)" -gt 3 ]

# ---- engineer: export --text reads each text once ----
for k in $(seq 1 60); do { sentences 1 30; sentences $((k * 100)) $((k * 100 + 40)); } | tr '\n' ' ' >one; printf '{"id":"d%s","text":"%s"}\n' $k "$(cat one)"; done >many.jsonl
run detect --preset texts --max-repeats 0 -o many.h5 many.jsonl
verdict "many passages" grep -qE '^pardup:   passages +1770$' err
verdict "export --text does not read a text for each row" "$PYTHON" - <<'P'
import os, subprocess
p = subprocess.Popen([os.environ["PARDUP"], "export", "--text", "50", "-o", "many.csv", "--progress", "none", "many.h5"])
os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOWAIT)
read = int([line.split()[1] for line in open(f"/proc/{p.pid}/io") if line.startswith("rchar")][0])
assert p.wait() == 0
size = os.path.getsize("many.jsonl")
assert size <= read <= 12 * size + 4000000, (read, size)
P

# ---- reader of the page: the longest passages are the sample; state in the address ----
run report --limit 60 -o page.html many.h5
verdict "a sample of the longest" "$PYTHON" - <<'P'
import json, re
page = json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', open("page.html").read(), re.S)[1])
assert "the longest" in page["note"] and len(page["passages"]) == 60
P
verdict "the address keeps search, sort and filter" grep -q 'URLSearchParams(location.hash' page.html
finish
