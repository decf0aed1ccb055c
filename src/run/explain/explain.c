/* run/explain/explain.c - see include/pardup/run/explain.h */
#include "explain.h"

#include <stdio.h>

#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"
#include "pardup/feature/imatch.h"
#include "run/classes/sign.h"
#include "run/classes/templates.h"

enum { ROWS_AT_ONCE = 1 << 16 };

/* ---- what the result says ---- */

/* The number that a text is, or UINT64_MAX. */
static uint64_t number_of(const char *text)
{
    char *end;
    const unsigned long long n = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end ? n : UINT64_MAX;
}

/* *doc: the row of the document with this id, or else with this number. */
static int find_document(struct pd_result *r, const char *name, uint64_t *doc)
{
    struct pd_cells ids = {0};
    uint64_t rows, found = 0;
    int status = pd_result_rows(r, "documents", &rows);
    for (uint64_t from = 0, take; from < rows && status >= 0; from += take) {
        take = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        status = pd_result_read(r, "documents", "id", from, take, &ids);
        for (uint64_t k = 0; k < take && status >= 0; k++) {
            size_t n;
            const char *id = pd_cells_text(&ids, k, &n);
            if (strlen(name) != n || memcmp(name, id, n) != 0)
                continue;
            if (found++)
                status = pd_fail(PD_EFORMAT,
                                 "%s: documents %llu and %llu have this id; give the numbers", name,
                                 (unsigned long long)*doc, (unsigned long long)(from + k));
            *doc = from + k;
        }
    }
    pd_bytes_release(&ids.values);
    if (status < 0 || found)
        return status;
    *doc = number_of(name);
    return *doc < rows ? PD_OK
                       : pd_fail(PD_EFORMAT,
                                 "%s: no document with this id or row number; pardup export "
                                 "--table documents lists them",
                                 name);
}

/* Read one count of a table. */
static int read_count(struct pd_result *r, const char *table, const char *column, uint64_t row,
                      uint64_t *count)
{
    struct pd_cells cells = {0};
    const int status = pd_result_read(r, table, column, row, 1, &cells);
    if (status >= 0)
        *count = pd_cells_count(&cells, 0);
    pd_bytes_release(&cells.values);
    return status;
}

/* *first: the first document of a file. Documents are in the order of files. */
static int first_of_file(struct pd_result *r, uint64_t file, uint64_t *first)
{
    uint64_t lo = 0, hi, at;
    PD_TRY(pd_result_rows(r, "documents", &hi));
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        PD_TRY(read_count(r, "documents", "file", mid, &at));
        if (at < file)
            lo = mid + 1;
        else
            hi = mid;
    }
    *first = lo;
    return PD_OK;
}

static int read_common(struct pd_result *r, struct pd_commons *common)
{
    static const char *const columns[PD_COMMON_U64S] = {"hash", "df", "doc", "sentence"};
    struct pd_cells cells = {0};
    uint64_t rows;
    int status = pd_result_rows(r, "common", &rows);
    pd_commons_reserve(common, status < 0 ? 0 : rows);
    for (int c = 0; c < PD_COMMON_U64S && status >= 0 && rows; c++) {
        status = pd_result_read(r, "common", columns[c], 0, rows, &cells);
        for (uint64_t k = 0; k < rows && status >= 0; k++)
            ((uint64_t *)(void *)&common->v[k])[c] = pd_cells_count(&cells, k);
    }
    pd_bytes_release(&cells.values);
    if (status < 0)
        return status;
    common->n = rows;
    pd_sort_records(common->v, common->n, PD_COMMON_U64S, 1);
    return PD_OK;
}

const struct pd_common *pd_explain_common(const struct explaining *x, pd_sig sig)
{
    const struct pd_commons *c = &x->common;
    const size_t k = pd_search_first(c->v, c->n, sizeof *c->v, 0, sig);
    return k < c->n && c->v[k].sig == sig ? &c->v[k] : NULL;
}

/* Take row `row` of /passages. */
static int take_row(struct pd_result *r, uint64_t row, struct pd_passages *to)
{
    static const char *const columns[] = {"start_a", "start_b", "length_a", "length_b", "matched"};
    uint64_t v[5];
    for (int c = 0; c < 5; c++)
        PD_TRY(read_count(r, "passages", columns[c], row, &v[c]));
    pd_passages_push(to, (struct pd_passage){.a = row,
                                             .b = row,
                                             .start_a = (uint32_t)v[0],
                                             .start_b = (uint32_t)v[1],
                                             .length_a = (uint32_t)v[2],
                                             .length_b = (uint32_t)v[3],
                                             .matched = (uint32_t)v[4]});
    return PD_OK;
}

