#!/bin/bash
# Unit tests and scripts of tests/cli with every block of memory between unmapped pages (guard_pages.c): a load or store
# beside a block ends the program, also one that an optimizer made. Twice: blocks begin, then end at such a page.
# usage: scripts/check/guard_pages.sh [BUILD] [PATTERN of ctest]   [build/release, unit tests and short scripts]
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build/release}
pattern=${2:-^(unit/|cli/(usage|methods|compare|explain|check|check_sets|against|dedup|export|families|brief|templates|passages|csv|parquet)[.])}
library=$(realpath "$build")/guard_pages.so
cc -O2 -fPIC -shared -fno-builtin -o "$library" scripts/check/guard_pages.c
status=0
for side in before after; do
    echo "== a page $side each block"
    # test_memory_limit and test_steps measure memory and steps, which the allocator takes, too
    GUARD_PAGES=$side LD_PRELOAD=$library ctest --test-dir "$build" -R "$pattern" -E 'test_(memory_limit|steps)' -j 2 \
        --output-on-failure --timeout 900 | grep -vE 'Start|Passed' || status=1
done
exit $status
