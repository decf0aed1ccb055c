/* corpus/detect.c - the layout of a file, found by its first decoded bytes. */
#include <string.h>

#include "inside.h"
#include "mail.h"

/*
 * Does s begin with a JSON object? The first name or the closing brace must follow on the same
 * line, since a text can begin with a brace, too.
 */
static bool is_json_line(const unsigned char *s, size_t n)
{
    size_t k = 1;
    if (n == 0 || *s != '{')
        return false;
    while (k < n && (s[k] == ' ' || s[k] == '\t'))
        k++;
    return k < n && (s[k] == '"' || s[k] == '}');
}

static bool begins_with(const unsigned char *s, size_t n, const char *word)
{
    return n >= strlen(word) && memcmp(s, word, strlen(word)) == 0;
}

/*
 * Bytes of the document type and XML declarations at s. Reuters' files begin with a document type.
 */
static size_t pass_prologue(const unsigned char *s, size_t n)
{
    size_t k = 0;
    while (begins_with(s + k, n - k, "<!") || begins_with(s + k, n - k, "<?")) {
        const unsigned char *end = memchr(s + k, '>', n - k);
        if (!end)
            return n;
        k = (size_t)(end - s) + 1;
        while (k < n && memchr(" \t\r\n", s[k], 4))
            k++;
    }
    return k;
}

const struct pd_layout *pd_layout_of(const unsigned char *s, size_t n)
{
    static const struct pd_layout *const records[] = {&pd_layout_arc, &pd_layout_trec,
                                                      &pd_layout_reuters, &pd_layout_mbox};
    size_t k = begins_with(s, n, "\xef\xbb\xbf") ? 3 : 0;
    const bool mail = pd_mail_starts(s, n); /* asked first: no blanks precede a header */
    while (k < n && memchr(" \t\r\n", s[k], 4))
        k++;
    s += k;
    n -= k;
    if (n > 5 && memcmp(s, "WARC/", 5) == 0 && s[5] >= '0' && s[5] <= '9')
        return &pd_layout_warc;
    if (begins_with(s, n, "filedesc://")) /* enough, even if the rest of the line is damaged */
        return &pd_layout_arc;
    const size_t behind = pass_prologue(s, n);
    for (k = 0; k < sizeof records / sizeof *records && behind < n; k++)
        if (records[k]->starts(s + behind, n - behind) == PD_START_YES)
            return records[k];
    if (is_json_line(s, n))
        return &pd_layout_jsonl;
    return mail ? &pd_layout_mail : &pd_layout_whole;
}
