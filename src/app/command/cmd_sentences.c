/* app/command/cmd_sentences.c - pardup sentences: JSON lines, one a sentence. */
#include <stdio.h>

#include "app/commands.h"
#include "app/print.h"
#include "pardup/base/error.h"
#include "pardup/run/leave_out.h"
#include "pardup/run/walk.h"

struct printing {
    const struct pd_options *options;
    struct pd_leave_out left_out; /* units that are not printed */
};

static void print_words(const struct pd_document *d, const struct pd_sentence *s)
{
    for (uint32_t w = 0; w < s->nwords; w++) {
        const struct pd_word *word = &d->words.v[s->word + w];
        if (w)
            putchar(',');
        pd_print_json((const char *)d->norm.v + word->norm, word->norm_n);
    }
}

static void print_spans(const struct pd_document *d, const struct pd_sentence *s)
{
    for (uint32_t w = 0; w < s->nwords; w++)
        printf("%s[%u,%u]", w ? "," : "", d->words.v[s->word + w].begin,
               d->words.v[s->word + w].end);
}

static int print_sentences(void *ctx, const struct pd_raw *raw, const struct pd_document *d,
                           pd_doc number)
{
    struct printing *p = ctx;
    PD_TRY(pd_leave_out_load(&p->left_out, number));
    for (size_t k = 0; k < d->sentences.n; k++) {
        const struct pd_sentence *s = &d->sentences.v[k];
        if (pd_leave_out_has(&p->left_out, d, k))
            continue;
        fputs("{\"doc\":", stdout);
        pd_print_json(raw->id, raw->id_n);
        printf(",\"sentence\":%zu,\"begin\":%u,\"end\":%u,\"words\":[", k, s->begin, s->end);
        print_words(d, s);
        if (p->options->print.offsets) {
            fputs("],\"spans\":[", stdout);
            print_spans(d, s);
            printf("],\"row\":%llu}\n", (unsigned long long)number);
        } else {
            puts("]}");
        }
    }
    return ferror(stdout) ? PD_END : PD_OK;
}

static int run(const struct pd_options *o)
{
    struct printing p = {.options = o};
    int status = pd_leave_out_find(o, &p.left_out);
    PD_THEN(status, pd_walk(o, print_sentences, &p));
    pd_leave_out_release(&p.left_out);
    return status < 0 ? status : pd_stdout_done();
}

const struct pd_command pd_command_sentences = {
    .name = "sentences",
    .usage = "[options] INPUT...",
    .help = "print sentences and words as JSON lines",
    .brief = "files-from docs-from format id-field text-field content limit-docs strict doc "
             "offsets",
    .example = "pardup sentences --doc page-7 pages.warc.gz",
    .operands = PD_OPERANDS_INPUTS,
    .alone = run,
};
