/* run/stage/align/slicing.c - see src/run/stage/align/slicing.h */
#include "slicing.h"
#include "pardup/base/minmax.h"

size_t pd_slice_end(const uint64_t *bins, size_t n, size_t begin, uint64_t most, uint64_t *bytes)
{
    size_t end = begin + 1;
    *bytes = bins[begin];
    for (; end < n && *bytes + bins[end] <= most; end++)
        *bytes += bins[end];
    return end;
}

uint64_t pd_slice_even(const uint64_t *bins, size_t n, uint64_t fits)
{
    uint64_t all = 0, largest = 0;
    for (size_t k = 0; k < n; k++) {
        all += bins[k];
        largest = pd_max_u64(bins[k], largest);
    }
    if (all <= fits || fits == 0)
        return fits;
    const uint64_t slices = (all + fits - 1) / fits;
    /* A slice ends before a bin that would exceed this, so it has at least all / slices bytes. */
    const uint64_t even = all / slices + 1 + largest;
    return pd_min_u64(even, fits);
}

uint64_t pd_slice_next(uint64_t bytes, uint64_t replies, uint64_t room, uint64_t least,
                       uint64_t most)
{
    if (replies == 0)
        return most;
    const unsigned __int128 fits = (unsigned __int128)bytes * room / replies;
    return fits > most ? most : pd_min_u64(pd_max_u64((uint64_t)fits, least), most);
}
