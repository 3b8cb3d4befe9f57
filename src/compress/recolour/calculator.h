/* calculator: evaluates PostScript calculator functions (ISO 32000-2, 7.10.5). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct calculator;

/* Parses a function. NULL if the text is malformed or too long, or memory ran out. */
struct calculator *calculator_open(const char *text, size_t n);
void calculator_close(struct calculator **calculator);
/* Runs the function on n_in values. Writes the topmost n_out values of the stack to `out`; false if
 * there are fewer, or the stack overflows. */
bool calculator_run(const struct calculator *calculator, const double *in, size_t n_in, double *out,
                    size_t n_out);
