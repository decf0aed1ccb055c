/*
 * run/stage/families/facts.h - what is known about each member of a family.
 *
 * The text of a document that passages reach is cut into members (passage/members.h). A member
 * has the number document << PD_BEGIN_BITS | first byte: two members of a document never begin at
 * the same byte.
 */
#ifndef PARDUP_RUN_FACTS_H
#define PARDUP_RUN_FACTS_H

#include "families.h"
#include "stars.h"

enum { PD_BEGIN_BITS = 30, PD_ROW_BITS = 47 };

/* A passage as its ends know it: the rank that writes its row, and the row. */
static inline uint64_t pd_place_of(int rank, uint64_t row)
{
    return (uint64_t)rank << PD_ROW_BITS | row;
}
static inline uint64_t pd_row_of(uint64_t place)
{
    return place & (((uint64_t)1 << PD_ROW_BITS) - 1);
}

/* Facts about a member, sorted by kind. */
enum { PD_FACT_HOME, PD_FACT_SPAN, PD_FACT_DATE, PD_FACT_PASSAGE };
struct pd_fact {
    uint64_t member, kind;
    uint64_t a; /* HOME: representative of its family; SPAN: end; DATE: pd_date.first; */
                /* PASSAGE: its place */
    uint64_t b; /* HOME: 1: verified, else 0; SPAN: words; DATE: pd_date.last */
};

/* How many there are of what is sorted: partitions follow from it (struct pd_flow). */
struct pd_families_extent {
    const struct pd_job *job;
    uint64_t members; /* all numbers of members are below it */
    uint64_t rows;    /* rows of /passages of all ranks; set once all of them have been read */
};

/* A partition of records that begin with a member (struct pd_flow); ctx: struct pd_families_extent. */
static inline uint32_t pd_partition_of_member(const void *rec, uint32_t npartitions, void *extent)
{
    return pd_node_partition(*(const uint64_t *)rec,
                             ((const struct pd_families_extent *)extent)->members, npartitions);
}

struct pd_document_families;

/*
 * How far the families are, in parts of the time that 1.2 million passages take: spans are sent,
 * members are cut, bonds are made, neighbours are known, members have chosen, facts are sorted.
 */
enum {
    PD_FAMILIES_SPANS = 5,
    PD_FAMILIES_ENDS = 8,
    PD_FAMILIES_BONDS = 9,
    PD_FAMILIES_KNOWN = 16,
    PD_FAMILIES_CHOICES = 19,
    PD_FAMILIES_FACTS = 20,
    PD_FAMILIES_PHASES = 24
};

/*
 * COLLECTIVE. Bring together all that is known about each member.
 *   documents  gets each pair of `from` (documents.h)
 *   extent     `job` and `members` are set; borrowed until `facts` is closed
 *   facts      receives an open, sorted shuffle of struct pd_fact, at the owner of the member
 *              (stars.h). A member without a PD_FACT_HOME is in no family; none of them has a
 *              passage. The caller closes it, also after a failure.
 * Agreed: PD_OK or a failure.
 */
int pd_facts_find(struct pd_job *job, const struct pd_families_from *from,
                  struct pd_document_families *documents, struct pd_families_extent *extent,
                  struct pd_shuffle *facts);

#endif
