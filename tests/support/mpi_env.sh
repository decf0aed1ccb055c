#!/bin/bash
# The Open MPI settings of all tests, in one place: many ranks on few cores, on one machine, as root
# in a sandbox. Source it, or run a command under it: mpi_env.sh mpirun -np 4 program.
# Nothing of this is needed to use pardup.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_btl_tcp_if_include=lo
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=vader,self
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$here/lsan.supp:print_suppressions=0}
# LeakSanitizer guesses where threads' late-loaded variables lie, at times wrongly, and then crashes itself
# ("Tracer caught signal 11"); whether it does depends on the length of the program's path.
export ASAN_OPTIONS=${ASAN_OPTIONS:-intercept_tls_get_addr=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1}
if [ "${BASH_SOURCE[0]}" = "$0" ]; then exec "$@"; fi
