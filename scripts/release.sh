#!/bin/bash
# Make all files of a release from a clean clone of one revision: sources, wheel, relocatable archive, Debian packages,
# changes, parts list, sums. On Debian 12: its glibc is what wheel and archive need at least.
# usage: scripts/release.sh [TAG or commit]      (default HEAD)
#   OUT=FOLDER      where the files go; those of an earlier release are removed (default dist)
#   WORK=FOLDER     where it builds, and leaves its logs (default: a folder that is removed)
#   OTHER=SUITE     the other Debian release with a package (default trixie; empty: none). Needs root and debootstrap
#   TREE=FOLDER     where that Debian is installed, and stays (default: below WORK)
#   JOBS=N          compilers at a time (default: all cores)
#   TWICE=1         make everything a second time, in another folder, and compare the sums
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
. scripts/packages.sh
out=$(realpath -m "${OUT:-dist}")
if [ "${TWICE:-}" = 1 ]; then
    again=$(mktemp -d)
    trap 'rm -rf --one-file-system "$again"' EXIT
    export TWICE=
    OUT=$out scripts/release.sh "$@"
    # a path of another length, so that the names of files in fields of fixed size differ, too
    OUT=$again/out WORK=$again/elsewhere/in/a/longer/folder scripts/release.sh "$@"
    diff "$out/SHA256SUMS" "$again/out/SHA256SUMS" || { echo "two makings in two folders differ" >&2; exit 1; }
    echo "two makings in two folders: $(wc -l <"$out/SHA256SUMS") files, the same bytes"
    exit 0
fi

revision=${1:-HEAD}
commit=$(git rev-parse --verify --quiet "$revision^{commit}") || { echo "no such tag or commit: $revision" >&2; exit 2; }
if [ -n "${WORK:-}" ]; then
    mkdir -p "$WORK"
    work=$(cd "$WORK" && pwd)
else
    work=$(mktemp -d)
    trap 'rm -rf --one-file-system "$work"' EXIT
fi
need_packages "${BUILD_PACKAGES[@]}" binutils dpkg-dev file git libaec-dev xz-utils zstd

# Time, language, and rights of new files are the same in every run.
SOURCE_DATE_EPOCH=$(git show -s --format=%ct "$commit")
JOBS=${JOBS:-$(nproc)}
export SOURCE_DATE_EPOCH JOBS CMAKE_BUILD_PARALLEL_LEVEL=$JOBS LC_ALL=C TZ=UTC
umask 022
rm -rf "$work/source" "$work/stage"
mkdir -p "$out" "$work/stage"
rm -f "$out"/pardup[-_]* "$out/SHA256SUMS"
git clone -q --no-checkout "$top" "$work/source"
cd "$work/source"
git checkout -q --detach "$commit"
version=$(sed -n 's/^project(pardup VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=pardup-$version
case $revision in
v[0-9]*) [ "$revision" = "v$version" ] || { echo "tag $revision, but CMakeLists.txt says $version" >&2; exit 1; } ;;
esac

for file in CITATION.cff codemeta.json docs/usage.md scripts/package/modulefile scripts/package/conda/recipe.yaml \
    scripts/package/homebrew/pardup.rb "scripts/package/easybuild/$name-"*.eb; do
    grep -qF -- "$version" "$file" || { echo "$file does not say $version" >&2; exit 1; }
done
python3 scripts/check/figures.py >/dev/null || true # it says what is out of date

# quietly NAME COMMAND...: what it prints goes to a file, and is shown if it fails
quietly() {
    local log=$work/$1.log
    shift
    nice -n 10 "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; echo "failed: $*" >&2; exit 1; }
}
step() { printf '== %s\n' "$*"; }

step "changes of $version"
awk -v version="$version" '/^## /{on = index($0 " ", "## " version " ") == 1} on' CHANGELOG.md >"$out/$name-changes.md"
[ -s "$out/$name-changes.md" ] || { echo "CHANGELOG.md has no section $version" >&2; exit 1; }

step "source archive"
if [ -x scripts/package/sdist.sh ]; then # that of git with the file that pip wants
    DIST=$out quietly sdist scripts/package/sdist.sh
else
    echo "no source distribution for pip: this revision has no sdist.sh"
    git archive --format=tar --prefix="$name/" "$commit" | gzip -9n >"$out/$name.tar.gz"
fi

# The archive has the program of the wheel and its libraries, so that both are tried by whoever tries one.
made=()
if [ -x scripts/package/wheel.sh ]; then
    step "wheel"
    DIST=$out BUILD=$work/source/build/wheel quietly wheel scripts/package/wheel.sh
    wheel=$(basename "$out"/pardup-*.whl)
    step "relocatable archive"
    folder=$name-linux-$(uname -m)
    stage=$work/stage/$folder
    quietly install cmake --install build/wheel --strip --prefix "$stage"
    python3 -m zipfile -e "$out/$wheel" "$work/stage/wheel"
    cp -r "$work/stage/wheel/$name.data/data/lib" "$stage/lib"
    cp -r "$work/stage/wheel/$name.dist-info/licenses" "$stage/share/doc/pardup/licences"
    sed "s/@VERSION@/$version/g" scripts/package/archive.md >"$stage/README.md"
    "$stage/bin/pardup" --version >"$work/version"
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX --format=gnu \
        -C "$work/stage" -cf - "$folder" | zstd -q -19 --single-thread -o "$out/$folder.tar.zst"
    made=("$wheel=build/wheel" "$folder.tar.zst=build/wheel")
else
    echo "no wheel and no relocatable archive: this revision has no wheel.sh"
fi

. /etc/os-release
step "package for Debian $VERSION_ID"
quietly debian scripts/package/debian.sh "$out"

other=${OTHER-trixie}
if [ -z "$other" ]; then
    :
elif [ ! -x scripts/check/fresh.sh ]; then
    echo "no package for Debian $other: this revision has no fresh.sh"
elif [ "$(id -u)" != 0 ]; then
    echo "no package for Debian $other: it needs root"
else
    step "package for Debian $other"
    tree=${TREE:-$work/$other}
    quietly "$other" scripts/check/fresh.sh "$other" "$tree" \
        "SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH JOBS=$JOBS scripts/package/debian.sh"
    find "$tree/root" -xdev -path "*/dist/pardup_$version-*.deb" -exec cp {} "$out" \;
fi

step "parts list and sums"
python3 scripts/package/parts.py "$version" "$commit" "$out" "${made[@]}" >"$work/parts.json"
mv "$work/parts.json" "$out/$name.spdx.json"
(cd "$out" && sha256sum -- pardup[-_]* >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" . && cat SHA256SUMS)
