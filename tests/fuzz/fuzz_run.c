/* tests/fuzz/fuzz_run.c - any bytes as the lines of TREC runs and judgements. */
#include "fuzz.h"
#include "pardup/base/bytes.h"
#include "tools/prevalence/trec.h"

enum { LINE_MOST = 4096 };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    struct pd_trec r = {.repeated = 0};
    unsigned char how;
    uint64_t number = 0;
    fuzz_settings(data, &n, &how, sizeof how);
    for (size_t at = 0, end; at < n; at = end + 1) {
        char line[LINE_MOST + 1];
        const unsigned char *lf = memchr(data + at, '\n', n - at);
        end = lf ? (size_t)(lf - data) : n;
        const size_t take = end - at < LINE_MOST ? end - at : LINE_MOST;
        memcpy(line, data + at, take);
        line[take] = '\0';
        number++;
        const int status = number % 3 == 2 && how & 1
                               ? pd_trec_judge(&r, line, number % 5 == 0, number)
                               : pd_trec_take(&r, line, number > how, number);
        PD_CHECK(status == PD_OK || (status == PD_EFORMAT && strlen(pd_error_text()) > 0));
        pd_error_clear();
    }
    pd_trec_sort(&r, how & 2 ? PD_TREC_RANK : PD_TREC_SCORE);
    for (size_t from = 0, end; from < r.found.n; from = end) {
        end = pd_trec_end(&r, from);
        PD_CHECK(end > from && end <= r.found.n);
        for (size_t k = from; k < end; k++) {
            const struct pd_found *f = &r.found.v[k];
            PD_CHECK(f->run == r.found.v[from].run && f->topic == r.found.v[from].topic);
            PD_CHECK(f->line <= number && strlen(pd_trec_name(&r.docs, f->doc)) > 0);
        }
    }
    for (size_t k = 0; k < r.judged.n; k++)
        PD_CHECK(r.judged.v[k].relevant <= 1 && strlen(pd_trec_name(&r.docs, r.judged.v[k].doc)));
    pd_trec_release(&r);
    return 0;
}
