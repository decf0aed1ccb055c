/* run/check/lines.c - answer JSON lines: see pd_check_lines in include/pardup/run/check.h */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "flat.h"
#include "line_buffer.h"
#include "pardup/base/error.h"
#include "pardup/corpus/json_line.h"
#include "pardup/feature/vocabulary.h"
#include "pardup/run/check.h"
#include "socket.h"

enum {
    MARGIN = 1 << 16,     /* bytes of a line besides its text, at most */
    SLOTS_KEPT = 1 << 12, /* a larger table of words is freed after its document */
    ESCAPED = 6           /* most bytes of a byte of text in a line of JSON */
};

struct answering {
    struct pd_job job; /* options and form only */
    struct pd_index index;
    struct pd_query query;
    struct pd_signing signing;
    struct pd_document document;
    struct pd_vocabulary vocabulary; /* the words of the target */
    struct pd_terms terms;
    struct pd_bytes flags;
    bool keeps_forms; /* the feature reads the forms of words */
    struct pd_bytes forms;
    struct pd_counts form_ends;

    uint64_t line;        /* number of the line at hand, from 1 */
    struct pd_bytes id;   /* the id of the line, as JSON */
    struct pd_bytes room; /* for strings of the line that have escapes, or for a mended line */
    struct pd_bytes out;  /* the answer */
};

/* ---- answers ---- */

static void put(struct answering *s, const char *text)
{
    pd_bytes_append(&s->out, text, strlen(text));
}

/* Begin an answer with the id of its line, as JSON. */
static void put_id(struct answering *s)
{
    s->out.n = 0;
    put(s, "{\"id\":");
    pd_bytes_append(&s->out, s->id.v, s->id.n);
}

/* Keep the id of a line: a string, a number, or none. */
static void keep_text_id(struct answering *s, const char *id, size_t n)
{
    s->id.n = 0;
    if (id)
        pd_answer_text(&s->id, id, n);
    else
        pd_bytes_append(&s->id, "null", strlen("null"));
}

/* Keep the id of the line line[0, n). A number stays as it is written. */
static void keep_id(struct answering *s, const json_t *id, const char *line, size_t n)
{
    const unsigned char *number;
    keep_text_id(s, json_string_value(id), json_string_length(id));
    if (!json_is_number(id))
        return;
    n = pd_json_number((const unsigned char *)line, n, s->job.options->input.id_field, &number);
    if (n > 0) {
        s->id.n = 0;
        pd_bytes_append(&s->id, number, n);
    }
}

/* Answer that a line is not checked. */
static void refuse(struct answering *s, const char *why)
{
    char number[48];
    put_id(s);
    put(s, ",\"error\":");
    pd_answer_text(&s->out, why, strlen(why));
    snprintf(number, sizeof number, ",\"line\":%llu}\n", (unsigned long long)s->line);
    put(s, number);
}

/* Keep the form of a new word. */
static void keep_form(struct answering *s, const struct pd_word *word)
{
    pd_signer_keep_form(s->document.norm.v + word->norm, word->norm_n, &s->forms);
    pd_counts_push(&s->form_ends, (uint32_t)s->forms.n);
}

/* Number the words of the document as a volume does, and give them their frozen flags. */
static void number_words(struct answering *s)
{
    struct pd_stored *stored = &s->signing.stored;
    const struct pd_words *words = &s->document.words;
    if (s->vocabulary.nslots > SLOTS_KEPT)
        pd_vocabulary_release(&s->vocabulary);
    else
        pd_vocabulary_clear(&s->vocabulary);
    pd_tokens_reserve(&stored->tokens, words->n);
    pd_word_numbers_reserve(&stored->numbers, words->n + PD_NUMBERS_BEHIND);
    s->terms.n = s->flags.n = s->forms.n = s->form_ends.n = 0;
    for (size_t k = 0; k < words->n; k++) {
        struct pd_slot *slot = pd_vocabulary_enter(&s->vocabulary, words->v[k].term);
        const uint32_t number = pd_vocabulary_count(slot, 1);
        stored->tokens.v[k] = (struct pd_token){words->v[k].begin, words->v[k].end, number};
        stored->numbers.v[k] = number;
        if (number == s->terms.n) { /* a new word */
            pd_terms_push(&s->terms, words->v[k].term);
            pd_bytes_push(&s->flags, pd_index_flags(&s->index, words->v[k].term));
            if (s->keeps_forms)
                keep_form(s, &words->v[k]);
        }
    }
    memset(stored->numbers.v + words->n, 0, PD_NUMBERS_BEHIND * sizeof *stored->numbers.v);
    stored->tokens.n = stored->numbers.n = words->n;
}

/* Load a text as a target. False: it is no text, or too long. */
static bool load(struct answering *s, const char *text, size_t n)
{
    struct pd_signing *signing = &s->signing;
    enum pd_skip why;
    const struct pd_raw raw = {.body = (const unsigned char *)text, .n = n, .media = PD_MEDIA_TEXT};
    if (n > (uint64_t)s->job.options->input.max_document ||
        pd_document_read(&s->document, &raw, &why) != PD_OK)
        return false;
    number_words(s);
    pd_sentences_reserve(&signing->stored.sentences, s->document.sentences.n);
    signing->stored.sentences.n = 0;
    pd_sentences_append(&signing->stored.sentences, s->document.sentences.v,
                        s->document.sentences.n);
    if (s->keeps_forms)
        pd_signer_use_forms(&signing->signer, s->forms.v, s->form_ends.v);
    pd_signer_use(&signing->signer, s->terms.v, s->flags.v, s->vocabulary.n);
    signing->units = pd_units_of(&s->job, &signing->stored, &signing->derived);
    signing->number = 0;
    return true;
}

