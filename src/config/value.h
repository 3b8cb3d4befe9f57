/* value: values of settings, between text and memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum value_type {
    VALUE_TEXT,   /* char[VALUE_TEXT_BYTES] */
    VALUE_LABEL,  /* char[VALUE_LABEL_BYTES] */
    VALUE_SECRET, /* the same, never to be shown */
    VALUE_INT,    /* int64_t, to a thousand million */
    VALUE_BYTES,  /* int64_t; 500k, 20M, 2G: decimal */
    VALUE_TIME,   /* int64_t milliseconds; 250ms, 30s, 5m, 24h, 7d */
    VALUE_BOOL,
    VALUE_NETS, /* struct net_list */
};

#define VALUE_TEXT_BYTES  512
#define VALUE_LABEL_BYTES 32

/* `name` is for the message. *out is untouched when the value is refused. */
int value_parse(enum value_type type, const char *name, const char *value, void *out,
                struct err *err);
/* As it would be written; a secret that is set is "(hidden)". */
void value_show(enum value_type type, const void *value, char *out, size_t cap);
bool value_same(enum value_type type, const void *a, const void *b);
size_t value_size(enum value_type type);
