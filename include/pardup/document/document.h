/*
 * document/document.h - the text, the base units and the words of a raw document.
 *
 * Every command reads documents with this code. The member `text` is what `pardup text` prints,
 * and all offsets are bytes into it. For plain text that is valid UTF-8, `text` is the body itself.
 */
#ifndef PARDUP_DOCUMENT_DOCUMENT_H
#define PARDUP_DOCUMENT_DOCUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/base/raw.h"
#include "pardup/base/spelling.h"
#include "pardup/base/unit.h"
#include "pardup/document/html.h"

/* A word. Words are compared by their normalised form (document/word.h). */
struct pd_word {
    uint32_t begin, end; /* the word is bytes [begin, end) of the document's text */
    uint32_t norm;       /* offset of its normalised form in the document's `norm` */
    uint32_t norm_n;     /* bytes of the normalised form, at least 1 */
    uint64_t term;       /* XXH3 (64-bit, no seed) of the normalised form */
};
PD_VEC(pd_words, struct pd_word);

/* A seam: text[from, to) stands inside a word that is printed in two parts (document/word.h). */
struct pd_seam {
    uint32_t from, to;
};
PD_VEC(pd_seams, struct pd_seam);

/* How a text is cut into base units: document/sentence/sentence.h, document/sentence/clause.h. */
enum pd_base_kind { PD_BASE_SENTENCE, PD_BASE_CLAUSE, PD_BASE_STOP };

/* Bytes [begin, end) of a text. */
struct pd_extent {
    size_t begin, end;
};
PD_VEC(pd_extents, struct pd_extent);

/* The main content of a page (document/page/content.h). */
struct pd_main {
    struct pd_extents blocks;   /* its blocks in the text, ascending */
    struct pd_extents doubtful; /* left out in a site of articles, ascending */
    struct pd_extents linked;   /* mostly links, ascending; no doubtful ones */
    struct pd_extents stray;    /* running text outside `blocks`, ascending */
    bool article;               /* the page surely is an article */
};

/* How much of an HTML page is text: all of it, or its main content (document/page/content.h). */
enum pd_content { PD_CONTENT_ALL, PD_CONTENT_MAIN };

/*
 * What words are. PD_WORDS_CHAR, PD_WORDS_ICU: words of language; in scripts without blanks they
 * are one per letter, or found by ICU's dictionary. PD_WORDS_CODE: words of program text
 * (document/code.h), whose base units are lines.
 */
enum pd_words_kind { PD_WORDS_CHAR, PD_WORDS_ICU, PD_WORDS_CODE };

/* Spelling in which words are compared: as it stands, or across prints before 1700 (word.h). */
enum pd_spelling { PD_SPELLING_EXACT, PD_SPELLING_EARLY_MODERN };

/* One document. The first nine members are set by the caller and keep their values. */
struct pd_document {
    enum pd_content content;        /* how much of an HTML page is text */
    bool marks_frame;               /* with PD_CONTENT_ALL: also find the frame of a page; all of an
                                       error page is frame (pd_raw.error) */
    enum pd_base_kind base;         /* how the text is cut into base units */
    enum pd_words_kind words_kind;  /* PD_WORDS_ICU is allowed only if pd_words_have_icu() */
    enum pd_spelling spelling;      /* across which spellings words are compared */
    size_t max_bytes;               /* of the largest document; 0: PD_DOCUMENT_MOST */
    int (*stopping)(void);          /* nonzero: the document is not wanted; NULL: it is */
    struct pd_trace *trace;         /* borrowed: receives how the text is made; NULL: not wanted */
    struct pd_byline *byline;       /* borrowed: receives title, author, date; NULL: not wanted */
    const unsigned char *text;      /* UTF-8; borrowed from the raw document, `utf8` or `html` */
    size_t text_n;                  /* bytes of text, at most PD_DOCUMENT_MOST */
    struct pd_sentences sentences;  /* the base units, ascending and disjoint */
    struct pd_words words;          /* the words of all base units, ascending and disjoint */
    uint32_t single_words;          /* words that are single characters of scripts without blanks */
    struct pd_main main;            /* main content of the text; see has_main */
    bool has_main;                  /* `main` was found; false: the document has no frame */
    struct pd_bytes norm;           /* the text in lower case, and other normalised forms */
    uint64_t replaced;              /* broken byte sequences that became U+FFFD */
    bool page;                      /* the document is an HTML page */
    struct pd_seams seams;          /* buffer: seams of the text that was scanned last */
    struct pd_bytes utf8;           /* buffer: the body as UTF-8; reused for the next document */
    struct pd_bytes html;           /* buffer: the text of a page; reused for the next document */
    struct pd_segmenter *segmenter; /* owned; NULL until PD_WORDS_ICU meets a Chinese word */
    struct pd_html_outline outline; /* layout of the page, if its main content is looked for */
};