/* Answer a text. PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP. */
static int answer_text(struct answering *s, const char *text, size_t n)
{
    if (!text || !load(s, text, n)) {
        refuse(s, text ? "not text, or too long" : "no text");
        return PD_OK;
    }
    put_id(s);
    PD_TRY(pd_query_ask(&s->query, &s->signing, &(struct pd_docrec){0}));
    return pd_answer_query(&s->out, &s->query, s->signing.units->n);
}

/* Parse a line. Numbers that do not fit into the parser's are mended. */
static json_t *parse(struct answering *s, const char *line, size_t n, json_error_t *why)
{
    json_t *root = json_loadb(line, n, JSON_ALLOW_NUL, why);
    if (root || json_error_code(why) != json_error_numeric_overflow ||
        !pd_json_mend((const unsigned char *)line, n, &s->room))
        return root;
    return json_loadb((const char *)s->room.v, s->room.n, JSON_ALLOW_NUL, why);
}

/* Answer a line of any JSON. */
static int answer_parsed(struct answering *s, const char *line, size_t n)
{
    const struct pd_input_options *o = &s->job.options->input;
    json_error_t why;
    json_t *object = parse(s, line, n, &why);
    int status = PD_OK;
    if (json_is_object(object)) {
        const json_t *text = pd_json_field(object, o->text_field);
        keep_id(s, pd_json_field(object, o->id_field), line, n);
        status = answer_text(s, json_string_value(text), json_string_length(text));
    } else {
        keep_text_id(s, NULL, 0);
        refuse(s, object ? "not an object" : why.text);
    }
    json_decref(object);
    return status;
}

/* Answer a line into s->out. An index or a source that cannot be read is told in the answer. */
static int answer(struct answering *s, const char *line, size_t n)
{
    const struct pd_input_options *o = &s->job.options->input;
    struct pd_flat_field fields[2] = {{.name = o->id_field}, {.name = o->text_field}};
    int status = PD_OK;
    if (n == SIZE_MAX) {
        keep_text_id(s, NULL, 0);
        refuse(s, "the line is too long");
    } else if (pd_flat_read(line, n, fields, &s->room)) {
        keep_text_id(s, fields[0].text, fields[0].n);
        status = answer_text(s, fields[1].text, fields[1].n);
    } else {
        status = answer_parsed(s, line, n);
    }
    if (status == PD_EIO || status == PD_EFORMAT) {
        refuse(s, pd_error_text());
        pd_error_clear();
        status = PD_OK;
    }
    return status;
}

/* Take the next line of standard input. PD_OK, PD_END (its end, or a signal) or PD_EIO. */
static int next_line(struct pd_line_buffer *in, const char **line, size_t *n)
{
    while (!pd_line_next(in, line, n)) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        if (in->ended)
            return PD_END;
        const int status = pd_line_wait(&input, 1);
        if (status != PD_OK)
            return status;
        if (!pd_line_read(in, STDIN_FILENO))
            return pd_fail(PD_EIO, "standard input: %s", strerror(errno));
    }
    return PD_OK;
}

static int answer_all(struct answering *s, struct pd_line_buffer *in)
{
    const char *line;
    size_t n;
    int status;
    while ((status = next_line(in, &line, &n)) == PD_OK) {
        if (n == 0)
            continue;
        s->line = in->line;
        PD_TRY(answer(s, line, n));
        if (fwrite(s->out.v, 1, s->out.n, stdout) != s->out.n || fflush(stdout) != 0)
            return pd_fail(PD_EIO, "standard output: %s", strerror(errno));
    }
    return status < 0 ? status : PD_OK;
}

/* An answer of a service (socket.h). */
static int answer_client(void *ctx, const char *line, size_t n, uint64_t number,
                         struct pd_bytes *out)
{
    struct answering *s = ctx;
    s->line = number;
    PD_TRY(answer(s, line, n));
    pd_bytes_append(out, s->out.v, s->out.n);
    return PD_OK;
}

/* Answer the lines of standard input, or of the clients of a socket, until a signal ends it. */
static int answer_until_stopped(struct answering *s)
{
    const struct pd_options *o = s->job.options;
    const size_t most = (size_t)o->input.max_document * ESCAPED + MARGIN;
    struct pd_line_buffer in = {.most = most};
    const struct pd_service service = {o->check.socket, most, answer_client, s};
    int status = o->check.socket ? pd_service_run(&service) : answer_all(s, &in);
    pd_bytes_release(&in.in);
    if (status == PD_ESTOP) {
        pd_error_clear();
        status = PD_OK;
    }
    return status;
}

/* ---- the command ---- */

int pd_check_lines(const struct pd_comm *c, const struct pd_options *o)
{
    struct answering s = {.line = 0};
    if (c->rank != 0)
        return PD_OK;
    pd_job_init(&s.job, c, o);
    o = s.job.options;
    s.document = pd_document_as(&o->input);
    s.keeps_forms = pd_features[o->method.feature].input == PD_READS_FORMS;
    int status = pd_index_open(&s.index, o->check.index);
    if (status >= 0) {
        pd_query_init(&s.query, &s.job, &s.index);
        pd_signing_init(&s.signing, &s.job);
        status = answer_until_stopped(&s);
        pd_query_release(&s.query);
        pd_signing_release(&s.signing);
    }
    pd_index_close(&s.index);
    pd_document_release(&s.document);
    pd_vocabulary_release(&s.vocabulary);
    pd_terms_release(&s.terms);
    pd_bytes_release(&s.flags);
    pd_bytes_release(&s.forms);
    pd_counts_release(&s.form_ends);
    pd_bytes_release(&s.id);
    pd_bytes_release(&s.room);
    pd_bytes_release(&s.out);
    pd_job_release(&s.job);
    return status;
}
