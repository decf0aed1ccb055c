/* app/options.c - see src/app/options.h */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods.h"
#include "pardup/base/error.h"
#include "pardup/document/word.h"

enum kind { TEXT, TEXTS, COUNT, COUNTS, BYTES, REAL, FLAG, CHOICE, RANGE };

#define DETECT  PD_COMMAND_DETECT
#define INPUT   (PD_COMMAND_DETECT | PD_COMMAND_TEXT | PD_COMMAND_SENTENCES)
#define SYNTH   PD_COMMAND_SYNTH
#define ONE_DOC (PD_COMMAND_TEXT | PD_COMMAND_SENTENCES | PD_COMMAND_SHOW)

static const struct option {
    const char *name, *arg;
    enum kind kind;
    int commands;
    size_t at;           /* offset in struct pd_options */
    const char *preset;  /* default as the user would type it; NULL: none */
    double lo, hi;       /* inclusive */
    const char *choices; /* CHOICE: the words, separated by blanks, in order of the enumeration */
    const char *help;
} table[] = {
#define AT(field) offsetof(struct pd_options, field)
    /* clang-format off */
    {"output",      "FILE",  TEXT,   DETECT, AT(output),     NULL,    0, 0, NULL, "result file (HDF5); written under a temporary name until complete"},
    {"files-from",  "LIST",  TEXT,   INPUT,  AT(input.files_from), NULL,    0, 0, NULL, "read more inputs from LIST, one a line (- is standard input)"},
    {"format",      "F",     CHOICE, INPUT,  AT(input.format),     "auto",  0, 0, PD_FORMAT_NAMES, "how inputs are read; auto looks at their first bytes"},
    {"id-field",    "NAME",  TEXT,   INPUT,  AT(input.id_field),   "id",    0, 0, NULL, "JSON lines: the field with the document id"},
    {"text-field",  "NAME",  TEXT,   INPUT,  AT(input.text_field), "text",  0, 0, NULL, "JSON lines: the field with the text"},
    {"url-field",   "NAME",  TEXT,   INPUT,  AT(input.url_field),  "url",   0, 0, NULL, "JSON lines: the field with the address (for --skip-same-host)"},
    {"content",     "C",     CHOICE, INPUT,  AT(input.content),    "all",   0, 0, "all main", "what of an HTML page is text; main: without menus, link lists and footers"},
    {"words",       "W",     CHOICE, INPUT,  AT(input.words),      "char",  0, 0, "char icu", "what a Chinese or Japanese word is: a character, or what ICU's dictionary says"},
    {"limit-docs",  "N",     COUNT,  INPUT,  AT(input.limit_docs), "0",     0, 1e18, NULL, "stop after the first N documents (0: all)"},
    {"strict",      NULL,    FLAG,   INPUT,  AT(input.strict),     NULL,    0, 0, NULL, "a bad record ends the job instead of being counted and skipped"},
    {"units",       "U",     CHOICE, PD_COMMAND_TEXT | PD_COMMAND_SENTENCES, AT(input.base), "sentence", 0, 0, "sentence clause stop", "what is cut; clause: at every punctuation mark, not at line ends; stop: at . ; ! ? only"},
    {"method",      "M",     TEXT,   DETECT, AT(method.name),  "pdc-imatch", 0, 0, NULL, "a preset of the options below, which still win"},
    {"units",       "U",     CHOICE, DETECT, AT(method.units), "sentence", 0, 0, "sentence clause stop gram document", "what is compared; clause: cut at every punctuation mark, not at line ends; stop: at . ; ! ? only; gram: every run of --ngram words; document: all of it"},
    {"window",      "WS,SW", COUNTS, DETECT, AT(method.window),     "1,1",   1, 1e6, NULL, "compare windows of WS units; those of the earlier document move by SW"},
    {"jump",        NULL,    FLAG,   DETECT, AT(method.jump),       NULL,    0, 0, NULL, "of these, leave out windows that repeat the one before"},
    {"sample",      "M",     COUNT,  DETECT, AT(method.sample),     "1",     1, 1e6, NULL, "gram: one in M of the earlier document's"},
    {"feature",     "F",     CHOICE, DETECT, AT(method.feature),    "words", 0, 0, "words bag sequence shingle spot lengths", "a unit's signatures: the set of its words, one for all of them in any order, one for all in order, runs of --ngram words, SpotSigs, one for its word counts"},
    {"ngram",       "N",     COUNT,  DETECT, AT(method.ngram),      "4",     1, 64, NULL, "words in a shingle or gram"},
    {"antecedents", "A",     TEXT,   DETECT, AT(method.antecedents), "10000", 0, 0, NULL, "SpotSigs: the A most frequent words, or a file of words"},
    {"stop-words",  "W",     TEXT,   DETECT, AT(method.stop_words), "english", 0, 0, NULL, "SpotSigs: words that chains leave out: english, none, or a file of words"},
    {"spot-distance", "D",   COUNT,  DETECT, AT(method.spot_distance), "1", 1, 1000, NULL, "SpotSigs: every D-th word that follows is in the chain"},
    {"spot-chain",  "C",     COUNT,  DETECT, AT(method.spot_chain), "2",     1, 1000, NULL, "SpotSigs: words in a chain"},
    {"join",        "J",     CHOICE, DETECT, AT(method.join),       "equal", 0, 0, "equal jaccard overlap lsh", "which units match: those with the same signatures, or similar enough by Jaccard, by |A and B| / max(|A|, |B|), or by that as far as bit sampling finds it"},
    {"tau",         "T",     REAL,   DETECT, AT(method.tau),        "0.9",   1e-9, 1, NULL, "least similarity, also as a fraction (2/3)"},
    {"sketch",      "S",     CHOICE, DETECT, AT(method.sketch),     "bits",  0, 0, "bits minhash", "lsh: what is hashed into buckets: sampled bits of superimposed signatures, or least members (min-wise hashing)"},
    {"rows",        "K",     COUNT,  DETECT, AT(method.rows),       "3",     1, 64, NULL, "lsh, minhash: least members that make a bucket"},
    {"bits",        "B",     COUNT,  DETECT, AT(method.bits),       "32",    1, 64, NULL, "lsh: bits of a unit's superimposed signature"},
    {"word-bits",   "B",     COUNT,  DETECT, AT(method.word_bits),  "1",     1, 64, NULL, "lsh: of these, bits that a word sets"},
    {"diffbit",     "D",     COUNT,  DETECT, AT(method.diffbit),    "5",     0, 64, NULL, "lsh: units that differ in so many bits are still found with probability .95"},
    {"tables",      "C",     COUNT,  DETECT, AT(method.tables),     "8",     1, 64, NULL, "lsh: hash functions"},
    {"theta-d",     "X",     REAL,   DETECT, AT(method.theta_d),    "0",     0, 1e18, NULL, "keep pairs of documents whose score (sum of similarities) is at least X"},
    {"delta",       "N",     COUNT,  DETECT, AT(method.delta),      "0",     0, 1e18, NULL, "keep pairs of documents with more than N matched units"},
    {"max-word-df", "X",     REAL,   DETECT, AT(method.max_word_df), "1",    1e-9, 1, NULL, "words and bag: words in more than this share of the documents do not count"},
    {"gamma",       "G",     COUNT,  DETECT, AT(method.gamma),      "3",     0, 1e9, NULL, "keep passages of more than G matched units"},
    {"gap",         "G",     COUNT,  DETECT, AT(method.gap),        "-1",    -1, 1000, NULL, "let a passage continue over up to G unmatched units on either side; -1: none, but those that --sample leaves out"},
    {"max-df",      "N",     COUNT,  DETECT, AT(method.max_df),     "300",   0, 1e18, NULL, "set units aside that occur in more than N documents (0: no limit)"},
    {"max-near",    "N",     COUNT,  DETECT, AT(method.max_near),   "0",     0, 1e18, NULL, "set units aside that are similar, but not identical, to more than N different ones (0: no limit)"},
    {"edges",       "HOW",   CHOICE, DETECT, AT(method.edges),      "word",  0, 0, "word sentence far", "extend begin and end word by word into the neighbouring sentences, not at all, or as far as words agree"},
    {"min-passage-words", "N", COUNT, DETECT, AT(method.min_passage_words), "0", 0, 1e9, NULL, "leave out passages of fewer words, edges included"},
    {"skip-same-host", NULL, FLAG,   DETECT, AT(method.skip_same_host), NULL, 0, 0, NULL, "leave out pairs of documents from one host"},
    {"min-words",   "N",     COUNT,  DETECT, AT(method.min_words),  "1",     0, 1e9, NULL, "units with fewer words take no part"},
    {"idf",         "LO,HI", RANGE,  DETECT, AT(method.idf[0]),     "0.1,1.0", 0, 1, NULL, "words and bag: words whose normalised idf lies in this range count"},
    {"memory",      "SIZE",  BYTES,  DETECT, AT(job.memory),     "0",     0, 1e18, NULL, "bytes a rank may use for records in flight (K, M, G, T; 0: half of the node, shared by its ranks)"},
    {"scratch",     "DIR",   TEXT,   DETECT, AT(job.scratch),    NULL,    0, 0, NULL, "folder for what does not fit and for checkpoints [$TMPDIR, else /tmp]"},
    {"resume",      NULL,    FLAG,   DETECT, AT(job.resume),     NULL,    0, 0, NULL, "go on from the last checkpoint in --scratch (from the beginning when there is none)"},
    {"dry-run",     NULL,    FLAG,   DETECT, AT(job.dry_run),    NULL,    0, 0, NULL, "read a sample, print the expected documents, sentences, memory, scratch and time, and stop"},
    {"compress",    "C",     CHOICE, DETECT, AT(job.compress),   "deflate", 0, 0, "deflate zstd none", "compression of the result file"},
    {"progress",    "P",     CHOICE, DETECT, AT(job.progress),   "auto",  0, 0, "auto bar log none", "a bar on a terminal, a line every 30 s in a log"},
    {"doc",         "ID",    TEXT,   ONE_DOC, AT(print.doc),       NULL,    0, 0, NULL, "only the document with this id"},
    {"offsets",     NULL,    FLAG,   PD_COMMAND_SENTENCES, AT(print.offsets), NULL, 0, 0, NULL, "also print each word's byte offsets (\"spans\") and the document's row"},
    {"limit",       "N",     COUNT,  PD_COMMAND_SHOW, AT(print.limit), "10", 0, 1e18, NULL, "show at most N passages (0: all)"},
    {"lines",       "N",     COUNT,  PD_COMMAND_SHOW, AT(print.lines), "12", 0, 1e9, NULL, "lines of text for a passage (0: all)"},
    {"width",       "N",     COUNT,  PD_COMMAND_SHOW, AT(print.width), "0", 0, 10000, NULL, "columns of the terminal (0: ask it)"},
    {"format",      "F",     CHOICE, PD_COMMAND_EXPORT, AT(print.format), "tsv", 0, 0, "tsv jsonl", "how rows are printed"},
    {"table",       "T",     CHOICE, PD_COMMAND_EXPORT, AT(print.table), "passages", 0, 0, "passages pairs documents files common skipped", "which table"},
    {"truth",       "FILE",  TEXTS,  PD_COMMAND_EVAL, AT(eval.truth), NULL, 0, 0, NULL, "what is duplicate: lines \"doc_a begin_a end_a doc_b begin_b end_b [class]\" or \"doc_a doc_b [class]\", tabs between; or a folder of PAN; may be given again"},
    {"truth-format", "F",    CHOICE, PD_COMMAND_EVAL, AT(eval.truth_format), "auto", 0, 0, "auto tsv pan", "auto: folders and XML files are PAN's"},
    {"ignore",      "FILE",  TEXT,   PD_COMMAND_EVAL, AT(eval.ignore), NULL, 0, 0, NULL, "text that is not judged: lines \"doc begin end\", tabs between, such as synth's boilerplate.tsv; detections and cases wholly in it, in either document, are left out"},
    {"format",      "F",     CHOICE, PD_COMMAND_EVAL, AT(eval.report), "table", 0, 0, "table tsv json pan", "how measures are printed; pan: --truth-format pan and a table"},
    {"unit",        "U",     CHOICE, PD_COMMAND_EVAL, AT(eval.unit), "auto", 0, 0, "auto char byte", "what lengths are counted in; auto: char for PAN, else byte (char reads the documents again)"},
    {"bootstrap",   "N",     COUNT,  PD_COMMAND_EVAL, AT(eval.bootstrap), "1000", 0, 1e6, NULL, "resamples of document pairs for the 95 % intervals (0: no intervals)"},
    {"seed",        "S",     COUNT,  PD_COMMAND_EVAL, AT(eval.seed), "1", 0, 1e18, NULL, "of the resamples"},
    {"output",      "DIR",   TEXT,   SYNTH, AT(output),      NULL,   0, 0, NULL, "folder of the collection and its truth files; - streams one file of it to standard output"},
    {"seed",        "S",     COUNT,  SYNTH, AT(synth.seed),  "1",    0, 1e18, NULL, "other seeds give other collections"},
    {"documents",   "N",     COUNT,  SYNTH, AT(synth.documents), "0", 0, 1e12, NULL, "pages in all (0: as many as make --bytes)"},
    {"bytes",       "SIZE",  BYTES,  SYNTH, AT(synth.bytes), "100M", 1, 1e15, NULL, "of HTML in all, about (K, M, G, T)"},
    {"page-bytes",  "SIZE",  BYTES,  SYNTH, AT(synth.page_bytes), "22500", 1, 1e9, NULL, "of HTML in the mean page; less than the text needs is not possible"},
    {"shard-bytes", "SIZE",  BYTES,  SYNTH, AT(synth.shard_bytes), "1G", 1, 1e15, NULL, "of HTML in one file, about"},
    {"shard",       "K",     COUNT,  SYNTH, AT(synth.shard), "0",    0, 1e12, NULL, "with -o -: which file, from 0 on"},
    {"profile",     "P",     CHOICE, SYNTH, AT(synth.profile), "versions", 0, 0, "versions law ocr", "how copied sentences are edited"},
    {"near",        "X",     REAL,   SYNTH, AT(synth.near),  "0.24", 0, 0.5, NULL, "share of pages in groups of near duplicates"},
    {"partial",     "X",     REAL,   SYNTH, AT(synth.partial), "0.15", 0, 0.5, NULL, "share of pages that hold a partial copy"},
    {"tau",         "T",     REAL,   SYNTH, AT(synth.tau),   "0.9",  1e-9, 1, NULL, "some edits leave sentences just above or just below this similarity"},
    {"container",   "C",     CHOICE, SYNTH, AT(synth.container), "warc", 0, 0, "warc jsonl text", "kind of files; text: a file a document"},
    {"pack",        "P",     CHOICE, SYNTH, AT(synth.pack),  "gzip", 0, 0, "gzip none", "one gzip member a document, or none"},
    {"learn",       "FILES", TEXT,   SYNTH, AT(synth.learn), NULL,   0, 0, NULL, "take words, frequencies and sentence lengths from these texts (commas between)"},
    {"bad",         "CASES", TEXT,   SYNTH, AT(synth.bad),   NULL,   0, 0, NULL, "also write bad.warc.gz, some of: empty,huge,repeat,charset,binary,twice,cut"},
/* clang-format on */
#undef AT
};
enum { NOPTIONS = sizeof table / sizeof table[0] };

