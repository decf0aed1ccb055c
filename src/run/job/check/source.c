/* run/job/check/source.c - see src/run/job/check/source.h */
#include "source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/run/option_table.h"
#include "run/budget.h"

void pd_source_init(struct pd_source_text *s, const struct pd_job *job, struct pd_index *index,
                    bool texts)
{
    enum { RECENT_MOST = 256 << 20 }; /* bytes: much more is more than popular sources have */
    const uint64_t budget = pd_transport_budget(&job->transport, PD_BUDGET_REQUESTS);
    *s = (struct pd_source_text){.job = job, .index = index, .texts = texts};
    s->recent.most = budget < RECENT_MOST ? budget : RECENT_MOST;
    s->document = pd_document_as(&job->options->input);
}

void pd_source_release(struct pd_source_text *s)
{
    pd_document_release(&s->document);
    pd_reader_free(s->reader);
    free(s->file.path);
    pd_unpacker_release(&s->unpacker);
    pd_recent_release(&s->recent);
    PD_RELEASE(pd_bytes, &s->path, &s->kept_path, &s->id);
    pd_view_release(&s->view);
    PD_RELEASE(pd_bytes, &s->flags, &s->in_frame);
    pd_word_numbers_release(&s->out);
}

/* The id of the source at hand, for a message. */
static const char *id_of(struct pd_source_text *s)
{
    s->id.n = 0;
    pd_indexed_id(&s->source->indexed, &s->id);
    pd_bytes_push(&s->id, '\0');
    return (const char *)s->id.v;
}

/* ---- the text, from the source's file ---- */

static void silent(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip, const char *detail)
{
    (void)ctx, (void)why, (void)offset, (void)skip, (void)detail;
}

/* A reader that sees the sources as they were seen when the index was made. */
static struct pd_reader *new_reader(const struct pd_index_manifest *m)
{
    const char *format = pd_index_manifest_option(m, "format");
    const struct pd_option *option = pd_option_find("index", "format", strlen("format"));
    const int choice = format ? pd_option_choice(option, format) : 0;
    const struct pd_reader_options ro = {.format = (enum pd_format)(choice < 0 ? 0 : choice),
                                         .id_field = pd_index_manifest_option(m, "id-field"),
                                         .text_field = pd_index_manifest_option(m, "text-field"),
                                         .url_field = pd_index_manifest_option(m, "url-field"),
                                         .skipped = silent};
    return pd_reader_new(&ro);
}

/* The path of a file of sources: from the folder where the index was made, or as it is. */
static const char *find_file(struct pd_source_text *s, const char *path)
{
    const char *directory = (const char *)s->index->manifest.directory.v;
    s->path.n = 0;
    if (*path != '/') {
        pd_bytes_append(&s->path, directory, strlen(directory));
        pd_bytes_append(&s->path, "/", 1);
    }
    pd_bytes_append(&s->path, path, strlen(path) + 1);
    return access((const char *)s->path.v, F_OK) == 0 ? (const char *)s->path.v : path;
}

/* Read the record of the source at hand. */
static int fetch_record(struct pd_source_text *s, const struct pd_segment *segment,
                        struct pd_raw *raw)
{
    const struct pd_indexed *doc = &s->source->indexed;
    if (s->segment != segment || s->number != doc->file) {
        s->segment = NULL;
        PD_TRY(pd_segment_file(segment, doc->file, &s->kept_path, &s->file.bytes));
        const char *path = find_file(s, (const char *)s->kept_path.v);
        free(s->file.path);
        s->file.path = pd_printed("%s", path);
        s->segment = segment;
        s->number = doc->file;
    }
    if (!s->reader)
        s->reader = new_reader(&s->index->manifest);
    return pd_reader_fetch(s->reader, &s->file, doc->offset, doc->skip, raw);
}

/*
 * Is the text that was read from a file the text of the source? Texts in the index need no such
 * look, as all its blocks have checksums.
 */
