/* result/schema.c - see include/pardup/result/schema.h */
#include "pardup/result/schema.h"

#include "pardup/base/row.h"
#include "pardup/result/rows.h"

/* Offset of a member of a row; a member of another type does not compile. */
#define AT(type, row, member)                                                                      \
    _Generic(((struct row *)NULL)->member, type : offsetof(struct row, member))

/* Type, offset and width of a column. A text of variable length is a flexible array member. */
#define U64(row, member)  PD_TYPE_U64, AT(uint64_t, row, member), 0
#define I64(row, member)  PD_TYPE_I64, AT(int64_t, row, member), 0
#define F64(row, member)  PD_TYPE_F64, AT(double, row, member), 0
#define HIGH(row, member) PD_TYPE_HIGH, AT(uint64_t, row, member), 0
#define LOW(row, member)  PD_TYPE_LOW, AT(uint64_t, row, member), 0
#define FIXED_TEXT(row, member)                                                                    \
    PD_TYPE_TEXT, offsetof(struct row, member), sizeof((struct row *)NULL)->member
#define TEXT(row, member) PD_TYPE_TEXT, offsetof(struct row, member), 0
#define END                                                                                        \
    {                                                                                              \
        NULL, PD_TYPE_U64, 0, 0, NULL, NULL                                                        \
    }

/* clang-format off */
static const struct pd_column passages_columns[] = {
    /* name, struct and member, unit, description */
    {"doc_a", U64(pd_row, a), "row of /documents", "the document with the lower number"},
    {"doc_b", U64(pd_row, b), "row of /documents",
     "the document with the higher number; in a result of check the source, a row of /sources"},
    {"start_a", HIGH(pd_row, starts), "units", "first unit of the passage in doc_a"},
    {"start_b", LOW(pd_row, starts), "units", "first unit of the passage in doc_b"},
    {"length_a", HIGH(pd_row, lengths), "units", "units of the passage in doc_a"},
    {"length_b", LOW(pd_row, lengths), "units", "units of the passage in doc_b"},
    {"begin_a", HIGH(pd_row, bytes_a), "bytes", "where the passage begins in the text of doc_a"},
    {"end_a", LOW(pd_row, bytes_a), "bytes", "where the passage ends in the text of doc_a"},
    {"begin_b", HIGH(pd_row, bytes_b), "bytes", "where the passage begins in the text of doc_b"},
    {"end_b", LOW(pd_row, bytes_b), "bytes", "where the passage ends in the text of doc_b"},
    {"matched", LOW(pd_row, matched), "pairs of units", "matched pairs of units in order"},
    {"similarity", F64(pd_row, similarity), "share", "mean similarity of the matched units, (0, 1]"},
    {"words_a", HIGH(pd_row, words), "words", "words of the passage in doc_a"},
    {"words_b", LOW(pd_row, words), "words", "words of the passage in doc_b"},
    {"agreement", F64(pd_row, agreement), "share",
     "words that stand in both texts of the passage in the same order, as a share of the words of "
     "the longer text; 1: equal word for word, [0, 1]"},
    {"family", U64(pd_written_row, family), "row of /families",
     "the family of the place in doc_a that has most of the passage"},
    END};

/* A view: its rows are made by app/export/quotations.c, and lie in no struct. */
static const struct pd_column quotations_columns[] = {
    {"older", PD_TYPE_U64, 0, 0, "row of /documents", "the document with the earlier date"},
    {"younger", PD_TYPE_U64, 0, 0, "row of /documents", "the other document"},
    {"date_older", PD_TYPE_TEXT, 0, 0, NULL, "its date"},
    {"date_younger", PD_TYPE_TEXT, 0, 0, NULL, "its date"},
    {"sure", PD_TYPE_U64, 0, 0, NULL, "1: the older date surely ends before the younger one begins"},
    {"words", PD_TYPE_U64, 0, 0, "words", "words of the passage in the younger document"},
    {"agreement", PD_TYPE_F64, 0, 0, NULL, "words that agree, as in /passages"},
    {"direct", PD_TYPE_U64, 0, 0, NULL, "1: no older document agrees better with this place"},
    {"parent", PD_TYPE_U64, 0, 0, "row of /documents", "the older document that agrees best with this place"},
    {"family", PD_TYPE_U64, 0, 0, "row of /families", "the family, as in /passages"},
    {"passage", PD_TYPE_U64, 0, 0, "row of /passages", "the passage"},
    {"begin_older", PD_TYPE_U64, 0, 0, "bytes", "where it begins in the older text"},
    {"end_older", PD_TYPE_U64, 0, 0, "bytes", "where it ends in the older text"},
    {"begin_younger", PD_TYPE_U64, 0, 0, "bytes", "where it begins in the younger text"},
    {"end_younger", PD_TYPE_U64, 0, 0, "bytes", "where it ends in the younger text"},
    END};

