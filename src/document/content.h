/*
 * document/content.h - the main content of a page: no menus, link lists, footers.
 *
 * Source: Kohlschuetter, Fankhauser, Nejdl, "Boilerplate detection using shallow text features",
 * WSDM 2010, section 4.3 (decision tree over words and link density of a block and its neighbours).
 * Deviation: blocks are what block-level tags part, whatever their kind; text density is not used.
 * Two Chinese or Japanese characters count as a word. Text inside <nav>, <footer>, <aside>, <select>
 * and <button>, which the paper's pages hardly had yet, counts as linked. Not so <form>: some
 * servers put the whole page into one.
 */
#ifndef PARDUP_DOCUMENT_CONTENT_H
#define PARDUP_DOCUMENT_CONTENT_H

#include "pardup/document/html.h"

/*
 * Leave only the main content in `text`, which pd_html_text_linked() has written into an empty
 * buffer with these links: whole blocks, with an empty line between. May leave nothing. Cannot
 * fail. Linear time.
 */
void pd_content_keep_main(struct pd_bytes *text, const struct pd_html_links *links);

#endif
