/* tests/fuzz/fuzz_truth.c - any bytes as a truth file, a list of ignored texts, or PAN's XML. */
#include "fuzz.h"
#include "tools/eval/truth.h"

enum { ID_WIDTH = 8, DOCUMENTS = 3 };

static void check_truth(struct pd_truth *t)
{
    pd_truth_sort(t);
    for (size_t k = 0; k < t->cases.n; k++) {
        const struct pd_match *m = &t->cases.v[k];
        PD_CHECK(m->a <= m->b && (k == 0 || m[-1].a <= m->a));
        PD_CHECK(m->b < t->documents + t->unknown.n && m->class <= t->class_names.n);
        if (m->class)
            PD_CHECK(strlen(pd_truth_class(t, m->class)) > 0);
    }
    for (size_t k = 0; k < t->unknown.n; k++)
        PD_CHECK(strlen(pd_truth_unknown(t, k)) <= t->ids.text.n);
    struct pd_matches found = {0};
    for (uint64_t k = 1; k < DOCUMENTS; k++)
        pd_matches_push(&found, (struct pd_match){.b = k, .end_a = 100, .end_b = 100});
    const size_t n = found.n;
    const uint64_t dropped = pd_truth_judge(t, &found);
    PD_CHECK(found.n + dropped == n);
    pd_matches_release(&found);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    static const char ids[DOCUMENTS][ID_WIDTH] = {"a", "b.txt", "x/c"};
    unsigned char how;
    struct pd_truth t = {0};
    fuzz_settings(data, &n, &how, sizeof how);
    const char *path = fuzz_file(data, n);
    pd_truth_documents(&t, ids[0], ID_WIDTH, DOCUMENTS, how & 4);
    pd_error_clear();
    const int status = (how & 3) == 1   ? pd_truth_read_ignored(&t, path)
                       : (how & 3) == 2 ? pd_truth_read_pan(&t, path)
                                        : pd_truth_read(&t, path);
    PD_CHECK(status == PD_OK || (status == PD_EFORMAT && strlen(pd_error_text()) > 0));
    if (status == PD_OK)
        check_truth(&t);
    pd_truth_release(&t);
    return 0;
}
