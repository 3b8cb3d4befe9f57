/*
 * err: what went wrong, as a sentence, and a code that says what the caller may do about it.
 *
 * A function that can fail takes `struct err *err` last and returns -1 (or NULL) after filling it
 * in; on success it leaves err unchanged. Nothing is allocated, so there is nothing to free and
 * reporting an error cannot fail. `msg` is one plain sentence. For every code but ERR_INTERNAL it
 * is shown to clients, so it never contains a path of the server, a password or a document's text.
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
    /* set by err_sys: the machine lacked descriptors, memory or processes, which may pass */
    bool shortage;
};

/* Always return -1, so that `return err_set(...)` reads well. */
__attribute__((format(printf, 3, 4))) int err_set(struct err *err, enum err_code code,
                                                  const char *fmt, ...);
/* Like err_set, and names the form field at fault (cut at 63 bytes). */
__attribute__((format(printf, 4, 5))) int err_field(struct err *err, enum err_code code,
                                                    const char *field, const char *fmt, ...);
/* Puts "context: " in front of the message; code and field stay. */
__attribute__((format(printf, 2, 3))) int err_wrap(struct err *err, const char *fmt, ...);
/* Like err_set, with ": strerror(errno)" at the end. The code is ERR_STORAGE_FULL for ENOSPC,
 * EDQUOT and EROFS, else ERR_INTERNAL. */
__attribute__((format(printf, 2, 3))) int err_sys(struct err *err, const char *fmt, ...);

/* The code as clients see it, for example "wrong_password". Borrowed, lives for ever. */
const char *err_name(enum err_code code);
/* The HTTP status of a code; 500 for codes that are never sent as a response. */
int err_status(enum err_code code);
/* The code of this name, or ERR_INTERNAL if there is none. */
enum err_code err_code_find(const char *name);
