#!/bin/bash
# What is too long for every day: each fuzz target for a minute, from what earlier nights have found.
# usage: scripts/check/nightly.sh [SECONDS]     a target [60]
# Exit status 1: a target found something; 77: this clang has no libFuzzer.
set -eu
cd "$(dirname "$0")/../.."
targets=$(sed -n 's/^pd_fuzz(\([a-z]*\) .*/\1/p; s/^foreach(name \(.*\))$/\1/p' tests/fuzz/CMakeLists.txt | grep -v '\$')
exec scripts/check/fuzz.sh $((${1:-60} * $(wc -w <<<"$targets"))) $targets
