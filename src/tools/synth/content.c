/* tools/synth/content.c - see src/tools/synth/content.h */
#include "content.h"

#define ROOT_BITS   20         /* bits of a sentence's number in pd_synth_part.root */
#define INSERTED_AT (1u << 19) /* the numbers of inserted sentences begin here */
#define CUT_SHARE   0.25       /* per end: share of the partial copies with half a sentence there */
#define CUT_WORDS   4          /* sentences with fewer spaces are not cut */

/* Append the sentence number i of a slot's own text. */
static void push_original(const struct pd_synth_maker *m, uint64_t slot, uint32_t i,
                          struct pd_synth_content *c)
{
    struct pd_synth_sentence s = {.begin = (uint32_t)c->bytes.n, .nparts = 1};
    pd_synth_sentence_text(
        &m->words, pd_synth_key((uint64_t)m->options.seed, PD_SYNTH_WORDS, slot, i), &c->bytes);
    s.end = (uint32_t)c->bytes.n;
    s.part[0] = (struct pd_synth_part){
        .root = slot << ROOT_BITS | i, .end = s.end - s.begin, .root_end = s.end - s.begin};
    pd_synth_sentences_push(&c->sentences, s);
}

/* Append a copy of sentence i of `from`, edited. */
static void push_copy(const struct pd_synth_maker *m, const struct pd_synth_content *from,
                      uint32_t i, enum pd_synth_op op, struct pd_synth_random *r,
                      struct pd_synth_content *c)
{
    struct pd_synth_sentence s = from->sentences.v[i];
    const unsigned char *text = from->bytes.v + s.begin;
    const uint32_t n = s.end - s.begin;
    if (s.nparts > 1 && op > PD_SYNTH_MARKS)
        op = PD_SYNTH_SAME; /* if it were edited, its halves could not be found again */
    s.begin = (uint32_t)c->bytes.n;
    const struct pd_synth_editor editor = {&m->words, m->options.tau, r};
    const bool edited = pd_synth_edit(&editor, op, text, n, &c->bytes);
    s.end = (uint32_t)c->bytes.n;
    s.op = op;
    s.copied = 1;
    if (edited)
        s.part[0] = (struct pd_synth_part){
            .root = s.part[0].root, .end = s.end - s.begin, .root_end = UINT32_MAX, .edited = 1};
    pd_synth_sentences_push(&c->sentences, s);
}

/* Make a near duplicate: copy its parent, sentence by sentence. */
static void copy_all(const struct pd_synth_maker *m, uint64_t slot,
                     const struct pd_synth_content *from, struct pd_synth_content *c)
{
    const uint64_t seed = (uint64_t)m->options.seed;
    for (uint32_t i = 0; i < from->sentences.n; i++) {
        struct pd_synth_random r = {pd_synth_key(seed, PD_SYNTH_EDIT, slot, i)};
        const enum pd_synth_op op = pd_synth_draw_op(m->options.profile, &r);
        if (op == PD_SYNTH_DELETED && from->sentences.n > 1) {
            c->deleted++;
            continue;
        }
        if (op == PD_SYNTH_INSERTED || op == PD_SYNTH_NEW) {
            push_original(m, slot, INSERTED_AT | i, c);
            c->sentences.v[c->sentences.n - 1].op = op;
        }
        if (op != PD_SYNTH_NEW)
            push_copy(m, from, i, op >= PD_SYNTH_NEW ? PD_SYNTH_SAME : op, &r, c);
    }
}

/* Copy sentences [begin, begin + run) of `from`. None is deleted or replaced by a new one. */
static void copy_run(const struct pd_synth_maker *m, uint64_t slot,
                     const struct pd_synth_content *from, uint32_t begin, uint32_t run,
                     struct pd_synth_content *c)
{
    for (uint32_t i = begin; i < begin + run; i++) {
        struct pd_synth_random r = {
            pd_synth_key((uint64_t)m->options.seed, PD_SYNTH_EDIT, slot, i)};
        enum pd_synth_op op = pd_synth_draw_op(m->options.profile, &r);
        if (op == PD_SYNTH_NEW)
            op = PD_SYNTH_REWORDED;
        push_copy(m, from, i, op > PD_SYNTH_NEW ? PD_SYNTH_SAME : op, &r, c);
    }
}

/* Where a random word in the middle of the sentence s[0, n) starts; 0 if it has too few words. */
static uint32_t middle_word(const unsigned char *s, uint32_t n, struct pd_synth_random *r)
{
    uint32_t spaces = 0;
    for (uint32_t i = 0; i < n; i++)
        spaces += s[i] == ' ';
    if (spaces < CUT_WORDS)
        return 0;
    uint32_t skip = 1 + pd_synth_below(r, spaces - 2);
    for (uint32_t i = 0; i < n; i++)
        if (s[i] == ' ' && skip-- == 0)
            return i + 1;
    return 0;
}

/* A sentence and the word at which it is cut. */
struct half {
    const unsigned char *s;
    uint32_t n, cut; /* bytes; offset of that word, 0: there is none */
    uint64_t root;
};

