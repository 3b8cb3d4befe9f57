/* form_texts: a field's value as its texts. */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/object/obj.h"

struct form_texts {
    char **items; /* UTF-8 */
    size_t n, cap;
};

/* Reads a value as it is stored: a text, the name of a state, a list of texts; none for null. */
int form_texts_read(struct obj value, struct form_texts *texts, struct err *err);
int form_texts_add(struct form_texts *texts, const char *text, struct err *err);
void form_texts_free(struct form_texts *texts);
#define AUTO_FORM_TEXTS __attribute__((cleanup(form_texts_free)))
