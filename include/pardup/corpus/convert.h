/*
 * corpus/convert.h - programs that make text of files that pardup does not read itself.
 *
 * The table is one for the process: the rows of --convert, then pardup's own. A converter runs
 * without a shell and without a terminal, with limits on time, memory and output, and without a
 * network where the system allows it. It is trusted to print the same for the same file.
 */
#ifndef PARDUP_CORPUS_CONVERT_H
#define PARDUP_CORPUS_CONVERT_H

#include <stddef.h>

#include "pardup/base/bytes.h"
#include "pardup/base/raw.h"

struct pd_converter {
    const char *kind;    /* what files of this kind are called, such as "pdf" */
    const char *magic;   /* how they begin; NULL: their names end in .KIND */
    const char *command; /* words; {} stands for the path; of --convert, what follows the '=' */
    const char
        *package; /* what has the program in Debian and Ubuntu; NULL: the user has named it */
    enum pd_media media; /* what it prints */
};

/*
 * Add a row, as --convert gives it: 'ENDING=COMMAND {}'. The text is borrowed for the life of the
 * process. PD_OK, or PD_EUSAGE with a message.
 */
int pd_converter_add(const char *row);

/*
 * The number of the converter of the file `path` that begins with s[0, n): the first row that fits
 * and whose program is installed, else the first that fits. -1: none fits.
 */
int pd_converter_find(const char *path, const unsigned char *s, size_t n);

/*
 * The next row of the same kind whose program is installed, for a file with which this one failed;
 * -1: none.
 */
int pd_converter_next(int number);

const struct pd_converter *pd_converter(int number);

/* Append the program that a command begins with to `to`, as messages name it. */
void pd_converter_program(const struct pd_converter *c, struct pd_bytes *to);

/* How a conversion has ended. */
enum pd_conversion {
    PD_CONVERTED,
    PD_CONVERT_MISSING, /* the program is not there */
    PD_CONVERT_FAILED,  /* it failed; *why says how */
    PD_CONVERT_LARGE,   /* it printed more than `most` bytes */
    PD_CONVERT_STOPPED  /* stopping() said so */
};

/*
 * Write what the converter makes of the file `path` to `text`, whose content is replaced.
 *   most       bytes that it may print
 *   stopping   asked a few times a second; NULL: nobody stops it
 *   why        receives one line, ended by NUL, for PD_CONVERT_FAILED
 */
enum pd_conversion pd_converter_run(const struct pd_converter *c, const char *path, size_t most,
                                    int (*stopping)(void), struct pd_bytes *text,
                                    struct pd_bytes *why);

#endif
