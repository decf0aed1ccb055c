#!/bin/bash
# slurm/detect.sbatch and slurm/array.sbatch on a Slurm of two nodes on this machine, with mpirun and with srun: jobs
# that are stopped, by their time limit or by hand, go to the queue again and end with the result of one rank.
# Everything is started in a process namespace of its own, which ends with the script.
# usage: tests/nodes/slurm.sh
# PARDUP: the program [build/release/pardup]; BYTES: of HTML [6M]; LIMIT: seconds a job may take [300]; KEEP: keep
# the folder when set. Needs root, namespaces, and the packages slurmctld slurmd slurm-client
# slurm-wlm-basic-plugins munge; else the exit status is 77.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

lacks() {
    echo "slurm.sh: left out: $1"
    exit 77
}

if [ "${1:-}" != inside ]; then
    [ "$(id -u)" -eq 0 ] || lacks "needs root"
    for tool in slurmctld slurmd munged sbatch srun scontrol unshare mpirun; do
        command -v "$tool" >/dev/null || lacks "no $tool"
    done
    unshare --mount --uts --pid --fork --mount-proc mount -t tmpfs tmpfs /dev/shm 2>/dev/null ||
        lacks "namespaces are not allowed here"
    exec unshare --mount --pid --fork --kill-child --mount-proc bash "$here/slurm.sh" inside
fi

BYTES=${BYTES:-6M}
. "$here/common.sh"
unset OMPI_MCA_btl OMPI_MCA_pml # jobs of two nodes: what shared memory is good for is decided by MPI
work=$(mktemp -d)
trap leave EXIT
trap 'exit 130' INT TERM HUP
# The longest path is that of a socket, 108 characters at most.
export SLURM_CONF=$work/slurm.conf
first_port=$((20000 + RANDOM % 10000))

start_slurm() {
    local node host
    host=$(hostname -s)
    chmod 755 "$work"
    mkdir "$work"/{munge,state,log,n1,n2,tmp.n1,tmp.n2}
    dd if=/dev/urandom of="$work/munge/key" bs=128 count=1 status=none
    chmod 400 "$work/munge/key"
    munged --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
        --log-file="$work/munge/log" --seed-file="$work/munge/seed" --num-threads=2 2>"$work/log/munged"
    cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$first_port
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CryptoType=crypto/munge
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
AccountingStorageType=accounting_storage/none
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.%n.pid
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/%n
TmpFS=$work/tmp.%n
SlurmctldLogFile=$work/log/slurmctld
SlurmdLogFile=$work/log/slurmd.%n
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
CommunicationParameters=NoAddrCache
KillWait=5
MinJobAge=300
SwitchType=switch/none
CONF
    for node in 1 2; do # more cores than there may be: jobs of two ranks a node
        echo "NodeName=n$node NodeHostname=n$node NodeAddr=127.0.0.1 Port=$((first_port + node)) CPUs=2 State=UNKNOWN"
    done >>"$SLURM_CONF"
    echo "PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP" >>"$SLURM_CONF"
    slurmctld -f "$SLURM_CONF" -c
    for node in 1 2; do # each with a name and a /dev/shm of its own, or MPI takes both for one node
        unshare --mount --uts sh -c "hostname n$node && mount -t tmpfs -o size=1g tmpfs /dev/shm &&
            exec slurmd -f '$SLURM_CONF' -N n$node"
    done
    for _ in $(seq 60); do
        [ "$(timeout 5 sinfo -h -N -o %T 2>/dev/null | grep -c idle)" -eq 2 ] && return
        sleep 0.5
    done
    cat "$work"/log/* >&2
    lacks "Slurm does not start"
}

state_of() { scontrol -o show job "$1" 2>/dev/null | sed 's/.*JobState=\([A-Z_]*\).*/\1/' | sort -u | tr '\n' ' '; }

# Wait for a text in a job's log, at most LIMIT seconds.
until_says() { # until_says NAME TEXT
    local left=$((10 * LIMIT))
    until grep -q -- "$2" "$work/$1.log" 2>/dev/null; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 0.1
    done
}

until_there() {
    local left=$((100 * LIMIT))
    until compgen -G "$1" >/dev/null; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 0.01
    done
}

# Slurm lets a requeued job wait for two minutes, unless it is told to start. Not too often: "now" moves on. Not at
# once: a node counts seconds, and takes a try that begins in the second the one before was ended for that one; the job
# is then a failure ("Job credential revoked" in slurmctld's log).
hurry() {
    local left=$((LIMIT / 3))
    until [ "$(state_of "$1")" = "COMPLETED " ]; do
        left=$((left - 1))
        [ $left -gt 0 ] || { scontrol show job "$1" | head -n 4; return 1; }
        case $(state_of "$1") in
        *FAILED* | *CANCELLED* | *TIMEOUT*) scontrol show job "$1" | head -n 4; return 1 ;;
        *PENDING*) sleep 2 && scontrol update jobid="$1" StartTime=now 2>/dev/null ;;
        esac
        sleep 3
    done
}