/* List the rows of /passages of the two documents. */
static int list_passages(struct pd_result *r, struct pd_explanation *e)
{
    struct pd_cells a = {0}, b = {0};
    uint64_t rows;
    int status = pd_result_rows(r, "passages", &rows);
    for (uint64_t from = 0, take; from < rows && status >= 0; from += take) {
        take = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        status = pd_result_read(r, "passages", "doc_a", from, take, &a);
        if (status >= 0)
            status = pd_result_read(r, "passages", "doc_b", from, take, &b);
        for (uint64_t k = 0; k < take && status >= 0; k++)
            if (pd_cells_count(&a, k) == e->sides[0].doc &&
                pd_cells_count(&b, k) == e->sides[1].doc)
                status = take_row(r, from + k, &e->listed);
    }
    pd_bytes_release(&a.values);
    pd_bytes_release(&b.values);
    return status;
}

/* ---- the documents, read again ---- */

/* A scan: the job that reads files of the result once more. */
struct scan {
    struct pd_result *result;
    struct pd_comm comm;
    struct pd_options options;
    struct pd_job job;
    char **paths;
    size_t npaths;
    uint64_t numbers[2]; /* the two documents in this scan */
};

/* Do words or units count by what the whole collection has? */
static bool needs_all(const struct pd_method_options *o)
{
    return pd_features[o->feature].counts != PD_COUNTS_NOTHING ||
           o->templates == PD_TEMPLATES_ASIDE;
}

/* Read files [from, to) of the result, too. */
static int add_files(struct scan *s, const struct pd_fetch *f, uint64_t from, uint64_t to)
{
    struct pd_cells cells = {0};
    int status = PD_OK;
    s->paths = pd_realloc(s->paths, s->npaths + (to - from) + 1, sizeof *s->paths);
    for (uint64_t k = from; k < to && status >= 0; k++) {
        size_t n;
        status = pd_result_read(s->result, "files", "path", k, 1, &cells);
        if (status < 0)
            break;
        const char *path = pd_cells_text(&cells, 0, &n);
        char *found = pd_realloc(NULL, n + 1, 1);
        memcpy(found, path, n);
        found[n] = '\0';
        pd_fetch_find(f, &found);
        s->paths[s->npaths++] = found;
    }
    pd_bytes_release(&cells.values);
    return status;
}

/* Choose the files that are read, and say which numbers the two documents get. */
static int choose_files(struct scan *s, struct pd_explanation *e)
{
    const struct pd_fetch *f = &e->sides[0].text;
    uint64_t files, file[2], first[2];
    if (e->scanned) {
        PD_TRY(pd_result_rows(s->result, "files", &files));
        for (int k = 0; k < 2; k++)
            s->numbers[k] = e->sides[k].doc;
        return add_files(s, f, 0, files);
    }
    for (int k = 0; k < 2; k++) {
        PD_TRY(read_count(s->result, "documents", "file", e->sides[k].doc, &file[k]));
        PD_TRY(first_of_file(s->result, file[k], &first[k]));
    }
    PD_TRY(add_files(s, f, file[0], file[0] + 1));
    s->numbers[0] = e->sides[0].doc - first[0];
    s->numbers[1] = e->sides[1].doc - first[1];
    if (file[1] == file[0])
        return PD_OK;
    uint64_t end;
    PD_TRY(first_of_file(s->result, file[0] + 1, &end));
    s->numbers[1] += end - first[0];
    return add_files(s, f, file[1], file[1] + 1);
}

/* Read the files, and count words. */
static int read_files(struct scan *s, struct pd_explanation *e)
{
    struct pd_job *job = &s->job;
    struct pd_collection *col = &job->collection;
    uint64_t documents;
    PD_TRY(pd_collection_list_files(col));
    PD_TRY(pd_collection_cut(col));
    PD_TRY(pd_collection_read(col, NULL, &job->stages));
    PD_TRY(pd_result_rows(s->result, "documents", &documents));
    if (e->scanned && col->totals.documents != documents)
        return pd_fail(PD_EFORMAT,
                       "%s: the collection has %llu documents, the result %llu: it has changed",
                       pd_result_path(s->result), (unsigned long long)col->totals.documents,
                       (unsigned long long)documents);
    job->targets = job->sources = (struct pd_side){col, 0, col->totals.documents};
    return pd_job_count(job);
}

