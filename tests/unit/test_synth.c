/* Unit tests of synth/: pages and truth against what document/ makes of the same HTML. */
#include "pd_cunit.h"

#include <stdio.h>
#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pardup/document/document.h"
#include "pardup/document/html.h"
#include "tools/synth/bad.h"
#include "tools/synth/truth.h"

static const struct pd_synth_options usual = {.seed = 7,
                                              .documents = 600,
                                              .bytes = 1,
                                              .page_bytes = 22500,
                                              .shard_bytes = 1 << 30,
                                              .near = 0.24,
                                              .partial = 0.15,
                                              .tau = 0.9};

static struct pd_synth_maker *open_maker(enum pd_synth_profile profile, int64_t documents)
{
    struct pd_synth_options o = usual;
    struct pd_synth_maker *m = pd_realloc(NULL, 1, sizeof *m);
    memset(m, 0, sizeof *m);
    o.profile = profile;
    o.documents = documents;
    CU_ASSERT_EQUAL(pd_synth_open(m, &o), PD_OK);
    return m;
}

static void close_maker(struct pd_synth_maker *m)
{
    pd_synth_close(m);
    free(m);
}

static void test_permutation(void)
{
    static const uint64_t sizes[] = {1, 2, 3, 17, 256, 1000, 4097};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const uint64_t n = sizes[s];
        unsigned char *seen = calloc(n, 1);
        for (uint64_t x = 0; x < n; x++) {
            const uint64_t y = pd_synth_permute(99, n, x);
            CU_ASSERT_FATAL(y < n);
            CU_ASSERT(!seen[y]);
            seen[y] = 1;
            CU_ASSERT_EQUAL(pd_synth_unpermute(99, n, y), x);
        }
        free(seen);
    }
}

