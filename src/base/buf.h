/*
 * buf: bytes that grow. Always followed by a NUL that does not count, so that `data` is a C string
 * when no NUL was put in. Starts as `struct buf b = BUF_EMPTY`.
 *
 * A failed allocation is remembered instead of reported at every call: the functions do nothing
 * once `failed` is set, and the caller looks at it once, at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct buf {
    char *data; /* NULL until something was put in */
    size_t len, cap;
    bool failed;
};

#define BUF_EMPTY                                                                                  \
    (struct buf)                                                                                   \
    {                                                                                              \
        0                                                                                          \
    }

void buf_put(struct buf *buf, const void *data, size_t n);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char c);
/* A character of an element or of an attribute in double quotes, as HTML and XML take it. */
void buf_put_markup(struct buf *buf, char c);
__attribute__((format(printf, 2, 3))) void buf_printf(struct buf *buf, const char *fmt, ...);
/* Room for n more bytes behind the last; NULL if it failed. Write there, then say how many with
 * buf_added. */
void *buf_room(struct buf *buf, size_t n);
void buf_added(struct buf *buf, size_t n);
/* Removes the first n bytes (n <= len). */
void buf_drop(struct buf *buf, size_t n);
/* The bytes as a C string that the caller frees; buf is empty afterwards. NULL if it failed. */
char *buf_take(struct buf *buf);
/* "" for an empty buffer, never NULL; borrowed. */
const char *buf_text(const struct buf *buf);
void buf_free(struct buf *buf);

#define AUTO_BUF __attribute__((cleanup(buf_free)))
