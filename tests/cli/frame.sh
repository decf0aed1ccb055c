#!/bin/bash
# The frame of a page, such as its menu, takes no part; offsets count in the whole text all the same. The same passages as with
# --content main, on any number of ranks, and with little memory.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}


"$PARDUP" synth --bytes 3M -o web >synth.log 2>&1 || { cat synth.log; exit 1; }
# all words count, so that frequencies do not depend on the frame
options="--gamma 1 --gap 1 --idf 0,1 --max-df 0 --edges sentence --min-counted 2 --copies report --passages best"

run detect $options --content main -o main.h5 web/part-*
exits "main" 0
for ranks in 1 2 4; do
    run_np $ranks detect $options --frame aside -o frame.$ranks.h5 web/part-*
    exits "$ranks ranks" 0
done
run_np 2 detect $options --frame aside --memory 1M -o frame.m.h5 web/part-*
exits "little memory" 0
run detect $options -o all.h5 web/part-*
"$PARDUP" text web/part-* >all.txt
"$PARDUP" text --content main web/part-* >main.txt
for how in all aside; do
    [ $how = all ] || set -- --frame aside
    "$PARDUP" sentences "$@" web/part-* >sentences.$how
done

"$PYTHON" - <<'PY' >verdicts
import json, re, h5py

def table(name, path="passages"):
    with h5py.File(name) as f:
        return {c: f[path][c][:].tolist() for c in f[path]}

def texts(path):
    parts = re.split(rb"^==> (.*) <==\n", open(path, "rb").read(), flags=re.M)[1:]
    return {name.decode(): text for name, text in zip(parts[::2], parts[1::2])}

main, frame, every = table("main.h5"), table("frame.1.h5"), table("all.h5")
print("passages", len(main["doc_a"]) > 100 and len(every["doc_a"]) > 1.2 * len(main["doc_a"]))
pairs = repr(table("frame.1.h5", "pairs"))  # with NaN
same = [c for c in main if not c.startswith(("begin", "end"))]
print("equal", all(main[c] == frame[c] for c in same))
for name in ("frame.2.h5", "frame.4.h5", "frame.m.h5"):
    print(name, table(name) == frame and repr(table(name, "pairs")) == pairs)
ids = [x.decode() for x in table("frame.1.h5", "documents")["id"]]
whole, rest = texts("all.txt"), texts("main.txt")
words = lambda text: re.findall(r"\w+", text.decode("utf-8", "replace"))
right = 0
for k in range(len(frame["doc_a"])):
    for side in "ab":
        doc = ids[frame["doc_" + side][k]]
        got = words(whole[doc][frame["begin_" + side][k]:frame["end_" + side][k]])
        want = words(rest[doc][main["begin_" + side][k]:main["end_" + side][k]])
        it = iter(got)
        right += got[:1] == want[:1] and got[-1:] == want[-1:] and all(w in it for w in want)
print("offsets", right == 2 * len(frame["doc_a"]))
with h5py.File("frame.1.h5") as f:
    aside = f.attrs["frame_sentences"]
    print("counted", 0 < aside < f.attrs["sentences"])
n = {how: sum(1 for _ in open(f"sentences.{how}")) for how in ("all", "aside")}
print("sentences", n["all"] - n["aside"] == aside)
PY
while read -r name value; do
    verdict "frames: $name" [ "$value" = True ]
done <verdicts
verdict "all were looked at" [ "$(wc -l <verdicts)" -eq 8 ]

run detect --preset web --max-df 50 --frame match --templates match -o match.h5 web/part-*
run export match.h5
n=$(wc -l <out)
run detect --max-df 50 -o default.h5 web/part-*
verdict "the summary tells the frame" grep -q "menus and frame: [0-9,]* of [0-9,]* sentences aside, [0-9.]* % of words" err
run export default.h5
verdict "pages are compared without frames and templates by default" [ "$(wc -l <out)" -lt $((n / 2)) ]
finish
