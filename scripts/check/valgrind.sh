#!/bin/bash
# Unit tests and stages under Valgrind: values that nobody has set, blocks that nobody has given back.
# Sanitizers do not see the first. Programs are those of the release build; the longest are left out.
# usage: scripts/check/valgrind.sh [PATTERN]     PATTERN: programs of tests/unit and tests/stage [all]
# BUILD names the build folder [build/release]. 77: there is no valgrind.
set -u
cd "$(dirname "$0")/../.."
command -v valgrind >/dev/null || { echo "valgrind.sh: valgrind is not installed"; exit 77; }
build=${BUILD:-build/release}
. tests/support/mpi_env.sh
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
clean=0 faulty=0
for source in tests/unit/test_*.c tests/stage/test_*.c; do
    name=$(basename "$source" .c)
    [[ $name =~ ${1:-.} ]] || continue
    case $name in # they count steps, time or memory, or take minutes
    test_steps | test_sorter | test_reader | test_synth | test_memory_limit | test_cores) continue ;;
    esac
    timeout 1200 valgrind --quiet --error-exitcode=9 --track-origins=yes --leak-check=full --errors-for-leak-kinds=definite \
        --show-leak-kinds=definite --suppressions=tests/support/valgrind.supp --log-file="$logs/$name" \
        "$build/tests/$name" >"$logs/out" 2>&1
    status=$?
    if [ -s "$logs/$name" ] || [ $status -ne 0 ]; then
        faulty=$((faulty + 1))
        echo "FAILED  $name: status $status"
        head -n 40 "$logs/$name"
        tail -n 3 "$logs/out"
    else
        clean=$((clean + 1))
    fi
done
echo "$clean programs without a finding, $faulty with one"
[ "$faulty" -eq 0 ] && [ "$clean" -gt 0 ]