/* The place of the first n bytes of `word` in the blank-separated `choices`; -1: not there. */
static int choice_of(const char *choices, const char *word)
{
    const size_t n = strlen(word);
    for (int k = 0; *choices; k++) {
        const size_t len = strcspn(choices, " ");
        if (len == n && memcmp(choices, word, n) == 0)
            return k;
        choices += len + (choices[len] == ' ');
    }
    return -1;
}

static int expected(const struct option *opt, const char *text)
{
    if (opt->kind == CHOICE)
        return pd_fail(PD_EUSAGE, "--%s %s: expected one of: %s", opt->name, text, opt->choices);
    if (opt->kind == RANGE)
        return pd_fail(PD_EUSAGE, "--%s %s: expected two numbers %s with %g <= LO <= HI <= %g",
                       opt->name, text, opt->arg, opt->lo, opt->hi);
    if (opt->kind == REAL)
        return pd_fail(PD_EUSAGE, "--%s %s: expected a number %s and up to %g", opt->name, text,
                       opt->lo > 0 ? "above 0" : "from 0 on", opt->hi);
    if (opt->kind == COUNTS)
        return pd_fail(PD_EUSAGE, "--%s %s: expected two whole numbers %s from %.0f to %.0f",
                       opt->name, text, opt->arg, opt->lo, opt->hi);
    return pd_fail(PD_EUSAGE, "--%s %s: expected a whole number from %.0f to %.0f%s", opt->name,
                   text, opt->lo, opt->hi, opt->kind == BYTES ? ", with K, M, G or T" : "");
}

