/*
 * run/job/dedup/write/certificate.h - digests of what was read and written, in
 * PD_DEDUP_CERTIFICATE.
 *
 * The certificate is a list of JSON objects, one a line: the options, a line for each file, and a
 * line for each file of the proof. Its root is the Merkle tree's over all lines without the
 * line ends and commas. docs/dedup.md has what the lines say.
 */
#ifndef PARDUP_RUN_DEDUP_CERTIFICATE_H
#define PARDUP_RUN_DEDUP_CERTIFICATE_H

#include "run/job/dedup/job.h"

/*
 * Append the line of file k, which has been written unless it is a source.
 *   removed  the lines of the proof that are about the file
 * PD_OK, PD_EIO or PD_ESTOP.
 */
int pd_certify_file(struct pd_dedup *d, uint64_t k, const struct pd_bytes *removed,
                    struct pd_bytes *to);

/* Keep the lines of a bundle in the work folder until all files are written. PD_OK or PD_EIO. */
int pd_certify_bundle(struct pd_dedup *d, uint64_t number, const struct pd_bytes *lines);

/* For rank 0. Write the certificate, once the rest of the proof is written. */
int pd_certify(struct pd_dedup *d);

#endif
