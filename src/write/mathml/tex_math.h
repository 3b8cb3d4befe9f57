/*
 * tex_math: mathematics as LaTeX writes it (with amsmath, and the symbols of amssymb), as MathML
 * Core. Definitions of commands (\newcommand) are read before (write/mathml/tex_macro.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Appends a <math> element for n bytes of text, which is valid UTF-8. `display`: a formula of its
 * own, not one within a line. Fails, and appends nothing, with ERR_UNSUPPORTED_CONTENT and what is
 * not known or not closed, as the end of a sentence: "the command \foo is not known".
 */
int tex_math(const char *text, size_t n, bool display, struct buf *out, struct err *err);
