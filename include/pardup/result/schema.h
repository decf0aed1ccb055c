/*
 * result/schema.h - the tables of a result file and their columns.
 *
 * The writers, `pardup export` and the values of its --table follow from them.
 * A new column is a row in src/result/schema.c, and a member of the row's struct that is set where
 * the rows are made. A new table is a line of PD_TABLE_LIST, its columns in schema.c, and the code
 * that makes its rows and writes them (src/run/stage/write/).
 */
#ifndef PARDUP_RESULT_SCHEMA_H
#define PARDUP_RESULT_SCHEMA_H

#include <stddef.h>

/* How a value lies in the row's struct and in the file. */
enum pd_type {
    PD_TYPE_U64,  /* a uint64_t in both */
    PD_TYPE_I64,  /* an int64_t in both */
    PD_TYPE_U32,  /* a uint32_t in both */
    PD_TYPE_F64,  /* a double in both */
    PD_TYPE_HIGH, /* the high 32 bits of a uint64_t, stored as 32 bits */
    PD_TYPE_LOW,  /* the low 32 bits of a uint64_t, stored as 32 bits */
    PD_TYPE_TEXT, /* UTF-8 text of `width` bytes, padded with NUL */
};

/* A column, and how its values are taken from rows that are structs in memory. */
struct pd_column {
    const char *name;
    enum pd_type type;
    size_t offset; /* bytes from the start of the struct to the value */
    size_t width;  /* PD_TYPE_TEXT: bytes; 0: known when rows are written (text_widths) */
    /*
     * Unit of the values; NULL: none. The reader refuses values of two units that cannot be:
     * "row of /TABLE" where the table has no such row (-1 is none, in a column with a sign), and
     * "share" outside of [0, 1] that is not NaN, an unknown one.
     */
    const char *unit;
    const char *description;
};

/* A table, which is a group of the file. */
struct pd_table_schema {
    const char *name;
    const char *description;
    const struct pd_column *columns; /* in the order of `export`; ends with one without a name */
};

/* The tables: enumerator, name, description. Their columns are NAME_columns in schema.c. */
/* clang-format off */
#define PD_TABLE_LIST(TABLE)                                                                       \
    TABLE(PASSAGES,  passages,  "text that two documents share")                                   \
    TABLE(PAIRS,     pairs,     "document pairs that share passages")                              \
    TABLE(MATCHES,   matches,   "detect --matches: units of two documents that match")              \
    TABLE(DOCUMENTS, documents, "all documents, in order of their numbers")                        \
    TABLE(FILES,     files,     "the input files, in order of their numbers")                      \
    TABLE(ASIDE,     aside,     "texts that take no part in matches, or a lesser one, each once")  \
    TABLE(COMMON,    common,    "classes that too many documents have; as in /aside")              \
    TABLE(FAMILIES,  families,  "texts that several places have, each with all its places")        \
    TABLE(MEMBERS,   members,   "the places of each family")                                       \
    TABLE(DOCUMENT_FAMILIES, document_families, "documents that are near duplicates as wholes")    \
    TABLE(TEMPLATES, templates, "templates and imprints; as in /aside")                        \
    TABLE(ASIDE_SPANS, aside_spans, "set-aside text of the documents that are in passages")        \
    TABLE(SKIPPED,   skipped,   "records of the input that did not become documents")             \
    TABLE(SOURCES,   sources,   "check: the documents of the index")                               \
    TABLE(SOURCE_FILES, source_files, "check: the files of the sources")                           \
    TABLE(DECISIONS, decisions, "check: which documents are duplicates of sources")                \
    TABLE(RANKING,   ranking,   "check: the sources that are most like a document")
/* clang-format on */

/* The enumerators: PD_TABLE_PASSAGES and so on, in the order of the list. */
enum pd_table {
#define PD_TABLE_ENUMERATOR(enumerator, name, description) PD_TABLE_##enumerator,
    PD_TABLE_LIST(PD_TABLE_ENUMERATOR)
#undef PD_TABLE_ENUMERATOR
        PD_TABLES,

    PD_VIEW_QUOTATIONS = PD_TABLES, /* made of several tables by `export` */
    PD_TABLES_AND_VIEWS
};

extern const struct pd_table_schema pd_schema[PD_TABLES_AND_VIEWS]; /* by enum pd_table */
extern const char *const pd_table_names[PD_TABLES_AND_VIEWS + 1];   /* NULL after the last */

/* How many columns a table has. */
size_t pd_table_columns(const struct pd_table_schema *table);

#endif
