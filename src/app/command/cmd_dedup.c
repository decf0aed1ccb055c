/*
 * app/command/cmd_dedup.c - pardup dedup: the collection without its copies, and the proof.
 *
 * With --check a second detect and a second dedup, which writes lists only, run over the output.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/result_options.h"
#include "app/settle.h"
#include "app/temporary.h"
#include "pardup/base/error.h"
#include "pardup/base/folder.h"
#include "pardup/base/log.h"
#include "pardup/base/numbers.h"
#include "pardup/run/check.h"
#include "pardup/run/dedup.h"
#include "pardup/run/detect.h"
#include "pardup/store/commit.h"

#define DOCUMENT_LEFT 0.2 /* --min-left of --remove documents */

static int settle_check(struct pd_options *o)
{
    if (!pd_writes_collection(&o->dedup))
        return pd_fail(PD_EUSAGE, "--check goes neither with --as attributes nor with --as lists, "
                                  "which write no collection");
    if (o->input.docs_from && strcmp(o->input.docs_from, "-") == 0)
        return pd_fail(PD_EUSAGE, "--check: detect had the ids of its documents from standard "
                                  "input, where a second job cannot read them");
    return pd_settle_method(o);
}

/* Does the text begin with `before`, and go on? */
static bool has_name(const char *text, const char *before)
{
    const size_t n = strlen(before);
    return strncmp(text, before, n) == 0 && text[n];
}

/* Is the name of the folder of the proof known? */
static int settle_proof(const struct pd_options *o)
{
    const char *name = strrchr(o->output, '/') ? strrchr(o->output, '/') + 1 : o->output;
    if (!pd_writes_collection(&o->dedup))
        return o->dedup.proof ? pd_fail(PD_EUSAGE, "--proof goes neither with --as attributes nor "
                                                   "with --as lists, which write all to one folder")
                              : PD_OK;
    if (o->dedup.proof && !*o->dedup.proof)
        return pd_fail(PD_EUSAGE, "--proof: expected a folder");
    if (!o->dedup.proof && (strcmp(name, ".") == 0 || strcmp(name, "..") == 0))
        return pd_fail(PD_EUSAGE, "-o %s: give --proof, too", o->output);
    return PD_OK;
}

/* Do the options about records fit what is written? */
static int settle_records(const struct pd_dedup_options *o)
{
    const bool lines = o->as == PD_WRITTEN_JSONL;
    const char *field = o->count_field;
    if ((field || o->revisit) && !pd_writes_collection(o))
        return pd_fail(PD_EUSAGE,
                       "%s goes neither with --as attributes nor with --as lists, which write no "
                       "collection",
                       field ? "--count-field" : "--revisit");
    if (lines && o->revisit)
        return pd_fail(PD_EUSAGE, "--revisit: JSON lines have no such records");
    if (field && (!*field || (lines && (strcmp(field, "id") == 0 || strcmp(field, "text") == 0 ||
                                        strcmp(field, "url") == 0))))
        return pd_fail(PD_EUSAGE, "--count-field %s: expected a name that no other field has",
                       field);
    return PD_OK;
}

/* Make --annotate and --list what they are names of. */
static int settle_written(struct pd_dedup_options *o)
{
    if (o->annotate + o->list + (o->as != PD_WRITTEN_SAME) > 1)
        return pd_fail(PD_EUSAGE, "--as, --annotate and --list exclude each other");
    o->as = o->annotate ? PD_WRITTEN_ATTRIBUTES : o->list ? PD_WRITTEN_LISTS : o->as;
    return PD_OK;
}

