#!/bin/bash
# `pardup detect` on several hosts: each is a set of namespaces (network, host name, mounts) with a
# /dev/shm and a scratch folder that no other host sees; MPI goes over TCP, mpirun starts its daemons
# as it would through ssh. The result must be that of one rank: on a quick network, with delay, with
# delay and loss, and when memory is so small that everything spills to each host's own scratch. A
# full scratch or a killed rank on another host must end the job without a result; --resume then
# goes on, also when one of the hosts and its part of the scratch are gone.
# Prints seconds and exchanged bytes.
# usage: tests/nodes/hosts.sh [HOSTS]      [3]
# PARDUP: the program [build/release/pardup]; SLOTS: ranks a host [2]; BYTES: of HTML [20M];
# DELAY: microseconds one way [500]; LOSS: frames of a million [2000]; LIMIT: seconds a run may take
# [300]; KILL_AFTER: seconds a rank lives [.2]; KEEP: keep the folder when set.
# Needs root, namespaces, /dev/net/tun, a C compiler and iproute2; else the exit status is 77.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

lacks() {
    echo "hosts.sh: left out: $1"
    exit 77
}

# In a process namespace of its own: whatever ends this script, even SIGKILL, ends all it started.
if [ "${1:-}" != inside ]; then
    [ "$(id -u)" -eq 0 ] || lacks "needs root"
    for tool in ip unshare nsenter setpriv pgrep cc mpirun; do
        command -v "$tool" >/dev/null || lacks "no $tool"
    done
    [ -c /dev/net/tun ] || lacks "no /dev/net/tun"
    unshare --net --mount --uts --pid --fork --mount-proc mount -t tmpfs tmpfs /dev/shm 2>/dev/null ||
        lacks "namespaces are not allowed here"
    WORK=$(mktemp -d)
    export WORK
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc \
        bash "$here/hosts.sh" inside "$@" &
    inside=$!
    tidy() {
        kill -KILL "$inside" 2>/dev/null
        wait "$inside" 2>/dev/null
        [ -n "${KEEP:-}" ] && echo "kept: $WORK" || rm -rf "$WORK"
    }
    trap tidy EXIT
    trap 'exit 130' INT TERM HUP
    wait "$inside"
    exit
fi
shift

. "$here/common.sh"
nhosts=${1:-3}
SLOTS=${SLOTS:-2}
DELAY=${DELAY:-500}
LOSS=${LOSS:-2000}
KILL_AFTER=${KILL_AFTER:-.2}
subnet=10.77.0
work=$WORK
local=$work/local # the same path everywhere, another folder on every host

on() { # on HOST COMMAND...
    local pid
    pid=$(cat "$work/host$1")
    shift
    nsenter -t "$pid" --net --mount --uts -- "$@"
}

start_host() { # start_host K
    unshare --net --mount --uts sleep infinity &
    echo $! >"$work/host$1"
    until [ "$(cat /proc/$!/comm)" = sleep ]; do sleep 0.01; done
    on "$1" sh -euc "hostname node$1
        mount -t tmpfs -o size=2g tmpfs /dev/shm
        mount -t tmpfs -o size=2g tmpfs '$local'
        mount --bind '$work/names' /etc/hosts
        ip link set lo up"
}

switch=
connect() { # connect DELAY LOSS: new cables to all hosts
    local k
    [ -z "$switch" ] || { kill "$switch"; wait "$switch"; } 2>/dev/null
    rm -f "$work/ready"
    "$work/switch" "$1" "$2" $(for k in $(seq "$nhosts"); do cat "$work/host$k"; done) >"$work/ready" &
    switch=$!
    until [ -s "$work/ready" ]; do
        kill -0 "$switch" 2>/dev/null || lacks "no virtual interfaces"
        sleep 0.01
    done
    for k in $(seq "$nhosts"); do
        on "$k" sh -euc "ip link set eth0 address 02:00:00:00:00:$(printf %02x "$k") mtu 9000
            ip addr add $subnet.$k/24 dev eth0
            ip link set eth0 up"
    done
}