static int store_count(const struct option *opt, const char *text, int64_t *field)
{
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    double x = (double)n;
    const char *units = "KMGT", *unit = *end ? strchr(units, *end) : NULL;
    if (opt->kind == BYTES && unit) {
        x = ldexp(x, 10 * (int)(unit - units + 1));
        end++;
    }
    if (errno || *end || end == text || x < opt->lo || x > opt->hi)
        return expected(opt, text);
    *field = (int64_t)x;
    if (opt->kind == COUNT)
        *field = n;
    return PD_OK;
}

/* Two whole numbers with a comma between. */
static int store_counts(const struct option *opt, const char *text, int64_t *fields)
{
    char *comma, *end = "";
    fields[0] = strtoll(text, &comma, 10);
    if (*comma == ',' && comma > text)
        fields[1] = strtoll(comma + 1, &end, 10);
    if (*comma != ',' || *end || end == comma + 1)
        return expected(opt, text);
    for (int k = 0; k < 2; k++)
        if (!((double)fields[k] >= opt->lo && (double)fields[k] <= opt->hi))
            return expected(opt, text);
    return PD_OK;
}

/* A number, or a fraction: 2/3 is the double nearest to it, as two counts divided are. */
static int store_real(const struct option *opt, const char *text, double *field)
{
    char *end;
    *field = strtod(text, &end);
    if (*end == '/' && end > text) {
        const char *below = end + 1;
        *field /= strtod(below, &end);
        if (end == below)
            return expected(opt, text);
    }
    return *end || end == text || !(*field >= opt->lo && *field <= opt->hi) ? expected(opt, text)
                                                                            : PD_OK;
}

