/*
 * app/cmd_changes.c - pardup changes: which pages of an archive changed from capture to capture.
 *
 * Each operand is a capture. Texts of pages lie in a file in scratch, one version of each page at a
 * time; some 100 bytes a page are in memory.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/hash_table.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/corpus/kept.h"
#include "pardup/document/word.h"
#include "pardup/passage/alignment.h"
#include "pardup/run/walk.h"
#include "print.h"
#include "temporary.h"

enum { DATE_MOST = 31 }; /* bytes */
enum status { EQUAL, CHANGED, NEW, GONE, STATUSES };
static const char *const status_names[STATUSES] = {"equal", "changed", "new", "gone"};

/* A page, as it was when it was seen last. */
struct page {
    size_t name, name_n; /* in names: its address, path or id */
    uint64_t hash;       /* of its text */
    uint64_t at, n;      /* its text in the file */
    size_t seen;         /* 1 plus the last capture that has it; GONE_FROM: it was gone */
};
PD_VEC(pages, struct page);
#define GONE_FROM 0
#define NO_TEXT   UINT64_MAX /* hash of a page that had revisits only */

struct changes {
    const struct pd_options *options;
    FILE *texts;
    uint64_t end; /* bytes of `texts` */
    struct pages pages;
    struct pd_hash_table by_name; /* hash of the name: index plus 1 in `pages` */
    struct pd_bytes names;

    /* The capture at hand. */
    size_t capture;
    const char *operand;
    char date[DATE_MOST + 1]; /* the latest of its records */
    uint64_t counts[STATUSES];
    uint64_t revisits, unknown; /* records; of pages that are new to all captures */

    /* Buffers. */
    struct pd_bytes text, before;
    struct pd_document documents[2];
    struct pd_u64s terms[2];
    struct pd_alignment alignment;
};

/* ---- rows ---- */

/* How many words a change has taken away, and how many it has brought. */
struct change {
    uint64_t words, gone, more;
};

static void print_row(const struct changes *c, const char *date, size_t date_n,
                      const struct page *p, enum status status, struct change change)
{
    pd_print_cell(stdout, date, date_n);
    printf("\t%s\t", status_names[status]);
    if (status == CHANGED)
        printf("%llu\t%llu\t%llu\t", pd_ull(change.words), pd_ull(change.gone),
               pd_ull(change.more));
    else
        printf("\t\t\t");
    pd_print_cell(stdout, (const char *)c->names.v + p->name, p->name_n);
    putchar('\n');
}

/* ---- texts ---- */

/* Set c->text to the text that is compared: with --frame aside only what is outside the frame. */
static void take_text(struct changes *c, const struct pd_document *d)
{
    size_t at = 0;
    c->text.n = 0;
    if (!d->has_main)
        pd_bytes_append(&c->text, d->text, d->text_n);
    for (size_t k = 0; d->has_main && k < d->sentences.n; k++) {
        const struct pd_sentence *s = &d->sentences.v[k];
        if (pd_document_in_frame(d, k, &at))
            continue;
        pd_bytes_append(&c->text, d->text + s->begin, s->end - s->begin);
        pd_bytes_append(&c->text, "\n", 1);
    }
}

/* Keep c->text as the text of a page. */
static int keep_text(struct changes *c, struct page *p)
{
    *p = (struct page){p->name, p->name_n, pd_hash_bytes(c->text.v, c->text.n),
                       c->end,  c->text.n, p->seen};
    c->end += c->text.n;
    if (fseeko(c->texts, (off_t)p->at, SEEK_SET) != 0 ||
        fwrite(c->text.v, 1, c->text.n, c->texts) != c->text.n)
        return pd_fail(PD_EIO, "texts of pages: %s", strerror(errno));
    return PD_OK;
}

/* The words of text[0, n) in documents[k]. */
static int cut(struct changes *c, int k, const unsigned char *text, size_t n,
               struct pd_spoken *spoken)
{
    struct pd_document *d = &c->documents[k];
    if (pd_document_cut(d, n ? text : (const unsigned char *)"", n) != PD_OK)
        return pd_fail(PD_EFORMAT, "%s: a text has too many words", c->operand);
    pd_u64s_reserve(&c->terms[k], d->words.n);
    for (size_t w = 0; w < d->words.n; w++)
        c->terms[k].v[w] = d->words.v[w].term;
    *spoken = (struct pd_spoken){c->terms[k].v, (uint32_t)d->words.n};
    return PD_OK;
}