static void test_normal(void)
{
    CU_ASSERT_DOUBLE_EQUAL(pd_synth_normal(0.5), 0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(pd_synth_normal(0.975), 1.959963985, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(pd_synth_normal(0.1), -1.281551566, 1e-8);
}

static void test_page_lengths(void)
{
    CU_ASSERT_EQUAL(pd_synth_page_sentences(0.1), 2);
    CU_ASSERT_EQUAL(pd_synth_page_sentences(0.5), 19);
    CU_ASSERT_EQUAL(pd_synth_page_sentences(0.9), 105);
}

/* What pardup reads in a page is what the generator says stands there. */
static void test_text_is_what_html_says(void)
{
    struct pd_synth_maker *m = open_maker(PD_SYNTH_VERSIONS, 600);
    struct pd_synth_content c = {0};
    struct pd_synth_page page = {0};
    struct pd_bytes text = {0};
    for (uint64_t slot = 0; slot < 600; slot++) {
        pd_synth_content(m, slot, &c);
        pd_synth_page(m, slot, &c, &page);
        text.n = 0;
        pd_html_text(page.html.v, page.html.n, &text);
        CU_ASSERT_EQUAL_FATAL(text.n, page.text.n);
        CU_ASSERT_FATAL(memcmp(text.v, page.text.v, text.n) == 0);
        CU_ASSERT_EQUAL_FATAL(page.sentences.n, c.sentences.n);
        for (size_t i = 0; i < c.sentences.n; i++) {
            const struct pd_synth_span at = page.sentences.v[i];
            const struct pd_synth_sentence *s = &c.sentences.v[i];
            CU_ASSERT_EQUAL_FATAL(at.end - at.begin, s->end - s->begin);
            CU_ASSERT(memcmp(text.v + at.begin, c.bytes.v + s->begin, s->end - s->begin) == 0);
        }
    }
    pd_bytes_release(&text);
    pd_synth_content_release(&c);
    pd_synth_page_release(&page);
    close_maker(m);
}

/* A paragraph has four sentences in the mean, and no paragraph is empty. */
static void test_paragraphs(void)
{
    struct pd_synth_maker *m = open_maker(PD_SYNTH_VERSIONS, 200);
    struct pd_synth_content c = {0};
    struct pd_synth_page page = {0};
    size_t neighbours = 0, apart = 0;
    for (uint64_t slot = 0; slot < 200; slot++) {
        pd_synth_content(m, slot, &c);
        pd_synth_page(m, slot, &c, &page);
        const struct pd_synth_span *v = page.sentences.v;
        for (size_t i = 1; i < page.sentences.n; i++, neighbours++)
            apart += memcmp(page.text.v + v[i].begin - 2, "\n\n", 2) == 0;
        CU_ASSERT_PTR_NULL(memmem(page.html.v, page.html.n, "<p></p>", 7));
        CU_ASSERT_PTR_NULL(memmem(page.html.v, page.html.n, "<p>\n<p>", 7));
        CU_ASSERT_PTR_NULL(memmem(page.html.v, page.html.n, "<p></p>\n<p>", 11));
    }
    CU_ASSERT(5 * apart > neighbours && 3 * apart < neighbours);
    pd_synth_content_release(&c);
    pd_synth_page_release(&page);
    close_maker(m);
}

/* The splitter ends sentences where the generator does. */
static void test_sentences_are_sentences(void)
{
    struct pd_synth_maker *m = open_maker(PD_SYNTH_VERSIONS, 600);
    struct pd_synth_content c = {0};
    struct pd_synth_page page = {0};
    struct pd_document d = {0};
    enum pd_skip why;
    size_t planted = 0, found = 0;
    for (uint64_t slot = 0; slot < 600; slot++) {
        pd_synth_content(m, slot, &c);
        pd_synth_page(m, slot, &c, &page);
        const struct pd_raw raw = {.body = page.text.v, .n = page.text.n, .media = PD_MEDIA_TEXT};
        CU_ASSERT_EQUAL(pd_document_read(&d, &raw, &why), PD_OK);
        for (size_t i = 0, k = 0; i < page.sentences.n; i++, planted++) {
            while (k < d.sentences.n && d.sentences.v[k].begin < page.sentences.v[i].begin)
                k++;
            found += k < d.sentences.n && d.sentences.v[k].begin == page.sentences.v[i].begin &&
                     d.sentences.v[k].end == page.sentences.v[i].end;
        }
    }
    CU_ASSERT(planted > 10000);
    CU_ASSERT_EQUAL(found, planted);
    pd_document_release(&d);
    pd_synth_content_release(&c);
    pd_synth_page_release(&page);
    close_maker(m);
}

static void test_any_page_alone(void)
{
    enum { N = 3 * PD_SYNTH_BLOCK };
    struct pd_synth_maker *m = open_maker(PD_SYNTH_LAW, N);
    struct pd_synth_content c = {0}, alone = {0};
    for (uint64_t slot = 1; slot < N; slot += 97) {
        struct pd_synth_maker *fresh = slot % 5 ? NULL : open_maker(PD_SYNTH_LAW, N);
        pd_synth_content(m, slot, &c);
        if (fresh) {
            pd_synth_content(fresh, slot, &alone);
            CU_ASSERT_EQUAL_FATAL(c.bytes.n, alone.bytes.n);
            CU_ASSERT(memcmp(c.bytes.v, alone.bytes.v, c.bytes.n) == 0);
            close_maker(fresh);
        }
    }
    pd_synth_content_release(&c);
    pd_synth_content_release(&alone);
    close_maker(m);
}

static void test_windows_do_not_mix(void)
{
    enum { N = PD_SYNTH_WINDOW + 2 * PD_SYNTH_BLOCK, SLOT = PD_SYNTH_WINDOW + 9 };
    struct pd_synth_maker *m = open_maker(PD_SYNTH_VERSIONS, N);
    struct pd_synth_maker *fresh = open_maker(PD_SYNTH_VERSIONS, N);
    struct pd_synth_content c = {0}, alone = {0};
    pd_synth_content(m, 9, &c); /* the same place of another window */
    pd_synth_content(m, SLOT, &c);
    pd_synth_content(fresh, SLOT, &alone);
    CU_ASSERT_EQUAL_FATAL(c.bytes.n, alone.bytes.n);
    CU_ASSERT(memcmp(c.bytes.v, alone.bytes.v, c.bytes.n) == 0);
    pd_synth_content_release(&c);
    pd_synth_content_release(&alone);
    close_maker(m);
    close_maker(fresh);
}

/* ---- truth ---- */

struct row {
    uint64_t a, b;
    unsigned begin_a, end_a, begin_b, end_b, sentences, same, cut;
    char class[16];
};
PD_VEC(rows, struct row);

/* A sentence of some page. */
struct seen {
    uint64_t hash, page_sentence; /* page << 32 | sentence */
};
PD_VEC(seens, struct seen);

static void parse(const struct pd_bytes *text, struct rows *out)
{
    struct row r;
    double jaccard;
    char *all = strndup((const char *)text->v, text->n), *rest = all;
    for (char *line; (line = strsep(&rest, "\n")) != NULL && *line;) {
        CU_ASSERT_EQUAL(sscanf(line, "synth-%lu\t%u\t%u\tsynth-%lu\t%u\t%u\t%15s\t%u\t%u\t%lf\t%u",
                               &r.a, &r.begin_a, &r.end_a, &r.b, &r.begin_b, &r.end_b, r.class,
                               &r.sentences, &r.same, &jaccard, &r.cut),
                        11);
        rows_push(out, r);
    }
    free(all);
}

static struct pd_synth_page *read_pages(struct pd_synth_maker *m, uint64_t n)
{
    struct pd_synth_page *pages = calloc(n, sizeof *pages);
    struct pd_synth_content c = {0};
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t slot = pd_synth_slot_of(&m->plan, k);
        CU_ASSERT_EQUAL(pd_synth_document_of(&m->plan, slot), k);
        pd_synth_content(m, slot, &c);
        pd_synth_page(m, slot, &c, &pages[k]);
    }
    pd_synth_content_release(&c);
    return pages;
}

static bool same_letters(const unsigned char *a, const unsigned char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) /* but for case and the mark at the end */
        if ((a[i] | 0x20) != (b[i] | 0x20) && !memchr(".!?", a[i], 3))
            return false;
    return true;
}

