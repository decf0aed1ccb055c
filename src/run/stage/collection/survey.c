/* run/stage/collection/survey.c - see src/run/stage/collection/number.h */
#include "number.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/log.h"
#include "pardup/base/minmax.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "site.h"
#include "unread.h"

enum { MESSAGES_TOLD = 5 }; /* headers of mails are told if one document in five begins with one */

/* ---- totals, and ids that occur twice ---- */

/*
 * The hash of a document's id. Goes to the owner of the hash, which sees all documents with the id.
 * Order: hash, number.
 */
struct id {
    uint64_t hash;
    pd_doc number;
};

struct sending {
    struct pd_collection *col;
    struct pd_shuffle ids; /* struct id, at the owners of the hashes */
    uint64_t next;         /* index of this rank's document whose id is sent next */
};

static void sum_up(struct pd_totals *t, const struct pd_docrec *d)
{
    t->documents++;
    t->with_sentences += d->sentences > 0;
    t->sentences += d->sentences;
    t->words += d->words;
    t->single_words += d->single_words;
    t->frame_sentences += d->frame_sentences;
    t->frame_words += d->frame_words;
    t->pages += d->page || pd_site_is_host(d->host);
    t->letters += d->letter;
    t->text_bytes += d->text_bytes;
    t->bytes += d->body_bytes;
    t->dated += pd_date_is_known(d->date);
}

/*
 * Write the id of the next document. Each document is looked at once here, so totals are added up
 * too.
 */
static int next_id(void *ctx, void *id)
{
    struct sending *s = ctx;
    struct pd_collection *col = s->col;
    struct pd_held held;
    if (s->next == col->ndocs)
        return PD_END;
    PD_TRY(pd_collection_nth(col, s->next++, &held));
    const uint64_t hash = pd_hash_bytes(pd_collection_id(col, &held), held.rec->id_n);
    *(struct id *)id = (struct id){hash, held.number};
    col->id_width = pd_max_u64(col->id_width, held.rec->id_n);
    col->url_width = pd_max_u64(col->url_width, held.rec->url_n);
    col->site_width = pd_max_u64(col->site_width, held.rec->site_n);
    col->meta_width = pd_max_u64(col->meta_width, held.rec->meta_n);
    if (pd_date_is_known(held.rec->date))
        col->date_width = pd_max_u64(col->date_width, pd_date_length(held.rec->date));
    sum_up(&col->totals, held.rec);
    return PD_OK;
}

static const struct pd_flow ids_flow = {.name = "ids",
                                        .budget = PD_BUDGET_IDS,
                                        .size = sizeof(struct id),
                                        .keys = 2,
                                        .goes = PD_BY_HASH};

/*
 * Count the documents whose id an earlier document has. *first becomes the smallest of their
 * numbers if that is smaller than *first.
 */
static int count_same(struct pd_collection *col, struct pd_shuffle *ids, uint64_t *first)
{
    struct id last = {0, UINT64_MAX};
    const void *rec;
    int status;
    while ((status = pd_shuffle_next(ids, &rec)) == PD_OK) {
        const struct id id = *(const struct id *)rec;
        if (last.number != UINT64_MAX && id.hash == last.hash) {
            col->totals.same_id++;
            *first = id.number < *first ? id.number : *first;
        }
        last = id;
    }
    return status < 0 ? status : PD_OK;
}

/*
 * COLLECTIVE. Add up the totals, and look for ids that occur twice. *first: the smallest number
 * that this rank knows of a document whose id an earlier document has; UINT64_MAX: it knows of
 * none.
 */
static int look_at_documents(struct pd_collection *col, uint64_t *first)
{
    struct sending s = {.col = col};
    *first = UINT64_MAX;
    pd_shuffle_open(&s.ids, col->transport, &ids_flow, NULL, NULL);
    int status = pd_shuffle_make(&s.ids, next_id, &s);
    PD_THEN(status, pd_comm_agree(col->comm, count_same(col, &s.ids, first)));
    pd_shuffle_close(&s.ids);
    pd_comm_sum(col->comm, (uint64_t *)&col->totals, sizeof col->totals / sizeof(uint64_t));
    uint64_t widths[] = {col->id_width, col->url_width, col->site_width, col->meta_width,
                         col->date_width};
    pd_comm_max(col->comm, widths, 5);
    col->id_width = widths[0];
    col->url_width = widths[1];
    col->site_width = widths[2];
    col->meta_width = widths[3];
    col->date_width = widths[4];
    return status;
}

