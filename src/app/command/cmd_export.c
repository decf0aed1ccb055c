/* app/command/cmd_export.c - pardup export: rows of a result file for other tools. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/export/export.h"
#include "app/part.h"
#include "app/print.h"
#include "app/show/show.h"
#include "app/show/terminal.h"
#include "pardup/base/error.h"
#include "pardup/result/reader.h"
#include "pardup/result/schema.h"

enum { QUOTED = 1000 }; /* bytes of the text of a quotation, if --text does not say it */

static int write_table(struct pd_exporting *x, const char *path)
{
    PD_TRY(x->format >= PD_ROWS_GRAPHML   ? pd_export_network(x)
           : x->format == PD_ROWS_PARQUET ? pd_export_parquet(x, stdout, path)
           : x->format == PD_ROWS_SARIF   ? pd_export_sarif(x)
           : x->format == PD_ROWS_CDXJ    ? pd_export_cdxj(x)
                                          : pd_export_lines(x));
    return ferror(stdout) ? pd_fail(PD_EIO, "%s: %s", path, strerror(errno)) : PD_OK;
}

static int write_rows(void *ctx, FILE *to)
{
    struct pd_exporting *x = ctx;
    x->out = to;
    return pd_export_lines(x);
}

/* Do the rows go to a person, who has not asked for a format, and are they few enough to be read? */
static bool is_read(const struct pd_options *o, struct pd_exporting *x)
{
    enum { READ_MOST = 10000 }; /* rows */
    uint64_t rows = 0;
    if (o->output || !o->print.any_format || !isatty(STDOUT_FILENO))
        return false;
    const char *from = o->print.table == PD_VIEW_QUOTATIONS ? "passages" : x->table->name;
    return pd_result_rows(x->result, from, &rows) >= 0 && rows <= READ_MOST;
}

/*
 * Write the table to a file, which gets its name when it is whole. Standard output becomes the
 * file.
 */
static int write_file(struct pd_exporting *x, const char *path)
{
    struct pd_new_file n;
    int status = pd_part_open(&n, stdout, path);
    PD_THEN(status, write_table(x, n.part));
    return pd_part_close(&n, status);
}

/* Set *format to what the ending of a name says. A name without an ending means tsv. */
static int format_of(const char *path, enum pd_rows_format *format)
{
    static const struct {
        const char *ending;
        enum pd_rows_format format;
    } known[] = {{"tsv", PD_ROWS_TSV},     {"txt", PD_ROWS_TSV},         {"csv", PD_ROWS_CSV},
                 {"jsonl", PD_ROWS_JSONL}, {"parquet", PD_ROWS_PARQUET}, {"sarif", PD_ROWS_SARIF},
                 {"cdxj", PD_ROWS_CDXJ},   {"graphml", PD_ROWS_GRAPHML}, {"gexf", PD_ROWS_GEXF}};
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path, *dot = name ? strrchr(name, '.') : NULL;
    *format = PD_ROWS_TSV;
    for (size_t k = 0; k < sizeof known / sizeof *known && dot; k++)
        if (strcasecmp(dot + 1, known[k].ending) == 0) {
            *format = known[k].format;
            return PD_OK;
        }
    return dot ? pd_fail(PD_EUSAGE,
                         "export: -o %s: no format has the ending %s: expected .tsv, .txt, .csv, "
                         ".jsonl, .parquet, .sarif, .cdxj, .graphml or .gexf, or --format",
                         path, dot)
               : PD_OK;
}

static int settle(struct pd_options *o)
{
    o->print.any_format = o->print.format == PD_ROWS_AUTO;
    if (o->print.format == PD_ROWS_AUTO)
        PD_TRY(format_of(o->output, &o->print.format));
    if (o->print.format >= PD_ROWS_GRAPHML && o->print.table != PD_TABLE_PASSAGES)
        return pd_fail(PD_EUSAGE,
                       "export: graphml and gexf are networks of documents; leave --table out");
    if (o->print.table == PD_VIEW_QUOTATIONS && !o->print.text)
        o->print.text = QUOTED;
    if (o->print.text && o->print.table != PD_TABLE_PASSAGES &&
        o->print.table != PD_VIEW_QUOTATIONS)
        return pd_fail(PD_EUSAGE, "export: --text is for --table passages or quotations");
    if (o->print.unit == PD_ROW_CHARS && o->print.table != PD_TABLE_PASSAGES &&
        o->print.table != PD_TABLE_MEMBERS)
        return pd_fail(PD_EUSAGE, "export: --offsets chars is for --table passages or members");
    if (o->print.format >= PD_ROWS_SARIF &&
        (o->print.text || o->print.sort || o->print.unit == PD_ROW_CHARS ||
         o->print.table != PD_TABLE_PASSAGES))
        return pd_fail(PD_EUSAGE,
                       "export: --format %s goes with none of --table, --text, --sort "
                       "and --offsets chars",
                       o->print.format == PD_ROWS_SARIF  ? "sarif"
                       : o->print.format == PD_ROWS_CDXJ ? "cdxj"
                                                         : "graphml or gexf");
    if (!o->output && o->print.format == PD_ROWS_PARQUET && isatty(STDOUT_FILENO))
        return pd_fail(PD_EUSAGE,
                       "export: Parquet is not for a terminal; name a file with -o FILE");
    return PD_OK;
}

/* Tell how far it is, unless the rows themselves go to the terminal. */
static void begin_progress(struct pd_progress *p, const struct pd_options *o)
{
    struct pd_comm alone;
    pd_comm_alone(&alone);
    const bool seen = !o->output && isatty(STDOUT_FILENO);
    pd_progress_open(p, &alone, seen ? PD_PROGRESS_NONE : o->job.progress);
    pd_progress_begin(p, "export");
}

static int run(const struct pd_options *o)
{
    struct pd_exporting x = {.out = stdout,
                             .format = o->print.format,
                             .sort = o->print.sort,
                             .memory = (uint64_t)o->job.memory,
                             .label = o->print.label,
                             .text = (uint64_t)o->print.text,
                             .offsets = o->print.unit,
                             .table = &pd_schema[o->print.table]};
    PD_TRY(pd_result_open(o->operands.v[0], &x.result));
    if (o->print.table == PD_TABLE_MATCHES && !pd_result_has(x.result, "matches", "doc_a")) {
        pd_result_close(x.result);
        return pd_fail(PD_EFORMAT, "%s: no matches in it; detect --matches writes them",
                       o->operands.v[0]);
    }
    begin_progress(&x.progress, o);
    x.ncolumns = pd_table_columns(x.table);
    x.cells = pd_zeroed(x.ncolumns, sizeof *x.cells);
    x.lined_up = is_read(o, &x);
    int status = o->output    ? write_file(&x, o->output)
                 : x.lined_up ? pd_print_lined_up(&o->print, write_rows, &x)
                              : write_table(&x, "standard output");
    if (status >= 0 && !o->output)
        status = pd_stdout_done();
    pd_progress_end(&x.progress);
    for (size_t c = 0; c < x.ncolumns; c++)
        pd_bytes_release(&x.cells[c].values);
    pd_export_sort_release(&x);
    free(x.cells);
    pd_export_text_release(&x);
    pd_export_called_release(&x);
    pd_result_close(x.result);
    return status;
}

const struct pd_command pd_command_export = {
    .name = "export",
    .usage = "[options] OUT.h5",
    .help = "print rows of a result for other tools",
    .brief = "output table format text sort label offsets convert progress force",
    .example = "pardup export -o passages.csv out.h5",
    .operands = PD_OPERANDS_RESULT,
    .settle = settle,
    .alone = run,
};
