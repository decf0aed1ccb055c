/* run/budget.c - see src/run/budget.h */
#include "run/budget.h"

/*
 * Steps of a job, in their order in time. A step begins when all ranks have ended the step before.
 * The last ones are the steps of dedup, which is a job of its own.
 */
enum step {
    READ,
    NUMBER,
    COUNT,
    FLAG,
    SIGHT,
    TELL,
    SITE,
    SIZE,
    STAND,
    JUDGE,
    SIGN,
    COLLAPSE,
    REPRESENT,
    KEEP_SETS,
    FREQUENCIES,
    CODE,
    NOTICE,
    SIFT,
    PROBE,
    COMPARE,
    ADD_UP,
    CROWD,
    PARTNER,
    SHARE,
    EXPAND,
    REGION,
    WINDOW,
    REFINE,
    ASK,
    REPLY,
    ROW,
    END_SLICE,
    MATCH,
    REACH,
    CUT,
    MEET,
    BOND,
    KNOW,
    DECIDE,
    CHOOSE,
    SETTLE,
    DIVIDE,
    ANSWER,
    TIE,
    MEASURE,
    PLACE,
    WRITE,
    CLAIM,
    VERIFY,
    HAND_OVER,
    COPY,
    STEPS
};

/*
 * The memory of a budget is in use from the beginning of step `from` to the end of step `to`. A
 * sorter is read from step `read` on; then it needs at most half of its budget (store/sorter.h):
 * the records, or the buffers of merging. Where `read` is STEPS, all of the budget counts until the
 * end: memory that is no sorter's, and a sorter that is filled and read in the same step.
 */
