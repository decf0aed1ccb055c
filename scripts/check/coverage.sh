#!/bin/bash
# What the tests run of src/: lines and branches by folder, for docs/testing.md. Builds with gcc and --coverage in
# build/coverage, runs the unit, stage, MPI and cli tests one by one, and prints what gcov has counted.
# usage: scripts/check/coverage.sh [TESTS]     TESTS: a pattern of ctest; counts are added to earlier ones
# PARDUP_FRESH=1 forgets what earlier runs have counted. 77: there is no gcov.
set -eu
cd "$(dirname "$0")/../.."
command -v gcov >/dev/null || { echo "coverage.sh: gcov is not installed"; exit 77; }
build=build/coverage
cmake -G Ninja -S . -B $build -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG="-O1 -g -fno-inline --coverage -fprofile-abs-path" >/dev/null
cmake --build $build
[ "${PARDUP_FRESH:-0}" = 0 ] || find $build -name '*.gcda' -delete
# A test that bounds time or memory may fail here: its lines have run all the same. test_steps compiles the readers again.
ctest --test-dir $build -j "${JOBS:-1}" -R "${1:-^(unit|stage|mpi|cli)/}" -E 'unit/test_steps|cli/(install|modules|wheel)' || true
python3 scripts/check/coverage.py $build
