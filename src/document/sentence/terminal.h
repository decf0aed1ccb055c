/*
 * terminal.h - marks that end a sentence in any script: Unicode's property Sentence_Terminal.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_TERMINAL_H
#define PARDUP_DOCUMENT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The space between words of Ethiopic. Two of them are often typed as its full stop. */
#define ETHIOPIC_SPACE 0x1361

/* A range of characters, both ends included. */
struct pd_range {
    uint32_t first, last;
};

/* The characters beyond ASCII with the property, ascending; *n ranges. */
const struct pd_range *pd_terminals(size_t *n);

/* Does character c, beyond ASCII, have the property? */
bool pd_is_terminal(uint32_t c);

#endif