static int store_range(const struct option *opt, const char *text, double *lo)
{
    char *comma, *end = "";
    lo[0] = strtod(text, &comma);
    if (*comma == ',' && comma > text)
        lo[1] = strtod(comma + 1, &end);
    if (*comma != ',' || *end || end == comma + 1 || !(opt->lo <= lo[0] && lo[0] <= lo[1]) ||
        lo[1] > opt->hi)
        return expected(opt, text);
    return PD_OK;
}

static void push_text(struct pd_texts *texts, const char *text)
{
    texts->v = pd_realloc(texts->v, texts->n + 1, sizeof *texts->v);
    texts->v[texts->n++] = text;
}

static int store(struct pd_options *o, const struct option *opt, const char *text)
{
    void *field = (char *)o + opt->at;
    int k;
    switch (opt->kind) {
    case TEXT:
        *(const char **)field = text;
        return PD_OK;
    case TEXTS:
        push_text(field, text);
        return PD_OK;
    case FLAG:
        *(bool *)field = true;
        return PD_OK;
    case COUNT:
    case BYTES:
        return store_count(opt, text, field);
    case REAL:
        return store_real(opt, text, field);
    case COUNTS:
        return store_counts(opt, text, field);
    case RANGE:
        return store_range(opt, text, field);
    case CHOICE:
        k = choice_of(opt->choices, text);
        *(int *)field = k;
        return k < 0 ? expected(opt, text) : PD_OK;
    }
    return PD_OK;
}

