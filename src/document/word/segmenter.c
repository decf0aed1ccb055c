/* segmenter.c - see segmenter.h */
#include "segmenter.h"

#ifdef PARDUP_ICU

#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include "pardup/base/error.h"
#include "pardup/base/vec.h"

struct pd_segmenter {
    UBreakIterator *breaks; /* ICU's word breaks, for Chinese */
    UText text;             /* ICU's view of the current run */
    size_t n;               /* bytes of the current run */
};

/* Panic when ICU reports a failure. */
static void check(UErrorCode status)
{
    if (U_FAILURE(status))
        pd_panic("ICU: %s", u_errorName(status));
}

struct pd_segmenter *pd_segmenter_new(void)
{
    UErrorCode status = U_ZERO_ERROR;
    const UText closed = UTEXT_INITIALIZER;
    struct pd_segmenter *s = pd_realloc(NULL, 1, sizeof *s);
    *s = (struct pd_segmenter){.breaks = ubrk_open(UBRK_WORD, "zh", NULL, 0, &status)};
    s->text = closed;
    check(status);
    return s;
}

void pd_segmenter_free(struct pd_segmenter *s)
{
    if (s == NULL)
        return;
    ubrk_close(s->breaks);
    utext_close(&s->text);
    free(s);
}

void pd_segmenter_start(struct pd_segmenter *s, const unsigned char *run, size_t n)
{
    UErrorCode status = U_ZERO_ERROR;
    utext_openUTF8(&s->text, (const char *)run, (int64_t)n, &status);
    ubrk_setUText(s->breaks, &s->text, &status);
    check(status);
    ubrk_first(s->breaks);
    s->n = n;
}

size_t pd_segmenter_next(struct pd_segmenter *s)
{
    const int32_t end = ubrk_next(s->breaks);
    return end == UBRK_DONE ? s->n : (size_t)end;
}

#else

struct pd_segmenter *pd_segmenter_new(void) { return NULL; }

void pd_segmenter_free(struct pd_segmenter *s) { (void)s; }

void pd_segmenter_start(struct pd_segmenter *s, const unsigned char *run, size_t n)
{
    (void)s, (void)run, (void)n;
}

size_t pd_segmenter_next(struct pd_segmenter *s)
{
    (void)s;
    return 0;
}

#endif