# submit NAME SBATCH-ARGUMENT...: its number in $job
submit() {
    local name=$1
    shift
    job=$(cd "$work" && PARDUP=$PARDUP SLURM_SUBMIT_DIR=$work sbatch --parsable -t 5 --output="$name.log" "$@") || exit 1
}

start_slurm
make_collection
launch one "$PARDUP" detect --verbose --progress none --scratch "$work" -o one.h5 $collection
check "one rank" finished one
options="--memory 1M"
# shellcheck disable=SC2206 # words are wanted
files=($collection)
printf '%s\n' "${files[@]}" >"$work/list"

for way in "mpirun -q" "srun --mpi=pmix"; do
    name=${way%% *}
    export LAUNCH=$way

    # nobody stops it
    submit "$name" "$root/slurm/detect.sbatch" "$name.h5" $options $collection
    check "$name: ends" hurry "$job"
    check "$name: same result" same "$name"

    # stopped while passages are found
    rm -rf "$work"/pardup-*
    submit "$name-stop" "$root/slurm/detect.sbatch" "$name-stop.h5" $options $collection
    check "$name, stopped: finds passages" until_there "$work/pardup-*/slice-0"
    scancel --batch --signal=USR1 "$job"
    check "$name, stopped: goes to the queue" until_says "$name-stop" "goes on when its turn comes again"
    check "$name, stopped: has a checkpoint" until_there "$work/pardup-*/slice-0"
    check "$name, stopped: ends" hurry "$job"
    check "$name, stopped: went on" grep -q "going on from the checkpoint" "$work/$name-stop.log"
    check "$name, stopped: same result" same "$name-stop"
    check "$name, stopped: scratch is empty" test -z "$(compgen -G "$work/pardup-*")"

    # stopped by its time limit: until then it waits for its list of files
    mkfifo "$work/$name.fifo"
    (until [ -e "$work/$name.go" ]; do sleep 1; done; cat "$work/list") >"$work/$name.fifo" & # has the pipe open
    submit "$name-limit" -t 1 --signal=B:USR1@25 "$root/slurm/detect.sbatch" "$name-limit.h5" $options \
        --files-from "$name.fifo"
    check "$name, time limit: waits for its list" until_there "$work/pardup-*/lock"
    check "$name, time limit: is told" until_says "$name-limit" "the time limit is near"
    touch "$work/$name.go"
    check "$name, time limit: goes to the queue" until_says "$name-limit" "goes on when its turn comes again"
    timeout "$LIMIT" dd if="$work/list" of="$work/$name.fifo" status=none & # its next try
    scontrol update jobid="$job" TimeLimit=5
    check "$name, time limit: ends" hurry "$job"
    check "$name, time limit: same result" same "$name-limit"
done

# A job array: two subsets, one of them stopped.
export LAUNCH="mpirun -q" DETECT=$root/slurm/detect.sbatch
mkdir "$work/first" "$work/second"
ln -s "${files[@]:0:${#files[@]}/2}" "$work/first"
ln -s "${files[@]:${#files[@]}/2}" "$work/second"
for half in first second; do
    launch "alone-$half" "$PARDUP" detect --verbose --progress none --scratch "$work" -o "alone-$half.h5" $half
done
submit array-%a --array=1-2 "$root/slurm/array.sbatch" results first second $options
check "array: finds passages" until_there "$work/results/pardup-*/slice-0"
scancel --batch --signal=USR1 "${job}_1"
check "array: ends" hurry "$job"
for half in first second; do
    check "array: $half" "$PYTHON" "$root/tests/support/same_result.py" "$work/alone-$half.h5" "$work/results/$half.h5"
done
finish
