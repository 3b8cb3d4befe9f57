/* value: converts values of settings between text and memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum value_type {
    VALUE_TEXT,   /* char[VALUE_TEXT_BYTES] */
    VALUE_LABEL,  /* char[VALUE_LABEL_BYTES] */
    VALUE_SECRET, /* like VALUE_TEXT, but must never be shown */
    VALUE_INT,    /* int64_t, up to 1,000 million */
    VALUE_BYTES,  /* int64_t; 500k, 20M, 2G with decimal factors */
    VALUE_TIME,   /* int64_t in milliseconds; 250ms, 30s, 5m, 24h, 7d */
    VALUE_BOOL,
    VALUE_NETS, /* struct net_list */
};

#define VALUE_TEXT_BYTES  512
#define VALUE_LABEL_BYTES 32

/* Stores a value in *out, which has the type above. ERR_INVALID_PARAMETER with the field `name`;
 * *out is then unchanged. */
int value_parse(enum value_type type, const char *name, const char *value, void *out,
                struct err *err);
/* Writes a value as in a file; a secret that is set becomes "(hidden)". */
void value_show(enum value_type type, const void *value, char *out, size_t cap);
/* Whether two stored values are equal. */
bool value_same(enum value_type type, const void *a, const void *b);
/* The size in memory in bytes. */
size_t value_size(enum value_type type);
