/* run/stage/collection/walk.c - see include/pardup/run/walk.h */
#include "pardup/run/walk.h"

#include "collection.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "unread.h"

struct walking {
    const struct pd_options *options;
    const struct pd_files *files;
    const struct pd_file *file;
    pd_visitor *visit;
    void *ctx;
    pd_doc number;           /* number of the next document */
    uint64_t visited;        /* documents visited */
    struct pd_wanted wanted; /* the documents that --docs-from names */
    struct pd_names doc;     /* the name of --doc */
    struct pd_given asked;   /* what it means */
    uint64_t *found;         /* per id of `wanted`: documents that have it */
    uint64_t unlisted;       /* documents that --docs-from does not name */
    struct pd_unread unread; /* files that were not read at all */
    int status;              /* under --strict: the failure that on_skip found */
};

static void on_skip(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip, const char *detail)
{
    struct walking *w = ctx;
    const unsigned long long at = offset + skip;
    if (why == PD_SKIP_NO_TEXT) /* nothing is wrong with it */
        return;
    if (why == PD_SKIP_UNKNOWN)
        pd_unread_push(&w->unread, (uint64_t)(w->file - w->files->v));
    if (!w->options->input.strict || why == PD_SKIP_DOUBTFUL)
        pd_log(PD_LOG_WARN, "%s: byte %llu: %s; %s (%s)", w->file->path, at, detail,
               pd_unread_fate(why), pd_skip_name(why));
    else if (w->status >= 0)
        w->status = pd_fail(PD_EFORMAT, "%s: byte %llu: %s (%s)", w->file->path, at, detail,
                            pd_skip_name(why));
}

/* Is it the document of --doc, if there is this option? */
static bool is_asked(const struct walking *w, const struct pd_raw *raw)
{
    return !w->options->print.doc || pd_given_find_page(&w->asked, raw->id, raw->id_n, raw->url,
                                                        raw->url_n, UINT64_MAX) != UINT64_MAX;
}

/* Look which file --doc names, if it names one. */
static void see_asked(struct walking *w)
{
    const char *doc = w->options->print.doc;
    if (doc)
        pd_names_put(&w->doc, doc, strlen(doc), 0);
    pd_given_files(&w->asked, &w->doc, w->files);
}

/* Visit a document if it is wanted. PD_OK; PD_END: no more are wanted; what the visitor fails with. */
static int take(struct walking *w, const struct pd_raw *raw, struct pd_document *doc)
{
    const struct pd_options *o = w->options;
    enum pd_skip why;
    if (o->input.limit_docs && w->number >= (pd_doc)o->input.limit_docs)
        return PD_END;
    if (!pd_wanted_has(&w->wanted, raw)) {
        w->unlisted++;
        return PD_OK;
    }
    if (pd_document_read(doc, raw, &why) != PD_OK) {
        if (why == PD_SKIP_BINARY && raw->file && !pd_unread_is_text(w->file->path))
            why = PD_SKIP_UNKNOWN;
        on_skip(w, why, raw->offset, raw->skip, pd_unread_reason(why));
        return PD_OK;
    }
    w->number++;
    if (w->found)
        w->found[pd_wanted_find(&w->wanted, raw->id, raw->id_n, raw->url, raw->url_n)]++;
    if (!is_asked(w, raw))
        return PD_OK;
    const char *doubt = pd_document_doubt(doc, raw);
    if (doubt)
        on_skip(w, PD_SKIP_DOUBTFUL, raw->offset, raw->skip, doubt);
    w->visited++;
    const int status = w->visit(w->ctx, raw, doc, w->number - 1);
    return status == PD_OK && o->print.doc ? PD_END : status;
}

static int walk_file(struct walking *w, struct pd_reader *reader, struct pd_document *doc)
{
    const struct pd_piece piece = {.nstripes = 1, .to = w->file->bytes};
    struct pd_raw raw;
    int status;
    PD_TRY(pd_reader_open(reader, w->file, &piece));
    while ((status = pd_reader_next(reader, &raw)) == PD_OK && w->status >= 0) {
        status = take(w, &raw, doc);
        if (status != PD_OK)
            return status;
    }
    if (w->status < 0 || status < 0)
        return w->status < 0 ? w->status : status;
    return pd_reader_check(reader);
}

/* Read --docs-from. */
static int read_wanted(struct walking *w)
{
    PD_TRY(pd_wanted_read(&w->wanted, w->options->input.docs_from));
    const size_t n = w->wanted.ids.names.n;
    if (n > 0)
        w->found = pd_zeroed(n, sizeof *w->found);
    pd_wanted_see(&w->wanted, w->files);
    return PD_OK;
}

/* All files were read: tell what was not read or not found. Fails if that is all. */
static int end_walk(struct walking *w, const struct pd_field_counts *fields, int status)
{
    const struct pd_options *o = w->options;
    if (status == PD_OK)
        status = pd_unread_fields(fields, &o->input);
    pd_unread_renamed(fields);
    if (status == PD_OK && w->visited > 0)
        status = pd_unread_files(w->files, &w->unread, &o->input, true);
    if (status >= 0 && w->visited > 0 && w->found && !o->print.doc)
        status = pd_wanted_tell(&w->wanted, w->found, w->unlisted);
    if (status >= 0 && w->number == 0 && w->unlisted > 0)
        status = pd_wanted_none(NULL, &w->wanted, w->unlisted);
    if (status < 0 || w->visited > 0)
        return status;
    PD_TRY(pd_given_check(&w->asked, "--doc", NULL));
    return o->print.doc ? pd_fail(PD_EFORMAT, "%s: no document with this id", o->print.doc)
                        : pd_fail(PD_EFORMAT, "%s: no documents in it%s",
                                  o->operands.n ? o->operands.v[0] : o->input.files_from,
                                  pd_unread_hint(fields));
}

int pd_walk(const struct pd_options *o, pd_visitor *visit, void *ctx)
{
    struct pd_files files = {0};
    struct walking w = {.options = o, .files = &files, .visit = visit, .ctx = ctx};
    struct pd_keeping keep = {.n = 1, .names = {"date"}}; /* of the capture */
    const struct pd_reader_options ro = {.format = o->input.format,
                                         .id_field = o->input.id_field,
                                         .text_field = o->input.text_field,
                                         .url_field = o->input.url_field,
                                         .site_field = o->input.site_field,
                                         .max_document = (uint64_t)o->input.max_document,
                                         .keep = o->input.revisits ? &keep : NULL,
                                         .revisits = o->input.revisits,
                                         .skipped = on_skip,
                                         .ctx = &w};
    struct pd_document doc = pd_document_as(&o->input);
    doc.marks_frame = o->method.frame == PD_TEMPLATES_ASIDE;
    struct pd_reader *reader = pd_reader_new(&ro);
    size_t targets;
    int status = pd_collection_list(&files, o, &targets);
    PD_THEN(status, read_wanted(&w));
    see_asked(&w);
    for (size_t k = 0; k < files.n && status == PD_OK; k++) {
        w.file = &files.v[k];
        status = walk_file(&w, reader, &doc);
    }
    status = end_walk(&w, &pd_reader_counts(reader)->fields, status);
    pd_document_release(&doc);
    pd_reader_free(reader);
    pd_files_free(&files);
    pd_unread_release(&w.unread);
    pd_wanted_release(&w.wanted);
    pd_given_release(&w.asked);
    pd_names_release(&w.doc);
    free(w.found);
    return status < 0 ? status : PD_OK;
}
