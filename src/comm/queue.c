/* comm/queue.c - see include/pardup/comm/queue.h */
#include "pardup/comm/queue.h"

/* Tags of messages. comm/exchange.c uses other tags. */
enum { TAG_QUESTION = 1, TAG_ANSWER };
enum kind { TAKE, REPORT, GOODBYE };  /* GOODBYE gets no reply, the others get one */
static const double report_every = 1; /* seconds between two reports of a rank */

/*
 * Seconds from one look of rank 0 for requests to the next, at least. A look may cost as much as a
 * short page. With more ranks than cores, a look gives the core to other ranks and ends when they
 * have had their turns. Then the next look is as far off as the last one took: otherwise rank 0
 * would read one page a turn.
 */
static const double look_every = 3e-4;

/* A request to rank 0. */
struct question {
    uint64_t kind;      /* an enum kind */
    uint64_t stop;      /* 1: the rank stops the queue */
    uint64_t documents; /* documents done since the rank's last request */
    uint64_t bytes;     /* bytes done since the rank's last request */
};

void pd_queue_open(const struct pd_comm *c, struct pd_queue *q, uint64_t ntasks)
{
    *q = (struct pd_queue){.comm = c, .ntasks = ntasks, .reported = MPI_Wtime()};
}

static uint64_t give(struct pd_queue *q)
{
    return q->stopped || q->next >= q->ntasks ? PD_NO_TASK : q->next++;
}

static void hear(struct pd_queue *q, const struct question *question, int from)
{
    q->documents += question->documents;
    q->bytes += question->bytes;
    q->stopped |= question->stop != 0;
    q->goodbyes += question->kind == GOODBYE;
    if (question->kind == GOODBYE)
        return;
    const uint64_t task = question->kind == TAKE ? give(q) : PD_NO_TASK;
    const struct pd_queue_reply answer = {task, (uint64_t)q->stopped, q->documents};
    MPI_Send(&answer, sizeof answer, MPI_BYTE, from, TAG_ANSWER, q->comm->mpi);
}

static void hear_next(struct pd_queue *q)
{
    struct question question;
    MPI_Status from;
    MPI_Recv(&question, sizeof question, MPI_BYTE, MPI_ANY_SOURCE, TAG_QUESTION, q->comm->mpi,
             &from);
    hear(q, &question, from.MPI_SOURCE);
}

static void hear_all_waiting(struct pd_queue *q)
{
    int waiting;
    for (;;) {
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_QUESTION, q->comm->mpi, &waiting, MPI_STATUS_IGNORE);
        if (!waiting)
            return;
        hear_next(q);
    }
}

static void say(struct pd_queue *q, enum kind kind)
{
    const struct question question = {kind, (uint64_t)q->stopped, q->documents, q->bytes};
    MPI_Send(&question, sizeof question, MPI_BYTE, 0, TAG_QUESTION, q->comm->mpi);
    q->documents = q->bytes = 0;
    q->reported = MPI_Wtime();
}

/* Note what a reply says. Returns the task in it. */
static uint64_t heard(struct pd_queue *q, const struct pd_queue_reply *answer)
{
    q->stopped |= answer->stopped != 0;
    q->known_documents = answer->documents;
    q->reported = MPI_Wtime();
    return answer->task;
}

static uint64_t ask(struct pd_queue *q, enum kind kind)
{
    struct pd_queue_reply answer;
    say(q, kind);
    MPI_Recv(&answer, sizeof answer, MPI_BYTE, 0, TAG_ANSWER, q->comm->mpi, MPI_STATUS_IGNORE);
    return heard(q, &answer);
}

void pd_queue_expect(struct pd_queue *q)
{
    if (q->comm->rank == 0 || q->expecting)
        return;
    q->expecting = true; /* replies come in the order of the requests */
    MPI_Irecv(&q->expected, sizeof q->expected, MPI_BYTE, 0, TAG_ANSWER, q->comm->mpi, &q->coming);
    say(q, TAKE);
}

static uint64_t take_expected(struct pd_queue *q)
{
    MPI_Wait(&q->coming, MPI_STATUS_IGNORE);
    q->expecting = false;
    return heard(q, &q->expected);
}

uint64_t pd_queue_take(struct pd_queue *q)
{
    if (q->comm->rank != 0)
        return q->expecting ? take_expected(q) : ask(q, TAKE);
    hear_all_waiting(q);
    q->known_documents = q->documents;
    return give(q);
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
        if (now - q->reported > report_every)
            ask(q, REPORT);
    } else if (now >= q->next_look) {
        hear_all_waiting(q);
        const double done = MPI_Wtime(), took = done - now;
        q->next_look = done + (took > look_every ? took : look_every);
    }
    return q->stopped;
}

void pd_queue_stop(struct pd_queue *q) { q->stopped = 1; }

void pd_queue_close(struct pd_queue *q)
{
    if (q->expecting) /* receive the reply, though its task is not wanted any more */
        take_expected(q);
    if (q->comm->rank != 0)
        say(q, GOODBYE);
    else
        while (q->goodbyes < q->comm->size - 1)
            hear_next(q);
}