/* Fail, or without --strict warn, because of a document whose id an earlier document has. */
static int complain_same_id(const struct pd_collection *col, const struct pd_held *held)
{
    const struct pd_docrec *d = held->rec;
    const char *id = pd_collection_id(col, held);
    if (col->options->input.strict)
        return pd_fail(PD_EFORMAT, "%s: document id %.*s occurs twice in the collection",
                       col->files.v[d->file].path, (int)d->id_n, id);
    const bool two = col->options->input.against.n > 0; /* which may be editions of one text */
    pd_log_rank(two ? PD_LOG_INFO : PD_LOG_WARN,
                "%llu document%s an id that an earlier one has (first: %.*s in %s); all are kept, "
                "rows tell them apart",
                (unsigned long long)col->totals.same_id,
                col->totals.same_id == 1 ? " has" : "s have", (int)d->id_n, id,
                col->files.v[d->file].path);
    return PD_OK;
}

/* COLLECTIVE. The holder of the first document whose id an earlier document has complains of it. */
static int tell_same_ids(struct pd_collection *col, uint64_t first)
{
    struct pd_held held;
    first = UINT64_MAX - first; /* so the maximum over all ranks finds the least number */
    pd_comm_max(col->comm, &first, 1);
    int status = pd_collection_doc(col, UINT64_MAX - first, &held);
    if (status == PD_OK)
        status = complain_same_id(col, &held);
    return pd_comm_agree(col->comm, status < 0 ? status : PD_OK);
}

/* ---- what no document has ---- */

/* Count for each id of --docs-from the documents of this rank that have it. */
static int count_wanted(struct pd_collection *col, uint64_t *found)
{
    struct pd_held held;
    for (uint64_t k = 0; k < col->ndocs; k++) {
        PD_TRY(pd_collection_nth(col, k, &held));
        const char *id = pd_collection_id(col, &held);
        const struct pd_docrec *d = held.rec;
        found[pd_wanted_find(&col->wanted, id, d->id_n, id + d->id_n, d->url_n)]++;
    }
    return PD_OK;
}

/* COLLECTIVE. Tell which ids of --docs-from no document has. */
static int tell_wanted(struct pd_collection *col)
{
    const size_t n = col->wanted.ids.names.n;
    if (n == 0)
        return PD_OK;
    uint64_t *found = pd_zeroed(n, sizeof *found);
    int status = pd_comm_agree(col->comm, count_wanted(col, found));
    PD_CHECK(n <= INT_MAX);
    pd_comm_sum(col->comm, found, (int)n);
    if (status >= 0 && col->totals.documents > 0)
        status = pd_wanted_tell(&col->wanted, found, col->totals.unlisted);
    free(found);
    return status;
}

/* Count for each row of --metadata, and for each kept field, the documents that have it. */
static int count_metadata(struct pd_collection *col, uint64_t *found, uint64_t *fields)
{
    struct pd_metadata *m = &col->metadata;
    struct pd_held held;
    struct pd_bytes value = {0};
    int status = PD_OK;
    for (uint64_t k = 0; k < col->ndocs && status >= 0; k++) {
        status = pd_collection_nth(col, k, &held);
        if (status < 0)
            break;
        const struct pd_docrec *d = held.rec;
        const char *id = pd_collection_id(col, &held);
        const uint64_t row = pd_metadata_row(m, id, d->id_n, id + d->id_n, d->url_n);
        if (row != UINT64_MAX)
            found[row]++;
        else
            pd_given_show(&m->given, id, d->id_n);
        for (size_t field = 0; field < m->keep.n; field++) /* one is enough */
            if (fields[field] == 0)
                fields[field] = pd_kept_find(id + d->id_n + d->url_n + d->site_n, d->meta_n,
                                             m->keep.names[field], &value);
    }
    pd_bytes_release(&value);
    return status;
}

/* COLLECTIVE. Tell what of --keep-fields and --metadata no document has, or was cut. */
static int tell_metadata(struct pd_collection *col)
{
    struct pd_metadata *m = &col->metadata;
    const size_t n = m->ids.names.n;
    uint64_t fields[PD_KEPT_FIELDS] = {0};
    if (m->keep.n == m->implied)
        return PD_OK; /* nobody asked for a field */
    uint64_t *found = pd_zeroed(n + 1, sizeof *found);
    int status = pd_comm_agree(col->comm, count_metadata(col, found, fields));
    PD_CHECK(n < INT_MAX);
    pd_comm_sum(col->comm, found, (int)n + 1);
    pd_comm_sum(col->comm, fields, PD_KEPT_FIELDS);
    if (status >= 0 && col->totals.documents > 0)
        status = pd_metadata_tell(col->comm, m, found, fields, col->totals.documents);
    free(found);
    if (col->totals.cut)
        pd_log(PD_LOG_WARN, "kept values that are cut at %d bytes, or left out: %llu",
               PD_KEPT_VALUE, (unsigned long long)col->totals.cut);
    if (col->totals.undated)
        pd_log(PD_LOG_WARN, "documents whose %s cannot be read as a date: %llu",
               col->options->input.date_field, (unsigned long long)col->totals.undated);
    return status;
}