/* ---- signing ---- */

static enum pd_word_use use_of(const struct pd_method_options *o, unsigned flags)
{
    if (pd_features[o->feature].counts == PD_COUNTS_SPOT_WORDS)
        return flags & PD_WORD_ANTECEDENT ? PD_WORD_USED
               : flags & PD_WORD_STOP     ? PD_WORD_STOPPED
                                          : PD_WORD_IN_CHAIN;
    return flags & PD_WORD_LEFT_OUT ? PD_WORD_FREQUENT : PD_WORD_USED;
}

/* Copy the words of the document that was loaded last. */
static void copy_words(const struct explaining *x, struct pd_signing *s,
                       const struct pd_volume *volume, struct pd_explain_side *side)
{
    const struct pd_tokens *tokens = &s->stored.tokens;
    pd_stored_words(&s->stored, 0, (uint32_t)tokens->n);
    for (size_t k = 0; k < tokens->n; k++) {
        const struct pd_token *t = &tokens->v[k];
        pd_used_words_push(&side->words, (struct pd_used_word){
                                             t->begin, t->end, volume->terms.v[t->term],
                                             use_of(&x->options->method, volume->flags[t->term])});
    }
}

/* Why the unit that was signed last takes no part; PD_WHY_MATCHED: it does. */
static enum pd_why own_reason(const struct pd_method_options *o, const struct pd_explained *u,
                              size_t n)
{
    if (u->at.nwords < o->min_words)
        return PD_WHY_SHORT;
    if (n)
        return PD_WHY_MATCHED;
    return u->counted && u->counted < o->min_counted ? PD_WHY_FEW : PD_WHY_NOTHING;
}

/* Distinct words of a unit that count; they become its members if `to` is given. */
static uint32_t count_words(const struct pd_explain_side *side, const struct pd_sentence *at,
                            uint64_t unit, struct members *to)
{
    struct pd_u64s terms = {0};
    uint32_t n = 0;
    for (uint32_t k = at->word; k < at->word + at->nwords; k++)
        if (side->words.v[k].use == PD_WORD_USED || side->words.v[k].use == PD_WORD_IN_CHAIN)
            pd_u64s_push(&terms, side->words.v[k].term);
    pd_sort_records(terms.v, terms.n, 1, 1);
    for (size_t k = 0; k < terms.n; k++) {
        if (k && terms.v[k] == terms.v[k - 1])
            continue;
        n++;
        if (to)
            members_push(to, (struct member){terms.v[k], unit});
    }
    pd_u64s_release(&terms);
    return n;
}

/* Do signatures of a set tell how similar two units are? */
static bool compares_signatures(const struct pd_method_options *o)
{
    return pd_features[o->feature].result == PD_MAKES_SET && o->lexicons <= 1;
}

/* Add the names and members of the unit that was signed last. */
static void keep_signatures(const struct explaining *x, struct pd_signing *s, uint32_t unit,
                            struct pd_explained *u, struct compared *c)
{
    const struct pd_method_options *o = &x->options->method;
    const bool names = pd_features[o->feature].result == PD_MAKES_NAMES || o->lexicons > 1;
    const size_t n = s->signer.set.n;
    uint64_t more;
    u->nsigs = (uint32_t)n;
    if (compares_signatures(o))
        for (size_t k = 0; k < n; k++)
            members_push(&c->members, (struct member){s->signer.set.v[k], unit});
    for (size_t k = 0; k < (names ? n : 1); k++) {
        const pd_sig sig =
            names ? pd_signer_name(&s->signer, k, &more) : pd_signer_identity(&s->signer, &more);
        const struct pd_common *common = pd_explain_common(x, sig);
        u->sig = k ? u->sig : sig;
        u->df = common && !u->df ? common->df : u->df;
        names_push(&c->names, (struct name){sig, more >> PD_DOC_HIGH, unit, 0});
    }
}

