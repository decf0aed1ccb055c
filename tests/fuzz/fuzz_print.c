/*
 * tests/fuzz/fuzz_print.c - any bytes as an id, a cell and a passage: what show and export print of
 * them is valid, no wider than the terminal, and nothing that a terminal obeys.
 */
#include <stdlib.h>

#include "app/print.h"
#include "app/show/columns.h"
#include "app/show/show.h"
#include "fuzz.h"
#include "pardup/base/plain.h"
#include "pardup/base/raw.h"

enum { WIDTHS = 61 };

static FILE *screen; /* what is printed */
static char *printed;
static size_t printed_n;

static void begin(FILE **before)
{
    screen = open_memstream(&printed, &printed_n);
    PD_CHECK(screen);
    *before = stdout;
    stdout = screen;
}

static void end(FILE *before)
{
    stdout = before;
    PD_CHECK(fclose(screen) == 0);
}

/*
 * Nothing but shown characters, and line ends if these are allowed; no line is wider than `width`.
 */
static void check_printed(bool lines, size_t width)
{
    size_t columns = 0;
    for (size_t at = 0, bytes; at < printed_n; at += bytes) {
        uint32_t c;
        const enum pd_plain_kind kind = pd_plain_at(printed + at, printed_n - at, &bytes, &c);
        const bool end = lines && c == '\n';
        PD_CHECK(kind == PD_PLAIN_SHOWN || end);
        columns = end ? 0 : columns + (size_t)pd_glyph_at(printed, printed_n, at).columns;
        PD_CHECK(!lines || columns <= width);
    }
    free(printed);
}

static void draw(const struct pd_document *d, size_t width, size_t split)
{
    const struct pd_passage_text sides[2] = {pd_passage_text_of(d, 0, split),
                                             pd_passage_text_of(d, split, d->text_n)};
    struct pd_alignment alignment = PD_ALIGNMENT;
    uint64_t *terms[2];
    for (int s = 0; s < 2; s++) {
        terms[s] = malloc((sides[s].nwords + 1) * sizeof *terms[s]);
        PD_CHECK(terms[s]);
        for (uint32_t w = 0; w < sides[s].nwords; w++)
            terms[s][w] = sides[s].words[w].term;
    }
    pd_align(&alignment, (struct pd_spoken){terms[0], sides[0].nwords},
             (struct pd_spoken){terms[1], sides[1].nwords});
    FILE *before;
    begin(&before);
    pd_draw_passage(&(struct pd_drawing){.terminal = {.width = width}, .lines = split % 9}, sides,
                    &alignment.runs);
    end(before);
    check_printed(true, width);
    free(terms[0]);
    free(terms[1]);
    pd_alignment_release(&alignment);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    struct pd_document d = {0}; /* new each time: arrays that a used one has are not there */
    unsigned char how[2];
    enum pd_skip why;
    FILE *before;
    fuzz_settings(data, &n, how, sizeof how);
    const size_t width = PD_LEAST_WIDTH + how[0] % WIDTHS;
    begin(&before);
    pd_print_cell(stdout, (const char *)data, n);
    end(before);
    check_printed(false, 0);
    begin(&before);
    pd_print_json((const char *)data, n);
    end(before);
    check_printed(false, 0);
    begin(&before);
    pd_print_wrapped((const char *)data, n, width, 2, 4);
    end(before);
    check_printed(true, width);
    begin(&before);
    pd_print_tables((const char *)data, n, width);
    end(before);
    check_printed(true, width);
    const struct pd_raw raw = {.id = "a", .id_n = 1, .body = data, .n = n, .media = PD_MEDIA_TEXT};
    if (n && pd_document_read(&d, &raw, &why) == PD_OK && d.text_n)
        draw(&d, width, how[1] % d.text_n);
    pd_document_release(&d);
    return 0;
}