/* Tell of messages in fields of other formats: their headers are compared, too. */
static void tell_messages(const struct pd_collection *col)
{
    const uint64_t n = col->totals.fields.messages, all = col->totals.documents;
    if (n * MESSAGES_TOLD >= all && n > 0 && col->comm->rank == 0)
        pd_log(PD_LOG_WARN,
               "%s of %s texts begin with the header of a mail (From, Subject ...), which is "
               "compared, too; files that are a mail each, and mbox files, are read without it",
               pd_grouped(n), pd_grouped(all));
}

uint64_t pd_letters_in(const struct pd_totals *t) { return t->letters + t->fields.messages; }

void pd_collection_tell_frame(const struct pd_collection *col)
{
    const struct pd_totals *t = &col->totals;
    if (col->options->method.frame != PD_TEMPLATES_ASIDE)
        tell_messages(col);
    else if (t->frame_sentences)
        pd_log(PD_LOG_INFO, "  %s: %s of %s sentences aside, %s of words",
               2 * pd_letters_in(t) > t->documents ? "headers and signatures" : "menus and frame",
               pd_grouped(t->frame_sentences), pd_grouped(t->sentences),
               pd_share_of(t->frame_words, t->words));
}

/* Tell of tables and JSON lines, by their names, that were read as plain texts. */
static void tell_textless(const struct pd_collection *col)
{
    const uint64_t n = col->totals.fields.textless;
    if (n > 0 && col->comm->rank == 0)
        pd_log(PD_LOG_WARN,
               "%llu file%s named as tables or JSON lines (.csv, .tsv, .jsonl, .ndjson) %s read as "
               "plain text: no column or field \"%s\" (--text-field), or a broken beginning",
               pd_ull(n), pd_plural(n), n == 1 ? "was" : "were", col->options->input.text_field);
}

/* Tell of much that is broken: a text in another character set than it says is hardly one. */
static void tell_broken(const struct pd_collection *col)
{
    enum {
        REPAIRED_SHARE = 10, /* one document in ten is told */
        REPLACED_SHARE = 200 /* bytes of text for one broken sequence, at the most */
    };
    const struct pd_totals *t = &col->totals;
    if (col->comm->rank != 0)
        return;
    if (t->repaired > 0 && t->repaired * REPAIRED_SHARE >= t->documents)
        pd_log(PD_LOG_WARN,
               "%llu of %llu documents had to be mended: bytes that are no UTF-8, broken JSON or "
               "wrong lengths",
               pd_ull(t->repaired), pd_ull(t->documents));
    if (t->replaced > 0 && t->replaced * REPLACED_SHARE >= t->text_bytes)
        pd_log(PD_LOG_WARN,
               "%llu broken sequences of bytes became U+FFFD: texts may be in another character "
               "set than they say",
               pd_ull(t->replaced));
}

/* Tell of files whose text is doubtful. */
static void tell_doubtful(const struct pd_collection *col)
{
    const uint64_t n = col->totals.doubtful;
    if (n > 1 && col->comm->rank == 0)
        pd_log(PD_LOG_WARN,
               "%s of %s documents yield almost no text, or one that is mostly tags or base64: "
               "read all the same, and listed in /skipped as doubtful",
               pd_grouped(n), pd_grouped(col->totals.documents));
}

/* ---- the survey ---- */

/* There are no documents: say what else there is. */
static int say_none(const struct pd_collection *col, const struct pd_options *o)
{
    const unsigned long long skipped = col->totals.skipped, ignored = col->totals.ignored;
    const unsigned long long revisits = col->totals.fields.revisits;
    char more[96] = "";
    if (revisits)
        snprintf(more, sizeof more, ", %llu ignored, of them %llu revisit%s", ignored, revisits,
                 pd_plural(revisits));
    else if (ignored)
        snprintf(more, sizeof more, ", %llu ignored", ignored);
    return pd_fail(PD_EFORMAT, "%s: no documents in it (%llu record%s set aside%s)%s",
                   o->operands.n ? o->operands.v[0] : o->input.files_from, skipped,
                   pd_plural(skipped), more, pd_unread_hint(&col->totals.fields));
}

int pd_collection_survey(struct pd_collection *col)
{
    const struct pd_options *o = col->options;
    uint64_t first;
    PD_TRY(look_at_documents(col, &first));
    PD_TRY(tell_wanted(col));
    PD_TRY(tell_metadata(col));
    if (col->totals.documents > 0 || col->totals.fields.objects > 0)
        PD_TRY(pd_unread_check(col));
    tell_textless(col);
    tell_broken(col);
    tell_doubtful(col);
    if (col->comm->rank == 0) {
        pd_unread_renamed(&col->totals.fields);
        pd_unread_kinds(&col->totals.fields);
    }
    if (col->totals.documents == 0 && col->totals.unlisted > 0)
        return pd_wanted_none(col->comm, &col->wanted, col->totals.unlisted);
    if (col->totals.documents == 0)
        return say_none(col, o);
    return col->totals.same_id ? tell_same_ids(col, first) : PD_OK;
}