static int settle(struct pd_options *o)
{
    const char *by = o->dedup.by;
    if (!o->output || !*o->output)
        return pd_fail(PD_EUSAGE, "-o DIR is required: where to write the collection");
    PD_TRY(settle_written(&o->dedup));
    PD_TRY(settle_records(&o->dedup));
    PD_TRY(pd_dedup_check_keep(o->dedup.keep));
    if (by && strcmp(by, "file") != 0 && strcmp(by, "host") != 0 && !has_name(by, "field:"))
        return pd_fail(PD_EUSAGE, "--by %s: expected file, host or field:NAME", by);
    if (o->dedup.certificate && !pd_writes_collection(&o->dedup))
        return pd_fail(PD_EUSAGE, "--certificate goes neither with --as attributes nor with "
                                  "--as lists, which write no collection");
    PD_TRY(settle_proof(o));
    if (o->dedup.min_left < 0)
        o->dedup.min_left = o->dedup.remove == PD_REMOVE_DOCUMENTS ? DOCUMENT_LEFT : 0;
    return o->dedup.check ? settle_check(o) : PD_OK;
}

/* With --check: the options of the first job, for the second one. */
static int settings(const struct pd_options *o, const char *const **list)
{
    return pd_result_settings(o->operands.v[0], list);
}

/* ---- --check ---- */

/* The files of the second job. */
struct paths {
    char folder[PATH_MAX], result[PATH_MAX + 32], lists[PATH_MAX + 32];
};

/*
 * COLLECTIVE. The second job over what the first one has made.
 *   ignore  files of text that it does not compare
 */
static int run_again(const struct pd_comm *c, const struct pd_options *o, const struct paths *p,
                     const struct pd_dedup_made *made, struct pd_texts ignore,
                     struct pd_dedup_made *found)
{
    struct pd_options again = *o;
    const char *result[] = {p->result};
    again.input.ignore = ignore;
    again.dedup.check = false;
    again.preset = PD_PRESET_PAPER; /* the first job has chosen its settings */
    again.operands = made->files;
    again.input.against = made->sources;
    again.input.limit_docs = o->input.limit_docs ? (int64_t)made->documents : 0;
    again.input.skip_unknown = true;
    again.input.strict = false;
    if (o->dedup.as == PD_WRITTEN_JSONL) {
        again.input.format = PD_FORMAT_AUTO;
        again.input.id_field = "id";
        again.input.text_field = "text";
        again.input.url_field = "url";
    }
    again.output = p->result;
    again.job.scratch = p->folder;
    again.job.progress = PD_PROGRESS_NONE;
    again.check = (struct pd_check_options){.index = made->index, .texts = PD_TEXTS_YES};
    PD_TRY(made->index && !made->known ? pd_check(c, &again) : pd_detect(c, &again));
    again.operands = (struct pd_texts){result, 1};
    again.output = p->lists;
    again.dedup.as = PD_WRITTEN_LISTS;
    again.dedup.count_field = NULL;
    again.dedup.revisit = false;
    again.dedup.resume = again.dedup.certificate = false;
    again.dedup.max_loss = 1;
    again.dedup.by = again.dedup.proof = NULL;
    again.dedup.keep = "first"; /* nothing that is left in passages may have the field of --keep */
    return pd_dedup(c, &again, found);
}

static double share(uint64_t part, uint64_t all) { return all ? (double)part / (double)all : 0; }

/*
 * What second jobs found: one with the options of the first one, one that leaves what that has set
 * aside.
 */
struct second {
    struct pd_dedup_made found, told;
    uint64_t is_told; /* 1: there was a second one */
};

/* Write what a second job found as members of an object. */
static void print_found(FILE *to, const struct pd_dedup_made *found, uint64_t words)
{
    fprintf(to, "\"documents\":%llu,\"removals\":%llu,\"words\":%llu,\"share\":%.6f",
            pd_ull(found->touched), pd_ull(found->removals), pd_ull(found->words_gone),
            share(found->words_gone, words));
}

static void log_found(const struct pd_dedup_made *found, uint64_t words, const char *what)
{
    pd_log(PD_LOG_INFO, "  check       %13s  removals more in a second job%s (%s words, %.2f %%)",
           pd_grouped(found->removals), what, pd_grouped(found->words_gone),
           100 * share(found->words_gone, words));
}

