/* tools/synth/bad.c - see src/tools/synth/bad.h */
#include "bad.h"

#include "pardup/base/error.h"

#define HUGE_BYTES   ((size_t)20 << 20) /* of a huge page */
#define REPETITIONS  10000              /* of the sentence of a repetitive page */
#define BINARY_BYTES ((size_t)64 << 10) /* of a binary page */

static const char *const html = "text/html; charset=utf-8";

/* The record that is being made. */
struct bad {
    struct pd_synth_maker *maker;
    struct pd_synth_packer *packer;
    struct pd_bytes body, url, record;
    struct pd_bytes *out;
};

/* Append b->body as a record to b->out. */
static void write_bad(struct bad *b, const char *id, const char *type)
{
    b->record.n = 0;
    pd_synth_url(b->maker, b->maker->plan.documents, 0, &b->url);
    pd_synth_warc(id, &b->url, type, b->body.v, b->body.n, &b->record);
    pd_synth_gzip(b->packer, &b->record, b->out);
}

static void put(struct bad *b, const char *s) { pd_bytes_append(&b->body, s, strlen(s)); }

static void put_sentence(struct bad *b, uint64_t number)
{
    pd_synth_sentence_text(
        &b->maker->words,
        pd_synth_key((uint64_t)b->maker->options.seed, PD_SYNTH_WORDS, UINT64_MAX, number),
        &b->body);
}

static void bad_empty(struct bad *b) { write_bad(b, "bad-empty", html); }

static void bad_huge(struct bad *b)
{
    put(b, "<html><body>");
    for (uint64_t k = 0; b->body.n < HUGE_BYTES; k++) {
        put(b, "<p>");
        put_sentence(b, k);
        put(b, "</p>\n");
    }
    put(b, "</body></html>");
    write_bad(b, "bad-huge", html);
}

static void bad_repeat(struct bad *b)
{
    put(b, "<html><body>");
    for (int k = 0; k < REPETITIONS; k++) {
        put(b, "<p>");
        put_sentence(b, 0);
        put(b, "</p>\n");
    }
    put(b, "</body></html>");
    write_bad(b, "bad-repeat", html);
}

/* The page claims to be UTF-8, and is windows-1252. */
static void bad_charset(struct bad *b)
{
    put(b, "<html><body><p>Caf\xE9 \x93quoted\x94 na\xEFve \x96 d\xE9j\xE0 vu.</p></body></html>");
    write_bad(b, "bad-charset", html);
}

static void bad_binary(struct bad *b)
{
    struct pd_synth_random r = {(uint64_t)b->maker->options.seed};
    while (b->body.n < BINARY_BYTES)
        pd_bytes_push(&b->body, (unsigned char)pd_synth_next(&r));
    write_bad(b, "bad-binary", html);
}

static void bad_twice(struct bad *b)
{
    for (uint64_t k = 0; k < 2; k++) {
        b->body.n = 0;
        put(b, "<html><body><p>");
        put_sentence(b, k);
        put(b, "</p></body></html>");
        write_bad(b, "bad-twice", html);
    }
}

/* The gzip member loses its second half. */
static void bad_cut(struct bad *b)
{
    put(b, "<html><body><p>");
    put_sentence(b, 0);
    put(b, "</p></body></html>");
    const size_t before = b->out->n;
    write_bad(b, "bad-cut", html);
    b->out->n = before + (b->out->n - before) / 2;
}

static const struct {
    const char *name;
    void (*write)(struct bad *);
} cases[] = {{"empty", bad_empty},     {"huge", bad_huge},     {"repeat", bad_repeat},
             {"charset", bad_charset}, {"binary", bad_binary}, {"twice", bad_twice},
             {"cut", bad_cut}}; /* the last, because nothing behind it can be read */
enum { NCASES = sizeof cases / sizeof *cases };

/* Set bit k of *wanted for each case k that is named in `list`. */
static int parse_list(const char *list, unsigned *wanted)
{
    *wanted = 0;
    for (const char *s = list; *s; s += strcspn(s, ","), s += *s == ',') {
        const size_t n = strcspn(s, ",");
        unsigned which = 0;
        while (which < NCASES &&
               (strlen(cases[which].name) != n || memcmp(cases[which].name, s, n) != 0))
            which++;
        if (which == NCASES)
            return pd_fail(PD_EUSAGE,
                           "--bad %s: expected some of: empty,huge,repeat,charset,binary,"
                           "twice,cut",
                           list);
        *wanted |= 1u << which;
    }
    return PD_OK;
}

int pd_synth_bad_check(const char *list)
{
    unsigned wanted;
    return parse_list(list, &wanted);
}

int pd_synth_bad(struct pd_synth_maker *m, const char *list, struct pd_synth_packer *packer,
                 struct pd_bytes *out)
{
    unsigned wanted;
    PD_TRY(parse_list(list, &wanted));
    struct bad b = {.maker = m, .packer = packer, .out = out};
    for (unsigned which = 0; which < NCASES; which++) {
        b.body.n = 0;
        if (wanted >> which & 1)
            cases[which].write(&b);
    }
    PD_RELEASE(pd_bytes, &b.body, &b.url, &b.record);
    return PD_OK;
}
