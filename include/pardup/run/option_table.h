/*
 * run/option_table.h - every option, described once: what commands share, and what the result
 * keeps.
 *
 * A row of the table in src/run/option_table.c says how an option is called, what values it takes,
 * which member of struct pd_options holds it, and whether the result depends on it. Four things are
 * made from the table: the command line (app/options.c), --help, the attributes of the result file
 * (run/stage/write/provenance.c), and the description of the job in a checkpoint
 * (run/stage/resume/description.c).
 */
#ifndef PARDUP_RUN_OPTION_TABLE_H
#define PARDUP_RUN_OPTION_TABLE_H

#include "pardup/run/options.h"

/* Bytes of an option's text, and of the recorded command: an HDF5 attribute has less than 64 KB. */
#define PD_OPTION_TEXT_MOST 32000

enum pd_option_kind {
    PD_OPTION_TEXT,   /* const char *: a text of PD_OPTION_TEXT_MOST bytes at most */
    PD_OPTION_TEXTS,  /* struct pd_texts: the option may be given several times */
    PD_OPTION_PAIR,   /* const char *[2]: any two texts */
    PD_OPTION_COUNT,  /* int64_t: a whole number in [lo, hi] */
    PD_OPTION_COUNTS, /* int64_t[2]: two whole numbers, each in [lo, hi] */
    PD_OPTION_BYTES,  /* int64_t: a whole number with K, M, G or T behind it, in [lo, hi] */
    PD_OPTION_REAL,   /* double: a number or a fraction in [lo, hi] */
    PD_OPTION_RANGE,  /* double[2]: lo <= first <= second <= hi */
    PD_OPTION_FLAG,   /* bool: true when the option is given; it takes no value */
    PD_OPTION_CHOICE, /* an enumeration: one of `choices` */
    PD_OPTION_ASIDE,  /* --aside, which sets the options that `choices` names; it has no member */
};

/* Whether the value is an attribute of the result, and whether the result depends on it. */
enum pd_option_role {
    PD_OPTION_FREE,     /* no attribute; a job may be resumed with another value */
    PD_OPTION_RECORDED, /* an attribute; a job may be resumed with another value */
    PD_OPTION_SHAPES,   /* an attribute; the result depends on it: --resume refuses another value */
};

/* A row: all that the program knows of an option. */
struct pd_option {
    const char *name; /* without the dashes */
    const char *arg;  /* what --help calls the value; NULL for a flag */
    enum pd_option_kind kind;
    size_t offset;              /* bytes from the start of the command's options to the member */
    double lo, hi;              /* least and greatest value of a number */
    const char *const *choices; /* names by enumerator, NULL behind the last; NULL: not a choice */
    const char *commands;       /* commands that take the option, separated by blanks; "*": all;
                                  NULL: the command whose table this is */
    enum pd_option_role role;
    const char *attribute; /* name in the result file; NULL: `name` with "_" for "-" */
    const char *standard;  /* default as the user would type it; NULL: the member is zero */
    const char *help;      /* what --help says; NULL: an older name, which --help leaves out */
};

/* The options, in the order in which --help lists them; the name of the last row is NULL. A command
 * may have further ones, which the result does not depend on (app/commands.h). */
extern const struct pd_option pd_option_table[];

extern const char *const pd_preset_names[]; /* by enum pd_preset, then NULL */

/* Is the name in the list, whose names blanks separate? */
bool pd_listed(const char *list, const char *name);

/* Does `command` take the option? */
bool pd_option_belongs(const struct pd_option *option, const char *command);

/* The option that `command` takes and that is called name[0, n); NULL: there is none. */
const struct pd_option *pd_option_find(const char *command, const char *name, size_t n);

/* The enumerator that `name` stands for; -1: none. `option` is of kind PD_OPTION_CHOICE. */
int pd_option_choice(const struct pd_option *option, const char *name);

/* The value of an option as a result file and a checkpoint keep it. */
struct pd_setting {
    char name[32]; /* name of the attribute */
    enum { PD_SETTING_TEXT, PD_SETTING_COUNT, PD_SETTING_REAL } type;
    const char *text; /* always set; a number is printed so that it reads back as the same number */
    uint64_t count;   /* PD_SETTING_COUNT */
    double real;      /* PD_SETTING_REAL */
    char buffer[64];  /* where `text` is printed */
};

/* Fill in the setting of an option. It points into `o` or into itself: it must not be copied. */
void pd_option_setting(const struct pd_option *option, const struct pd_options *o,
                       struct pd_setting *setting);

#endif
