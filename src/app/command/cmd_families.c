/* app/command/cmd_families.c - pardup families: the families of an older result. */
#include "app/commands.h"
#include "app/next.h"
#include "pardup/run/families.h"

const struct pd_command pd_command_families = {
    .name = "families",
    .usage = "[options] OUT.h5",
    .example = "pardup families -o new.h5 out.h5",
    .help = "find the families of a result anew",
    .brief = "output family-coverage memory scratch progress force",
    .next = pd_next_report,
    .operands = PD_OPERANDS_RESULT,
    .together = pd_families_remake,
};
