#include "bench.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "pardup/base/error.h"
#include "pardup/corpus/reader.h"

double bench_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_print(const char *name, const char *unit, double amount, double *seconds, uint64_t found)
{
    qsort(seconds, BENCH_REPEATS, sizeof *seconds, by_value);
    printf("%-16s %-14s %9.1f %9.1f   of %.1f M, found %llu\n", name, unit,
           amount / 1e6 / seconds[0], amount / 1e6 / seconds[BENCH_REPEATS / 2], amount / 1e6,
           (unsigned long long)found);
}

void bench_repeat(const char *name, const char *unit, double amount, bench_round *round, void *ctx)
{
    double seconds[BENCH_REPEATS];
    uint64_t found = 0;
    for (int r = 0; r < BENCH_REPEATS; r++) {
        double pause = 0;
        const double start = bench_seconds();
        found = round(ctx, &pause);
        seconds[r] = bench_seconds() - start - pause;
    }
    bench_print(name, unit, amount, seconds, found);
}

uint64_t bench_text_of(struct pd_document *d, const struct bench_page *page)
{
    enum pd_skip why;
    if (pd_document_read(d, &page->raw, &why) != PD_OK)
        d->text_n = 0;
    return 1;
}

static void keep(struct bench_pages *pages, const struct pd_raw *raw, const unsigned char *body,
                 size_t n)
{
    struct bench_page page = {.raw = {.media = raw->media, .n = n}};
    struct pd_bytes copy = {0}, label = {0};
    pd_bytes_append(&copy, body, n);
    pd_bytes_append(&label, raw->charset, raw->charset_n);
    page.raw.body = copy.v ? copy.v : (const unsigned char *)"";
    page.raw.charset = (const char *)label.v;
    page.raw.charset_n = label.n;
    bench_pages_push(pages, page);
}

static int load(struct bench_pages *pages, const char *path, bench_step *prepare)
{
    const struct pd_reader_options options = {0};
    struct pd_file file = {.path = (char *)path};
    struct stat st;
    if (stat(path, &st) != 0)
        return pd_fail(PD_EIO, "%s: cannot be read", path);
    file.bytes = (uint64_t)st.st_size;
    const struct pd_piece all = {.nstripes = 1, .to = file.bytes};
    struct pd_reader *reader = pd_reader_new(&options);
    struct pd_document d = {0};
    struct pd_raw raw;
    int status = pd_reader_open(reader, &file, &all);
    while (status == PD_OK && (status = pd_reader_next(reader, &raw)) == PD_OK) {
        const struct bench_page page = {raw};
        if (prepare)
            prepare(&d, &page);
        keep(pages, &raw, prepare ? d.text : raw.body, prepare ? d.text_n : raw.n);
    }
    pd_document_release(&d);
    pd_reader_free(reader);
    return status < 0 ? status : PD_OK;
}

void bench_load(struct bench_pages *pages, int argc, char **argv, bench_step *prepare)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE...   archives or pages, as pardup reads them\n", argv[0]);
        exit(2);
    }
    for (int k = 1; k < argc; k++)
        if (load(pages, argv[k], prepare) < 0) {
            fprintf(stderr, "%s\n", pd_error_text());
            exit(1);
        }
}

void bench_unload(struct bench_pages *pages)
{
    for (size_t k = 0; k < pages->n; k++) {
        if (pages->v[k].raw.n > 0)
            free((void *)(uintptr_t)pages->v[k].raw.body);
        free((void *)(uintptr_t)pages->v[k].raw.charset);
    }
    bench_pages_release(pages);
}

double bench_bytes(const struct bench_pages *pages)
{
    double bytes = 0;
    for (size_t k = 0; k < pages->n; k++)
        bytes += (double)pages->v[k].raw.n;
    return bytes;
}

struct stepping {
    struct bench_pages pages;
    struct pd_document document;
    bench_step *step;
};

static uint64_t all_pages(void *ctx, double *pause)
{
    struct stepping *s = ctx;
    uint64_t found = 0;
    (void)pause;
    for (size_t k = 0; k < s->pages.n; k++)
        found += s->step(&s->document, &s->pages.v[k]);
    return found;
}

int bench_main(int argc, char **argv, const char *name, bench_step *prepare, bench_step *step)
{
    struct stepping s = {.step = step};
    bench_load(&s.pages, argc, argv, prepare);
    bench_repeat(name, "MB/s", bench_bytes(&s.pages), all_pages, &s);
    bench_unload(&s.pages);
    pd_document_release(&s.document);
    return 0;
}
