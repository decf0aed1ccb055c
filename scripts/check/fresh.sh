#!/bin/bash
# A fresh Debian of another release in a folder, in which a clone of this repository runs a command: what is not committed
# is not there. As root; packages come from where this machine gets its own.
# usage: scripts/check/fresh.sh SUITE FOLDER COMMAND...   for example: trixie /var/tmp/trixie 'scripts/test.sh quick'
#        scripts/check/fresh.sh quick                     Debian 13: demo, unit tests, ten scripts of tests/cli
#        scripts/check/fresh.sh machine                   the same Debian with packages and a clone, in FRESH_FOLDER
#        scripts/check/fresh.sh matrix [ROW...]           a line of results for each row SUITE:COMPILER:MPI:HDF5
# MPI: openmpi, mpich, none. HDF5: serial, openmpi, mpich. Without ROW: the rows below.
#   FRESH_FOLDER    keeps the folder of `quick`, and those of `matrix`, for the next call [temporary folders]
#   FRESH_SECONDS   of quick, for making the machine, and again for its packages and its tests [600]
#   FRESH_CLI       matrix: pattern of the scripts of tests/cli [those of quick]
# All mounts are made in a namespace of the call and end with it, as do its processes. /dev is the folder's own. So nothing
# of this machine's /dev, /proc or /sys can be reached by removing the folder, not even after a kill.
# quick says "left out" and ends with status 0 where it is not root, or where debootstrap or packages cannot be had.
set -eu
self=$(realpath "${BASH_SOURCE[0]}")
top=$(cd "$(dirname "$self")/../.." && pwd)
seconds=${FRESH_SECONDS:-600}

# Of half a minute at most on one core: signals, failures, checkpoints, every kind of command.
cli='usage|compare|explain|check|dedup|export|families|failures|methods|brief'
rows=(bookworm:gcc-12:openmpi:openmpi bookworm:clang-14:mpich:mpich
    trixie:gcc-14:openmpi:openmpi trixie:gcc-14:openmpi:serial trixie:gcc-14:mpich:mpich trixie:gcc-14:none:serial
    trixie:gcc-13:openmpi:serial trixie:gcc-12:openmpi:serial trixie:clang-19:openmpi:serial
    sid:gcc-15:mpich:serial sid:gcc-16:openmpi:serial)

left_out() {
    echo "left out: $*"
    exit 77
}

# The address of this machine's own packages.
source_of_packages() {
    local codename
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Identifier: Packages' 2>/dev/null |
        awk -v release="$codename" '$1 == release && $2 == "main" { print $3; exit }'
}

