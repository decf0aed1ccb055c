#!/bin/bash
# Install what is missing, configure and build. The program is then build/release/pardup.
# usage: scripts/build.sh [PRESET] [cmake options...]      PRESET: release (default), debug, asan
# TARGET=pardup builds the program without its tests.
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh
preset=${1:-release}
shift || true
need_packages "${BUILD_PACKAGES[@]}"
cmake --preset "$preset" "$@" >/dev/null
cmake --build "build/$preset" ${TARGET:+--target "$TARGET"}
echo "built build/$preset/pardup"
