/* The option table: defaults, forms, ranges, and what is refused. */
#include "app/options.h"

#include <string.h>

#include "app/methods.h"
#include "pardup/base/error.h"
#include "pardup/document/word.h"
#include "pardup/run/option_table.h"
#include "pd_cunit.h"
#include "tools/eval/options.h"
#include "tools/prevalence/prevalence.h"
#include "tools/synth/options.h"

static struct pd_options o;

static int parse(const char *command, const char *line)
{
    static char copy[256];
    char *argv[32];
    int argc = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    pd_options_release(&o);
    return pd_options_parse(&o, pd_command_find(command), argc, argv);
}

static void test_defaults(void)
{
    CU_ASSERT_EQUAL(parse("detect", "-o x.h5 in"), PD_OK);
    CU_ASSERT_EQUAL(o.preset, PD_PRESET_AUTO);
    CU_ASSERT_EQUAL(parse("detect", "-o x.h5 --preset paper in"), PD_OK);
    CU_ASSERT_EQUAL(o.method.gamma, 3);
    CU_ASSERT_EQUAL(o.method.gap, 0);
    CU_ASSERT_EQUAL(o.method.max_df, 0);
    CU_ASSERT_EQUAL(o.method.edges, PD_EDGES_SENTENCE);
    CU_ASSERT_DOUBLE_EQUAL(o.method.idf[0], 0.1, 0);
    CU_ASSERT_DOUBLE_EQUAL(o.method.idf[1], 1.0, 0);
    CU_ASSERT_STRING_EQUAL(o.output, "x.h5");
    CU_ASSERT_EQUAL(o.operands.n, 1);
}

static void test_forms(void)
{
    CU_ASSERT_EQUAL(
        parse("detect", "a --gamma=1 --gap 2 --memory 1.5 -o x b --strict --idf 0,0.5 -- --c"),
        PD_EUSAGE); /* 1.5 is no whole number of bytes */
    pd_error_clear();
    CU_ASSERT_EQUAL(
        parse("detect", "a --gamma=1 --gap 2 --memory 2G -o x b --strict --idf 0,0.5 -- --c"),
        PD_OK);
    CU_ASSERT_EQUAL(o.method.gamma, 1);
    CU_ASSERT_EQUAL(o.method.gap, 2);
    CU_ASSERT_EQUAL(o.job.memory, (int64_t)2 << 30);
    CU_ASSERT(o.input.strict);
    CU_ASSERT_DOUBLE_EQUAL(o.method.idf[1], 0.5, 0);
    CU_ASSERT_EQUAL(o.operands.n, 3);
    CU_ASSERT_STRING_EQUAL(o.operands.v[2], "--c");
    CU_ASSERT_EQUAL(parse("export", "--format jsonl --table common r.h5"), PD_OK);
    CU_ASSERT_EQUAL(o.print.format, PD_ROWS_JSONL);
}

static void test_refused(void)
{
    static const char *const lines[] = {"-o x in --tau 7",
                                        "-o x in --tau -1",
                                        "-o x in --tau nan",
                                        "-o x in --gamma -1",
                                        "-o x in --gamma 1x",
                                        "-o x in --gamma",
                                        "-o x in --bogus 1",
                                        "-o x in --edges",
                                        "-o x in --edges all",
                                        "-o x in --idf 0.5",
                                        "-o x in --idf 1,0",
                                        "-o x in --idf 0,2",
                                        "-o x in --strict=1",
                                        "-o x in --memory 10Q",
                                        "-o x",
                                        "in",
                                        "-o x in --offsets",
                                        "-o x in --method no",
                                        "-o x in --gap 1e3",
                                        "-o x in -x"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        CU_ASSERT_EQUAL(parse("detect", lines[k]), PD_EUSAGE);
        CU_ASSERT(pd_error_text()[0] != '\0');
        pd_error_clear();
    }
    CU_ASSERT_EQUAL(parse("show", "a.h5 b.h5"), PD_EUSAGE);
    pd_error_clear();
    pd_options_release(&o);
}

