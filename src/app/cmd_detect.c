/* app/cmd_detect.c - pardup detect: the passages that the documents of a collection share. */
#include "commands.h"
#include "pardup/base/error.h"
#include "pardup/run/detect.h"

/* Refuse options that do not go together; settle what follows from --units and --sample. */
static int settle(struct pd_options *o)
{
    const bool windows = o->method.window[0] > 1 || o->method.window[1] > 1;
    const bool grams = o->method.units == PD_UNIT_GRAM;
    const bool whole = o->method.units == PD_UNIT_DOCUMENT;
    const bool sets = o->method.feature == PD_FEATURE_WORDS ||
                      o->method.feature == PD_FEATURE_SHINGLE ||
                      o->method.feature == PD_FEATURE_SPOT;
    if (o->method.join != PD_JOIN_EQUAL && !sets)
        return pd_fail(PD_EUSAGE,
                       "--join jaccard, overlap and lsh go with --feature words, shingle and spot "
                       "only: other features give a unit one signature");
    if ((grams || whole) && (windows || o->method.feature == PD_FEATURE_LENGTHS))
        return pd_fail(PD_EUSAGE,
                       "--units %s goes neither with --window nor with --feature lengths",
                       grams ? "gram" : "document");
    if (!grams && o->method.sample > 1)
        return pd_fail(
            PD_EUSAGE,
            "--sample goes with --units gram only; windows are thinned out by --window WS,SW");
    if (o->method.jump && !windows)
        return pd_fail(PD_EUSAGE, "--jump goes with --window only");
    if (o->method.diffbit > o->method.bits || o->method.word_bits > o->method.bits)
        return pd_fail(PD_EUSAGE, "--diffbit and --word-bits must not exceed --bits");
    o->input.base = o->method.units == PD_UNIT_CLAUSE ? PD_BASE_CLAUSE
                    : o->method.units == PD_UNIT_STOP ? PD_BASE_STOP
                                                      : PD_BASE_SENTENCE;
    if (o->method.gap < 0)
        o->method.gap = o->method.sample - 1;
    if (!o->job.dry_run && (!o->output || !*o->output))
        return pd_fail(PD_EUSAGE, "-o FILE is required: where to write the result");
    return PD_OK;
}

const struct pd_command pd_command_detect = {
    .name = "detect",
    .usage = "[options] -o OUT.h5 INPUT...",
    .help = "find the passages that documents share",
    .operands = PD_OPERANDS_INPUTS,
    .settle = settle,
    .prepare = pd_detect_stop_on_signals,
    .together = pd_detect,
};
