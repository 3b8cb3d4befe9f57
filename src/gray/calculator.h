/* calculator: PostScript calculator functions (ISO 32000-2, 7.10.5). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct calculator;

/* NULL if the text is none, is too long, or memory ran out. */
struct calculator *calculator_open(const char *text, size_t n);
void calculator_close(struct calculator **calculator);
/* The topmost n_out values of what is left; false if there are fewer, or too many on the way. */
bool calculator_run(const struct calculator *calculator, const double *in, size_t n_in, double *out,
                    size_t n_out);
