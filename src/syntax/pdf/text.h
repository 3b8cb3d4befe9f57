/*
 * text: the source of one PDF object in clean form (syntax/pdf/syntax.h), as a borrowed range of
 * bytes. The functions that read it expect clean form, and treat anything else as no value.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct text {
    const char *at; /* not followed by a NUL; NULL: there is no object */
    size_t n;       /* its length in bytes */
};

/* The buffer's content, which may have NUL bytes; borrowed until the buffer changes. */
struct text text_of(const struct buf *buf);

/* Whether the object is written exactly like this ("true", "/Page"). */
bool text_is(struct text value, const char *text);
bool text_is_dict(struct text value);
bool text_is_array(struct text value);
/* The object number of a reference, 0 for anything else. */
uint32_t text_ref(struct text value);
/* Reads a non-negative integer. False for anything else. */
bool text_number(struct text value, uint64_t *number);
