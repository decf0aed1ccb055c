#!/bin/bash
# The frame of a letter: header, signature, quoted heads. The judge finds it from the definition in letters made at random.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
judge=$here/../support/oracle_letter.py

"$PYTHON" "$judge" make 3000 7 >letters.jsonl
"$PARDUP" sentences letters.jsonl >whole
"$PARDUP" sentences --frame aside letters.jsonl >left
verdict "the judge finds the same frames" "$PYTHON" "$judge" judge letters.jsonl whole left

# two letters of one author: their text differs, what stands around it is the same
mkdir mail
for who in Anna Berta; do
    { printf 'From: me@here.org (A Writer of Letters)\nOrganization: The Long Hall of Old Books, Upper Town\n\n'
      [ $who = Anna ] && printf 'The sea is loud.\n' || printf 'Rain fell on stone.\n'
      printf -- '-- \nA Writer of Letters, the Long Hall, Upper Town\nAll that is gold does not glitter, and not all who wander are lost.\n'
    } >mail/$who.txt
done
for how in match aside; do
    for ranks in 1 2 3; do
        run_np $ranks detect --preset texts --frame $how -o $how.$ranks.h5 mail
        exits "$how, $ranks ranks" 0
        "$PARDUP" export $how.$ranks.h5 >$how.$ranks.csv
    done
    verdict "$how: the same at any number of ranks" cmp $how.1.csv $how.2.csv
    verdict "$how: the same at 3 ranks" cmp $how.1.csv $how.3.csv
done
verdict "a signature matches" test "$(wc -l <match.1.csv)" -gt 1
verdict "set aside it does not" test "$(wc -l <aside.1.csv)" -eq 1
verdict "the summary tells it" grep -q "menus and frame: [0-9]* of [0-9]* sentences aside" err

# letters of six senders with signatures that nothing marks: the judge of templates takes the letters of a sender as a site
mkdir signed
"$PYTHON" - <<'PY'
import random
rng = random.Random(5)
words = "rain sun wind snow cloud storm hail frost dew fog thaw ice mist haze calm gale".split()
told = [" ".join(rng.choices(words, k=14)).capitalize() + "." for _ in range(30)]
for k in range(60):
    who = k % 6
    text = "\n".join(" ".join(rng.choices(words, k=12)).capitalize() + "." for _ in range(6))
    with open(f"signed/{k:02}", "w") as letter:
        letter.write(f"From: Writer {who} <W{who}@Example.org>\nSubject: {k}\nDate: Mon, 1 Mar 1993 12:00:00 GMT\n\n"
                     f"{text}\n{rng.choice(told)}\n\nWriter number {who} of the long hall of old books in the upper town.\n")
PY
"$PARDUP" sentences --offsets signed >signed.sentences
for ranks in 1 3; do
    run_np $ranks detect --preset texts --templates aside -o signed.$ranks.h5 signed
    exits "senders, $ranks ranks" 0
    echo "signed.$ranks.h5 --preset texts --templates aside" >list
    verdict "senders, $ranks ranks: equal to the judge" sh -c \
        '"$0" "$1" --sentences signed.sentences --list list >out 2>&1 && grep -q ": equal" out' "$PYTHON" "$here/../support/oracle.py"
    verdict "senders, $ranks ranks: signatures are templates" grep -q "templates of 6 sites" err
done

# letters of a list, each of another sender: its footer is an imprint at the end of a letter, and text elsewhere
mkdir listed
"$PYTHON" - <<'PY'
import random
rng = random.Random(8)
words = "rain sun wind snow cloud storm hail frost dew fog thaw ice mist haze calm gale drizzle breeze".split()
footer = ["You are on the list of people who watch the weather from the hills.", "Write to the keeper of the list to leave it."]
for k in range(70):
    told = [" ".join(rng.choices(words, k=12)).capitalize() + "." for _ in range(14)]
    if k % 3 == 0:
        told += footer if k % 6 else footer[1:]
    elif k % 10 == 1:
        told[7:7] = footer
    with open(f"listed/{k:02}", "w") as letter:
        letter.write(f"From: Writer {k} <W{k % 60}@Example.org>\nSubject: {k}\nDate: Mon, 1 Mar 1993 12:00:00 GMT\n\n" + "\n".join(told) + "\n")
