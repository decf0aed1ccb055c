/* run/job/dedup/dedup.c - see include/pardup/run/dedup.h: the steps of the job, in order. */
#include "pardup/run/dedup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/error.h"
#include "pardup/base/folder.h"
#include "pardup/base/hash.h"
#include "pardup/base/json.h"
#include "pardup/corpus/reader.h"
#include "run/job/dedup/choose/verify.h"
#include "run/job/dedup/leaks.h"
#include "run/job/dedup/owners.h"
#include "run/job/dedup/write/certificate.h"
#include "run/job/dedup/write/part_files.h"
#include "run/job/dedup/write/write.h"

enum { MEMORY_SHARE = 2 }; /* without --memory, ranks use half of their node's memory together */

static int open_result(struct pd_dedup *d)
{
    const char *keep = d->options->dedup.keep;
    PD_TRY(pd_result_open(d->options->operands.v[0], &d->result));
    PD_TRY(pd_fetch_init_ordered(&d->fetch, d->result,
                                 strncmp(keep, "field:", 6) == 0 ? keep + 6 : NULL));
    PD_TRY(pd_result_text(d->result, "text_field", &d->text_field));
    if (pd_result_text(d->result, "known", &d->known) < 0)
        pd_error_clear();
    else
        pd_fetch_find(&d->fetch, &d->known);
    return pd_dedup_open_sources(d);
}

/* Does a document lie behind another one of its file? By offset and skip. */
static bool lies_behind(const uint64_t at[2], const uint64_t before[2])
{
    return at[0] != before[0] ? at[0] > before[0] : at[1] > before[1];
}

/* Add to *hash what the documents of this rank's range have. */
static int hash_documents(struct pd_dedup *d, uint64_t *hash)
{
    const struct pd_comm *c = d->comm;
    const uint64_t from = pd_first_row(d->ndocs, c->rank, c->size);
    const uint64_t to = pd_first_row(d->ndocs, c->rank + 1, c->size);
    uint64_t file = 0, before[2] = {0, 0}, at[2] = {0, 0}; /* offset and skip of two documents */
    for (uint64_t doc = from ? from - 1 : 0; doc < to; doc++) {
        uint64_t text;
        PD_TRY(pd_dedup_doc(d, PD_DOC_TEXT_HASH, doc, &text));
        if (!pd_dedup_is_foreign(d, doc)) {
            PD_TRY(pd_dedup_doc(d, PD_DOC_OFFSET, doc, &at[0]));
            PD_TRY(pd_dedup_doc(d, PD_DOC_SKIP, doc, &at[1]));
            while (file < d->nfiles && doc >= d->files[file].last)
                file++;
            if (doc >= from && file < d->nfiles && doc > d->files[file].first &&
                !lies_behind(at, before))
                return pd_fail(PD_EFORMAT,
                               "%s: documents %llu and %llu are not in the order of their file",
                               pd_result_path(d->result), (unsigned long long)doc - 1,
                               (unsigned long long)doc);
            memcpy(before, at, sizeof at);
        }
        if (doc >= from)
            *hash += pd_mix(pd_mix(doc) ^ text ^ (pd_dedup_is_foreign(d, doc) ? 0 : at[0]));
    }
    return PD_OK;
}

