/* app/help.c - see src/app/help.h */
#include "help.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "methods.h"
#include "options.h"
#include "pardup/base/error.h"
#include "pardup/base/width.h"
#include "pardup/comm/comm.h"

enum {
    COLUMN = 22,     /* where the text of an option begins */
    NAMES = 17,      /* where the text of a command begins */
    TEXT_MOST = 4096 /* bytes of an option's text */
};

/* The sections of --help, in their order. An option that none of them names is in the last
 * one, or in that of its command. */
static const struct section {
    const char *title, *options; /* names, separated by blanks */
} sections[] = {
    {"input",
     "against with files-from null include exclude docs-from id-field text-field url-field "
     "site-field "
     "keep-fields metadata date-field content "
     "words spelling max-document limit-docs ignore convert vocabulary strict skip-unknown index "
     "stdin socket "
     "add"},
    {"what is compared",
     "preset method units window jump sample winnow feature shingle-bytes shingle-blanks ngram "
     "char-ngram "
     "antecedents stop-words "
     "spot-distance spot-chain reach rare frequencies join tau sketch rows bits word-bits diffbit "
     "tables "
     "max-word-df min-words min-counted empty max-repeats repeats idf always-df sct aside"},
    {"what is kept",
     "theta-d delta gamma gap refine passages max-df max-df-of within copies min-copy-words "
     "min-copy-agreement max-near edges "
     "min-passage-words min-agreement skip-same-host skip-same family-coverage "
     "run remove keep min-run min-left max-loss by"},
    {NULL, ""}, /* what a command has for itself; the command names it */
    {"output", "output with-text texts top table format compress reproducible each hide-names doc "
               "offsets pair passage family "
               "document-family network limit "
               "lines context width color as proof certificate check"},
    {"the job", "ranks memory scratch resume dry-run price progress seed"},
    {"more", ""},
};
enum { NSECTIONS = sizeof sections / sizeof *sections };

static const struct section *section_of(const struct pd_option *option)
{
    const struct section *rest = &sections[NSECTIONS - 1];
    if (option->choices == pd_format_names) /* `format` of the inputs, not of what is printed */
        return &sections[0];
    for (int k = 0; k + 1 < NSECTIONS; k++)
        if (pd_listed(sections[k].options, option->name))
            return &sections[k];
        else if (!sections[k].title && !option->commands)
            rest = &sections[k];
    return rest;
}

/* Print `left`, and behind it the text, on lines that begin at column `column`. */
static void print_entry(const char *left, const char *text, size_t column)
{
    const size_t width = pd_width(STDOUT_FILENO), len = strlen(text);
    size_t used = strlen(left), at = 0;
    fputs(left, stdout);
    if (used > column || (used == column && used && left[used - 1] != ' ')) {
        putchar('\n');
        used = 0;
    }
    do {
        const size_t line = pd_width_break(text + at, len - at, width - column);
        printf("%*s%.*s\n", (int)(column - used), "", (int)line, text + at);
        at += line;
        at += strspn(text + at, " ");
        used = 0;
    } while (at < len);
}

static void add(char text[TEXT_MOST], const char *more)
{
    const size_t n = strlen(text);
    snprintf(text + n, TEXT_MOST - n, "%s", more);
}

static void add_choices(char text[TEXT_MOST], const struct pd_option *option)
{
    add(text, "; one of:");
    for (int k = 0; option->choices[k]; k++) {
        add(text, " ");
        add(text, option->choices[k]);
    }
}

/* The bytes of a text up to its first comma or semicolon that is not in parentheses. */
static size_t beginning(const char *text)
{
    int depth = 0;
    size_t n = 0;
    for (; text[n] && (depth > 0 || !strchr(",;", text[n])); n++)
        depth += (text[n] == '(') - (text[n] == ')');
    return n;
}

/* Does the text of an option say what its default stands for, as in "; 0: all"? */
static bool explains_default(const struct pd_option *option)
{
    char meaning[64];
    snprintf(meaning, sizeof meaning, "; %.50s: ", option->standard);
    return strstr(option->help, meaning) != NULL;
}

/* standard: the default that is printed; NULL: none */
static void print_option(const struct pd_option *option, const char *standard, bool all)
{
    char left[64], text[TEXT_MOST] = "";
    const char letter = pd_option_letter(option->name);
    const char shorter[] = {'-', letter, ',', ' ', '\0'};
    snprintf(left, sizeof left, "  %s--%s%s%s", letter ? shorter : "", option->name,
             option->arg ? " " : "", option->arg ? option->arg : "");
    const size_t n = all ? strlen(option->help) : beginning(option->help);
    snprintf(text, sizeof text, "%.*s", (int)n, option->help);
    if (all && option->kind == PD_OPTION_CHOICE)
        add_choices(text, option);
    if (all && strcmp(option->name, "method") == 0) {
        add(text, "; one of: ");
        add(text, pd_method_names());
    }
    if (standard && (all || option->kind == PD_OPTION_CHOICE || !explains_default(option))) {
        add(text, " [");
        add(text, standard);
        add(text, "]");
    }
    print_entry(left, text, COLUMN);
}

