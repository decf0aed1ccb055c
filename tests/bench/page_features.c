/*
 * Writes the features of web pages, for scripts/data/train_content.py: page_features FILE...
 * For each file: the number of blocks (int32), the page's features (int16), then for each block the
 * bytes of its text (int32), its features (int16), its text.
 * page_features --names: the names of the features, a line for the page, a line for blocks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/charset/charset.h"
#include "document/page/page_features.h"
#include "pardup/base/raw.h"

static void read_file(const char *path, struct pd_bytes *bytes)
{
    unsigned char buffer[1 << 16];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    bytes->n = 0;
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        pd_bytes_append(bytes, buffer, n);
    fclose(file);
}

static void print_names(void)
{
    static const char *const page[] = {PD_PAGE_FEATURES(PD_FEATURE_NAME)};
    static const char *const block[] = {PD_BLOCK_FEATURES(PD_FEATURE_NAME)};
    for (size_t k = 0; k < PD_PAGE_N; k++)
        k < PD_PAGE_PLAIN ? printf("%s ", page[k]) : printf("group%zu ", k - PD_PAGE_PLAIN);
    printf("\n");
    for (size_t k = 0; k < PD_BLOCK_KINDS; k++)
        k < PD_BLOCK_PLAIN ? printf("%s ", block[k]) : printf("group%zu ", k - PD_BLOCK_PLAIN);
    printf("\n");
}

/* Read a page and its blocks. */
static void read_outline(const char *path, struct pd_outline *outline, struct pd_bytes *text)
{
    static struct pd_bytes bytes, utf8;
    static struct pd_html_outline layout;
    read_file(path, &bytes);
    const struct pd_raw raw = {.body = bytes.v, .n = bytes.n, .media = PD_MEDIA_HTML};
    const unsigned char *html;
    size_t n;
    uint64_t replaced = 0;
    pd_charset_to_utf8(&raw, &utf8, &html, &n, &replaced, NULL);
    text->n = 0;
    pd_html_text_outlined(html, n, false, text, &layout);
    pd_outline_read(outline, html, n, text, &layout);
}

static void write_page(const struct pd_outline *outline, const struct pd_bytes *text)
{
    int16_t page[PD_PAGE_N], features[PD_BLOCK_N];
    pd_page_features(outline, page);
    const int32_t blocks = (int32_t)outline->blocks.n;
    fwrite(&blocks, sizeof blocks, 1, stdout);
    fwrite(page, sizeof page, 1, stdout);
    struct pd_block_walk *walk = pd_block_walk_new(outline, page);
    for (int32_t b = 0; b < blocks; b++) {
        const struct pd_outline_block *block = &outline->blocks.v[b];
        const int32_t size = (int32_t)(block->end - block->begin);
        pd_block_walk_next(walk, features);
        fwrite(&size, sizeof size, 1, stdout);
        fwrite(features, sizeof *features, PD_BLOCK_KINDS, stdout);
        fwrite(text->v + block->begin, 1, (size_t)size, stdout);
    }
    pd_block_walk_free(walk);
}

int main(int argc, char **argv)
{
    struct pd_bytes text = {0};
    if (argc == 2 && strcmp(argv[1], "--names") == 0) {
        print_names();
        return 0;
    }
    for (int k = 1; k < argc; k++) {
        struct pd_outline outline = {0};
        read_outline(argv[k], &outline, &text);
        write_page(&outline, &text);
        pd_outline_release(&outline);
    }
    pd_bytes_release(&text);
    return 0;
}
