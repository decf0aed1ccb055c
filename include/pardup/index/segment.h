/*
 * index/segment.h - a segment of an index: some sources, and the places of their set names.
 *
 * An entry is a unit that has a name, or what else has one. Entries are in order of their names.
 * Each different name is kept once, with the first bits of a set name (src/index/name_list.h). Each
 * entry has a slot with its place. A name with many entries has one slot, with the number of the
 * list of its places (src/index/place_list.h).
 *
 * Two different sets have the same name with probability 2^-56. So one unit of targets in 2^34, 17
 * billion, is taken for another one if the sources have four million different units, and one in
 * 2^27, 180 million, if they have 400 million. Features are 64-bit hashes, so `detect` has the same
 * risk at 2^8 times as many. Such a unit stands alone, as a passage of one unit (--gamma 0), and
 * with texts its words do not agree. Where a passage takes several grams, one unit alone is none,
 * so names have 2^8 times the risk and a byte less. The width is the same in all segments of an
 * index: a merged one has the bits of its parts.
 *
 * A place is a number below the sum of units, documents and common classes of the segment: first
 * the units of the first document, of the second and so on, then the documents (their whole texts,
 * PD_WHOLE), then the common classes. A common class has, beside its own place, the places of its
 * occurrences in the first document that has it.
 *
 * Yoon, Jang, Kim, Park (IEICE 2012, section 2) keep 128-bit values in a hash table in memory, with
 * 250 bytes for a sentence. Here a name takes about 4.7 bytes and each of its places 2.8, mapped.
 */
#ifndef PARDUP_INDEX_SEGMENT_H
#define PARDUP_INDEX_SEGMENT_H

#include "pardup/base/bytes.h"
#include "pardup/base/record.h"
#include "pardup/base/unit.h"
#include "pardup/index/sections.h"

/* A set name, as a segment has it in its bits. Names that are equal here are the same. */
enum {
    PD_SEGMENT_NAME = 56,     /* bits */
    PD_SEGMENT_NAME_GRAM = 48 /* bits of grams that count only beside others */
};
static inline pd_sig pd_segment_name_of(pd_sig sig, uint64_t bits)
{
    return sig >> (64 - bits) << (64 - bits);
}

enum { PD_SEGMENT_ID_MOST = 1 << 16 }; /* bytes of an id: more than any path has */

/*
 * Numbers of a segment. The file may come from a stranger: pd_segment_open checks them against the
 * lengths of the sections, and each document against longest_id when it is read.
 */
struct pd_segment_counts {
    uint64_t documents, units, files;
    uint64_t common;     /* common classes */
    uint64_t entries;    /* units, documents and common classes that have names */
    uint64_t names;      /* different ones */
    uint64_t slots;      /* of places: one for each entry, or for all of a name with many */
    uint64_t lists;      /* names with many places */
    uint64_t name_bits;  /* of a name: PD_SEGMENT_NAME or PD_SEGMENT_NAME_GRAM */
    uint64_t bits;       /* first bits of a name that are its bucket */
    uint64_t place_bits; /* bits of a place */
    uint64_t sentences;  /* base units of all documents */
    uint64_t words;      /* words of all documents */
    uint64_t text_bytes; /* bytes of the texts of all documents */
    uint64_t with_text;  /* 1: the texts are kept */
    uint64_t longest_id; /* bytes */
    uint64_t with_sets;  /* 1: the signature sets of units are kept (index/sets.h) */
    uint64_t sets, keys; /* of them */
};

/* A flag for each base unit of a document, packed: pd_indexed_flags. Empty: no flag is set. */
struct pd_indexed_flags {
    const unsigned char *v;
    size_t n; /* bytes */
};

/* A document of a segment. Pointers are borrowed from the segment. */
struct pd_indexed {
    const char *before, *id;             /* the id, in two parts; pd_indexed_id joins them */
    size_t before_n, id_n;               /* bytes of them */
    uint64_t file, offset, skip, length; /* as in struct pd_raw, with the number of the file */
    uint64_t host, text_hash;            /* as in struct pd_docrec */
    uint64_t sentences;                  /* base units */
    uint64_t words, text_bytes;          /* words; bytes of the text */
    uint64_t aside_words;                /* words that are set aside, by --frame or --templates */
    uint64_t nunits;                     /* units */
    const unsigned char *bounds;         /* of its units, packed: pd_indexed_bounds */
    size_t bounds_n;                     /* bytes of `bounds` */
    struct pd_indexed_flags frame;       /* in a frame that --frame sets aside */
    struct pd_indexed_flags asides;      /* of the others: set aside by --templates */
    const unsigned char *text;           /* compressed by zstd; NULL: not kept */
    size_t text_n;                       /* bytes of `text`, compressed */
};