/* Make a sentence of the words of `first` before its cut, and the words of `second` from its cut on. */
static void join_halves(const struct half *first, const struct half *second, struct pd_bytes *made,
                        struct pd_synth_part part[2])
{
    pd_bytes_append(made, first->s, first->cut);
    pd_bytes_append(made, second->s + second->cut, second->n - second->cut);
    part[0] = (struct pd_synth_part){
        .root = first->root, .end = first->cut - 1, .root_end = first->cut - 1};
    part[1] = (struct pd_synth_part){.root = second->root,
                                     .begin = first->cut,
                                     .end = (uint32_t)made->n,
                                     .root_begin = second->cut,
                                     .root_end = second->n};
}

/*
 * Replace half of the last sentence of `c` by half of sentence i of `from`: the first half if
 * `tail` is set, else the second half. Does nothing if one of the two sentences is too short,
 * combined already or edited.
 */
static void splice(const struct pd_synth_content *from, uint32_t i, bool tail,
                   struct pd_synth_random *r, struct pd_synth_content *c)
{
    struct pd_synth_sentence *own = &c->sentences.v[c->sentences.n - 1];
    const struct pd_synth_sentence *other = &from->sentences.v[i];
    struct half mine = {.s = c->bytes.v + own->begin, .n = own->end - own->begin},
                theirs = {.s = from->bytes.v + other->begin, .n = other->end - other->begin};
    mine.cut = middle_word(mine.s, mine.n, r);
    theirs.cut = middle_word(theirs.s, theirs.n, r);
    if (other->nparts > 1 || other->part[0].edited || own->nparts > 1 || mine.cut == 0 ||
        theirs.cut == 0)
        return;
    mine.root = own->part[0].root;
    theirs.root = other->part[0].root;
    struct pd_bytes made = {0};
    join_halves(tail ? &theirs : &mine, tail ? &mine : &theirs, &made, own->part);
    own->nparts = PD_SYNTH_PARTS;
    own->cut = 1;
    c->bytes.n = own->begin;
    pd_bytes_append(&c->bytes, made.v, made.n);
    own->end = (uint32_t)c->bytes.n;
    pd_bytes_release(&made);
}

/* Make an independent page in which a run of sentences of `from` replaces some of its own. */
static void copy_part(const struct pd_synth_maker *m, uint64_t slot, const struct pd_synth_slot *s,
                      const struct pd_synth_content *from, struct pd_synth_content *c)
{
    struct pd_synth_random r = {pd_synth_key((uint64_t)m->options.seed, PD_SYNTH_COPY, slot, 1)};
    const uint32_t available = (uint32_t)from->sentences.n,
                   run = s->run < available ? s->run : available;
    const uint32_t begin = pd_synth_below(&r, available - run + 1);
    const uint32_t at = pd_synth_below(&r, s->sentences - run + 1);
    const bool head = pd_synth_unit(&r) < CUT_SHARE && begin > 0 && at > 0;
    const bool tail = pd_synth_unit(&r) < CUT_SHARE && begin + run < available;
    for (uint32_t i = 0; i < at; i++)
        push_original(m, slot, i, c);
    if (head)
        splice(from, begin - 1, false, &r, c);
    copy_run(m, slot, from, begin, run, c);
    for (uint32_t i = at + run; i < s->sentences; i++) {
        push_original(m, slot, i, c);
        if (tail && i == at + run)
            splice(from, begin + run, true, &r, c);
    }
}

/* Put wrong letters into the copied sentences, as text recognition does. */
static void misread(const struct pd_synth_maker *m, uint64_t slot, struct pd_synth_content *c)
{
    const struct pd_synth_rates *rates = &pd_synth_rates[m->options.profile];
    struct pd_synth_random r = {
        pd_synth_key((uint64_t)m->options.seed, PD_SYNTH_EDIT, slot, INSERTED_AT)};
    if (rates->wrong_hi == 0)
        return;
    const double rate = rates->wrong_lo + (rates->wrong_hi - rates->wrong_lo) * pd_synth_unit(&r);
    for (size_t i = 0; i < c->sentences.n; i++) {
        const struct pd_synth_sentence *s = &c->sentences.v[i];
        if (s->copied)
            pd_synth_misread(rate, &r, c->bytes.v + s->begin, s->end - s->begin);
    }
}

void pd_synth_content_original(const struct pd_synth_maker *m, uint64_t slot, uint32_t n,
                               struct pd_synth_content *c)
{
    for (uint32_t i = 0; i < n; i++)
        push_original(m, slot, i, c);
}

void pd_synth_content(struct pd_synth_maker *m, uint64_t slot, struct pd_synth_content *c)
{
    const uint64_t first = slot / PD_SYNTH_BLOCK * PD_SYNTH_BLOCK;
    const struct pd_synth_slot *s =
        &pd_synth_block(&m->plan, slot / PD_SYNTH_BLOCK)->v[slot - first];
    c->bytes.n = c->sentences.n = 0;
    c->deleted = 0;
    if (s->parent == PD_SYNTH_NONE) {
        pd_synth_content_original(m, slot, s->sentences, c);
        return;
    }
    struct pd_synth_content from = {0};
    pd_synth_content(m, first + s->parent, &from); /* a lower slot, so this recursion ends */
    if (s->run > 0)
        copy_part(m, slot, s, &from, c);
    else
        copy_all(m, slot, &from, c);
    misread(m, slot, c);
    pd_synth_content_release(&from);
}

void pd_synth_content_release(struct pd_synth_content *c)
{
    pd_bytes_release(&c->bytes);
    pd_synth_sentences_release(&c->sentences);
}
