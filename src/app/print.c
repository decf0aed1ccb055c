/* app/print.c - see src/app/print.h */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/document/utf8.h"
#include "print.h"

int pd_stdout_done(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return pd_fail(PD_EIO, "standard output: %s", strerror(errno));
    return PD_OK;
}

void pd_print_json(const char *s, size_t n)
{
    if (pd_utf8_valid((const unsigned char *)s, n) < n) { /* a path may hold any bytes */
        struct pd_bytes mended = {0};
        pd_utf8_mend((const unsigned char *)s, n, &mended);
        pd_print_json((const char *)mended.v, mended.n);
        pd_bytes_release(&mended);
        return;
    }
    putchar('"');
    for (size_t k = 0; k < n; k++) {
        const unsigned char c = (unsigned char)s[k];
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}