/* For rank 0: write check.json, and say what it says. */
static int say_found(const char *folder, uint64_t words, const struct second *s)
{
    struct pd_new_file n;
    PD_TRY(pd_new_file_open(&n, NULL, pd_printed("%s/" PD_DEDUP_CHECKED, folder)));
    fputs("{", n.f);
    print_found(n.f, &s->found, words);
    if (s->is_told) {
        fputs(",\"ignored\":{", n.f);
        print_found(n.f, &s->told, words);
        fputs("}", n.f);
    }
    fputs("}\n", n.f);
    PD_TRY(pd_new_file_close(&n, PD_OK));
    log_found(&s->found, words, "");
    if (s->is_told)
        log_found(&s->told, words, " with --ignore " PD_DEDUP_ASIDE);
    return PD_OK;
}

/* COLLECTIVE. Run a second job, and leave nothing of it behind. */
static int look_again(const struct pd_comm *c, const struct pd_options *o, const struct paths *p,
                      const struct pd_dedup_made *made, struct pd_texts ignore,
                      struct pd_dedup_made *found)
{
    int status = pd_comm_agree(c, c->rank == 0 ? pd_folder_make(p->folder) : PD_OK);
    PD_THEN(status, run_again(c, o, p, made, ignore, found));
    if (c->rank == 0)
        pd_temporary_remove(p->folder);
    return pd_comm_agree(c, status);
}

/* COLLECTIVE. Find out what a second job would remove. */
static int check(const struct pd_comm *c, const struct pd_options *o,
                 const struct pd_dedup_made *made)
{
    struct second s = {.is_told = 0};
    struct paths p;
    uint64_t left = made->documents;
    char *aside = pd_printed("%s/" PD_DEDUP_ASIDE, made->proof);
    const struct pd_texts *named = &o->input.ignore;
    struct pd_texts ignore = {pd_realloc(NULL, named->n + 1, sizeof *ignore.v), named->n + 1};
    if (named->n)
        memcpy(ignore.v, named->v, named->n * sizeof *ignore.v);
    ignore.v[named->n] = aside;
    snprintf(p.folder, sizeof p.folder, "%s/" PD_DEDUP_CHECK, made->proof);
    snprintf(p.result, sizeof p.result, "%s/result.h5", p.folder);
    snprintf(p.lists, sizeof p.lists, "%s/lists", p.folder);
    pd_comm_max(c, &left, 1);
    pd_log_open(c->rank, c->size, PD_LOG_ERROR); /* both jobs have told their warnings before */
    int status = left > 0 ? look_again(c, o, &p, made, *named, &s.found) : PD_OK;
    s.is_told = c->rank == 0 && s.found.removals > 0 && access(aside, F_OK) == 0;
    pd_comm_max(c, &s.is_told, 1);
    if (status >= 0 && s.is_told)
        status = look_again(c, o, &p, made, ignore, &s.told);
    pd_log_open(c->rank, c->size, o->quiet ? PD_LOG_ERROR : PD_LOG_INFO);
    if (status >= 0 && c->rank == 0)
        status = say_found(made->proof, made->words, &s);
    pd_dedup_made_release(&s.found);
    pd_dedup_made_release(&s.told);
    PD_FREE(ignore.v, aside);
    return pd_comm_agree(c, status);
}

static int run(const struct pd_comm *c, const struct pd_options *o)
{
    struct pd_dedup_made made;
    int status = pd_dedup(c, o, &made);
    if (status >= 0 && o->dedup.check)
        status = check(c, o, &made);
    pd_dedup_made_release(&made);
    return status;
}

const struct pd_command pd_command_dedup = {
    .name = "dedup",
    .usage = "[options] -o DIR OUT.h5",
    .example = "pardup dedup --keep longest -o clean out.h5",
    .brief = "output proof remove keep min-run max-loss by as "
             "check ranks memory resume",
    .help = "write the collection without its copies, and prove each removal",
    .operands = PD_OPERANDS_RESULT,
    .settings = settings,
    .settings_of = "detect",
    .settle = settle,
    .together = run,
};
