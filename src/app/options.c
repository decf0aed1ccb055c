/* app/options.c - see src/app/options.h */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "like.h"
#include "methods.h"
#include "pardup/base/error.h"
#include "pardup/base/numbers.h"
#include "pardup/document/word.h"
#include "pardup/run/own.h"

/* ---- an output must not replace what the command reads, nor a file of somebody else ---- */

/* Is `path` the same file or folder as `known`? */
static bool is_same(const char *path, const struct stat *known)
{
    struct stat st;
    return path && stat(path, &st) == 0 && st.st_dev == known->st_dev && st.st_ino == known->st_ino;
}

static bool is_one_of(const struct pd_texts *paths, const struct stat *known)
{
    for (size_t k = 0; k < paths->n; k++)
        if (is_same(paths->v[k], known))
            return true;
    return false;
}

/* Does the option name a file that the command reads, and is it this one? */
static bool is_read(const struct pd_options *o, const struct pd_option *option,
                    const struct stat *known)
{
    static const char *const files[] = {"FILE", "FILE.csv", "LIST", "SOURCE",
                                        "TABLE"}; /* in --help */
    const void *member = (const char *)o + option->offset;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        if (option->arg && strcmp(option->arg, files[k]) == 0 &&
            strcmp(option->name, "output") != 0)
            return option->kind == PD_OPTION_TEXTS ? is_one_of(member, known)
                                                   : is_same(*(const char *const *)member, known);
    return false;
}

/* Fail if the output lies in the folder of the index, where it could replace one of its files. */
static int check_index(const struct pd_options *o)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(o->output, '/');
    struct stat index;
    if (!o->check.index || stat(o->check.index, &index))
        return PD_OK;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - o->output) + 1 : 1,
             slash ? o->output : ".");
    if (is_same(folder, &index))
        return pd_fail(PD_EIO, "%s: lies in the index; the result must have a place of its own",
                       o->output);
    return PD_OK;
}

/*
 * Fail if -o names an operand, a file that another option names, or a file of the index: the file
 * would be lost. Files in folders and lists are looked at where they are listed. `families` may
 * write into the result that it reads.
 *
 * Fail without --force, too, if -o names a file that pardup has not written, by its content: a
 * result, a page of `report`, a table of `export`. An empty file may be replaced.
 *
 * Returns PD_OK or PD_EIO.
 */
static int output_check(const struct pd_options *o, const struct pd_command *command)
{
    struct stat known;
    const bool within = strcmp(command->name, "families") == 0; /* may write into its result */
    if (!o->output)
        return PD_OK;
    PD_TRY(check_index(o));
    if (stat(o->output, &known) || S_ISDIR(known.st_mode))
        return PD_OK; /* nothing is replaced */
    if (!S_ISREG(known.st_mode))
        return pd_fail(PD_EIO, "%s: is not a regular file; name one, which the output becomes",
                       o->output);
    bool found = is_one_of(&o->operands, &known);
    for (const struct pd_option *k = NULL; !found && (k = pd_option_next(command->name, k));)
        found = is_read(o, k, &known);
    if (found && !within)
        return pd_fail(PD_EIO, "%s: is one of the inputs; the result must have its own name",
                       o->output);
    if (!found && !o->force && !pd_is_own(o->output))
        return pd_fail(PD_EIO,
                       "%s: pardup has not written this file, which would be lost; name another "
                       "one, or add --force",
                       o->output);
    return PD_OK;
}

/* ---- the command line ---- */

enum { CHOICES_MOST = 256 }; /* bytes of the names of an option's choices */
#define LEAST_SHOWN 1e-6     /* a smaller least number stands for "above 0" */

/* ---- values ---- */

static const char *list_choices(const struct pd_option *option, char list[CHOICES_MOST])
{
    size_t n = 0;
    list[0] = '\0';
    for (int k = 0; option->choices[k] && n < CHOICES_MOST; k++)
        n += (size_t)snprintf(list + n, CHOICES_MOST - n, "%s%s", k ? " " : "", option->choices[k]);
    return list;
}