/* For rank 0. What the job is: a text that another job does not have. */
static int describe(struct pd_dedup *d, uint64_t hash, struct pd_bytes *to)
{
    const struct pd_dedup_options *o = &d->options->dedup;
    char *command = NULL, here[PATH_MAX];
    char *proof = pd_dedup_whole_path(getcwd(here, sizeof here) ? here : "", d->proof);
    if (pd_result_text(d->result, "command", &command) < 0)
        pd_error_clear(); /* --reproducible has left it out */
    for (uint64_t k = 0; k < d->nfiles; k++)
        hash = hash * 31 + d->files[k].changed;
    pd_bytes_print(to, "{\"documents\":%llu,\"passages\":%llu,\"hash\":%llu,",
                   (unsigned long long)d->ndocs, (unsigned long long)d->passages,
                   (unsigned long long)hash);
    pd_bytes_print(to,
                   "\"remove\":%u,\"min_left\":%.17g,\"min_agreement\":%.17g,\"max_loss\":%.17g,",
                   o->remove, o->min_left, o->min_agreement, o->max_loss);
    pd_bytes_print(to, "\"min_run\":%llu,\"by\":", (unsigned long long)d->min_run);
    pd_json_quote(to, o->by ? o->by : "", o->by ? strlen(o->by) : 0);
    pd_bytes_print(to, ",\"proof\":");
    pd_json_quote(to, proof, strlen(proof));
    pd_bytes_print(to, ",\"certificate\":%d,\"as\":%u,\"keep\":", o->certificate, o->as);
    pd_json_quote(to, o->keep, strlen(o->keep));
    pd_bytes_print(to, ",\"revisit\":%d,\"count_field\":", o->revisit);
    pd_json_quote(to, o->count_field ? o->count_field : "",
                  o->count_field ? strlen(o->count_field) : 0);
    pd_bytes_print(to, ",\"command\":");
    pd_json_quote(to, command ? command : "", command ? strlen(command) : 0);
    pd_bytes_print(to, "}\n");
    PD_FREE(command, proof);
    return PD_OK;
}

/* Refuse a file whose documents cannot be left out, unless the collection is not written. */
static int check_files(struct pd_dedup *d)
{
    const struct pd_dedup_options *o = &d->options->dedup;
    if (o->as != PD_WRITTEN_SAME)
        return PD_OK;
    for (uint64_t k = 0; k < d->nfiles; k++) {
        bool rows;
        if (!d->files[k].written)
            continue;
        const char *what = pd_reader_uncut(d->fetch.reader, d->files[k].found, &rows);
        if (what)
            return pd_fail(PD_EFORMAT,
                           "%s: dedup does not write %s: choose --as jsonl, lists or attributes",
                           d->files[k].path, what);
        if (o->count_field && !pd_reader_is_lines(d->fetch.reader, d->files[k].found))
            return pd_fail(PD_EFORMAT,
                           "%s: --count-field goes into JSON lines: give --as jsonl, too",
                           d->files[k].path);
        PD_TRY(rows ? pd_dedup_check_rows(d, k) : PD_OK);
    }
    return PD_OK;
}

/* Refuse a file that would lose parts of records, if its format has no way to do so. */
static int check_cuts(struct pd_dedup *d)
{
    const struct pd_dedup_options *o = &d->options->dedup;
    struct pd_changes c = {.d = d};
    const struct pd_changed *w;
    uint64_t checked = UINT64_MAX; /* the file that was looked at last */
    if (o->as != PD_WRITTEN_SAME)
        return PD_OK;
    for (uint64_t k = 0;;) {
        const int status = pd_changes_next(&c, d->ndocs, &w);
        if (status != PD_OK)
            return status < 0 ? status : PD_OK;
        while (w->doc >= d->files[k].last)
            k++;
        if (w->gone || k == checked || !d->files[k].written)
            continue;
        checked = k;
        if (pd_reader_is_fixed(d->fetch.reader, d->files[k].found))
            return pd_fail(
                PD_EFORMAT,
                "%s: parts of records of this format cannot be cut out: choose --as jsonl, "
                "attributes or lists, or --remove documents",
                d->files[k].path);
    }
}

/* What was chosen: does it go too far, and can it be written? For rank 0. */
static int check_choice(struct pd_dedup *d)
{
    PD_TRY(pd_dedup_check_loss(d));
    return check_cuts(d);
}

/* Has the folder nothing but what a job writes first, which has no name yet? */
static bool is_fresh(const char *folder, const char *part)
{
    const char *const name = strrchr(part, '/') + 1;
    const struct dirent *entry;
    bool fresh = true;
    DIR *dir = opendir(folder);
    while (dir && (entry = readdir(dir)) != NULL)
        fresh &= strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                 strcmp(entry->d_name, name) == 0;
    if (dir)
        closedir(dir);
    return fresh;
}

