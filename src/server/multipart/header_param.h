/*
 * header_param: the parameters of a header value such as `form-data; name="file"; filename=a.pdf`
 * (RFC 9110 section 5.6.6), read as leniently as is safe.
 *
 * Values are quoted or not (an unquoted one ends at the next ';'). Inside quotes \" means " and \\
 * means \; any other \ is literal, because some browsers sent whole Windows paths.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct header_param {
    const char *name; /* points into the text that is read; not terminated */
    size_t name_len;
    struct buf value; /* unquoted */
};

/* A local that starts zeroed and frees its value. */
#define AUTO_HEADER_PARAM __attribute__((cleanup(header_param_free)))
void header_param_free(struct header_param *param);

/* Finds the text before the first ';', without blanks around it; *rest is where the parameters
 * begin. Returns its length. */
size_t header_param_head(const char *text, const char **head, const char **rest);

/* Reads the next parameter at *rest. Returns 1 if there is one, 0 at the end, -1 if it is
 * malformed (or memory ran out). */
int header_param_next(const char **rest, struct header_param *param);

/* Whether the parameter has this name, which is lower case. */
bool header_param_is(const struct header_param *param, const char *name);

/* Decodes the value of `name*=` (RFC 8187): charset'language'%C3%A9, in UTF-8 or ISO-8859-1, as
 * UTF-8. False if it is malformed or contains a NUL. */
bool header_param_extended(const char *text, struct buf *out);

/* Converts ISO-8859-1 to UTF-8, for bytes that are not UTF-8. */
void header_param_latin1(const char *text, size_t n, struct buf *out);

/* Whether c may occur in a token: a header's name, a method (RFC 9110 section 5.6.2). */
bool header_param_is_token(unsigned char c);