static const struct pd_column families_columns[] = {
    {"members", U64(pd_family_row, members), "members", "places that have the text"},
    {"documents", U64(pd_family_row, documents), "documents", "documents that have a member"},
    {"words", U64(pd_family_row, words), "words",
     "words of the representative, as far as one passage has them"},
    {"representative", U64(pd_family_row, representative), "row of /members",
     "the member that stands for the text: the others agree with it"},
    {"first_date", FIXED_TEXT(pd_family_row, first_date), NULL,
     "the earliest date of its documents (--date-field), sure ones before unsure ones, in ISO 8601; "
     "empty: none has a date"},
    {"first_doc", I64(pd_family_row, first_doc), "row of /documents",
     "the first document that has this date; -1: none"},
    {"first_sure", U64(pd_family_row, first_sure), NULL,
     "1: the date is sure, and no other date of the family begins earlier; else 0"},
    END};

static const struct pd_column members_columns[] = {
    {"family", U64(pd_member_row, family), "row of /families", "the family of the member"},
    {"doc", I64(pd_member_row, doc), "row of /documents",
     "the document that has the member; -1 in a result of check: a source has it"},
    {"begin", U64(pd_member_row, begin), "bytes", "where the member begins in this text"},
    {"end", U64(pd_member_row, end), "bytes", "where the member ends in this text"},
    {"verified", U64(pd_member_row, verified), NULL,
     "1: it is the representative, or agrees with it: a passage of the two covers more than half of "
     "the member; else 0"},
    {"source", I64(pd_member_row, source), "row of /sources",
     "the source that has the member, in a result of check; -1: the document in doc has it"},
    END};

static const struct pd_column document_families_columns[] = {
    {"documents", U64(pd_document_family_row, documents), "documents", "documents of the family"},
    {"representative", I64(pd_document_family_row, representative), "row of /documents",
     "the document with the longest text, the first of equally long ones; -1 in a result of check: "
     "a source is"},
    {"source", I64(pd_document_family_row, source), "row of /sources",
     "the source that is the representative, in a result of check; -1: a document is"},
    END};

static const struct pd_column pairs_columns[] = {
    {"doc_a", U64(pd_pair, a), "row of /documents", "the document with the lower number"},
    {"doc_b", U64(pd_pair, b), "row of /documents",
     "the document with the higher number; in a result of check the source, a row of /sources"},
    {"passages", U64(pd_pair, passages), "passages", "passages that the documents share"},
    {"matched", U64(pd_pair, matched), "pairs of units", "sum of matched over the passages"},
    {"score", F64(pd_pair, score), NULL, "sum of the similarities of the matched units"},
    {"coverage_a", F64(pd_pair, coverage_a), "share", "share of the words of doc_a outside set-aside text that passages with doc_b cover"},
    {"coverage_b", F64(pd_pair, coverage_b), "share", "share of the words of doc_b outside set-aside text that passages with doc_a cover"},
    {"resemblance", F64(pd_pair, resemblance), "share",
     "similarity of the documents if whole documents are compared, else NaN"},
    END};

