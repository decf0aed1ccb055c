/* Text to sentences. */
#include "bench.h"
#include "document/sentence/sentence.h"

static uint64_t step(struct pd_document *d, const struct bench_page *page)
{
    d->sentences.n = 0;
    pd_sentences_split(page->raw.body, page->raw.n, &d->sentences);
    return d->sentences.n;
}

int main(int argc, char **argv) { return bench_main(argc, argv, "sentence", bench_text_of, step); }