#define FORMAT_CHOICE(NAME, name, layout, media, turn, help)                                       \
    {"detect", "format", #name, PD_FORMAT_##NAME},

/* Every choice of every option, with the enumerator that it stands for. */
static const struct {
    const char *command, *option, *name;
    int value;
} choices[] = {
    {"detect", "format", "auto", PD_FORMAT_AUTO},
    /* clang-format off */
    PD_FORMAT_ROWS(FORMAT_CHOICE)
    /* clang-format on */
    {"detect", "preset", "auto", PD_PRESET_AUTO},
    {"detect", "preset", "web", PD_PRESET_WEB},
    {"detect", "preset", "texts", PD_PRESET_TEXTS},
    {"detect", "preset", "code", PD_PRESET_CODE},
    {"detect", "preset", "characters", PD_PRESET_CHARACTERS},
    {"detect", "preset", "edited", PD_PRESET_EDITED},
    {"detect", "preset", "paper", PD_PRESET_PAPER},
    {"check", "texts", "yes", PD_TEXTS_YES},
    {"check", "texts", "no", PD_TEXTS_NO},
    {"compare", "preset", "auto", PD_PRESET_AUTO},
    {"compare", "preset", "web", PD_PRESET_WEB},
    {"compare", "preset", "texts", PD_PRESET_TEXTS},
    {"compare", "preset", "code", PD_PRESET_CODE},
    {"compare", "preset", "characters", PD_PRESET_CHARACTERS},
    {"compare", "preset", "edited", PD_PRESET_EDITED},
    {"compare", "preset", "paper", PD_PRESET_PAPER},
    {"detect", "content", "all", PD_CONTENT_ALL},
    {"detect", "content", "main", PD_CONTENT_MAIN},
    {"detect", "words", "char", PD_WORDS_CHAR},
    {"detect", "words", "icu", PD_WORDS_ICU},
    {"detect", "words", "code", PD_WORDS_CODE},
    {"detect", "spelling", "exact", PD_SPELLING_EXACT},
    {"detect", "spelling", "early-modern", PD_SPELLING_EARLY_MODERN},
    {"text", "units", "sentence", PD_BASE_SENTENCE},
    {"text", "units", "clause", PD_BASE_CLAUSE},
    {"text", "units", "stop", PD_BASE_STOP},
    {"detect", "units", "sentence", PD_UNIT_SENTENCE},
    {"detect", "units", "clause", PD_UNIT_CLAUSE},
    {"detect", "units", "stop", PD_UNIT_STOP},
    {"detect", "units", "gram", PD_UNIT_GRAM},
    {"detect", "units", "document", PD_UNIT_DOCUMENT},
    {"detect", "feature", "words", PD_FEATURE_WORDS},
    {"detect", "feature", "bag", PD_FEATURE_BAG},
    {"detect", "feature", "sequence", PD_FEATURE_SEQUENCE},
    {"detect", "feature", "shingle", PD_FEATURE_SHINGLE},
    {"detect", "feature", "bytes", PD_FEATURE_BYTES},
    {"detect", "feature", "spot", PD_FEATURE_SPOT},
    {"detect", "feature", "lengths", PD_FEATURE_LENGTHS},
    {"detect", "feature", "pairs", PD_FEATURE_PAIRS},
    {"detect", "refine", "none", PD_REFINE_NONE},
    {"detect", "refine", "words", PD_REFINE_WORDS},
    {"detect", "join", "equal", PD_JOIN_EQUAL},
    {"detect", "join", "jaccard", PD_JOIN_JACCARD},
    {"detect", "join", "overlap", PD_JOIN_OVERLAP},
    {"detect", "join", "lsh", PD_JOIN_LSH},
    {"detect", "join", "index", PD_JOIN_INDEX},
    {"detect", "feature", "multiset", PD_FEATURE_MULTISET},
    {"detect", "shingle-blanks", "drop", PD_BLANKS_DROP},
    {"detect", "shingle-blanks", "keep", PD_BLANKS_KEEP},
    {"detect", "empty", "aside", PD_TEMPLATES_ASIDE},
    {"detect", "empty", "match", PD_TEMPLATES_MATCH},
    {"detect", "max-df-of", "documents", PD_DF_DOCUMENTS},
    {"detect", "max-df-of", "times", PD_DF_TIMES},
    {"detect", "sketch", "bits", PD_SKETCH_BITS},
    {"detect", "sketch", "minhash", PD_SKETCH_MINHASH},
    {"detect", "common", "aside", PD_COMMON_ASIDE},
    {"detect", "templates", "match", PD_TEMPLATES_MATCH},
    {"detect", "templates", "aside", PD_TEMPLATES_ASIDE},
    {"detect", "frame", "match", PD_TEMPLATES_MATCH},
    {"detect", "frame", "aside", PD_TEMPLATES_ASIDE},
    {"text", "frame", "match", PD_TEMPLATES_MATCH},
    {"text", "frame", "aside", PD_TEMPLATES_ASIDE},
    {"text", "templates", "match", PD_TEMPLATES_MATCH},
    {"text", "templates", "aside", PD_TEMPLATES_ASIDE},
    {"detect", "common", "first", PD_COMMON_FIRST},
    {"detect", "copies", "ignore", PD_COPIES_IGNORE},
    {"detect", "copies", "report", PD_COPIES_REPORT},
    {"detect", "repeats", "none", PD_REPEATS_NONE},
    {"detect", "repeats", "first", PD_REPEATS_FIRST},
    {"detect", "edges", "word", PD_EDGES_WORD},
    {"detect", "edges", "sentence", PD_EDGES_SENTENCE},
    {"detect", "edges", "far", PD_EDGES_FAR},
    {"detect", "passages", "all", PD_PASSAGES_ALL},
    {"detect", "passages", "best", PD_PASSAGES_BEST},
    {"detect", "compress", "deflate", PD_COMPRESS_DEFLATE},
    {"detect", "compress", "zstd", PD_COMPRESS_ZSTD},
    {"detect", "compress", "none", PD_COMPRESS_NONE},
    {"detect", "progress", "auto", PD_PROGRESS_AUTO},
    {"detect", "progress", "bar", PD_PROGRESS_BAR},
    {"detect", "progress", "log", PD_PROGRESS_LOG},
    {"detect", "progress", "none", PD_PROGRESS_NONE},
    {"show", "color", "auto", PD_COLOR_AUTO},
    {"show", "color", "always", PD_COLOR_ALWAYS},
    {"compare", "color", "never", PD_COLOR_NEVER},
    {"export", "format", "tsv", PD_ROWS_TSV},
    {"export", "format", "csv", PD_ROWS_CSV},
    {"export", "offsets", "bytes", PD_ROW_BYTES},
    {"export", "offsets", "chars", PD_ROW_CHARS},
    {"export", "format", "auto", PD_ROWS_AUTO},
    {"export", "format", "jsonl", PD_ROWS_JSONL},
    {"export", "format", "parquet", PD_ROWS_PARQUET},
    {"export", "format", "sarif", PD_ROWS_SARIF},
    {"export", "format", "cdxj", PD_ROWS_CDXJ},
    {"changes", "by", "url", PD_BY_URL},
    {"changes", "by", "id", PD_BY_ID},
    {"eval", "truth-format", "auto", PD_TRUTH_AUTO},
    {"eval", "truth-format", "tsv", PD_TRUTH_TSV},
    {"eval", "truth-format", "pan", PD_TRUTH_PAN},
    {"decontaminate", "remove", "passages", PD_REMOVE_PASSAGES},
    {"decontaminate", "remove", "documents", PD_REMOVE_DOCUMENTS},
    {"dedup", "remove", "passages", PD_REMOVE_PASSAGES},
    {"dedup", "remove", "documents", PD_REMOVE_DOCUMENTS},
    {"eval", "format", "table", PD_REPORT_TABLE},
    {"eval", "format", "tsv", PD_REPORT_TSV},
    {"eval", "format", "json", PD_REPORT_JSON},
    {"eval", "format", "pan", PD_REPORT_PAN},
    {"dedup", "as", "same", PD_WRITTEN_SAME},
    {"dedup", "as", "jsonl", PD_WRITTEN_JSONL},
    {"dedup", "as", "attributes", PD_WRITTEN_ATTRIBUTES},
    {"dedup", "as", "lists", PD_WRITTEN_LISTS},
    {"decontaminate", "as", "same", PD_WRITTEN_SAME},
    {"decontaminate", "as", "jsonl", PD_WRITTEN_JSONL},
    {"eval", "offsets", "auto", PD_OFFSETS_AUTO},
    {"eval", "offsets", "chars", PD_OFFSETS_CHAR},
    {"eval", "offsets", "bytes", PD_OFFSETS_BYTE},
    {"eval", "unit", "auto", PD_OFFSETS_AUTO},
    {"eval", "unit", "char", PD_OFFSETS_CHAR},
    {"eval", "unit", "byte", PD_OFFSETS_BYTE},
    {"eval", "sheet", "none", PD_SHEET_NONE},
    {"eval", "sheet", "matches", PD_SHEET_MATCHES},
    {"eval", "sheet", "passages", PD_SHEET_PASSAGES},
    {"eval", "sheet", "pairs", PD_SHEET_PAIRS},
    {"prevalence", "order", "rank", PD_TREC_RANK},
    {"prevalence", "order", "score", PD_TREC_SCORE},
    {"prevalence", "bound", "at-least", PD_BOUND_LEAST},
    {"prevalence", "bound", "more-than", PD_BOUND_MORE},
    {"prevalence", "table", "summary", PD_PREVALENCE_SUMMARY},
    {"prevalence", "table", "topics", PD_PREVALENCE_TOPICS},
    {"prevalence", "table", "runs", PD_PREVALENCE_RUNS},
    {"prevalence", "table", "shares", PD_PREVALENCE_SHARES},
    {"prevalence", "table", "relevant", PD_PREVALENCE_RELEVANT},
    {"prevalence", "table", "run-topics", PD_PREVALENCE_RUN_TOPICS},
    {"export", "format", "graphml", PD_ROWS_GRAPHML},
    {"export", "format", "gexf", PD_ROWS_GEXF},
    {"synth", "profile", "versions", PD_SYNTH_VERSIONS},
    {"synth", "profile", "law", PD_SYNTH_LAW},
    {"synth", "profile", "ocr", PD_SYNTH_OCR},
    {"synth", "container", "warc", PD_SYNTH_WARC},
    {"synth", "container", "jsonl", PD_SYNTH_JSONL},
    {"synth", "container", "text", PD_SYNTH_TEXT},
    {"synth", "pack", "gzip", PD_SYNTH_GZIP},
    {"synth", "pack", "none", PD_SYNTH_PLAIN},
};
enum { NCHOICES = sizeof choices / sizeof *choices };

static size_t in_tables; /* names of choices */

static void count_choices(const struct pd_option *option)
{
    for (int k = 0; option->kind == PD_OPTION_CHOICE && option->choices[k]; k++)
        in_tables++;
}

/* See all options: those that commands share, then those that a command has for itself. */
static void see_all(void (*see)(const struct pd_option *option))
{
    for (const struct pd_option *option = pd_option_table; option->name; option++)
        see(option);
    for (int k = 0; pd_commands[k]; k++)
        for (const struct pd_option *own = pd_commands[k]->options; own && own->name; own++) {
            CU_ASSERT_PTR_NULL(own->commands);
            CU_ASSERT_PTR_NOT_NULL(pd_commands[k]->section);
            CU_ASSERT(own->offset < pd_commands[k]->bytes);
            CU_ASSERT_EQUAL(own->role, PD_OPTION_FREE); /* no result records it */
            see(own);
        }
}

static void test_choices(void)
{
    for (size_t k = 0; k < NCHOICES; k++) {
        const char *name = choices[k].option;
        const struct pd_option *option = pd_option_named(choices[k].command, name, strlen(name));
        CU_ASSERT_PTR_NOT_NULL_FATAL(option);
        CU_ASSERT_EQUAL(option->kind, PD_OPTION_CHOICE);
        CU_ASSERT_EQUAL(pd_option_choice(option, choices[k].name), choices[k].value);
    }
    see_all(count_choices);
    CU_ASSERT_EQUAL(in_tables,
                    NCHOICES + PD_TABLES_AND_VIEWS); /* no other choice is missing above */
    for (int k = 0; k < PD_TABLES_AND_VIEWS; k++)
        CU_ASSERT_EQUAL(pd_option_choice(pd_option_find("export", "table", 5), pd_schema[k].name),
                        k);
}

static void check_row(const struct pd_option *option)
{
    const char *names = option->commands ? option->commands : "*";
    int commands = 0, blanks = 0, all = 0;
    for (; pd_commands[all]; all++)
        commands += pd_option_belongs(option, pd_commands[all]->name);
    for (const char *c = names; *c; c++)
        blanks += *c == ' ';
    CU_ASSERT_EQUAL(commands, strcmp(names, "*") == 0 ? all : blanks + 1); /* names of commands */
    CU_ASSERT_EQUAL(option->choices != NULL,
                    option->kind == PD_OPTION_CHOICE || option->kind == PD_OPTION_ASIDE);
    CU_ASSERT_EQUAL(option->arg == NULL, option->kind == PD_OPTION_FLAG);
}

static void test_rows(void)
{
    see_all(check_row);
    for (int k = 0; pd_commands[k]; k++) {
        const char *command = pd_commands[k]->name;
        for (const struct pd_option *option = NULL; (option = pd_option_next(command, option));)
            CU_ASSERT_PTR_EQUAL(pd_option_named(command, option->name, strlen(option->name)),
                                option); /* no other option of the command has the name */
        for (const char *at = pd_commands[k]->brief; *at; at += strspn(at, " ")) {
            const size_t n = strcspn(at, " ");
            const struct pd_option *option = pd_option_named(command, at, n);
            CU_ASSERT(option && option->help); /* --help can print it */
            at += n;
        }
    }
}

/* Every method is a list of options of detect. */
static void test_methods(void)
{
    char names[512], line[64], *rest = names;
    snprintf(names, sizeof names, "%s", pd_method_names());
    for (char *name; (name = strsep(&rest, " "));) {
        snprintf(line, sizeof line, "in -o x --method %s", name);
        CU_ASSERT_EQUAL(parse("detect", line), PD_OK);
        CU_ASSERT_STRING_EQUAL(o.method.name, name);
    }
}

/* The command line wins over the method, and the method over the preset. */
static void test_presets(void)
{
    CU_ASSERT_EQUAL(parse("detect", "in -o x --preset texts"), PD_OK);
    CU_ASSERT_EQUAL(o.method.units, PD_UNIT_GRAM);
    CU_ASSERT_EQUAL(o.preset, PD_PRESET_TEXTS);
    CU_ASSERT_EQUAL(parse("detect", "in -o x --preset texts --gamma 2"), PD_OK);
    CU_ASSERT_EQUAL(o.method.gamma, 2);
    CU_ASSERT_EQUAL(parse("detect", "in -o x --preset texts --method pdc-shingle2"), PD_OK);
    CU_ASSERT_EQUAL(o.method.units, PD_UNIT_SENTENCE);
    CU_ASSERT_EQUAL(o.method.ngram, 2);
    CU_ASSERT_EQUAL(o.method.gamma, 3);
    CU_ASSERT_EQUAL(o.method.edges, PD_EDGES_FAR);
}

/* --aside adds to the preset from left to right, and is the same as the options that it stands for. */
static void test_aside(void)
{
    static const struct {
        const char *line;
        bool frame, templates, common; /* set aside */
    } cases[] = {
        {"--preset web", true, true, false},
        {"--preset web --aside none", false, false, false},
        {"--preset web --aside none,frame", true, false, false},
        {"--preset web --templates match", true, false, false},
        {"--preset web --aside common", true, true, true},
        {"--preset web --aside frame --templates match", true, false, false},
        {"--preset web --templates match --aside templates", true, true, false},
        {"--preset texts --aside templates,frame", true, true, false},
        {"--preset texts --aside frame,none", false, false, false},
        {"--preset code", false, false, true},
        {"--preset code --aside frame", true, false, true},
        {"--preset code --aside none", false, false, false},
        {"--method yoon --aside templates", false, true, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char line[128];
        snprintf(line, sizeof line, "in -o x %s", cases[k].line);
        CU_ASSERT_EQUAL(parse("detect", line), PD_OK);
        CU_ASSERT_EQUAL(o.method.frame == PD_TEMPLATES_ASIDE, cases[k].frame);
        CU_ASSERT_EQUAL(o.method.templates == PD_TEMPLATES_ASIDE, cases[k].templates);
        CU_ASSERT_EQUAL(o.method.common == PD_COMMON_ASIDE, cases[k].common);
    }
    CU_ASSERT_EQUAL(parse("detect", "in -o x --aside none"), PD_OK);
    CU_ASSERT_EQUAL(o.letters.frame, PD_TEMPLATES_MATCH);
    CU_ASSERT_EQUAL(parse("text", "in --aside frame,templates"), PD_OK);
    CU_ASSERT(o.method.frame == PD_TEMPLATES_ASIDE && o.method.templates == PD_TEMPLATES_ASIDE);
    static const char *const wrong[] = {"", ",frame", "frame,", "frames", "repeats"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char line[64];
        snprintf(line, sizeof line, "in -o x --aside=%s", wrong[k]);
        CU_ASSERT_EQUAL(parse("detect", line), PD_EUSAGE);
        pd_error_clear();
    }
    CU_ASSERT_EQUAL(parse("text", "in --aside common"), PD_EUSAGE);
    pd_error_clear();
    pd_options_release(&o);
}

/* Without a preset the job gets all that it may choose from, each with the options given. */
static void test_auto(void)
{
    CU_ASSERT_EQUAL(parse("detect", "in -o x --preset auto --gamma 2"), PD_OK);
    CU_ASSERT_EQUAL(o.preset, PD_PRESET_AUTO);
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_WEB].units, PD_UNIT_GRAM);
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_WEB].winnow, 4);
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_WEB].gamma, 2);
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_TEXTS].units, PD_UNIT_GRAM);
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_TEXTS].gamma, 2);
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_CODE].max_df, 60);
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_TEXTS].frame, PD_TEMPLATES_MATCH);
    CU_ASSERT_EQUAL(o.letters.frame, PD_TEMPLATES_ASIDE);
    CU_ASSERT_EQUAL(o.letters.templates, PD_TEMPLATES_ASIDE);
    CU_ASSERT_EQUAL(o.input.words, PD_WORDS_CHAR);
    CU_ASSERT_EQUAL(parse("detect", "in -o x --words icu"),
                    pd_words_have_icu() ? PD_OK : PD_EUSAGE);
    CU_ASSERT_PTR_NULL(o.presets[PD_PRESET_CODE].name);
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_EDITED].refine, PD_REFINE_WORDS);
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_EDITED].gamma, 2);
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_EDITED].rare, 0.00003); /* a tenth of what the name gives */
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_EDITED].max_df, 100);
    CU_ASSERT_EQUAL(parse("detect", "in -o x --preset edited"), PD_OK);
    CU_ASSERT_EQUAL(o.method.max_df, 50);
    CU_ASSERT_EQUAL(o.method.rare, 0.0003);
    CU_ASSERT_EQUAL(parse("index", "in -o x"), PD_OK); /* its names would take too much room */
    CU_ASSERT_EQUAL(o.presets[PD_PRESET_EDITED].name, NULL);
    CU_ASSERT_EQUAL(parse("detect", "in -o x --frame match"), PD_OK);
    CU_ASSERT_EQUAL(o.letters.frame, PD_TEMPLATES_MATCH); /* the command line wins */
    CU_ASSERT_EQUAL(o.letters.templates, PD_TEMPLATES_ASIDE);
    /* whoever says what is compared gets the rest as published */
    CU_ASSERT_EQUAL(parse("detect", "in -o x --preset auto --ngram 3"), PD_OK);
    CU_ASSERT_EQUAL(o.preset, PD_PRESET_PAPER);
    CU_ASSERT_EQUAL(o.method.gap, 0);
}

