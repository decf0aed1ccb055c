/*
 * run/walk.h - one document after the other, in collection order, in this process alone.
 *
 * Commands `text` and `sentences` are made of this walk. They see documents exactly as `detect`
 * does.
 */
#ifndef PARDUP_RUN_WALK_H
#define PARDUP_RUN_WALK_H

#include "pardup/base/record.h"
#include "pardup/document/document.h"
#include "pardup/run/options.h"

/*
 * Called for each document. `number` counts from 0, also documents that are not visited. The walk
 * goes on after PD_OK, ends after PD_END, and fails after a negative status.
 */
typedef int pd_visitor(void *ctx, const struct pd_raw *raw, const struct pd_document *doc,
                       pd_doc number);

/*
 * Walk over the documents of the inputs; if --doc is set, only over the first document with that
 * id. PD_OK, or a failure: PD_EIO, PD_EFORMAT (no document, or none with that id; bad data under
 * --strict).
 */
int pd_walk(const struct pd_options *o, pd_visitor *visit, void *ctx);

#endif
