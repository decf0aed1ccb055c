/* run/stage/classes/frequencies.c - see src/run/stage/classes/frequencies.h */
#include "frequencies.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/document/utf8.h"
#include "pardup/document/word.h"
#include "pardup/run/option_table.h"

enum { DIGITS_MOST = 18 }; /* of a number: any such number is below 2^63 */

/* ---- the first line ---- */

/* The value of an option, as it is typed. `s` has room for it. */
static const char *value_of(const char *name, const struct pd_options *o, struct pd_setting *s)
{
    pd_option_setting(pd_option_find("detect", name, strlen(name)), o, s);
    return s->text;
}

void pd_frequencies_begin(const struct pd_options *o, uint64_t documents, uint64_t words,
                          struct pd_bytes *line)
{
    struct pd_setting kind, spelling;
    pd_bytes_print(line, "%s\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\n", PD_FREQUENCIES_MAGIC, documents,
                   words, value_of("words", o, &kind), value_of("spelling", o, &spelling));
}

/* Cut the next column off a line, at a tab or at its end. NULL: there is none. */
static char *next_column(char **line)
{
    char *const column = *line;
    char *const tab = column ? strchr(column, '\t') : NULL;
    if (tab)
        *tab = '\0';
    *line = tab ? tab + 1 : NULL;
    return column;
}

/* Read a whole number, at least 1. */
static bool read_number(const char *text, uint64_t *n)
{
    const size_t digits = text ? strspn(text, "0123456789") : 0;
    if (digits == 0 || digits > DIGITS_MOST || text[digits])
        return false;
    *n = strtoull(text, NULL, 10);
    return *n > 0;
}

/* Are words of the table what words of the job are? */
static int check_option(const char *name, const char *theirs, const struct pd_options *o)
{
    struct pd_setting s;
    const char *ours = value_of(name, o, &s);
    return strcmp(theirs, ours) == 0
               ? PD_OK
               : pd_fail(PD_EFORMAT, "a table of words with --%s %.40s; this job has --%s %s", name,
                         theirs, name, ours);
}

static int take_first(struct pd_frequencies *t, char *line, const struct pd_options *o)
{
    const char *const magic = next_column(&line);
    if (strcmp(magic, PD_FREQUENCIES_MAGIC) != 0)
        return pd_fail(PD_EFORMAT,
                       "no table of frequencies: a table begins with %s; pardup "
                       "frequencies makes one",
                       PD_FREQUENCIES_MAGIC);
    const char *const documents = next_column(&line), *const words = next_column(&line);
    const char *const kind = next_column(&line), *const spelling = next_column(&line);
    if (!read_number(documents, &t->documents) || !read_number(words, &t->words) || !spelling ||
        line)
        return pd_fail(PD_EFORMAT,
                       "expected %s, the numbers of documents and of words, --words and "
                       "--spelling, with tabs between them",
                       PD_FREQUENCIES_MAGIC);
    t->left = t->words;
    PD_TRY(check_option("words", kind, o));
    return check_option("spelling", spelling, o);
}

/* ---- a line ---- */

bool pd_frequencies_takes(const unsigned char *word, size_t n, enum pd_words_kind kind)
{
    return n > 0 && n <= PD_FREQUENCIES_WORD_MOST && !memchr(word, '\t', n) &&
           !memchr(word, '\n', n) && !memchr(word, '\r', n) && !memchr(word, '\0', n) &&
           (kind == PD_WORDS_CODE || pd_word_is_form(word, n));
}

static int check_word(const struct pd_frequencies *t, const char *word)
{
    const size_t n = strlen(word);
    const unsigned char *const bytes = (const unsigned char *)word;
    if (n == 0)
        return pd_fail(PD_EFORMAT, "no word in it");
    if (n > PD_FREQUENCIES_WORD_MOST)
        return pd_fail(PD_EFORMAT, "a word of %zu bytes: %d are the most", n,
                       PD_FREQUENCIES_WORD_MOST);
    if (pd_utf8_valid(bytes, n) != n)
        return pd_fail(PD_EFORMAT, "the word is not UTF-8");
    if (t->forms && !pd_word_is_form(bytes, n))
        return pd_fail(PD_EFORMAT,
                       "%s is not in the form in which words are compared: small letters, NFKC",
                       word);
    if (t->before.n == 0)
        return PD_OK;
    const int order = strcmp((const char *)t->before.v, word);
    if (order == 0)
        return pd_fail(PD_EFORMAT, "%s is there twice", word);
    return order < 0 ? PD_OK
                     : pd_fail(PD_EFORMAT,
                               "%s stands behind %s: words must be in the order of their bytes, as "
                               "LC_ALL=C sort has them",
                               word, (const char *)t->before.v);
}

