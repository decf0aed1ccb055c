/* app/like.c - see src/app/like.h */
#include "like.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "commands.h"

enum { LONGEST = 32, WRONG_MOST = 2 }; /* letters */

/* How many letters are to be changed, put in or left out to make b[0, m) of a[0, n). */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t row[LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const size_t changed = corner + (a[i - 1] != b[j - 1]);
            const size_t moved = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            corner = row[j];
            row[j] = changed < moved ? changed : moved;
        }
    }
    return row[m];
}

char *pd_like_fold(const char *s, size_t n)
{
    utf8proc_uint8_t *to = NULL;
    const utf8proc_option_t how =
        UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK | UTF8PROC_CASEFOLD;
    if (utf8proc_map((const utf8proc_uint8_t *)s, (utf8proc_ssize_t)n, &to, how) < 0)
        return NULL;
    return (char *)to;
}

size_t pd_like(const char *a, size_t n, const char *b, size_t m)
{
    const size_t wrong = distance(a, n, b, m);
    return wrong <= WRONG_MOST && 2 * wrong < n ? wrong : SIZE_MAX;
}

/* Keep `other` in *best if no name before it is more like name[0, n). */
static void judge(const char *name, size_t n, const char *other, const char **best, size_t *least)
{
    const size_t wrong = pd_like(name, n, other, strlen(other));
    if (wrong < *least) {
        *least = wrong;
        *best = other;
    }
}

const char *pd_like_command(const char *name, size_t n)
{
    const char *best = NULL;
    size_t least = SIZE_MAX;
    for (const struct pd_command *const *k = pd_commands; *k; k++)
        judge(name, n, (*k)->name, &best, &least);
    return best;
}

const char *pd_like_option(const char *command, const char *name, size_t n)
{
    const char *best = NULL;
    size_t least = SIZE_MAX;
    for (const struct pd_option *k = NULL; (k = pd_option_next(command, k));)
        if (k->help)
            judge(name, n, k->name, &best, &least);
    return best;
}
