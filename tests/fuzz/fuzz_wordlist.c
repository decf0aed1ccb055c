/*
 * tests/fuzz/fuzz_wordlist.c - any bytes as a list of words, as --stop-words and --antecedents read
 * it.
 */
#include "fuzz.h"
#include "run/stage/classes/wordlist.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    const struct pd_input_options how = {.words = PD_WORDS_CHAR};
    struct pd_terms terms = {0};
    const char *path = fuzz_file(data, n);
    pd_error_clear();
    const int status = pd_wordlist_read(path, &how, &terms);
    PD_CHECK(status == PD_OK || strlen(pd_error_text()) > 0);
    for (size_t k = 0; k < terms.n; k++) {
        PD_CHECK(k == 0 || terms.v[k - 1] <= terms.v[k]);
        PD_CHECK(pd_wordlist_has(&terms, terms.v[k]));
    }
    pd_terms_release(&terms);
    pd_error_clear();
    return 0;
}