static const struct option *find(const char *name, size_t n, enum pd_command_id command)
{
    for (int k = 0; k < NOPTIONS; k++)
        if ((table[k].commands & (int)command) && strlen(table[k].name) == n &&
            memcmp(table[k].name, name, n) == 0)
            return &table[k];
    return NULL;
}

/* Take the option at argv[*k]; *k moves to its last argument. */
static int parse_option(struct pd_options *o, enum pd_command_id command, int argc, char **argv,
                        int *k)
{
    const char *arg = argv[*k], *name = arg + 2, *equals = strchr(name, '=');
    const struct option *opt = NULL;
    if (strcmp(arg, "-o") == 0)
        opt = find("output", strlen("output"), command);
    else if (strncmp(arg, "--", 2) == 0)
        opt = find(name, equals ? (size_t)(equals - name) : strlen(name), command);
    if (!opt)
        return pd_fail(PD_EUSAGE, "%s: no such option (see --help)", arg);
    if (opt->kind == FLAG)
        return equals ? pd_fail(PD_EUSAGE, "--%s takes no value", opt->name) : store(o, opt, "");
    if (arg[1] == '-' && equals)
        return store(o, opt, equals + 1);
    if (++*k == argc)
        return pd_fail(PD_EUSAGE, "%s needs %s", arg, opt->arg);
    return store(o, opt, argv[*k]);
}

