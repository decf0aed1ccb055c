/*
 * run/option_rows.h - what the rows of an option table are written with.
 *
 * A file with such a table defines PD_OPTIONS, the struct that the options are members of: struct
 * pd_options, or a struct that begins with one.
 */
#ifndef PARDUP_RUN_OPTION_ROWS_H
#define PARDUP_RUN_OPTION_ROWS_H

#include "pardup/run/option_table.h"

/* Role, name of the attribute. */
#define FREE            PD_OPTION_FREE, NULL
#define RECORDED        PD_OPTION_RECORDED, NULL
#define SHAPES          PD_OPTION_SHAPES, NULL
#define SHAPES_AS(name) PD_OPTION_SHAPES, name

/* Commands, role and attribute in the table of one command. */
#define OWN NULL, PD_OPTION_FREE, NULL

/* Offset of a member. A member that is not of this type does not compile. */
#define AT(type, member) _Generic(((PD_OPTIONS *)NULL)->member, type : offsetof(PD_OPTIONS, member))

/* Kind, offset, least and greatest value, choices. */
#define TEXT(member)           PD_OPTION_TEXT, AT(const char *, member), 0, 0, NULL
#define TEXTS(member)          PD_OPTION_TEXTS, AT(struct pd_texts, member), 0, 0, NULL
#define PAIR(member)           PD_OPTION_PAIR, AT(const char **, member), 0, 0, NULL
#define FLAG(member)           PD_OPTION_FLAG, AT(bool, member), 0, 0, NULL
#define COUNT(member, lo, hi)  PD_OPTION_COUNT, AT(int64_t, member), lo, hi, NULL
#define COUNTS(member, lo, hi) PD_OPTION_COUNTS, AT(int64_t *, member), lo, hi, NULL
#define BYTES(member, lo, hi)  PD_OPTION_BYTES, AT(int64_t, member), lo, hi, NULL
#define REAL(member, lo, hi)   PD_OPTION_REAL, AT(double, member), lo, hi, NULL
#define RANGE(member, lo, hi)  PD_OPTION_RANGE, AT(double *, member), lo, hi, NULL
#define CHOICE(member, names)  PD_OPTION_CHOICE, AT(unsigned, member), 0, 0, names
#define ASIDE(names)           PD_OPTION_ASIDE, 0, 0, 0, names

#endif
