/* run/option_table.c - see include/pardup/run/option_table.h */
#include "pardup/run/option_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/real.h"

/* ---- names of choices ---- */

static const char *const content_names[] = {
    [PD_CONTENT_ALL] = "all", [PD_CONTENT_MAIN] = "main", NULL};
const char *const pd_preset_names[] = {[PD_PRESET_AUTO] = "auto",
                                       [PD_PRESET_WEB] = "web",
                                       [PD_PRESET_TEXTS] = "texts",
                                       [PD_PRESET_CODE] = "code",
                                       [PD_PRESET_CHARACTERS] = "characters",
                                       [PD_PRESET_EDITED] = "edited",
                                       [PD_PRESET_PAPER] = "paper",
                                       NULL};
static const char *const spelling_names[] = {
    [PD_SPELLING_EXACT] = "exact", [PD_SPELLING_EARLY_MODERN] = "early-modern", NULL};
static const char *const word_names[] = {
    [PD_WORDS_CHAR] = "char", [PD_WORDS_ICU] = "icu", [PD_WORDS_CODE] = "code", NULL};
static const char *const base_names[] = {
    [PD_BASE_SENTENCE] = "sentence", [PD_BASE_CLAUSE] = "clause", [PD_BASE_STOP] = "stop", NULL};
static const char *const unit_names[] = {
    [PD_UNIT_SENTENCE] = "sentence", [PD_UNIT_CLAUSE] = "clause",     [PD_UNIT_STOP] = "stop",
    [PD_UNIT_GRAM] = "gram",         [PD_UNIT_DOCUMENT] = "document", NULL};
#define FEATURE_NAME(kind, name, ...) name,
static const char *const feature_names[] = {PD_FEATURES(FEATURE_NAME) NULL};
static const char *const join_names[] = {
    [PD_JOIN_EQUAL] = "equal", [PD_JOIN_JACCARD] = "jaccard", [PD_JOIN_OVERLAP] = "overlap",
    [PD_JOIN_INDEX] = "index", [PD_JOIN_LSH] = "lsh",         NULL};
static const char *const df_of_names[] = {
    [PD_DF_DOCUMENTS] = "documents", [PD_DF_TIMES] = "times", NULL};
static const char *const blanks_names[] = {
    [PD_BLANKS_DROP] = "drop", [PD_BLANKS_KEEP] = "keep", NULL};
static const char *const sketch_names[] = {
    [PD_SKETCH_BITS] = "bits", [PD_SKETCH_MINHASH] = "minhash", NULL};
static const char *const edges_names[] = {
    [PD_EDGES_WORD] = "word", [PD_EDGES_SENTENCE] = "sentence", [PD_EDGES_FAR] = "far", NULL};
static const char *const repeats_names[] = {
    [PD_REPEATS_NONE] = "none", [PD_REPEATS_FIRST] = "first", NULL};
static const char *const passages_names[] = {
    [PD_PASSAGES_ALL] = "all", [PD_PASSAGES_BEST] = "best", NULL};
static const char *const common_names[] = {
    [PD_COMMON_ASIDE] = "aside", [PD_COMMON_FIRST] = "first", NULL};
static const char *const templates_names[] = {
    [PD_TEMPLATES_MATCH] = "match", [PD_TEMPLATES_ASIDE] = "aside", NULL};
static const char *const refine_names[] = {
    [PD_REFINE_NONE] = "none", [PD_REFINE_WORDS] = "words", NULL};
static const char *const copies_names[] = {
    [PD_COPIES_IGNORE] = "ignore", [PD_COPIES_REPORT] = "report", NULL};
static const char *const compress_names[] = {[PD_COMPRESS_DEFLATE] = "deflate",
                                             [PD_COMPRESS_ZSTD] = "zstd",
                                             [PD_COMPRESS_NONE] = "none",
                                             NULL};
static const char *const progress_names[] = {[PD_PROGRESS_AUTO] = "auto",
                                             [PD_PROGRESS_BAR] = "bar",
                                             [PD_PROGRESS_LOG] = "log",
                                             [PD_PROGRESS_NONE] = "none",
                                             NULL};
static const char *const color_names[] = {
    [PD_COLOR_AUTO] = "auto", [PD_COLOR_ALWAYS] = "always", [PD_COLOR_NEVER] = "never", NULL};
static const char *const rows_format_names[] = {
    [PD_ROWS_AUTO] = "auto",       [PD_ROWS_TSV] = "tsv",
    [PD_ROWS_CSV] = "csv",         [PD_ROWS_JSONL] = "jsonl",
    [PD_ROWS_PARQUET] = "parquet", [PD_ROWS_SARIF] = "sarif",
    [PD_ROWS_CDXJ] = "cdxj",       [PD_ROWS_GRAPHML] = "graphml",
    [PD_ROWS_GEXF] = "gexf",       NULL};
static const char *const by_names[] = {[PD_BY_URL] = "url", [PD_BY_ID] = "id", NULL};
static const char *const row_offset_names[] = {
    [PD_ROW_BYTES] = "bytes", [PD_ROW_CHARS] = "chars", NULL};
static const char *const texts_names[] = {[PD_TEXTS_YES] = "yes", [PD_TEXTS_NO] = "no", NULL};
static const char *const remove_names[] = {
    [PD_REMOVE_PASSAGES] = "passages", [PD_REMOVE_DOCUMENTS] = "documents", NULL};
static const char *const written_names[] = {
    [PD_WRITTEN_SAME] = "same", [PD_WRITTEN_JSONL] = "jsonl", NULL};

/* ---- the table ---- */

