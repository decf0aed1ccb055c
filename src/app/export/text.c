/* app/export/text.c - pardup export --text and --offsets; see export.h */
#include <string.h>

#include "export.h"
#include "pardup/base/error.h"

#define TEXTS_MOST ((size_t)64 << 20) /* bytes of texts that are held */

/*
 * Columns that say where a text stands: passages have two such places, members have one. A member
 * whose document is missing stands in a source of an index.
 */
enum { DOC, BEGIN, END, SOURCE, PLACE_COLUMNS };
static const char *const in_passages[2][PLACE_COLUMNS] = {{"doc_a", "begin_a", "end_a", ""},
                                                          {"doc_b", "begin_b", "end_b", ""}};
static const char *const in_quotations[2][PLACE_COLUMNS] = {
    {"older", "begin_older", "end_older", ""}, {"younger", "begin_younger", "end_younger", ""}};
static const char *const in_members[PLACE_COLUMNS] = {"doc", "begin", "end", "source"};

static int places(const struct pd_exporting *x)
{
    return x->table == &pd_schema[PD_TABLE_PASSAGES] || pd_export_quotes(x) ? 2 : 1;
}

static const char *name_of(const struct pd_exporting *x, int side, int column)
{
    if (pd_export_quotes(x))
        return in_quotations[side][column];
    return places(x) == 2 ? in_passages[side][column] : in_members[column];
}

const char *pd_export_text_name(const struct pd_exporting *x, int side)
{
    static const char *const names[2][2] = {{"text_a", "text_b"}, {"text_older", "text_younger"}};
    return names[pd_export_quotes(x)][side];
}

static struct pd_cells *cells_of(const struct pd_exporting *x, int side, int column)
{
    size_t c = 0;
    while (strcmp(x->table->columns[c].name, name_of(x, side, column)) != 0)
        c++;
    return &x->cells[c];
}

int pd_export_text_begin(struct pd_exporting *x)
{
    x->reads = true;
    const int first = pd_fetch_init(&x->sides[0], x->result);
    const int second = pd_fetch_init_second(&x->sides[1], x->result);
    return first < 0 ? first : second;
}

void pd_export_text_release(struct pd_exporting *x)
{
    for (int side = 0; side < 2 && x->reads; side++) {
        pd_fetch_release(&x->sides[side]);
        PD_RELEASE(pd_bytes, &x->begins[side].values, &x->ends[side].values);
    }
    pd_hash_table_release(&x->texts.by_row);
    pd_read_text_list_release(&x->texts.list);
    pd_bytes_release(&x->texts.bytes);
}

/* Forget what was read if there is no room for another text. Texts of one row stay together. */
static void make_room(struct pd_read_texts *t)
{
    if (t->bytes.n <= TEXTS_MOST)
        return;
    pd_hash_table_release(&t->by_row);
    t->list.n = t->bytes.n = 0;
}

/* Find the text of the document, or read it. */
static int read_text(struct pd_exporting *x, int side, uint64_t doc, struct pd_read_text *text)
{
    struct pd_read_texts *t = &x->texts;
    struct pd_fetch *f = &x->sides[side];
    const uint64_t key = f->sources ? doc | PD_SOURCE_ROW : doc;
    uint64_t at = pd_hash_table_get(&t->by_row, key);
    if (!at) {
        PD_TRY(pd_fetch_row(f, doc));
        pd_read_text_list_push(&t->list, (struct pd_read_text){t->bytes.n, f->document.text_n});
        pd_bytes_append(&t->bytes, f->document.text, f->document.text_n);
        *pd_hash_table_at(&t->by_row, key) = at = t->list.n;
    }
    *text = t->list.v[at - 1];
    return PD_OK;
}

/* Read the document in which bytes [begin, end) are meant. A damaged file may hold any numbers. */
static int fetch(struct pd_exporting *x, int side, uint64_t row, uint64_t begin, uint64_t end,
                 struct pd_read_text *text)
{
    const struct pd_cells *doc = cells_of(x, side, DOC);
    const bool source = places(x) == 1 && pd_cells_signed(doc, row) < 0;
    const uint64_t at = pd_cells_count(source ? cells_of(x, side, SOURCE) : doc, row);
    PD_TRY(read_text(x, source ? 1 : side, at, text));
    if (begin > end || end > text->n)
        return pd_fail(PD_EFORMAT,
                       "%s: a row of /%s has bytes %llu to %llu of document %llu, which has %zu",
                       pd_result_path(x->result), x->table->name, (unsigned long long)begin,
                       (unsigned long long)end, (unsigned long long)at, text->n);
    return PD_OK;
}

/* Does a character go on with this byte? */
static bool goes_on(unsigned char byte) { return (byte & 0xC0) == 0x80; }

static uint64_t count_characters(const unsigned char *s, uint64_t n)
{
    uint64_t count = 0;
    for (uint64_t k = 0; k < n; k++)
        count += !goes_on(s[k]);
    return count;
}

/* Make characters of the bytes at which the texts of a row begin and end. */
static int to_characters(struct pd_exporting *x, int side, uint64_t row)
{
    uint64_t *begin = (uint64_t *)(void *)cells_of(x, side, BEGIN)->values.v + row;
    uint64_t *end = (uint64_t *)(void *)cells_of(x, side, END)->values.v + row;
    struct pd_read_text read;
    make_room(&x->texts);
    PD_TRY(fetch(x, side, row, *begin, *end, &read));
    const unsigned char *text = x->texts.bytes.v + read.at;
    const uint64_t within = count_characters(text + *begin, *end - *begin);
    *begin = count_characters(text, *begin);
    *end = *begin + within;
    return PD_OK;
}

int pd_export_text_rows(struct pd_exporting *x, uint64_t from, uint64_t n)
{
    for (int side = 0; side < places(x); side++) {
        PD_TRY(pd_result_read(x->result, x->table->name, name_of(x, side, BEGIN), from, n,
                              &x->begins[side]));
        PD_TRY(pd_result_read(x->result, x->table->name, name_of(x, side, END), from, n,
                              &x->ends[side]));
        for (uint64_t k = 0; k < n && x->offsets == PD_ROW_CHARS; k++)
            PD_TRY(to_characters(x, side, k));
    }
    return PD_OK;
}

int pd_export_texts(struct pd_exporting *x, uint64_t row, const char *texts[2], size_t n[2])
{
    struct pd_read_text read[2];
    uint64_t begin[2];
    make_room(&x->texts);
    for (int side = 0; side < 2; side++) {
        const bool own = pd_export_quotes(x); /* all rows are at hand */
        const uint64_t end = pd_cells_count(own ? cells_of(x, side, END) : &x->ends[side], row);
        begin[side] = pd_cells_count(own ? cells_of(x, side, BEGIN) : &x->begins[side], row);
        PD_TRY(fetch(x, side, row, begin[side], end, &read[side]));
        n[side] = end - begin[side];
    }
    for (int side = 0; side < 2; side++) { /* reading the second may have moved the first */
        const unsigned char *s = x->texts.bytes.v + read[side].at + begin[side];
        if (n[side] > x->text)
            for (n[side] = x->text; n[side] && goes_on(s[n[side]]);)
                --n[side];
        texts[side] = (const char *)s;
    }
    return PD_OK;
}