/* Characters say less than other words, or the same, and only in grams that are compared in order. */
static void test_char_ngram(void)
{
    CU_ASSERT_EQUAL(parse("detect", "in -o x --preset characters"), PD_OK);
    CU_ASSERT_EQUAL(o.method.char_ngram, 8);
    CU_ASSERT_EQUAL(parse("detect", "in -o x --preset characters --ngram 8"), PD_OK);
    CU_ASSERT_EQUAL(o.method.char_ngram, 0);
    CU_ASSERT_EQUAL(parse("detect", "in -o x --preset characters --ngram 7"), PD_OK);
    CU_ASSERT_EQUAL(o.method.char_ngram, 8);
    CU_ASSERT_EQUAL(parse("detect", "in -o x --preset characters --method pdc-shingle2"), PD_OK);
    CU_ASSERT_EQUAL(o.method.char_ngram, 0);
    CU_ASSERT_EQUAL(parse("detect", "in -o x --method full-fp"), PD_OK);
    CU_ASSERT_EQUAL(o.method.char_ngram, 0);
}

/* decontaminate has the options of its job before those of the command line. */
static void test_decontaminate(void)
{
    CU_ASSERT_EQUAL(parse("decontaminate", "in -o x --against t --text-field q,a"), PD_OK);
    CU_ASSERT_EQUAL(o.method.units, PD_UNIT_GRAM);
    CU_ASSERT_EQUAL(o.method.ngram, 5);
    CU_ASSERT_EQUAL(o.method.max_df, 20);
    CU_ASSERT_EQUAL(o.dedup.run, 13);
    CU_ASSERT_STRING_EQUAL(o.input.text_field, "q,a|text");
    CU_ASSERT_EQUAL(parse("decontaminate", "in -o x --against t --max-df 7 --run 8"), PD_OK);
    CU_ASSERT_EQUAL(o.method.max_df, 7);
    CU_ASSERT_EQUAL(o.dedup.run, 8);
    CU_ASSERT_STRING_EQUAL(o.input.text_field, "text");
    CU_ASSERT_EQUAL(parse("decontaminate", "in -o x"), PD_EUSAGE);
    pd_error_clear();
}