static int check_operands(const struct pd_options *o, enum pd_command_id command)
{
    if (command == PD_COMMAND_EVAL && o->eval.truth.n == 0)
        return pd_fail(PD_EUSAGE, "--truth FILE is required: what is known to be duplicate");
    if (command == PD_COMMAND_SHOW || command == PD_COMMAND_EXPORT || command == PD_COMMAND_EVAL)
        return o->operands.n == 1 ? PD_OK : pd_fail(PD_EUSAGE, "expected one result file");
    if (command == PD_COMMAND_SYNTH)
        return o->output && o->operands.n == 0
                   ? PD_OK
                   : pd_fail(PD_EUSAGE, "expected -o DIR and no operand: where to write");
    if (o->operands.n == 0 && !o->input.files_from)
        return pd_fail(PD_EUSAGE, "no INPUT given (see --help)");
    if (o->input.words == PD_WORDS_ICU && !pd_words_have_icu())
        return pd_fail(PD_EUSAGE, "--words icu: this pardup was built without ICU");
    if (command == PD_COMMAND_DETECT && !o->job.dry_run && (!o->output || !*o->output))
        return pd_fail(PD_EUSAGE, "-o FILE is required: where to write the result");
    return PD_OK;
}

/* The options that a method stands for. */
static int apply_method(struct pd_options *o, const char *method)
{
    const char *const *settings = pd_method_settings(method);
    if (!settings)
        return pd_fail(PD_EUSAGE, "--method %s: expected one of: %s", method, pd_method_names());
    for (; *settings; settings += 2)
        PD_TRY(store(o, find(settings[0], strlen(settings[0]), PD_COMMAND_DETECT), settings[1]));
    return PD_OK;
}

