/* Pages as stored to sentences and words: all of document/. */
#include "bench.h"
#include "pardup/base/error.h"

static uint64_t step(struct pd_document *d, const struct bench_page *page)
{
    enum pd_skip why;
    return pd_document_read(d, &page->raw, &why) == PD_OK ? d->words.n : 0;
}

int main(int argc, char **argv) { return bench_main(argc, argv, "document", NULL, step); }
