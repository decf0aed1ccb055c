/* run/scratch/manifest.c - see src/run/scratch/manifest.h */
#include "manifest.h"

#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/store/commit.h"

enum { SUM_LINE = 4 + 16 + 1 }; /* "sum ", 16 digits, a newline */

static void print_sum(const struct pd_scratch *s, const char *name, const struct pd_bytes *text,
                      char line[SUM_LINE + 1])
{
    const uint64_t place = pd_mix(pd_hash_bytes(name, strlen(name)) ^ s->job);
    snprintf(line, SUM_LINE + 1, "sum %016llx\n",
             (unsigned long long)(pd_hash_bytes(text->v, text->n) ^ place));
}

int pd_manifest_write(struct pd_scratch *s, const char *name, const struct pd_bytes *text)
{
    char line[SUM_LINE + 1];
    struct pd_new_file n;
    PD_TRY(pd_new_file_open(&n, NULL, pd_printed("%s", pd_scratch_file(s, name))));
    print_sum(s, name, text, line);
    fwrite(text->v, 1, text->n, n.f);
    fputs(line, n.f);
    return pd_new_file_close(&n, PD_OK);
}

static void read_whole(FILE *f, struct pd_bytes *text)
{
    char part[1 << 14];
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        pd_bytes_append(text, part, n);
    fclose(f);
}

/*
 * Check the checksum and remove it. A manifest without text, or with a wrong checksum, is damaged
 * or belongs elsewhere, and becomes empty.
 */
static void check_sum(struct pd_scratch *s, const char *name, struct pd_bytes *text)
{
    char line[SUM_LINE + 1];
    const size_t n = text->n;
    text->n = n > SUM_LINE ? n - SUM_LINE : 0;
    if (text->n)
        print_sum(s, name, text, line);
    if (!text->n || memcmp(text->v + text->n, line, SUM_LINE) != 0) {
        pd_log(PD_LOG_WARN, "%s: damaged; its stage is done again", s->path);
        text->n = 0;
    }
}

bool pd_manifest_read(struct pd_scratch *s, const char *name, struct pd_bytes *text)
{
    text->n = 0;
    if (s->comm->rank == 0) {
        FILE *f = fopen(pd_scratch_file(s, name), "rb");
        if (f) {
            read_whole(f, text);
            check_sum(s, name, text);
        }
    }
    pd_comm_share(s->comm, text);
    pd_bytes_reserve(text, text->n + 1);
    text->v[text->n] = '\0';
    return text->n > 0;
}

char *pd_manifest_line(struct pd_bytes *text, size_t *at)
{
    if (*at >= text->n)
        return NULL;
    char *line = (char *)text->v + *at, *end = memchr(line, '\n', text->n - *at);
    *at = end ? (size_t)(end + 1 - (char *)text->v) : text->n;
    if (end)
        *end = '\0';
    return line;
}
