/*
 * app/export/sarif.c - pardup export --format sarif: passages as findings of a build, with files
 * and lines (SARIF 2.1.0, OASIS 2020); see export.h
 */
#include <string.h>

#include "app/print.h"
#include "export.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/base/real.h"
#include "pardup/document/origin.h"
#include "pardup/document/word.h"
#include "pardup/passage/alignment.h"
#include "pardup/result/table.h"

enum { DIFFERENCES_MOST = 4, QUOTED_MOST = 80 }; /* that a message tells; bytes of each side */

enum { DOC, BEGIN = DOC + 2, END = BEGIN + 2 };
static const char *const columns[] = {"doc_a", "doc_b", "begin_a", "begin_b",
                                      "end_a", "end_b", NULL};

/* Columns of pd_fetch.files and pd_fetch.documents that are looked at (run/stage/collection/fetch.c). */
enum { FILE_PATH, FILE_BYTES };
enum { DOCUMENT_OFFSET = 2, DOCUMENT_SKIP = 3 };

static const char head[] =
    "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":"
    "{\"name\":\"pardup\",\"version\":\"" PARDUP_VERSION "\",\"rules\":["
    "{\"id\":\"copied-text\",\"name\":\"CopiedText\",\"shortDescription\":{\"text\":\"The same "
    "text "
    "stands in two places.\"},\"defaultConfiguration\":{\"level\":\"note\"}},"
    "{\"id\":\"changed-copy\",\"name\":\"ChangedCopy\",\"shortDescription\":{\"text\":\"Two copies "
    "of one text differ: one was changed, and the other was not.\"},"
    "\"defaultConfiguration\":{\"level\":\"warning\"}}]}},"
    "\"columnKind\":\"unicodeCodePoints\",\"results\":[";

/* One side of a passage. */
struct side {
    const struct pd_fetch *from;
    uint64_t begin, end; /* bytes of the text */
    const struct pd_word *words;
    uint32_t nwords;
    const unsigned char
        *file; /* what lines are counted in; NULL: the place in the file is unknown */
    uint64_t from_byte, to_byte; /* of the file */
};

struct findings {
    struct pd_exporting *x;
    struct side sides[2];
    struct pd_alignment alignment;
    struct pd_u64s terms[2];
    struct pd_trace traces[2]; /* of the texts of both sides */
    struct pd_cuts cuts[2];    /* buffer: the passage in the text, and in the file */
    struct pd_bytes text;      /* buffer: what is printed next */
};

/* Is the text that was read last all of its file? A byte order mark is no text. */
static bool is_whole_file(const struct pd_fetch *f)
{
    enum { MARK = 3 };
    const uint64_t bytes = pd_table_count(&f->files, FILE_BYTES);
    return !f->sources && !f->document.page &&
           pd_table_count(&f->documents, DOCUMENT_OFFSET) == 0 &&
           pd_table_count(&f->documents, DOCUMENT_SKIP) == 0 &&
           (f->document.text_n == bytes || f->document.text_n + MARK == bytes);
}

/*
 * Find the place of a passage in a page of HTML, if it is a file of its own in UTF-8: where its
 * first byte comes from, and its last one.
 */
static void place_in_page(struct findings *f, struct side *s)
{
    const struct pd_fetch *from = s->from;
    const struct pd_trace *trace = from->document.trace;
    struct pd_cuts *cuts = f->cuts;
    if (from->sources || !from->document.page || !from->body || trace->made[PD_STEP_DECODED] ||
        pd_table_count(&from->documents, DOCUMENT_OFFSET) ||
        pd_table_count(&from->documents, DOCUMENT_SKIP) ||
        from->body_n != pd_table_count(&from->files, FILE_BYTES))
        return;
    cuts[0].n = 0;
    pd_cuts_push(&cuts[0], (struct pd_cut){(uint32_t)s->begin, (uint32_t)s->end});
    if (!pd_trace_cut(trace, &cuts[0], &cuts[1]) || cuts[1].n == 0)
        return;
    s->file = from->body + trace->mark;
    s->from_byte = cuts[1].v[0].begin - trace->mark;
    s->to_byte = cuts[1].v[cuts[1].n - 1].end - trace->mark;
}

/* ---- places ---- */