/* Copies of a run whose sentences are all the same hold the same bytes. Returns how many. */
static size_t check_rows(const struct rows *rows, const struct pd_synth_page *pages)
{
    size_t checked = 0;
    for (size_t k = 0; k < rows->n; k++) {
        const struct row *r = &rows->v[k];
        CU_ASSERT_FATAL(r->a < r->b && r->begin_a < r->end_a && r->begin_b < r->end_b);
        CU_ASSERT_FATAL(r->end_a <= pages[r->a].text.n && r->end_b <= pages[r->b].text.n);
        if (strncmp(r->class, "run", 3) != 0 || r->same != r->sentences)
            continue;
        checked++;
        CU_ASSERT_EQUAL_FATAL(r->end_a - r->begin_a, r->end_b - r->begin_b);
        CU_ASSERT(same_letters(pages[r->a].text.v + r->begin_a, pages[r->b].text.v + r->begin_b,
                               r->end_a - r->begin_a));
    }
    return checked;
}

static bool covered(const struct rows *rows, uint64_t a, struct pd_synth_span at, uint64_t b,
                    struct pd_synth_span other)
{
    for (size_t k = 0; k < rows->n; k++) {
        const struct row *r = &rows->v[k];
        if (r->a == a && r->b == b && r->begin_a <= at.begin && at.end <= r->end_a &&
            r->begin_b <= other.begin && other.end <= r->end_b)
            return true;
    }
    return false;
}

/* Every long sentence that two pages share stands in a row: found by comparing all with all. */
static size_t check_complete(const struct rows *rows, const struct pd_synth_page *pages, uint64_t n)
{
    enum { LONG = 60 /* bytes: not the same by chance */ };
    struct seens all = {0};
    size_t shared = 0;
    for (uint64_t k = 0; k < n; k++)
        for (uint64_t i = 0; i < pages[k].sentences.n; i++) {
            const struct pd_synth_span at = pages[k].sentences.v[i];
            if (at.end - at.begin >= LONG)
                seens_push(&all, (struct seen){
                                     pd_hash_bytes(pages[k].text.v + at.begin, at.end - at.begin),
                                     k << 32 | i});
        }
    pd_sort_records(all.v, all.n, 2, 2);
    for (size_t x = 0; x < all.n; x++)
        for (size_t y = x + 1; y < all.n && all.v[y].hash == all.v[x].hash; y++) {
            const uint64_t a = all.v[x].page_sentence >> 32, b = all.v[y].page_sentence >> 32;
            const struct pd_synth_span at = pages[a].sentences.v[(uint32_t)all.v[x].page_sentence],
                                       to = pages[b].sentences.v[(uint32_t)all.v[y].page_sentence];
            shared++;
            CU_ASSERT(covered(rows, a, at, b, to));
        }
    seens_release(&all);
    return shared;
}

