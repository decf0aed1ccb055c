/*
 * document/page/content.h - the main content of a page, without menus, link lists and footers.
 *
 * A page is first judged as a whole: whether it is an article, a forum, a product, and so on. Then
 * each block of its text gets a probability, from its words and links, its tags and classes, where
 * it stands, and what is around it. Both are sums of small decision trees over integers, so the
 * answer is the same on every machine. The trees were trained on pages that people have marked
 * (scripts/data/train_content.py).
 * In an article, blocks are kept that are more likely content than not, except pointers to other
 * pages: blocks of at most 20 words, more than half of them linked, that are neither headings nor
 * in lists. On other pages, the blocks are kept whose expected F1 is highest: the limit for a block
 * is half the F1 that can be reached on the page (Lipton, Elkan, Naryanaswamy, "Optimal
 * thresholding of classifiers to maximize F1 measure", ECML 2014).
 *
 * The trees know prose and links. Two rules help where there is neither. Preformatted text has the
 * label of the text around it. And where most of what would be kept is links outside of what the
 * page calls its main content (<main>, role=main), or nothing would, all of that is kept instead:
 * else a page with little text would consist of its menu.
 *
 * The trees see one page. Where most pages of a site are articles, a page that may be one is an
 * article, too. So in a page whose kind is not sure, and may be an article, the blocks are doubtful
 * that would not be kept in an article.
 * A block that is not kept is stray if it is running text: it has at least 30 words, at most a
 * quarter of them in links, and a mark that ends a sentence for every 40 words; and no class says
 * that it is about cookies or consent. The trees take such text for frame in a page of little
 * text, or in an odd place. Whether it is one shows when pages are compared (join/templates.h).
 * A block that is kept is linked if more than half of its words are in links, and it is no heading
 * and not preformatted: it says what other pages are called.
 */
#ifndef PARDUP_DOCUMENT_CONTENT_H
#define PARDUP_DOCUMENT_CONTENT_H

#include "pardup/document/document.h"

/* No main content. */
static inline void pd_main_clear(struct pd_main *main)
{
    main->blocks.n = main->doubtful.n = main->linked.n = main->stray.n = 0;
    main->article = false;
}

/*
 * Find the main content in the text of a page: whole blocks. There may be none. Returns false, and
 * no blocks, for a page with more blocks or tags than pages for people have (outline.h): all its
 * text counts. Linear time.
 *   html    the page, n bytes
 *   layout  what pd_html_text_outlined() told of it
 *   text    the text that it wrote into an empty buffer
 *   main    receives the blocks
 */
bool pd_content_find_main(const unsigned char *html, size_t n, const struct pd_html_outline *layout,
                          const struct pd_bytes *text, struct pd_main *main);

/* Write to `origins` how pd_content_keep_main(), which is called next, will make its text. */
void pd_content_trace_main(const struct pd_main *main, const struct pd_bytes *text,
                           struct pd_origins *origins);

/*
 * Leave only the main content in `text`, with an empty line between its blocks. No-break spaces
 * become spaces: they say where a line may break. The doubtful and the linked blocks of `main`
 * become offsets of the text that is left.
 */
void pd_content_keep_main(struct pd_main *main, struct pd_bytes *text);

#endif
