/* formula_text: writes formulas (layout/formula/formula.h) as one line of text, LaTeX or MathML. */
#pragma once

#include "base/buf.h"
#include "layout/formula/formula.h"

/* Appends a formula as plain text: "(a + b)/c", "x^2", "√(x)". */
void formula_text_plain(const struct formula *row, struct buf *out);
/* Appends a formula as LaTeX's mathematics mode has it: "\frac{a + b}{c}", "x^{2}", "\sqrt{x}". */
void formula_text_latex(const struct formula *row, struct buf *out);
/* Appends a formula as the content of a MathML <math> element (MathML Core). */
void formula_text_mathml(const struct formula *row, struct buf *out);
