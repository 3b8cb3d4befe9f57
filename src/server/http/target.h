/*
 * target: a request's target, such as "/api/v1/jobs/7?wait=30" (RFC 9112 section 3.2), split and
 * decoded (RFC 3986 section 2.1).
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

struct target {
    char *path;  /* decoded, begins with '/', holds no NUL */
    char *raw;   /* the path as it was sent: its '/' are separators, its %2F are not */
    char *args;  /* room for the decoded parts of the path: at least strlen(raw) + 1 bytes */
    char *query; /* decoded: name NUL value NUL, repeated; NULL if there is none */
    size_t query_len;
};

/* Accepts origin-form and absolute-form. ERR_INVALID_REQUEST for other forms, malformed escapes,
 * an escaped NUL, a blank or a control character. `target` starts zeroed; call target_free in
 * any case. */
int target_read(struct target *target, const char *text, struct err *err);
void target_free(struct target *target);

/* The first value of this name, or NULL. */
const char *target_query(const struct target *target, const char *name);

/* Refuses a query parameter that is not among `names` (with blanks between them) with
 * ERR_UNKNOWN_FIELD, and one that is given twice with ERR_INVALID_PARAMETER. */
int target_query_check(const struct target *target, const char *names, struct err *err);

/* Decodes n bytes of valid escapes into out and terminates it. Returns the bytes written. */
size_t target_decode(const char *text, size_t n, char *out);