/* Say what the option takes. Returns PD_EUSAGE. */
static int expected(const struct pd_option *option, const char *text)
{
    char list[CHOICES_MOST];
    if (option->kind == PD_OPTION_CHOICE)
        return pd_fail(PD_EUSAGE, "--%s %s: expected one of: %s", option->name, text,
                       list_choices(option, list));
    if (option->kind == PD_OPTION_ASIDE)
        return pd_fail(PD_EUSAGE, "--%s %s: expected names with commas between them, of: none %s",
                       option->name, text, list_choices(option, list));
    if (option->kind == PD_OPTION_RANGE)
        return pd_fail(PD_EUSAGE, "--%s %s: expected two numbers %s with %g <= LO <= HI <= %g",
                       option->name, text, option->arg, option->lo, option->hi);
    if (option->kind == PD_OPTION_REAL && option->lo > 0 && option->lo < LEAST_SHOWN)
        return pd_fail(PD_EUSAGE, "--%s %s: expected a number above 0 and up to %g", option->name,
                       text, option->hi);
    if (option->kind == PD_OPTION_REAL)
        return pd_fail(PD_EUSAGE, "--%s %s: expected a number from %g on and up to %g",
                       option->name, text, option->lo > 0 ? option->lo : 0, option->hi);
    if (option->kind == PD_OPTION_COUNTS)
        return pd_fail(PD_EUSAGE, "--%s %s: expected two whole numbers %s from %.0f to %.0f",
                       option->name, text, option->arg, option->lo, option->hi);
    if (option->kind == PD_OPTION_BYTES)
        return pd_fail(PD_EUSAGE, "--%s %s: expected bytes, with K, M, G or T, such as 2G",
                       option->name, text);
    return pd_fail(PD_EUSAGE, "--%s %s: expected a whole number from %.0f to %.0f", option->name,
                   text, option->lo, option->hi);
}

static int store_count(const struct pd_option *option, const char *text, int64_t *field)
{
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    double x = (double)n;
    const char *units = "KMGT", *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    if (option->kind == PD_OPTION_BYTES && unit) { /* 2G, 2GB and 2GiB are one size */
        x = ldexp(x, 10 * (int)(unit - units + 1));
        end += strcmp(end + 1, "B") == 0 ? 2 : strcmp(end + 1, "iB") == 0 ? 3 : 1;
    }
    if (errno || *end || end == text || x < option->lo || x > option->hi)
        return expected(option, text);
    *field = (int64_t)x;
    if (option->kind == PD_OPTION_COUNT)
        *field = n;
    return PD_OK;
}

/* Two whole numbers, separated by a comma. */
static int store_counts(const struct pd_option *option, const char *text, int64_t *fields)
{
    char *comma, *end = "";
    fields[0] = strtoll(text, &comma, 10);
    if (*comma == ',' && comma > text)
        fields[1] = strtoll(comma + 1, &end, 10);
    if (*comma != ',' || *end || end == comma + 1)
        return expected(option, text);
    for (int k = 0; k < 2; k++)
        if (!((double)fields[k] >= option->lo && (double)fields[k] <= option->hi))
            return expected(option, text);
    return PD_OK;
}

/* A number or a fraction. 2/3 becomes the double that dividing two counts gives. */
static int store_real(const struct pd_option *option, const char *text, double *field)
{
    char *end;
    *field = strtod(text, &end);
    if (*end == '/' && end > text) {
        const char *below = end + 1;
        *field /= strtod(below, &end);
        if (end == below)
            return expected(option, text);
    }
    return *end || end == text || !(*field >= option->lo && *field <= option->hi)
               ? expected(option, text)
               : PD_OK;
}

static int store_range(const struct pd_option *option, const char *text, double *lo)
{
    char *comma, *end = "";
    lo[0] = strtod(text, &comma);
    if (*comma == ',' && comma > text)
        lo[1] = strtod(comma + 1, &end);
    if (*comma != ',' || *end || end == comma + 1 || !(option->lo <= lo[0] && lo[0] <= lo[1]) ||
        lo[1] > option->hi)
        return expected(option, text);
    return PD_OK;
}

static void push_text(struct pd_texts *texts, const char *text)
{
    texts->v = pd_realloc(texts->v, texts->n + 1, sizeof *texts->v);
    texts->v[texts->n++] = text;
}

static int store(struct pd_options *o, const struct pd_option *option, const char *text);

