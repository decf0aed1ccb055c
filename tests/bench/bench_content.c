/* HTML in UTF-8 to the main content of the page. */
#include "bench.h"
#include "document/charset/charset.h"
#include "document/page/content.h"
#include "pardup/document/html.h"

static uint64_t in_utf8(struct pd_document *d, const struct bench_page *page)
{
    pd_charset_to_utf8(&page->raw, &d->utf8, &d->text, &d->text_n, &d->replaced, NULL);
    return d->text_n;
}

static uint64_t step(struct pd_document *d, const struct bench_page *page)
{
    d->html.n = 0;
    pd_html_text_outlined(page->raw.body, page->raw.n, false, &d->html, &d->outline);
    if (pd_content_find_main(page->raw.body, page->raw.n, &d->outline, &d->html, &d->main))
        pd_content_keep_main(&d->main, &d->html);
    return d->html.n;
}

int main(int argc, char **argv) { return bench_main(argc, argv, "content", in_utf8, step); }
