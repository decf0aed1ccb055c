#!/bin/bash
# The MPI of all tests and scripts, in one place: the launcher, its options, and the settings for many ranks on few
# cores, on one machine, as root in a sandbox. It suits Open MPI 4 and later and MPICH (Hydra). Nothing of this is needed
# to use pardup.
#   mpi_env.sh COMMAND...          runs a command with the settings
#   mpi_env.sh -n N COMMAND...     runs it on N ranks; exit status 77: there is no launcher
#   . mpi_env.sh                   sets them, and ${on_ranks[@]}: "${on_ranks[@]}" N COMMAND... is the same command;
#                                  and the function ranks_of
#
#   PARDUP_MPIRUN    the launcher [mpirun, if there is one]; none: every program runs alone, a job of several ranks is skipped
#   PARDUP_LAUNCHER_SAYS   file for what the launcher itself says, if it can be told apart [/dev/null]
#
# Launchers comment on ranks that fail, and Open MPI 5 has no option against it. Unless the launcher can be quiet, each
# rank has the standard error of the caller, and the launcher's own goes elsewhere.
mpi_env=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/mpi_env.sh
on_ranks=(bash "$mpi_env" -n)
export PARDUP_RANKS=1 # a command takes several ranks when it is told to, not because the input is large

if [ -z "${PARDUP_MPIRUN:-}" ]; then
    PARDUP_MPIRUN=$(command -v mpirun || command -v mpiexec || echo none)
fi
export PARDUP_MPIRUN

# Which launcher it is: found once, as asking takes a tenth of a second.
PARDUP_MPI_KIND=${PARDUP_MPI_KIND:-}
if [ "${PARDUP_MPI_KIND#*:}" != "$PARDUP_MPIRUN" ]; then
    PARDUP_MPI_KIND=none
    if [ "$PARDUP_MPIRUN" != none ]; then
        case $("$PARDUP_MPIRUN" --version 2>/dev/null </dev/null) in
        *"Open MPI) 4."* | *"OpenRTE) 4."* | *"Open MPI) 3."* | *"OpenRTE) 3."*) PARDUP_MPI_KIND=openmpi4 ;;
        *"Open MPI"* | *"OpenRTE"* | *PRRTE*) PARDUP_MPI_KIND=openmpi5 ;;
        *HYDRA*) PARDUP_MPI_KIND=hydra ;;
        *) PARDUP_MPI_KIND=other ;;
        esac
    fi
    PARDUP_MPI_KIND+=:$PARDUP_MPIRUN
fi
export PARDUP_MPI_KIND

case $PARDUP_MPI_KIND in
openmpi4:*)
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_rmaps_base_oversubscribe=1
    export OMPI_MCA_mpi_yield_when_idle=1
    export OMPI_MCA_hwloc_base_binding_policy=none
    export OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_btl_tcp_if_include=lo
    export OMPI_MCA_pml=ob1 OMPI_MCA_btl=vader,self
    launcher=("$PARDUP_MPIRUN" -q -np)
    quiet=1
    ;;
openmpi5:*) # ranks are started by PRRTE, which has variables of its own
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    export PRTE_MCA_hwloc_default_binding_policy=none
    export OMPI_MCA_mpi_yield_when_idle=1
    export OMPI_MCA_btl_tcp_if_include=lo
    export OMPI_MCA_pml=ob1 OMPI_MCA_btl=sm,self
    launcher=("$PARDUP_MPIRUN" -np)
    quiet=
    ;;
*)
    export HYDRA_BINDING=none
    launcher=("$PARDUP_MPIRUN" -n)
    quiet=
    ;;
esac

export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$(dirname "$mpi_env")/lsan.supp:print_suppressions=0}
# LeakSanitizer guesses where threads' late-loaded variables lie, at times wrongly, and then crashes itself
# ("Tracer caught signal 11"); whether it does depends on the length of the program's path.
export ASAN_OPTIONS=${ASAN_OPTIONS:-intercept_tls_get_addr=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1}

# ranks_of PROCESS: the processes of pardup below a process. Processes of other jobs have other ancestors.
ranks_of() {
    local child
    for child in $(pgrep -P "$1"); do
        [ "$(cat /proc/"$child"/comm 2>/dev/null)" = "$(basename "${PARDUP:-pardup}")" ] && echo "$child"
        ranks_of "$child"
    done
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    [ "$1" = -n ] || exec "$@"
    ranks=$2
    shift 2
    if [ "$PARDUP_MPIRUN" = none ]; then
        [ "$ranks" -gt 1 ] || exec "$@"
        echo "skipped: there is no MPI launcher, and $ranks ranks are asked for" >&2
        exit 77
    fi
    [ -z "$quiet" ] || exec "${launcher[@]}" "$ranks" "$@"
    exec 8>&2 # by its number, ranks find it in this process, which becomes the launcher
    exec "${launcher[@]}" "$ranks" sh -c 'says=$1; shift; exec "$@" 2>>"$says"' rank "/proc/$$/fd/8" "$@" \
        2>>"${PARDUP_LAUNCHER_SAYS:-/dev/null}"
fi
