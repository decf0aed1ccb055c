#!/bin/bash
# The exchanges of `pardup detect` on machines that are not there, by SimGrid's SMPI: the real comm/
# layer, made-up records (pipeline.c), platforms of platform.py. Appends to a table that model.py
# reads: net, ranks a node, ranks, documents a rank, exchange, seconds, seconds of computation in
# them, bytes sent by a rank, rounds.
# usage: scripts/measure/scale/simulate.sh [-i] [-o FILE] [-n NETS] [-c CORES] [-d DOCUMENTS] [-p PROFILE] RANKS...
#   -i          install libsimgrid-dev when it is missing (Debian, Ubuntu); else its lack ends this with 77
#   -o FILE     the table [simulated.tsv in the current folder]
#   -n NETS     of platform.py ["ethernet infiniband"]
#   -c CORES    ranks a node [16]
#   -d N        documents a rank [2000]
#   -p PROFILE  of pipeline.c [profile.txt beside this script]
# LIMIT: seconds one simulation may take [900]. Time grows with the cube of the ranks and more: all exchanges of 64 ranks
# took 10 to 16 s, two of 128 one and a half minutes (InfiniBand) and four and a half (Ethernet). So give many ranks few
# documents (one round will do) and a profile of few exchanges.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
. "$root/scripts/packages.sh"
table=simulated.tsv nets="ethernet infiniband" cores=16 documents=2000 profile=$here/profile.txt
while getopts io:n:c:d:p: option; do
    case $option in
    i) need_packages libsimgrid-dev ;;
    o) table=$OPTARG ;;
    n) nets=$OPTARG ;;
    c) cores=$OPTARG ;;
    d) documents=$OPTARG ;;
    p) profile=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { sed -n '/^# usage/,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'; exit 2; }
command -v smpicc >/dev/null || { echo "simulate.sh: left out: no SimGrid (-i installs it)"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
base=$root/src/base
smpicc -std=gnu11 -O2 -D_GNU_SOURCE -DSIMULATED -I"$root/include" -o "$work/pipeline" \
    "$here/pipeline.c" "$root"/src/comm/*.c "$base"/{error,hash,log,memory}.c -lxxhash -lm

# Acknowledgements are left out: half of the flows, and the same times. A look for a message takes a microsecond, not
# the simulator's tenth of a millisecond, which is more than most exchanges.
settings=(--cfg=smpi/coll-selector:ompi --cfg=smpi/iprobe:1e-6
    --cfg=network/crosstraffic:0 --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1Gf --cfg=smpi/cpu-threshold:0
    --log=root.thres:warning)
for ranks in "$@"; do
    for net in $nets; do
        python3 "$here/platform.py" --net "$net" --cores "$cores" "$ranks" "$work"
        began=$SECONDS
        if ! timeout "${LIMIT:-900}" smpirun "${settings[@]}" -np "$ranks" -platform "$work/platform.xml" \
            -hostfile "$work/hosts" "$work/pipeline" "$profile" "$documents" >"$work/out" 2>&1; then
            echo "$net, $ranks ranks: not within ${LIMIT:-900} s"
            tail -n 3 "$work/out"
            continue
        fi
        awk -v row="$net $cores $ranks $documents" '!/^#/ && NF == 5 { print row, $0 }' "$work/out" |
            tr -s ' ' '\t' >>"$table"
        echo "$net, $cores a node, $ranks ranks: $((SECONDS - began)) s"
    done
done
