/* corpus/formats.c - see include/pardup/corpus/formats.h */
#include "pardup/corpus/formats.h"

#include <string.h>
#include <strings.h>

#include "corpus/json/json_scan.h"
#include "inside.h"
#include "pardup/base/scan.h"

#define NAME(NAME, name, layout, media, turn, help) #name,
const char *const pd_format_names[PD_FORMATS + 1] = {"auto", PD_FORMAT_ROWS(NAME) NULL};

#define FORMAT(NAME, name, layout, media, turn, help)                                              \
    {&pd_layout_##layout, PD_MEDIA_##media, turn, help},
const struct pd_format_row pd_format_rows[PD_FORMATS] = {
    {&pd_layout_whole, PD_MEDIA_UNKNOWN, 0, "each file's first bytes decide"},
    PD_FORMAT_ROWS(FORMAT)};

const char *pd_format_help(enum pd_format format) { return pd_format_rows[format].help; }

/* ---- detection ---- */

/*
 * Pass the document type, XML declarations and comments at s[k]. Reuters' files begin with a document type.
 * Returns where they end; n when one of them has no end.
 */
static size_t pass_declarations(const unsigned char *s, size_t k, size_t n)
{
    while (pd_scan_has(s + k, n - k, "<!") || pd_scan_has(s + k, n - k, "<?")) {
        const char *close = pd_scan_has(s + k, n - k, "<!--") ? "-->" : ">";
        const unsigned char *end = memmem(s + k, n - k, close, strlen(close));
        if (!end)
            return n;
        k = pd_json_pass_blanks(s, (size_t)(end - s) + strlen(close), n);
    }
    return k;
}

bool pd_layout_starts(const struct pd_layout *layout, const struct pd_beginning *file)
{
    return file->content < file->n &&
           layout->starts(file->s + file->content, file->n - file->content) == PD_START_YES;
}

static bool recognises(const struct pd_layout *layout, const struct pd_beginning *file)
{
    return layout->recognises ? layout->recognises(file) : pd_layout_starts(layout, file);
}

const struct pd_layout *pd_layout_of(const unsigned char *s, size_t n)
{
    const size_t mark = pd_scan_has(s, n, "\xef\xbb\xbf") ? 3 : 0;
    struct pd_beginning file = {.s = s, .n = n, .text = pd_json_pass_blanks(s, mark, n)};
    file.content = pass_declarations(s, file.text, n);
    const struct pd_format_row *first = NULL;
    for (int k = 0; k < PD_FORMATS; k++) {
        const struct pd_format_row *row = &pd_format_rows[k];
        if (row->turn > 0 && (!first || row->turn < first->turn) && recognises(row->layout, &file))
            first = row;
    }
    return first ? first->layout : NULL;
}

/* Does the name of a file end so, in any case of letters, before a compression's .gz or .zst? */
static bool is_named(const char *path, const char *end)
{
    static const char *const packed[] = {".gz", ".zst", ".bz2", ".xz", ".lz4", ".Z"};
    size_t n = strlen(path);
    const size_t m = strlen(end);
    for (size_t k = 0; k < sizeof packed / sizeof *packed; k++)
        if (n > strlen(packed[k]) && strcasecmp(path + n - strlen(packed[k]), packed[k]) == 0) {
            n -= strlen(packed[k]);
            break;
        }
    return n >= m && strncasecmp(path + n - m, end, m) == 0;
}

const struct pd_layout *pd_layout_named(const char *path)
{
    for (int k = 0; k < PD_FORMATS; k++) {
        const struct pd_layout *layout = pd_format_rows[k].layout;
        for (int end = 0; end < PD_ENDINGS && layout->endings[end]; end++)
            if (is_named(path, layout->endings[end]))
                return layout;
    }
    return NULL;
}

enum pd_media pd_media_named(const char *path)
{
    static const struct {
        const char *end;
        enum pd_media media;
    } endings[] = {{".html", PD_MEDIA_HTML},
                   {".htm", PD_MEDIA_HTML},
                   {".shtml", PD_MEDIA_HTML},
                   {".xhtml", PD_MEDIA_XHTML}};
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        if (is_named(path, endings[k].end))
            return endings[k].media;
    return PD_MEDIA_UNKNOWN;
}

bool pd_is_misnamed(const char *path, const unsigned char *s, size_t n)
{
    static const char *const names[] = {".parquet", ".pdf",  ".warc", ".arc",  ".jsonl",
                                        ".ndjson",  ".json", ".csv",  ".tsv",  ".mbox",
                                        ".docx",    ".pptx", ".odt",  ".epub", ".ipynb"};
    const size_t text = pd_json_pass_blanks(s, pd_scan_has(s, n, "\xef\xbb\xbf") ? 3 : 0, n);
    const bool markup = text < n && s[text] == '<';
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (is_named(path, names[k]))
            return markup || (k == 0 && !pd_scan_has(s, n, "PAR1") && !pd_scan_has(s, n, "PARE")) ||
                   (k == 1 && !pd_scan_has(s, n, "%PDF"));
    return false;
}
