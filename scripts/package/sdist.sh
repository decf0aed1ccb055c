#!/bin/bash
# Pack the last commit as a source distribution, dist/pardup-VERSION.tar.gz, which pip builds and installs.
# usage: scripts/package/sdist.sh
# DIST: its folder [dist].
set -eu
cd "$(dirname "$0")/../.."
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
exec python3 scripts/package/pardup_wheel.py sdist "${DIST:-dist}"
