/*
 * tools/synth/learn.c - learn words and lengths of sentences from files (src/tools/synth/words.h).
 *
 * A word is a run of ASCII letters. A sentence ends at . ! ? or at the end of the file.
 */
#include <errno.h>
#include <stdio.h>

#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "words.h"

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
    size_t letters;          /* letters of the current word; more than LETTERS: too long */
    unsigned sentence_words; /* words of the current sentence so far */
};

static void end_word(struct learning *learning)
{
    if (learning->letters > 0 && learning->letters <= LETTERS) {
        uint64_t k = pd_hash_bytes(learning->word + 1, learning->letters) % SLOTS;
        learning->word[0] = (unsigned char)learning->letters;
        while (learning->table[k].count &&
               memcmp(learning->table[k].word, learning->word, learning->letters + 1) != 0)
            k = (k + 1) % SLOTS;
        if (learning->table[k].count || learning->used < SLOTS / 2) {
            learning->used += learning->table[k].count == 0;
            learning->table[k].count++;
            memcpy(learning->table[k].word, learning->word, learning->letters + 1);
        }
    }
    learning->words += learning->letters > 0;
    learning->sentence_words += learning->letters > 0;
    learning->letters = 0;
}

/* Take the next character, or EOF. */
static void take(struct learning *learning, int c)
{
    const int lower = c | 0x20;
    if (c != EOF && lower >= 'a' && lower <= 'z') {
        if (learning->letters++ < LETTERS)
            learning->word[learning->letters] = (unsigned char)lower;
        return;
    }
    end_word(learning);
    if ((c == '.' || c == '!' || c == '?' || c == EOF) && learning->sentence_words > 0) {
        learning->lengths[learning->sentence_words < BINS ? learning->sentence_words : BINS - 1]++;
        learning->sentence_words = 0;
    }
}

static int read_file(struct learning *learning, const char *path)
{
    FILE *f = fopen(path, "rb");
    int c;
    if (!f)
        return pd_fail(PD_EIO, "%s: %s", path, strerror(errno));
    while ((c = getc_unlocked(f)) != EOF)
        take(learning, c);
    take(learning, EOF);
    const int failed = ferror(f);
    fclose(f);
    return failed ? pd_fail(PD_EIO, "%s: cannot be read", path) : PD_OK;
}

/*
 * The most frequent words become the head, and their counts its weights. Returns how many words of
 * the files they are.
 */
static uint64_t take_head(const struct learning *learning, struct pd_synth_words *w, double *weight)
{
    uint64_t(*order)[2] = pd_realloc(NULL, learning->used, sizeof *order), n = 0, tokens = 0;
    for (uint64_t k = 0; k < SLOTS; k++)
        if (learning->table[k].count) {
            order[n][0] = UINT64_MAX - learning->table[k].count;
            order[n++][1] = k;
        }
    pd_sort_records(order, n, 2, 2);
    for (uint64_t k = 0; k < PD_SYNTH_HEAD; k++) {
        const struct counted *c = k < n ? &learning->table[order[k][1]] : NULL;
        weight[k] = c ? (double)c->count : 0;
        tokens += c ? c->count : 0;
        if (c)
            memcpy(w->head[k], c->word, PD_SYNTH_WORD);
    }
    free(order);
    return tokens;
}

/* Choose PD_SYNTH_LENGTHS quantiles of the lengths of sentences. */
static void take_lengths(const struct learning *learning, struct pd_synth_words *w)
{
    uint64_t sentences = 0, before = 0;
    for (unsigned n = 0; n < BINS; n++)
        sentences += learning->lengths[n];
    for (unsigned n = 0, k = 0; n < BINS; n++)
        for (before += learning->lengths[n];
             k < PD_SYNTH_LENGTHS && (2 * k + 1) * sentences < before * 2 * PD_SYNTH_LENGTHS; k++)
            w->lengths[k] = (uint16_t)n;
}

int pd_synth_words_learn(struct pd_synth_words *w, const char *files)
{
    struct learning learning = {.table = pd_realloc(NULL, SLOTS, sizeof *learning.table)};
    char *list = strdup(files), *rest = list;
    int status = PD_OK;
    if (!list)
        pd_panic("out of memory");
    memset(learning.table, 0, SLOTS * sizeof *learning.table);
    for (char *path; status == PD_OK && (path = strsep(&rest, ",")) != NULL;)
        status = read_file(&learning, path);
    if (status == PD_OK && learning.used == 0)
        status = pd_fail(PD_EFORMAT, "--learn %s: no words found", files);
    if (status == PD_OK) {
        double *weight = pd_realloc(NULL, PD_SYNTH_HEAD, sizeof *weight);
        const uint64_t tokens = take_head(&learning, w, weight);
        const double rest_share = (double)(learning.words - tokens) / (double)learning.words;
        w->tail = TAIL_LEAST + (uint32_t)(rest_share * (TAIL_ONE - 2 * TAIL_LEAST));
        pd_synth_words_weigh(w, weight);
        take_lengths(&learning, w);
        free(weight);
    }
    PD_FREE(list, learning.table);
    return status;
}
