/* result/match.c - see include/pardup/result/match.h */
#include "pardup/result/match.h"

struct cursor {
    const unsigned char *text;
    size_t n;
    uint64_t byte, character;
};

/* To the next character; false at the end. */
static int step(struct cursor *c)
{
    if (c->byte >= c->n)
        return 0;
    do
        c->byte++;
    while (c->byte < c->n && (c->text[c->byte] & 0xC0) == 0x80); /* continuation bytes */
    c->character++;
    return 1;
}

void pd_marks_to_chars(const unsigned char *text, size_t n, const struct pd_mark *marks,
                       size_t nmarks)
{
    struct cursor c = {text, n, 0, 0};
    for (size_t k = 0; k < nmarks; k++) {
        while (c.byte < marks[k].at && step(&c))
            ;
        *marks[k].where = c.character + (marks[k].at > n ? marks[k].at - n : 0);
    }
}

void pd_marks_to_bytes(const unsigned char *text, size_t n, const struct pd_mark *marks,
                       size_t nmarks)
{
    struct cursor c = {text, n, 0, 0};
    for (size_t k = 0; k < nmarks; k++) {
        while (c.character < marks[k].at && step(&c))
            ;
        *marks[k].where = c.byte + (marks[k].at - c.character);
    }
}
