/* comm/queue.c - see include/pardup/comm/queue.h */
#include "pardup/comm/queue.h"

#include "handle.h"

enum kind { TAKE, REPORT, GOODBYE };     /* GOODBYE gets no reply, the others get one */
static const double report_interval = 1; /* seconds between two reports of a rank */

/*
 * Seconds from one look of rank 0 for requests to the next, at least. A look may cost as much as a
 * short page. With more ranks than cores, a look gives the core to other ranks and ends when they
 * have had their turns. Then the next look is as far off as the last one took: otherwise rank 0
 * would read one page a turn.
 */
static const double look_interval = 3e-4;

/* A request to rank 0. */
struct request {
    uint64_t kind;      /* an enum kind */
    uint64_t stop;      /* 1: the rank stops the queue */
    uint64_t documents; /* documents done since the rank's last request */
    uint64_t bytes;     /* bytes done since the rank's last request */
};

void pd_queue_open(const struct pd_comm *c, struct pd_queue *q, uint64_t ntasks)
{
    *q = (struct pd_queue){.comm = c, .ntasks = ntasks, .reported = c->size > 1 ? MPI_Wtime() : 0};
}

static uint64_t next_task(struct pd_queue *q)
{
    return q->stopped || q->next >= q->ntasks ? PD_NO_TASK : q->next++;
}

static void serve(struct pd_queue *q, const struct request *request, int from)
{
    q->documents += request->documents;
    q->bytes += request->bytes;
    q->stopped |= request->stop != 0;
    q->goodbyes += request->kind == GOODBYE;
    if (request->kind == GOODBYE)
        return;
    const uint64_t task = request->kind == TAKE ? next_task(q) : PD_NO_TASK;
    const struct pd_queue_reply reply = {task, (uint64_t)q->stopped, q->documents};
    MPI_Send(&reply, sizeof reply, MPI_BYTE, from, TAG_REPLY, q->comm->handle->mpi);
}

static void serve_next(struct pd_queue *q)
{
    struct request request;
    MPI_Status status;
    MPI_Recv(&request, sizeof request, MPI_BYTE, MPI_ANY_SOURCE, TAG_REQUEST, q->comm->handle->mpi,
             &status);
    serve(q, &request, status.MPI_SOURCE);
}

static void serve_all_waiting(struct pd_queue *q)
{
    int waiting;
    while (q->comm->size > 1) {
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_REQUEST, q->comm->handle->mpi, &waiting, MPI_STATUS_IGNORE);
        if (!waiting)
            return;
        serve_next(q);
    }
}

static void send_request(struct pd_queue *q, enum kind kind)
{
    const struct request request = {kind, (uint64_t)q->stopped, q->documents, q->bytes};
    MPI_Send(&request, sizeof request, MPI_BYTE, 0, TAG_REQUEST, q->comm->handle->mpi);
    q->documents = q->bytes = 0;
    q->reported = MPI_Wtime();
}

/* Note what a reply says. Returns the task in it. */
static uint64_t note_reply(struct pd_queue *q, const struct pd_queue_reply *reply)
{
    q->stopped |= reply->stopped != 0;
    q->known_documents = reply->documents;
    q->reported = MPI_Wtime();
    return reply->task;
}

static uint64_t request_reply(struct pd_queue *q, enum kind kind)
{
    struct pd_queue_reply reply;
    send_request(q, kind);
    MPI_Recv(&reply, sizeof reply, MPI_BYTE, 0, TAG_REPLY, q->comm->handle->mpi, MPI_STATUS_IGNORE);
    return note_reply(q, &reply);
}

void pd_queue_expect(struct pd_queue *q)
{
    if (q->comm->rank == 0 || q->expecting)
        return;
    MPI_Request coming;
    q->expecting = true; /* replies come in the order of the requests */
    MPI_Irecv(&q->expected, sizeof q->expected, MPI_BYTE, 0, TAG_REPLY, q->comm->handle->mpi,
              &coming);
    pd_bytes_append(&q->coming.requests, &coming, sizeof coming);
    send_request(q, TAKE);
}

static uint64_t take_expected(struct pd_queue *q)
{
    MPI_Wait((void *)q->coming.requests.v, MPI_STATUS_IGNORE);
    q->coming.requests.n = 0;
    q->expecting = false;
    return note_reply(q, &q->expected);
}

uint64_t pd_queue_take(struct pd_queue *q)
{
    if (q->comm->rank != 0)
        return q->expecting ? take_expected(q) : request_reply(q, TAKE);
    serve_all_waiting(q);
    q->known_documents = q->documents;
    return next_task(q);
}

void pd_queue_add(struct pd_queue *q, uint64_t documents, uint64_t bytes)
{
    q->documents += documents;
    q->bytes += bytes;
}

int pd_queue_poll(struct pd_queue *q)
{
    if (q->comm->size == 1)
        return q->stopped;
    const double now = MPI_Wtime();
    if (q->comm->rank != 0) {
        if (now - q->reported > report_interval)
            request_reply(q, REPORT);
    } else if (now >= q->next_look) {
        serve_all_waiting(q);
        const double done = MPI_Wtime(), took = done - now;
        q->next_look = done + (took > look_interval ? took : look_interval);
    }
    return q->stopped;
}

void pd_queue_stop(struct pd_queue *q) { q->stopped = 1; }

void pd_queue_close(struct pd_queue *q)
{
    if (q->expecting) /* receive the reply, though its task is not wanted any more */
        take_expected(q);
    if (q->comm->rank != 0)
        send_request(q, GOODBYE);
    else
        while (q->goodbyes < q->comm->size - 1)
            serve_next(q);
    pd_transfers_release(&q->coming);
}