/* Set the options that the names in --aside stand for, from left to right. */
static int store_aside(struct pd_options *o, const struct pd_option *option, const char *text)
{
    for (const char *at = text;; at++) {
        const size_t n = strcspn(at, ",");
        const bool none = n == strlen("none") && memcmp(at, "none", n) == 0;
        bool known = none;
        for (const char *const *name = option->choices; *name; name++) {
            const bool named = strlen(*name) == n && memcmp(at, *name, n) == 0;
            const struct pd_option *of = pd_option_find("detect", *name, strlen(*name));
            const char *compared = strcmp(*name, "common") == 0 ? "first" : "match";
            known |= named;
            if (none || named)
                PD_TRY(store(o, of, named ? "aside" : compared));
        }
        at += n;
        if (!known)
            return expected(option, text);
        if (!*at)
            return PD_OK;
    }
}

static int store(struct pd_options *o, const struct pd_option *option, const char *text)
{
    void *field = (char *)o + option->offset;
    int k;
    switch (option->kind) {
    case PD_OPTION_TEXT:
        if (strlen(text) > PD_OPTION_TEXT_MOST)
            return pd_fail(PD_EUSAGE, "--%s: longer than %s bytes", option->name,
                           pd_grouped(PD_OPTION_TEXT_MOST));
        *(const char **)field = text;
        return PD_OK;
    case PD_OPTION_TEXTS:
        push_text(field, text);
        return PD_OK;
    case PD_OPTION_PAIR: /* store_pair has two texts */
        return PD_EUSAGE;
    case PD_OPTION_FLAG:
        *(bool *)field = true;
        return PD_OK;
    case PD_OPTION_COUNT:
    case PD_OPTION_BYTES:
        return store_count(option, text, field);
    case PD_OPTION_REAL:
        return store_real(option, text, field);
    case PD_OPTION_COUNTS:
        return store_counts(option, text, field);
    case PD_OPTION_RANGE:
        return store_range(option, text, field);
    case PD_OPTION_CHOICE:
        k = pd_option_choice(option, text);
        *(unsigned *)field = (unsigned)k;
        return k < 0 ? expected(option, text) : PD_OK;
    case PD_OPTION_ASIDE:
        return store_aside(o, option, text);
    }
    return PD_OK;
}

/* ---- the command line ---- */

/* Take the two texts behind argv[*k]; *k moves to the second one. */
static int store_pair(struct pd_options *o, const struct pd_option *option, int argc, char **argv,
                      int *k)
{
    const char **texts = (const char **)(void *)((char *)o + option->offset);
    if (argc - *k <= 2 || strchr(argv[*k], '='))
        return pd_fail(PD_EUSAGE, "--%s needs two values: %s", option->name, option->arg);
    texts[0] = argv[*k + 1];
    texts[1] = argv[*k + 2];
    *k += 2;
    return PD_OK;
}

/* Note what the command line has, where it makes a difference to an option that is not given. */
static void note_given(struct pd_options *o, const struct pd_option *option)
{
    o->decided |= pd_method_decides(option);
    o->method_given |= strcmp(option->name, "method") == 0;
    o->given.gamma |= strcmp(option->name, "gamma") == 0;
    o->given.delta |= strcmp(option->name, "delta") == 0;
    o->given.theta_d |= strcmp(option->name, "theta-d") == 0;
    o->given.frequencies |= strcmp(option->name, "frequencies") == 0;
    o->given.preset |= strcmp(option->name, "preset") == 0;
}

static const struct {
    char letter;
    const char *name;
} letters[] = {{'o', "output"}, {'j', "ranks"}, {'0', "null"}};
enum { NLETTERS = sizeof letters / sizeof *letters };

char pd_option_letter(const char *name)
{
    for (int k = 0; k < NLETTERS; k++)
        if (strcmp(letters[k].name, name) == 0)
            return letters[k].letter;
    return 0;
}

/*
 * The option that an argument names, "--name", "--name=value", "-j" or "-j8"; NULL: none.
 *   value  set to the value in the same argument; NULL: it has none
 */
static const struct pd_option *named_by(const char *command, const char *arg, const char **value)
{
    const char *equals = strchr(arg, '=');
    *value = NULL;
    if (arg[1] == '-') {
        *value = equals ? equals + 1 : NULL;
        return pd_option_named(command, arg + 2,
                               equals ? (size_t)(equals - arg - 2) : strlen(arg + 2));
    }
    for (int k = 0; k < NLETTERS; k++)
        if (letters[k].letter == arg[1]) {
            const char *name = letters[k].name;
            const struct pd_option *option = pd_option_named(command, name, strlen(name));
            *value = arg[2] ? arg + 2 : NULL;
            return option && arg[2] && option->kind != PD_OPTION_COUNT ? NULL : option;
        }
    return NULL;
}