/* What was copied whole stands in one row, however many sentences were put in between. */
static void check_single(const struct rows *rows)
{
    for (size_t k = 1; k < rows->n; k++)
        if (strcmp(rows->v[k].class, "near") == 0)
            CU_ASSERT(rows->v[k].a != rows->v[k - 1].a || rows->v[k].b != rows->v[k - 1].b);
}

/* The sentence of a page that has byte `at`. */
static size_t sentence_at(const struct pd_synth_page *page, unsigned at)
{
    size_t k = 0;
    while (k + 1 < page->sentences.n && page->sentences.v[k].end <= at)
        k++;
    return k;
}

/*
 * Two rows of one pair that go on in the same order have more than 10 sentences between them in one
 * of the pages. */
static void check_apart(const struct rows *rows, const struct pd_synth_page *pages)
{
    enum { NEXT = 1, GAP_MOST = 10 };
    for (size_t k = 1; k < rows->n; k++) {
        const struct row *x = &rows->v[k - 1], *y = &rows->v[k];
        if (x->a != y->a || x->b != y->b)
            continue;
        const size_t i = sentence_at(&pages[x->a], x->end_a - 1),
                     j = sentence_at(&pages[x->b], x->end_b - 1);
        const size_t i2 = sentence_at(&pages[y->a], y->begin_a),
                     j2 = sentence_at(&pages[y->b], y->begin_b);
        if (i2 < i || j2 < j)
            continue;
        const size_t most = i2 - i > j2 - j ? i2 - i : j2 - j;
        CU_ASSERT(most > GAP_MOST + NEXT);
    }
}

static void judge_truth(enum pd_synth_profile profile)
{
    enum { N = 400 };
    struct pd_synth_maker *m = open_maker(profile, N);
    struct pd_synth_page *pages = read_pages(m, N);
    struct pd_synth_stats *stats = calloc(1, sizeof *stats);
    struct pd_bytes text = {0};
    struct rows rows = {0};
    pd_synth_truth(m, 0, &text, stats);
    parse(&text, &rows);
    CU_ASSERT(rows.n > 100);
    CU_ASSERT(check_rows(&rows, pages) > (profile == PD_SYNTH_OCR ? 0 : 20));
    if (profile == PD_SYNTH_VERSIONS)
        check_single(&rows);
    const size_t shared = check_complete(&rows, pages, N);
    CU_ASSERT(shared > (profile == PD_SYNTH_OCR ? 0 : 1000));
    CU_ASSERT(stats->near_documents > 80 && stats->partial == 60);
    for (uint64_t k = 0; k < N; k++)
        pd_synth_page_release(&pages[k]);
    free(pages);
    free(stats);
    pd_bytes_release(&text);
    rows_release(&rows);
    close_maker(m);
}

/* Passages of one pair are apart, and were not split one sentence early. */
static void test_truth_gaps(void)
{
    enum { N = 6000 };
    struct pd_synth_maker *m = open_maker(PD_SYNTH_LAW, N);
    struct pd_synth_page *pages = read_pages(m, N);
    struct pd_synth_stats *stats = calloc(1, sizeof *stats);
    struct pd_bytes text = {0};
    struct rows rows = {0};
    for (uint64_t block = 0; block * PD_SYNTH_BLOCK < N; block++)
        pd_synth_truth(m, block, &text, stats);
    parse(&text, &rows);
    check_apart(&rows, pages);
    for (uint64_t k = 0; k < N; k++)
        pd_synth_page_release(&pages[k]);
    free(pages);
    free(stats);
    pd_bytes_release(&text);
    rows_release(&rows);
    close_maker(m);
}

static void test_truth_versions(void) { judge_truth(PD_SYNTH_VERSIONS); }
static void test_truth_law(void) { judge_truth(PD_SYNTH_LAW); }
static void test_truth_ocr(void) { judge_truth(PD_SYNTH_OCR); }