# detect NAME OPTION...: on the first $up hosts
up=$nhosts
detect() {
    local name=$1 list
    shift
    list=$(for k in $(seq "$up"); do echo "node$k:$SLOTS"; done | paste -sd,)
    launch "$name" nsenter -t "$(cat "$work/host1")" --net --mount --uts --wd=. -- \
        mpirun -q --host "$list" -np $((up * SLOTS)) --map-by node \
        --mca plm rsh --mca plm_rsh_agent "$work/rsh" --mca plm_rsh_no_tree_spawn 1 \
        --mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 --mca btl tcp,vader,self \
        "$PARDUP" detect --verbose --progress none --scratch "$local" -o "$name.h5" "$@" $collection
}

line() { printf '%-16s %9s %9s %14s %7s   %s\n' "$@"; }
report() {
    line "$1" "$(seconds_of "$1")" "$(stage_of "$1" write)" "$(exchanged_of "$1")" \
        "$(rounds_of "$1")" "$(peak_of "$1")"
}

# judge NAME: the run finished, with the result of one rank, and has left no file on any host
judge() {
    check "$1: finishes" finished "$1"
    check "$1: has the result of one rank" same "$1"
    check "$1: leaves nothing in scratch" scratch_is_empty
    report "$1"
}

scratch_is_empty() {
    local k
    for k in $(seq "$nhosts"); do
        on "$k" find "$local" -path '*/pardup-*' -type f >"$work/left"
        [ ! -s "$work/left" ] || { echo "host $k:"; cat "$work/left"; return 1; }
    done
}

# gives_up NAME: it failed, and there is no result
gives_up() { [ "$status" -ne 0 ] && [ "$status" -ne 124 ] && [ ! -e "$work/$1.h5" ]; }
says() { grep "$2" "$work/$1.log" || { cat "$work/$1.log"; return 1; }; }

# Kills a rank of host 2 as soon as there is one.
kill_one() {
    local victim=
    until victim=$(pgrep --ns "$(cat "$work/host2")" --nslist net -x "$(basename "$PARDUP")" | head -n 1) &&
        [ -n "$victim" ]; do sleep 0.01; done
    sleep "$1"
    kill -9 "$victim"
}

mkdir "$local"
{
    echo "127.0.0.1 localhost"
    for k in $(seq "$nhosts"); do echo "$subnet.$k node$k"; done
} >"$work/names"
cat >"$work/rsh" <<EOF
#!/bin/bash
# what mpirun takes for ssh: HOST COMMAND
while [ "\${1#-}" != "\$1" ]; do shift; done
host=\${1#node}
shift
exec nsenter -t "\$(cat "$work/host\$host")" --net --mount --uts -- sh -c "\$*"
EOF
chmod +x "$work/rsh"
cc -O2 -D_GNU_SOURCE -o "$work/switch" "$root/tests/nodes/switch.c" || exit 1
make_collection
for k in $(seq "$nhosts"); do start_host "$k"; done

line run seconds "to write" "exchanged, MB" rounds "peak memory a rank, MB"
launch one "$PARDUP" detect --verbose --progress none -o one.h5 $collection
check "one: finishes" finished one
report one

connect 0 0
detect quick
judge quick
detect spilling --memory 4M
judge spilling

connect "$DELAY" 0
detect delay
judge delay
connect "$DELAY" "$LOSS"
detect delay-and-loss
judge delay-and-loss

connect 0 0
on 2 mount -o remount,size=64k "$local"
detect full --memory 4M
check "full: gives up" gives_up full
check "full: says where" says full "$local/pardup-.*No space left"
on 2 mount -o remount,size=2g "$local"
detect full --memory 4M --resume
judge full
kill_one "$KILL_AFTER" &
detect resumed
check "killed: gives up" gives_up resumed
detect resumed --resume
judge resumed
if [ "$nhosts" -gt 1 ]; then
    kill_one "$KILL_AFTER" &
    detect without-one
    check "killed: gives up" gives_up without-one
    up=$((nhosts - 1))
    detect without-one --resume
    check "without-one: finishes" finished without-one
    check "without-one: has the result of one rank" same without-one
    report without-one
fi
finish
