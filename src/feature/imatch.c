/* feature/imatch.c - see include/pardup/feature/imatch.h */
#include "pardup/feature/imatch.h"

#include <math.h>

double pd_imatch_idf(uint64_t df, uint64_t documents)
{
    if (documents < 2) /* log N is 0: a single document has nothing to match anyway */
        return 0;
    return log((double)documents / (double)df) / log((double)documents);
}

bool pd_imatch_counts(uint64_t df, uint64_t documents, double lo, double hi)
{
    const double idf = pd_imatch_idf(df, documents);
    return lo - PD_IDF_TOLERANCE <= idf && idf <= hi + PD_IDF_TOLERANCE;
}
