/* tools/synth/options.h - the options of `pardup synth`. The parser of the command line fills them in. */
#ifndef PARDUP_TOOLS_SYNTH_OPTIONS_H
#define PARDUP_TOOLS_SYNTH_OPTIONS_H

#include <stdint.h>

enum pd_synth_profile { PD_SYNTH_VERSIONS, PD_SYNTH_LAW, PD_SYNTH_OCR };
enum pd_synth_container { PD_SYNTH_WARC, PD_SYNTH_JSONL, PD_SYNTH_TEXT };
enum pd_synth_pack { PD_SYNTH_GZIP, PD_SYNTH_PLAIN };

/* The options of `pardup synth`: what is made, and how it is written. */
struct pd_synth_options {
    int64_t seed;        /* another seed gives another collection */
    int64_t documents;   /* documents in all; 0: bytes / page_bytes, rounded up */
    int64_t bytes;       /* bytes of HTML in all, decoded; used if documents is 0 */
    int64_t page_bytes;  /* bytes of a page's HTML: the mean */
    int64_t shard_bytes; /* bytes of HTML in one file, about */
    int64_t shard;       /* number of the file to write to standard output */
    double near;         /* share of the pages that are in groups of near duplicates */
    double partial;      /* share of the pages that have a partial copy */
    double tau; /* Jaccard index: some edits bring a sentence just above or just below it */
    enum pd_synth_profile profile;
    enum pd_synth_container container;
    enum pd_synth_pack pack;
    const char *learn; /* files to learn the text model from, separated by commas; NULL: none */
    const char *bad;   /* names of bad cases, separated by commas; NULL: none */
};

#endif