static const struct pd_column documents_columns[] = {
    {"id", TEXT(pd_document_row, id), NULL, "id of the document in its collection"},
    {"file", U64(pd_document_row, file), "row of /files", "the file that has the record"},
    {"offset", U64(pd_document_row, offset), "bytes", "where to read the file: byte as stored"},
    {"skip", U64(pd_document_row, skip), "bytes", "decoded bytes from offset to the record"},
    {"length", U64(pd_document_row, length), "bytes", 
     "bytes of the record: stored bytes if it fills whole members, else decoded bytes"},
    {"sentences", U64(pd_document_row, sentences), "base units", "base units of the text"},
    {"words", U64(pd_document_row, words), "words", "words of the base units"},
    {"text_bytes", U64(pd_document_row, text_bytes), "bytes", "bytes of the text"},
    {"text_hash", U64(pd_document_row, text_hash), NULL,
     "hash of the text, by which show and eval notice that it has changed"},
    {"family", I64(pd_document_row, family), "row of /document_families",
     "the family of near duplicates; -1: none"},
    {"url", TEXT(pd_document_row, id), NULL,
     "address that the document came from, up to 1024 bytes of it; empty: unknown"},
    {"host", TEXT(pd_document_row, id), NULL,
     "site of the document: the field that --site-field names, else the host of the address, else "
     "the sender of a letter, else the host that a saved page names (link rel=canonical), else the folder of the file; up "
     "to 256 bytes"},
    {"meta", TEXT(pd_document_row, id), NULL,
     "the kept fields that the document has (--keep-fields), as a JSON object; empty: none"},
    {"date", TEXT(pd_document_row, id), NULL,
     "the field that --date-field names, in ISO 8601, as precise as it is: 1626, 1626/1627, ../1699, "
     "1633? if it is unsure; empty: none"},
    END};

static const struct pd_column files_columns[] = {
    {"path", TEXT(pd_file_row, path), NULL, "path of the file"},
    {"bytes", U64(pd_file_row, bytes), "bytes", "bytes of the file as stored"},
    {"documents", U64(pd_file_row, documents), "documents", "documents in the file"},
    {"skipped", U64(pd_file_row, skipped), "records", "records that did not become documents"},
    END};

static const struct pd_column aside_columns[] = {
    {"reason", FIXED_TEXT(pd_aside_row, reason), NULL,
     "why it is set aside; template: many documents of a site have it; imprint: documents of many sites have "
     "it at an end; stub: it is set aside on stubs of a site only; common: a class in more than --max-df documents; "
     "crowded: a class that --max-near or --sct sets aside"},
    {"site", TEXT(pd_aside_row, site), NULL, "the site of a template or stub; else empty"},
    {"hash", U64(pd_aside_row, hash), NULL,
     "of a common or crowded class: first half of its set name; else hash of the site and of the words in order"},
    {"documents", U64(pd_aside_row, documents), "documents",
     "documents that have it: of the site, of an imprint at an end, of a stub the stubs"},
    {"doc", U64(pd_aside_row, doc), "row of /documents", "document of the first occurrence"},
    {"unit", U64(pd_aside_row, unit), "units",
     "unit of the first occurrence; of a template, imprint or stub: base unit; 0 of a whole document"},
    {"words", U64(pd_aside_row, words), "words", "words of the first occurrence"},
    END};

static const struct pd_column common_columns[] = {
    {"hash", U64(pd_common, sig), NULL, "first half of the set name of the class"},
    {"df", U64(pd_common, df), "documents", "documents in which the class occurs"},
    {"doc", U64(pd_common, doc), "row of /documents", "document of the first occurrence"},
    {"sentence", U64(pd_common, unit), "units", "unit of the first occurrence"},
    END};

static const struct pd_column templates_columns[] = {
    {"doc", U64(pd_aside_row, doc), "row of /documents", "document of the first occurrence"},
    {"sentence", U64(pd_aside_row, unit), "base units", "base unit of the first occurrence"},
    {"host", TEXT(pd_aside_row, site), NULL, "the site; empty: an imprint, of documents of many sites"},
    {"hash", U64(pd_aside_row, hash), NULL, "hash of the site and of the words in order"},
    {"pages", U64(pd_aside_row, documents), "documents", "documents of the site that have the unit, of an imprint at an end; if it is set aside on stubs only, stubs"},
    {"words", U64(pd_aside_row, words), "words", "words of the unit"},
    END};