static int check_text(struct pd_source_text *s)
{
    const struct pd_indexed *doc = &s->source->indexed;
    const struct pd_document *d = &s->document;
    if (d->text_n == doc->text_bytes && pd_hash_bytes(d->text, d->text_n) == doc->text_hash)
        return PD_OK;
    return pd_fail(PD_EFORMAT,
                   "document %s has changed since the index was made; make the index again, "
                   "or give --texts no",
                   id_of(s));
}

static int fetch(struct pd_source_text *s, const struct pd_segment *segment)
{
    const struct pd_indexed *doc = &s->source->indexed;
    struct pd_raw raw;
    enum pd_skip why;
    int status = fetch_record(s, segment, &raw);
    if (status == PD_OK && pd_document_read(&s->document, &raw, &why) != PD_OK)
        status = PD_END;
    if (status == PD_OK)
        status = check_text(s);
    if (status > PD_OK)
        status = pd_fail(PD_EFORMAT,
                         "%s: document %s is not at byte %llu any more; make the index again, or "
                         "give --texts no",
                         s->file.path, id_of(s), (unsigned long long)doc->offset);
    if (status < 0)
        s->segment = NULL; /* the next source opens its file anew */
    return status == PD_EIO ? PD_EFORMAT : status;
}

/* ---- the source at hand ---- */

static int damaged(struct pd_source_text *s, const char *what)
{
    const struct pd_recent_source *source = s->source;
    return pd_fail(PD_EFORMAT, "%s: the %s of document %s are damaged; make the index again",
                   pd_index_segment(s->index, source->number)->file.path, what, id_of(s));
}

/*
 * Unpack a flag for each of n base units into `room`. False: they are broken. *flags: NULL if none
 * is set.
 */
static bool unpack(const struct pd_indexed_flags *packed, size_t n, struct pd_bytes *room,
                   const bool **flags)
{
    pd_bytes_reserve(room, (n + 1) * sizeof(bool));
    *flags = packed->n ? (const bool *)(const void *)room->v : NULL;
    return pd_indexed_unpack_flags(packed, (bool *)(void *)room->v, n);
}

/* List the numbered base units, n of them, that are set aside: s->out. False: they are broken. */
static bool list_asides(struct pd_source_text *s, size_t n)
{
    const bool *flags;
    s->out.n = 0;
    if (!unpack(&s->source->indexed.asides, n, &s->flags, &flags))
        return false;
    for (size_t k = 0; flags && k < n; k++)
        if (flags[k])
            pd_word_numbers_push(&s->out, (uint32_t)k);
    return true;
}

/* How many base units are numbered: all that are not in the frame. */
static size_t numbered(const bool *in_frame, size_t n)
{
    size_t left = n;
    for (size_t k = 0; in_frame && k < n; k++)
        left -= in_frame[k];
    return left;
}

/* Make the units of the source, all of whose words are read. False: its flags are broken. */
static bool make_units(struct pd_source_text *s)
{
    const struct pd_sentences *all = &s->document.sentences;
    struct pd_recent_source *source = s->source;
    const bool *in_frame;
    if (!unpack(&source->indexed.frame, all->n, &s->in_frame, &in_frame) ||
        !list_asides(s, numbered(in_frame, all->n)))
        return false;
    const struct pd_view_asides asides = {in_frame, s->out.v, s->out.n};
    pd_view_make(&s->view, &s->job->form, all, &source->tokens, &asides);
    pd_sentences_append(&source->units, s->view.units->v, s->view.units->n);
    pd_aside_runs_append(&source->asides, s->view.asides.v, s->view.asides.n);
    pd_word_numbers_append(&source->words, s->view.words.v, s->view.words.n);
    return true;
}

/* Take the words of units [from, to) as the words of the document: each has its own term. */
static void take_words(struct pd_source_text *s, uint32_t from, uint32_t to)
{
    const struct pd_words *words = &s->document.words;
    struct pd_recent_source *source = s->source;
    pd_tokens_reserve(&source->tokens, words->n);
    pd_u64s_reserve(&source->terms, words->n);
    for (size_t k = 0; k < words->n; k++) {
        source->tokens.v[k] = (struct pd_token){words->v[k].begin, words->v[k].end, (uint32_t)k};
        source->terms.v[k] = words->v[k].term;
    }
    source->tokens.n = source->terms.n = words->n;
    source->spellings.n = 0;
    for (size_t k = 0; s->job->options->method.refine != PD_REFINE_NONE && k < words->n; k++)
        pd_u64s_push(&source->spellings, pd_document_spelling(&s->document, &words->v[k]));
    source->from = from;
    source->to = to;
    if (from == 0 && to == source->units.n) /* the text has no more to tell */
        pd_bytes_release(&source->text);
}