/* Take the option at argv[*k]; *k moves to its last argument. */
static int parse_option(struct pd_options *o, const char *command, int argc, char **argv, int *k)
{
    const char *arg = argv[*k], *name = arg + 2, *value;
    const struct pd_option *option = named_by(command, arg, &value);
    if (!option) {
        const char *like = pd_like_option(command, name, strcspn(name, "="));
        return pd_fail(PD_EUSAGE, "%s: no such option%s%s (see --help)", arg,
                       like ? "; did you mean --" : "", like ? like : "");
    }
    note_given(o, option);
    if (option->kind == PD_OPTION_FLAG)
        return value ? pd_fail(PD_EUSAGE, "--%s takes no value", option->name)
                     : store(o, option, "");
    if (value && option->kind != PD_OPTION_PAIR)
        return store(o, option, value);
    if (option->kind == PD_OPTION_PAIR)
        return store_pair(o, option, argc, argv, k);
    if (++*k == argc)
        return pd_fail(PD_EUSAGE, "%s needs %s", arg, option->arg);
    return store(o, option, argv[*k]);
}

/*
 * Store settings: names of options, each followed by its value, then NULL. A setting that the
 * command does not have is passed over: an index sets no templates aside.
 */
static int apply(struct pd_options *o, const char *command, const char *const *settings)
{
    for (; *settings; settings += 2) {
        const struct pd_option *option = pd_option_named(command, settings[0], strlen(settings[0]));
        if (option)
            PD_TRY(store(o, option, settings[1]));
    }
    return PD_OK;
}

/* The option whose name is all of s up to its first '=' or ','; NULL: it is none of the command. */
static const struct pd_option *parameter_at(const char *command, const char *s)
{
    return pd_option_named(command, s, strcspn(s, "=,"));
}

/*
 * Store the parameters in what a user calls a method, NAME:PARAMETER=VALUE,... A value may have
 * commas: it ends where a comma and the name of an option follow.
 */
static int apply_parameters(struct pd_options *o, const char *command, const char *called)
{
    for (const char *at = strchr(called, ':'); at && *at;) {
        const struct pd_option *option = parameter_at(command, ++at);
        const size_t n = strcspn(at, "=,");
        if (!option || !pd_method_has(called, option->name, false))
            return pd_fail(PD_EUSAGE,
                           "--method %s: no parameter '%.*s': pardup help method %s lists them",
                           called, (int)n, at, pd_method_name(called));
        if ((at[n] == '=') != (option->kind != PD_OPTION_FLAG))
            return pd_fail(PD_EUSAGE, "--method %s: %s %s", called, option->name,
                           option->kind == PD_OPTION_FLAG ? "takes no value" : "needs =VALUE");
        const char *value = at + n + (at[n] == '=');
        for (at = value; *at && (*at != ',' || !parameter_at(command, at + 1)); at++)
            ;
        push_text(&o->values, pd_printed("%.*s", (int)(at - value), value));
        note_given(o, option);
        PD_TRY(store(o, option, o->values.v[o->values.n - 1]));
    }
    return PD_OK;
}

/* Store the options that a method stands for. */
static int apply_method(struct pd_options *o, const char *command, const char *method)
{
    const char *const *settings = pd_method_settings(method);
    if (!settings)
        return pd_fail(PD_EUSAGE, "--method %s: expected one of: %s", method, pd_method_names());
    for (const struct pd_option *option = NULL; (option = pd_option_next(command, option));)
        if (option->standard && (pd_method_decides(option) || strcmp(option->name, "gamma") == 0))
            PD_TRY(store(o, option, option->standard));
    PD_TRY(apply(o, command, settings));
    return apply_parameters(o, command, method);
}

/* Options that may be given several times collect texts: begin with none. */
static void forget_texts(struct pd_options *o, const char *command)
{
    for (const struct pd_option *option = NULL; (option = pd_option_next(command, option));)
        if (option->kind == PD_OPTION_TEXTS)
            ((struct pd_texts *)(void *)((char *)o + option->offset))->n = 0;
}

