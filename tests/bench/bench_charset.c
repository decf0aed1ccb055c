/* The character set of pages, and pages in UTF-8. */
#include "bench.h"
#include "document/charset/charset.h"

static uint64_t step(struct pd_document *d, const struct bench_page *page)
{
    pd_charset_to_utf8(&page->raw, &d->utf8, &d->text, &d->text_n, &d->replaced, NULL);
    return d->text_n;
}

int main(int argc, char **argv) { return bench_main(argc, argv, "charset", NULL, step); }