/* All units and words of the text. */
static int read_whole(struct pd_source_text *s)
{
    struct pd_recent_source *source = s->source;
    if (!source->indexed.text)
        PD_TRY(fetch(s, pd_index_segment(s->index, source->number)));
    else if (pd_document_cut(&s->document, source->text.v, source->text.n) != PD_OK)
        return damaged(s, "words");
    take_words(s, 0, 0);
    if (!make_units(s))
        return damaged(s, "flags");
    source->to = (uint32_t)source->units.n;
    pd_bytes_release(&source->text);
    return PD_OK;
}

/* Is byte `at` of the text the first of a character, or the end? */
static bool is_between(const struct pd_bytes *text, uint32_t at)
{
    return at == text->n || (at < text->n && (text->v[at] & 0xC0) != 0x80);
}

/* Do the units lie in the text one behind the other, and have whole characters? */
static bool are_cuts(const struct pd_sentences *units, const struct pd_bytes *text)
{
    uint32_t before = 0;
    for (size_t k = 0; k < units->n; before = units->v[k++].end) {
        const struct pd_sentence *unit = &units->v[k];
        if (unit->begin < before || !is_between(text, unit->begin) || !is_between(text, unit->end))
            return false;
    }
    return true;
}

/* The units of the index, whose words are not read. `partial`: they will be, from the text. */
static int read_bounds(struct pd_source_text *s, bool partial)
{
    struct pd_recent_source *source = s->source;
    if (!pd_indexed_bounds(&source->indexed, &source->units) ||
        (partial && !are_cuts(&source->units, &source->text)))
        return damaged(s, "units");
    return PD_OK;
}

/* Can words be read by the bounds of units? They must be sentences, all of them, and edges near. */
static bool is_partial(const struct pd_source_text *s)
{
    const struct pd_indexed *doc = &s->source->indexed;
    return s->texts && doc->text && !doc->frame.n && s->job->form.kind == PD_FORM_BASE &&
           s->document.base == PD_BASE_SENTENCE && s->job->options->method.edges != PD_EDGES_FAR;
}

static int read_source(struct pd_source_text *s)
{
    struct pd_recent_source *source = s->source;
    const struct pd_indexed *doc = &source->indexed;
    PD_TRY(pd_segment_document(pd_index_segment(s->index, source->number), source->number,
                               &source->indexed));
    if (s->texts && doc->text && !pd_indexed_text(doc, &s->unpacker, &source->text))
        return damaged(s, "texts");
    const bool partial = is_partial(s);
    PD_TRY(s->texts && !partial ? read_whole(s) : read_bounds(s, partial));
    if (source->units.n == doc->nunits)
        return PD_OK;
    return pd_fail(PD_EFORMAT,
                   "document %s has other units than when the index was made; "
                   "make the index again",
                   id_of(s));
}

/* Show callers the source at hand. */
static void show(struct pd_source_text *s)
{
    const struct pd_recent_source *source = s->source;
    const struct pd_indexed *doc = &source->indexed;
    s->spelled = (struct pd_spelled){.units = &source->units,
                                     .asides = &source->asides,
                                     .words = &source->words,
                                     .tokens = source->tokens.v,
                                     .spellings = source->spellings.v,
                                     .terms = source->terms.v,
                                     .nwords = (uint32_t)source->tokens.n,
                                     .own = (uint32_t)(doc->words - doc->aside_words)};
}

int pd_source_go(struct pd_source_text *s, pd_doc number)
{
    int status = PD_OK;
    if (s->source && s->source->number == number)
        return PD_OK;
    s->source = pd_recent_find(&s->recent, number);
    if (!s->source) {
        s->source = pd_realloc(NULL, 1, sizeof *s->source);
        *s->source = (struct pd_recent_source){.number = number};
        status = read_source(s);
        if (status == PD_OK)
            pd_recent_add(&s->recent, s->source);
        else
            pd_recent_free(s->source);
    }
    if (status != PD_OK)
        s->source = NULL;
    else
        show(s);
    return status;
}

