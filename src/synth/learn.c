/*
 * synth/learn.c - learn words and lengths of sentences from files (include/pardup/synth/words.h).
 *
 * A word is a run of ASCII letters. A sentence ends at . ! ? or at the end of the file.
 */
#include <errno.h>
#include <stdio.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "pardup/synth/words.h"

#define SLOTS      (1u << 20) /* of the table of words; when half are used, new words are ignored */
#define LETTERS    (PD_SYNTH_WORD - 2) /* the most letters of a word; longer words are ignored */
#define TAIL_LEAST 64                  /* least share of the tail, of 2^16: new words never cease */
#define TAIL_ONE   65536.0             /* a share of 1 */
#define BINS       401 /* bins for sentences by words; the last bin has all longer sentences */

struct counted {
    uint64_t count;                    /* how often the word occurs; 0: the slot is free */
    unsigned char word[PD_SYNTH_WORD]; /* length, then letters */
};

struct learning {
    struct counted *table;             /* a hash table of SLOTS slots */
    uint64_t words;                    /* words read so far */
    uint64_t used;                     /* slots in use */
    uint64_t lengths[BINS];            /* sentences by words */
    unsigned char word[PD_SYNTH_WORD]; /* the current word: room for its length, then letters */
    size_t n;      /* letters of the current word; more than LETTERS: too long */
    unsigned sent; /* words of the current sentence so far */
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

/* Take the next character, or EOF. */
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

/*
 * The most frequent words become the head, and their counts its weights. Returns how many words of
 * the files they are.
 */
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

/* Choose PD_SYNTH_LENGTHS quantiles of the lengths of sentences. */
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
