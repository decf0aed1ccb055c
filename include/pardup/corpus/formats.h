/*
 * corpus/formats.h - the input formats, one row each.
 *
 * A new format is a file src/corpus/ROOM/NAME.c that defines its struct pd_layout
 * (src/corpus/inside.h), and a row here. Command line, --help, detection and reading follow from
 * the row.
 */
#ifndef PARDUP_CORPUS_FORMATS_H
#define PARDUP_CORPUS_FORMATS_H

/*
 * The formats, in the order in which the command line lists them.
 *   NAME     in PD_FORMAT_NAME
 *   name     as the user types it, and as a result file keeps it
 *   layout   pd_layout_LAYOUT: how a file is recognised, whether it may be entered in the middle,
 *            and the functions that read it
 *   media    PD_MEDIA_MEDIA: what the body of a document is, if --format names this format and a
 *            document is a whole file
 *   turn     PD_FORMAT_AUTO tries the formats in ascending order of this number, which differs
 *            from row to row; 0: not at all. A file that no format recognises is one document,
 *            HTML or plain text.
 *   help     one line for --help
 */
/* clang-format off */
#define PD_FORMAT_ROWS(ROW)                                                                        \
    /*  NAME     name     layout   media    turn  help */                                          \
    ROW(WARC,    warc,    warc,    UNKNOWN, 10,   "web archives: WARC 0.18, 1.0 and 1.1")          \
    ROW(JSONL,   jsonl,   jsonl,   UNKNOWN, 60,   "JSON lines: one object a line")                 \
    ROW(HTML,    html,    whole,   HTML,     0,   "each file is an HTML page")                     \
    ROW(TEXT,    text,    whole,   TEXT,     0,   "each file is a plain text")                     \
    ROW(ARC,     arc,     arc,     UNKNOWN, 20,   "web archives: ARC 1 and 2")                     \
    ROW(TREC,    trec,    trec,    UNKNOWN, 30,   "<DOC> ... </DOC>: TREC, Gigaword, Wikipedia")   \
    ROW(REUTERS, reuters, reuters, UNKNOWN, 40,   "Reuters-21578")                                 \
    ROW(MBOX,    mbox,    mbox,    UNKNOWN, 50,   "mail folders: messages behind From lines")      \
    ROW(MAIL,    mail,    mail,    UNKNOWN, 70,   "each file is a mail or news message")           \
    ROW(SOGOU,   sogou,   trec,    UNKNOWN,  0,   "SogouT and Sogou's news; the same as trec")     \
    ROW(PARQUET, parquet, parquet, UNKNOWN,  5,   "Parquet: a row is a document")                  \
    ROW(JSON,    json,    json,    UNKNOWN, 55,   "JSON: objects over many lines, or a list")      \
    ROW(CSV,     csv,     csv,     UNKNOWN,  0,   "tables, .csv or .tsv: a row is a document")                  \
    ROW(OFFICE,    office,    office,    UNKNOWN,  3, "docx, pptx, odt, epub: each file is a document")      \
    ROW(NOTEBOOK,  notebook,  notebook,  UNKNOWN,  4, "Jupyter's notebooks: the sources of the cells")       \
    ROW(CONVERTED, converted, converted, UNKNOWN,  0, "pdf, rtf, doc and others: --convert makes text of each file") \
    ROW(BULK,    bulk,    bulk,    UNKNOWN, 45,   "XML of many documents: PubMed, patents, MediaWiki") \
    ROW(CARD,    card,    card,    UNKNOWN,  6,   "vCards and calendars: each file is a document")       \
    ROW(ADDED,   added,   added,   UNKNOWN,  2,   "XML of many documents, which --vocabulary names")
/* clang-format on */

#define PD_FORMAT_NUMBER(NAME, name, layout, media, turn, help) PD_FORMAT_##NAME,
enum pd_format {
    PD_FORMAT_AUTO,                             /* the first bytes of each file decide */
    PD_FORMAT_ROWS(PD_FORMAT_NUMBER) PD_FORMATS /* how many formats there are, with AUTO */
};

/* Names of the formats as the user types them, by enum pd_format; NULL behind the last. */
extern const char *const pd_format_names[PD_FORMATS + 1];

/* What a format is, in one line for --help. A constant string. */
const char *pd_format_help(enum pd_format format);

#endif