/* The spelling of a word of the document (base/spelling.h). */
static inline uint64_t pd_document_spelling(const struct pd_document *d, const struct pd_word *word)
{
    return pd_spelling_of(d->norm.v + word->norm, word->norm_n);
}

static inline size_t pd_document_most(const struct pd_document *d)
{
    return d->max_bytes > 0 ? d->max_bytes : PD_DOCUMENT_MOST;
}

/* Base units, and words of less than two bytes of text each, that a document may have. */
static inline size_t pd_document_most_units(const struct pd_document *d)
{
    enum { UNIT_BYTES = 8 };
    return pd_document_most(d) / UNIT_BYTES;
}

/* Would the words of the document take too much memory? No real text does this. */
static inline bool pd_document_is_dense(const struct pd_document *d)
{
    const size_t n = d->words.n;
    return n > pd_document_most_units(d) && d->words.v[n - 1].end < 2 * n;
}

/*
 * Read the text, base units and words of `raw` into `d`.
 *   d      zeroed before the first call, which gives the defaults: all text, sentences, one word
 *          per character; the next call reuses its buffers
 *   raw    its body must stay valid as long as d->text is used
 *   why    set when the result is PD_END: PD_SKIP_BINARY for a body that is not text,
 *          PD_SKIP_TOO_LARGE for a body of more than d->max_bytes or a text of more than
 *          PD_DOCUMENT_MOST bytes, for normalised forms of 4 GiB and more, for more than
 *          pd_document_most_units() base units, or for words as pd_document_is_dense() says
 * Returns PD_OK or PD_END (the document is skipped, or d->stopping() was nonzero, which is asked
 * for every 256 KiB of text and between the steps).
 */
int pd_document_read(struct pd_document *d, const struct pd_raw *raw, enum pd_skip *why);

/*
 * Why the text that was made of a file by itself is doubtful, in words; NULL: it is not. The file
 * yields almost nothing for its size, or most of its text looks like markup or base64.
 */
const char *pd_document_doubt(const struct pd_document *d, const struct pd_raw *raw);

/* Read the text of `raw` alone, which is the same. Otherwise as pd_document_read(). */
int pd_document_read_text(struct pd_document *d, const struct pd_raw *raw, enum pd_skip *why);

/*
 * Read the base units and words of a text that pd_document_read() has made of some document before,
 * with the same settings: they are the same. The text is borrowed as long as d->text is used.
 * Returns as pd_document_read() does.
 */
int pd_document_cut(struct pd_document *d, const unsigned char *text, size_t n);

/*
 * Read the words of some sentences of such a text alone: they are the same as in the whole text.
 *   some  nsome sentences that follow one another, as in d->sentences for the whole text; `word`
 *         and `nwords` are not looked at. d->sentences receives them, with the words counted from
 *         the first word of the first of them.
 * For d->base PD_BASE_SENTENCE only. Returns as pd_document_read() does.
 */
int pd_document_cut_some(struct pd_document *d, const unsigned char *text, size_t n,
                         const struct pd_sentence *some, size_t nsome);

/*
 * Is base unit k of the document in the frame of its page: in the text outside the main content,
 * such as menus, lists of links and footers? Asked for k = 0, 1, ... in turn.
 *   at  0 before the first call for a document; changed by each call
 */
bool pd_document_in_frame(const struct pd_document *d, size_t k, size_t *at);

/*
 * Is base unit k of the document in a doubtful block of the main content? Such a block is left out
 * where most pages of the site are articles (join/templates.h). Asked as pd_document_in_frame().
 */
bool pd_document_in_doubt(const struct pd_document *d, size_t k, size_t *at);

/* Is base unit k in a linked block of the main content? Asked as pd_document_in_frame(). */
bool pd_document_is_linked(const struct pd_document *d, size_t k, size_t *at);

/* Is base unit k stray: in the frame, but in running text? Asked as pd_document_in_frame(). */
bool pd_document_is_stray(const struct pd_document *d, size_t k, size_t *at);

/* Free all buffers of `d`. */
void pd_document_release(struct pd_document *d);

#endif
