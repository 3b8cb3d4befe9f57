/*
 * err: what went wrong, in words, and what the caller may do about it.
 *
 * A function that can fail takes `struct err *err` last and returns -1 (or NULL) after filling it
 * in; on success it leaves err alone. Nothing is allocated, so there is nothing to free and
 * reporting an error cannot fail. `msg` is one plain sentence: for every code but ERR_INTERNAL it
 * is shown to clients, so it never holds a path of the server, a password or a document's text.
 */
#pragma once

#include <stdbool.h>

enum err_code {
#define ERR(symbol, name, status) ERR_##symbol,
#include "base/err.def"
#undef ERR
};

struct err {
    enum err_code code;
    char field[64]; /* the form field at fault, or "" */
    char msg[256];
    bool
        shortage; /* err_sys: the machine lacked descriptors, memory or processes, which may pass */
};

/* Always return -1, so that `return err_set(...)` reads well. */
__attribute__((format(printf, 3, 4))) int err_set(struct err *err, enum err_code code,
                                                  const char *fmt, ...);
/* err_set that also names the form field at fault (cut at 63 bytes). */
__attribute__((format(printf, 4, 5))) int err_field(struct err *err, enum err_code code,
                                                    const char *field, const char *fmt, ...);
/* Puts "context: " in front of the message already there; code and field stay. */
__attribute__((format(printf, 2, 3))) int err_wrap(struct err *err, const char *fmt, ...);
/* err_set with ": strerror(errno)" at the end; ERR_STORAGE_FULL for ENOSPC, EDQUOT and
 * EROFS, else ERR_INTERNAL. */
__attribute__((format(printf, 2, 3))) int err_sys(struct err *err, const char *fmt, ...);

/* "wrong_password": the code as clients see it. Borrowed, lives for ever. */
const char *err_name(enum err_code code);
/* HTTP status, 500 for codes that are no answer of their own. */
int err_status(enum err_code code);
/* The code a name means, or ERR_INTERNAL if it means none. */
enum err_code err_code_find(const char *name);
