/* rewrite_text: objects as text, in the form in which qpdf gives them, with other references. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Sets *number to the new number of an object that is referred to, 0 if it is null. */
typedef bool rewrite_number(void *arg, int id, int gen, unsigned *number);

/*
 * Appends an object's text with the numbers of its references replaced. `without`: keys of the
 * dictionary that are left out with their values, a NULL-terminated list; or NULL. False if
 * `number` returned false.
 */
bool rewrite_text(const char *text, size_t n, const char *const *without, rewrite_number *number,
                  void *arg, struct buf *out);
