/* html_raw.c - see src/document/html/html_raw.h */
#include "html_raw.h"

#include <string.h>
#include <strings.h>

bool pd_html_named(const unsigned char *s, const unsigned char *end, const char *name)
{
    const size_t n = strlen(name);
    if ((size_t)(end - s) <= n || strncasecmp((const char *)s, name, n) != 0)
        return false;
    return s[n] != '\0' && strchr(" \t\n\f\r/>", s[n]) != NULL;
}

static bool is_end_tag(const unsigned char *lt, const unsigned char *end, const char *name)
{
    return end - lt > 2 && lt[1] == '/' && pd_html_named(lt + 2, end, name);
}

const unsigned char *pd_html_raw_end(const unsigned char *s, const unsigned char *end,
                                     const char *name)
{
    while ((s = memchr(s, '<', (size_t)(end - s))) != NULL) {
        if (is_end_tag(s, end, name))
            return s;
        s++;
    }
    return end;
}

/*
 * The end of the escaped text that the "--" of "<!--" begins inside a script. Behind "-->" the
 * script goes on, and *ended is false. At the end tag of the script *ended is true. A <script>
 * inside the escaped text must be closed first ("double escaped").
 */
static const unsigned char *escaped_end(const unsigned char *dashes, const unsigned char *end,
                                        bool *ended)
{
    bool doubled = false;
    *ended = false;
    for (const unsigned char *s = dashes + 2; s < end; s++) {
        if (*s == '>' && s[-1] == '-' && s[-2] == '-')
            return s + 1;
        if (*s != '<')
            continue;
        if (!doubled && is_end_tag(s, end, "script")) {
            *ended = true;
            return s;
        }
        if (doubled)
            doubled = !is_end_tag(s, end, "script");
        else
            doubled = pd_html_named(s + 1, end, "script");
    }
    return end;
}

const unsigned char *pd_html_script_end(const unsigned char *s, const unsigned char *end)
{
    while ((s = memchr(s, '<', (size_t)(end - s))) != NULL) {
        if (is_end_tag(s, end, "script"))
            return s;
        s++;
        if (end - s >= 3 && memcmp(s, "!--", 3) == 0) {
            bool ended;
            s = escaped_end(s + 1, end, &ended);
            if (ended)
                return s;
        }
    }
    return end;
}

const unsigned char *pd_html_comment_end(const unsigned char *s, const unsigned char *end)
{
    const unsigned char *start = s;
    for (const unsigned char *gt; (gt = memchr(s, '>', (size_t)(end - s))) != NULL; s = gt + 1) {
        const size_t n = (size_t)(gt - start);
        if (n == 0 || (n == 1 && gt[-1] == '-') || (n >= 2 && memcmp(gt - 2, "--", 2) == 0) ||
            (n >= 3 && memcmp(gt - 3, "--!", 3) == 0))
            return gt + 1;
    }
    return end;
}