static int parse_arguments(struct pd_options *o, const char *command, int argc, char **argv)
{
    bool only_operands = false;
    o->operands.n = 0;
    forget_texts(o, command);
    for (int k = 0; k < argc; k++) {
        if (!only_operands && strcmp(argv[k], "--") == 0)
            only_operands = true;
        else if (!only_operands && argv[k][0] == '-' && argv[k][1])
            PD_TRY(parse_option(o, command, argc, argv, &k));
        else
            o->operands.v[o->operands.n++] = argv[k];
    }
    return PD_OK;
}

static int check_operands(const struct pd_options *o, enum pd_operands operands)
{
    switch (operands) {
    case PD_OPERANDS_NONE:
        return o->operands.n == 0 ? PD_OK
                                  : pd_fail(PD_EUSAGE, "%s: no operand expected", o->operands.v[0]);
    case PD_OPERANDS_RESULT:
        return o->operands.n == 1 ? PD_OK : pd_fail(PD_EUSAGE, "expected one result file");
    case PD_OPERANDS_COMPARED:
        return o->operands.n == 1 || o->operands.n == 2
                   ? PD_OK
                   : pd_fail(PD_EUSAGE, "expected one result file, or two");
    case PD_OPERANDS_TWO_OF:
        return o->operands.n == 3
                   ? PD_OK
                   : pd_fail(PD_EUSAGE, "expected one result file and two documents");
    case PD_OPERANDS_RUNS:
        return o->operands.n > 0 ? PD_OK : pd_fail(PD_EUSAGE, "no result file given (see --help)");
    case PD_OPERANDS_INPUTS:
        if (o->operands.n == 0 && !o->input.files_from && !o->check.lines && !o->check.socket &&
            !o->check.refresh)
            return pd_fail(PD_EUSAGE, "no INPUT given (see --help)");
        if (o->input.files_from && o->input.docs_from && strcmp(o->input.files_from, "-") == 0 &&
            strcmp(o->input.docs_from, "-") == 0)
            return pd_fail(PD_EUSAGE, "--files-from and --docs-from cannot both be standard input");
        if (o->input.words == PD_WORDS_ICU && !pd_words_have_icu())
            return pd_fail(PD_EUSAGE, "--words icu: this pardup was built without ICU");
        return PD_OK;
    }
    return PD_OK;
}

static int store_defaults(struct pd_options *o, const char *command)
{
    for (const struct pd_option *option = NULL; (option = pd_option_next(command, option));)
        if (option->standard)
            PD_TRY(store(o, option, option->standard));
    return PD_OK;
}

/*
 * Parse again: the command line wins over the method, and the method wins over the preset.
 *   more  settings that win over the preset; NULL: none
 */
static int parse_with_preset(struct pd_options *o, const struct pd_command *command,
                             enum pd_preset preset, const char *const *more, int argc, char **argv)
{
    const char *const method = o->method.name;
    const bool given = o->method_given;
    PD_TRY(store_defaults(o, command->name));
    PD_TRY(apply(o, command->name, pd_preset_settings(preset)));
    if (!given) { /* the preset's own method comes before its other settings */
        PD_TRY(apply_method(o, command->name, o->method.name));
        PD_TRY(apply(o, command->name, pd_preset_settings(preset)));
    }
    if (more)
        PD_TRY(apply(o, command->name, more));
    if (command->texts && preset == PD_PRESET_TEXTS)
        PD_TRY(apply(o, command->name, command->texts));
    if (given)
        PD_TRY(apply_method(o, command->name, method));
    PD_TRY(parse_arguments(o, command->name, argc, argv));
    o->method.name = pd_method_name(o->method.name);
    return command->settle ? command->settle(o) : PD_OK;
}

/* What a preset for texts sets aside in letters, and what it tells once a letter, as in pages. */
static const char *const for_letters[] = {"frame",  "aside", "templates", "aside",
                                          "max-df", "10",    NULL};

/*
 * Parse once for each preset that the job may choose. A preset that does not go with the command
 * line cannot be chosen: its `name` is NULL. The last preset sets options of the method only, so
 * the other options are as the command line has them.
 */
