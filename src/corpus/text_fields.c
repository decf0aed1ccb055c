/* corpus/text_fields.c - see src/corpus/text_fields.h */
#include "text_fields.h"

#include <string.h>

void pd_text_fields_read(struct pd_text_fields *f, const char *list)
{
    int group = 0;
    f->n = 0;
    while (f->n < PD_TEXT_FIELDS) {
        const size_t n = strcspn(list, ",|");
        if (n > 0 && n < PD_TEXT_NAME) {
            memcpy(f->names[f->n], list, n);
            f->names[f->n][n] = '\0';
            f->group[f->n++] = group;
        }
        if (list[n] == '\0')
            return;
        group += list[n] == '|';
        list += n + 1;
    }
}

const char *pd_text_fields_last(const char *list)
{
    const char *name;
    while ((name = strpbrk(list, ",|")) != NULL && name[1])
        list = name + 1;
    return list;
}