#define DETECT  "detect compare index"
#define FOUND   "detect compare index check"
#define JOB     "detect index check frequencies"
#define READ    "detect text sentences index check frequencies decontaminate"
#define INPUT   "detect compare text sentences index check frequencies decontaminate changes"
#define SOURCES "detect compare text sentences index frequencies decontaminate changes"
#define SHOW    "show compare check"
#define ONE_DOC "text sentences show report"

#define PD_OPTIONS                          struct pd_options
#define FEATURE_HELP(kind, name, help, ...) "; " name ": " help

/* clang-format off */
const struct pd_option pd_option_table[] = {
    /* name, value in --help, kind and member, commands, role, default, help */
    {"output", "FILE", TEXT(output), "detect", FREE, NULL,
     "result file (HDF5); named FILE.part until it is complete"},
    {"output", "FILE", TEXT(output), "compare", FREE, NULL,
     "keep the result (HDF5) of two files in FILE"},
    {"output", "INDEX", TEXT(output), "index", FREE, NULL, "folder of the index"},
    {"output", "FILE", TEXT(output), "check", FREE, NULL,
     "result file (HDF5); named FILE.part until it is complete"},
    {"output", "TABLE", TEXT(output), "frequencies", FREE, NULL,
     "the table, a text file; named TABLE.part until it is complete"},
    {"index", "INDEX", TEXT(check.index), "check", FREE, NULL,
     "the index, a folder that pardup index has made; it says how units are made and compared"},
    {"stdin", NULL, FLAG(check.lines), "check", FREE, NULL,
     "read JSON lines (id, text, url) from standard input, and answer each with a line"},
    {"socket", "PATH", TEXT(check.socket), "check", FREE, NULL,
     "the same for clients of a Unix socket, which is made; SIGTERM ends it and removes the socket"},
    {"show", NULL, FLAG(check.show), "check", FREE, NULL,
     "print the result for a person, who sees each target, its sources, and the passages side by "
     "side; -o is not needed"},
    {"add", NULL, FLAG(check.add), "index", FREE, NULL,
     "add the sources to the index that is there, with its options and its frequencies of words"},
    {"refresh", NULL, FLAG(check.refresh), "index", FREE, NULL,
     "read the sources of the index again, and count their words anew; takes no SOURCE"},
    {"with-text", NULL, FLAG(check.with_text), "index", FREE, NULL,
     "keep the texts of the sources, so that their files are not needed later"},
    {"against", "SOURCE", TEXTS(input.against), "detect", FREE, NULL,
     "compare the inputs (targets) with SOURCE only; may be given several times"},
    {"with", "SOURCE", TEXTS(input.with), "detect", FREE, NULL,
     "compare the inputs with each other and with SOURCE, but no two documents of SOURCE, as essays of a course with each "
     "other and with what is in books; may be given several times"},
    {"known", "STORE", TEXT(check.index), "detect", FREE, NULL,
     "compare the inputs with each other and with STORE, a folder that pardup index has made; it says how "
     "units are made and compared"},
    {"output", "DIR", TEXT(output), "decontaminate", FREE, NULL,
     "folder for the corpus without the items, empty or not there; DIR.proof gets what was found and removed"},
    {"against", "TESTS", TEXTS(input.against), "decontaminate", FREE, NULL,
     "file or folder of a benchmark, whose documents are its items; may be given several times"},
    {"files-from", "LIST", TEXT(input.files_from), READ, FREE, NULL,
     "read more inputs from LIST, one a line; - is standard input"},
    {"null", NULL, FLAG(input.null), READ, FREE, NULL,
     "the names in LIST end with NUL, as find -print0 writes them"},
    {"include", "GLOB", TEXTS(input.include), READ, FREE, NULL,
     "read only files of folders whose path below the folder matches GLOB, as *.html; may be given "
     "several times; * matches slashes, too; the files that are left out are counted"},
    {"exclude", "GLOB", TEXTS(input.exclude), READ, FREE, NULL,
     "leave out files of folders whose path below the folder matches GLOB; may be given several "
     "times; wins over --include"},
    {"docs-from", "LIST", TEXT(input.docs_from), READ, SHAPES, NULL,
     "read only documents that LIST names, one a line: ids, addresses or names of files; others are "
     "left out and counted; - is standard input"},
    {"format", "F", CHOICE(input.format, pd_format_names), INPUT, SHAPES, "auto",
     "format of the inputs; auto looks at their first bytes"},
    {"id-field", "NAME", TEXT(input.id_field), INPUT, SHAPES, "id",
     "field with the id of the document, in JSON, CSV and Parquet; a dot goes into an object"},
    {"text-field", "NAME", TEXT(input.text_field), INPUT, SHAPES, "text",
     "field with the text, in JSON, CSV and Parquet; A,B: in JSON, the fields that are there, one after "
     "the other as paragraphs; A,B|C: or else C, which is the column of CSV and Parquet"},
    {"url-field", "NAME", TEXT(input.url_field), INPUT, SHAPES, "url",
     "field with the address, in JSON, CSV and Parquet; its host is the site of the document"},
    {"site-field", "NAME", TEXT(input.site_field), INPUT, SHAPES, NULL,
     "field with the site, in JSON, CSV and Parquet, for --templates and --skip-same-host; "
     "without it the site is the host of the address, else the sender of a letter; of files that are a document each, else the host in <link rel=canonical>, else the folder"},
    {"keep-fields", "NAME,...", TEXT(input.keep_fields), "detect", SHAPES, NULL,
     "fields to keep in /documents/meta; without this and --metadata: date, title and author; of JSON lines, where a dot goes into an object; columns of "
     "CSV, Parquet and --metadata; date of WARC is WARC-Date; texts are cut at 512 bytes, longer lists "
     "and objects left out and counted"},
    {"metadata", "FILE.csv", TEXT(input.metadata), "detect", SHAPES, NULL,
     "table with a row for each document, found by its column id, or else its first one; all its "
     "columns are kept, or those that --keep-fields names; all of it is held in memory"},
    {"date-field", "NAME", TEXT(input.date_field), "detect", SHAPES, "date",
     "the kept field with the date of a document, by which families have a first date; as "
     "machines and people write it: 2009-01-13, 1626-1627, c. 1633, 1608?, 17th century"},
    {"content", "C", CHOICE(input.content, content_names), SOURCES, SHAPES, "all",
     "which text of an HTML page counts; main: without menus, lists of links and footers"},
    {"words", "W", CHOICE(input.words, word_names), SOURCES, SHAPES_AS("words_kind"), "char",
     "what words are; char: of text without blanks, such as Chinese or Thai, each letter is one; icu: "
     "words of ICU's dictionary there; code: names, numbers, strings and operators of programs, names "
     "being equal to each other, and numbers"},
    {"spelling", "S", CHOICE(input.spelling, spelling_names), SOURCES, SHAPES, "exact",
     "spellings across which words compare equal; early-modern: v as u, j as i, ae and oe ligatures, "
     "without e at the end of a word, as in prints before 1700"},
    {"max-document", "SIZE", BYTES(input.max_document, 1, 1 << 30), INPUT, SHAPES, "64M",
     "skip larger documents, and documents with more than SIZE/8 words; up to 1G"},
    {"ignore", "FILE", TEXTS(input.ignore), "detect compare check explain", FREE, NULL,
     "text that is nobody's copy, such as an assignment or a licence, in a file of any format; wherever it stands, it is set "
     "aside; matches nothing and is no part of a share; may be given several times"},
    {"convert", "ENDING=COMMAND", TEXTS(input.convert), INPUT " show export report explain dedup", FREE, NULL,
     "make text of files that end in .ENDING by COMMAND, in which {} is the file, as 'pdf=pdftotext -layout {} -'; what it "
     "prints is read; may be given several times; no shell, network or terminal, 2 minutes a file; commands that show "
     "texts of a result need it again"},
    {"vocabulary", "FILE", TEXTS(input.vocabulary), INPUT " show export report explain dedup", FREE, NULL,
     "read XML as the rows of FILE say: for a root element, which elements are blocks, are left out or have text in "
     "attributes, and what is one document; may be given several times; commands that show texts of a result need it again"},
    {"limit-docs", "N", COUNT(input.limit_docs, 0, 1e18), READ, SHAPES, "0",
     "read only the first N documents; 0: all"},
    {"strict", NULL, FLAG(input.strict), INPUT, SHAPES, NULL,
     "end the job at a bad record, instead of counting and skipping it"},
    {"skip-unknown", NULL, FLAG(input.skip_unknown), INPUT, RECORDED, NULL,
     "go on without files of formats that pardup does not read, instead of ending with status 1"},
    {"units", "U", CHOICE(input.base, base_names), "text sentences", FREE, "sentence",
     "where the text is cut; clause: at every punctuation mark, not at line ends; stop: at . ; ! "
     "? only"},
    {"preset", "P", CHOICE(preset, pd_preset_names), "detect index", SHAPES, "auto",
     "kind of collection, which sets the options below; each can still be given; web: web pages; "
     "texts: books, news, mail; code: programs, whatever their names and comments; characters: texts "
     "whose words are single characters; edited: "
     "copies in other words; paper: the main method of the papers as published; auto: web, edited, texts, "
     "code or characters, by what is in the collection (an index by its sources, and never edited), and paper if --method or "
     "another option says what is compared"},
    {"preset", "P", CHOICE(preset, pd_preset_names), "compare", FREE, "texts",
     "kind of text, which sets the options below; each can still be given; texts: runs of equal "
     "words, with --max-repeats 0 --passages best; paper if --method is given"},
    {"method", "M", TEXT(method.name), DETECT, SHAPES, "pdc-imatch",
     "method of the papers, which says what is compared; M:PARAMETER=VALUE,... also sets its parameters, see pardup help "
     "method; an option on the command line wins over it"},
    {"units", "U", CHOICE(method.units, unit_names), DETECT, SHAPES, "sentence",
     "what is compared; clause: text cut at every punctuation mark, not at line ends; stop: text "
     "cut at . ; ! ? only; gram: every run of --ngram words; document: whole documents"},
    {"window", "WS,SW", COUNTS(method.window, 1, 1e6), DETECT, SHAPES, "1,1",
     "compare windows of WS units; in the first document of a pair they move by SW units"},
    {"jump", NULL, FLAG(method.jump), DETECT, SHAPES, NULL,
     "in the first document of a pair, leave out windows whose word counts repeat those of the "
     "window before"},
    {"sample", "M", COUNT(method.sample, 1, 1e6), DETECT, SHAPES, "1",
     "gram: compare one gram in M of the first document of a pair; bytes: keep one shingle in M, by "
     "its hash, in all documents"},
    {"winnow", "N", COUNT(method.winnow, 1, 1000), DETECT, SHAPES, "1",
     "gram and sequence: of N grams in a row compare the one with the least hash, so that of --ngram + N - 1 "
     "equal words in a row one gram at least matches; 1: compare all grams"},
    {"feature", "F", CHOICE(method.feature, feature_names), DETECT, SHAPES, "words",
     "signatures of a unit" PD_FEATURES(FEATURE_HELP)},
    {"ngram", "N", COUNT(method.ngram, 1, 64), DETECT, SHAPES, "4", "words in a gram or shingle"},
    {"char-ngram", "N", COUNT(method.char_ngram, 0, 64), DETECT, SHAPES, "0",
     "gram and sequence: grams go on until they say as much as --ngram words; a word that is a single character, as in "
     "Chinese, says --ngram / N of what another word says; 0, or up to --ngram: the same as another word"},
    {"shingle-bytes", "N", COUNT(method.shingle_bytes, 1, 1e6), DETECT, SHAPES, "64",
     "bytes: length of a shingle, in bytes of text without spaces and punctuation"},
    {"shingle-blanks", "HOW", CHOICE(method.blanks, blanks_names), DETECT, SHAPES, "drop",
     "bytes: whether a shingle holds one blank between two words"},
    {"antecedents", "A", TEXT(method.antecedents), DETECT, SHAPES, "10000",
     "SpotSigs: the A most frequent words, or a file of words"},
    {"stop-words", "W", TEXT(method.stop_words), DETECT, SHAPES, "english",
     "SpotSigs: words that chains leave out; english, none, or a file of words"},
    {"spot-distance", "D", COUNT(method.spot_distance, 1, 1000), DETECT, SHAPES, "1",
     "SpotSigs: every D-th word that follows is in the chain"},
    {"spot-chain", "C", COUNT(method.spot_chain, 1, 1000), DETECT, SHAPES, "2",
     "SpotSigs: words in a chain"},
    {"reach", "N", COUNT(method.reach, 1, 8), DETECT, SHAPES, "3",
     "pairs: a word is paired with each of the next N counted words, up to 16 words on"},
    {"rare", "X", REAL(method.rare, 1e-9, 1), DETECT, SHAPES, "0.0002",
     "pairs: only words count that are at most this share of all words of the collection, or "
     "occur at most 16 times"},
    {"frequencies", "TABLE", TEXT(method.frequencies), DETECT, SHAPES, NULL,
     "judge how frequent words are by TABLE, which pardup frequencies has made, not by the collection; so three sources and "
     "30,000 give one judgement"},
    {"join", "J", CHOICE(method.join, join_names), DETECT, SHAPES, "equal",
     "which units A and B match; equal: same signatures; jaccard, overlap: similarity of at "
     "least --tau, |A and B| / |A or B| or |A and B| / max(|A|, |B|); index: overlap, by an index of "
     "all words, for comparison; lsh: overlap, for pairs that share a bucket"},
    {"tau", "T", REAL(method.tau, 0, 1), DETECT, SHAPES, "0.9",
     "least similarity of units that match, also as a fraction (2/3); 0: all that share a "
     "signature"},
    {"sct", "N", COUNT(method.sct, 0, 1e18), DETECT, SHAPES, "0",
     "jaccard and overlap of documents: signatures in more than N documents do not count, neither "
     "as shared ones nor in the sizes of sets; 0: all count"},
    {"sketch", "S", CHOICE(method.sketch, sketch_names), DETECT, SHAPES, "bits",
     "lsh: what is hashed into buckets; bits: sampled bits of superimposed signatures; minhash: "
     "least members (min-wise hashing)"},
    {"rows", "K", COUNT(method.rows, 1, 64), DETECT, SHAPES, "3",
     "lsh, minhash: least members that make a bucket"},
    {"bits", "B", COUNT(method.bits, 1, 64), DETECT, SHAPES, "32",
     "lsh, bits: length of a unit's superimposed signature in bits"},
    {"word-bits", "B", COUNT(method.word_bits, 1, 64), DETECT, SHAPES, "1",
     "lsh, bits: bits that a word sets in the superimposed signature"},
    {"diffbit", "D", COUNT(method.diffbit, 0, 64), DETECT, SHAPES, "5",
     "lsh, bits: units that differ in D bits are found with probability .95"},
    {"tables", "C", COUNT(method.tables, 1, 64), DETECT, SHAPES, "8", "lsh: number of hash tables"},
    {"theta-d", "X", REAL(method.theta_d, 0, 1e18), FOUND, SHAPES, "0",
     "keep pairs of documents whose score, the sum of similarities, is at least X"},
    {"delta", "N", COUNT(method.delta, 0, 1e18), FOUND, SHAPES, "0",
     "keep pairs of documents with more than N matched units; check: a target with more than N "
     "units in the index is a duplicate; if units are grams, it must have a passage, too"},
    {"max-word-df", "X", REAL(method.max_word_df, 1e-9, 1), DETECT, SHAPES, "1",
     "words, multiset and bag: leave out words that are in more than this share of the documents"},
    {"gamma", "G", COUNT(method.gamma, 0, 1e9), FOUND, SHAPES, "3",
     "keep passages of more than G matched units; documents as units: 0"},
    {"gap", "G", COUNT(method.gap, -1, 1000), FOUND, SHAPES, "-1",
     "let a passage continue over up to G unmatched units on either side; -1: over units that "
     "--sample leaves out only"},
    {"refine", "HOW", CHOICE(method.refine, refine_names), DETECT, SHAPES, "none",
     "how passages are found; none: as runs of matched units; words: matches within --gap of each "
     "other point out regions, in which the words of both documents are compared in any order"},
    {"passages", "P", CHOICE(method.passages, passages_names), FOUND, SHAPES, "all",
     "which passages of a pair are kept; all: every one; best: those that match most and do not "
     "overlap in either document, so that one copied place is one passage"},
    {"max-df", "N", COUNT(method.max_df, 0, 1e18), DETECT, SHAPES, "300",
     "units that occur in more than N documents are common, see --common; 0: none are, as in the "
     "papers"},
    {"max-df-of", "WHAT", CHOICE(method.max_df_of, df_of_names), DETECT, SHAPES, "documents",
     "what --max-df counts; times: a unit that recurs in a document counts each time, --join equal only"},
    {"common", "HOW", CHOICE(method.common, common_names), DETECT, SHAPES, "aside",
     "what common units match; aside: nothing; first: in each later document, the first document "
     "that has them; in targets, the first source"},
    {"templates", "HOW", CHOICE(method.templates, templates_names), DETECT, SHAPES, "match",
     "units that many pages of one site, or letters of one sender, share, and imprints at the ends of documents of many sites; aside: they match nothing, and nor do error pages and others that "
     "a site shows at many addresses alike, which detect lists in /templates; nor do text that is "
     "mostly links and, where most pages of a site are articles, what an article would not keep; "
     "match: they are compared like others"},
    {"frame", "HOW", CHOICE(method.frame, templates_names), DETECT, SHAPES, "match",
     "the frame of an HTML page: menus, lists of links, footers; all of an error page; the frame of a letter: header, signature, quoted heads; aside: no units are made of it, and "
     "it matches nothing; match: it is compared like other text"},
    {"frame", "HOW", CHOICE(method.frame, templates_names), "text sentences changes", FREE, "match",
     "the frame of an HTML page: menus, lists of links, footers; of a letter: header, signature, quoted heads; aside: it is left out; match: it is "
     "printed or compared"},
    {"by", "HOW", CHOICE(print.by, by_names), "changes", FREE, "url",
     "which documents of two captures are one page; url: those with one address, or without addresses those with one path "
     "below the folders; id: those with one id"},
    {"templates", "HOW", CHOICE(method.templates, templates_names), "text sentences", FREE, "match",
     "units that many pages of one site share, imprints at the ends of documents of many sites, and pages that a site shows at many addresses alike; aside: they are left out, and text that is mostly links; the inputs are "
     "read twice; match: they are printed"},
    {"copies", "HOW", CHOICE(method.copies, copies_names), DETECT, SHAPES, "ignore",
     "documents with the same words in the same order; report: each pair is one passage, however "
     "short; with few units outside templates, the words there are enough, see --min-copy-agreement; ignore: they are compared like others"},
    {"min-copy-words", "N", COUNT(method.min_copy_words, 0, 1e9), DETECT, SHAPES, "0",
     "documents of fewer than N compared words have no copies, see --copies, but pages of one name may"},
    {"min-copy-agreement", "X", REAL(method.min_copy_agreement, 0, 1), DETECT, SHAPES, "1",
     "documents that say too little outside templates for a passage are copies, see --copies, if at least this share of the "
     "words there agrees; below 1 one of their sixteen longest sentences there must be the same; pages of one name, which is the last "
     "part of their addresses, are copies if they agree so, however much they say"},
    {"max-near", "N", COUNT(method.max_near, 0, 1e18), DETECT, SHAPES, "0",
     "set units aside that are similar, but not identical, to more than N different units; 0: no "
     "limit"},
    {"edges", "HOW", CHOICE(method.edges, edges_names), FOUND, SHAPES, "word",
     "begin and end of a passage; word: extended word by word into the neighbouring sentences; "
     "sentence: not extended; far: extended as far as words agree"},
    {"min-passage-words", "N", COUNT(method.min_passage_words, 0, 1e9), FOUND, SHAPES, "0",
     "leave out passages of fewer than N words, edges included; single characters count as --char-ngram says"},
    {"min-agreement", "X", REAL(method.min_agreement, 0, 1), FOUND, SHAPES, "0",
     "leave out passages in which less than this share of the words of the longer side agrees"},
    {"family-coverage", "SHARE", REAL(method.family_coverage, 0, 1), FOUND, SHAPES, "0.6",
     "pairs that make a family of documents; passages cover at least this share of both documents; "
     "where whole documents are compared, their resemblance is at least --tau instead, or 0.5 if "
     "--tau is 0"},
    {"family-coverage", "SHARE", REAL(method.family_coverage, -1, 1), "families", FREE, "-1",
     "passages of a pair cover at least this share of both documents; -1: the share of the result, "
     "or 0.6 if it has none; where whole documents were compared, it has no meaning"},
    {"skip-same-host", NULL, FLAG(method.skip_same_host), FOUND, SHAPES, NULL,
     "leave out pairs of documents from one site: the host of the address, else the folder"},
    {"skip-same", "FIELD", TEXT(method.skip_same), "detect", SHAPES, NULL,
     "leave out pairs of documents with the same value of this field, which is kept as those of "
     "--keep-fields are; a document without a value shares it with none"},
    {"min-words", "N", COUNT(method.min_words, 0, 1e9), DETECT, SHAPES, "1",
     "leave out units of fewer than N words; gram: those that begin in a sentence of fewer than N words"},
    {"min-counted", "N", COUNT(method.min_counted, 0, 1e9), DETECT, SHAPES, "1",
     "words, multiset and bag: leave out units of fewer than N counted words; words: N different ones"},
    {"empty", "HOW", CHOICE(method.empty, templates_names), DETECT, SHAPES, "aside",
     "words, --join equal: units without a counted word; match: they match each other"},
    {"max-repeats", "N", COUNT(method.max_repeats, 0, 1e9), DETECT, SHAPES, "0",
     "limit for units that occur in one document more than N times, see --repeats; 0: no limit"},
    {"repeats", "HOW", CHOICE(method.repeats, repeats_names), DETECT, SHAPES, "none",
     "units that occur in a document more than --max-repeats times; none: none of them counts; "
     "first: the first ones count"},
    {"idf", "LO,HI", RANGE(method.idf, 0, 1), DETECT, SHAPES, "0.1,1.0",
     "words, multiset and bag: only words count whose normalised idf is in this range"},
    {"always-df", "N", COUNT(method.always_df, 0, 1e18), DETECT, SHAPES, "1000",
     "words, multiset and bag: words in at most N documents count even if their idf is below LO"},
    {"lexicons", "K", COUNT(method.lexicons, 1, 64), DETECT, SHAPES, "1",
     "words, --join equal: units match if the words of one of K lexicons agree; the first has all "
     "counted words, each other one lacks a third of them by chance"},
    {"ranks", "N", COUNT(job.ranks, 0, PD_RANKS_MOST), JOB " dedup decontaminate families synth", FREE, "0",
     "ranks on this machine; 0: one for each core that the job may use, but at most one for each "
     "32 MB of stored input, and one in a batch job; under mpirun or srun it is not needed"},
    {"memory", "SIZE", BYTES(job.memory, 0, 1e18), FOUND " export dedup decontaminate explain families text sentences frequencies", FREE, "0",
     "bytes a rank may use for records, with K, M, G or T; at least 1M; 0: half of "
     "what the job may use on the node (cgroup, Slurm), shared by its ranks"},
    {"scratch", "DIR", TEXT(job.scratch), FOUND " decontaminate explain families text sentences frequencies", FREE, NULL,
     "folder for spilled records and for checkpoints, made if it is not there [$TMPDIR, else /tmp]"},
    {"resume", NULL, FLAG(job.resume), "detect", FREE, NULL,
     "go on from the checkpoint in --scratch; without a checkpoint, start from the beginning"},
    {"matches", NULL, FLAG(matches), "detect", FREE, NULL,
     "also write /matches, the pairs of units that match with their similarity; one row each, so large jobs make many"},
    {"within", NULL, FLAG(method.within), "detect", SHAPES, NULL,
     "a document is also compared with itself, as Algorithm 1 of the SIGIR 2010 paper does; common units are not"},
    {"dry-run", NULL, FLAG(job.dry_run), "detect", FREE, NULL,
     "say what the job would take; reads excerpts, prints the expected documents, sentences, memory, "
     "scratch and time, and stops"},
    {"gate", NULL, FLAG(job.gate), "detect", FREE, NULL,
     "end with status 3 if there are passages, for a build that must not have copies; the result is written all the same"},
    {"compress", "C", CHOICE(job.compress, compress_names), "detect compare check", RECORDED, "deflate",
     "compression of the result file"},
    {"reproducible", NULL, FLAG(job.reproducible), "detect check", FREE, NULL,
     "leave out of the result what differs from run to run; the command line, its folder, time, ranks, seconds, and "
     "bytes exchanged; the same job then gives the same bytes"},
    {"progress", "P", CHOICE(job.progress, progress_names), JOB " decontaminate dedup families export report", FREE, "auto",
     "how progress is shown; bar: on a terminal; log: a line every 30 s; auto: bar on a "
     "terminal, else log"},
    {"texts", "T", CHOICE(check.texts, texts_names), "check", FREE, "yes",
     "read the texts of sources that share passages, from the index or from their files; no: "
     "passages end at units, and their agreement is not known"},
    {"top", "K", COUNT(check.top, 0, 1e9), "check", FREE, "10",
     "sources in the ranking of a target at most"},
    {"doc", "ID", TEXT(print.doc), ONE_DOC, FREE, NULL, "only the document with this id, address or name of a file"},
    {"offsets", NULL, FLAG(print.offsets), "sentences", FREE, NULL,
     "also print the byte offsets of each word (\"spans\") and the row of the document"},
    {"pair", "A B", PAIR(print.pair), "show picture", FREE, NULL,
     "only passages of two documents, named as with --doc"},
    {"network", NULL, FLAG(print.network), "picture", FREE, NULL,
     "documents over time, with what they share; so it is without --pair"},
    {"output", "FILE", TEXT(output), "picture", FREE, NULL, "the picture (SVG)"},
    {"limit", "N", COUNT(print.limit, 1, 1e5), "picture", FREE, "60",
     "draw the N pairs of documents that share most words; --pair: the N longest passages"},
    {"label", "PATTERN", TEXT(print.label), "show export report picture", FREE, NULL,
     "what documents are called, as '{author}, {title} ({date})' of kept fields, or {id}, {url}, {host}, {name} of the file"},
    {"by-passage", NULL, FLAG(print.by_passage), "show", FREE, NULL,
     "passages in the order of their documents; without it and without a selection: families, best first"},
    {"passage", "N", COUNT(print.passage, -1, 1e18), "show", FREE, "-1",
     "only passage N, counted from 0 as show prints it; -1: all"},
    {"family", "N", COUNT(print.family, -1, 1e18), "show report", FREE, "-1",
     "only passages of family N, counted from 0 as the page and show --family have it; -1: all"},
    {"document-family", "N", COUNT(print.document_family, -1, 1e18), "show", FREE, "-1",
     "only family N of whole documents (a row of /document_families): its documents and the passages between "
     "them; -1: all"},
    {"limit", "N", COUNT(print.limit, 0, 1e18), SHOW, FREE, "10",
     "show at most N families or passages; check: passages of each target; 0: all"},
    {"output", "FILE", TEXT(output), "families", FREE, NULL,
     "the result with its families; without it, they are written into OUT.h5"},
    {"limit", "N", COUNT(print.limit, 0, 1e18), "explain", FREE, "60",
     "show at most N units of the first document, and of the second one; 0: all"},
    {"lines", "N", COUNT(print.lines, 0, 1e9), "explain", FREE, "3",
     "show at most N lines of text for a unit; 0: all"},
    {"output", "FILE", TEXT(output), "report", FREE, NULL, "the page (HTML); with --each, the folder of the pages"},
    {"each", NULL, FLAG(print.each), "report", FREE, NULL,
     "a page for each document of the inputs, sources aside, in the folder of -o, which is made; OUT.key.csv says which page is whose"},
    {"hide-names", NULL, FLAG(print.hide_names), "report", FREE, NULL,
     "with --each or --doc: call other documents by numbers, as student 1, student 2 ..., and show of their texts only the "
     "passages; what a passage says itself stays"},
    {"limit", "N", COUNT(print.limit, 0, 1e7), "report", FREE, "10000",
     "put at most N passages on the page; if there are more, the longest of each pair of documents, then the longest; 0: all"},
    {"lines", "N", COUNT(print.lines, 0, 1e9), SHOW, FREE, "12",
     "show at most N lines of text for a passage; 0: all"},
    {"context", "N", COUNT(print.context, 0, 1e9), SHOW, FREE, "12",
     "show N equal words at either end of a long run; 0: all"},
    {"width", "N", COUNT(print.width, 0, 10000), SHOW " explain", FREE, "0",
     "columns of the terminal; 0: ask the terminal, else 80"},
    {"color", "WHEN", CHOICE(print.color, color_names), SHOW, FREE, "auto",
     "mark differing words by colour; auto: on a terminal, unless NO_COLOR is set"},
    {"format", "F", CHOICE(print.format, rows_format_names), "export", FREE, "auto",
     "how rows are printed; csv: as RFC 4180 has it, with the escapes of tsv; sarif: passages as findings "
     "of a build, with files and lines (SARIF 2.1.0); cdxj: documents as an index of web archives; auto: as the "
     "ending of FILE says (.csv, .jsonl, .parquet, .sarif, .cdxj), else tsv"},
    {"output", "FILE", TEXT(output), "export", FREE, NULL,
     "the file; without it, rows go to standard output"},
    {"table", "T", CHOICE(print.table, pd_table_names), "export", FREE, "passages", "which table"},
    {"text", "N", COUNT(print.text, 0, 1e9), "export", FREE, "0",
     "also print up to N bytes of the text of each passage, as columns text_a and text_b; the files "
     "are read again; 0: none"},
    {"offsets", "UNIT", CHOICE(print.unit, row_offset_names), "export", FREE, "bytes",
     "what the begin and end of passages and members count; chars: characters of the text, for "
     "which the files are read again"},
    {"sort", "COLUMN", TEXT(print.sort), "export", FREE, NULL,
     "sort the rows by a column, or with COLUMN:desc from its greatest value on; rows without a "
     "value come last, equal ones stay in order; what does not fit --memory goes to $TMPDIR, else /tmp"},
    {"output", "DIR", TEXT(output), "dedup", FREE, NULL,
     "folder for the new collection, and nothing else; empty or not there"},
    {"proof", "DIR", TEXT(dedup.proof), "dedup", FREE, NULL,
     "folder for the proof of all that is missing; empty or not there; without it, the name of "
     "-o with .proof behind it. With --annotate or --list all lies in -o"},
    {"run", "N", COUNT(dedup.run, 5, 1000), "decontaminate", FREE, "13",
     "words in a row of an item that make a leak; shorter items count when whole, from 5 words on"},
    {"max-df", "N", COUNT(method.max_df, 0, 1e18), "decontaminate", FREE, "20",
     "text that more than N documents have is common, such as a quotation or a template, and no leak; "
     "documents of the corpus and items count; 0: nothing is common"},
    {"remove", "WHAT", CHOICE(dedup.remove, remove_names), "decontaminate", FREE, "passages",
     "what goes; passages: the sentences that have words of a leak; documents: every document with a leak"},
    {"remove", "WHAT", CHOICE(dedup.remove, remove_names), "dedup", FREE, "passages",
     "whether passages or whole documents go; documents: only those that hold hardly anything "
     "else, see --min-left"},
    {"as", "FORMAT", CHOICE(dedup.as, written_names), "dedup decontaminate", FREE, "same",
     "how documents are written; same: as they are stored; jsonl: as lines with id, text, url and the kept "
     "fields (--keep-fields, --metadata), whatever the input is"},
    {"count-field", "NAME", TEXT(dedup.count_field), "dedup", FREE, NULL,
     "write into this new field of each JSON line for how many documents of the collection it stands, "
     "itself and those that went whole because of it; input other than JSON lines needs --as jsonl"},
    {"revisit", NULL, FLAG(dedup.revisit), "dedup", FREE, NULL,
     "in web archives (WARC), write a record of type revisit in place of one that goes whole, if its payload "
     "is that of the record that stays, byte for byte"},
    {"keep", "WHICH", TEXT(dedup.keep), "dedup", FREE, "first",
     "which copy stays; first: in order of the collection; longest: of the longest document; "
     "field:NAME: of the document with the greatest number, or else the least text, in this field "
     "of its JSON line, or else of /documents/meta; list:FILE: of a document whose id is a line of FILE; best:KEY,KEY: of the one that is first by these "
     "keys, each words, date, depth (of the address) or field:NAME (of /documents/meta), least first, with - before "
     "it greatest first. After detect --against, "
     "text of sources always stays"},
    {"min-left", "SHARE", REAL(dedup.min_left, -1, 1), "dedup", FREE, "-1",
     "a document goes whole if less than this share of its words would be left; the proof has "
     "these words, too; -1: 0 with --remove passages, so that no other text goes, and 0.2 with "
     "--remove documents"},
    {"min-run", "N", COUNT(dedup.min_run, -1, 1e9), "dedup", FREE, "-1",
     "a part of a document goes only if it has this many words in a row, and is no part of a list, "
     "table or box; -1: 20, but 1 after check or detect --against"},
    {"min-agreement", "X", REAL(dedup.min_agreement, 0.5, 1), "dedup", FREE, "0.8",
     "a sentence goes only if at least this share of its words stands in the kept text, in order"},
    {"max-loss", "SHARE", REAL(dedup.max_loss, 0, 1), "dedup", FREE, "1",
     "write nothing if a file would lose more than this share of its text"},
    {"by", "WHAT", TEXT(dedup.by), "dedup", FREE, NULL,
     "tell losses by file or host or field:NAME; the last: by the values of this field of "
     "/documents/meta. --max-loss is about them, too, and without --by about files"},
    {"annotate", NULL, FLAG(dedup.annotate), "dedup", FREE, NULL,
     "write attributes instead of the collection; the folder attributes gets a line for each "
     "document, with the passages that could go, in characters"},
    {"list", NULL, FLAG(dedup.list), "dedup", FREE, NULL,
     "write lists of ids instead of the collection; keep.txt has the documents that stay, drop.txt "
     "those that go whole"},
    {"certificate", NULL, FLAG(dedup.certificate), "dedup", FREE, NULL,
     "write certificate.json to the proof: SHA-256 of all files, and Merkle roots over records and removals"},
    {"check", NULL, FLAG(dedup.check), "dedup", FREE, NULL,
     "run a second job over the new collection, with the options of the result, and say what it still finds, "
     "also if --ignore names aside.txt.zst, the text that detect has set aside; check.json has it"},
    {"resume", NULL, FLAG(dedup.resume), "dedup", FREE, NULL,
     "go on where an earlier try with the same options has ended"},
    {"force", NULL, FLAG(force), "detect compare check families report picture export frequencies eval", FREE, NULL,
     "let -o replace a file that pardup has not written"},
    {"quiet", NULL, FLAG(quiet), "*", FREE, NULL, "say nothing on standard error but errors"},
    {"verbose", NULL, FLAG(verbose), "*", FREE, NULL,
     "also say what was counted, and what each stage took"},
    {.name = NULL, .commands = "*"}, /* options of a command alone follow (app/commands.c) */
};
/* clang-format on */