/* Sign unit `unit` of the document that was loaded last. */
static void sign_unit(const struct explaining *x, int k, struct pd_signing *s, uint32_t unit,
                      bool aside)
{
    struct compared *c = (struct compared *)&x->sides[k];
    const struct pd_method_options *o = &x->options->method;
    struct pd_explain_side *side = &x->e->sides[k];
    struct pd_explained u = {.at = s->units->v[unit], .best = PD_EXPLAIN_NONE, .why = PD_WHY_ALONE};
    const size_t first = c->members.n, n = pd_signing_sign(s, unit);
    u.counted = count_words(side, &u.at, unit, NULL);
    u.own = aside ? PD_WHY_TEMPLATE : own_reason(o, &u, n);
    pd_u64s_push(&c->firsts, first);
    if (n)
        keep_signatures(x, s, unit, &u, c);
    if (!n || !compares_signatures(o))
        count_words(side, &u.at, unit, &c->members);
    if (c->members.n > first)
        pd_sort_records(c->members.v + first, c->members.n - first, MEMBER_U64S, 1);
    pd_u64s_push(&c->sided, !pd_units_sided(&s->job->form) ||
                                pd_units_indexed(&s->job->form, &s->stored.sentences, unit));
    pd_explaineds_push(&side->units, u);
}

/* Count how often each name stands in the document, and leave out what --max-repeats says. */
static void count_repeats(const struct pd_method_options *o, struct compared *c,
                          struct pd_explain_side *side)
{
    struct names *v = &c->names;
    pd_sort_records(v->v, v->n, NAME_U64S, 3);
    for (size_t k = 0, end; k < v->n; k = end) {
        for (end = k; end < v->n && v->v[end].sig == v->v[k].sig && v->v[end].more == v->v[k].more;
             end++)
            v->v[end].place = end - k;
        const size_t most = (size_t)o->max_repeats;
        const size_t from = o->repeats == PD_REPEATS_FIRST ? k + most : k;
        for (size_t i = from; most && end - k > most && i < end; i++)
            side->units.v[v->v[i].unit].own = PD_WHY_REPEATED;
    }
}

/* Sign all units of document k of the pair. */
static int sign_document(struct explaining *x, struct scan *scan, int k, struct pd_signing *s,
                         struct pd_asides *asides)
{
    struct pd_collection *col = &scan->job.collection;
    struct compared *c = &x->sides[k];
    struct pd_explain_side *side = &x->e->sides[k];
    struct pd_held held;
    PD_TRY(pd_collection_doc(col, scan->numbers[k], &held));
    PD_TRY(pd_fetch_row(&side->text, side->doc));
    if (!held.rec || held.rec->text_bytes != side->text.document.text_n)
        return pd_fail(PD_EFORMAT, "%s: document %s has changed since the result was made",
                       pd_result_path(scan->result), side->text.id);
    c->host = held.rec->host;
    c->same = held.rec->same;
    PD_TRY(pd_signing_load_number(s, scan->numbers[k]));
    PD_TRY(pd_asides_load(asides, scan->numbers[k], &s->stored));
    copy_words(x, s, pd_collection_volume(col, &held), side);
    for (uint32_t unit = 0; unit < s->units->n; unit++) {
        const struct pd_sentences *base = &s->stored.sentences;
        sign_unit(x, k, s, unit, pd_asides_have(asides, base->v, base->n, &s->units->v[unit]));
    }
    pd_u64s_push(&c->firsts, c->members.n);
    count_repeats(&x->options->method, c, side);
    return PD_OK;
}

/* Sign both documents. Templates of documents before them are passed over. */
static int sign_documents(struct explaining *x, struct scan *scan)
{
    struct pd_signing s;
    struct pd_asides asides = {.at = 0};
    struct pd_posting whole[2];
    bool both = x->options->method.copies == PD_COPIES_REPORT;
    int status = PD_OK;
    if (x->options->method.templates == PD_TEMPLATES_ASIDE)
        status = pd_asides_find(&scan->job, &asides);
    pd_signing_init(&s, &scan->job);
    for (uint64_t doc = 0; doc <= scan->numbers[1] && status >= 0; doc++) {
        const int k = doc == scan->numbers[1];
        if (doc != scan->numbers[k]) {
            status = asides.units.sorter ? pd_asides_load(&asides, doc, NULL) : PD_OK;
            continue;
        }
        status = sign_document(x, scan, k, &s, &asides);
        both = both && status >= 0 && pd_signing_whole(&s, &whole[k]);
    }
    x->e->equal = both && status >= 0 && pd_same_class(&whole[0], &whole[1]);
    pd_asides_close(&asides);
    pd_signing_release(&s);
    return status;
}

