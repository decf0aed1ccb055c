/* run/dedup/groups.h - documents by their file, host or value of a field, and what they lose. */
#ifndef PARDUP_RUN_DEDUP_GROUPS_H
#define PARDUP_RUN_DEDUP_GROUPS_H

#include "pardup/result/names.h"
#include "run/dedup/changed.h"

/* How the documents are grouped. */
struct pd_grouping {
    struct pd_dedup *d;
    const char *by;         /* as the user has said it */
    const char *columns[2]; /* of /documents; NULL: the groups are files */
    const char *field;      /* of /documents/meta; NULL: the column is the name */
    struct pd_table_reader t;
    uint64_t file; /* of the document that was asked for last */
    struct pd_bytes value;
};

/* `by` is file, host or field:NAME. PD_OK, PD_EIO or PD_EFORMAT (the result does not say it). */
int pd_grouping_open(struct pd_grouping *g, struct pd_dedup *d, const char *by);
void pd_grouping_close(struct pd_grouping *g);

/* The name of the group of a document; *n is 0 if it is in no group. Ask in ascending order. */
int pd_group_name(struct pd_grouping *g, uint64_t doc, const char **name, size_t *n);

/* The documents of one group. */
struct pd_group {
    uint64_t documents, whole, changed;
    uint64_t words, words_gone; /* 0 if the result does not say it */
    uint64_t bytes, bytes_gone; /* of text; white space counts where it was (changed.h) */
};
PD_VEC(pd_group_list, struct pd_group);

struct pd_groups {
    struct pd_names names; /* numbered by the first documents of the groups */
    struct pd_group_list v;
};

/* Count the documents that may lose text. PD_OK or a failure. */
int pd_groups_count(struct pd_groups *groups, struct pd_grouping *g);
void pd_groups_release(struct pd_groups *groups);

/* The name of a group, ended by NUL. */
static inline const char *pd_groups_name(const struct pd_groups *groups, size_t k)
{
    return (const char *)groups->names.text.v + groups->names.names.v[k].at;
}

#endif
