/*
 * function_map: PDF functions (ISO 32000-2, 7.10) whose values become others, such as the same
 * colours in another space.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pdf/object/obj.h"

#define FUNCTION_MAP_INPUTS 3 /* limit: samples grow with each */

struct function_mapping {
    /* Maps n_values values, which may be outside of their range, to n_mapped ones from 0 to 1. */
    void (*map)(void *cls, const double *values, double *mapped);
    void *cls;
    size_t n_values, n_mapped;
    unsigned bits;                       /* of a sample: 8 or 16 */
    size_t samples[FUNCTION_MAP_INPUTS]; /* of each input of a function with 1, 2, 3 inputs;
                                          * 0: there is no such function */
    bool linear;    /* `map` turns a straight line of values into a straight line */
    size_t left;    /* how many more functions may be mapped */
    bool no_memory; /* memory ran out */
};

/*
 * Makes a function whose values are the mapped ones of `function`, which is a function or an array
 * of functions with one value each. The new function is a sampled one; of a stitching function each
 * part is mapped by itself, because values may jump between two parts. Returns null if `function`
 * cannot be read, has too many inputs or too few values, or memory ran out. The caller releases the
 * result.
 */
struct obj function_map(qpdf_data q, struct obj function, struct function_mapping *mapping);
