#!/bin/bash
# Make the Debian package for the release of this machine (release.sh calls it here and in a fresh tree of the other release).
# usage: scripts/package/debian.sh [FOLDER]      the package goes to FOLDER (default dist)
#   SOURCE_DATE_EPOCH   the date of the files in it (default: the date of the commit; without git, now)
set -eu
cd "$(dirname "$0")/../.."
. scripts/packages.sh
out=$(realpath -m "${1:-dist}")
need_packages "${BUILD_PACKAGES[@]}" dpkg-dev file
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git show -s --format=%ct HEAD 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
. /etc/os-release
# the release's number is part of the version, so that an upgrade of the system takes the package of its own release
cmake --preset release -B build/debian -DCMAKE_C_FLAGS_RELEASE=-O3 -DBUILD_TESTING=OFF \
    "-DCPACK_DEBIAN_PACKAGE_RELEASE=1~deb${VERSION_ID:-${VERSION_CODENAME:-0}}"
nice -n 10 cmake --build build/debian -j "${JOBS:-$(nproc)}"
mkdir -p "$out"
cd build/debian
rm -f pardup_*.deb
cpack -G DEB
mv pardup_*.deb "$out"
