/* Text to words, their compared forms and hashes. */
#include "bench.h"
#include "pardup/document/word.h"

static uint64_t step(struct pd_document *d, const struct bench_page *page)
{
    d->words.n = d->norm.n = 0;
    pd_words_scan(page->raw.body, 0, (uint32_t)page->raw.n, d);
    return d->words.n;
}

int main(int argc, char **argv) { return bench_main(argc, argv, "word", bench_text_of, step); }