/* ---- writing ---- */

/*
 * Append a document with its units, to send it to the writer. The id is all in doc->id, and empty
 * if it is the path of the file. `text` is not compressed, or NULL.
 */
void pd_indexed_pack(const struct pd_indexed *doc, const struct pd_sentences *units,
                     const unsigned char *text, struct pd_bytes *to);

/* The document again, whose pointers go into v[0, n). */
void pd_indexed_unpack(const unsigned char *v, size_t n, bool with_text, struct pd_indexed *out);

struct pd_segment_writer;

/* How the tables of a segment are kept until they are written. */
struct pd_segment_making {
    uint64_t memory;     /* bytes for all of them; what is more is spilled */
    const char *scratch; /* beginning of the paths of scratch files; borrowed until the end */
    int (*stop)(void);  /* as in pd_sections_stop_when(); NULL: the segment is written to its end */
    uint64_t name_bits; /* of the names */
};

/*
 * Begin a segment. Order of calls: documents in order of their numbers, files in order of theirs,
 * pd_segment_names, then names in order, then the end.
 *   path      of the file, which must not be there
 *   with_text documents have texts
 */
struct pd_segment_writer *pd_segment_create(const char *path, bool with_text,
                                            const struct pd_segment_making *how);
int pd_segment_add_document(struct pd_segment_writer *w, const struct pd_indexed *doc);
int pd_segment_add_file(struct pd_segment_writer *w, const char *path, uint64_t bytes);

/* All documents and files have come. There will be at most `most` names. */
int pd_segment_names(struct pd_segment_writer *w, uint64_t most);

/*
 * Add a unit, or a whole document (unit PD_SEGMENT_WHOLE), under its name, a pd_segment_name_of()
 * with the name_bits of the segment.
 */
#define PD_SEGMENT_WHOLE UINT32_MAX
int pd_segment_add_name(struct pd_segment_writer *w, pd_sig sig, pd_doc doc, uint32_t unit);

/* Say that the class with this name is common, behind the units of it that are kept. */
int pd_segment_add_common(struct pd_segment_writer *w, pd_sig sig, uint64_t df);

/*
 * For a segment with sets, behind pd_segment_create: how they are sorted. Each class that has a
 * name and is not common then gets its set, behind its names, with the number of documents that
 * have the class.
 */
struct pd_sets_making;
void pd_segment_keep_sets(struct pd_segment_writer *w, const struct pd_sets_making *how);
int pd_segment_add_set(struct pd_segment_writer *w, uint64_t documents, const pd_sig *set,
                       size_t n);

/*
 * Add a name that was set aside (run/stage/classes/templates.h), between the calls before. Names
 * ascend.
 */
int pd_segment_add_aside(struct pd_segment_writer *w, uint64_t name);

/* Write the rest, sync and close. Frees w. `counts` receives the numbers. PD_OK or PD_EIO. */
int pd_segment_finish(struct pd_segment_writer *w, struct pd_segment_counts *counts,
                      uint64_t *checksum);
void pd_segment_abandon(struct pd_segment_writer *w);

/* ---- reading ---- */

/* A segment that is open for reading. Sections are parts of the mapped file, described above. */
struct pd_segment {
    struct pd_sections file; /* the mapped file */
    struct pd_segment_counts counts;
    pd_doc base; /* number of its first document in the index; set by the caller */
    struct pd_section names, buckets, spans, heads, firsts, places, many, many_starts;
    struct pd_section documents, starts, units, hosts, files, file_starts, common, asides;
    struct pd_section keys, sets, lists, set_starts, list_starts; /* with_sets only */
    unsigned rest_bits, place_bits;                  /* widths of numbers in `names` and `places` */
    unsigned span_bytes, start_bytes;                /* the same in `spans` and `firsts` */
    unsigned document_bytes, unit_bytes, file_bytes; /* in `starts`, `units`, `file_starts` */
    unsigned list_bytes;                             /* the same in `many_starts` */
    unsigned key_bytes;                              /* the same in `keys` */
    uint64_t *last; /* of 2^last_shift units each: the document that was found last, plus 1; or 0 */
    unsigned last_shift;
};

/* Open a segment. *s is zeroed. PD_OK, PD_EIO or PD_EFORMAT; to be closed in any case. */
int pd_segment_open(struct pd_segment *s, const char *path);
void pd_segment_close(struct pd_segment *s);

/* The entries of a name, one after the other. */
struct pd_places {
    const struct pd_segment *segment;
    uint64_t name;      /* its number among the names of the segment */
    uint64_t slot, end; /* slots that come next, without that of a list */
    uint64_t left;      /* entries of a list that come next */
    uint64_t at, next;  /* bit in `many`; the least place that the next one can be */
    unsigned k;         /* of the list */
};

