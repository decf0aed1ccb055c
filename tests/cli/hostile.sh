#!/bin/bash
# Files of strangers: a result that is not what it says, a pipe or a device under the name of a file, control
# characters in ids, names and text. Each is refused in one line that names the file, or made harmless.
. "$(dirname "$0")/lib.sh"
RUN_SECONDS=${RUN_SECONDS:-20}
python=/usr/bin/python3
$python -c 'import h5py, numpy' 2>/dev/null || python=python3
$python -c 'import h5py, numpy' 2>/dev/null || exit 77

mkdir in results
sentences 1 30 >in/a.txt
sentences 10 40 >in/b.txt
run detect -o good.h5 in
exits "a good result" 0

# ---- results that are not what they say ----
$python "$here/../support/hostile_results.py" good.h5 results >list 2>err
verdict "hostile results are made" [ "$(wc -l <list)" -gt 30 ]
while IFS=$'\t' read -r name table words; do
    for command in show "show --by-passage" "export --table passages" "export --table documents" \
        "report -o page.html" explain; do
        more=
        [ "$command" != explain ] || more="0 1"
        run $command results/$name.h5 $more
        verdict "$name, $command: no crash, no hang (was $status)" [ "$status" -le 1 ]
        verdict "$name, $command: nothing of another file" sh -c '! grep -q the-secret-text out err'
        if [ "$command" = "report -o page.html" ]; then # a text that cannot be read is a warning there
            verdict "$name, $command: one error" [ "$(grep -c 'pardup: error' err)" -le 1 ]
        else
            verdict "$name, $command: one line" [ "$(wc -l <err)" -le 1 ]
        fi
    done
    [ "$words" != - ] || continue
    command="show --by-passage"
    [ "$table" = show ] || command="export --table $table"
    run $command results/$name.h5
    exits "$name" 1
    one_error "$name"
    says "$name" "results/$name.h5: "
    says "$name" "$words"
done <list
run show --by-passage results/text-longer.h5
exits "a document of another length" 1
says "a document of another length" "document in/a.txt has changed since the result was made"
printf 'in/a.txt\t0\t50\tin/b.txt\t0\t50\n' >truth
for name in no-document text-for-number rows-2e61; do
    run eval --truth truth results/$name.h5
    exits "eval $name" 1
    one_error "eval $name"
    says "eval $name" "results/$name.h5: "
done
run show --by-passage results/good.h5
exits "the result that they were made of" 0
prints "the result that they were made of" "units matched"