/* ---- edits ---- */

static size_t split_words(char *s, char **out)
{
    size_t n = 0;
    for (char *w = strtok(s, " ."); w; w = strtok(NULL, " ."))
        out[n++] = w;
    return n;
}

static double jaccard_of(const char *a, const char *b, size_t n_b)
{
    enum { MOST = 64 };
    char *left = strdup(a), *right = strndup(b, n_b), *v[MOST], *w[MOST];
    const size_t n = split_words(left, v), m = split_words(right, w);
    size_t both = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            both += strcasecmp(v[i], w[j]) == 0;
    free(left);
    free(right);
    return (double)both / (double)(n + m - both);
}

static void test_edits_at_tau(void)
{
    static const char text[] = "Alpha bravo charlie delta echo foxtrot golf hotel india juliett "
                               "kilo lima mike november oscar papa quebec romeo sierra tango "
                               "uniform victor whiskey xray yankee zulu.";
    struct pd_synth_words w = {0};
    struct pd_bytes out = {0};
    pd_synth_words_init(&w);
    for (uint64_t k = 0; k < 50; k++) {
        struct pd_synth_random r = {k};
        const struct pd_synth_editor e = {&w, 0.9, &r};
        const unsigned char *s = (const unsigned char *)text;
        out.n = 0;
        CU_ASSERT(pd_synth_edit(&e, PD_SYNTH_ABOVE, s, sizeof text - 1, &out));
        CU_ASSERT_DOUBLE_EQUAL(jaccard_of(text, (char *)out.v, out.n), 25. / 27, 1e-9);
        out.n = 0;
        pd_synth_edit(&e, PD_SYNTH_BELOW, s, sizeof text - 1, &out);
        CU_ASSERT_DOUBLE_EQUAL(jaccard_of(text, (char *)out.v, out.n), 24. / 28, 1e-9);
        out.n = 0;
        CU_ASSERT(!pd_synth_edit(&e, PD_SYNTH_MARKS, s, sizeof text - 1, &out));
        CU_ASSERT(out.n == sizeof text - 1 && memcmp(out.v, text, out.n) != 0);
        CU_ASSERT(same_letters(out.v, s, out.n - 1));
    }
    pd_bytes_release(&out);
    pd_synth_words_release(&w);
}

static void test_misread(void)
{
    enum { N = 100000 };
    unsigned char *s = pd_realloc(NULL, N, 1);
    struct pd_synth_random r = {1};
    size_t wrong = 0;
    memset(s, 'm', N);
    pd_synth_misread(0.03, &r, s, N);
    for (size_t i = 0; i < N; i++) {
        CU_ASSERT(s[i] >= 'a' && s[i] <= 'z');
        wrong += s[i] != 'm';
    }
    CU_ASSERT(wrong > N * 28 / 1000 && wrong < N * 32 / 1000);
    free(s);
}

/* ---- language ---- */

static void test_vocabulary_grows(void)
{
    enum { DRAWS = 400000 };
    struct pd_synth_words w = {0};
    uint64_t *seen = pd_realloc(NULL, DRAWS, sizeof *seen);
    size_t distinct[2] = {0};
    pd_synth_words_init(&w);
    for (int half = 0; half < 2; half++) {
        const size_t n = DRAWS / 2 * (size_t)(half + 1);
        struct pd_synth_random r = {5};
        for (size_t k = 0; k < n; k++) {
            unsigned char word[PD_SYNTH_WORD];
            seen[k] = pd_hash_bytes(word, pd_synth_word(&w, &r, 1, word));
        }
        pd_sort_records(seen, n, 1, 1);
        for (size_t k = 0; k < n; k++)
            distinct[half] += k == 0 || seen[k] != seen[k - 1];
    }
    CU_ASSERT(distinct[0] > 20000);
    CU_ASSERT((double)distinct[1] > 1.3 * (double)distinct[0]);
    free(seen);
    pd_synth_words_release(&w);
}

