/* app/index_options.c - see src/app/index_options.h */
#include "index_options.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/index/index.h"
#include "pardup/run/index.h"
#include "pardup/run/option_table.h"

enum { SETTINGS_MOST = 200 }; /* names and values */

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
