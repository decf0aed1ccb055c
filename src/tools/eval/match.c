/* tools/eval/match.c - see src/tools/eval/match.h */
#include "match.h"

void pd_marks_of(struct pd_matches *matches, uint64_t documents, struct pd_marks *marks)
{
    for (size_t k = 0; k < matches->n; k++) {
        struct pd_match *m = &matches->v[k];
        if (m->a < documents) {
            pd_marks_push(marks, (struct pd_mark){m->a, m->begin_a, &m->begin_a});
            pd_marks_push(marks, (struct pd_mark){m->a, m->end_a, &m->end_a});
        }
        if (m->b < documents) {
            pd_marks_push(marks, (struct pd_mark){m->b, m->begin_b, &m->begin_b});
            pd_marks_push(marks, (struct pd_mark){m->b, m->end_b, &m->end_b});
        }
    }
}

/* A position in a text, in bytes and in characters. */
struct cursor {
    const unsigned char *text;
    size_t n;
    uint64_t byte, character;
};

/* Go to the next character; returns 0 at the end of the text. */
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