/* Find a name. PD_OK, PD_END (the segment has no such name) or PD_EFORMAT. */
int pd_segment_find(const struct pd_segment *s, pd_sig sig, struct pd_places *found);

/*
 * Where the last name was found, in a segment where one name after the other is looked up. Names
 * that ascend are found faster, and all are found. Zeroed at first.
 */
struct pd_name_hint {
    uint64_t bucket, at; /* a bucket; where it begins */
    uint64_t name, slot; /* the number of a name; its first slot */
    uint64_t *listed;    /* all names of the segment in order; NULL: they were not listed */
    uint64_t next;       /* the first of them that is not below the last name */
};
int pd_segment_find_near(const struct pd_segment *s, pd_sig sig, struct pd_name_hint *hint,
                         struct pd_places *found);

/*
 * List the names for many look-ups, with 8 bytes for each. The caller frees hint->listed. PD_OK or
 * PD_EFORMAT.
 */
int pd_segment_list(const struct pd_segment *s, struct pd_name_hint *hint);

/* The name that has this number. PD_OK or PD_EFORMAT. Cost: O(log names). */
int pd_segment_name(const struct pd_segment *s, uint64_t name, pd_sig *sig);

/* Prefetch what pd_segment_find(s, sig) reads first. */
void pd_segment_expect(const struct pd_segment *s, pd_sig sig);

/* The k-th name that was set aside, k below pd_segment_asides(s). PD_OK or PD_EFORMAT. */
int pd_segment_aside(const struct pd_segment *s, uint64_t k, uint64_t *name);
static inline uint64_t pd_segment_asides(const struct pd_segment *s)
{
    return s->asides.n / sizeof(uint64_t);
}

/* What an entry stands for. */
struct pd_place {
    enum { PD_PLACE_UNIT, PD_PLACE_WHOLE, PD_PLACE_COMMON } kind;
    pd_doc doc;    /* UNIT, WHOLE: the document, in the index */
    uint32_t unit; /* UNIT; WHOLE: units of the document */
    uint64_t df;   /* COMMON: documents of the segment that have the class */
};

/* The next entry of a name. PD_OK, PD_END (there are no more) or PD_EFORMAT. */
int pd_places_next(struct pd_places *p, struct pd_place *place);

/* All entries in order, with their names, for merging. All but the segment is 0 at first. */
struct pd_names_cursor {
    const struct pd_segment *segment;
    struct pd_places places; /* of the last name */
    uint64_t names;          /* that have begun */
    uint64_t at;             /* bit in `buckets`, behind that of the last name */
    pd_sig sig;              /* the last name */
};
int pd_segment_next(struct pd_names_cursor *c, pd_sig *sig, struct pd_place *place);

/* Document `doc` (its number in the index) of the segment. PD_OK or PD_EFORMAT. */
int pd_segment_document(const struct pd_segment *s, pd_doc doc, struct pd_indexed *out);

/* The same for merging: the id is empty if it is the path of the file. */
int pd_segment_kept(const struct pd_segment *s, pd_doc doc, struct pd_indexed *out);

/* Append the id of a document. */
void pd_indexed_id(const struct pd_indexed *doc, struct pd_bytes *to);

/* A file of the segment: its path, with NUL behind it, and its bytes. */
int pd_segment_file(const struct pd_segment *s, uint64_t file, struct pd_bytes *path,
                    uint64_t *bytes);

/* Fill in begin and end of all units of a document; words are 0. False: the bounds are broken. */
bool pd_indexed_bounds(const struct pd_indexed *doc, struct pd_sentences *units);

/*
 * Append n flags in packed form, or nothing if none is set: lengths of the runs of flags that are
 * not set and set in turn. The first run is of flags that are not set, and may be empty.
 */
void pd_indexed_pack_flags(const bool *flags, size_t n, struct pd_bytes *to);

/* Unpack n flags. False: they are broken, or of another number of base units. */
bool pd_indexed_unpack_flags(const struct pd_indexed_flags *packed, bool *flags, size_t n);

/*
 * What unpacking needs, kept from one text to the next: zstd takes longer to make it than to use
 * it.
 */
struct ZSTD_DCtx_s; /* of <zstd.h> */
struct pd_unpacker {
    struct ZSTD_DCtx_s *zstd; /* NULL before the first text */
};
void pd_unpacker_release(struct pd_unpacker *u);

/* Unpack the text of a document, text_bytes bytes. False: it is broken, or not kept. */
bool pd_indexed_text(const struct pd_indexed *doc, struct pd_unpacker *u, struct pd_bytes *to);

#endif
