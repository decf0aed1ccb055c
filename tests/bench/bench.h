/*
 * tests/bench/bench.h - micro-benchmarks of the program's kernels.
 *
 * pardup's own code, one thread, CPU time, so that other load disturbs little. Figures of one
 * machine and hour compare with each other only. A kernel prints one line: its name, the unit, best
 * and median of BENCH_REPEATS, and how much there was of what, so that a change of the work is
 * seen.
 */
#ifndef PD_BENCH_H
#define PD_BENCH_H

#include "pardup/base/raw.h"
#include "pardup/base/vec.h"
#include "pardup/document/document.h"

enum { BENCH_REPEATS = 9 };

/*
 * The repeated work; returns how many things it found. Time it does not want to be counted, it adds
 * to *pause. `amount` is what it goes through, in units: "MB/s" wants bytes, "M words/s" words.
 */
typedef uint64_t bench_round(void *ctx, double *pause);
void bench_repeat(const char *name, const char *unit, double amount, bench_round *round, void *ctx);

/* One measurement more has been made in `seconds`. Sorts them. */
void bench_print(const char *name, const char *unit, double amount, double *seconds,
                 uint64_t found);

double bench_seconds(void); /* of this process's CPU time */

/* A document in memory: its HTML or text as stored, or what a step before made of it. */
struct bench_page {
    struct pd_raw raw; /* body is owned */
};
PD_VEC(bench_pages, struct bench_page);

/* The step, done for one page; returns how many things it found (pages, sentences, words). */
typedef uint64_t bench_step(struct pd_document *d, const struct bench_page *page);

/*
 * The pages of the files argv[1 ...], archives or pages as pardup reads them. `prepare`, unless
 * NULL, turns each body into the text that is kept (d->text). Ends the program when there are none.
 */
void bench_load(struct bench_pages *pages, int argc, char **argv, bench_step *prepare);
void bench_unload(struct bench_pages *pages);
double bench_bytes(const struct bench_pages *pages);

/* The main program of a step: load, repeat it for all pages, print MB/s of the step's input. */
int bench_main(int argc, char **argv, const char *name, bench_step *prepare, bench_step *step);

/* The text of a page, as pd_document_read() makes it: a `prepare`. */
uint64_t bench_text_of(struct pd_document *d, const struct bench_page *page);

#endif
