/* tests/stage/stage.c - see tests/stage/stage.h */
#include "stage.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/options.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/run/index.h"
#include "pardup/store/cursor.h"
#include "pd_random.h"
#include "pd_scratch.h"
#include "run/stage/collection/filling.h"
#include "run/stage/collection/number.h"
#include "run/stage/resume/checkpoint.h"
#include "run/stage/table/slices.h"

/* ---- documents ---- */

struct stage_doc *stage_add_doc(struct stage_docs *d)
{
    stage_doc_list_push(&d->docs, (struct stage_doc){.unit = d->units.n});
    return &d->docs.v[d->docs.n - 1];
}

struct stage_unit *stage_add_unit(struct stage_docs *d)
{
    stage_units_push(&d->units, (struct stage_unit){.word = d->words.n});
    d->docs.v[d->docs.n - 1].nunits++;
    return &d->units.v[d->units.n - 1];
}

void stage_add_word(struct stage_docs *d, uint32_t word)
{
    stage_words_push(&d->words, word);
    d->units.v[d->units.n - 1].nwords++;
    d->docs.v[d->docs.n - 1].nwords++;
}

void stage_docs_release(struct stage_docs *d)
{
    stage_doc_list_release(&d->docs);
    stage_units_release(&d->units);
    stage_words_release(&d->words);
    pd_skiprecs_release(&d->skips);
}

/* A random word below n; half of all words are among the first eighth. */
static uint32_t random_word(uint64_t *seed, uint32_t n)
{
    const uint32_t few = n / 8 + 1;
    return pd_random_below(seed, pd_random_below(seed, 2) ? few : n);
}

static void add_random_unit(struct stage_docs *d, uint64_t *seed, const struct stage_random *how)
{
    stage_add_unit(d);
    for (uint32_t n = 1 + pd_random_below(seed, how->words); n > 0; n--)
        stage_add_word(d, random_word(seed, how->different));
}

/* Copy a run of units of an earlier document, at most `most`. Returns how many. */
static uint32_t copy_run(struct stage_docs *d, uint64_t *seed, const struct stage_random *how,
                         uint32_t most)
{
    const size_t from = pd_random_below(seed, (uint32_t)d->docs.n - 1);
    const uint32_t begin = pd_random_below(seed, d->docs.v[from].nunits);
    uint32_t n = 0;
    for (; n < most && begin + n < d->docs.v[from].nunits; n++) {
        const struct stage_unit copy = d->units.v[d->docs.v[from].unit + begin + n];
        stage_add_unit(d);
        for (uint32_t k = 0; k < copy.nwords; k++) {
            const bool other = pd_random_below(seed, 100) < how->changed;
            stage_add_word(d,
                           other ? random_word(seed, how->different) : d->words.v[copy.word + k]);
        }
    }
    return n;
}

void stage_docs_random(struct stage_docs *d, uint64_t *seed, const struct stage_random *how)
{
    for (uint32_t k = 0; k < how->docs; k++) {
        const uint32_t units = 1 + pd_random_below(seed, how->units);
        stage_add_doc(d);
        for (uint32_t n = 0; n < units;) {
            if (k > 0 && pd_random_below(seed, 100) < how->copied) {
                n += copy_run(d, seed, how, 1 + pd_random_below(seed, units - n));
            } else {
                add_random_unit(d, seed, how);
                n++;
            }
        }
    }
}

const struct stage_unit *stage_unit_of(const struct stage_docs *d, size_t doc, uint32_t unit)
{
    PD_CHECK(doc < d->docs.n && unit < d->docs.v[doc].nunits);
    return &d->units.v[d->docs.v[doc].unit + unit];
}

const uint32_t *stage_words_of(const struct stage_docs *d, size_t doc, uint32_t unit)
{
    return d->words.v + stage_unit_of(d, doc, unit)->word;
}

bool stage_same_words(const struct stage_docs *d, size_t a, uint32_t i, size_t b, uint32_t j)
{
    const uint32_t n = stage_unit_of(d, a, i)->nwords;
    return n == stage_unit_of(d, b, j)->nwords &&
           memcmp(stage_words_of(d, a, i), stage_words_of(d, b, j), n * sizeof(uint32_t)) == 0;
}

size_t stage_set_of(const struct stage_docs *d, size_t doc, uint32_t unit, uint32_t *out)
{
    const uint32_t *v = stage_words_of(d, doc, unit);
    size_t n = 0;
    for (uint32_t k = 0; k < stage_unit_of(d, doc, unit)->nwords; k++) {
        size_t at = 0;
        while (at < n && out[at] < v[k])
            at++;
        if (at < n && out[at] == v[k])
            continue;
        memmove(out + at + 1, out + at, (n++ - at) * sizeof *out);
        out[at] = v[k];
    }
    return n;
}

