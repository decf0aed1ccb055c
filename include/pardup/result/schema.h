/* result/schema.h - the tables of a result file and their columns, for programs that read it. */
#ifndef PARDUP_RESULT_SCHEMA_H
#define PARDUP_RESULT_SCHEMA_H

enum pd_table {
    PD_TABLE_PASSAGES,
    PD_TABLE_PAIRS,
    PD_TABLE_DOCUMENTS,
    PD_TABLE_FILES,
    PD_TABLE_COMMON,
    PD_TABLE_SKIPPED,
    PD_TABLES
};

struct pd_table_schema {
    const char *name;
    const char *columns[16]; /* names of the columns; NULL after the last one */
};
extern const struct pd_table_schema pd_schema[PD_TABLES];

#endif
