/*
 * target: what a request asks for, "/api/v1/jobs/7?wait=30" (RFC 9112 section 3.2), taken apart and
 * decoded (RFC 3986 section 2.1).
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

struct target {
    char *path;  /* decoded, begins with '/', holds no NUL */
    char *raw;   /* the path as it was sent: its '/' are separators, its %2F are not */
    char *args;  /* room for the decoded parts of the path: strlen(raw) + 1 bytes and more */
    char *query; /* decoded: name NUL value NUL, over and over; NULL if there is none */
    size_t query_len;
};

/* Takes origin-form and absolute-form. ERR_INVALID_REQUEST for other forms, malformed escapes, an
 * escaped NUL, a blank or a control character. `target` starts zeroed; target_free it either way.
 */
int target_read(struct target *target, const char *text, struct err *err);
void target_free(struct target *target);

/* The first value of this name, or NULL. */
const char *target_query(const struct target *target, const char *name);

/* Refuses a query parameter whose name is not one of `names` (with blanks between them) with
 * ERR_UNKNOWN_FIELD, and one that is given twice with ERR_INVALID_PARAMETER. */
int target_query_check(const struct target *target, const char *names, struct err *err);

/* Decodes n bytes of valid escapes into out and ends it with a NUL. Returns the bytes written. */
size_t target_decode(const char *text, size_t n, char *out);
