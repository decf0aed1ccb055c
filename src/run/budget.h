/*
 * run/budget.h - which share of --memory each use of memory gets, and which of them overlap in
 * time.
 *
 * Memory is planned before a stage starts: whatever does not fit its budget spills to scratch. The
 * table in budget.c has one row for each budget with the steps of the job during which it is in
 * use. Four uses of memory are not planned: one document while it is read, one pair of documents
 * while it is aligned, the probes of one meeting, and the buffers of an exchange (comm/exchange.h).
 *
 * `check` sends no requests: there PD_BUDGET_REQUESTS is for sources that were read
 * (check/recent.h), PD_BUDGET_FANS for mapped pages of the index, and PD_BUDGET_WAITING for the
 * names of targets (check/names.h).
 */
#ifndef PARDUP_RUN_BUDGET_H
#define PARDUP_RUN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

enum pd_budget {
    PD_BUDGET_LIBRARY,         /* volumes that stay in memory until the job ends */
    PD_BUDGET_VOLUME,          /* the volume that is being read */
    PD_BUDGET_IDS,             /* hashes of document ids */
    PD_BUDGET_COUNTS,          /* counts of terms */
    PD_BUDGET_CANDIDATES,      /* terms frequent enough in some volume to be counted */
    PD_BUDGET_FLAGGED,         /* replies that say which words of a volume get a flag */
    PD_BUDGET_SITES,           /* documents at the owners of their sites; there are two of it */
    PD_BUDGET_SITE_SIZES,      /* replies that say how many documents a site has */
    PD_BUDGET_SIGHTINGS,       /* documents at the owners of their inner texts */
    PD_BUDGET_STUBS,           /* documents that are stubs, at their holders */
    PD_BUDGET_STANDINGS,       /* base units at the owners of their texts */
    PD_BUDGET_ASIDES,          /* base units that are set aside, at their holders */
    PD_BUDGET_POSTINGS,        /* units with their set names */
    PD_BUDGET_INDEX_TABLES,    /* tables of an index that is made, at rank 0 */
    PD_BUDGET_INDEX_SETS,      /* signature sets for an index, at rank 0 */
    PD_BUDGET_INDEX_KEYS,      /* the same, sorted by their keys */
    PD_BUDGET_REPRESENTATIVES, /* representatives at the holders of their texts */
    PD_BUDGET_SETS,            /* the part of a file of signature sets that stays in memory */
    PD_BUDGET_FREQUENCIES,     /* counts of signatures */
    PD_BUDGET_CODED,           /* replies to counts of signatures: signatures with their codes */
    PD_BUDGET_CODES,           /* the table from signature to code (join/codes.h) */
    PD_BUDGET_NOTICES,         /* notices at their meetings */
    PD_BUDGET_WANTED,          /* meetings at which large sets are wanted */
    PD_BUDGET_PROBES,          /* probes at their meetings; or signatures that are counted */
    PD_BUDGET_PAIR_COUNTS,     /* counts of signatures that pairs of sets share */
    PD_BUDGET_FOUND,           /* similar pairs this rank has found */
    PD_BUDGET_TALLY,           /* the table that counts partners by class */
    PD_BUDGET_CROWDS,          /* counts of partners that have left the table */
    PD_BUDGET_PAIRS,           /* similar pairs at the owner of one class */
    PD_BUDGET_CROWD_SUMS,      /* counts of partners at the owners of the classes */
    PD_BUDGET_UNITS,           /* units of partners, at the owners of the classes */
    PD_BUDGET_FANS,            /* fans at the holders of their first documents */
    PD_BUDGET_PAIRING,         /* dots of one document */
    PD_BUDGET_BLOCKS,          /* dots, as blocks, of a document too large for PD_BUDGET_PAIRING */
    PD_BUDGET_REGIONS,         /* requests for words around regions */
    PD_BUDGET_WINDOWS,         /* words around regions, back at the holders of first documents */
    PD_BUDGET_UNREFINED,       /* regions that wait for words */
    PD_BUDGET_REFINED,         /* passages that were refined */
    PD_BUDGET_LATER,           /* passages whose first document is not in memory yet */
    PD_BUDGET_REQUESTS,        /* requests at the holders of second documents */
    PD_BUDGET_REPLIES,         /* replies back at the holders of first documents */
    PD_BUDGET_WAITING,         /* passages that wait for their replies */
    PD_BUDGET_ROWS,            /* rows of a slice at the ranks that write them */
    PD_BUDGET_MATCHES,         /* rows of /matches, until they are written */
    PD_BUDGET_VERDICTS,        /* decisions and rankings of targets, until they are written */
    PD_BUDGET_VERDICT_ROWS,    /* the same, at the ranks that write them */
    PD_BUDGET_SPANS,           /* spans of passages, at the ranks that cut them into members */
    PD_BUDGET_DATES,           /* dates of documents, at the ranks that cut their text */
    PD_BUDGET_ENDS,            /* members at the ends of passages, at the owners of the passages */
    PD_BUDGET_MEMBERS,         /* members of the documents of a rank */
    PD_BUDGET_FACTS,           /* what is known about members, at their owners */
    PD_BUDGET_BONDED,          /* bonds between members, before representatives are found */
    PD_BUDGET_BONDS,           /* bonds at the owners of members */
    PD_BUDGET_NEIGHBOURS,      /* neighbours of members, at the owners of the members */
    PD_BUDGET_ROUNDS,          /* what a round knows of members; there are two of it */
    PD_BUDGET_TOLD,            /* representatives that members can choose, before they are sent */
    PD_BUDGET_CHOICES,         /* the same, at the owners of the members */
    PD_BUDGET_HOMES,           /* members at the owners of their representatives */
    PD_BUDGET_ASKED_HOMES,     /* where members belong, at their owners */
    PD_BUDGET_PARTS,           /* members and passages of families, at the ranks that number them */
    PD_BUDGET_FAMILIES,        /* rows of /families, until they are written */
    PD_BUDGET_MEMBER_ROWS,     /* rows of /members, until they are written */
    PD_BUDGET_ANSWERS,         /* families of passages, at the ranks that write the passages */
    PD_BUDGET_PAIRED,          /* links between documents, before components are found */
    PD_BUDGET_LINKS,           /* links at the owners of documents */
    PD_BUDGET_SMALLER,         /* links to smaller numbers, at the owners of documents */
    PD_BUDGET_TIES,            /* documents of families, at the holders of the documents */
    PD_BUDGET_SIZES,           /* the same, at the ranks that number the families */
    PD_BUDGET_PLACES,          /* families of documents, at the holders of the documents */
    PD_BUDGET_DOCUMENT_FAMILIES, /* rows of /document_families, until they are written */
    PD_BUDGET_SKIPS,             /* skipped records at the ranks that write them */
    PD_BUDGET_ASIDE_DOCUMENTS,   /* documents in passages, rows of /aside: at holders */
    PD_BUDGET_ASIDE_SPANS,       /* spans and rows of /aside, at the ranks that write them */
    PD_BUDGET_WRITE,             /* rows that are compressed and written at once */
    PD_BUDGET_CLAIMS,            /* passages on their way in dedup; there are two of it */
    PD_BUDGET_DOCUMENTS,         /* documents of dedup at the owners of their rows or places */
    PD_BUDGET_COPIED,            /* sentences that dedup has found again, at their owners */
    PD_BUDGET_ASKED,             /* questions of dedup, or replies; there are two of it */
    PD_BUDGET_CHANGED,           /* documents that lose text, or removals; there are two of it */
    PD_BUDGET_HELD,              /* words of documents that were read last */
    PD_BUDGET_FOLLOWED,          /* text of a document that is looked for once more */
    PD_BUDGET_PAGES,             /* pages of a Parquet file that dedup writes */
    PD_BUDGETS                   /* how many budgets there are */
};

/* The bytes of budget `what` on a rank that may use `memory` bytes in all. */
uint64_t pd_budget_bytes(uint64_t memory, enum pd_budget what);

/* The least memory in which budget `what` has n bytes. */
uint64_t pd_budget_memory(uint64_t n, enum pd_budget what);

/*
 * At each step, do the budgets in use fit in the memory together? Called when a job starts: the
 * table is constant, so a wrong edit of it ends every job at once.
 */
bool pd_budget_fits(void);

#endif
