/* app/result_options.c - see src/app/result_options.h */
#include "result_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/real.h"
#include "pardup/base/vec.h"
#include "pardup/index/index.h"
#include "pardup/result/reader.h"
#include "pardup/run/index.h"
#include "pardup/run/option_table.h"

enum { SETTINGS_MOST = 400 }; /* names and values */

static char *print_count(uint64_t count)
{
    char *text = pd_realloc(NULL, 32, 1);
    snprintf(text, 32, "%" PRIu64, count);
    return text;
}

static char *print_real(double real)
{
    char *text = pd_realloc(NULL, PD_REAL_ROOM, 1);
    pd_real_print(real, text);
    return text;
}

/* The value of an option in a result, allocated; NULL: it has none, or that of a flag not given. */
static char *value_of(struct pd_result *r, const struct pd_option *option)
{
    const struct pd_options none = {.command = NULL};
    struct pd_setting s;
    uint64_t count;
    double real;
    char *text = NULL;
    pd_option_setting(option, &none, &s);
    if (s.type == PD_SETTING_COUNT)
        return pd_result_count(r, s.name, &count) && (option->kind != PD_OPTION_FLAG || count)
                   ? print_count(count)
                   : NULL;
    if (s.type == PD_SETTING_REAL && pd_result_real(r, s.name, &real) >= 0)
        return print_real(real);
    if (s.type == PD_SETTING_TEXT && pd_result_text(r, s.name, &text) >= 0 && *text)
        return text;
    pd_error_clear();
    free(text);
    return NULL;
}

int pd_result_settings(const char *path, const char *const **settings)
{
    static const char *list[SETTINGS_MOST + 1];
    struct pd_result *r;
    size_t n = 0;
    for (size_t k = 0; list[k]; k += 2)
        free((char *)(size_t)list[k + 1]);
    list[0] = NULL;
    PD_TRY(pd_result_open(path, &r));
    for (const struct pd_option *option = pd_option_table; option->name; option++) {
        if (!pd_option_belongs(option, "detect") || option->role == PD_OPTION_FREE ||
            strcmp(option->name, "preset") == 0 || n + 2 > SETTINGS_MOST)
            continue;
        list[n + 1] = value_of(r, option);
        list[n] = option->name;
        n += list[n + 1] ? 2 : 0;
    }
    list[n] = NULL;
    pd_result_close(r);
    *settings = list;
    return PD_OK;
}

/* Does the option say how files are read? */
static bool is_of_files(const char *name)
{
    static const char *const names[] = {"format", "id-field", "text-field", "url-field",
                                        "max-document"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

int pd_index_settings(const char *dir, bool all, const char *const **settings)
{
    static struct pd_index_manifest manifest; /* has the values */
    static const char *list[SETTINGS_MOST + 1];
    size_t n = 0;
    if (!dir || !*dir)
        return pd_fail(PD_EUSAGE, "the folder of the index is not given");
    PD_TRY(pd_index_manifest_read(&manifest, dir));
    const char *at = (const char *)manifest.options.v, *const end = at + manifest.options.n;
    while (at < end && n < SETTINGS_MOST) {
        const char *value = at + strlen(at) + 1;
        const struct pd_option *option = pd_option_find("index", at, strlen(at));
        if (value >= end || !option || !pd_index_keeps_option(option))
            return pd_fail(PD_EFORMAT,
                           "%s: option %.40s does not belong to an index; make the index again",
                           dir, at);
        if (all || !is_of_files(at)) {
            list[n++] = at;
            list[n++] = value;
        }
        at = value + strlen(value) + 1;
    }
    list[n] = NULL;
    *settings = list;
    return PD_OK;
}
