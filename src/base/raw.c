/* base/raw.c - see include/pardup/base/raw.h */
#include "pardup/base/raw.h"

const char *pd_skip_name(enum pd_skip why)
{
    static const char *const names[PD_SKIP_KINDS] = {
        "truncated", "corrupt", "garbage",   "header",  "length",  "coding",  "json",
        "binary",    "charset", "too-large", "unknown", "no-text", "doubtful"};
    return names[why];
}
