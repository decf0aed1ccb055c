/*
 * app/commands.h - one function a command. Each returns a status of base/error.h; main() turns it
 * into the exit status and prints the reason.
 */
#ifndef PARDUP_APP_COMMANDS_H
#define PARDUP_APP_COMMANDS_H

#include "pardup/run/options.h"

/* In one process, without MPI: under a launcher only the first rank calls them. */
int pd_cmd_text(const struct pd_options *o);
int pd_cmd_sentences(const struct pd_options *o);
int pd_cmd_show(const struct pd_options *o);
int pd_cmd_export(const struct pd_options *o);
int pd_cmd_eval(const struct pd_options *o);

/* COLLECTIVE. */
struct pd_comm;
int pd_cmd_synth(const struct pd_comm *c, const struct pd_options *o);

/* Flush standard output. PD_OK, or PD_EIO: it is closed or full. */
int pd_stdout_done(void);

/* `n` bytes of UTF-8 as a JSON string, quotes included, on standard output. */
void pd_print_json(const char *s, size_t n);

#endif