static void print_formats(void)
{
    puts("\nformats:");
    for (int k = 0; pd_format_names[k]; k++) {
        char left[64];
        snprintf(left, sizeof left, "  %s", pd_format_names[k]);
        print_entry(left, pd_format_help((enum pd_format)k), COLUMN);
    }
}

static bool takes(const char *command, const char *name)
{
    return pd_option_named(command, name, strlen(name)) != NULL;
}

/* Print the options of a section that the command takes, but for parameters of methods. */
static void print_section(const struct pd_command *c, const struct section *section)
{
    bool any = false;
    const bool methods = takes(c->name, "method");
    for (const struct pd_option *option = NULL; (option = pd_option_next(c->name, option));) {
        if (!option->help || section_of(option) != section ||
            (methods && pd_method_has("", option->name, false)))
            continue;
        if (!any)
            printf("\n%s:\n", section->title ? section->title : c->section);
        any = true;
        print_option(option, option->standard, true);
    }
}

/* Print the options that the command names in its brief help, the most typed one first. */
static void print_brief(const struct pd_command *c)
{
    for (const char *at = c->brief; *at; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        const struct pd_option *option = pd_option_named(c->name, at, n);
        PD_CHECK(option && option->help);
        print_option(option, option->standard, false);
        at += n;
    }
}

void pd_help_command(const struct pd_command *c, bool all)
{
    char text[TEXT_MOST];
    snprintf(text, sizeof text, "pardup %s %s", c->name, c->usage);
    print_entry("usage: ", text, strlen("usage: "));
    print_entry("", c->help, 0);
    if (c->example)
        print_entry("example: ", c->example, strlen("example: "));
    if (!all)
        print_brief(c);
    for (int k = 0; k < NSECTIONS && all; k++)
        print_section(c, &sections[k]);
    if (all && takes(c->name, "id-field"))
        print_formats();
    if (all && takes(c->name, "method")) {
        putchar('\n');
        print_entry(
            "", "`pardup help method` lists methods and their parameters, which are options, too.",
            0);
    }
    if (!all)
        printf("\n`pardup help %s all` lists every option in full.\n", c->name);
}

/* Print what a method sets, as a user would type it. */
static void print_method(const char *name)
{
    char left[64], text[TEXT_MOST] = "";
    snprintf(left, sizeof left, "  %s", name);
    for (const char *const *s = pd_method_settings(name); *s; s += 2) {
        add(text, *text ? " --" : "--");
        add(text, s[0]);
        add(text, " ");
        add(text, s[1]);
    }
    print_entry(left, *text ? text : "what every option is by default", NAMES + 2);
}

/* Print parameters of a method: its own ones, or what every method has. */
static void print_parameters(const char *name, bool own)
{
    for (const struct pd_option *option = NULL; (option = pd_option_next("detect", option));)
        if (option->help && pd_method_has(name, option->name, own) &&
            (own || !pd_method_has(name, option->name, true)))
            print_option(option, pd_method_value(name, option), true);
}

void pd_help_method(const char *name)
{
    print_entry("usage: ", "--method NAME, or --method NAME:PARAMETER=VALUE,...",
                strlen("usage: "));
    print_entry(
        "example: ", "pardup detect --method qsign-lsh:rows=4,tables=12 -o out.h5 collection/",
        strlen("example: "));
    puts(*name ? "\nwhat it sets:" : "\nmethods, and what each sets:");
    for (const char *at = pd_method_names(), *end; *at; at = end + strspn(end, " ")) {
        char one[64];
        end = at + strcspn(at, " ");
        snprintf(one, sizeof one, "%.*s", (int)(end - at), at);
        if (!*name || strcmp(one, name) == 0)
            print_method(one);
    }
    puts(*name ? "\nits parameters:" : "\nparameters of some methods:");
    print_parameters(name, true);
    puts("\nparameters of every method:");
    print_parameters(name, false);
}

void pd_help_program(void)
{
    puts("pardup " PARDUP_VERSION " - partial duplicates in large text collections");
    print_entry("usage: ", "pardup COMMAND [options] ...", strlen("usage: "));
    print_entry("example: ", "pardup detect -o out.h5 collection/", strlen("example: "));
    for (int k = 0; pd_commands[k]; k++) {
        char left[64];
        snprintf(left, sizeof left, "  %s", pd_commands[k]->name);
        print_entry(left, pd_commands[k]->help, NAMES);
    }
    puts("pardup help COMMAND [all]  options needed most, or all; help method: methods\n"
         "pardup --version           the version; every command takes --quiet: only errors");
}

void pd_help_version(bool verbose)
{
    char mpi[TEXT_MOST];
    puts("pardup " PARDUP_VERSION);
    if (!verbose)
        return;
    pd_comm_library(mpi, sizeof mpi);
    print_entry("  libraries", PARDUP_LIBRARIES, 14);
    print_entry("  MPI", mpi, 14);
    print_entry("  built", PARDUP_BUILT, 14);
}