# make_machine SUITE FOLDER: a minimal Debian, if it is not there yet. Exit status 77: it cannot be had.
make_machine() {
    local suite=$1 root=$2 uri file
    [ "$(id -u)" -eq 0 ] || left_out "a fresh Debian needs root"
    grep -q '^ID=debian' /etc/os-release || left_out "a fresh Debian is made on a Debian"
    unshare --mount --pid --fork true 2>/dev/null || left_out "namespaces are not allowed here"
    [ ! -e "$root/.ready" ] || return 0
    uri=$(source_of_packages)
    [ -n "$uri" ] || left_out "apt-get knows no source of packages"
    if ! command -v debootstrap >/dev/null; then
        apt-get update -qq >/dev/null 2>&1 || true
        apt-get install -y -qq --no-install-recommends debootstrap >/dev/null 2>&1 || left_out "debootstrap cannot be had"
    fi
    mkdir -p "$root"
    if ! debootstrap --variant=minbase "$suite" "$root" "$uri" >"$root.log" 2>&1; then
        tail -n 3 "$root.log"
        left_out "debootstrap cannot make $suite"
    fi
    for file in /etc/apt/apt.conf.d/*; do # proxies and the like
        grep -q Acquire "$file" 2>/dev/null && [ ! -e "$root$file" ] && cp "$file" "$root/etc/apt/apt.conf.d/"
    done
    echo "deb $uri $suite main" >"$root/etc/apt/sources.list"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io" # a machine that is lost is made anew
    touch "$root/.ready"
}

# enter FOLDER COMMAND: in the folder's root and the clone's folder, in namespaces of its own. SKIP_CLONE: the clone stays.
# Whatever kills the caller ends the namespace, and so all that runs in it; unshare itself takes no SIGTERM.
enter() {
    SKIP_CLONE=${SKIP_CLONE:-} setpriv --pdeathsig KILL \
        unshare --mount --pid --fork --kill-child --propagation private bash "$self" --inside "$@"
}

inside() {
    local root=$1 k
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    for k in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 "$root/dev/${k%:*}" c 1 "${k#*:}"; done
    mknod -m 666 "$root/dev/tty" c 5 0
    ln -s /proc/self/fd "$root/dev/fd"
    for k in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${k%:*}" "$root/dev/${k#*:}"; done
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    mount -t tmpfs tmpfs "$root/dev/shm"
    cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
    if [ -z "${SKIP_CLONE:-}" ]; then
        rm -rf "$root/root/pardup"
        git -c safe.directory='*' clone -q "$top" "$root/root/pardup"
    fi
    # shellcheck disable=SC2046 # words are wanted
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        $(env | grep -iE '^(https?|no)_proxy=' || true) \
        chroot "$root" bash -c "cd /root/pardup && $2" </dev/null
}

# How the tests of a log went: "passed of all", how many were skipped, and the names of those that failed.
tests_in() {
    awk '/[*][*][*]Skipped/ { skipped++ }
        / tests passed, / { printf "%d of %d passed", $(NF) - $4 - skipped, $(NF); if (skipped) printf ", %d skipped", skipped }
        /\*\*\*(Failed|Timeout|Exception)|\(Failed\)|\(Timeout\)|SEGFAULT|Not Run/ && /^\t/ { printf " - %s", $3 }' "$1"
}

# ---- quick ----

# machine FOLDER: Debian 13 with packages and a new clone.
machine() {
    local folder=${1:?FRESH_FOLDER is not set} began=$SECONDS status=0
    [ "$(id -u)" -eq 0 ] || left_out "a fresh Debian needs root"
    chmod 755 "$folder" 2>/dev/null || true
    timeout --signal=KILL "$seconds" bash "$self" --make trixie "$folder" || status=$?
    [ $status -ne 137 ] || left_out "no machine in $seconds s"
    [ $status -eq 0 ] || return $status
    # shellcheck disable=SC2016 # expanded inside
    timeout --signal=KILL "$seconds" bash "$self" --enter "$folder" '
        . scripts/packages.sh
        apt-get update -qq
        need_packages "${BUILD_PACKAGES[@]}" procps python3-h5py python3-numpy hdf5-tools zstd gzip' >"$folder/log" 2>&1 || status=$?
    if [ $status -ne 0 ]; then
        tail -n 5 "$folder/log"
        left_out "packages of Debian 13 cannot be installed"
    fi
    echo "Debian 13 with packages: $((SECONDS - began)) s"
}

quick() {
    local folder=${FRESH_FOLDER:-} began=$SECONDS status=0 log
    if [ -z "$folder" ]; then
        folder=$(mktemp -d -p /var/tmp pardup-fresh.XXXXXX)
        # shellcheck disable=SC2064 # this folder
        trap "rm -rf --one-file-system '$folder' '$folder.log'" EXIT
    fi
    machine "$folder"
    SKIP_CLONE=1 timeout --signal=KILL "$seconds" bash "$self" --enter "$folder" "
        set -e
        TARGET=unit_tests scripts/build.sh release -DPARDUP_WERROR=ON
        scripts/demo.sh
        ctest --preset release -R '^(unit/|cli/($cli)[.])' -E test_steps" >"$folder/log" 2>&1 || status=$?
    log=$folder/log
    if [ $status -ne 0 ]; then
        tail -n 60 "$log"
        [ $status -ne 137 ] || echo "not done in $seconds s"
        echo "Debian 13: FAILED"
        return 1
    fi
    echo "Debian 13: demo, unit tests and ten scripts: $(tests_in "$log"); $((SECONDS - began)) s in all"
}

# ---- matrix ----

# options_of COMPILER MPI HDF5: for cmake
options_of() {
    echo "-DPARDUP_WERROR=ON -DCMAKE_C_COMPILER=$1"
    case $2 in none) echo "-DPARDUP_MPI=OFF" ;; *) echo "-DMPI_C_COMPILER=/usr/bin/mpicc.$2 -DMPIEXEC_EXECUTABLE=/usr/bin/mpiexec.$2" ;; esac
    case $3 in serial) echo "-DHDF5_C_COMPILER_EXECUTABLE=/usr/bin/h5cc" ;; *) echo "-DHDF5_C_COMPILER_EXECUTABLE=/usr/bin/h5pcc.$3" ;; esac
}

packages_of() {
    echo "$1" procps git python3-h5py python3-numpy hdf5-tools zstd gzip
    case $2 in openmpi) echo openmpi-bin libopenmpi-dev ;; mpich) echo mpich libmpich-dev ;; esac
    case $3 in serial) echo libhdf5-dev ;; *) echo "libhdf5-$3-dev" ;; esac
}

# step NAME COMMAND: in the machine; its outcome is added to $outcome
step() {
    local status=0
    SKIP_CLONE=1 enter "$root" "$2" >"$root/log.$1" 2>&1 || status=$?
    local told
    told=$(tests_in "$root/log.$1")
    [ -n "$told" ] || told=$([ $status -eq 0 ] && echo passed || echo "FAILED: $(grep -E 'error|rror:|FAILED|fault' "$root/log.$1" | tail -n 1)")
    outcome+=" $1: $told;"
    return $status
}

row() {
    local suite compiler mpi hdf5 root outcome= scripts=${FRESH_CLI:-$cli}
    IFS=: read -r suite compiler mpi hdf5 <<<"$1"
    root=$FRESH_FOLDER/$suite
    bash "$self" --make "$suite" "$root" || { echo "$1: no machine"; return; }
    if ! enter "$root" ". scripts/packages.sh; apt-get update -qq; need_packages \"\${BUILD_PACKAGES[@]}\" $(packages_of "$compiler" "$mpi" "$hdf5" | tr '\n' ' ')" >"$root/log.packages" 2>&1; then
        echo "$suite $compiler $mpi $hdf5: no packages: $(tail -n 1 "$root/log.packages")"
        return
    fi
    step build "scripts/build.sh release $(options_of "$compiler" "$mpi" "$hdf5" | tr '\n' ' ')" && {
        step demo "scripts/demo.sh" || true
        step unit "ctest --preset release -R '^unit/'" || true
        step mpi "ctest --preset release -R '^mpi/'" || true
        step cli "ctest --preset release -R '^cli/($scripts)[.]'" || true
        step invariance "ctest --preset release -R '^invariance/invariance'" || true
    }
    echo "$suite $compiler $mpi $hdf5:${outcome%;}"
}

matrix() {
    [ "$(id -u)" -eq 0 ] || left_out "a fresh Debian needs root"
    if [ -z "${FRESH_FOLDER:-}" ]; then
        FRESH_FOLDER=$(mktemp -d -p /var/tmp pardup-fresh.XXXXXX)
        # shellcheck disable=SC2064 # this folder
        trap "rm -rf --one-file-system '$FRESH_FOLDER'" EXIT
    fi
    [ $# -gt 0 ] || set -- "${rows[@]}"
    echo "release compiler MPI HDF5: what passed"
    for r in "$@"; do row "$r"; done
}

case ${1:-} in
--inside) shift; inside "$@" ;;
--make) shift; make_machine "$@" ;;
--enter) shift; enter "$@" ;;
quick | machine)
    status=0
    ($1 ${FRESH_FOLDER:+"$FRESH_FOLDER"}) || status=$?
    [ $status -ne 77 ] || status=0 # left out, and said
    exit $status
    ;;
matrix) shift; matrix "$@" ;;
[a-z]*)
    [ $# -ge 3 ] || { sed -n '2,15s/^# \?//p' "$self"; exit 2; }
    suite=$1 root=$2
    shift 2
    make_machine "$suite" "$root"
    enter "$root" "$*"
    ;;
*) sed -n '2,15s/^# \?//p' "$self"; exit 2 ;;
esac