/* Print where a byte of the file is: its line, and its column in characters, both from 1. */
static void print_spot(const struct side *s, uint64_t at, const char *line, const char *column)
{
    const unsigned char *begin = s->file, *const to = s->file + at;
    uint64_t lines = 1, characters = 1;
    for (const unsigned char *end; (end = memchr(begin, '\n', (size_t)(to - begin))); lines++)
        begin = end + 1;
    for (; begin < to; begin++)
        characters += (*begin & 0xC0) != 0x80;
    printf("\"%s\":%llu,\"%s\":%llu", line, pd_ull(lines), column, pd_ull(characters));
}

/* Append a path as an address: relative to the folder where the job ran, or of this machine. */
static void append_address(struct pd_bytes *to, const char *path, size_t n)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    for (; n > 2 && path[0] == '.' && path[1] == '/'; n -= 2)
        path += 2;
    if (n && path[0] == '/')
        pd_bytes_print(to, "file://");
    for (size_t k = 0; k < n; k++)
        if (path[k] && strchr(plain, path[k]))
            pd_bytes_push(to, (unsigned char)path[k]);
        else
            pd_bytes_print(to, "%%%02X", (unsigned char)path[k]);
}

/* Print what follows the brace of a location: the file, and what of the place in it is known. */
static void print_place(struct findings *f, const struct side *s)
{
    size_t n;
    const char *path = pd_table_text(&s->from->files, FILE_PATH, &n);
    f->text.n = 0;
    append_address(&f->text, path, n);
    printf("\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    pd_print_json((const char *)f->text.v, f->text.n);
    putchar('}');
    if (s->file) {
        printf(",\"region\":{");
        print_spot(s, s->from_byte, "startLine", "startColumn");
        putchar(',');
        print_spot(s, s->to_byte, "endLine", "endColumn");
        putchar('}');
    }
    putchar('}');
    if (!s->file) {
        printf(",\"logicalLocations\":[{\"fullyQualifiedName\":");
        pd_print_json(s->from->id, strlen(s->from->id));
        printf("}]");
    }
}

/* ---- messages ---- */

/* Append s[0, n) as text of a message: white space is a blank, and nothing in it makes a link. */
static void append_text(struct pd_bytes *to, const unsigned char *s, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const bool space = s[k] == ' ' || (s[k] >= '\t' && s[k] <= '\r');
        if (space && to->n && to->v[to->n - 1] == ' ')
            continue;
        if (s[k] == '[' || s[k] == ']' || s[k] == '\\')
            pd_bytes_push(to, '\\');
        pd_bytes_push(to, space ? ' ' : s[k]);
    }
}

/* Append n words of a side in quotes: a long stretch by its beginning. */
static void quote(struct pd_bytes *to, const struct side *s, uint32_t first, uint32_t n)
{
    const unsigned char *text = s->from->document.text;
    const size_t begin = s->words[first].begin, whole = s->words[first + n - 1].end - begin;
    size_t bytes = whole < QUOTED_MOST ? whole : QUOTED_MOST;
    while (bytes < whole && bytes && (text[begin + bytes] & 0xC0) == 0x80)
        bytes--;
    pd_bytes_push(to, '"');
    append_text(to, text + begin, bytes);
    pd_bytes_print(to, "%s\"", bytes < whole ? "..." : "");
}

/* Append the words of a run that have no match. */
static void append_difference(struct findings *f, const struct pd_aligned_run *run)
{
    struct pd_bytes *to = &f->text;
    pd_bytes_print(to, run->na ? run->nb ? "here " : "only here " : "only there ");
    if (run->na)
        quote(to, &f->sides[0], run->a, run->na);
    if (run->na && run->nb)
        pd_bytes_print(to, ", there ");
    if (run->nb)
        quote(to, &f->sides[1], run->b, run->nb);
}

static void append_differences(struct findings *f)
{
    const struct pd_aligned_runs *runs = &f->alignment.runs;
    size_t n = 0;
    for (size_t k = 0; k < runs->n; k++) {
        if (runs->v[k].equal || n++ >= DIFFERENCES_MOST)
            continue;
        pd_bytes_print(&f->text, n == 1 ? " Not alike: " : "; ");
        append_difference(f, &runs->v[k]);
    }
    if (n > DIFFERENCES_MOST)
        pd_bytes_print(&f->text, "; and %zu more", n - DIFFERENCES_MOST);
    if (n)
        pd_bytes_push(&f->text, '.');
}

