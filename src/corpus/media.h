/*
 * corpus/media.h - what a Content-Type says, as servers write it (RFC 9110, section 8.3).
 *
 * Values in archives are lists, stand in quotes, lack the ';' before a parameter, have a ':' for
 * it, or name types that do not exist. A type is any word with a '/' in it.
 */
#ifndef PARDUP_CORPUS_MEDIA_H
#define PARDUP_CORPUS_MEDIA_H

#include "fields.h"
#include "pardup/base/raw.h"

enum pd_type_says {
    PD_TYPE_NO,      /* not a document: an image, a PDF */
    PD_TYPE_YES,     /* a document */
    PD_TYPE_PERHAPS, /* a document if it begins as a page: application/octet-stream */
};

/*
 * What the value of a Content-Type says. *media is the format; PD_MEDIA_UNKNOWN when there is no
 * type, when the type says nothing, or when it is a text type other than text/plain.
 */
enum pd_type_says pd_media_of(const struct pd_field *type, enum pd_media *media);

/*
 * The character set that the value of a Content-Type names, without quotes. It points into the
 * value; its v is NULL when there is none.
 */
struct pd_field pd_media_charset(const struct pd_field *type);

/*
 * Does s[0, n) begin as a page of HTML or a feed, behind white space, comments and XML
 * declarations?
 */
bool pd_media_begins_page(const unsigned char *s, size_t n);

#endif