/* Count the words of a page that changed to c->text. */
static int compare(struct changes *c, const struct page *p, struct change *change)
{
    struct pd_spoken before, after;
    pd_bytes_reserve(&c->before, p->n);
    if (fseeko(c->texts, (off_t)p->at, SEEK_SET) != 0 ||
        fread(c->before.v, 1, p->n, c->texts) != p->n)
        return pd_fail(PD_EIO, "texts of pages: %s", strerror(errno));
    PD_TRY(cut(c, 0, c->before.v, p->n, &before));
    PD_TRY(cut(c, 1, c->text.v, c->text.n, &after));
    const uint64_t matches = pd_align(&c->alignment, before, after);
    *change = (struct change){after.n, before.n - matches, after.n - matches};
    return PD_OK;
}

/* ---- pages ---- */

/* What a page is called: its address, or its path below the operand, or its id. */
static void name_of(const struct changes *c, const struct pd_raw *raw, const char **name, size_t *n)
{
    const size_t folder = strlen(c->operand);
    const bool by_url = c->options->print.by == PD_BY_URL;
    *name = by_url && raw->url_n ? raw->url : raw->id;
    *n = by_url && raw->url_n ? raw->url_n : raw->id_n;
    if (!by_url || raw->url_n || *n <= folder || memcmp(*name, c->operand, folder) != 0)
        return;
    *name += folder;
    *n -= folder;
    for (; *n > 1 && **name == '/'; --*n)
        ++*name;
}

/* The page of this name, which is added if no capture has had it. */
static struct page *find_page(struct changes *c, const char *name, size_t n)
{
    uint64_t *at = pd_hash_table_at(&c->by_name, pd_hash_bytes((const unsigned char *)name, n));
    if (!*at) {
        pages_push(&c->pages, (struct page){.name = c->names.n, .name_n = n});
        pd_bytes_append(&c->names, name, n);
        *at = c->pages.n;
    }
    return &c->pages.v[*at - 1];
}

/* The date of a record: that of its header, else none. The latest one is that of the capture. */
static void see_date(struct changes *c, const struct pd_raw *raw, const char **date, size_t *n)
{
    *date = raw->kept && raw->kept->v ? raw->kept->v : "";
    *n = raw->kept && raw->kept->v ? raw->kept->n : 0;
    *n = *n < DATE_MOST ? *n : DATE_MOST;
    if (*n && strncmp(c->date, *date, *n) < 0) {
        memcpy(c->date, *date, *n);
        c->date[*n] = '\0';
    }
}

/* Count the status of a page, once in a capture, and print it. The first capture has no rows. */
static void tell(struct changes *c, const struct pd_raw *raw, struct page *p, enum status status,
                 struct change change)
{
    const char *date;
    size_t n;
    see_date(c, raw, &date, &n);
    c->counts[status] += p->seen != c->capture + 1;
    p->seen = c->capture + 1;
    if (c->capture > 0)
        print_row(c, date, n, p, status, change);
}

/* A record that says that a page is unchanged. */
static void take_revisit(struct changes *c, const struct pd_raw *raw, struct page *p, bool known)
{
    c->revisits++;
    c->unknown += !known;
    if (!known)
        p->hash = NO_TEXT;
    tell(c, raw, p, EQUAL, (struct change){0, 0, 0});
}

static int visit(void *ctx, const struct pd_raw *raw, const struct pd_document *d, pd_doc number)
{
    struct changes *c = ctx;
    const char *name;
    size_t n;
    struct change change = {0, 0, 0};
    (void)number;
    name_of(c, raw, &name, &n);
    struct page *p = find_page(c, name, n);
    const bool known = p->seen != GONE_FROM;
    if (raw->revisit) {
        take_revisit(c, raw, p, known);
        return ferror(stdout) ? PD_END : PD_OK;
    }
    take_text(c, d);
    enum status status = known && p->hash != NO_TEXT ? EQUAL : NEW;
    if (status == EQUAL && pd_hash_bytes(c->text.v, c->text.n) != p->hash) {
        PD_TRY(compare(c, p, &change));
        status = change.gone + change.more ? CHANGED : EQUAL;
    }
    if (status != EQUAL)
        PD_TRY(keep_text(c, p));
    tell(c, raw, p, status, change);
    return ferror(stdout) ? PD_END : PD_OK;
}

