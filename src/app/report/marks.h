/*
 * app/report/marks.h - which words of the passages of a report page have no match.
 *
 * The alignment is that of passage/alignment.h, over the whole passage. Each document is read once,
 * so the words of a side are held until the other side is read.
 */
#ifndef PARDUP_APP_REPORT_MARKS_H
#define PARDUP_APP_REPORT_MARKS_H

#include "pardup/passage/alignment.h"
#include "report.h"

struct pd_marking {
    struct pd_report_page *page;
    struct pd_alignment alignment;
    struct pd_marking_side *sides; /* of each passage: the first, the second */
    struct pd_u64s terms[2];
    uint64_t held; /* words of all sides that are held */
};

void pd_marking_init(struct pd_marking *m, struct pd_report_page *page);

/*
 * Take one side of a passage, whose document was read last. If the other side was taken before, set
 * the marks of the passage. A passage whose words or marks have no room gets none.
 *   shown   bytes of the side that are on the page, from its begin on
 */
void pd_marking_take(struct pd_marking *m, size_t passage, int side, uint64_t shown);

void pd_marking_release(struct pd_marking *m);

#endif
