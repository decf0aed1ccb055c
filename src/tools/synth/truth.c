/*
 * tools/synth/truth.c - see src/tools/synth/truth.h
 *
 * All pages of a block that copy or are copied are made again. Two pages share a passage where
 * parts of their sentences have the same roots in the same order.
 */
#include "truth.h"

#include <stdio.h>
#include <stdlib.h>

#include "pardup/base/minmax.h"
#include "pardup/base/record.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"

/* ---- the words of sentences as sets, by the same rules for words as in pardup ---- */

/* A set of hashes, borrowed. */
struct pd_synth_set {
    const uint64_t *v, *end; /* [v, end): ascending, each hash once */
};

#define SHORT_MOST 80     /* bytes: longer sentences are hardly ever the same by chance */
#define ALL_KEPT   200000 /* up to this number of documents all hashes are kept */

static bool is_word_byte(const unsigned char *s, size_t i)
{
    const unsigned char c = s[i];
    if (c >= 0x80) /* é is a letter; the no-break space and the dash are not */
        return c == 0xC3 || (c == 0xA9 && i > 0 && s[i - 1] == 0xC3);
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Append the hashes of the words of s[0, n), ascending, each once. */
static void synth_word_set(const unsigned char *s, size_t n, struct pd_synth_hashes *out)
{
    enum { WORD_MOST = 64 }; /* bytes of a word that count */
    const size_t first = out->n;
    for (size_t i = 0; i < n;) {
        unsigned char word[WORD_MOST];
        size_t len = 0;
        for (; i < n && is_word_byte(s, i); i++)
            if (len < WORD_MOST)
                word[len++] = s[i] < 0x80 ? s[i] | 0x20 : s[i];
        if (len > 0)
            pd_synth_hashes_push(out, pd_hash_bytes(word, len));
        else
            i++;
    }
    pd_sort_records(out->v + first, out->n - first, 1, 1);
    size_t kept = first;
    for (size_t k = first; k < out->n; k++)
        if (k == first || out->v[k] != out->v[k - 1])
            out->v[kept++] = out->v[k];
    out->n = kept;
}

/* The Jaccard index; 1 for two empty sets. */
static double synth_jaccard(struct pd_synth_set a, struct pd_synth_set b)
{
    const size_t sum = (size_t)(a.end - a.v) + (size_t)(b.end - b.v);
    size_t both = 0;
    while (a.v < a.end && b.v < b.end) {
        const uint64_t x = *a.v, y = *b.v;
        both += x == y;
        a.v += x <= y;
        b.v += y <= x;
    }
    return sum > both ? (double)both / (double)(sum - both) : 1;
}

/* The number of words of s[0, n). */
static size_t synth_count_words(const unsigned char *s, size_t n)
{
    size_t words = 0;
    for (size_t i = 0; i < n; i++)
        words += is_word_byte(s, i) && (i == 0 || !is_word_byte(s, i - 1));
    return words;
}

/* ---- the same by chance ---- */

void pd_synth_chance_init(struct pd_synth_chance *c, uint64_t documents)
{
    c->own.n = 0;
    c->every = 1 + documents / ALL_KEPT;
}

void pd_synth_chance_add(struct pd_synth_chance *c, const struct pd_synth_content *content)
{
    struct pd_synth_hashes words = {0};
    for (size_t k = 0; k < content->sentences.n; k++) {
        const struct pd_synth_sentence *s = &content->sentences.v[k];
        const unsigned char *text = content->bytes.v + s->begin;
        if (s->copied || s->cut || s->end - s->begin > SHORT_MOST)
            continue;
        words.n = 0;
        synth_word_set(text, s->end - s->begin, &words);
        const uint64_t hash = pd_hash_bytes(words.v, words.n * sizeof *words.v);
        if (hash % c->every == 0)
            pd_synth_hashes_push(&c->own, hash);
    }
    pd_synth_hashes_release(&words);
}

uint64_t pd_synth_chance_pairs(uint64_t *hashes, size_t n, uint64_t every)
{
    uint64_t pairs = 0, same = 0;
    pd_sort_records(hashes, n, 1, 1);
    for (size_t k = 1; k < n; k++) {
        same = hashes[k] == hashes[k - 1] ? same + 1 : 0;
        pairs += same;
    }
    return pairs * every;
}

/* ---- what is planted ---- */

#define GAP_MOST      10 /* sentences without a partner between two of a passage, in either page */
#define SHORT         4  /* sentences of a passage: fewer are not found with the default --gamma */
#define OVERLAP_LEAST 8  /* bytes: a shorter overlap of two halves of a sentence does not count */

const char *const pd_synth_truth_columns =
    "# "
    "doc_a\tbegin_a\tend_a\tdoc_b\tbegin_b\tend_b\tclass\tsentences\tsame\tjaccard\tcut\tprofile\t"
    "same_host\n";

const char *const pd_synth_class_names[] = {"near",    "near-short", "run-1",     "run-2",
                                            "run-3-4", "run-5-9",    "run-10-49", "indirect"};

/* A part of a page, to be found by its root. Sorted by both members. */
struct part_ref {
    uint64_t root;
    uint64_t where; /* page << 32 | sentence << 1 | part */
};
PD_VEC(part_refs, struct part_ref);

/* A page of the block that copies or is copied. */
struct member {
    uint64_t slot;
    uint64_t document;
    const struct pd_synth_slot *plan;
    struct pd_synth_content content;
    struct pd_synth_spans spans;  /* its sentences in the text of the page */
    struct part_refs parts;       /* the parts of its sentences */
    struct pd_synth_hashes words; /* the word sets of all sentences, one after the other */
    struct pd_synth_hashes first; /* where the word set of each sentence begins, and the end */
};
PD_VEC(members, struct member);

/* A part of a sentence of a page. */
struct part_at {
    const struct member *page;
    uint32_t sentence, part;
};

/* Text that is the same in two pages a and b. */
struct shared {
    uint32_t i, j;           /* the sentence of a, of b */
    uint32_t begin_a, end_a; /* bytes of the text of the page */
    uint32_t begin_b, end_b;
    bool whole; /* the sentences as wholes are copies of each other */
};

/* A passage that two pages share. */
struct passage {
    struct shared first, last;
    uint32_t sentences; /* pairs of sentences that are copies of each other */
    uint32_t same;      /* pairs with the same set of words */
    double jaccard;     /* sum of the Jaccard indices of the pairs */
    bool cut;           /* a shared text is only half of a sentence */
};

struct truth {
    struct pd_synth_maker *maker;
    struct members members;
    struct part_refs parts; /* of all members */
    struct pd_bytes *rows;
    struct pd_synth_stats *stats;
};

/* ---- the pages of a block that copy or are copied ---- */

static void read_member(struct truth *t, struct member *m, struct pd_synth_page *page)
{
    const uint32_t number = (uint32_t)t->members.n;
    pd_synth_content(t->maker, m->slot, &m->content);
    pd_synth_page(t->maker, m->slot, &m->content, page);
    pd_synth_spans_reserve(&m->spans, page->sentences.n);
    if (page->sentences.n) /* a page can be empty, and its array NULL */
        memcpy(m->spans.v, page->sentences.v, page->sentences.n * sizeof *m->spans.v);
    for (uint32_t i = 0; i < m->content.sentences.n; i++) {
        const struct pd_synth_sentence *s = &m->content.sentences.v[i];
        pd_synth_hashes_push(&m->first, m->words.n);
        synth_word_set(m->content.bytes.v + s->begin, s->end - s->begin, &m->words);
        for (uint32_t k = 0; k < s->nparts; k++) {
            const struct part_ref p = {s->part[k].root, (uint64_t)number << 32 | i << 1 | k};
            part_refs_push(&m->parts, p);
            part_refs_push(&t->parts, p);
        }
    }
    pd_synth_hashes_push(&m->first, m->words.n);
    pd_sort_records(m->parts.v, m->parts.n, 2, 2);
}

static void read_members(struct truth *t, uint64_t block)
{
    const struct pd_synth_slots *b = pd_synth_block(&t->maker->plan, block);
    unsigned char *takes_part = pd_zeroed(b->n, 1);
    struct pd_synth_page page = {.which = 0};
    for (size_t k = 0; k < b->n; k++)
        if (b->v[k].parent != PD_SYNTH_NONE)
            takes_part[k] = takes_part[b->v[k].parent] = 1;
    for (size_t k = 0; k < b->n; k++) {
        if (!takes_part[k])
            continue;
        struct member m = {.slot = block * PD_SYNTH_BLOCK + k, .plan = &b->v[k]};
        m.document = pd_synth_document_of(&t->maker->plan, m.slot);
        read_member(t, &m, &page);
        members_push(&t->members, m);
    }
    pd_sort_records(t->parts.v, t->parts.n, 2, 2);
    pd_synth_page_release(&page);
    free(takes_part);
}

static void release(struct truth *t)
{
    for (size_t k = 0; k < t->members.n; k++) {
        struct member *m = &t->members.v[k];
        pd_synth_content_release(&m->content);
        pd_synth_spans_release(&m->spans);
        part_refs_release(&m->parts);
        PD_RELEASE(pd_synth_hashes, &m->words, &m->first);
    }
    members_release(&t->members);
    part_refs_release(&t->parts);
}

/* ---- a pair of pages ---- */

static struct pd_synth_set words_at(const struct member *m, uint32_t i)
{
    return (struct pd_synth_set){m->words.v + m->first.v[i], m->words.v + m->first.v[i + 1]};
}

/* The first part with this root, or where it would be. */
static const struct part_ref *find_root(const struct part_refs *p, uint64_t root)
{
    return p->v + pd_search_first(p->v, p->n, sizeof *p->v, offsetof(struct part_ref, root), root);
}

/* The bin of a partial copy of `run` sentences, below PD_SYNTH_RUNS. */
static unsigned run_class(uint32_t run)
{
    return run <= 2 ? run == 2 : run <= 4 ? 2 : run <= 9 ? 3 : 4;
}

static const struct pd_synth_sentence *sentence_at(const struct part_at *p)
{
    return &p->page->content.sentences.v[p->sentence];
}

/*
 * Set *out to the text that the parts a and b share, which have the same root. Returns false if
 * they share no text.
 */
static bool share(const struct part_at *a, const struct part_at *b, struct shared *out)
{
    const struct pd_synth_sentence *s = sentence_at(a), *t = sentence_at(b);
    const uint32_t i = a->sentence, j = b->sentence;
    struct pd_synth_part x = s->part[a->part], y = t->part[b->part];
    if (!x.edited && !y.edited) {
        const uint32_t lo = pd_max_u32(x.root_begin, y.root_begin);
        const uint32_t hi = pd_min_u32(x.root_end, y.root_end);
        if (hi < lo + OVERLAP_LEAST && (x.root_begin != y.root_begin || x.root_end != y.root_end))
            return false;
        x.end = x.begin + (hi - x.root_begin);
        x.begin += lo - x.root_begin;
        y.end = y.begin + (hi - y.root_begin);
        y.begin += lo - y.root_begin;
    }
    const uint32_t at_a = a->page->spans.v[i].begin, at_b = b->page->spans.v[j].begin;
    *out = (struct shared){
        i, j, at_a + x.begin, at_a + x.end, at_b + y.begin, at_b + y.end, s->cut == t->cut};
    return true;
}

/* Set *out to the text that part a shares with page b; returns false if none. */
static bool find_partner(const struct part_at *a, const struct member *b, struct shared *out)
{
    const uint64_t root = sentence_at(a)->part[a->part].root;
    const struct part_ref *other = find_root(&b->parts, root);
    if (other == b->parts.v + b->parts.n || other->root != root)
        return false;
    const uint32_t where = (uint32_t)other->where; /* sentence << 1 | part */
    return share(a, &(struct part_at){b, where >> 1, where & 1}, out);
}

/* How two pages came to share a passage with this number of whole sentences. */
static enum pd_synth_class class_of(const struct member *a, const struct member *b,
                                    uint32_t sentences)
{
    const uint32_t slot_a = (uint32_t)(a->slot % PD_SYNTH_BLOCK),
                   slot_b = (uint32_t)(b->slot % PD_SYNTH_BLOCK);
    if (a->plan->group != PD_SYNTH_NONE && a->plan->group == b->plan->group)
        return sentences < SHORT ? PD_SYNTH_NEAR_SHORT : PD_SYNTH_NEAR;
    if (a->plan->parent != slot_b && b->plan->parent != slot_a)
        return PD_SYNTH_INDIRECT;
    return PD_SYNTH_RUN_1 + run_class(sentences);
}

static void write_row(struct truth *t, const struct member *a, const struct member *b,
                      const struct passage *p)
{
    enum { ROW_MOST = 2 * PD_SYNTH_ID + 192 };
    char row[ROW_MOST], id_a[PD_SYNTH_ID], id_b[PD_SYNTH_ID];
    const enum pd_synth_class class = class_of(a, b, p->sentences);
    const bool swap = a->document > b->document;
    uint32_t at[4] = {p->first.begin_a, p->last.end_a, p->first.begin_b, p->last.end_b};
    if (swap)
        memcpy(at, (uint32_t[]){at[2], at[3], at[0], at[1]}, sizeof at);
    pd_synth_id(t->maker, swap ? b->document : a->document, id_a);
    pd_synth_id(t->maker, swap ? a->document : b->document, id_b);
    const int n =
        snprintf(row, sizeof row, "%s\t%u\t%u\t%s\t%u\t%u\t%s\t%u\t%u\t%.4f\t%d\t%s\t%d\n", id_a,
                 at[0], at[1], id_b, at[2], at[3], pd_synth_class_names[class], p->sentences,
                 p->same, p->sentences ? p->jaccard / p->sentences : 1., p->cut,
                 pd_synth_profile_names[t->maker->options.profile], a->plan->host == b->plan->host);
    pd_bytes_append(t->rows, row, (size_t)n);
    t->stats->passages[class]++;
    t->stats->cut += p->cut;
}

/* Add a shared text to a passage. `is_new` is set if the passage has no text yet. */
static void extend(const struct member *a, const struct member *b, const struct shared *s,
                   bool is_new, struct passage *p)
{
    const bool new_pair = is_new || p->last.i != s->i || p->last.j != s->j || !p->last.whole;
    p->last = *s;
    p->cut |= !s->whole;
    if (!s->whole || !new_pair)
        return;
    const double similarity = synth_jaccard(words_at(a, s->i), words_at(b, s->j));
    p->sentences++;
    p->same += similarity == 1;
    p->jaccard += similarity;
}

/* Write the passages of a pair: shared texts in the same order in both, without long gaps. */
static void write_pair(struct truth *t, const struct member *a, const struct member *b)
{
    struct passage p = {.sentences = 0};
    bool open = false;
    for (uint32_t i = 0; i < a->content.sentences.n; i++) {
        const struct pd_synth_sentence *s = &a->content.sentences.v[i];
        for (uint32_t k = 0; k < s->nparts; k++) {
            struct shared text;
            if (!find_partner(&(struct part_at){a, i, k}, b, &text))
                continue;
            if (open && (text.j < p.last.j || text.j - p.last.j > GAP_MOST + 1 ||
                         i - p.last.i > GAP_MOST + 1)) {
                write_row(t, a, b, &p);
                open = false;
            }
            if (!open)
                p = (struct passage){.first = text};
            extend(a, b, &text, !open, &p);
            open = true;
        }
    }
    if (open)
        write_row(t, a, b, &p);
}

/* Write the passages of all pairs of pages that share a root, each pair once. */
static void write_pairs(struct truth *t)
{
    const size_t n = t->members.n;
    uint32_t *seen = pd_realloc(NULL, n + 1, sizeof *seen);
    memset(seen, 0xFF, (n + 1) * sizeof *seen);
    for (uint32_t a = 0; a < n; a++) {
        const struct member *m = &t->members.v[a];
        for (size_t k = 0; k < m->parts.n; k++) {
            const uint64_t root = m->parts.v[k].root;
            const struct part_ref *p = find_root(&t->parts, root);
            for (; p < t->parts.v + t->parts.n && p->root == root; p++) {
                const uint32_t b = (uint32_t)(p->where >> 32);
                if (b <= a || seen[b] == a)
                    continue;
                seen[b] = a;
                write_pair(t, m, &t->members.v[b]);
            }
        }
    }
    free(seen);
}

/* ---- counts ---- */

/* Count groups and copies of a block. */
static void count_plan(struct truth *t, uint64_t block)
{
    const struct pd_synth_slots *b = pd_synth_block(&t->maker->plan, block);
    struct pd_synth_stats *stats = t->stats;
    uint32_t size = 0;
    for (size_t k = 0; k < b->n; k++) {
        const struct pd_synth_slot *s = &b->v[k];
        if (s->parent != PD_SYNTH_NONE) {
            stats->copies++;
            stats->same_host += s->host == b->v[s->parent].host;
        }
        if (s->run > 0) {
            stats->partial++;
            stats->runs[run_class(s->run)]++;
        }
        if (s->group == PD_SYNTH_NONE)
            continue;
        stats->near_documents++;
        size = k > 0 && b->v[k - 1].group == s->group ? size + 1 : 1;
        if (k + 1 < b->n && b->v[k + 1].group == s->group)
            continue;
        stats->groups++;
        stats->sizes[size < 2 ? 0 : size > PD_SYNTH_SIZES ? PD_SYNTH_SIZES - 1 : size - 2]++;
    }
}

void pd_synth_truth(struct pd_synth_maker *m, uint64_t block, struct pd_bytes *rows,
                    struct pd_synth_stats *stats)
{
    struct truth t = {.maker = m, .rows = rows, .stats = stats};
    count_plan(&t, block);
    read_members(&t, block);
    write_pairs(&t);
    release(&t);
}

void pd_synth_count(const struct pd_synth_content *c, bool near_copy,
                    const struct pd_synth_page *page, struct pd_synth_stats *stats)
{
    const size_t n = c->sentences.n;
    stats->documents++;
    stats->html_bytes += page->html.n;
    stats->text_bytes += page->text.n;
    stats->sentences += n;
    stats->page_bins[pd_min_size(n, PD_SYNTH_PAGE_BINS - 1)]++;
    if (page->which < PD_SYNTH_COMMONS)
        stats->common[page->which]++;
    if (near_copy) {
        stats->of_copies += n + c->deleted;
        stats->ops[PD_SYNTH_DELETED] += c->deleted;
    }
    for (size_t k = 0; k < n; k++) {
        const struct pd_synth_sentence *s = &c->sentences.v[k];
        const size_t words = synth_count_words(c->bytes.v + s->begin, s->end - s->begin);
        stats->words += words;
        stats->word_bins[pd_min_size(words, PD_SYNTH_WORD_BINS - 1)]++;
        if (near_copy) {
            stats->ops[s->op]++;
            stats->of_copies -= s->op == PD_SYNTH_INSERTED;
        }
    }
}