PY
"$PARDUP" sentences --offsets listed >listed.sentences
for ranks in 1 3; do
    run_np $ranks detect --preset texts --templates aside --common first -o listed.$ranks.h5 listed
    exits "imprints, $ranks ranks" 0
    echo "listed.$ranks.h5 --preset texts --templates aside --common first" >list
    verdict "imprints, $ranks ranks: equal to the judge" sh -c \
        '"$0" "$1" --sentences listed.sentences --list list >out 2>&1 && grep -q ": equal" out' "$PYTHON" "$here/../support/oracle.py"
    "$PARDUP" export --table templates listed.$ranks.h5 >imprints.$ranks
done
verdict "imprints: the same at 3 ranks" cmp imprints.1 imprints.3
verdict "both sentences are imprints" test "$(awk -F'\t' '$3 == "" && ($6 == 14 || $6 == 10)' imprints.1 | wc -l)" -eq 2
verdict "an imprint in the middle of a letter matches" grep -q "listed/11" <("$PARDUP" export listed.1.h5)
verdict "at the end it does not" sh -c '! "$0" export listed.1.h5 | grep -q "listed/03"' "$PARDUP"
run index --preset texts --templates aside --common first -o listed.index listed
mkdir asked
for k in 3 11; do
    { printf 'From: w@x.org\nSubject: x\nDate: Mon, 1 Mar 1993 12:00:00 GMT\n\n'
      for n in 1 2 3 4 5 6; do echo "Line $n of letter $k stands nowhere else."; done
      tail -2 listed/03
      [ $k = 3 ] || for n in 1 2 3 4 5 6; do echo "Line $n goes on below in letter $k."; done
    } >asked/$k
done
run check --index listed.index -o asked.h5 asked
exits "check" 0
verdict "check: an imprint of the index is set aside at the end of a target" sh -c '! "$0" export asked.h5 | grep -q "asked/3"' "$PARDUP"
verdict "check: in the middle it matches" grep -q "asked/11" <("$PARDUP" export asked.h5)

# where most documents are letters, the job sets aside both by itself, unless it is told not to
run_np 2 detect -o auto.h5 signed
exits "letters by themselves" 0
verdict "the job says that they are letters" grep -q "60 of 60 documents are letters: --aside frame,templates --max-df 10" err
run_np 1 detect --preset edited --rare 0.00003 --max-df 10 --frame aside --templates aside -o asked.h5 signed
verdict "the same as when it is asked for" cmp <("$PARDUP" export auto.h5) <("$PARDUP" export asked.h5)
run_np 1 detect --frame match --templates match --max-df 100 -o told.h5 signed
verdict "it is told not to" grep -q "60 of 60 documents are letters: --max-df 100$" err
verdict "signatures match" test "$("$PARDUP" export told.h5 | wc -l)" -gt "$("$PARDUP" export auto.h5 | wc -l)"
"$PYTHON" -c '
import glob, json
for name in sorted(glob.glob("signed/*")):
    print(json.dumps({"id": name, "text": open(name).read()}))' >fields.jsonl
run_np 1 detect -o fields.h5 fields.jsonl
verdict "letters in fields" grep -q "60 of 60 documents are letters: --aside frame" err
verdict "the summary tells headers" grep -q "headers and signatures: [0-9]* of [0-9]* sentences aside" err
verdict "headers are told while they are compared only" sh -c '! grep -q "begin with the header" err'
run_np 1 detect --frame match -o fields.h5 fields.jsonl
verdict "headers that are compared are told" grep -q "60 of 60 texts begin with the header of a mail" err
finish
