#!/bin/bash
# Builds pardup, and shows what it finds in input that every Debian or Ubuntu machine has: two versions of one licence side by
# side, the text that most copyright files and HTML pages below /usr/share/doc have, and a page to open. On two cores it takes
# less than a minute, most of it for the build, whose messages are in build/demo/build.log.
# usage: scripts/demo.sh [INPUT...]      INPUT: other files and folders instead
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh
pardup=$PWD/build/release/pardup
out=build/demo
mkdir -p "$out"
typed() { # typed ARGUMENT...: print a command of pardup as one would type it, and run it
    echo
    echo "\$ pardup $*"
    "$pardup" "$@"
}
need_packages "${BUILD_PACKAGES[@]}"
echo "building pardup ($(nproc) cores)"
TARGET=pardup scripts/build.sh >"$out/build.log" 2>&1 || { cat "$out/build.log"; exit 1; }
echo "built in $SECONDS s"

licences=/usr/share/common-licenses
if [ $# -eq 0 ]; then
    if [ -e $licences/GFDL-1.2 ] && [ -e $licences/GFDL-1.3 ]; then
        echo
        echo "Two versions of one licence: what was changed?"
        typed compare --limit 1 --lines 12 $licences/GFDL-1.2 $licences/GFDL-1.3
    fi
    find /usr/share/doc $licences -type f \( -name copyright -o -name '*.html' -o -path '*common-licenses*' \) |
        LC_ALL=C sort | head -n 20000 >"$out/files" || true
    echo
    echo "What do copyright files and HTML pages below /usr/share/doc share? (at most 20,000 of them)"
    set -- --files-from "$out/files"
fi
typed detect -o "$out/demo.h5" "$@"
largest=$("$pardup" export --table families --sort documents:desc "$out/demo.h5" |
    awk -F '\t' 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "row") row = k } NR == 2 { print $row }')
if [ -n "$largest" ]; then
    echo
    echo "The text that most documents have, its places, and two of them side by side:"
    typed show --family "$largest" --limit 1 --lines 8 "$out/demo.h5"
fi
typed report -o "$out/demo.html" "$out/demo.h5"
echo
echo "$SECONDS s in all. Open $PWD/$out/demo.html in a browser."