/* Print the pages that the capture lacks, and what it has. */
static void end_capture(struct changes *c)
{
    const char *date = *c->date ? c->date : c->operand;
    for (size_t k = 0; k < c->pages.n; k++) {
        struct page *p = &c->pages.v[k];
        if (p->seen == GONE_FROM || p->seen == c->capture + 1)
            continue;
        p->seen = GONE_FROM;
        c->counts[GONE]++;
        print_row(c, c->date, strlen(c->date), p, GONE, (struct change){0, 0, 0});
    }
    const uint64_t all = c->counts[EQUAL] + c->counts[CHANGED] + c->counts[NEW];
    char revisits[128] = "", unknown[64] = "";
    if (c->unknown)
        snprintf(unknown, sizeof unknown, ", %s of pages not seen before", pd_grouped(c->unknown));
    if (c->revisits)
        snprintf(revisits, sizeof revisits, " (%s revisit%s%s)", pd_grouped(c->revisits),
                 pd_plural(c->revisits), unknown);
    if (c->capture == 0)
        pd_log(PD_LOG_INFO, "%s: %s page%s%s", date, pd_grouped(all), pd_plural(all), revisits);
    else
        pd_log(PD_LOG_INFO, "%s: %s page%s: %s equal%s, %s changed, %s new, %s gone", date,
               pd_grouped(all), pd_plural(all), pd_grouped(c->counts[EQUAL]), revisits,
               pd_grouped(c->counts[CHANGED]), pd_grouped(c->counts[NEW]),
               pd_grouped(c->counts[GONE]));
}

/* Go through the pages of a capture. */
static int go_through(struct changes *c, size_t capture)
{
    struct pd_options one = *c->options;
    one.operands = (struct pd_texts){&c->options->operands.v[capture], 1};
    one.input.revisits = true;
    c->capture = capture;
    c->operand = c->options->operands.v[capture];
    c->date[0] = '\0';
    c->revisits = c->unknown = 0;
    memset(c->counts, 0, sizeof c->counts);
    PD_TRY(pd_walk(&one, visit, c));
    end_capture(c);
    return PD_OK;
}

static void release(struct changes *c)
{
    if (c->texts)
        fclose(c->texts);
    pages_release(&c->pages);
    pd_hash_table_release(&c->by_name);
    PD_RELEASE(pd_bytes, &c->names, &c->text, &c->before);
    for (int k = 0; k < 2; k++) {
        pd_document_release(&c->documents[k]);
        pd_u64s_release(&c->terms[k]);
    }
    pd_alignment_release(&c->alignment);
}

static int run(const struct pd_options *o)
{
    struct changes c = {.options = o, .alignment = PD_ALIGNMENT};
    char folder[PATH_MAX], path[PATH_MAX];
    PD_TRY(pd_temporary_make(o, folder));
    snprintf(path, sizeof path, "%.*s/texts", PATH_MAX - PD_TEMPORARY_ROOM, folder);
    c.texts = fopen(path, "w+b");
    int status = c.texts ? PD_OK : pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    pd_temporary_remove(folder); /* the file stays until it is closed */
    for (int k = 0; k < 2; k++)
        c.documents[k] = pd_document_as(&o->input);
    puts("date\tstatus\twords\twords_gone\twords_new\tpage");
    for (size_t k = 0; k < o->operands.n && status >= 0; k++)
        status = go_through(&c, k);
    PD_THEN(status, pd_stdout_done());
    release(&c);
    return status;
}

static int settle(struct pd_options *o)
{
    return o->operands.n >= 2 ? PD_OK
                              : pd_fail(PD_EUSAGE, "expected two captures or more, oldest first: "
                                                   "archives or folders");
}

const struct pd_command pd_command_changes = {
    .name = "changes",
    .usage = "[options] OLDER NEWER...",
    .help = "tell which pages changed from capture to capture",
    .brief = "frame content by format url-field",
    .example = "pardup changes monday.warc.gz tuesday.warc.gz",
    .operands = PD_OPERANDS_INPUTS,
    .settle = settle,
    .alone = run,
};
