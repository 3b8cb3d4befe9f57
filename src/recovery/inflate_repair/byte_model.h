/* byte_model: the probability of a byte after the two before it, learnt from the data read so
 * far (an order-2 context model, as in prediction by partial matching). */
#pragma once

#include <stddef.h>

struct byte_model;

/* Makes a model that already knows typical content streams. NULL when out of memory. */
struct byte_model *byte_model_new(void);
void byte_model_free(struct byte_model *model);
/* The cost in bits of encoding `byte` after `a` and `b`. */
double byte_model_cost(const struct byte_model *model, unsigned char a, unsigned char b,
                       unsigned char byte);
/* Adds one occurrence of `byte` after `a` and `b` to the model. */
void byte_model_learn(struct byte_model *model, unsigned char a, unsigned char b,
                      unsigned char byte);
