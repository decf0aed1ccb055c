/* run/own.h - files that pardup has written: results, pages, tables. */
#ifndef PARDUP_RUN_OWN_H
#define PARDUP_RUN_OWN_H

#include <stdbool.h>

#include "pardup/base/bytes.h"
#include "pardup/corpus/files.h"

/* The header of a sheet of eval (src/tools/eval/eval_sheet.h) behind the name of its first column. */
#define PD_SHEET_COLUMNS ",doc_a,begin_a,end_a,doc_b,begin_b,end_b,text_a,text_b,label"

/*
 * Has pardup written the file, or is it empty? Its content says so, not its name. A sheet of eval
 * is not counted: the labels of a person may be in it.
 */
bool pd_is_own(const char *path);

/*
 * May files be written into the folder? PD_OK: it is not there, or empty, or it has the file
 * `mark`, which pardup writes there last. Else PD_EIO.
 */
int pd_own_folder(const char *path, const char *mark);

/*
 * Take out of a list what pardup has written: from entry `from` on, the files of a folder that was
 * given as an input. It wrote results (.h5), and in the folder of a result pages and tables, too.
 * Only files with such endings are looked into.
 *   output  the output of the job, which is taken out, too; NULL: none
 *   first   receives the path of the first, with NUL, if it is empty
 * Returns how many were taken out.
 */
uint64_t pd_pass_own(struct pd_files *files, size_t from, const char *output,
                     struct pd_bytes *first);

#endif