bool pd_listed(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = list; n > 0 && (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

bool pd_option_belongs(const struct pd_option *option, const char *command)
{
    return !option->commands || strcmp(option->commands, "*") == 0 ||
           pd_listed(option->commands, command);
}

const struct pd_option *pd_option_find(const char *command, const char *name, size_t n)
{
    for (const struct pd_option *option = pd_option_table; option->name; option++)
        if (strlen(option->name) == n && memcmp(option->name, name, n) == 0 &&
            pd_option_belongs(option, command))
            return option;
    return NULL;
}

int pd_option_choice(const struct pd_option *option, const char *name)
{
    for (int k = 0; option->choices[k]; k++)
        if (strcmp(option->choices[k], name) == 0)
            return k;
    return -1;
}

/* ---- values for the result file and the checkpoint ---- */

/* The name in the result file: `attribute`, or the option's name with "_" for "-". */
static void name_attribute(const struct pd_option *option, char *name, size_t size)
{
    snprintf(name, size, "%s", option->attribute ? option->attribute : option->name);
    for (char *dash; (dash = strchr(name, '-'));)
        *dash = '_';
}

static void set_count(struct pd_setting *s, uint64_t count)
{
    s->type = PD_SETTING_COUNT;
    s->count = count;
    snprintf(s->buffer, sizeof s->buffer, "%" PRIu64, count);
}

void pd_option_setting(const struct pd_option *option, const struct pd_options *o,
                       struct pd_setting *s)
{
    const void *member = (const char *)o + option->offset;
    const int64_t *counts = member;
    const double *reals = member;
    char low[PD_REAL_ROOM], high[PD_REAL_ROOM];
    s->type = PD_SETTING_TEXT;
    s->text = s->buffer;
    name_attribute(option, s->name, sizeof s->name);
    switch (option->kind) {
    case PD_OPTION_TEXT:
        s->text = *(const char *const *)member ? *(const char *const *)member : "";
        break;
    case PD_OPTION_CHOICE:
        s->text = option->choices[*(const unsigned *)member];
        break;
    case PD_OPTION_FLAG:
        set_count(s, *(const bool *)member);
        break;
    case PD_OPTION_COUNT:
    case PD_OPTION_BYTES:
        set_count(s, (uint64_t)counts[0]);
        break;
    case PD_OPTION_COUNTS:
        snprintf(s->buffer, sizeof s->buffer, "%" PRId64 ",%" PRId64, counts[0], counts[1]);
        break;
    case PD_OPTION_REAL:
        s->type = PD_SETTING_REAL;
        s->real = reals[0];
        pd_real_print(reals[0], s->buffer);
        break;
    case PD_OPTION_RANGE:
        pd_real_print(reals[0], low);
        pd_real_print(reals[1], high);
        snprintf(s->buffer, sizeof s->buffer, "%s,%s", low, high);
        break;
    case PD_OPTION_PAIR:
    case PD_OPTION_TEXTS: /* no list of texts is recorded, which tests/unit/test_options.c checks */
        s->text = "";
        break;
    }
}
