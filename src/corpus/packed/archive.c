/*
 * corpus/packed/archive.c - files of bzip2, xz and lz4; see unpack.h. The decoders are
 * libarchive's.
 *
 * libarchive's decoder for compress(1) refuses files without resets, and codes of 9 bits; lzw.c
 * does not.
 */
#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#include "pardup/base/error.h"
#include "unpack.h"

struct pd_unarchive {
    struct archive *archive; /* NULL: the next step begins a file */
    struct pd_input *in;
    size_t given; /* bytes at the input's position that libarchive has */
    int status;   /* of the input */
};

struct pd_unarchive *pd_unarchive_new(void) { return pd_zeroed(1, sizeof(struct pd_unarchive)); }

void pd_unarchive_reset(struct pd_unarchive *u)
{
    archive_read_free(u->archive);
    u->archive = NULL;
}

void pd_unarchive_free(struct pd_unarchive *u)
{
    if (u)
        pd_unarchive_reset(u);
    free(u);
}

static la_ssize_t give(struct archive *archive, void *ctx, const void **bytes)
{
    struct pd_unarchive *u = ctx;
    pd_input_take(u->in, u->given);
    u->given = 0;
    u->status = pd_input_fill(u->in, 1);
    if (u->status < 0) {
        archive_set_error(archive, -1, "the file cannot be read");
        return -1;
    }
    *bytes = u->in->v + u->in->pos;
    u->given = pd_input_left(u->in);
    return (la_ssize_t)u->given;
}

/* Begin the file. Returns a status of libarchive. */
static int begin(struct pd_unarchive *u, struct pd_input *in)
{
    struct archive_entry *entry;
    u->archive = archive_read_new();
    PD_CHECK(u->archive);
    u->in = in;
    u->given = 0;
    u->status = PD_OK;
    archive_read_support_filter_bzip2(u->archive);
    archive_read_support_filter_xz(u->archive);
    archive_read_support_filter_lz4(u->archive);
    archive_read_support_format_raw(u->archive);
    archive_read_support_format_empty(u->archive);
    const int status = archive_read_open(u->archive, u, NULL, give, NULL);
    return status == ARCHIVE_OK ? archive_read_next_header(u->archive, &entry) : status;
}

int pd_unarchive_step(struct pd_unarchive *u, struct pd_input *in, unsigned char *out, size_t *made,
                      struct pd_trouble *trouble)
{
    int status = u->archive ? ARCHIVE_OK : begin(u, in);
    *made = 0;
    while (status == ARCHIVE_OK && *made < PD_STEP) {
        const la_ssize_t n = archive_read_data(u->archive, out + *made, PD_STEP - *made);
        status = n > 0 ? ARCHIVE_OK : n < 0 ? (int)n : ARCHIVE_EOF;
        *made += n > 0 ? (size_t)n : 0;
    }
    if (u->status < 0)
        return u->status;
    if (status == ARCHIVE_OK)
        return PD_OK;
    pd_input_take(in, u->given);
    u->given = 0;
    if (status != ARCHIVE_EOF) {
        const char *why = archive_error_string(u->archive);
        const bool cut = why && (strstr(why, "runcated") || strstr(why, "end of file"));
        *trouble = cut ? (struct pd_trouble){PD_SKIP_TRUNCATED, "compressed data ends too early"}
                       : (struct pd_trouble){PD_SKIP_CORRUPT, "compressed data is corrupt"};
    }
    pd_unarchive_reset(u);
    return status == ARCHIVE_EOF ? PD_END : PD_EFORMAT;
}