/* ---- the whole ---- */

/* Keep the bounds of the frequency of words that count. */
static void keep_range(const struct scan *s, struct pd_explanation *e)
{
    const struct pd_method_options *o = &s->job.options->method;
    if (pd_features[o->feature].counts != PD_COUNTS_DOCUMENTS)
        return;
    e->documents = s->job.collection.totals.with_sentences;
    const struct pd_df_range range =
        pd_imatch_range(e->documents, o->idf[0], o->idf[1], (uint64_t)o->always_df, o->max_word_df);
    e->least = range.least;
    e->most = range.end - 1;
}

/* Read what is needed, sign, and compare. The scratch of the job is open. */
static int explain(struct explaining *x, struct scan *s)
{
    struct pd_explanation *e = x->e;
    uint64_t targets;
    PD_TRY(read_files(s, e));
    keep_range(s, e);
    PD_TRY(sign_documents(x, s));
    pd_explain_compare(x);
    pd_explain_runs(x);
    if (pd_result_count(s->result, "targets", &targets) &&
        (e->sides[0].doc < targets) == (e->sides[1].doc < targets))
        e->left = PD_LEFT_SIDES;
    return PD_OK;
}

/* Run the job of the scan. */
static int scan(struct explaining *x, struct scan *s, const char *scratch)
{
    char output[4096];
    snprintf(output, sizeof output, "%s/explain", scratch);
    s->options.output = output;
    s->options.job.scratch = scratch;
    s->options.operands = (struct pd_texts){(const char **)s->paths, s->npaths};
    s->options.input.limit_docs = x->e->scanned ? s->options.input.limit_docs : 0;
    pd_comm_alone(&s->comm);
    pd_job_init(&s->job, &s->comm, &s->options);
    int status = pd_scratch_open(&s->job.scratch, &s->comm, &s->options);
    if (status >= 0)
        status = explain(x, s);
    pd_job_release(&s->job);
    if (s->job.scratch.dir) {
        pd_scratch_empty(&s->job.scratch);
        pd_scratch_close(&s->job.scratch);
    }
    return status;
}

/* Find the two documents; the first of the collection comes first. */
static int find_both(struct pd_result *r, const char *const names[2], struct pd_explanation *e)
{
    uint64_t doc[2];
    if (pd_result_has(r, "sources", "id"))
        return pd_fail(PD_EFORMAT, "%s: made by check; explain takes a result of detect",
                       pd_result_path(r));
    for (int k = 0; k < 2; k++) {
        PD_TRY(find_document(r, names[k], &doc[k]));
        PD_TRY(pd_fetch_init(&e->sides[k].text, r));
    }
    if (doc[0] == doc[1])
        return pd_fail(PD_EUSAGE, "%s and %s are the same document", names[0], names[1]);
    e->sides[0].doc = doc[0] < doc[1] ? doc[0] : doc[1];
    e->sides[1].doc = doc[0] < doc[1] ? doc[1] : doc[0];
    return PD_OK;
}

int pd_explain(const struct pd_options *o, struct pd_result *result, const char *const names[2],
               const char *scratch, struct pd_explanation *e)
{
    struct scan s = {.result = result, .options = *o};
    struct explaining x = {.options = o, .e = e};
    e->scanned = needs_all(&o->method);
    int status = find_both(result, names, e);
    if (status >= 0)
        status = read_common(result, &x.common);
    if (status >= 0)
        status = list_passages(result, e);
    if (status >= 0)
        status = choose_files(&s, e);
    if (status >= 0)
        status = scan(&x, &s, scratch);
    for (size_t k = 0; k < s.npaths; k++)
        free(s.paths[k]);
    free(s.paths);
    pd_commons_release(&x.common);
    for (int k = 0; k < 2; k++) {
        names_release(&x.sides[k].names);
        members_release(&x.sides[k].members);
        pd_u64s_release(&x.sides[k].firsts);
        pd_u64s_release(&x.sides[k].sided);
    }
    return status;
}

void pd_explain_release(struct pd_explanation *e)
{
    for (int k = 0; k < 2; k++) {
        pd_fetch_release(&e->sides[k].text);
        pd_explaineds_release(&e->sides[k].units);
        pd_used_words_release(&e->sides[k].words);
    }
    pd_u64s_release(&e->dots);
    pd_passages_release(&e->found);
    pd_passages_release(&e->listed);
}
