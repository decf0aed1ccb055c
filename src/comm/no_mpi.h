/*
 * comm/no_mpi.h - in place of MPI's header in a program without MPI (PARDUP_MPI=OFF).
 *
 * Such a program has one rank, pd_comm_alone(), and calls no function of MPI. So the files of
 * src/comm/ compile as they are, and a function of MPI that is called all the same ends the job.
 */
#ifndef PARDUP_COMM_NO_MPI_H
#define PARDUP_COMM_NO_MPI_H

#include "pardup/base/error.h"

typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request, MPI_Errhandler, MPI_Info;
typedef struct {
    int MPI_SOURCE;
} MPI_Status;
typedef void MPI_Comm_errhandler_function(MPI_Comm *, int *, ...);

enum {
    MPI_COMM_WORLD,
    MPI_INFO_NULL,
    MPI_REQUEST_NULL,
    MPI_COMM_TYPE_SHARED,
    MPI_ANY_SOURCE,
    MPI_BYTE,
    MPI_INT,
    MPI_UINT64_T,
    MPI_INT64_T,
    MPI_DOUBLE,
    MPI_SUM,
    MPI_MIN,
    MPI_MAX,
    MPI_MAX_ERROR_STRING = 256,
    MPI_MAX_LIBRARY_VERSION_STRING = 256
};
#define MPI_IN_PLACE        ((void *)0)
#define MPI_STATUS_IGNORE   ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)

/* A function of MPI with these parameters. */
#define PD_NEVER(name, ...)                                                                        \
    static inline int name(__VA_ARGS__) { pd_panic(#name ": this pardup was built without MPI"); }

PD_NEVER(MPI_Init, int *, char ***)
PD_NEVER(MPI_Finalize, void)
PD_NEVER(MPI_Abort, MPI_Comm, int)
PD_NEVER(MPI_Error_string, int, char *, int *)
PD_NEVER(MPI_Comm_rank, MPI_Comm, int *)
PD_NEVER(MPI_Comm_size, MPI_Comm, int *)
PD_NEVER(MPI_Comm_dup, MPI_Comm, MPI_Comm *)
PD_NEVER(MPI_Comm_free, MPI_Comm *)
PD_NEVER(MPI_Comm_split_type, MPI_Comm, int, int, MPI_Info, MPI_Comm *)
PD_NEVER(MPI_Comm_create_errhandler, MPI_Comm_errhandler_function *, MPI_Errhandler *)
PD_NEVER(MPI_Comm_set_errhandler, MPI_Comm, MPI_Errhandler)
PD_NEVER(MPI_Errhandler_free, MPI_Errhandler *)
PD_NEVER(MPI_Get_library_version, char *, int *)
PD_NEVER(MPI_Allreduce, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm)
PD_NEVER(MPI_Exscan, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm)
PD_NEVER(MPI_Bcast, void *, int, MPI_Datatype, int, MPI_Comm)
PD_NEVER(MPI_Allgather, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm)
PD_NEVER(MPI_Allgatherv, const void *, int, MPI_Datatype, void *, const int *, const int *,
         MPI_Datatype, MPI_Comm)
PD_NEVER(MPI_Send, const void *, int, MPI_Datatype, int, int, MPI_Comm)
PD_NEVER(MPI_Recv, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *)
PD_NEVER(MPI_Isend, const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)
PD_NEVER(MPI_Irecv, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)
PD_NEVER(MPI_Probe, int, int, MPI_Comm, MPI_Status *)
PD_NEVER(MPI_Iprobe, int, int, MPI_Comm, int *, MPI_Status *)
PD_NEVER(MPI_Get_count, const MPI_Status *, MPI_Datatype, int *)
PD_NEVER(MPI_Wait, MPI_Request *, MPI_Status *)
PD_NEVER(MPI_Waitall, int, MPI_Request *, MPI_Status *)

static inline double MPI_Wtime(void) { return 0; } /* seconds; nobody waits for other ranks */

#endif
