#!/bin/bash
# `pardup detect` on several hosts: each is a set of namespaces (network, host name, processes,
# mounts) with a /dev/shm and a scratch folder that no other host sees; MPI goes over TCP, mpirun
# starts its daemons as it would through ssh. The result must be that of one host: on a quick
# network, with delay, with delay and loss, and when postings and texts have to spill to each host's
# own scratch. A killed rank and a full scratch on another host must end the job cleanly.
# Prints seconds and exchanged bytes.
# usage: tests/nodes/hosts.sh [HOSTS]      [3]
# PARDUP: the program [build/release/pardup]; SLOTS: ranks a host [2]; BYTES: of HTML [20M];
# DELAY: microseconds one way [500]; LOSS: frames of a million [2000]; KEEP: keep the folder when set.
# Needs root, /dev/net/tun, a C compiler, iproute2 and util-linux; else the exit status is 77.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/common.sh"
SLOTS=${SLOTS:-2}
DELAY=${DELAY:-500}
LOSS=${LOSS:-2000}
nhosts=${1:-3}
subnet=10.77.0

lacks() {
    echo "hosts.sh: left out: $1"
    exit 77
}
[ "$(id -u)" -eq 0 ] || lacks "needs root"
for tool in ip unshare nsenter setpriv cc mpirun; do
    command -v "$tool" >/dev/null || lacks "no $tool"
done
[ -c /dev/net/tun ] || lacks "no /dev/net/tun"
unshare --net --mount --uts --pid --fork --mount-proc true 2>/dev/null ||
    lacks "namespaces are not allowed here"

pids=()
network=
local=$work/local # the same path everywhere, another folder on every host
mkdir "$local"

# Nothing outlives this script: hosts and switch are killed with it, even by SIGKILL, and the
# processes of a host with its first one.
tidy() {
    [ -z "$network" ] || kill "$network"
    [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}"
    wait
    leave
} 2>/dev/null
trap tidy EXIT
trap 'exit 130' INT TERM HUP

on() { # on HOST COMMAND...: HOST from 1 on
    local k=$1
    shift
    nsenter -t "$(cat "$work/host$k.pid")" --net --mount --uts --pid -- "$@"
}

start_host() { # start_host K
    local k=$1 outer
    setpriv --pdeathsig KILL unshare --net --mount --uts --pid --fork --kill-child --mount-proc \
        sleep infinity &
    outer=$!
    pids+=("$outer")
    for _ in $(seq 100); do # until it is there, and has become sleep
        pgrep -P "$outer" -x sleep >"$work/host$k.pid" && break
        sleep 0.05
    done
    [ -s "$work/host$k.pid" ] || lacks "host $k did not start"
    on "$k" bash -euc "hostname node$k
        mount -t tmpfs -o size=2g tmpfs /dev/shm
        mount -t tmpfs -o size=2g tmpfs '$local'
        mount --bind '$work/hosts' /etc/hosts
        ip link set lo up"
}

connect() { # connect DELAY LOSS: (new) cables between all hosts
    if [ -n "$network" ]; then
        kill "$network"
        wait "$network" 2>/dev/null
    fi
    rm -f "$work/ready"
    setpriv --pdeathsig KILL "$work/switch" "$1" "$2" $(cat "$work"/host*.pid) >"$work/ready" &
    network=$!
    for _ in $(seq 100); do
        [ -s "$work/ready" ] && break
        sleep 0.05
    done
    for k in $(seq "$nhosts"); do
        on "$k" sh -c "ip link set eth0 address 02:00:00:00:00:$(printf %02x "$k") mtu 9000 &&
            ip addr add $subnet.$k/24 dev eth0 && ip link set eth0 up"
    done
}

# detect NAME OPTION...: one run over all hosts
detect() {
    local name=$1
    shift
    launch "$name" on 1 mpirun -q --host "$hostlist" -np $((nhosts * SLOTS)) --map-by node \
        --mca plm rsh --mca plm_rsh_agent "$work/rsh" --mca plm_rsh_no_tree_spawn 1 \
        --mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 --mca btl tcp,vader,self \
        -x TMPDIR="$local" "$PARDUP" detect --progress none -o "$name.h5" "$@" $collection
}

# Nothing may be left in any host's scratch.
scratch_is_empty() {
    local k
    for k in $(seq "$nhosts"); do
        [ -z "$(on "$k" find "$local" -path '*pardup-*' -type f)" ] || return 1
    done
}

one_error() { [ "$(grep -c 'pardup: error: ' "$1")" -eq 1 ]; }

# ranks_of K: the ranks of pardup on a host, as process numbers there
ranks_of() { on "$1" pgrep -x "$(basename "$PARDUP" | cut -c1-15)"; }

kill_a_rank() {
    local victim
    for _ in $(seq 200); do
        victim=$(ranks_of 2 | head -n 1)
        [ -n "$victim" ] && break
        sleep 0.02
    done
    sleep 0.3
    on 2 kill -9 "$victim"
}

{
    echo "127.0.0.1 localhost"
    for k in $(seq "$nhosts"); do echo "$subnet.$k node$k"; done
} >"$work/hosts"
cat >"$work/rsh" <<EOF
#!/bin/bash
# what mpirun takes for ssh: HOST COMMAND
while [ "\${1#-}" != "\$1" ]; do shift; done
host=\${1#node}
shift
exec nsenter -t "\$(cat "$work/host\$host.outer")" --net --mount --uts --pid -- sh -c "\$*"
EOF
chmod +x "$work/rsh"
hostlist=$(for k in $(seq "$nhosts"); do echo "node$k:$SLOTS"; done | paste -sd,)
cc -O2 -D_GNU_SOURCE -o "$work/switch" "$here/switch.c" || exit 1
