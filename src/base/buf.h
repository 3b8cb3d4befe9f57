/*
 * buf: a byte buffer that grows. A NUL that is not counted in `len` always follows the bytes, so
 * that `data` is a C string if no NUL was put in. A buffer starts as `struct buf b = BUF_EMPTY`.
 * A failed allocation is remembered instead of being reported by every call: the functions do
 * nothing once `failed` is set, and the caller checks it once, at the end.
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

/* Append n bytes, a C string, a character. */
void buf_put(struct buf *buf, const void *data, size_t n);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char c);
/* Appends the last 16 or 32 bits of a number, the most significant byte first. */
void buf_put_be16(struct buf *buf, size_t value);
void buf_put_be32(struct buf *buf, size_t value);
/* Appends a character of an element or of an attribute in double quotes, escaped as HTML and XML
 * need. */
void buf_put_markup(struct buf *buf, char c);
__attribute__((format(printf, 2, 3))) void buf_printf(struct buf *buf, const char *fmt, ...);
/* Makes room for n more bytes after the last one and returns where they begin, or NULL on
 * failure. The caller writes there and then calls buf_added with the number of bytes written. */
void *buf_room(struct buf *buf, size_t n);
void buf_added(struct buf *buf, size_t n);
/* Removes the first n bytes (n <= len). */
void buf_drop(struct buf *buf, size_t n);
/* Returns the bytes as a C string that the caller frees; the buffer is empty afterwards. NULL on
 * failure. */
char *buf_take(struct buf *buf);
/* Returns the bytes as a borrowed C string: "" for an empty buffer, never NULL. */
const char *buf_text(const struct buf *buf);
void buf_free(struct buf *buf);

#define AUTO_BUF __attribute__((cleanup(buf_free)))