static void test_learn(void)
{
    char path[] = "pardup-learn-XXXXXX"; /* in the folder of the build */
    struct pd_synth_words w = {0};
    unsigned char word[PD_SYNTH_WORD];
    FILE *f = fdopen(mkstemp(path), "w");
    for (int k = 0; k < 100; k++)
        fputs("Wolves howl wolves. Howl wolves howl wolves wolves!", f);
    fclose(f);
    pd_synth_words_init(&w);
    CU_ASSERT_EQUAL(pd_synth_words_learn(&w, path), PD_OK);
    CU_ASSERT_EQUAL(w.lengths[0], 3);
    CU_ASSERT_EQUAL(w.lengths[PD_SYNTH_LENGTHS - 1], 5);
    struct pd_synth_random r = {1};
    size_t wolves = 0, howl = 0;
    for (int k = 0; k < 8000; k++) {
        const size_t n = pd_synth_word(&w, &r, 1, word);
        wolves += n == 6 && memcmp(word, "wolves", 6) == 0;
        howl += n == 4 && memcmp(word, "howl", 4) == 0;
    }
    CU_ASSERT(wolves > 4800 && wolves < 5200 && howl > 2800 && howl < 3200);
    remove(path);
    CU_ASSERT_EQUAL(pd_synth_words_learn(&w, path), PD_EIO);
    pd_error_clear();
    pd_synth_words_release(&w);
}

static void test_chance(void)
{
    uint64_t hashes[] = {7, 1, 7, 2, 7, 2};
    CU_ASSERT_EQUAL(pd_synth_chance_pairs(hashes, 6, 1), 4);
    CU_ASSERT_EQUAL(pd_synth_chance_pairs(hashes, 6, 10), 40);
}

static void test_bad_names(void)
{
    struct pd_synth_maker *m = open_maker(PD_SYNTH_VERSIONS, 10);
    struct pd_synth_packer k;
    struct pd_bytes out = {0};
    pd_synth_packer_init(&k);
    CU_ASSERT_EQUAL(pd_synth_bad(m, "empty,twice", &k, &out), PD_OK);
    CU_ASSERT(out.n > 0);
    CU_ASSERT_EQUAL(pd_synth_bad(m, "empty,evil", &k, &out), PD_EUSAGE);
    pd_error_clear();
    pd_synth_packer_release(&k);
    pd_bytes_release(&out);
    close_maker(m);
}

/* A record ends with two line ends, which its length does not count. */
static void test_record_is_closed(void)
{
    const char *const body = "<p>Text.</p>", *const url = "http://a.example/";
    struct pd_bytes out = {0}, address = {0};
    pd_bytes_append(&address, url, strlen(url));
    pd_synth_warc("id", &address, "text/html", body, strlen(body), &out);
    pd_bytes_push(&out, '\0');
    const char *text = (const char *)out.v, *head_end = strstr(text, "\r\n\r\n");
    const char *length = strstr(text, "Content-Length: ");
    CU_ASSERT_FATAL(head_end && length && length < head_end);
    const size_t n = strtoul(length + strlen("Content-Length: "), NULL, 10);
    CU_ASSERT_EQUAL_FATAL(head_end + 4 - text + n + 4, out.n - 1);
    CU_ASSERT_STRING_EQUAL(head_end + 4 + n, "\r\n\r\n");
    CU_ASSERT_EQUAL(memcmp(head_end + 4 + n - strlen(body), body, strlen(body)), 0);
    pd_bytes_release(&out);
    pd_bytes_release(&address);
}

int main(int argc, char **argv)
{
    const CU_TestInfo tests[] = {
        PD_TEST(test_permutation),      PD_TEST(test_normal),
        PD_TEST(test_page_lengths),     PD_TEST(test_text_is_what_html_says),
        PD_TEST(test_paragraphs),       PD_TEST(test_sentences_are_sentences),
        PD_TEST(test_any_page_alone),   PD_TEST(test_windows_do_not_mix),
        PD_TEST(test_truth_versions),   PD_TEST(test_truth_law),
        PD_TEST(test_truth_ocr),        PD_TEST(test_truth_gaps),
        PD_TEST(test_edits_at_tau),     PD_TEST(test_misread),
        PD_TEST(test_vocabulary_grows), PD_TEST(test_learn),
        PD_TEST(test_chance),           PD_TEST(test_bad_names),
        PD_TEST(test_record_is_closed), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "synth", tests);
}
