/*
 * tests/bench/bench.h - micro-benchmarks of the kernels between an archive and its words.
 *
 * Each program takes archives or pages, holds their documents in memory and repeats one step on
 * them: pardup's own code, one thread, CPU time, so that other load disturbs little. Figures of one
 * machine and hour compare with each other only.
 */
#ifndef PD_BENCH_H
#define PD_BENCH_H

#include "pardup/base/raw.h"
#include "pardup/base/vec.h"
#include "pardup/document/document.h"

/* A document in memory: its HTML or text as stored, or what a step before made of it. */
struct bench_page {
    struct pd_raw raw; /* body is owned */
};
PD_VEC(bench_pages, struct bench_page);

/* The step, done for one page; returns how many things it found (pages, sentences, words). */
typedef uint64_t bench_step(struct pd_document *d, const struct bench_page *page);

/*
 * The main program: argv[1 ...] are files. `prepare`, unless NULL, turns each page's body into the
 * text that `step` starts with (d->text). Prints MB/s of the step's input, best and median of
 * BENCH_REPEATS, and what was found.
 */
enum { BENCH_REPEATS = 9 };
int bench_main(int argc, char **argv, const char *name, bench_step *prepare, bench_step *step);

/* The text of a page, as pd_document_read() makes it: a `prepare`. */
uint64_t bench_text_of(struct pd_document *d, const struct bench_page *page);

double bench_seconds(void); /* of this process's CPU time */

/* Best and median of BENCH_REPEATS measurements, in MB/s. */
void bench_print(const char *name, double bytes, double *seconds, uint64_t found);

#endif
