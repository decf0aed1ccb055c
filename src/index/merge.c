/* index/merge.c - see include/pardup/index/merge.h */
#include "pardup/index/merge.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/record.h"

PD_VEC(places, struct pd_place);

/* The names of one segment, read in order. */
struct stream {
    struct pd_names_cursor cursor;
    pd_sig sig; /* of `place`, the next entry */
    struct pd_place place;
    bool ended;
    uint64_t set;          /* sets: the next one */
    struct pd_kept_set at; /* its place, if there is one */
};

struct merger {
    const struct pd_merging *how;
    struct pd_segment_writer *writer;
    struct stream *streams;
    uint64_t name_bits; /* the least of the segments */
    struct places class
        ; /* what is kept of the class at hand, but for its place as a common class */
    struct pd_u64s signatures; /* of the class at hand, from the segment that came first */
};

size_t pd_segments_to_merge(const uint64_t *documents, size_t n)
{
    size_t take = 1;
    uint64_t sum = n ? documents[n - 1] : 0;
    while (take < n && documents[n - 1 - take] <= 2 * sum)
        sum += documents[n - 1 - take++];
    return take;
}

/* ---- documents ---- */

static int merge_documents(struct merger *m)
{
    struct pd_bytes id = {0};
    uint64_t files = 0;
    int status = PD_OK;
    for (size_t x = 0; x < m->how->n && status >= 0; x++) {
        const struct pd_segment *s = &m->how->segments[x];
        for (uint64_t k = 0; k < s->counts.documents && status >= 0; k++) {
            struct pd_indexed doc;
            status = pd_segment_kept(s, s->base + k, &doc);
            if (status < 0)
                break;
            id.n = 0;
            pd_indexed_id(&doc, &id);
            doc.before_n = 0;
            doc.id = (const char *)id.v;
            doc.id_n = id.n;
            doc.file += files;
            status = pd_segment_add_document(m->writer, &doc);
        }
        files += s->counts.files;
    }
    pd_bytes_release(&id);
    return status;
}

static int merge_files(struct merger *m)
{
    struct pd_bytes path = {0};
    uint64_t bytes = 0;
    int status = PD_OK;
    for (size_t x = 0; x < m->how->n; x++) {
        const struct pd_segment *s = &m->how->segments[x];
        for (uint64_t file = 0; status >= 0 && file < s->counts.files; file++) {
            status = pd_segment_file(s, file, &path, &bytes);
            PD_THEN(status, pd_segment_add_file(m->writer, (const char *)path.v, bytes));
        }
    }
    pd_bytes_release(&path);
    return status;
}

/* ---- names that were set aside ---- */

/*
 * The least name at the places in the segments, from which its places are moved on. *any: there is
 * one.
 */
static int next_aside(struct merger *m, uint64_t *places, bool *any, uint64_t *name)
{
    uint64_t at = 0;
    *any = false;
    for (size_t x = 0; x < m->how->n; x++) {
        if (places[x] == pd_segment_asides(&m->how->segments[x]))
            continue;
        PD_TRY(pd_segment_aside(&m->how->segments[x], places[x], &at));
        *name = *any && *name < at ? *name : at;
        *any = true;
    }
    for (size_t x = 0; *any && x < m->how->n; x++) {
        if (places[x] == pd_segment_asides(&m->how->segments[x]))
            continue;
        PD_TRY(pd_segment_aside(&m->how->segments[x], places[x], &at));
        places[x] += at == *name;
    }
    return PD_OK;
}

/* Each name once, in order. */
static int merge_asides(struct merger *m)
{
    uint64_t *places = pd_realloc(NULL, m->how->n, sizeof *places), name = 0;
    bool any = true;
    int status = PD_OK;
    memset(places, 0, m->how->n * sizeof *places);
    while (status >= 0 && (status = next_aside(m, places, &any, &name)) >= 0 && any)
        status = pd_segment_add_aside(m->writer, name);
    free(places);
    return status;
}

/* ---- names ---- */

/* Bring the next set of a segment to hand. */
static int step_set(struct stream *s)
{
    const struct pd_segment *segment = s->cursor.segment;
    s->at = (struct pd_kept_set){.name = UINT64_MAX};
    return s->set < segment->counts.sets ? pd_sets_at(segment, s->set++, &s->at) : PD_OK;
}

/*
 * If the next entry begins a class that has a set, take the set, unless an earlier segment has it.
 */
static int take_set(struct merger *m, struct stream *s)
{
    if (!s->cursor.segment->counts.with_sets || s->at.name != s->cursor.names - 1)
        return PD_OK;
    if (m->signatures.n == 0)
        PD_TRY(pd_sets_signatures(s->cursor.segment, &s->at, &m->signatures));
    return step_set(s);
}