/* Combinations that mean nothing; what the units chosen are made of. */
static int settle_detect(struct pd_options *o)
{
    const bool windows = o->method.window[0] > 1 || o->method.window[1] > 1;
    const bool grams = o->method.units == PD_UNIT_GRAM;
    const bool whole = o->method.units == PD_UNIT_DOCUMENT;
    const bool sets = o->method.feature == PD_FEATURE_WORDS ||
                      o->method.feature == PD_FEATURE_SHINGLE ||
                      o->method.feature == PD_FEATURE_SPOT;
    if (o->method.join != PD_JOIN_EQUAL && !sets)
        return pd_fail(PD_EUSAGE,
                       "--join: this --feature is one signature a unit, which can only be "
                       "equal (words, shingle and spot are sets)");
    if ((grams || whole) && (windows || o->method.feature == PD_FEATURE_LENGTHS))
        return pd_fail(PD_EUSAGE,
                       "--units %s goes neither with --window nor with --feature lengths",
                       grams ? "gram" : "document");
    if (!grams && o->method.sample > 1)
        return pd_fail(PD_EUSAGE, "--sample goes with --units gram only (windows: --window WS,SW)");
    if (o->method.jump && !windows)
        return pd_fail(PD_EUSAGE, "--jump goes with --window only");
    if (o->method.diffbit > o->method.bits || o->method.word_bits > o->method.bits)
        return pd_fail(PD_EUSAGE, "--diffbit and --word-bits are at most --bits");
    o->input.base = o->method.units == PD_UNIT_CLAUSE ? PD_BASE_CLAUSE
                    : o->method.units == PD_UNIT_STOP ? PD_BASE_STOP
                                                      : PD_BASE_SENTENCE;
    if (o->method.gap < 0)
        o->method.gap = o->method.sample - 1;
    return PD_OK;
}

static int parse_arguments(struct pd_options *o, enum pd_command_id command, int argc, char **argv)
{
    int only_operands = 0;
    o->operands.n = o->eval.truth.n = 0;
    for (int k = 0; k < argc; k++) {
        if (!only_operands && strcmp(argv[k], "--") == 0)
            only_operands = 1;
        else if (!only_operands && argv[k][0] == '-' && argv[k][1])
            PD_TRY(parse_option(o, command, argc, argv, &k));
        else
            o->operands.v[o->operands.n++] = argv[k];
    }
    return PD_OK;
}

int pd_options_parse(struct pd_options *o, enum pd_command_id command, int argc, char **argv)
{
    *o = (struct pd_options){.command = NULL};
    o->operands.v = pd_realloc(NULL, (size_t)argc + 1, sizeof *o->operands.v);
    for (int k = 0; k < NOPTIONS; k++)
        if ((table[k].commands & (int)command) && table[k].preset)
            PD_TRY(store(o, &table[k], table[k].preset));
    PD_TRY(parse_arguments(o, command, argc, argv));
    if (command == PD_COMMAND_DETECT) { /* the method's settings, and over them once more: */
        PD_TRY(apply_method(o, o->method.name));
        PD_TRY(parse_arguments(o, command, argc, argv));
        PD_TRY(settle_detect(o));
    }
    return check_operands(o, command);
}

void pd_options_help(FILE *to, enum pd_command_id command)
{
    for (int k = 0; k < NOPTIONS; k++) {
        const struct option *opt = &table[k];
        char left[64];
        if (!(opt->commands & (int)command))
            continue;
        snprintf(left, sizeof left, "%s--%s%s%s", strcmp(opt->name, "output") == 0 ? "-o, " : "",
                 opt->name, opt->arg ? " " : "", opt->arg ? opt->arg : "");
        fprintf(to, "  %-22s %s", left, opt->help);
        if (opt->kind == CHOICE)
            fprintf(to, "; one of: %s", opt->choices);
        if (strcmp(opt->name, "method") == 0)
            fprintf(to, "; one of: %s", pd_method_names());
        if (opt->preset)
            fprintf(to, " [%s]", opt->preset);
        fputc('\n', to);
    }
    fprintf(to, "  %-22s %s\n", "--help", "this text");
}
