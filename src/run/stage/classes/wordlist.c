/* run/stage/classes/wordlist.c - see src/run/stage/classes/wordlist.h */
#include "wordlist.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/open.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"
#include "pardup/document/document.h"
#include "pardup/document/utf8.h"
#include "pardup/document/word.h"
#include "pardup/feature/stopwords.h"

enum { LIST_MOST = 64 << 20 }; /* bytes of a file: a larger one is no list of words */

static void read_english(struct pd_bytes *text)
{
    size_t n;
    const char *const *words = pd_stopwords_english(&n);
    for (size_t k = 0; k < n; k++) {
        pd_bytes_append(text, words[k], strlen(words[k]));
        pd_bytes_append(text, "\n", 1);
    }
}

static int read_file(const char *path, struct pd_bytes *text)
{
    char part[1 << 16];
    size_t n;
    struct pd_bytes raw = {0};
    FILE *f = pd_open_list(path);
    if (!f)
        return PD_EIO;
    while (raw.n <= LIST_MOST && (n = fread(part, 1, sizeof part, f)) > 0)
        pd_bytes_append(&raw, part, n);
    const int failed = ferror(f) ? errno : 0, too_long = raw.n > LIST_MOST;
    fclose(f);
    if (raw.n)
        pd_utf8_mend(raw.v, raw.n, text);
    pd_bytes_release(&raw);
    if (failed)
        return pd_fail(PD_EIO, "%s: %s (a list of words)", path, strerror(failed));
    return too_long ? pd_fail(PD_EIO, "%s: too large for a list of words", path) : PD_OK;
}

bool pd_wordlist_is_file(const char *list)
{
    return strcmp(list, "english") != 0 && strcmp(list, "none") != 0;
}

/* Read a list, and cut it into words, which are added to d->words. */
static int read_list(const char *list, struct pd_document *d)
{
    struct pd_bytes text = {0};
    int status = PD_OK;
    if (strcmp(list, "english") == 0)
        read_english(&text);
    else if (strcmp(list, "none") != 0)
        status = read_file(list, &text);
    if (text.n)
        pd_words_scan(text.v, 0, (uint32_t)text.n, d);
    pd_bytes_release(&text);
    return status;
}

int pd_wordlist_read(const char *list, const struct pd_input_options *how, struct pd_terms *terms)
{
    struct pd_document d = pd_document_as(how);
    d.max_bytes = 0;
    const int status = read_list(list, &d);
    for (size_t k = 0; k < d.words.n; k++)
        pd_terms_push(terms, d.words.v[k].term);
    pd_sort_records(terms->v, terms->n, 1, 1);
    pd_document_release(&d);
    return status;
}

bool pd_wordlist_has(const struct pd_terms *terms, uint64_t term)
{
    return pd_search_has(terms->v, terms->n, term);
}

bool pd_is_number(const char *text) { return *text && text[strspn(text, "0123456789")] == '\0'; }

int pd_wordlist_check(const char *list)
{
    struct pd_document d = {0};
    const int status = read_list(list, &d);
    pd_document_release(&d);
    return status;
}
