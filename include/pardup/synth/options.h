/* synth/options.h - what a synthetic collection is asked to be. app/options.c fills it in. */
#ifndef PARDUP_SYNTH_OPTIONS_H
#define PARDUP_SYNTH_OPTIONS_H

#include <stdint.h>

enum pd_synth_profile { PD_SYNTH_VERSIONS, PD_SYNTH_LAW, PD_SYNTH_OCR };
enum pd_synth_container { PD_SYNTH_WARC, PD_SYNTH_JSONL, PD_SYNTH_TEXT };
enum pd_synth_pack { PD_SYNTH_GZIP, PD_SYNTH_PLAIN };

struct pd_synth_options {
    int64_t seed;
    int64_t documents;   /* 0: as many as make `bytes` */
    int64_t bytes;       /* of HTML, decoded */
    int64_t page_bytes;  /* mean of a page's HTML */
    int64_t shard_bytes; /* of HTML in one file, about */
    int64_t shard;       /* the one to stream to standard output */
    double near;         /* share of pages in groups of near duplicates */
    double partial;      /* share of pages that hold a partial copy */
    double tau;          /* some edits put a sentence just above or just below this similarity */
    enum pd_synth_profile profile;
    enum pd_synth_container container;
    enum pd_synth_pack pack;
    const char *learn; /* files to learn the text model from, separated by commas; NULL: none */
    const char *bad;   /* names of bad cases, separated by commas; NULL: none */
};

#endif