static int parse_presets(struct pd_options *o, const struct pd_command *command, int argc,
                         char **argv)
{
    const enum pd_preset last = command->edited ? PD_PRESET_EDITED : PD_PRESET_CHARACTERS;
    for (enum pd_preset preset = PD_PRESET_WEB; preset <= last; preset++) {
        const char *const *more =
            preset == PD_PRESET_EDITED ? pd_preset_settings(PD_PRESET_AUTO) : NULL;
        const int status = parse_with_preset(o, command, preset, more, argc, argv);
        if (status < 0 && preset == PD_PRESET_WEB)
            return status;
        /* of words that recur in a document, `edited` has the first ones only */
        const bool fits = preset == PD_PRESET_CODE     ? o->input.words == PD_WORDS_CODE
                          : preset == PD_PRESET_EDITED ? !o->method.within
                                                       : true;
        o->presets[preset] =
            status >= 0 && fits ? o->method : (struct pd_method_options){.name = NULL};
        if (status < 0)
            pd_error_clear();
    }
    const int status = parse_with_preset(o, command, PD_PRESET_TEXTS, for_letters, argc, argv);
    o->letters = status >= 0 ? o->method : (struct pd_method_options){.name = NULL};
    if (status < 0)
        pd_error_clear();
    o->method = o->presets[PD_PRESET_WEB];
    return PD_OK;
}

/* A value of the settings is none of its option: the index or result that keeps it is broken. */
static int say_whose(const char *keeper)
{
    char text[256];
    snprintf(text, sizeof text, "%s", pd_error_text());
    pd_error_clear();
    return pd_fail(PD_EFORMAT, "%s keeps a broken option: %s; make it again", keeper, text);
}

/* Parse again, behind settings that the command takes from elsewhere. */
static int parse_with_settings(struct pd_options *o, const struct pd_command *command, int argc,
                               char **argv)
{
    const char *const *settings;
    const char *const keeper = o->check.index                     ? o->check.index
                               : o->check.add || o->check.refresh ? o->output
                                                                  : o->operands.v[0];
    PD_TRY(command->settings(o, &settings));
    PD_TRY(store_defaults(o, command->settings_of));
    PD_TRY(store_defaults(o, command->name));
    if (apply(o, command->settings_of, settings) < 0)
        return say_whose(keeper);
    PD_TRY(parse_arguments(o, command->name, argc, argv));
    return command->settle ? command->settle(o) : PD_OK;
}

int pd_options_parse(struct pd_options *o, const struct pd_command *command, int argc, char **argv)
{
    memset(o, 0, command->bytes ? command->bytes : sizeof *o);
    o->name = command->name;
    o->operands.v = pd_realloc(NULL, (size_t)argc + 1, sizeof *o->operands.v);
    PD_TRY(store_defaults(o, command->name));
    PD_TRY(parse_arguments(o, command->name, argc, argv));
    PD_TRY(check_operands(o, command->operands));
    PD_TRY(output_check(o, command));
    if (command->settings && (command->settled || command->operands == PD_OPERANDS_TWO_OF ||
                              o->check.index || o->check.add || o->check.refresh || o->dedup.check))
        return parse_with_settings(o, command, argc, argv);
    if (!pd_option_named(command->name, "preset", strlen("preset")))
        return command->settle ? command->settle(o) : PD_OK;
    if (o->preset == PD_PRESET_AUTO && !o->decided)
        return parse_presets(o, command, argc, argv);
    const bool published = o->preset == PD_PRESET_AUTO || (o->method_given && !o->given.preset);
    const enum pd_preset preset = published ? PD_PRESET_PAPER : o->preset;
    const int status = parse_with_preset(o, command, preset, NULL, argc, argv);
    o->preset = preset;
    return status;
}

void pd_options_release(struct pd_options *o)
{
    for (size_t k = 0; k < o->values.n; k++)
        free((char *)o->values.v[k]);
    PD_FREE(o->operands.v, o->values.v);
    o->operands = o->values = (struct pd_texts){0};
    for (const struct pd_option *option = NULL;
         o->name && (option = pd_option_next(o->name, option));)
        if (option->kind == PD_OPTION_TEXTS) {
            struct pd_texts *texts = (struct pd_texts *)(void *)((char *)o + option->offset);
            free(texts->v);
            *texts = (struct pd_texts){0};
        }
}
