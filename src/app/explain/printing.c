/* app/explain/printing.c - see printing.h */
#include "printing.h"

#include <stdio.h>

#include "app/show/terminal.h"

void pd_print_paragraph(struct pd_printing *p, size_t rest)
{
    pd_print_wrapped((const char *)p->buffer.v, p->buffer.n, p->width, 0, rest);
    p->buffer.n = 0;
}

/* Print one line of text k. The last line is clipped. *at moves on. Returns the columns. */
static size_t print_half(const struct pd_printing *p, int k, size_t *at, bool last)
{
    const struct pd_bytes *text = &p->texts[k];
    if (*at >= text->n)
        return 0;
    if (!last)
        return pd_print_line((const char *)text->v, text->n, at, p->room);
    const size_t from = *at;
    *at = text->n;
    return pd_print_clipped((const char *)text->v + from, text->n - from, p->room);
}

void pd_print_both(const struct pd_printing *p)
{
    const size_t most = p->o->print.lines ? (size_t)p->o->print.lines : SIZE_MAX;
    size_t at[2] = {0, 0};
    for (size_t line = 1; at[0] < p->texts[0].n || at[1] < p->texts[1].n; line++) {
        const size_t columns = print_half(p, 0, &at[0], line == most);
        if (at[1] < p->texts[1].n)
            printf("%*s | ", (int)(p->room - columns), "");
        print_half(p, 1, &at[1], line == most);
        putchar('\n');
    }
}
