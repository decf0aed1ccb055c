/* tests/fuzz/fuzz_list.c - any bytes as a list of files, ids or queries, compressed or not. */
#include "fuzz.h"
#include "pardup/corpus/list.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    enum { LINE_MOST = 1 << 20 };
    struct pd_list *list;
    char *line;
    size_t line_n;
    pd_error_clear();
    int status = pd_list_open(fuzz_file(data, n), &list);
    while (status >= 0 && (status = pd_list_next(list, &line, &line_n)) == PD_OK)
        PD_CHECK(line_n <= LINE_MOST && line[line_n] == '\0' && !memchr(line, '\n', line_n));
    PD_CHECK(status >= 0 || strlen(pd_error_text()) > 0);
    pd_list_close(list);
    pd_error_clear();
    return 0;
}
