#!/bin/bash
# Make everything of a release from a clean clone of one revision: sources, packages, wheel, sums, parts list.
# usage: scripts/release.sh [TAG or commit]      (default HEAD; on Debian 12, whose glibc the archive and the wheel need at least)
#   OUT=FOLDER      where the files go (default dist)
#   WORK=FOLDER     where it builds (default a folder of its own, which is removed)
#   OTHER=SUITE     the other Debian release with a package (default trixie; empty: none). It needs root and debootstrap.
#   TREE=FOLDER     where that Debian is installed, and stays (default: below WORK)
#   JOBS=N          compilers at a time (default: all cores)
#   TWICE=1         make everything a second time, in another folder, and compare the sums
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
. scripts/packages.sh
if [ "${TWICE:-}" = 1 ]; then
    out=$(realpath -m "${OUT:-dist}")
    again=$(mktemp -d)
    trap 'rm -rf "$again"' EXIT
    TWICE='' OUT=$out scripts/release.sh "$@"
    # a path of another length, which no fixed field of a file would hide
    TWICE='' OUT=$again/out WORK=$again/elsewhere/in/a/longer/folder scripts/release.sh "$@"
    diff "$out/SHA256SUMS" "$again/out/SHA256SUMS" || { echo "two builds from two folders differ" >&2; exit 1; }
    echo "two builds from two folders: $(wc -l <"$out/SHA256SUMS") files, the same bytes"
    exit 0
fi

revision=${1:-HEAD}
commit=$(git rev-parse --verify --quiet "$revision^{commit}") || { echo "no such tag or commit: $revision" >&2; exit 2; }
out=$(realpath -m "${OUT:-dist}")
if [ -n "${WORK:-}" ]; then
    mkdir -p "$WORK"
    work=$(cd "$WORK" && pwd)
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
need_packages "${BUILD_PACKAGES[@]}" binutils dpkg-dev file git zstd python3

# What may differ from run to run is the same: time, language, order of names, rights of new files.
SOURCE_DATE_EPOCH=$(git show -s --format=%ct "$commit")
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
source=$work/source
rm -rf "$source"
git clone -q --no-checkout "$top" "$source"
git -C "$source" checkout -q --detach "$commit"
cd "$source"
version=$(sed -n 's/^project(pardup VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=pardup-$version
case $revision in
v[0-9]*) [ "$revision" = "v$version" ] || { echo "tag $revision, but CMakeLists.txt says $version" >&2; exit 1; } ;;
esac
rm -rf "$out"
mkdir -p "$out"
step() { printf '== %s\n' "$*"; }

# quietly NAME COMMAND...: what it prints goes to a file, and is shown if it fails
quietly() {
    local log=$work/$1.log
    shift
    nice -n 10 "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; echo "failed: $*" >&2; exit 1; }
}

# build NAME CMAKE-OPTION...: the program in build/NAME, without tests
build() {
    local folder=build/$1
    shift
    quietly configure cmake --preset release -B "$folder" -DCMAKE_C_FLAGS_RELEASE=-O3 -DBUILD_TESTING=OFF "$@"
    quietly build cmake --build "$folder" -j "${JOBS:-$(nproc)}"
}

step "changes of $version"
awk -v version="$version" '/^## /{on = index($0, "## " version " ") == 1} on' CHANGELOG.md >"$out/$name-changes.md"
[ -s "$out/$name-changes.md" ] || { echo "CHANGELOG.md has no section $version" >&2; exit 1; }

step "source archive"
git archive --format=tar --prefix="$name/" "$commit" | gzip -9n >"$out/$name.tar.gz"
mkdir -p build

step "relocatable archive"
stage=$work/$name-linux-x86_64
rm -rf "$stage"
static=(-DPARDUP_STATIC=ON -DPARDUP_ICU=OFF -DCMAKE_INSTALL_RPATH_USE_LINK_PATH=OFF -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON
    "-DCMAKE_INSTALL_RPATH=\$ORIGIN/../lib")
build archive "${static[@]}" -DPARDUP_MPI=OFF
build archive-openmpi "${static[@]}"
cmake --install build/archive --strip --prefix "$stage" >/dev/null
strip -o "$stage/bin/pardup-openmpi" build/archive-openmpi/pardup
python3 scripts/package/libraries.py copy "$stage" build/archive build/archive-openmpi
sed "s/@VERSION@/$version/g" scripts/package/archive.md >"$stage/README.md"
needed=$(objdump -T "$stage"/bin/* "$stage"/lib/* | grep -o 'GLIBC_2[.][0-9]*' | sort -Vu | tail -n 1)
[ "$(printf '%s\n' "$needed" GLIBC_2.34 | sort -V | tail -n 1)" = GLIBC_2.34 ] ||
    { echo "the archive needs $needed: make it on Debian 12" >&2; exit 1; }
# rights and times as git and the commit have them, whatever the umask was
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX --format=gnu \
    -C "$work" -cf - "$name-linux-x86_64" | zstd -q -19 --single-thread -o "$out/$name-linux-x86_64.tar.zst"

. /etc/os-release
step "package for Debian $VERSION_ID"
quietly debian scripts/package/debian.sh "$out"

other=${OTHER-trixie}
if [ -z "$other" ]; then
    :
elif [ ! -x scripts/check/fresh.sh ]; then
    echo "no package for Debian $other: this revision has no scripts/check/fresh.sh"
elif [ "$(id -u)" != 0 ]; then
    echo "no package for Debian $other: it needs root, for debootstrap"
else
    step "package for Debian $other"
    tree=${TREE:-$work/$other}
    quietly "$other" scripts/check/fresh.sh "$other" "$tree" "SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH scripts/package/debian.sh"
    find "$tree" -xdev -path "*/dist/pardup_$version-*.deb" -exec cp {} "$out" \;
fi

step "wheel and source distribution"
if [ -x scripts/package/wheel.sh ]; then
    rm -rf dist
    quietly wheel scripts/package/wheel.sh
    cp dist/pardup-*.whl "$out"
    # the sources of the wheel have another form of name than the source archive only if they are another file
    find dist -name 'pardup-*.tar.gz' ! -name "$name.tar.gz" -exec cp {} "$out" \;
    [ ! -e "dist/$name.tar.gz" ] || cp "dist/$name.tar.gz" "$out/$name-python.tar.gz"
else
    echo "no wheel: this revision has no scripts/package/wheel.sh"
fi

step "parts list (SPDX) and sums"
python3 scripts/package/libraries.py spdx "$version" "$commit" "$out" \
    "$name-linux-x86_64.tar.zst=build/archive,build/archive-openmpi" >"$work/spdx.json"
mv "$work/spdx.json" "$out/$name.spdx.json"
(cd "$out" && sha256sum -- * >../SHA256SUMS.part && mv ../SHA256SUMS.part SHA256SUMS && cat SHA256SUMS)