static const struct pd_column matches_columns[] = {
    {"doc_a", U64(pd_match_row, a), "row of /documents", "the document with the lower number"},
    {"unit_a", U64(pd_match_row, unit_a), "units", "a unit of doc_a, from 0 on"},
    {"doc_b", U64(pd_match_row, b), "row of /documents", "the document with the higher number"},
    {"unit_b", U64(pd_match_row, unit_b), "units", "the unit of doc_b that matches it"},
    {"similarity", F64(pd_match_row, similarity), NULL, "similarity of the two, (0, 1]"},
    END};

static const struct pd_column aside_spans_columns[] = {
    {"doc", U64(pd_aside_span_row, doc), "row of /documents", "the document"},
    {"begin", U64(pd_aside_span_row, begin), "bytes", "where the span begins in its text"},
    {"end", U64(pd_aside_span_row, end), "bytes", "where the span ends in its text"},
    {"reason", FIXED_TEXT(pd_aside_span_row, reason), NULL,
     "why the text takes no part in matches, edges and shares: frame, ignored, template (also a list of "
     "links), or stub"},
    END};

static const struct pd_column skipped_columns[] = {
    {"file", U64(pd_skipped_row, file), "row of /files", "the file that has the record"},
    {"offset", U64(pd_skipped_row, offset), "bytes", "where to read the file: byte as stored"},
    {"skip", U64(pd_skipped_row, skip), "bytes", "decoded bytes from offset to the record"},
    {"reason", FIXED_TEXT(pd_skipped_row, reason), NULL, "why the record was skipped"},
    END};

static const struct pd_column sources_columns[] = {
    {"id", TEXT(pd_document_row, id), NULL, "id of the source in its collection"},
    {"file", U64(pd_document_row, file), "row of /source_files", "the file that has the record"},
    {"offset", U64(pd_document_row, offset), "bytes", "where to read the file: byte as stored"},
    {"skip", U64(pd_document_row, skip), "bytes", "decoded bytes from offset to the record"},
    {"length", U64(pd_document_row, length), "bytes",
     "bytes of the record: stored bytes if it fills whole members, else decoded bytes"},
    {"sentences", U64(pd_document_row, sentences), "base units", "base units of the text"},
    {"text_bytes", U64(pd_document_row, text_bytes), "bytes", "bytes of the text"},
    {"text_hash", U64(pd_document_row, text_hash), NULL,
     "hash of the text, by which show and eval notice that it has changed"},
    {"family", I64(pd_document_row, family), "row of /document_families",
     "the family of near duplicates; -1: none"},
    END};

static const struct pd_column source_files_columns[] = {
    {"path", TEXT(pd_file_row, path), NULL, "path of the file"},
    {"bytes", U64(pd_file_row, bytes), "bytes", "bytes of the file as stored"},
    END};

static const struct pd_column decisions_columns[] = {
    {"doc", U64(pd_decision_row, doc), "row of /documents", "the target"},
    {"collisions", U64(pd_decision_row, collisions), "units",
     "units of the target that stand in the index, in no common class"},
    {"duplicate", U64(pd_decision_row, duplicate), NULL,
     "1: more than --delta units of the target stand in the index and, where units are grams, it "
     "has a passage; or a source is equal; else 0"},
    END};

static const struct pd_column ranking_columns[] = {
    {"doc", U64(pd_ranking_row, doc), "row of /documents", "the target"},
    {"rank", U64(pd_ranking_row, rank), NULL, "place of the source in the ranking, from 1"},
    {"source", U64(pd_ranking_row, source), "row of /sources", "the source"},
    {"score", F64(pd_ranking_row, score), NULL,
     "idf of the features that both have, as a share of the idf of all features of the target"},
    END};
/* clang-format on */

#define SCHEMA(enumerator, name, description)                                                      \
    [PD_TABLE_##enumerator] = {#name, description, name##_columns},
const struct pd_table_schema pd_schema[PD_TABLES_AND_VIEWS] = {
    [PD_VIEW_QUOTATIONS] = {"quotations", "passages, the oldest first", quotations_columns},
    PD_TABLE_LIST(SCHEMA)};

#define NAME(enumerator, name, description) #name,
const char *const pd_table_names[PD_TABLES_AND_VIEWS + 1] = {PD_TABLE_LIST(NAME) "quotations",
                                                             NULL};

size_t pd_table_columns(const struct pd_table_schema *table)
{
    size_t n = 0;
    while (table->columns[n].name)
        n++;
    return n;
}