uint32_t stage_documents_with(const struct stage_docs *d, uint32_t word)
{
    uint32_t found = 0;
    for (size_t doc = 0; doc < d->docs.n; doc++) {
        const struct stage_doc *at = &d->docs.v[doc];
        const size_t from = d->units.v[at->unit].word;
        uint32_t k = 0;
        while (k < at->nwords && d->words.v[from + k] != word)
            k++;
        found += k < at->nwords;
    }
    return found;
}

/*
 * Append the spelling of a word: letters alone, which no rule for sentences knows. Two words have few
 * letters in common, as ends of passages may grow by letters.
 */
static void spell(uint32_t word, bool capital, struct pd_bytes *text)
{
    char letters[16] = "wo";
    size_t n = 2;
    for (uint64_t hash = pd_mix(word); n < 8; hash /= 26)
        letters[n++] = (char)('a' + hash % 26);
    for (; word > 0 || n < 10; word /= 26)
        letters[n++] = (char)('a' + word % 26);
    letters[0] = capital ? 'W' : 'w';
    pd_bytes_append(text, letters, n);
}

void stage_spell(uint32_t word, struct pd_bytes *text) { spell(word, false, text); }

uint64_t stage_term(uint32_t word)
{
    struct pd_bytes text = {0};
    spell(word, false, &text);
    const uint64_t term = pd_hash_bytes(text.v, text.n);
    pd_bytes_release(&text);
    return term;
}

void stage_text(const struct stage_docs *d, size_t doc, struct pd_bytes *text,
                struct pd_sentences *bounds)
{
    uint32_t word = 0;
    for (uint32_t k = 0; k < d->docs.v[doc].nunits; k++) {
        const struct stage_unit *unit = stage_unit_of(d, doc, k);
        const uint32_t begin = (uint32_t)text->n;
        for (uint32_t n = 0; n < unit->nwords; n++) {
            spell(d->words.v[unit->word + n], n == 0, text);
            pd_bytes_append(text, n + 1 < unit->nwords ? " " : ".", 1);
        }
        if (bounds)
            pd_sentences_push(bounds,
                              (struct pd_sentence){begin, (uint32_t)text->n, word, unit->nwords});
        word += unit->nwords;
        pd_bytes_append(text, "\n", 1);
    }
}

void stage_tokens(const struct stage_docs *d, size_t doc, struct pd_tokens *tokens)
{
    struct pd_bytes text = {0};
    tokens->n = 0;
    stage_text(d, doc, &text, NULL);
    for (uint32_t at = 0; at < text.n; at++)
        if (isalpha(text.v[at])) {
            const uint32_t begin = at;
            while (isalpha(text.v[at])) /* a full stop ends the text */
                at++;
            pd_tokens_push(tokens, (struct pd_token){begin, at, (uint32_t)tokens->n});
        }
    pd_bytes_release(&text);
}

/* ---- files ---- */

const char *stage_folder(void)
{
    if (!*scratch_dir)
        scratch_open();
    return scratch_dir;
}

const char *stage_write_lines(const struct stage_docs *d, uint32_t file, const char *name)
{
    struct pd_bytes lines = {0}, text = {0};
    stage_folder();
    for (size_t k = 0; k < d->docs.n; k++) {
        const struct stage_doc *doc = &d->docs.v[k];
        if (doc->file != file)
            continue;
        text.n = 0;
        stage_text(d, k, &text, NULL);
        put(&lines, "{\"id\": \"d%zu\"", k);
        if (*doc->url)
            put(&lines, ", \"url\": \"%s\"", doc->url);
        if (*doc->date)
            put(&lines, ", \"date\": \"%s\"", doc->date);
        put(&lines, ", \"text\": \"");
        for (size_t n = 0; n < text.n; n++)
            pd_bytes_append(&lines, text.v[n] == '\n' ? "\\n" : (char *)text.v + n,
                            text.v[n] == '\n' ? 2 : 1);
        put(&lines, "\"}\n");
    }
    const char *path = scratch_write(name, lines.v, lines.n);
    pd_bytes_release(&lines);
    pd_bytes_release(&text);
    return path;
}

/* ---- a job ---- */

