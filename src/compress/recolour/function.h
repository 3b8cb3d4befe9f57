/* function: evaluates PDF functions (ISO 32000-2, 7.10): sampled, exponential, stitching and
 * calculator ones. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pdf/object/obj.h"

#define FUNCTION_VALUES 32 /* limit of inputs and of outputs */

struct function;

/* Opens a function, or an array of functions with one value each. NULL if it cannot be read, or
 * memory ran out. */
struct function *function_open(struct obj obj);
void function_close(struct function **function);
#define AUTO_FUNCTION __attribute__((cleanup(function_close)))

/* The number of inputs and of outputs, each 1 to FUNCTION_VALUES. */
size_t function_inputs(const struct function *function);
size_t function_outputs(const struct function *function);
/* The number of functions in it, itself included. */
size_t function_count(const struct function *function);
/* The domain of one input. */
void function_domain(const struct function *function, size_t input, double *low, double *high);
/* Computes the outputs of the inputs `in`, which are clipped to the domain. */
void function_run(const struct function *function, const double *in, double *out);
