#!/bin/bash
# Prints random passages of three collections of pages, to be read: with the rules that leave out menus
# off (before) and on (web). Worth reading is a passage that a person who looks for copied text would be
# glad to have been shown.
# usage: scripts/measure/reading.sh [-w DIR]
#   -w DIR   work there and keep everything [a temporary folder]
# Archives are read from PARDUP_DATA [../shared/data]; a collection without one is left out.
# PARDUP: the program [build/release/pardup]; SEED [1]; COUNT [40]; FAMILIES: not empty for the first
# families, best first, in place of random passages
set -euo pipefail
SCRIPT=reading.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
begin "$@"

# passages NAME HOW OPTION...: of ${paths[@]}
passages() {
    local name=$1-$2
    printf '\n##### %s: %s\n' "$1" "$2"
    "$pardup" detect --preset web "${@:3}" --progress none -o "$name.h5" "${paths[@]}" 2>"$name.log" ||
        { say "detect failed"; cat "$name.log" >&2; exit 1; }
    PARDUP=$pardup /usr/bin/python3 "$root/scripts/measure/sample_passages.py" \
        ${FAMILIES:+--families} --count "${COUNT:-40}" --seed "${SEED:-1}" "$name.h5" "${paths[@]}"
}

for name in warc-samples article-extraction-A debian-installguide-html; do
    unpacked "$name" || continue
    case $name in
    warc-samples)
        find "data/$name" -type f \( -name '*arc.gz' -o -name '*truncated.arc' \) | LC_ALL=C sort |
            while read -r file; do
                printf '%s %s\n' "$( (gzip -dcf "$file" 2>unpack.log || true) | sha256sum | cut -c1-64)" \
                    "$file"
            done | awk '!seen[$1]++ { print $2 }' >paths
        ;;
    article-extraction-A) echo "data/$name/html" >paths ;;
    *) printf '%s\n' "data/$name"/*/en >paths ;;
    esac
    mapfile -t paths <paths
    passages "$name" before --frame match --templates match
    passages "$name" web
done
