/*
 * tex_macro: commands that a text defines: \newcommand and its relatives, \def with plain
 * parameters, \DeclareMathOperator. They are replaced by what they are defined as before a formula
 * is read. A definition holds for all formulas, wherever it stands.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct tex_macro;

struct tex_macros {
    struct tex_macro *items;
    size_t n, cap;
};

void tex_macros_free(struct tex_macros *macros);
/*
 * Reads the definitions in n bytes of a formula, and appends the formula without them, and with
 * what its commands are defined as. *defines: whether there were any. ERR_UNSUPPORTED_CONTENT, as
 * the end of a sentence, if a definition cannot be read, is not that of the same command elsewhere,
 * or leads to too much or to itself.
 */
int tex_macros_expand(struct tex_macros *macros, const char *text, size_t n, struct buf *out,
                      bool *defines, struct err *err);
