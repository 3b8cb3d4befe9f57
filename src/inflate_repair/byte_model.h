/* byte_model: how likely a byte is after the two before it, learnt from what was read so far. */
#pragma once

#include <stddef.h>

struct byte_model;

/* Knows what content streams look like. NULL when out of memory. */
struct byte_model *byte_model_new(void);
void byte_model_free(struct byte_model *model);
/* In bits: what it costs to encode `byte` after `a` and `b`. */
double byte_model_cost(const struct byte_model *model, unsigned char a, unsigned char b,
                       unsigned char byte);
void byte_model_learn(struct byte_model *model, unsigned char a, unsigned char b,
                      unsigned char byte);
