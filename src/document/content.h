/*
 * document/content.h - the main content of a page, without menus, link lists and footers.
 *
 * Source: Kohlschuetter, Fankhauser, Nejdl, "Boilerplate detection using shallow text features",
 * WSDM 2010, section 4.3 (a decision tree over the words and the link density of a block and its
 * neighbours).
 * Deviation:
 * - A block is the text between two block-level tags of any kind. Text density is not used.
 * - Two Chinese or Japanese characters count as one word.
 * - Text inside <nav>, <footer>, <aside>, <select> and <button> counts as linked. The pages of the
 *   paper hardly had <nav>, <footer> and <aside> yet. Text inside <form> does not count as linked,
 *   because some servers put the whole page into one form.
 */
#ifndef PARDUP_DOCUMENT_CONTENT_H
#define PARDUP_DOCUMENT_CONTENT_H

#include "pardup/document/html.h"

/*
 * Leave only the main content in `text`: whole blocks, with an empty line between them. Nothing may
 * be left. Cannot fail. Linear time.
 *   text    written by pd_html_text_linked() into an empty buffer; changed in place
 *   links   the links that pd_html_text_linked() gave for this text
 */
void pd_content_keep_main(struct pd_bytes *text, const struct pd_html_links *links);

#endif
