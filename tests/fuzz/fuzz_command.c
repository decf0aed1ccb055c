/*
 * tests/fuzz/fuzz_command.c - commands that read what a stranger may have made, in this process: report
 * and explain a real result with changed bytes, and check answers any bytes as lines of a socket.
 *
 * The result is not compressed, so the bytes of its columns lie in it as they are. Changes go to the
 * values of all columns, one after the other. fuzz_result.c changes any bytes of a result.
 */
#include <fcntl.h>
#include <hdf5.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "app/options.h"
#include "fuzz.h"
#include "pardup/base/bytes.h"
#include "pardup/base/log.h"
#include "pardup/base/open.h"
#include "pardup/base/vec.h"
#include "pardup/result/schema.h"

enum { TEXTS = 4, SENTENCES = 12, WORDS = 9, ARGUMENTS = 16, LEAST = 2 };

static char folder[64];
static int before; /* the folder where libFuzzer has its inputs */

/* Call a command; `words` are its arguments, NULL behind the last. */
static int call(const struct pd_command *command, const char *const *words)
{
    char *argv[ARGUMENTS] = {NULL};
    struct pd_options o;
    struct pd_comm alone;
    int n = 0;
    pd_comm_alone(&alone);
    for (; words[n]; n++)
        argv[n] = (char *)(size_t)words[n];
    int status = pd_options_parse(&o, command, n, argv);
    o.job.progress = PD_PROGRESS_NONE;
    o.command = "fuzz";
    if (status >= 0)
        status = command->alone ? command->alone(&o) : command->together(&alone, &o);
    pd_options_release(&o);
    return status;
}

/* Texts that have passages in common, for a collection. */
static void write_texts(void)
{
    char path[32];
    for (int t = 0; t < TEXTS; t++) {
        snprintf(path, sizeof path, "in/%d.txt", t);
        FILE *f = fopen(path, "w");
        PD_CHECK(f);
        for (int s = t; s < t + SENTENCES; s++)
            for (int w = 0; w < WORDS; w++)
                fprintf(f, w == WORDS - 1 ? "w%d.\n" : "W%d ", s * (w + 3) % 97);
        PD_CHECK(fclose(f) == 0);
    }
}

static void remove_folder(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    PD_CHECK(system(command) == 0); /* NOLINT(cert-env33-c) */
}

/* Go to the folder with what the command reads, which is made once. */
static void begin(void)
{
    static const char *const detect[] = {"--compress", "none",    "--gamma", "1",
                                         "-o",         "good.h5", "in",      NULL};
    static const char *const index[] = {"--with-text", "-o", "good.index", "in", NULL};
    if (folder[0]) {
        PD_CHECK(chdir(folder) == 0);
        return;
    }
    before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    snprintf(folder, sizeof folder, "/tmp/fuzz-command-XXXXXX");
    PD_CHECK(before >= 0 && mkdtemp(folder) && chdir(folder) == 0 && mkdir("in", 0700) == 0);
    atexit(remove_folder);
    const int none = open("/dev/null", O_WRONLY);
    PD_CHECK(none >= 0 && dup2(none, STDOUT_FILENO) >= 0 && close(none) == 0);
    pd_log_open(0, 1, PD_LOG_ERROR);
    write_texts();
    PD_CHECK(call(&pd_command_detect, detect) >= 0 && call(&pd_command_index, index) >= 0);
}

/* Where the values of a column lie in the file. */
struct stretch {
    size_t at, n;
};
PD_VEC(stretches, struct stretch);

/* Find the values of all columns. Returns how many bytes they are. */
static size_t find_values(struct stretches *all)
{
    const hid_t file = H5Fopen("good.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    size_t sum = 0;
    for (size_t t = 0; t < PD_TABLES; t++)
        for (const struct pd_column *c = pd_schema[t].columns; c->name; c++) {
            char name[96];
            hsize_t rows = 0, first, bytes;
            unsigned mask;
            haddr_t at;
            snprintf(name, sizeof name, "%s/%s", pd_schema[t].name, c->name);
            const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
            if (set < 0)
                continue;
            const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
            PD_CHECK(H5Sget_simple_extent_dims(space, &rows, NULL) == 1);
            if (rows && H5Dget_chunk_info(set, space, 0, &first, &mask, &at, &bytes) >= 0) {
                stretches_push(all, (struct stretch){at, rows * H5Tget_size(type)});
                sum += rows * H5Tget_size(type);
            }
            H5Tclose(type);
            H5Sclose(space);
            H5Dclose(set);
        }
    H5Fclose(file);
    return sum;
}

/* Change the values of columns. */
static void change_values(unsigned char *file, const unsigned char *data, size_t n)
{
    static struct stretches all;
    static size_t sum;
    struct pd_bytes values = {0};
    if (sum == 0)
        sum = find_values(&all);
    for (size_t k = 0; k < all.n; k++)
        pd_bytes_append(&values, file + all.v[k].at, all.v[k].n);
    fuzz_change(values.v, values.n, data, n);
    for (size_t k = 0, at = 0; k < all.n; at += all.v[k++].n)
        memcpy(file + all.v[k].at, values.v + at, all.v[k].n);
    pd_bytes_release(&values);
}

/* Write a copy of the result with changes, as fuzz_change() has them. */
static void change_result(const unsigned char *data, size_t n)
{
    static struct pd_bytes real;
    struct pd_bytes changed = {0};
    FILE *f;
    if (real.n == 0)
        PD_CHECK(pd_read_regular("good.h5", &real) == PD_OK);
    pd_bytes_append(&changed, real.v, real.n);
    change_values(changed.v, data, n);
    PD_CHECK((f = fopen("changed.h5", "wb")));
    PD_CHECK(fwrite(changed.v, 1, changed.n, f) == changed.n && fclose(f) == 0);
    pd_bytes_release(&changed);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    static const char *const report[] = {"-o", "page.html", "changed.h5", NULL};
    static const char *const explain[] = {"changed.h5", "0", "1", NULL};
    static const char *const check[] = {"--index", "good.index", "--stdin", NULL};
    int status = PD_OK;
    begin();
    pd_error_clear();
    switch (COMMAND) {
    case 'r':
    case 'e':
        change_result(data, n);
        status =
            COMMAND == 'r' ? call(&pd_command_report, report) : call(&pd_command_explain, explain);
        break;
    default: {
        const int lines = open(fuzz_file(data, n), O_RDONLY);
        PD_CHECK(lines >= 0 && dup2(lines, STDIN_FILENO) >= 0 && close(lines) == 0);
        status = call(&pd_command_check, check);
        PD_CHECK(status >= 0); /* what a client sends is answered, whatever it is */
    }
    }
    PD_CHECK(status >= 0 || strlen(pd_error_text()) > LEAST);
    pd_error_clear();
    PD_CHECK(fchdir(before) == 0);
    return 0;
}
