/* base/cgroup.c - see src/base/cgroup.h */
#include "cgroup.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* What a search for the least limit has found so far. */
struct search {
    const char *root, *controller;
    uint64_t (*limit_in)(const char *folder, int version);
    uint64_t least;
};

/*
 * Look at a cgroup and the cgroups above it.
 *   mount  the folder of the hierarchy
 *   group  the path of the cgroup in it; a container may see another path, so the mount counts, too
 */
static void look_upwards(struct search *s, const char *mount, char *group, int version)
{
    char folder[2 * PATH_MAX];
    for (char *end;; *end = '\0') {
        snprintf(folder, sizeof folder, "%s%s", mount, group);
        const uint64_t limit = s->limit_in(folder, version);
        s->least = limit < s->least ? limit : s->least;
        if (!(end = strrchr(group, '/')))
            return;
    }
}

/* A line of /proc/self/cgroup is "number:controllers:path"; version 2 has no controllers. */
static void look_at_line(struct search *s, char *line)
{
    char mount[PATH_MAX];
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
        return;
    *group++ = '\0';
    controllers++;
    if (*controllers == '\0') {
        snprintf(mount, sizeof mount, "%s/sys/fs/cgroup", s->root);
        look_upwards(s, mount, group, 2);
        return;
    }
    for (char *name; (name = strsep(&controllers, ","));)
        if (strcmp(name, s->controller) == 0) {
            snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/%s", s->root, s->controller);
            look_upwards(s, mount, group, 1);
            return;
        }
}

uint64_t pd_cgroup_least(const char *root, const char *controller,
                         uint64_t (*limit_in)(const char *folder, int version))
{
    struct search s = {root, controller, limit_in, UINT64_MAX};
    char line[PATH_MAX];
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *f = fopen(line, "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        look_at_line(&s, line);
    }
    if (f)
        fclose(f);
    return s.least;
}