static int check_numbers(struct pd_frequencies *t, const struct pd_frequency *row)
{
    if (row->documents > row->occurrences)
        return pd_fail(PD_EFORMAT, "more documents than occurrences");
    if (row->documents > t->documents)
        return pd_fail(PD_EFORMAT, "more documents than the %" PRIu64 " of the first line",
                       t->documents);
    if (row->occurrences > t->left)
        return pd_fail(PD_EFORMAT,
                       "more occurrences, up to this line, than the %" PRIu64
                       " words of the first line",
                       t->words);
    t->left -= row->occurrences;
    return PD_OK;
}

static int take_row(struct pd_frequencies *t, char *line, struct pd_frequency *row)
{
    const char *const word = next_column(&line);
    const char *const documents = next_column(&line), *const occurrences = next_column(&line);
    if (!read_number(documents, &row->documents) || !read_number(occurrences, &row->occurrences) ||
        line)
        return pd_fail(PD_EFORMAT, "expected a word, its documents and its occurrences, numbers "
                                   "from 1 on, with tabs between them");
    PD_TRY(check_word(t, word));
    PD_TRY(check_numbers(t, row));
    row->term = pd_hash_bytes(word, strlen(word));
    t->before.n = 0;
    pd_bytes_append(&t->before, word, strlen(word) + 1);
    return PD_OK;
}

/* The next line, which counts for the hash. */
static int next_line(struct pd_frequencies *t, char **line)
{
    size_t n;
    PD_PASS(pd_list_next(t->list, line, &n));
    t->hash = pd_mix(t->hash ^ pd_hash_bytes(*line, n));
    return strlen(*line) == n ? PD_OK
                              : pd_list_blame(t->list, pd_fail(PD_EFORMAT, "a byte 0 in it"));
}

int pd_frequencies_open(struct pd_frequencies *t, const struct pd_options *o, uint64_t expected)
{
    const char *const path = o->method.frequencies;
    struct stat st;
    char *line;
    *t = (struct pd_frequencies){
        .path = path, .expected = expected, .forms = o->input.words != PD_WORDS_CODE};
    if (stat(path, &st) != 0)
        return pd_fail(PD_EIO, "%s: %s (a table of frequencies)", path, strerror(errno));
    if (!S_ISREG(st.st_mode)) /* it is read more than once */
        return pd_fail(PD_EIO, "%s: no regular file, as a table of frequencies must be", path);
    PD_TRY(pd_list_open(path, &t->list));
    int status = next_line(t, &line);
    if (status == PD_END)
        status = pd_fail(PD_EFORMAT, "%s: empty; pardup frequencies makes a table", path);
    else if (status == PD_OK && (status = take_first(t, line, o)) < 0)
        status = pd_list_blame(t->list, status);
    if (status < 0)
        pd_frequencies_close(t);
    return status;
}

int pd_frequencies_next(struct pd_frequencies *t, struct pd_frequency *row)
{
    char *line;
    const int status = next_line(t, &line);
    if (status == PD_END && t->expected && t->hash != t->expected)
        return pd_fail(PD_EIO, "%s: this table of frequencies has changed since it was read before",
                       t->path);
    if (status != PD_OK)
        return status;
    const int taken = take_row(t, line, row);
    return taken < 0 ? pd_list_blame(t->list, taken) : PD_OK;
}

void pd_frequencies_close(struct pd_frequencies *t)
{
    pd_list_close(t->list);
    pd_bytes_release(&t->before);
    t->list = NULL;
}

int pd_frequencies_check(const struct pd_options *o, uint64_t *hash)
{
    struct pd_frequencies t;
    struct pd_frequency row;
    int status;
    PD_TRY(pd_frequencies_open(&t, o, 0));
    while ((status = pd_frequencies_next(&t, &row)) == PD_OK) {
    }
    *hash = t.hash;
    pd_frequencies_close(&t);
    return status < 0 ? status : PD_OK;
}
