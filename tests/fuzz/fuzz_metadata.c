/* tests/fuzz/fuzz_metadata.c - any bytes as the table of --metadata. */
#include "fuzz.h"
#include "pardup/base/bytes.h"
#include "run/stage/collection/metadata.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    static const char *const ids[] = {"a", "b.txt", "x/c", "7", ""};
    struct pd_options o = {.quiet = true};
    struct pd_metadata m = {.date = 0};
    struct pd_comm alone;
    const struct pd_files files = {0};
    struct pd_bytes fields = {0};
    unsigned char how;
    fuzz_settings(data, &n, &how, sizeof how);
    pd_comm_alone(&alone);
    o.input.metadata = fuzz_file(data, n);
    o.input.keep_fields = how & 1 ? "title,author" : how & 2 ? "no-such" : NULL;
    o.input.date_field = how & 4 ? "year" : "date";
    o.method.skip_same = how & 8 ? "author" : NULL;
    const int status = pd_metadata_share(&alone, &m, &o);
    PD_CHECK(status == PD_OK || strlen(pd_error_text()) > 0);
    if (status == PD_OK)
        pd_metadata_see(&m, &files);
    for (size_t k = 0; k < sizeof ids / sizeof *ids && status == PD_OK; k++) {
        const struct pd_raw raw = {.id = ids[k], .id_n = strlen(ids[k])};
        const uint64_t row = pd_metadata_row(&m, raw.id, raw.id_n, "", 0);
        PD_CHECK(row == UINT64_MAX || row < m.ids.names.n);
        fields.n = 0;
        (void)pd_metadata_write(&m, &raw, NULL, &fields);
        PD_CHECK(fields.n == 0 || (fields.v[0] == '{' && fields.v[fields.n - 1] == '}'));
    }
    pd_metadata_release(&m);
    pd_bytes_release(&fields);
    pd_error_clear();
    return 0;
}
