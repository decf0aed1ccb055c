/* run/job/index/parts.c - what the parts of an index take: see src/run/job/index/sources.h */
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/index/index.h"
#include "sources.h"

enum { SECTIONS = 6, PARTS = 5 };

/* The sections of each part of a segment, as index/segment.h describes them. */
static const struct {
    const char *what, *sections[SECTIONS];
} parts[PARTS] = {{"names", {"names", "buckets", "spans", "heads", "firsts"}},
                  {"places of names", {"places", "many", "many_starts", "common"}},
                  {"documents", {"documents", "starts", "units", "hosts", "files", "file_starts"}},
                  {"sets", {"keys", "sets", "lists", "set_starts", "list_starts"}},
                  {"templates", {"asides"}}};

static void tell(const char *what, uint64_t bytes, uint64_t all)
{
    if (bytes)
        pd_log(PD_LOG_INFO, "  %-16s %16llu  (bytes, %.1f %%)", what, pd_ull(bytes),
               100 * (double)bytes / (double)all);
}

void pd_index_tell_parts(const char *dir)
{
    struct pd_index index = {.nsegments = 0};
    uint64_t bytes[PARTS] = {0}, all = 0, named = 0;
    if (pd_index_open(&index, dir) < 0)
        pd_error_clear(); /* another job may have taken its place; then nothing is told */
    for (size_t x = 0; x < index.nsegments; x++) {
        const struct pd_sections *file = &index.segments[x].file;
        all += file->map.n;
        for (size_t k = 0; k < PARTS * SECTIONS; k++) {
            const char *name = parts[k / SECTIONS].sections[k % SECTIONS];
            bytes[k / SECTIONS] += name ? pd_sections_bytes(file, name) : 0;
        }
    }
    for (size_t k = 0; k < PARTS; k++) {
        tell(parts[k].what, bytes[k], all);
        named += bytes[k];
    }
    tell("checksums", all - named, all);
    pd_index_close(&index);
}
