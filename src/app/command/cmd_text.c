/* app/command/cmd_text.c - pardup text: the cleaned text, byte for byte what offsets count. */
#include <stdio.h>

#include "app/commands.h"
#include "app/print.h"
#include "pardup/base/error.h"
#include "pardup/run/leave_out.h"
#include "pardup/run/walk.h"

/*
 * A single document is printed without a header. The first document waits until it is known whether
 * there is a second.
 */
struct printing {
    struct pd_bytes id;           /* id of the first document */
    struct pd_bytes text;         /* text of the first document */
    uint64_t documents;           /* documents visited so far */
    struct pd_leave_out left_out; /* units that are not printed */
    struct pd_bytes rest;         /* scratch: a text without the units that are left out */
};

static void print_with_header(const char *id, size_t id_n, const unsigned char *text, size_t n)
{
    fputs("==> ", stdout);
    pd_print_plain(id, id_n);
    fputs(" <==\n", stdout);
    pd_print_text((const char *)text, n);
    if (n && text[n - 1] != '\n')
        putchar('\n');
    putchar('\n');
}

/* Set p->rest to the text of a document without what is left out: units with the gap behind them. */
static int leave_out(struct printing *p, const struct pd_document *d, pd_doc number)
{
    uint32_t from = 0;
    p->rest.n = 0;
    PD_TRY(pd_leave_out_load(&p->left_out, number));
    for (size_t k = 0; k < d->sentences.n; k++) {
        if (!pd_leave_out_has(&p->left_out, d, k))
            continue;
        const uint32_t begin = d->sentences.v[k].begin;
        pd_bytes_append(&p->rest, d->text + from, begin - from);
        from = k + 1 < d->sentences.n ? d->sentences.v[k + 1].begin : (uint32_t)d->text_n;
    }
    pd_bytes_append(&p->rest, d->text + from, d->text_n - from);
    return PD_OK;
}

static int print_text(void *ctx, const struct pd_raw *raw, const struct pd_document *doc,
                      pd_doc number)
{
    struct printing *p = ctx;
    const struct pd_bytes *text = &p->rest;
    PD_TRY(leave_out(p, doc, number));
    if (p->documents++ == 0) {
        pd_bytes_append(&p->id, raw->id, raw->id_n);
        pd_bytes_append(&p->text, text->v, text->n);
        return PD_OK;
    }
    if (p->documents == 2)
        print_with_header((const char *)p->id.v, p->id.n, p->text.v, p->text.n);
    print_with_header(raw->id, raw->id_n, text->v, text->n);
    return ferror(stdout) ? PD_END : PD_OK;
}

static int run(const struct pd_options *o)
{
    struct printing p = {.documents = 0};
    int status = pd_leave_out_find(o, &p.left_out);
    PD_THEN(status, pd_walk(o, print_text, &p));
    if (p.documents == 1)
        pd_print_text((const char *)p.text.v, p.text.n);
    PD_THEN(status, pd_stdout_done());
    PD_RELEASE(pd_bytes, &p.id, &p.text, &p.rest);
    pd_leave_out_release(&p.left_out);
    return status;
}

const struct pd_command pd_command_text = {
    .name = "text",
    .usage = "[options] INPUT...",
    .help = "print the cleaned text, as every other command sees it",
    .brief = "files-from docs-from format id-field text-field content limit-docs strict doc",
    .example = "pardup text --doc page-7 pages.warc.gz",
    .operands = PD_OPERANDS_INPUTS,
    .alone = run,
};