/* Print the message, whose link 1 is the other side. */
static void print_message(struct findings *f, uint64_t agreed, uint64_t words)
{
    const struct side *other = &f->sides[1];
    struct pd_bytes *to = &f->text;
    size_t n;
    const char *path = pd_table_text(&other->from->files, FILE_PATH, &n);
    to->n = 0;
    pd_bytes_print(to, "The same text stands in [");
    append_text(to, (const unsigned char *)path, n);
    if (agreed == words)
        pd_bytes_print(to, "](1): all %s word%s agree.", pd_grouped(words), pd_plural(words));
    else
        pd_bytes_print(to, "](1): %s of %s word%s agree.", pd_grouped(agreed), pd_grouped(words),
                       pd_plural(words));
    append_differences(f);
    printf("\"message\":{\"text\":");
    pd_print_json((const char *)to->v, to->n);
    putchar('}');
}

/* ---- findings ---- */

static struct pd_spoken spoken(struct pd_u64s *terms, const struct side *s)
{
    pd_u64s_reserve(terms, s->nwords);
    for (uint32_t k = 0; k < s->nwords; k++)
        terms->v[k] = s->words[k].term;
    return (struct pd_spoken){terms->v, s->nwords};
}

static int read_side(struct findings *f, const struct pd_table_reader *t, int k)
{
    struct pd_fetch *from = &f->x->sides[k];
    const uint64_t doc = pd_table_count(t, DOC + k);
    struct side *s = &f->sides[k];
    *s = (struct side){
        .from = from, .begin = pd_table_count(t, BEGIN + k), .end = pd_table_count(t, END + k)};
    PD_TRY(pd_fetch_row(from, doc));
    if (s->begin > s->end || s->end > from->document.text_n)
        return pd_fail(PD_EFORMAT, "%s: passage %llu has bytes that its document has not",
                       pd_result_path(f->x->result), pd_ull(t->row));
    uint32_t first;
    s->nwords = pd_words_between(&from->document.words, s->begin, s->end, &first);
    s->words = s->nwords ? from->document.words.v + first : NULL;
    s->from_byte = s->begin;
    s->to_byte = s->end;
    s->file = is_whole_file(from) ? from->document.text : NULL;
    place_in_page(f, s);
    return PD_OK;
}

static int print_finding(struct findings *f, const struct pd_table_reader *t)
{
    for (int k = 0; k < 2; k++)
        PD_TRY(read_side(f, t, k));
    const struct side *s = f->sides;
    const uint64_t agreed =
        pd_align(&f->alignment, spoken(&f->terms[0], &s[0]), spoken(&f->terms[1], &s[1]));
    const uint64_t words = s[0].nwords > s[1].nwords ? s[0].nwords : s[1].nwords;
    const bool changed = agreed < words;
    printf("%s\n{\"ruleId\":\"%s\",\"ruleIndex\":%d,\"level\":\"%s\",", t->row ? "," : "",
           changed ? "changed-copy" : "copied-text", changed, changed ? "warning" : "note");
    print_message(f, agreed, words);
    printf(",\"locations\":[{");
    print_place(f, &s[0]);
    printf("}],\"relatedLocations\":[{\"id\":1,");
    print_place(f, &s[1]);
    printf(",\"message\":{\"text\":\"the other copy\"}}],\"properties\":{\"passage\":%llu,"
           "\"words\":%llu,\"agreed\":%llu}}",
           pd_ull(t->row), pd_ull(words), pd_ull(agreed));
    return PD_OK;
}

int pd_export_sarif(struct pd_exporting *x)
{
    struct findings f = {.x = x, .alignment = PD_ALIGNMENT};
    struct pd_table_reader t = {.rows = 0};
    int status = pd_export_text_begin(x);
    PD_THEN(status, pd_table_open(&t, x->result, "passages", columns));
    for (int k = 0; k < 2; k++)
        x->sides[k].document.trace = &f.traces[k];
    fputs(head, stdout);
    while (status >= 0 && !ferror(stdout) && (status = pd_table_next(&t)) == PD_OK) {
        status = print_finding(&f, &t);
        pd_progress_tell(&x->progress, t.row, t.rows, 0, 0);
    }
    puts("]}]}");
    pd_table_close(&t);
    pd_alignment_release(&f.alignment);
    for (int k = 0; k < 2; k++) {
        x->sides[k].document.trace = NULL;
        pd_u64s_release(&f.terms[k]);
        pd_trace_release(&f.traces[k]);
        pd_cuts_release(&f.cuts[k]);
    }
    pd_bytes_release(&f.text);
    return status < 0 ? status : PD_OK;
}
