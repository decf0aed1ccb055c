/*
 * run/walk.h - one document after the other, in collection order, in this process alone.
 *
 * What `text`, `sentences` and `show` are made of; they see documents exactly as `detect` does.
 */
#ifndef PARDUP_RUN_WALK_H
#define PARDUP_RUN_WALK_H

#include "pardup/base/record.h"
#include "pardup/document/document.h"
#include "pardup/run/options.h"

/* Called for each document; PD_OK goes on, PD_END stops, negative fails. */
typedef int pd_visitor(void *ctx, const struct pd_raw *raw, const struct pd_document *doc,
                       pd_doc number);

/*
 * Walk over the documents of o->inputs (only the first with id o->doc, if set). PD_OK, or a
 * failure: PD_EIO, PD_EFORMAT (no document, or none with that id; bad data under --strict).
 */
int pd_walk(const struct pd_options *o, pd_visitor *visit, void *ctx);

#endif
