/*
 * tests/fuzz/fuzz_splice.c - records that are written again without some sentences, as dedup does: a
 * record whose text stands in it as it is has the text that is left, when it is read again.
 */
#include "fuzz.h"
#include "pardup/corpus/reader.h"
#include "pardup/corpus/splice.h"
#include "pardup/document/document.h"

static void silent(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip, const char *detail)
{
    (void)ctx, (void)why, (void)offset, (void)skip, (void)detail;
}

/* Read the first document of a file of n bytes, by the paths that fuzz_file() and again() give. */
static bool first(struct pd_reader *r, char *path, size_t n, struct pd_raw *raw,
                  struct pd_document *d)
{
    static struct pd_file file;
    const struct pd_piece whole = {.nstripes = 1, .to = n};
    enum pd_skip why;
    file = (struct pd_file){path, n, 0};
    return pd_reader_open(r, &file, &whole) == PD_OK && pd_reader_next(r, raw) == PD_OK &&
           pd_document_read(d, raw, &why) == PD_OK;
}

/* A second file in memory: the first one is still open. */
static char *write_again(const struct pd_bytes *v)
{
    static char path[32];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("again", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    PD_CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, v->v, v->n, 0) == (ssize_t)v->n);
    return path;
}

/* The sentences whose bit is set go, each to the begin of the next. */
static void choose(const struct pd_document *d, unsigned bits, struct pd_cuts *cuts)
{
    for (size_t k = 0; k < d->sentences.n; k++) {
        const struct pd_sentence *s = &d->sentences.v[k];
        const uint32_t end = k + 1 < d->sentences.n ? s[1].begin : s->end;
        if (!(bits >> k % 8 & 1))
            continue;
        if (cuts->n && cuts->v[cuts->n - 1].end == s->begin)
            cuts->v[cuts->n - 1].end = end;
        else
            pd_cuts_push(cuts, (struct pd_cut){s->begin, end});
    }
}

/* Control characters may be cleaned again when the record is read again. */
static bool is_plain(const struct pd_bytes *v)
{
    for (size_t k = 0; k < v->n; k++)
        if (v->v[k] < ' ' && !strchr("\n\r\t", v->v[k]))
            return false;
    return v->n > 0;
}

static void try_record(const unsigned char *data, size_t n, const struct pd_raw *raw,
                       const struct pd_trimmed *t, struct pd_reader *r)
{
    struct pd_bytes left = {0}, to = {0}, file = {0};
    struct pd_document d = {0};
    struct pd_raw again;
    bool exact = true;
    pd_cut_text(t, &left);
    if (is_plain(&left) && pd_splice(raw, "text", t, &to, &exact) == PD_OK) {
        const bool row = raw->kind == PD_RECORD_CSV;
        const unsigned char *head = row ? memmem(data, n, raw->record, raw->record_n) : data;
        if (row && head)
            pd_bytes_append(&file, data, (size_t)(head - data)); /* the names of the columns */
        pd_bytes_append(&file, to.v, to.n);
        if (head && exact && (row || raw->kind == PD_RECORD_JSON))
            PD_CHECK(first(r, write_again(&file), file.n, &again, &d) && d.text_n == left.n &&
                     memcmp(d.text, left.v, left.n) == 0);
    }
    pd_document_release(&d);
    pd_bytes_release(&left);
    pd_bytes_release(&to);
    pd_bytes_release(&file);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    static const enum pd_format formats[] = {PD_FORMAT_JSONL, PD_FORMAT_CSV,  PD_FORMAT_WARC,
                                             PD_FORMAT_MAIL,  PD_FORMAT_TEXT, PD_FORMAT_AUTO};
    unsigned char how[2];
    char path[32];
    fuzz_settings(data, &n, how, sizeof how);
    const struct pd_reader_options o = {.format = formats[how[0] % 6], .skipped = silent};
    struct pd_reader *readers[] = {pd_reader_new(&o), pd_reader_new(&o)};
    struct pd_document d = {0};
    struct pd_cuts cuts = {0};
    struct pd_raw raw;
    snprintf(path, sizeof path, "%s", fuzz_file(data, n));
    if (n > 0 && first(readers[0], path, n, &raw, &d) && d.sentences.n > 1 &&
        raw.kind != PD_RECORD_OTHER) {
        choose(&d, how[1], &cuts);
        if (cuts.n)
            try_record(data, n, &raw, &(struct pd_trimmed){d.text, d.text_n, &cuts}, readers[1]);
    }
    pd_error_clear();
    pd_reader_free(readers[0]);
    pd_reader_free(readers[1]);
    pd_document_release(&d);
    pd_cuts_release(&cuts);
    return 0;
}