void stage_parse(struct stage *s, const char *command, const char *options)
{
    int argc = 0;
    *s = (struct stage){.line = strdup(options)};
    for (char *word = strtok(s->line, " "); word; word = strtok(NULL, " ")) {
        PD_CHECK(argc < (int)(sizeof s->argv / sizeof *s->argv));
        s->argv[argc++] = word;
    }
    pd_log_open(0, 1, PD_LOG_ERROR);
    if (pd_options_parse(&s->options, pd_command_find(command), argc, (char **)s->argv) < 0)
        pd_panic("%s: %s", options, pd_error_text());
    s->options.command = "a test";
}

/* Mark the units of a document that are in its frame, in doubt, linked or stray. */
static void mark(const struct stage_docs *docs, size_t number, struct pd_document *d)
{
    const struct stage_doc *doc = &docs->docs.v[number];
    d->main.blocks.n = d->main.doubtful.n = d->main.linked.n = d->main.stray.n = 0;
    d->main.article = doc->article;
    d->has_main = d->page = true;
    for (uint32_t k = 0; k < doc->nunits; k++) {
        const struct stage_unit *unit = stage_unit_of(docs, number, k);
        const struct pd_extent at = {d->sentences.v[k].begin, d->sentences.v[k].end};
        if (!unit->frame && !unit->stray)
            pd_extents_push(&d->main.blocks, at);
        if (unit->doubtful)
            pd_extents_push(&d->main.doubtful, at);
        if (unit->linked)
            pd_extents_push(&d->main.linked, at);
        if (unit->stray)
            pd_extents_push(&d->main.stray, at);
    }
}

/* Read a document, as the read stage does, and keep it in the volume that is filled. */
static void keep(struct pd_filling *f, const struct stage_docs *docs, size_t number,
                 uint64_t piece_key, struct pd_document *d)
{
    const struct stage_doc *doc = &docs->docs.v[number];
    struct pd_bytes text = {0};
    char id[24];
    enum pd_skip why;
    stage_text(docs, number, &text, NULL);
    snprintf(id, sizeof id, "d%zu", number);
    const struct pd_raw raw = {.id = id,
                               .id_n = strlen(id),
                               .url = doc->url,
                               .url_n = strlen(doc->url),
                               .path = "memory",
                               .body = text.v,
                               .n = text.n,
                               .media = PD_MEDIA_TEXT,
                               .offset = number,
                               .length = text.n,
                               .piece_key = piece_key};
    PD_CHECK(pd_document_read(d, &raw, &why) == PD_OK);
    PD_CHECK(d->sentences.n == doc->nunits && d->words.n == doc->nwords);
    mark(docs, number, d);
    PD_CHECK(pd_filling_keep(f, doc->file, &raw, d) == PD_OK);
    pd_bytes_release(&text);
}

enum {
    VOLUME_DOCS = 5,      /* documents in a volume */
    KEPT_BYTES = 4 << 10, /* of volumes that stay in memory, if --memory is given */
};

/* Fill a volume with documents [from, to), and seal it. */
static void fill_volume(struct pd_filling *f, const struct stage_docs *docs, size_t from, size_t to,
                        struct pd_document *d)
{
    const uint64_t piece = from / VOLUME_DOCS;
    PD_CHECK(pd_filling_begin(f, (struct pd_fragment){piece, 0, 0}) == PD_OK);
    for (size_t k = from; k < to; k++)
        keep(f, docs, k, from, d);
    for (size_t k = 0; k < docs->skips.n; k++)
        if (k % ((docs->docs.n + VOLUME_DOCS - 1) / VOLUME_DOCS) == piece)
            pd_filling_skip(f, &docs->skips.v[k]);
    pd_terms_push(&f->col->skips, f->volume.skips.n);
    f->col->totals.skipped += f->volume.skips.n;
    pd_filling_end_piece(f);
    PD_CHECK(pd_filling_seal(f) == PD_OK);
}

static void fill(struct pd_collection *col, const struct stage_docs *docs)
{
    const struct pd_reader_options none = {.format = PD_FORMAT_AUTO};
    struct pd_reader *reader = pd_reader_new(&none);
    struct pd_document d = pd_document_as(&col->options->input);
    struct pd_filling f;
    size_t files = 0;
    for (size_t k = 0; k < docs->docs.n; k++)
        files = docs->docs.v[k].file + 1u > files ? docs->docs.v[k].file + 1u : files;
    for (size_t k = 0; k < files; k++)
        pd_files_push(&col->files, (struct pd_file){.path = strdup(k ? "sources" : "memory"),
                                                    .bytes = 1000 + k});
    col->target_files = 1;
    col->library.keep = pd_transport_budget(col->transport, PD_BUDGET_LIBRARY);
    if (col->options->job.memory)
        col->library.keep = KEPT_BYTES;
    pd_filling_init(&f, col, reader);
    for (size_t to = docs->docs.n; to > 0;) {
        const size_t from = (to - 1) / VOLUME_DOCS * VOLUME_DOCS;
        fill_volume(&f, docs, from, to, &d);
        to = from;
    }
    pd_filling_release(&f);
    pd_document_release(&d);
    pd_reader_free(reader);
}

