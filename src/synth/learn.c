/* learn.c - a text model from given files; see include/pardup/synth/words.h */
#include <errno.h>
#include <stdio.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pardup/synth/words.h"

#define SLOTS      (1u << 20) /* of the table of words: a word that finds no room is rare */
#define LETTERS    (PD_SYNTH_WORD - 2)
#define TAIL_LEAST 64 /* of 2^16: new words never cease */
#define TAIL_ONE   65536.0
#define BINS       401 /* sentences are not longer */

struct counted {
    uint64_t count;
    unsigned char word[PD_SYNTH_WORD]; /* length, letters */
};

struct learning {
    struct counted *table;
    uint64_t words;
    uint64_t used;
    uint64_t lengths[BINS];
    unsigned char word[PD_SYNTH_WORD];
    size_t n;      /* letters so far, more than LETTERS when it is too long */
    unsigned sent; /* words so far */
};

static void end_word(struct learning *l)
{
    if (l->n > 0 && l->n <= LETTERS) {
        uint64_t k = pd_hash_bytes(l->word + 1, l->n) % SLOTS;
        l->word[0] = (unsigned char)l->n;
        while (l->table[k].count && memcmp(l->table[k].word, l->word, l->n + 1) != 0)
            k = (k + 1) % SLOTS;
        if (l->table[k].count || l->used < SLOTS / 2) {
            l->used += l->table[k].count == 0;
            l->table[k].count++;
            memcpy(l->table[k].word, l->word, l->n + 1);
        }
    }
    l->words += l->n > 0;
    l->sent += l->n > 0;
    l->n = 0;
}

static void take(struct learning *l, int c)
{
    const int lower = c | 0x20;
    if (c != EOF && lower >= 'a' && lower <= 'z') {
        if (l->n++ < LETTERS)
            l->word[l->n] = (unsigned char)lower;
        return;
    }
    end_word(l);
    if ((c == '.' || c == '!' || c == '?' || c == EOF) && l->sent > 0) {
        l->lengths[l->sent < BINS ? l->sent : BINS - 1]++;
        l->sent = 0;
    }
}

static int read_file(struct learning *l, const char *path)
{
    FILE *f = fopen(path, "rb");
    int c;
    if (!f)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    while ((c = getc_unlocked(f)) != EOF)
        take(l, c);
    take(l, EOF);
    const int failed = ferror(f);
    fclose(f);
    return failed ? pd_fail(PD_EIO, "%s: cannot be read", path) : PD_OK;
}

/* The most frequent words become the head; returns how many tokens they are. */
static uint64_t take_head(const struct learning *l, struct pd_synth_words *w, double *weight)
{
    uint64_t(*order)[2] = pd_realloc(NULL, l->used, sizeof *order), n = 0, tokens = 0;
    for (uint64_t k = 0; k < SLOTS; k++)
        if (l->table[k].count) {
            order[n][0] = UINT64_MAX - l->table[k].count;
            order[n++][1] = k;
        }
    pd_sort_records(order, n, 2, 2);
    for (uint64_t k = 0; k < PD_SYNTH_HEAD; k++) {
        const struct counted *c = k < n ? &l->table[order[k][1]] : NULL;
        weight[k] = c ? (double)c->count : 0;
        tokens += c ? c->count : 0;
        if (c)
            memcpy(w->head[k], c->word, PD_SYNTH_WORD);
    }
    free(order);
    return tokens;
}

static void take_lengths(const struct learning *l, struct pd_synth_words *w)
{
    uint64_t sentences = 0, before = 0;
    for (unsigned n = 0; n < BINS; n++)
        sentences += l->lengths[n];
    for (unsigned n = 0, k = 0; n < BINS; n++)
        for (before += l->lengths[n];
             k < PD_SYNTH_LENGTHS && (2 * k + 1) * sentences < before * 2 * PD_SYNTH_LENGTHS; k++)
            w->lengths[k] = (uint16_t)n;
}

int pd_synth_words_learn(struct pd_synth_words *w, const char *files)
{
    struct learning l = {.table = pd_realloc(NULL, SLOTS, sizeof *l.table)};
    char *list = strdup(files), *rest = list;
    int status = PD_OK;
    if (!list)
        pd_panic("out of memory");
    memset(l.table, 0, SLOTS * sizeof *l.table);
    for (char *path; status == PD_OK && (path = strsep(&rest, ",")) != NULL;)
        status = read_file(&l, path);
    if (status == PD_OK && l.used == 0)
        status = pd_fail(PD_EFORMAT, "--learn %s: no words found", files);
    if (status == PD_OK) {
        double *weight = pd_realloc(NULL, PD_SYNTH_HEAD, sizeof *weight);
        const uint64_t tokens = take_head(&l, w, weight);
        const double rest_share = (double)(l.words - tokens) / (double)l.words;
        w->tail = TAIL_LEAST + (uint32_t)(rest_share * (TAIL_ONE - 2 * TAIL_LEAST));
        pd_synth_words_weigh(w, weight);
        take_lengths(&l, w);
        free(weight);
    }
    free(list);
    free(l.table);
    return status;
}
