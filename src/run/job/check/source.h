/* run/job/check/source.h - the source at hand: its units, and its words if its text can be read. */
#ifndef PARDUP_RUN_SOURCE_H
#define PARDUP_RUN_SOURCE_H

#include "pardup/corpus/reader.h"
#include "pardup/document/document.h"
#include "pardup/index/index.h"
#include "recent.h"
#include "run/stage/job.h"
#include "run/view.h"

/* A document whose words are known: a target or a source. All is borrowed. */
struct pd_spelled {
    const struct pd_sentences *units;
    const struct pd_aside_runs *asides;  /* words that are set aside */
    const struct pd_word_numbers *words; /* the words that units are made of; empty: all */
    const struct pd_token *tokens;       /* nwords words */
    const uint64_t *terms;               /* by tokens[].term */
    const uint64_t *spellings;           /* the same */
    uint32_t nwords;
    uint32_t own; /* words of the whole document that are not set aside */
};

struct pd_source_text {
    const struct pd_job *job;
    struct pd_index *index;
    bool texts;                      /* read the texts; false: units have bounds, but no words */
    struct pd_recent_source *source; /* at hand; NULL: none is */
    struct pd_recent_sources recent; /* all sources that are still in memory */
    struct pd_document document;
    struct pd_reader *reader;         /* of the sources' files; NULL until one is needed */
    struct pd_file file;              /* the file that the reader has open; its path is allocated */
    const struct pd_segment *segment; /* the segment that has its file; NULL: no path is known */
    uint64_t number;                  /* number of the file there */
    struct pd_unpacker unpacker;
    struct pd_bytes kept_path, path; /* of a source's file: as the segment has it, and as found */
    struct pd_bytes id;              /* of the source at hand */
    struct pd_view view;
    struct pd_bytes flags, in_frame; /* scratch: flags of base units */
    struct pd_word_numbers out;      /* scratch: base units that are set aside */
    struct pd_spelled spelled;       /* what callers read; without texts only `units` */
};

/* Zeroed but for job, index and texts, which are borrowed. */
void pd_source_init(struct pd_source_text *s, const struct pd_job *job, struct pd_index *index,
                    bool texts);
void pd_source_release(struct pd_source_text *s);

/*
 * Make source `number` the source at hand. Its words may be missing until pd_source_spell. PD_OK;
 * PD_EIO or PD_EFORMAT (the index is damaged; the source's file cannot be read, or has changed).
 */
int pd_source_go(struct pd_source_text *s, pd_doc number);

/*
 * Read the words of units [from, to) of the source at hand, the words of the unit before and of the
 * unit behind, and at least `near` words on each side, or all that there are. In `spelled`, words
 * are then counted from the first one that was read. Only with texts. PD_OK or PD_EFORMAT.
 */
int pd_source_spell(struct pd_source_text *s, uint32_t from, uint32_t to, uint32_t near);

/* What the index says about a source, at hand or not. PD_OK or PD_EFORMAT. */
int pd_source_indexed(const struct pd_source_text *s, pd_doc number, struct pd_indexed *doc);

#endif