void stage_parse_job(struct stage *s, const char *options, const char *operands)
{
    struct pd_bytes line = {0};
    put(&line, "%s --scratch %s -o %s/result.h5 %s", options, stage_folder(), stage_folder(),
        operands);
    pd_bytes_push(&line, 0);
    stage_parse(s, "detect", (const char *)line.v);
    pd_bytes_release(&line);
}

void stage_run_index(const char *options)
{
    struct stage s;
    stage_parse(&s, "index", options);
    CU_ASSERT_EQUAL(pd_index_make(&test_comm, &s.options), PD_OK);
    stage_close(&s);
}

void stage_make_index(const struct stage_docs *d, const char *method, bool added)
{
    char line[2048], first[600], second[600];
    snprintf(first, sizeof first, "%.500s", stage_write_lines(d, 1, "first.jsonl"));
    snprintf(second, sizeof second, "%.500s", stage_write_lines(d, 2, "more.jsonl"));
    snprintf(line, sizeof line, "%s -o %.500s/index %s %s", method, stage_folder(), first,
             added ? "" : second);
    stage_run_index(line);
    snprintf(line, sizeof line, "--add -o %.500s/index %s", stage_folder(), second);
    if (added)
        stage_run_index(line);
}

static int log_file, standard_error;

void stage_listen(enum pd_level level)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/log", stage_folder());
    log_file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    standard_error = dup(STDERR_FILENO);
    pd_log_open(0, 1, level);
    PD_CHECK(dup2(log_file, STDERR_FILENO) >= 0);
}

const char *stage_heard(void)
{
    static char said[1 << 14];
    dup2(standard_error, STDERR_FILENO);
    const ssize_t n = pread(log_file, said, sizeof said - 1, 0);
    said[n > 0 ? n : 0] = '\0';
    close(standard_error);
    close(log_file);
    return said;
}

/* Open a job without a collection. */
static void open_job(struct stage *s, const char *options, const char *operands)
{
    stage_parse_job(s, options, operands);
    pd_job_init(&s->job, &test_comm, &s->options);
    PD_CHECK(pd_scratch_open(&s->job.scratch, &test_comm, s->job.options) == PD_OK);
}

void stage_open(struct stage *s, const char *options, const struct stage_docs *d)
{
    open_job(s, options, "memory");
    fill(&s->job.collection, d);
    if (pd_collection_number(&s->job.collection) < 0 || pd_job_set_sides(&s->job) < 0)
        pd_panic("%s", pd_error_text());
    pd_job_choose_preset(&s->job, 1);
}

const char *stage_write_operands(const struct stage_docs *d)
{
    static char operands[9000];
    const char *targets = stage_write_lines(d, 0, "targets.jsonl");
    if (d->docs.v[d->docs.n - 1].file)
        snprintf(operands, sizeof operands, "%.4200s --against %.4200s", targets,
                 stage_write_lines(d, 1, "sources.jsonl"));
    else
        snprintf(operands, sizeof operands, "%s", targets);
    return operands;
}

void stage_list(struct stage *s, const char *options, const char *operands)
{
    struct pd_collection *col = &s->job.collection;
    open_job(s, options, operands);
    if (pd_collection_list_files(col) < 0 || pd_checkpoint_open(&s->job) < 0 ||
        pd_collection_cut(col) < 0)
        pd_panic("%s", pd_error_text());
}

int stage_read(struct stage *s)
{
    struct pd_collection *col = &s->job.collection;
    unsigned char *done = pd_realloc(NULL, col->pieces.n + 1, 1);
    int status = pd_checkpoint_take_volumes(col, done);
    if (status >= 0)
        status = pd_collection_read(col, done, &s->job.stages);
    free(done);
    return status;
}

void stage_open_lines(struct stage *s, const char *options, const struct stage_docs *d)
{
    stage_list(s, options, stage_write_operands(d));
    if (stage_read(s) < 0 || pd_job_set_sides(&s->job) < 0)
        pd_panic("%s", pd_error_text());
    pd_job_choose_preset(&s->job, 1);
}

void stage_abandon(struct stage *s)
{
    pd_job_release(&s->job);
    pd_scratch_close(&s->job.scratch);
    s->job.comm = NULL;
    stage_close(s);
}