static const struct row {
    unsigned share; /* the budget is 1 / share of the memory */
    enum step from, read, to;
} rows[PD_BUDGETS] = {
    [PD_BUDGET_LIBRARY] = {4, READ, STEPS, WRITE},
    [PD_BUDGET_VOLUME] = {8, READ, STEPS, READ},
    [PD_BUDGET_IDS] = {4, NUMBER, NUMBER, NUMBER},
    [PD_BUDGET_COUNTS] = {2, COUNT, FLAG, FLAG},
    [PD_BUDGET_CANDIDATES] = {16, COUNT, STEPS, FLAG},
    [PD_BUDGET_FLAGGED] = {8, FLAG, STEPS, FLAG},
    [PD_BUDGET_SITES] = {8, SITE, STEPS, SIZE},
    [PD_BUDGET_SITE_SIZES] = {8, SIZE, STAND, STAND},
    [PD_BUDGET_SIGHTINGS] = {4, SIGHT, TELL, TELL},
    [PD_BUDGET_STUBS] = {8, TELL, SITE, SITE},
    [PD_BUDGET_STANDINGS] = {2, STAND, JUDGE, JUDGE},
    [PD_BUDGET_ASIDES] = {16, STAND, SIGN, SIGN},
    [PD_BUDGET_POSTINGS] = {2, SIGN, COLLAPSE, COLLAPSE},
    [PD_BUDGET_INDEX_TABLES] = {8, FLAG, STEPS, COLLAPSE},
    [PD_BUDGET_INDEX_SETS] = {8, COLLAPSE, STEPS, COLLAPSE},
    [PD_BUDGET_INDEX_KEYS] = {8, COLLAPSE, STEPS, COLLAPSE},
    [PD_BUDGET_REPRESENTATIVES] = {8, REPRESENT, KEEP_SETS, KEEP_SETS},
    [PD_BUDGET_SETS] = {16, KEEP_SETS, STEPS, COMPARE},
    [PD_BUDGET_FREQUENCIES] = {2, FREQUENCIES, STEPS, FREQUENCIES},
    [PD_BUDGET_CODED] = {8, FREQUENCIES, CODE, CODE},
    [PD_BUDGET_CODES] = {4, CODE, STEPS, CODE},
    [PD_BUDGET_NOTICES] = {4, NOTICE, STEPS, NOTICE},
    [PD_BUDGET_WANTED] = {8, NOTICE, SIFT, SIFT},
    [PD_BUDGET_PROBES] = {4, PROBE, COMPARE, COMPARE},
    [PD_BUDGET_PAIR_COUNTS] = {4, COMPARE, ADD_UP, ADD_UP},
    [PD_BUDGET_FOUND] = {8, PROBE, CROWD, PARTNER},
    [PD_BUDGET_TALLY] = {16, PROBE, STEPS, COMPARE},
    [PD_BUDGET_CROWDS] = {16, CODE, CROWD, CROWD},
    [PD_BUDGET_PAIRS] = {8, PARTNER, SHARE, SHARE},
    [PD_BUDGET_CROWD_SUMS] = {8, CROWD, STEPS, CROWD},
    [PD_BUDGET_UNITS] = {4, SHARE, STEPS, SHARE},
    [PD_BUDGET_FANS] = {2, EXPAND, REGION, END_SLICE},
    [PD_BUDGET_PAIRING] = {32, REGION, STEPS, ASK},
    [PD_BUDGET_BLOCKS] = {16, REGION, STEPS, ASK},
    [PD_BUDGET_REGIONS] = {8, REGION, WINDOW, WINDOW},
    [PD_BUDGET_WINDOWS] = {4, WINDOW, REFINE, REFINE},
    [PD_BUDGET_UNREFINED] = {16, REGION, STEPS, REFINE},
    [PD_BUDGET_REFINED] = {64, REFINE, STEPS, ASK},
    [PD_BUDGET_LATER] = {64, ASK, STEPS, ASK},
    [PD_BUDGET_REQUESTS] = {4, ASK, REPLY, REPLY},
    [PD_BUDGET_REPLIES] = {4, REPLY, ROW, ROW},
    [PD_BUDGET_WAITING] = {8, ASK, STEPS, ROW},
    [PD_BUDGET_ROWS] = {8, ROW, END_SLICE, END_SLICE},
    [PD_BUDGET_MATCHES] = {64, MATCH, STEPS, WRITE},
    [PD_BUDGET_VERDICTS] = {32, ROW, STEPS, WRITE},
    [PD_BUDGET_VERDICT_ROWS] = {16, WRITE, STEPS, WRITE},
    [PD_BUDGET_SPANS] = {16, REACH, CUT, CUT},
    [PD_BUDGET_DATES] = {32, CUT, STEPS, CUT},
    [PD_BUDGET_ENDS] = {16, CUT, MEET, MEET},
    [PD_BUDGET_MEMBERS] = {16, CUT, MEET, MEET},
    [PD_BUDGET_FACTS] = {16, MEET, DIVIDE, DIVIDE},
    [PD_BUDGET_BONDED] = {32, MEET, STEPS, BOND},
    [PD_BUDGET_BONDS] = {16, BOND, KNOW, KNOW},
    [PD_BUDGET_NEIGHBOURS] = {16, KNOW, DECIDE, DECIDE},
    [PD_BUDGET_ROUNDS] = {32, DECIDE, STEPS, DECIDE},
    [PD_BUDGET_TOLD] = {32, DECIDE, STEPS, CHOOSE},
    [PD_BUDGET_CHOICES] = {16, DECIDE, SETTLE, SETTLE},
    [PD_BUDGET_HOMES] = {16, SETTLE, STEPS, SETTLE},
    [PD_BUDGET_ASKED_HOMES] = {16, SETTLE, STEPS, SETTLE},
    [PD_BUDGET_PARTS] = {16, DIVIDE, ANSWER, ANSWER},
    [PD_BUDGET_FAMILIES] = {32, ANSWER, STEPS, WRITE},
    [PD_BUDGET_MEMBER_ROWS] = {32, ANSWER, STEPS, WRITE},
    [PD_BUDGET_ANSWERS] = {32, ANSWER, WRITE, WRITE},
    [PD_BUDGET_PAIRED] = {32, REACH, STEPS, TIE},
    [PD_BUDGET_LINKS] = {16, TIE, STEPS, TIE},
    [PD_BUDGET_SMALLER] = {16, TIE, STEPS, TIE},
    [PD_BUDGET_TIES] = {32, TIE, MEASURE, MEASURE},
    [PD_BUDGET_SIZES] = {32, MEASURE, PLACE, PLACE},
    [PD_BUDGET_PLACES] = {32, PLACE, WRITE, WRITE},
    [PD_BUDGET_DOCUMENT_FAMILIES] = {32, PLACE, STEPS, WRITE},
    [PD_BUDGET_SKIPS] = {8, WRITE, STEPS, WRITE},
    [PD_BUDGET_ASIDE_DOCUMENTS] = {32, WRITE, STEPS, WRITE},
    [PD_BUDGET_ASIDE_SPANS] = {32, WRITE, STEPS, WRITE},
    [PD_BUDGET_WRITE] = {16, WRITE, STEPS, WRITE},
    [PD_BUDGET_CLAIMS] = {16, CLAIM, STEPS, CLAIM},
    [PD_BUDGET_DOCUMENTS] = {4, CLAIM, STEPS, HAND_OVER},
    [PD_BUDGET_COPIED] = {3, VERIFY, STEPS, HAND_OVER},
    [PD_BUDGET_ASKED] = {64, VERIFY, STEPS, VERIFY},
    [PD_BUDGET_CHANGED] = {8, HAND_OVER, STEPS, HAND_OVER},
    [PD_BUDGET_HELD] = {16, VERIFY, STEPS, VERIFY},
    [PD_BUDGET_FOLLOWED] = {16, VERIFY, STEPS, VERIFY},
    [PD_BUDGET_PAGES] = {4, COPY, STEPS, COPY},
};

uint64_t pd_budget_bytes(uint64_t memory, enum pd_budget what) { return memory / rows[what].share; }

uint64_t pd_budget_memory(uint64_t n, enum pd_budget what) { return n * rows[what].share; }

/* Does the budget deal dots to pairs? They are dealt for passages, and once more at step MATCH. */
static bool deals(const struct row *row)
{
    return row == &rows[PD_BUDGET_FANS] || row == &rows[PD_BUDGET_PAIRING] ||
           row == &rows[PD_BUDGET_BLOCKS];
}

/* The share of the memory that a budget takes at a step. */
static double share_at(const struct row *row, enum step step)
{
    if (step == MATCH && deals(row))
        return 1.0 / row->share;
    if (step < row->from || step > row->to)
        return 0;
    return (step < row->read ? 1.0 : 0.5) / row->share;
}

bool pd_budget_fits(void)
{
    for (enum step step = 0; step < STEPS; step++) {
        double used = 0;
        for (int k = 0; k < PD_BUDGETS; k++)
            used += share_at(&rows[k], step);
        if (used > 1)
            return false;
    }
    return true;
}
