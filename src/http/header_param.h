/*
 * header_param: the parameters of a header value such as `form-data; name="file"; filename=a.pdf`
 * (RFC 9110 section 5.6.6), read as leniently as is safe.
 *
 * Values are quoted or not (an unquoted one ends at the next ';'). In quotes \" and \\ stand for
 * " and \, any other \ for itself: browsers once sent whole Windows paths.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct header_param {
    const char *name; /* into the text that is read; not terminated */
    size_t name_len;
    struct buf value; /* unquoted */
};

/* A local that starts zeroed and frees its value. */
#define AUTO_HEADER_PARAM __attribute__((cleanup(header_param_free)))
void header_param_free(struct header_param *param);

/* What stands before the first ';', without blanks around it; *rest is where the parameters begin.
 * Returns its length. */
size_t header_param_head(const char *text, const char **head, const char **rest);

/* The next parameter at *rest: 1 found, 0 there is none left, -1 it is broken (or memory ran out).
 */
int header_param_next(const char **rest, struct header_param *param);

/* Whether the parameter has this (lower-case) name. */
bool header_param_is(const struct header_param *param, const char *name);

/* The value of `name*=` (RFC 8187): charset'language'%C3%A9. UTF-8 and ISO-8859-1, the latter
 * turned into UTF-8. False if it is broken or holds a NUL. */
bool header_param_extended(const char *text, struct buf *out);

/* Bytes that are not UTF-8, taken as ISO-8859-1 and written as UTF-8. */
void header_param_latin1(const char *text, size_t n, struct buf *out);
bool header_param_is_utf8(const char *text, size_t n);

/* Whether c may stand in a token: a header's name, a method (RFC 9110 section 5.6.2). */
bool header_param_is_token(unsigned char c);
