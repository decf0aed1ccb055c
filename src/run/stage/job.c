/* run/stage/job.c - see src/run/stage/job.h */
#include "job.h"

#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/base/plain.h"
#include "pardup/run/option_table.h"
#include "pardup/store/map.h"
#include "preset.h"
#include "run/budget.h"

/* Without --memory, ranks use 1 / MEMORY_SHARE of their node's memory together. */
enum { MEMORY_SHARE = 2 };

/* How the options make units from base units. */
static struct pd_units_form form_of(const struct pd_method_options *o)
{
    if (o->units == PD_UNIT_GRAM)
        return (struct pd_units_form){PD_FORM_GRAM, (uint32_t)o->ngram, (uint32_t)o->sample, false};
    if (o->units == PD_UNIT_DOCUMENT)
        return (struct pd_units_form){PD_FORM_WHOLE, 1, 1, false};
    return (struct pd_units_form){o->window[0] > 1 || o->window[1] > 1 ? PD_FORM_WINDOW
                                                                       : PD_FORM_BASE,
                                  (uint32_t)o->window[0], (uint32_t)o->window[1], o->jump};
}

/* The bytes that this rank may use. */
static uint64_t memory_of(const struct pd_comm *c, const struct pd_options *o)
{
    return o->job.memory ? (uint64_t)o->job.memory : pd_comm_memory_share(c) / MEMORY_SHARE;
}

void pd_job_init(struct pd_job *job, const struct pd_comm *c, const struct pd_options *o)
{
    *job = (struct pd_job){.comm = c, .settled = *o, .form = form_of(&o->method)};
    o = job->options = &job->settled;
    job->transport = (struct pd_transport){c, &job->scratch, memory_of(c, o), &job->stages.moved};
    job->collection = (struct pd_collection){.comm = c,
                                             .options = o,
                                             .scratch = &job->scratch,
                                             .transport = &job->transport,
                                             .cut_for = c->size};
    pd_map_limit(pd_budget_bytes(job->transport.memory, PD_BUDGET_FANS));
    pd_stages_open(&job->stages, c, o->job.progress);
}

void pd_job_choose_words(struct pd_job *job)
{
    struct pd_options *o = &job->settled;
    if (o->preset != PD_PRESET_AUTO || !o->presets[PD_PRESET_CODE].name)
        return;
    uint64_t code = job->comm->rank == 0 && pd_preset_is_code(&job->collection.files);
    pd_comm_max(job->comm, &code, 1);
    if (code)
        o->input.words = PD_WORDS_CODE;
}

/* Set aside what is not the text of a letter, if most documents are letters. */
static void set_letters(struct pd_job *job, double share)
{
    struct pd_method_options *m = &job->settled.method;
    const struct pd_method_options *letters = &job->settled.letters;
    const bool texts = job->preset == PD_PRESET_TEXTS || job->preset == PD_PRESET_EDITED ||
                       job->preset == PD_PRESET_CHARACTERS;
    if (!texts || !letters->name || !pd_preset_for_letters(&job->collection.totals, share))
        return;
    m->frame = letters->frame;
    m->templates = letters->templates;
    m->max_df = letters->max_df;
    const struct pd_totals *t = &job->collection.totals;
    const bool frame = m->frame == PD_TEMPLATES_ASIDE, rest = m->templates == PD_TEMPLATES_ASIDE;
    pd_log(PD_LOG_INFO, "%s of %s documents are letters:%s%s%s%s --max-df %lld",
           pd_grouped(pd_letters_in(t)), pd_grouped(t->documents), frame || rest ? " --aside " : "",
           frame ? "frame" : "", frame && rest ? "," : "", rest ? "templates" : "",
           (long long)m->max_df);
}

void pd_job_choose_preset(struct pd_job *job, double share)
{
    struct pd_options *o = &job->settled;
    job->preset = o->preset;
    if (o->preset != PD_PRESET_AUTO)
        return;
    enum pd_preset preset =
        pd_preset_for(&job->collection.totals, share, o->input.words, job->why_preset);
    if (preset == PD_PRESET_EDITED && !o->presets[preset].name)
        preset = PD_PRESET_TEXTS;
    if (!o->presets[preset].name)
        preset = PD_PRESET_WEB;
    o->method = o->presets[preset];
    job->preset = preset;
    job->form = form_of(&o->method);
    pd_log(PD_LOG_INFO, "preset %s: %s", pd_preset_names[preset], job->why_preset);
    set_letters(job, share);
}

int pd_job_set_sides(struct pd_job *job)
{
    struct pd_collection *col = &job->collection;
    const struct pd_input_options *o = &job->options->input;
    const struct pd_texts *sources = o->with.n ? &o->with : &o->against;
    const pd_doc n = col->totals.documents, first_source = pd_collection_first_source(col);
    job->targets = job->sources = (struct pd_side){col, 0, n};
    if (!sources->n)
        return PD_OK;
    if (first_source == n)
        return pd_fail(PD_EFORMAT, "%s: no documents in it", sources->v[0]);
    if (first_source == 0)
        return pd_fail(PD_EFORMAT, "%s: no documents in it", col->files.v[0].path);
    job->targets.to = first_source;
    job->sources.from = o->with.n ? 0 : first_source;
    return PD_OK;
}

void pd_job_forget_matches(struct pd_job *job)
{
    struct pd_matched *m = &job->matches;
    for (size_t k = 0; k < m->joined.n; k++) {
        pd_packed_close(m->joined.v[k].classes);
        pd_packed_close(m->joined.v[k].partners);
    }
    m->joined.n = m->common.n = m->templates.n = 0;
    m->counts = (struct pd_join_counts){0};
}

void pd_job_tell_ignored(const struct pd_job *job)
{
    const struct pd_aside_counts *asides = &job->gathered.asides;
    if (job->ignore.units.n)
        pd_log(PD_LOG_INFO, "  ignored: %s words in %s document%s aside, %s of words",
               pd_grouped(asides->ignored_words), pd_grouped(asides->ignored_documents),
               pd_plural(asides->ignored_documents),
               pd_share_of(asides->ignored_words, job->collection.totals.words));
}

void pd_job_release(struct pd_job *job)
{
    pd_ignore_release(&job->ignore);
    pd_writer_discard(job->writer);
    pd_collection_release(&job->collection);
    pd_job_forget_matches(job);
    pd_joineds_release(&job->matches.joined);
    pd_commons_release(&job->matches.common);
    pd_templates_release(&job->matches.templates);
    pd_spool_release(&job->aligned.matches); /* it has borrowed from the spare memory */
    pd_spare_release(&job->spare);
    pd_slices_release(&job->aligned.slices);
    pd_aside_file_close(&job->asides);
}

void pd_job_end(struct pd_job *job)
{
    pd_job_release(job);
    if (!job->scratch.dir)
        return;
    pd_scratch_empty(&job->scratch);
    pd_scratch_close(&job->scratch);
}
