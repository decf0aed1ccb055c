/* base/json.c - see include/pardup/base/json.h */
#include "pardup/base/json.h"

#include <stdio.h>

#include "pardup/base/plain.h"

static void append_escape(struct pd_bytes *to, unsigned character)
{
    static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* character, letter of its escape */
    char escape[PD_PLAIN_ESCAPE];
    for (size_t k = 0; k + 1 < sizeof shorts; k += 2)
        if ((unsigned char)shorts[k] == character) {
            pd_bytes_push(to, '\\');
            pd_bytes_push(to, (unsigned char)shorts[k + 1]);
            return;
        }
    snprintf(escape, sizeof escape, "\\u%04x", character & 0xffff);
    pd_bytes_append(to, escape, 6);
}

void pd_json_escape(struct pd_bytes *to, const void *bytes, size_t n)
{
    const char *s = bytes;
    for (size_t k = 0, size; k < n; k += size) {
        uint32_t character = (unsigned char)s[k];
        enum pd_plain_kind kind = PD_PLAIN_SHOWN;
        size = 1;
        if (character < ' ' || character >= 0x7f)
            kind = pd_plain_at(s + k, n - k, &size, &character);
        if (kind == PD_PLAIN_BROKEN)
            pd_bytes_append(to, "\xef\xbf\xbd", 3);
        else if (kind != PD_PLAIN_SHOWN || character == '"' || character == '\\')
            append_escape(to, character);
        else
            pd_bytes_append(to, s + k, size);
    }
}

void pd_json_quote(struct pd_bytes *to, const void *s, size_t n)
{
    pd_bytes_push(to, '"');
    pd_json_escape(to, s, n);
    pd_bytes_push(to, '"');
}
