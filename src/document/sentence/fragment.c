/* document/sentence/fragment.c - see include/pardup/document/fragment.h */
#include "pardup/document/fragment.h"

#include "ending_chars.h"

#define THAI    0x0E00 /* Thai and Lao lie side by side */
#define LAO_END 0x0EFF

/* Is the character a quote or bracket, or ASCII that stands for one? */
static bool closes(uint32_t c)
{
    if (c < 0x80)
        return is_sign(c, PD_SIGN_CLOSER | PD_SIGN_QUOTE, NULL);
    return category(c) == UTF8PROC_CATEGORY_PE || category(c) == UTF8PROC_CATEGORY_PF ||
           category(c) == UTF8PROC_CATEGORY_PI;
}

bool pd_ends_sentence(const unsigned char *s, size_t n)
{
    unsigned len;
    while (n > 0 && closes(char_before(s + n, &len)))
        n -= len;
    if (n == 0)
        return false;
    const uint32_t c = char_before(s + n, &len);
    if (c < 0x80)
        return c == '!' || c == '?' || (c == '.' && (n == 1 || s[n - 2] != '.'));
    return (c >= THAI && c <= LAO_END) || pd_is_terminal(c);
}

bool pd_has_braces(const unsigned char *s, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if ((s[k] == '{' || s[k] == '}') && (k + 1 == n || s[k + 1] == '\n' || s[k + 1] == '\r'))
            return true;
    return false;
}

bool pd_has_digit(const unsigned char *s, size_t n)
{
    unsigned len;
    for (size_t k = 0; k < n; k += len) {
        const uint32_t c = char_at(s + k, &len);
        if (c < 0x80 ? is_ascii_digit(c) : category(c) == UTF8PROC_CATEGORY_ND)
            return true;
    }
    return false;
}

bool pd_may_be_name(const unsigned char *s, size_t n, bool first)
{
    unsigned len;
    const uint32_t c = n ? char_at(s, &len) : 0;
    return is_upper(c) ? !first : c >= 0x80 && category(c) == UTF8PROC_CATEGORY_LO;
}
