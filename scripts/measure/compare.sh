#!/bin/bash
# How fast two programs read the same inputs: `pardup text` and `pardup sentences` of both in turns,
# one process at a time; prints MB/s of the inputs unpacked, fastest run and median run, and the ratio.
# usage: scripts/measure/compare.sh OLD_BINARY NEW_BINARY INPUT...      INPUT: a file, plain, gzip or zstd
# RUNS: of each [5]; COMMANDS ["text sentences"]; LEAST: exit status 1 when the new program is slower
# than this share of the old one, by the fastest run [0]
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,6s/^# \?//p' "$0"; exit 2; }
. "$(dirname "$0")/../../tests/support/mpi_env.sh"
programs=("$1" "$2")
names=(old new)
shift 2
runs=${RUNS:-5}
read -ra commands <<<"${COMMANDS:-text sentences}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unpacked_bytes() {
    local input
    for input in "$@"; do
        case $(head -c 4 "$input" | od -An -tx1) in
        " 1f 8b"*) gzip -dc "$input" ;;
        " 28 b5 2f fd") zstd -dcq "$input" ;;
        *) cat "$input" ;;
        esac
    done | wc -c
}

# timed COMMAND WHICH INPUT...: one run; wall and processor seconds are a line of COMMAND.WHICH
timed() {
    local command=$1 which=$2
    shift 2
    local TIMEFORMAT='%R %U %S'
    { time "${programs[which]}" "$command" "$@" >/dev/null 2>"$work/log"; } 2>"$work/time" || {
        cat "$work/log" >&2
        exit 1
    }
    awk '{ print $1, $2 + $3 }' "$work/time" >>"$work/$command.$which"
}

bytes=$(unpacked_bytes "$@")
for command in "${commands[@]}"; do
    for program in 0 1; do
        timed "$command" $program "$@" # reads the inputs into memory
        rm "$work/$command.$program"
    done
    for ((k = 0; k < runs; k++)); do
        timed "$command" $((k % 2)) "$@"
        timed "$command" $((1 - k % 2)) "$@"
    done
done

# fastest_and_median COLUMN FILE: seconds
fastest_and_median() {
    cut -d' ' -f"$1" "$2" | sort -n | awk '{ v[NR] = $1 } END {
        print v[1], NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

echo "$((bytes / 1000000)) MB unpacked, $runs runs each in turns; MB/s by the clock and by processor time"
printf '%-10s %-4s %9s %9s %9s %9s\n' command "" fastest median "cpu best" "cpu med."
status=0
for command in "${commands[@]}"; do
    for program in 0 1; do
        read -r best median < <(fastest_and_median 1 "$work/$command.$program")
        read -r cpu_best cpu_median < <(fastest_and_median 2 "$work/$command.$program")
        awk -v mb="$bytes" -v s="$best $median $cpu_best $cpu_median" 'BEGIN {
            n = split(s, second, " ")
            for (k = 1; k <= n; k++)
                printf "%.1f%s", mb / 1e6 / second[k], k < n ? " " : "\n" }' >"$work/speed.$program"
        read -r a b c d <"$work/speed.$program"
        printf '%-10s %-4s %9s %9s %9s %9s\n' "$command" "${names[program]}" "$a" "$b" "$c" "$d"
    done
    paste -d' ' "$work/speed.0" "$work/speed.1" | awk -v name="$command" -v least="${LEAST:-0}" '{
        printf "%-10s %-4s %9.3f %9.3f %9.3f %9.3f\n", name, "x", $5 / $1, $6 / $2, $7 / $3, $8 / $4
        exit $5 / $1 < least }' || status=1
done
exit $status
