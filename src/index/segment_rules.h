/*
 * index/segment_rules.h - what must hold of the numbers of a segment, whoever has made the file.
 *
 * A rule is a name, which the error tells, and a condition on the segment `s` and its counts `c`.
 * The rules of a table are judged in order, when a segment is opened or a document is read. A rule
 * may rely on the rules before it: no sum or product in it overflows. What they do not cover is
 * looked up in the mapped file, where each place is checked against its section.
 */
#ifndef PARDUP_INDEX_SEGMENT_RULES_H
#define PARDUP_INDEX_SEGMENT_RULES_H

#include "name_list.h"

enum {
    PD_BITS_MOST = 40,       /* first bits of a name that are its bucket, at most */
    PD_BYTE_BITS = 8,        /* a unit, a slot and a place of a list take a bit at least */
    PD_TEXT_FREE = 64 << 20, /* bytes of a text that a few stored bytes may stand for */
    PD_TEXT_EXPANDS = 1000   /* how many times longer than stored a text beyond that may be */
};

/* Counts against the lengths of the sections that hold what they count. */
#define PD_SEGMENT_COUNT_RULES(RULE)                                                               \
    RULE("documents", c->documents < s->starts.n)                                                  \
    RULE("files", c->files < s->file_starts.n)                                                     \
    RULE("units", c->units / PD_BYTE_BITS <= s->documents.n)                                       \
    RULE("name_bits", c->name_bits > PD_BITS_MOST && c->name_bits <= PD_SEGMENT_NAME)              \
    RULE("bits", c->bits >= PD_BITS_LEAST && c->bits <= PD_BITS_MOST)                              \
    RULE("place_bits", c->place_bits > 0 && c->place_bits <= PD_READ_BITS)                         \
    RULE("slots", c->slots / PD_BYTE_BITS <= s->heads.n)                                           \
    RULE("names", c->names <= c->slots)                                                            \
    RULE("lists", c->lists <= s->many_starts.n)                                                    \
    RULE("entries", c->entries >= c->names && c->entries <= c->slots + PD_BYTE_BITS * s->many.n)   \
    RULE("longest_id", c->longest_id <= PD_SEGMENT_ID_MOST)                                        \
    RULE("with_text", c->with_text <= 1)                                                           \
    RULE("with_sets", c->with_sets <= 1)                                                           \
    RULE("sets", c->with_sets ? c->sets <= c->names : c->sets == 0)                                \
    RULE("keys", c->with_sets || c->keys == 0)

/* Sections against the counts, whose numbers have their widths by then. */
#define PD_SEGMENT_SECTION_RULES(RULE)                                                             \
    RULE("names", pd_name_list_fit(s))                                                             \
    RULE("places", s->places.n == (c->slots * s->place_bits + 7) / 8)                              \
    RULE("many_starts", s->many_starts.n == c->lists * s->list_bytes)                              \
    RULE("starts", s->starts.n == (c->documents + 1) * s->document_bytes)                          \
    RULE("units", s->units.n == (c->documents + 1) * s->unit_bytes)                                \
    RULE("file_starts", s->file_starts.n == (c->files + 1) * s->file_bytes)                        \
    RULE("common",                                                                                 \
         s->common.n % sizeof(uint64_t) == 0 && c->common == s->common.n / sizeof(uint64_t))       \
    RULE("asides", s->asides.n % sizeof(uint64_t) == 0)                                            \
    RULE("hosts", s->hosts.n % sizeof(uint64_t) == 0)

/* A document `d`, whose units begin at `from` and end at `to`. */
#define PD_SEGMENT_DOCUMENT_RULES(RULE)                                                            \
    RULE("units", from <= to && to <= c->units)                                                    \
    RULE("bounds", (to - from) / PD_BYTE_BITS <= d->bounds_n)                                      \
    RULE("text_bytes", d->text_bytes <= UINT32_MAX)                                                \
    RULE("texts", !d->text || d->text_bytes <= PD_TEXT_FREE ||                                     \
                      d->text_bytes / PD_TEXT_EXPANDS <= d->text_n)                                \
    RULE("sentences", d->sentences <= d->text_bytes)                                               \
    RULE("words", d->words <= d->text_bytes)

/* For a function that returns PD_EFORMAT at the first rule that does not hold. */
#define PD_SEGMENT_JUDGE(name, holds)                                                              \
    if (!(holds))                                                                                  \
        return pd_segment_contradicts(s, name);

#endif
