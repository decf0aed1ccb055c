#!/bin/bash
# The main job on input every Debian or Ubuntu machine has: the copyright files and HTML pages below
# /usr/share/doc. Builds, runs `pardup detect` on all cores, shows a few passages side by side.
# usage: scripts/demo.sh [INPUT...]
set -eu
cd "$(dirname "$0")/.."
TARGET=pardup scripts/build.sh
pardup=$PWD/build/release/pardup
out=build/demo
mkdir -p "$out"
if [ $# -eq 0 ]; then
    echo "collecting copyright files and HTML pages below /usr/share/doc (at most 20,000)"
    find /usr/share/doc /usr/share/common-licenses -type f \( -name copyright -o -name '*.html' -o -path '*common-licenses*' \) |
        LC_ALL=C sort | head -n 20000 >"$out/files" || true
    set -- --files-from "$out/files"
fi
echo
echo "\$ pardup detect -o $out/demo.h5 $*"
"$pardup" detect -o "$out/demo.h5" "$@"
licences=/usr/share/common-licenses
if [ "${1-}" = --files-from ] && [ -e $licences/GPL-2 ] && [ -e $licences/GPL-3 ]; then
    echo
    echo "\$ pardup show --pair $licences/GPL-2 $licences/GPL-3 --limit 2 --lines 10 $out/demo.h5"
    "$pardup" show --pair $licences/GPL-2 $licences/GPL-3 --limit 2 --lines 10 "$out/demo.h5"
else
    echo
    echo "\$ pardup show --limit 3 --lines 4 $out/demo.h5"
    "$pardup" show --limit 3 --lines 4 "$out/demo.h5"
fi
echo
echo "\$ pardup export --table pairs $out/demo.h5 | head -4"
"$pardup" export --table pairs "$out/demo.h5" | sed -n 1,4p
echo
echo "\$ pardup report -o $out/demo.html $out/demo.h5"
"$pardup" report -o "$out/demo.html" "$out/demo.h5"
echo "open $PWD/$out/demo.html in a browser"
