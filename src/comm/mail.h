/*
 * comm/mail.h - memory in which a rank puts what it has for others of its node, who read it there.
 *
 * What goes to a rank of the same node is copied once, into the buffer, and not by MPI: neither sent, nor received.
 */
#ifndef PARDUP_COMM_MAIL_H
#define PARDUP_COMM_MAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/comm/comm.h"

struct pd_mail {
    MPI_Comm node;
    MPI_Win win;
    size_t half;          /* bytes: rounds take turns with the halves */
    unsigned char *mine;  /* this rank's */
    unsigned char **from; /* of each rank of the job; NULL: it is on another node */
    bool all;             /* the job is on one node */
};

/* COLLECTIVE. Buffers of two halves for each rank. NULL where they cannot be had, on all ranks: MPI sends all. */
struct pd_mail *pd_mail_open(const struct pd_comm *c, size_t half);

/* Not collective. What has been written before is seen by who calls it after. */
void pd_mail_sync(const struct pd_mail *m);

void pd_mail_close(struct pd_mail *m); /* COLLECTIVE; m may be NULL */

#endif
