/* join/stubs.c - see include/pardup/join/stubs.h */
#include "pardup/join/stubs.h"

enum {
    LONG_WORDS = 32, /* words of an inner text that ask for one more name */
    PER_NAME = 4     /* addresses that are worth one name */
};

bool pd_stub_judge(const struct pd_sighting *v, size_t n)
{
    const uint64_t least = PD_STUB_NAMES + v->words / LONG_WORDS;
    uint64_t names = 0, addresses = 0;
    for (size_t k = 0; k < n; k++) {
        const bool other = k == 0 || v[k].name != v[k - 1].name;
        names += other;
        addresses += other || v[k].address != v[k - 1].address;
    }
    return pd_stub_fits(v->words) && (names >= least || addresses >= PER_NAME * least);
}