/* Settings that a result keeps belong to detect, have a name of their own and are no lists. */
static void test_settings(void)
{
    struct pd_setting a, b;
    CU_ASSERT_EQUAL(parse("detect", "in -o x --tau 2/3 --window 3,2 --idf 0,1 --jump --words char"),
                    PD_OK);
    for (const struct pd_option *x = pd_option_table; x->name; x++) {
        if (x->role == PD_OPTION_FREE)
            continue;
        CU_ASSERT(pd_option_belongs(x, "detect"));
        CU_ASSERT_NOT_EQUAL(x->kind, PD_OPTION_TEXTS);
        pd_option_setting(x, &o, &a);
        CU_ASSERT_PTR_NULL(strchr(a.name, '-'));
        for (const struct pd_option *y = x + 1; y->name; y++) {
            pd_option_setting(y, &o, &b);
            CU_ASSERT(y->role == PD_OPTION_FREE || strcmp(a.name, b.name) != 0);
        }
    }
    pd_option_setting(pd_option_find("detect", "tau", 3), &o, &a);
    CU_ASSERT_EQUAL(a.type, PD_SETTING_REAL);
    CU_ASSERT_DOUBLE_EQUAL(a.real, 2.0 / 3, 0);
    CU_ASSERT_STRING_EQUAL(a.text, "0.6666666666666666");
    pd_option_setting(pd_option_find("detect", "window", 6), &o, &a);
    CU_ASSERT_EQUAL(a.type, PD_SETTING_TEXT);
    CU_ASSERT_STRING_EQUAL(a.text, "3,2");
    pd_option_setting(pd_option_find("detect", "idf", 3), &o, &a);
    CU_ASSERT_STRING_EQUAL(a.text, "0,1");
    pd_option_setting(pd_option_find("detect", "jump", 4), &o, &a);
    CU_ASSERT_EQUAL(a.type, PD_SETTING_COUNT);
    CU_ASSERT_EQUAL(a.count, 1);
    pd_option_setting(pd_option_find("detect", "words", 5), &o, &a);
    CU_ASSERT_STRING_EQUAL(a.name, "words_kind");
    CU_ASSERT_STRING_EQUAL(a.text, "char");
    pd_options_release(&o);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_defaults),   PD_TEST(test_forms),    PD_TEST(test_refused),
        PD_TEST(test_choices),    PD_TEST(test_rows),     PD_TEST(test_methods),
        PD_TEST(test_presets),    PD_TEST(test_aside),    PD_TEST(test_auto),
        PD_TEST(test_char_ngram), PD_TEST(test_settings), PD_TEST(test_decontaminate),
        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "app/options", tests);
}
