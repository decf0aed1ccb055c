/* app/command/cmd_frequencies.c - pardup frequencies: the table for --frequencies. */
#include "app/commands.h"
#include "pardup/base/error.h"
#include "pardup/run/frequencies.h"

static int settle(struct pd_options *o)
{
    return o->output && *o->output ? PD_OK
                                   : pd_fail(PD_EUSAGE, "-o TABLE is required: where to write it");
}

const struct pd_command pd_command_frequencies = {
    .name = "frequencies",
    .usage = "[options] -o TABLE INPUT...",
    .help = "count words, for detect and index --frequencies",
    .brief = "output files-from docs-from format words spelling ranks memory scratch",
    .example = "pardup frequencies -o corpus.tsv corpus/",
    .operands = PD_OPERANDS_INPUTS,
    .settle = settle,
    .together = pd_frequencies_make,
};
