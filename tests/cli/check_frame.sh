#!/bin/bash
# An index of pages leaves their frames out, as detect --against does: the frames of sources and of targets, with texts in the
# index and without, for units of all kinds, on any number of ranks.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}

"$PARDUP" synth --bytes 4M -o web >synth.log 2>&1 || { cat synth.log; exit 1; }
mkdir sources targets
"$PYTHON" - web/part-*.warc.gz <<'PY' # every second page is a source
import sys, zlib
members = []
for path in sys.argv[1:]:
    rest = open(path, "rb").read()
    while rest:
        member = zlib.decompressobj(31)
        member.decompress(rest)
        members.append(rest[:len(rest) - len(member.unused_data)])
        rest = member.unused_data
for name, first in ("sources", 1), ("targets", 2):
    with open(f"{name}/pages.warc.gz", "wb") as out:
        out.write(b"".join(members[first::2]))
PY

rows() { # rows TABLE RESULT
    run export --table "$1" "$2"
    exits "export $2" 0
    cat out
}

bare() { # rows without what documents say of themselves
    awk -F'\t' -v OFS='\t' 'NR == 1 {while ($NF ~ /^(title|author|date)_[ab]$/) {NF--; kept++}} NR > 1 {NF -= kept} {print}'
}

job() { # job RANKS ARGUMENT...
    local ranks=$1
    shift
    if [ "$ranks" -eq 1 ]; then run "$@"; else run_np "$ranks" "$@"; fi
}

agrees() { # agrees NAME RANKS WITH_TEXT OPTION...
    local name=$1 ranks=$2 text=$3 table targets
    shift 3
    run detect "$@" --against sources -o against.h5 targets
    exits "$name, against" 0
    rm -rf index
    job "$ranks" index "$@" $text -o index sources
    exits "$name, index" 0
    job "$ranks" check --index index -o check.h5 targets
    exits "$name, check" 0
    verdict "$name: frames of targets are aside" grep -q "menus and frame" err
    targets=$(($(rows documents check.h5 | wc -l) - 1))
    for table in passages pairs; do
        # title, author and date of sources are kept by detect alone: without the columns behind the ids
        rows $table against.h5 | bare | awk -F'\t' -v OFS='\t' -v t="$targets" 'NR > 1 {$2 -= t} {print}' >expected
        rows $table check.h5 | bare >got
        verdict "$name, $ranks ranks: $table" cmp -s expected got
        verdict "$name: there are $table" [ "$(wc -l <got)" -gt 5 ]
    done
    verdict "$name, $ranks ranks: families" "$PYTHON" "$here/../support/check_families.py" against.h5 check.h5
}

web="--preset web --templates match"
for ranks in 1 2 4; do
    agrees "texts in the index" $ranks --with-text $web
    mv index texts.$ranks
done
for file in $(cd texts.1 && ls); do
    verdict "1, 2 and 4 ranks make the same $file" cmp -s texts.1/$file texts.2/$file
    verdict "1, 2 and 4 ranks make the same $file" cmp -s texts.1/$file texts.4/$file
done
agrees "texts in files" 1 "" $web
agrees "far edges" 1 --with-text $web --edges far
agrees "grams" 1 --with-text --preset texts --frame aside
agrees "grams, texts in files" 1 "" --preset texts --frame aside
agrees "clauses" 1 --with-text $web --method sentence-fp
agrees "windows" 1 --with-text $web --method sentence-length --window 4,1
agrees "sets" 1 "" $web --method pdc-shingle2

# The preset of pages is that of an index, without a word about it.
run index -o default sources
verdict "frames are aside by default" grep -qa "frame.aside" default/manifest
run index --preset web -o named sources
for file in $(cd named && ls); do
    verdict "by default: $file" cmp -s default/$file named/$file
done

# So is the preset of texts, which check takes from the index without choosing again.
mkdir notes handed
sentences 1 9 | tr '\n' ' ' >notes/one.txt
{ echo "Before it"; sentences 3 6 | sed '1s/^Sentence number //' | tr '\n' ' '; } >handed/essay.txt
for preset in auto texts; do
    run index --preset $preset -o $preset.index notes
    exits "preset $preset" 0
    verdict "preset $preset is said" [ "$(grep -c 'preset texts: 1 of 1 documents are texts' err)" = $([ $preset = auto ] && echo 1 || echo 0) ]
    run check --index $preset.index -o $preset.h5 handed
    exits "check, preset $preset" 0
    verdict "check, preset $preset: chooses nothing" [ "$(grep -c preset err)" = 0 ]
    "$PARDUP" export $preset.h5 >$preset.tsv
done
verdict "by default: the passages of texts" cmp -s auto.tsv texts.tsv
verdict "by default: a passage of texts" [ "$(wc -l <auto.tsv)" = 2 ]
run index --add -o auto.index handed
exits "texts are added" 0
verdict "texts are added: chooses nothing" [ "$(grep -c preset err)" = 0 ]

# Sources that come in steps, little memory, and an index that is read anew.
run index $web --with-text --memory 1M -o little sources
for file in $(cd texts.1 && ls); do
    verdict "little memory: $file" cmp -s texts.1/$file little/$file
done
run index --refresh -o little
exits "refresh" 0
run check --index little -o refreshed.h5 targets
run check --index texts.1 -o once.h5 targets
rows passages once.h5 >expected
rows passages refreshed.h5 >got
verdict "refresh" cmp -s expected got
# what is common among all sources is matched with the first, so nothing is common here
web="$web --max-df 0"
run index $web --with-text -o whole sources
run check --index whole -o whole.h5 targets
rows passages whole.h5 >expected
run index $web --with-text -o steps targets
run index --add -o steps sources
exits "add" 0
run check --index steps -o steps.h5 targets
n=$(($(rows documents steps.h5 | wc -l) - 1))
rows passages steps.h5 | awk -F'\t' -v OFS='\t' -v t="$n" 'NR > 1 {$2 -= t} NR == 1 || $2 >= 0 {$16 = ""; print}' >got
awk -F'\t' -v OFS='\t' '{$16 = ""; print}' expected >kept # families of more sources have other numbers
mv kept expected
verdict "sources that were added" cmp -s expected got
finish