void stage_close(struct stage *s)
{
    if (s->job.comm) {
        pd_job_release(&s->job);
        pd_scratch_empty(&s->job.scratch);
        pd_scratch_close(&s->job.scratch);
    }
    pd_options_release(&s->options);
    free(s->line);
    pd_error_clear();
}

/* ---- what stages hand over ---- */

void stage_read_classes(struct pd_packed *file, struct stage_classes *classes)
{
    struct pd_cursor c = {0};
    const unsigned char *rec;
    size_t n;
    int status;
    *classes = (struct stage_classes){.at = {0}};
    pd_cursor_begin(&c, file, 0, pd_packed_blocks(file));
    while ((status = pd_cursor_look(&c, &rec, &n)) == PD_OK) {
        const size_t bytes = pd_class_bytes((const struct pd_class *)(const void *)rec);
        pd_u64s_push(&classes->at, classes->records.n);
        pd_u64s_append(&classes->records, rec, bytes / sizeof(uint64_t));
        c.at += bytes;
    }
    PD_CHECK(status == PD_END);
    pd_cursor_release(&c);
}

const struct pd_class *stage_class(const struct stage_classes *classes, size_t k)
{
    PD_CHECK(k < classes->at.n);
    return (const struct pd_class *)(const void *)(classes->records.v + classes->at.v[k]);
}

void stage_classes_release(struct stage_classes *classes)
{
    pd_u64s_release(&classes->records);
    pd_u64s_release(&classes->at);
}

void stage_read_rows(struct pd_job *job, struct pd_rows *rows)
{
    struct pd_slices_reader r;
    struct pd_pair pair;
    pd_slices_open(&r, job);
    for (;;) {
        PD_CHECK(pd_slices_next_file(&r) == PD_OK);
        if (r.rows_left == 0)
            break;
        PD_CHECK(r.at.rows == rows->n);
        PD_CHECK(pd_slices_pair(&r, rows, &pair) == PD_OK);
    }
    pd_slices_close(&r);
}

/* A column of the result that is open, read as a whole. */
struct read_column {
    const char *table, *name;
    struct pd_cells cells;
    uint64_t rows;
};
static struct read_column columns[80];
static size_t ncolumns;

struct pd_result *stage_result_open(const char *path)
{
    struct pd_result *r;
    PD_CHECK(ncolumns == 0);
    if (pd_result_open(path, &r) < 0)
        pd_panic("%s: %s", path, pd_error_text());
    return r;
}

void stage_result_close(struct pd_result *r)
{
    for (; ncolumns > 0; ncolumns--)
        pd_bytes_release(&columns[ncolumns - 1].cells.values);
    pd_result_close(r);
}

uint64_t stage_rows(struct pd_result *r, const char *table)
{
    uint64_t rows = 0;
    if (pd_result_rows(r, table, &rows) < 0)
        pd_panic("%s: %s", table, pd_error_text());
    return rows;
}

static const struct pd_cells *column_of(struct pd_result *r, const char *table, const char *name,
                                        uint64_t row)
{
    size_t k = 0;
    while (k < ncolumns &&
           (strcmp(columns[k].table, table) != 0 || strcmp(columns[k].name, name) != 0))
        k++;
    if (k == ncolumns) {
        PD_CHECK(++ncolumns < sizeof columns / sizeof *columns);
        columns[k] = (struct read_column){.table = table, .name = name};
        columns[k].rows = stage_rows(r, table);
        if (pd_result_read(r, table, name, 0, columns[k].rows, &columns[k].cells) < 0)
            pd_panic("%s/%s: %s", table, name, pd_error_text());
    }
    PD_CHECK(row < columns[k].rows);
    return &columns[k].cells;
}

int64_t stage_cell(struct pd_result *r, const char *table, const char *column, uint64_t row)
{
    const struct pd_cells *cells = column_of(r, table, column, row);
    PD_CHECK(cells->kind == PD_VALUES_COUNT || cells->kind == PD_VALUES_SIGNED);
    return pd_cells_signed(cells, row);
}

double stage_real(struct pd_result *r, const char *table, const char *column, uint64_t row)
{
    const struct pd_cells *cells = column_of(r, table, column, row);
    PD_CHECK(cells->kind == PD_VALUES_REAL);
    return pd_cells_real(cells, row);
}

const char *stage_text_cell(struct pd_result *r, const char *table, const char *column,
                            uint64_t row)
{
    static char text[4096];
    size_t n;
    const struct pd_cells *cells = column_of(r, table, column, row);
    PD_CHECK(cells->kind == PD_VALUES_TEXT);
    const char *value = pd_cells_text(cells, row, &n);
    snprintf(text, sizeof text, "%.*s", (int)n, value);
    return text;
}
