/* tests/fuzz/fuzz_main.c - run a target over kept inputs, without libFuzzer: files or folders. */
#include <stdlib.h>

#include "fuzz.h"
#include "pardup/base/bytes.h"
#include "pardup/corpus/files.h"

static void read_all(const struct pd_file *file, struct pd_bytes *to)
{
    FILE *f = fopen(file->path, "rb");
    to->n = 0;
    pd_bytes_reserve(to, file->bytes + 1);
    PD_CHECK(f && (to->n = fread(to->v, 1, file->bytes, f)) == file->bytes);
    fclose(f);
}

/* Exactly as many bytes as there are, so that a sanitizer sees who reads one more. */
static void run(const struct pd_bytes *input)
{
    unsigned char *copy = pd_realloc(NULL, input->n ? input->n : 1, 1);
    if (input->n)
        memcpy(copy, input->v, input->n);
    LLVMFuzzerTestOneInput(copy, input->n);
    free(copy);
}

int main(int argc, char **argv)
{
    struct pd_files files = {0};
    struct pd_bytes input = {0};
    for (int k = 1; k < argc; k++) {
        if (pd_files_add(&files, argv[k], NULL) != PD_OK) {
            fprintf(stderr, "%s\n", pd_error_text());
            return 1;
        }
    }
    for (size_t k = 0; k < files.n; k++) {
        read_all(&files.v[k], &input);
        fprintf(stderr, "%s\n", files.v[k].path); /* the last one is the culprit */
        run(&input);
    }
    printf("%zu inputs\n", files.n);
    const int none = files.n == 0;
    pd_files_free(&files);
    pd_bytes_release(&input);
    return none; /* an empty corpus tests nothing */
}
