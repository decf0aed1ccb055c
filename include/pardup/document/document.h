/*
 * document/document.h - a raw document to text, sentences and words.
 *
 * The same code serves every command: what `pardup text` prints is `text`, and all offsets are
 * bytes into it. For plain text that is valid UTF-8, `text` is the file itself.
 */
#ifndef PARDUP_DOCUMENT_DOCUMENT_H
#define PARDUP_DOCUMENT_DOCUMENT_H

#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/base/raw.h"
#include "pardup/base/unit.h"
#include "pardup/document/html.h"

/* A word as it stands in the text, [begin, end), and as it is compared: norm of the document. */
struct pd_word {
    uint32_t begin, end; /* bytes of text */
    uint32_t norm;
    uint32_t norm_n;
    uint64_t term; /* XXH3 (64-bit) of the normalised bytes */
};
PD_VEC(pd_words, struct pd_word);

enum pd_base_kind { PD_BASE_SENTENCE, PD_BASE_CLAUSE, PD_BASE_STOP };

/* What of an HTML page is text: all of it, or its main content only (document/content.h). */
enum pd_content { PD_CONTENT_ALL, PD_CONTENT_MAIN };

/* What a Chinese or Japanese word is: a character, or what ICU's dictionary says. */
enum pd_words_kind { PD_WORDS_CHAR, PD_WORDS_ICU };

struct pd_document {
    enum pd_content content;       /* set by the caller, kept from call to call */
    enum pd_base_kind base;        /* how the text is cut into base units */
    enum pd_words_kind words_kind; /* likewise; ICU only where pd_words_have_icu() */
    const unsigned char *text; /* UTF-8; borrowed from the raw document or from the buffers below */
    size_t text_n;
    struct pd_sentences sentences;
    struct pd_words words;
    struct pd_bytes norm; /* what the words' norm points into: text in lower case, other forms */
    uint64_t replaced;    /* broken byte sequences that became U+FFFD */
    struct pd_bytes utf8;           /* buffers, reused from document to document */
    struct pd_bytes html;
    struct pd_segmenter *segmenter; /* likewise, from the first Chinese word on; owned */
    struct pd_html_links links;     /* likewise: links of the page */
};

/*
 * Fill `d` from `raw`, whose body must stay as long as d->text is used. A zeroed `d` is ready.
 * PD_OK, or PD_END when the body is not text (*why says which kind of skip it is).
 */
int pd_document_read(struct pd_document *d, const struct pd_raw *raw, enum pd_skip *why);
void pd_document_release(struct pd_document *d);

#endif