static int step(const struct merger *m, struct stream *s)
{
    const int status = pd_segment_next(&s->cursor, &s->sig, &s->place);
    s->sig = pd_segment_name_of(s->sig, m->name_bits);
    s->ended = status == PD_END;
    return status < 0 ? status : PD_OK;
}

/* The least name that comes next. False: there is none. */
static bool next_name(const struct merger *m, pd_sig *sig)
{
    bool any = false;
    for (size_t x = 0; x < m->how->n; x++)
        if (!m->streams[x].ended && (!any || m->streams[x].sig < *sig)) {
            *sig = m->streams[x].sig;
            any = true;
        }
    return any;
}

/* Take the class from one segment. *df grows by its documents there, or by its places. */
static int take_class(struct merger *m, struct stream *s, pd_sig sig, uint64_t *df)
{
    uint64_t documents = 0, common = 0;
    pd_doc last = UINT64_MAX;
    if (!s->ended && s->sig == sig)
        PD_TRY(take_set(m, s));
    while (!s->ended && s->sig == sig) {
        if (s->place.kind == PD_PLACE_COMMON) {
            common = s->place.df;
        } else {
            documents += m->how->count_times || s->place.doc != last;
            last = s->place.doc;
            places_push(&m->class, s->place);
        }
        PD_TRY(step(m, s));
    }
    *df += common ? common : documents;
    return PD_OK;
}

static int write_class(struct merger *m, pd_sig sig, uint64_t df)
{
    const bool common = pd_is_common(df, m->how->max_df);
    const pd_doc first = m->class.n ? m->class.v[0].doc : 0;
    for (size_t k = 0; k < m->class.n; k++) {
        const struct pd_place *p = &m->class.v[k];
        if (common && (!m->how->keep_first || p->doc != first))
            break;
        PD_TRY(pd_segment_add_name(m->writer, sig, p->doc - m->how->segments[0].base,
                                   p->kind == PD_PLACE_WHOLE ? PD_SEGMENT_WHOLE : p->unit));
    }
    if (!common && m->class.n && m->signatures.n)
        PD_TRY(pd_segment_add_set(m->writer, df, m->signatures.v, m->signatures.n));
    return common ? pd_segment_add_common(m->writer, sig, df) : PD_OK;
}

static int merge_names(struct merger *m)
{
    uint64_t most = 0;
    pd_sig sig = 0;
    for (size_t x = 0; x < m->how->n; x++) {
        m->streams[x] = (struct stream){.cursor = {.segment = &m->how->segments[x]}};
        PD_TRY(step(m, &m->streams[x]));
        PD_TRY(step_set(&m->streams[x]));
        most += m->how->segments[x].counts.entries;
    }
    PD_TRY(pd_segment_names(m->writer, most));
    while (next_name(m, &sig)) {
        uint64_t df = 0;
        m->class.n = m->signatures.n = 0;
        for (size_t x = 0; x < m->how->n; x++)
            PD_TRY(take_class(m, &m->streams[x], sig, &df));
        PD_TRY(write_class(m, sig, df));
    }
    return PD_OK;
}

/* Do all segments have what the merged one will have? */
static int compare_kinds(const struct pd_merging *how)
{
    const uint64_t with_text = how->segments[0].counts.with_text, with_sets = how->sets != NULL;
    for (size_t x = 0; x < how->n; x++)
        if (how->segments[x].counts.with_text != with_text ||
            how->segments[x].counts.with_sets != with_sets)
            return pd_fail(PD_EFORMAT, "%s: has other tables than the index; make the index again",
                           how->segments[x].file.path);
    return PD_OK;
}

int pd_segments_merge(const struct pd_merging *how, const char *path,
                      struct pd_segment_counts *counts, uint64_t *checksum)
{
    struct pd_segment_making tables = how->tables;
    PD_TRY(compare_kinds(how));
    tables.name_bits = PD_SEGMENT_NAME;
    for (size_t x = 0; x < how->n; x++)
        tables.name_bits = pd_min_u64(tables.name_bits, how->segments[x].counts.name_bits);
    struct merger m = {.how = how, .name_bits = tables.name_bits};
    m.writer = pd_segment_create(path, how->segments[0].counts.with_text, &tables);
    if (!m.writer)
        return PD_EIO;
    if (how->sets)
        pd_segment_keep_sets(m.writer, how->sets);
    m.streams = pd_realloc(NULL, how->n, sizeof *m.streams);
    int status = merge_documents(&m);
    PD_THEN(status, merge_files(&m));
    PD_THEN(status, merge_asides(&m));
    PD_THEN(status, merge_names(&m));
    if (status >= 0)
        status = pd_segment_finish(m.writer, counts, checksum);
    else
        pd_segment_abandon(m.writer);
    free(m.streams);
    places_release(&m.class);
    pd_u64s_release(&m.signatures);
    return status;
}