/* For rank 0: make the folder of the proof. A file in it keeps other jobs away. */
static int claim_proof(struct pd_dedup *d)
{
    struct pd_output out;
    PD_TRY(pd_folder_make(d->proof));
    int status = pd_output_open_proof(d, &out, PD_DEDUP_REMOVED);
    if (status >= 0 && fclose(out.file) != 0)
        status = pd_fail(PD_EIO, "%s: %s", d->proof, strerror(errno));
    PD_FREE(out.path, out.part);
    return status;
}

/* For rank 0: make the folders, or check that the files in them are of this job. */
static int bind_folder(struct pd_dedup *d, const struct pd_bytes *job)
{
    char *path = pd_dedup_work_path(d, "job", 0), *part = pd_printed("%s.part", path);
    int status = pd_folder_make(d->work);
    PD_THEN(status, pd_folder_lock(d->options->output, &d->lock));
    if (status >= 0 && access(path, F_OK) != 0 && !is_fresh(d->work, part))
        status = pd_fail(PD_ESTALE, "%s: is not of a dedup job: choose another folder", d->work);
    PD_FREE(path, part);
    PD_TRY(status < 0 ? status : pd_dedup_bind(d, "job", job));
    return claim_proof(d);
}

/* COLLECTIVE. Make the work folder, in which shuffles spill and tables lie that all ranks read. */
static int open_work(struct pd_dedup *d, uint64_t hash)
{
    const struct pd_comm *c = d->comm;
    struct pd_bytes job = {0};
    pd_comm_sum(c, &hash, 1);
    int status = c->rank == 0 ? describe(d, hash, &job) : PD_OK;
    if (status >= 0 && c->rank == 0)
        status = check_files(d);
    if (status >= 0 && c->rank == 0)
        status = bind_folder(d, &job);
    pd_bytes_release(&job);
    PD_TRY(pd_comm_agree(c, status));
    d->bound = true;
    d->keep = d->options->dedup.resume;
    return pd_comm_agree(c, pd_shared_open(&d->shared, c, d->work));
}

/* COLLECTIVE. Find out which documents are in passages, and begin to write. */
static int begin(struct pd_dedup *d)
{
    struct pd_bytes wanted = {0};
    uint64_t hash = 0;
    int status = pd_comm_agree(d->comm, hash_documents(d, &hash));
    PD_THEN(status, pd_find_wanted(d, &wanted, &hash));
    PD_THEN(status, open_work(d, hash));
    PD_THEN(status, pd_publish_wanted(d, &wanted));
    pd_bytes_release(&wanted);
    return status;
}

/* COLLECTIVE. Decide what goes, and publish it. */
static int decide(struct pd_dedup *d)
{
    struct pd_wordeds own = {0};
    int status = pd_dedup_read_words(d, &own);
    PD_THEN(status, pd_bring_claims(d, &own));
    pd_spare_release(&d->spare); /* the plan of memory has it for one step at a time */
    struct pd_choice choice = {.worded = own.v,
                               .min_left = d->options->dedup.min_left,
                               .min_run = d->min_run,
                               .whole = d->options->dedup.remove == PD_REMOVE_DOCUMENTS};
    if (status >= 0) {
        choice.first = pd_first_place_of(d);
        choice.n = own.n;
        choice.fates = pd_zeroed(own.n + 1, sizeof *choice.fates);
        d->own = own.v;
        status = pd_dedup_decide(d, &choice);
        pd_spare_release(&d->spare);
        d->own = NULL;
    }
    PD_THEN(status, pd_publish_changes(d, &choice));
    pd_wordeds_release(&own);
    free(choice.fates);
    pd_copieds_release(&choice.copied);
    pd_removals_release(&choice.removals);
    pd_bytes_release(&choice.lost);
    pd_going_list_release(&choice.going);
    pd_spare_release(&d->spare);
    return status;
}

