#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int status;
} codes[] = {
#define ERR(symbol, name, status) [ERR_##symbol] = { name, status },
#include "base/err.def"
#undef ERR
};

/* Writes the message, then ": tail" if there is one, and cuts what does not fit. */
__attribute__((format(printf, 3, 0))) static void fill(struct err *err, const char *tail,
                                                       const char *fmt, va_list ap)
{
    int n = vsnprintf(err->msg, sizeof err->msg, fmt, ap);

    if (tail && n >= 0 && (size_t) n < sizeof err->msg)
        snprintf(err->msg + n, sizeof err->msg - (size_t) n, ": %s", tail);
}

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
    va_list ap;

    err->code = code;
    err->shortage = false;
    err->field[0] = '\0';
    va_start(ap, fmt);
    fill(err, NULL, fmt, ap);
    va_end(ap);
    return -1;
}

int err_field(struct err *err, enum err_code code, const char *field, const char *fmt, ...)
{
    va_list ap;

    err->code = code;
    err->shortage = false;
    snprintf(err->field, sizeof err->field, "%s", field);
    va_start(ap, fmt);
    fill(err, NULL, fmt, ap);
    va_end(ap);
    return -1;
}

int err_wrap(struct err *err, const char *fmt, ...)
{
    struct err inner = *err;
    va_list ap;

    va_start(ap, fmt);
    fill(err, inner.msg, fmt, ap);
    va_end(ap);
    return -1;
}

int err_sys(struct err *err, const char *fmt, ...)
{
    int number = errno;
    va_list ap;
    /* A disk that fails is mounted read-only: a caller that wants to store gets the same answer
     * as for a full one. */
    bool full = number == ENOSPC || number == EDQUOT || number == EROFS;

    err->code = full ? ERR_STORAGE_FULL : ERR_INTERNAL;
    err->shortage = number == EMFILE || number == ENFILE || number == ENOMEM || number == ENOBUFS ||
                    number == EAGAIN;
    err->field[0] = '\0';
    va_start(ap, fmt);
    fill(err, strerrordesc_np(number), fmt, ap);
    va_end(ap);
    return -1;
}

const char *err_name(enum err_code code)
{
    return codes[code].name;
}

int err_status(enum err_code code)
{
    return codes[code].status ? codes[code].status : 500;
}

enum err_code err_code_find(const char *name)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(codes[i].name, name) == 0)
            return (enum err_code) i;
    return ERR_INTERNAL;
}