int pd_source_indexed(const struct pd_source_text *s, pd_doc number, struct pd_indexed *doc)
{
    const struct pd_recent_source *source = pd_recent_look(&s->recent, number);
    if (!source)
        return pd_segment_document(pd_index_segment(s->index, number), number, doc);
    *doc = source->indexed;
    return PD_OK;
}

/* The words of units [from, to). */
static uint32_t words_in(const struct pd_sentence *units, size_t from, size_t to)
{
    uint32_t n = 0;
    for (size_t k = from; k < to; k++)
        n += units[k].nwords;
    return n;
}

/* Are the words of units [from, to) read, and enough around them? */
static bool is_spelled(const struct pd_recent_source *s, uint32_t from, uint32_t to, uint32_t near)
{
    const struct pd_sentence *units = s->units.v;
    if (s->from == 0 && s->to == s->units.n)
        return true;
    return (s->from == 0 || (s->from < from && words_in(units, s->from, from) >= near)) &&
           (s->to == s->units.n || (s->to > to && words_in(units, to, s->to) >= near));
}

/* Read the words of units [from, to) of the source at hand from its text. */
static int spell(struct pd_source_text *s, uint32_t from, uint32_t to)
{
    struct pd_document *d = &s->document;
    struct pd_recent_source *source = s->source;
    struct pd_sentence *units = source->units.v + from;
    if (pd_document_cut_some(d, source->text.v, source->text.n, units, to - from) != PD_OK ||
        d->sentences.n != to - from)
        return damaged(s, "units");
    memcpy(units, d->sentences.v, d->sentences.n * sizeof *units);
    take_words(s, from, to);
    if (!list_asides(s, source->units.n))
        return damaged(s, "flags");
    source->asides.n = 0;
    for (size_t k = 0; k < s->out.n; k++)
        if (s->out.v[k] >= from && s->out.v[k] < to)
            pd_aside_add(&source->asides, units[s->out.v[k] - from].word,
                         units[s->out.v[k] - from].word + units[s->out.v[k] - from].nwords);
    return PD_OK;
}

/* The least units and bytes that are read on each side of the units whose words are asked for. */
struct around {
    uint32_t units, bytes;
};

/* Where to begin to read in front of unit `from`. */
static uint32_t begin_of(const struct pd_sentences *units, uint32_t from, struct around around)
{
    const struct pd_sentence *v = units->v;
    uint32_t k = from > around.units ? from - around.units : 0;
    while (k > 0 && v[from].begin - v[k].begin < around.bytes)
        k--;
    return k;
}

/* The end of the units that are read behind unit `to - 1`. */
static uint32_t end_of(const struct pd_sentences *units, uint32_t to, struct around around)
{
    const struct pd_sentence *v = units->v;
    const uint32_t n = (uint32_t)units->n;
    uint32_t k = n - to > around.units ? to + around.units : n;
    while (k < n && v[k - 1].end - v[to - 1].end < around.bytes)
        k++;
    return k;
}

int pd_source_spell(struct pd_source_text *s, uint32_t from, uint32_t to, uint32_t near)
{
    enum { AROUND = 2, WORD_BYTES = 10 }; /* at first; mostly enough */
    enum { PLACES = 4 };                  /* asked at more places, all words are read at once */
    struct pd_recent_source *source = s->source;
    const uint32_t n = (uint32_t)source->units.n;
    struct around around = {AROUND, near * WORD_BYTES};
    if (is_spelled(source, from, to, near))
        return PD_OK;
    if (source->places++ == PLACES)
        around.units = n;
    do {
        PD_TRY(
            spell(s, begin_of(&source->units, from, around), end_of(&source->units, to, around)));
        around.units *= 2;
    } while (!is_spelled(source, from, to, near));
    pd_recent_count(&s->recent, source);
    show(s);
    return PD_OK;
}