/* The proof of what was done. For rank 0. */
static int report(struct pd_dedup *d, struct pd_dedup_made *made)
{
    PD_TRY(pd_dedup_report(d, made));
    return d->options->dedup.certificate ? pd_certify(d) : PD_OK;
}

static int run_steps(struct pd_dedup *d, struct pd_dedup_made *made)
{
    const struct pd_comm *c = d->comm;
    PD_TRY(pd_comm_agree(c, open_result(d)));
    PD_TRY(pd_dedup_load(d));
    PD_TRY(pd_comm_agree(c, pd_leaks_load(d)));
    PD_TRY(pd_comm_agree(c, pd_dedup_name_files(d)));
    PD_TRY(begin(d));
    PD_TRY(decide(d));
    PD_TRY(pd_comm_agree(c, c->rank == 0 ? check_choice(d) : PD_OK));
    d->keep = true;
    PD_TRY(pd_dedup_write(d));
    pd_dedup_hand_over(d, made);
    return pd_comm_agree(c, c->rank == 0 ? report(d, made) : PD_OK);
}

/*
 * COLLECTIVE. Each rank removes its own file of tables, which nobody takes up. The other files stay
 * only if a later try can use them.
 */
static int end_work(struct pd_dedup *d, int status)
{
    if (!d->bound)
        return status;
    pd_shared_close(&d->shared);
    status = pd_comm_agree(d->comm, status);
    if (d->comm->rank == 0 && (status >= 0 || !d->keep))
        pd_dedup_clean(d, status < 0);
    return status;
}

static void release(struct pd_dedup *d)
{
    for (uint64_t k = 0; k < d->nfiles && d->files; k++) {
        PD_FREE(d->files[k].path, d->files[k].found, d->files[k].name);
    }
    free(d->files);
    pd_bundles_release(&d->bundles);
    PD_FREE(d->item_words, d->text_field, d->known, d->work, d->proof, d->scratch.path, d->firsts);
    for (int k = 0; k < 2; k++) {
        pd_table_close(&d->documents[k]);
        pd_table_close(&d->ids[k]);
    }
    pd_dedup_close_sources(d);
    pd_fetch_release(&d->fetch);
    pd_result_close(d->result);
    if (d->lock >= 0)
        close(d->lock);
}

static void forget(struct pd_texts *texts)
{
    for (size_t k = 0; k < texts->n; k++)
        free((void *)texts->v[k]);
    free(texts->v);
    *texts = (struct pd_texts){0};
}

void pd_dedup_made_release(struct pd_dedup_made *made)
{
    forget(&made->files);
    forget(&made->sources);
    PD_FREE(made->index, made->proof);
    made->index = made->proof = NULL;
}

char *pd_dedup_proof_path(const struct pd_options *o)
{
    size_t n = strlen(o->output);
    while (n > 1 && o->output[n - 1] == '/')
        n--;
    if (!pd_writes_collection(&o->dedup))
        return pd_printed("%s", o->output);
    return o->dedup.proof ? pd_printed("%s", o->dedup.proof)
                          : pd_printed("%.*s.proof", (int)n, o->output);
}

int pd_dedup(const struct pd_comm *c, const struct pd_options *o, struct pd_dedup_made *made)
{
    struct pd_dedup d = {.comm = c, .options = o, .lock = -1};
    struct pd_traffic moved = {0};
    *made = (struct pd_dedup_made){.documents = 0};
    d.memory = o->job.memory ? (uint64_t)o->job.memory : pd_comm_memory_share(c) / MEMORY_SHARE;
    d.proof = pd_dedup_proof_path(o);
    d.work = pd_printed("%s/%s", o->output, PD_DEDUP_WORK);
    d.scratch = (struct pd_scratch){
        .comm = c, .dir = d.work, .path = pd_realloc(NULL, PATH_MAX, 1), .lock = -1, .claim = -1};
    pd_progress_open(&d.progress, c, o->job.progress);
    d.transport = (struct pd_transport){c, &d.scratch, d.memory, &moved};
    const int status = end_work(&d, run_steps(&d, made));
    pd_progress_end(&d.progress);
    release(&d);
    return status;
}
