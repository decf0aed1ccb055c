#!/bin/bash
# Install what is missing, build with gcc and -Werror, run every test, then all of them again, built with
# clang under AddressSanitizer and UndefinedBehaviorSanitizer, then feed the readers made-up inputs for a minute,
# and try it all on a fresh Debian 13 (scripts/check/fresh.sh).
# Tests that need ../shared/data name it and skip.
# usage: scripts/test.sh [quick]     quick: gcc and its tests only
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh
need_packages "${BUILD_PACKAGES[@]}" clang git procps python3 python3-h5py python3-numpy hdf5-tools zstd gzip
want_packages clang-format
want_packages libclang-rt-dev # sanitizers, libFuzzer; part of clang itself in some releases
want_packages poppler-utils # converted files
want_packages strace # a signal at a certain call
want_packages valgrind # instructions of small jobs
want_packages mandoc dpkg-dev file # man pages, the Debian package
want_packages r-base-core r-cran-hdf5r r-cran-jsonlite python3-pandas # modules for R and Python
scratch=$(mktemp -d -p /var/tmp pardup-test.XXXXXX)
trap 'rm -rf --one-file-system "$scratch"' EXIT
# The judge meets runs again under sanitizers (tests/support/oracle_known.py).
export PARDUP_KNOWN=$scratch/known FRESH_FOLDER=${FRESH_FOLDER:-$scratch/fresh}
mkdir -p "$PARDUP_KNOWN" "$FRESH_FOLDER"
step() { printf '\n== %s\n' "$*"; }

step "format" # releases of clang-format lay lines out in different ways: 14 is the one that counts
formatter=
for f in clang-format-14 clang-format; do
    ! "$f" --version 2>/dev/null | grep -q 'version 14[.]' || formatter=${formatter:-$f}
done
if [ -n "$formatter" ]; then
    git ls-files -co --exclude-standard 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]' | xargs "$formatter" --dry-run -Werror
else
    echo "not checked: it takes clang-format 14, and here is $(clang-format --version 2>/dev/null || echo none)"
fi

step "build (gcc, -Werror) and test"
scripts/build.sh release -DPARDUP_WERROR=ON
ctest --preset release
[ "${1:-}" = quick ] && exit 0

step "build (clang, -Werror) and test under sanitizers" # they see more than gcc's: NULL + 0, for example
scripts/build.sh asan -DPARDUP_WERROR=ON
ctest --preset asan

step "made-up inputs" # on one core; on the other the machine for the last step is made
status=0
SEED=1 scripts/check/fuzz.sh 60 >"$scratch/fuzz.log" 2>&1 &
scripts/check/fresh.sh machine || true # the last step says what is wrong with it
wait $! || status=$?
cat "$scratch/fuzz.log"
[ $status -ne 77 ] || { echo "left out"; status=0; } # 77: no libFuzzer
[ $status -eq 0 ] || exit $status

step "a fresh Debian 13"
scripts/check/fresh.sh quick