# ---- the sources are found from anywhere ----
mkdir -p far/away
cd far/away || exit 1
run show --by-passage ../../good.h5
exits "show from another folder" 0
prints "show from another folder" "# 0: a.txt ~ b.txt"
printf 'in/a.txt\t0\t50\tin/b.txt\t0\t50\n' >truth
run eval --unit char --truth truth ../../good.h5
exits "eval from another folder" 0
mkdir in && cp ../../in/*.txt in/ && mv ../../in ../../moved
run show ../../good.h5
exits "the files have moved here" 0
mv ../../moved ../../in
cd ../.. || exit 1

# ---- pipes and devices under the names of files ----
mkfifo pipe
for what in pipe /dev/zero /dev/null; do
    for command in show export "eval --truth truth" "detect -o x.h5" text sentences; do
        run $command $what
        exits "$command $what" 1
        one_error "$command $what"
        says "$command $what" "$what: "
    done
done
for what in pipe /dev/zero; do
    for option in --files-from --stop-words --antecedents; do
        run detect -o x.h5 --method spotsigs-doc $option $what in
        exits "$option $what" 1
        one_error "$option $what"
        says "$option $what" "$what: "
    done
    run eval --truth $what good.h5
    exits "--truth $what" 1
    says "--truth $what" "$what: "
done
run_np 3 detect -o x.h5 --files-from pipe
exits "--files-from a pipe, 3 ranks" 1
one_error "--files-from a pipe, 3 ranks"
timeout 20 "$PARDUP" detect -o x.h5 --files-from <(find in -name '*.txt') >out 2>err
status=$?
exits "--files-from <(find)" 0
timeout 20 "$PARDUP" eval --truth <(sleep 0.3; cat truth) good.h5 >out 2>err
status=$?
exits "--truth <(slow)" 0

# ---- control characters in ids, names and texts ----
clean() { # clean NAME FILE...: none of these bytes
    local name=$1
    shift
    verdict "$name: no control character" $python - "$@" <<'PROGRAM'
import re, sys
for path in sys.argv[1:]:
    bad = re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c", open(path, "rb").read())
    if bad:
        sys.exit(f"{path}: {bad}")
PROGRAM
}
$python - <<'PROGRAM'
import json, os
evil = "\x1b]0;owned\x07 \x9b31m \u202egpj \u2066 \u2028 \x7f"
text = " ".join(f"Sentence number w{k} {evil} speaks of x{k} and y{k} in its own words." for k in range(9))
with open("evil.jsonl", "w") as f:
    for k, name in enumerate(["=1+1", "+1", "-1", "@a", "a\n0\t9\t=2", "a\npardup: error: forged", evil, "back\\slash"]):
        f.write(json.dumps({"id": name, "text": text}) + "\n")
    f.write('{"id": "a\x1b[2J", "text": 7}\n')
os.mkdir("evil")
for name in ("a\x1b[2Jb.txt", "c\nd.txt", "e\u202ef.txt", "=g.txt"):
    with open("evil/" + name, "w") as f:
        f.write(text)
PROGRAM
run detect --gamma 1 -o evil.h5 evil.jsonl evil
exits "evil names" 0
clean "detect" err
verdict "detect: no forged line" sh -c '! grep -q "^pardup: error" err'
rows=$("$PARDUP" export evil.h5 | wc -l)
for command in show "show --by-passage"; do
    run $command --limit 0 evil.h5
    exits "$command" 0
    clean "$command" out err
    verdict "$command: no forged line" sh -c '! grep -q "^pardup: error" out'
done
for table in passages documents files skipped; do
    run export --table $table evil.h5
    exits "export $table" 0
    clean "export $table" out err
    verdict "export $table: no formula" sh -c '! grep -qP "(^|\t)[=+@-]" out'
    verdict "export $table: rows have equally many cells" [ "$(awk -F'\t' '{ print NF }' out | sort -u | wc -l)" -eq 1 ]
    run export --format jsonl --table $table evil.h5
    clean "export jsonl $table" out err
done
run export --table documents --format jsonl evil.h5
$python -c 'import json; print(*[repr(json.loads(line)["id"]) for line in open("out", encoding="utf-8")], sep="\n")' >ids
verdict "ids come through JSON whole" grep -qxF "'a\\n0\\t9\\t=2'" ids
run export --table documents evil.h5
cut -f1 out >cells
for cell in '\=1+1' '\+1' '\-1' '\@a' 'a\n0\t9\t=2' 'back\\slash'; do
    verdict "cell $cell" grep -qxF -- "$cell" cells
done
run text --doc missing evil.jsonl evil
clean "text --doc" err
run sentences evil.jsonl
clean "sentences" out err
run text evil.jsonl
verdict "text: 8 headers" [ "$(grep -c '^==> .* <==$' out)" -eq 8 ]
if command -v script >/dev/null; then # text is byte for byte, but not on a terminal
    script -qec "$PARDUP text evil.jsonl" /dev/null </dev/null 2>/dev/null | tr -d '\r' >out
    clean "text on a terminal" out
    verdict "text on a terminal: escapes" grep -qF '\x1b]0;owned\x07 \u009b31m \u202egpj' out
fi
cp evil/a* dirty.txt
run compare dirty.txt evil/c*
exits "compare" 0
clean "compare" out err
run compare dirty.txt $'no\x1b[2J\nsuch'
clean "compare a file that is not there" err
one_error "compare a file that is not there"
run $'no\x1b[2Jcommand'
clean "a command that is not there" err
run detect --gamma $'1\x1b[2J' -o x.h5 evil
exits "a value with an escape sequence" 2
clean "a value with an escape sequence" err
printf 'a\x1b[2J\tb\n' >truth
run eval --truth truth good.h5
clean "eval" out err

# ---- a link, a pipe or a folder where the temporary file goes ----
echo precious >target
for what in link dangling pipe folder; do
    case $what in
    link) ln -s target y.h5.part ;;
    dangling) ln -s made y.h5.part ;;
    pipe) mkfifo y.h5.part ;;
    folder) mkdir y.h5.part ;;
    esac
    for np in 1 2; do
        run_np $np detect -o y.h5 in
        exits "y.h5.part is a $what, $np ranks" 1
        one_error "y.h5.part is a $what, $np ranks"
        says "y.h5.part is a $what, $np ranks" "y.h5.part: is not a file of pardup"
    done
    rm -r y.h5.part
done
verdict "what the links lead to is as it was" [ "$(cat target)" = precious -a ! -e made ]
echo "left by a job that was killed" >y.h5.part
run detect -o y.h5 in
exits "a temporary file is left" 0
present "a temporary file is left" y.h5
(flock 9 && sleep 5) 9>z.h5.part &
sleep 0.5
run detect -o z.h5 in
exits "another job writes the temporary file" 1
says "another job writes the temporary file" "z.h5.part: another job is writing it"

# ---- a full device ----
for command in --version --help "detect --help" "export good.h5" "show good.h5" "text in/a.txt"; do
    timeout 20 "$PARDUP" $command >/dev/full 2>err
    status=$?
    exits "$command to a full device" 1
    one_error "$command to a full device"
    says "$command to a full device" "standard output: No space left on device"
done

# ---- memory ----
for size in 1 1000 1023K; do
    run detect --memory $size -o x.h5 in
    exits "--memory $size" 2
    says "--memory $size" "at least 1M"
done
run detect --memory 1M -o x.h5 in
exits "--memory 1M" 0
finish
