/*
 * corpus/json/notebook.c - Jupyter's notebooks, format 4: the text is the sources of the cells, in
 * order, with an empty line between two. What cells have put out is left out.
 */
#include <jansson.h>
#include <string.h>

#include "corpus/inside.h"
#include "pardup/base/error.h"

static bool has(const struct pd_beginning *file, const char *name)
{
    return memmem(file->s, file->n, name, strlen(name));
}

static bool recognises(const struct pd_beginning *file)
{
    return file->content < file->n && file->s[file->content] == '{' && has(file, "\"cells\"") &&
           has(file, "\"cell_type\"");
}

static void put_text(struct pd_bytes *to, const json_t *text)
{
    pd_bytes_append(to, json_string_value(text), json_string_length(text));
}

/* Append a cell: its source is a text, or a list of lines with their line ends. */
static void put_cell(struct pd_bytes *to, const json_t *cell)
{
    const json_t *source = json_object_get(cell, "source");
    const size_t from = to->n;
    size_t k;
    json_t *line;
    if (from > 0)
        pd_bytes_append(to, "\n\n", 2);
    const size_t begin = to->n;
    if (json_is_string(source))
        put_text(to, source);
    json_array_foreach(source, k, line) put_text(to, line);
    if (to->n == begin)
        to->n = from;
}

static int extract(struct pd_reader *r, struct pd_raw *raw)
{
    json_error_t error;
    json_t *root = json_loadb((const char *)raw->body, raw->n, JSON_ALLOW_NUL, &error), *cell;
    const json_t *cells = json_object_get(root, "cells");
    size_t k;
    r->text.n = 0;
    json_array_foreach(cells, k, cell) put_cell(&r->text, cell);
    if (!json_is_array(cells))
        pd_reader_tell(r, PD_SKIP_JSON, "a notebook without a list of cells%s%s", root ? "" : ": ",
                       root ? "" : error.text);
    else if (!r->quiet)
        r->counts.fields.kinds[PD_KIND_NOTEBOOK]++;
    const int status = json_is_array(cells) ? PD_OK : PD_EFORMAT;
    json_decref(root);
    pd_reader_give_text(r, raw);
    return status;
}

const struct pd_layout pd_layout_notebook = {
    .recognises = recognises, .next = pd_whole_next, .extract = extract, .fixed = true};
