/*
 * operators: a content stream (ISO 32000-2, 7.8.2) as its operators with their operands. Forgiving,
 * as readers are: junk is passed over. Inline images are told of as "EI" without operands.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum operand_type { OPERAND_NUMBER, OPERAND_NAME, OPERAND_STRING, OPERAND_OTHER };

struct operand {
    enum operand_type type;
    double number;
    const char *bytes; /* of a string its value, of a name "/Name" and a NUL; until the next call */
    size_t n;
};

/* Arrays and dictionaries come as their items, one after another. False ends the reading. */
typedef bool operators_each(void *cls, const char *op, const struct operand *operands, size_t n);

/* False if `each` ended it, memory ran out, or an inline image has no end. */
bool operators_read(const unsigned char *data, size_t n, operators_each *each, void *cls);

/* Where what is told of lies in the data. */
struct operators_place {
    size_t begin; /* its first operand */
    size_t end;   /* behind it */
    size_t image; /* of an inline image: its first byte, one behind "ID" and a space */
};

/* The same; `place` is set before each call. */
bool operators_read_at(const unsigned char *data, size_t n, operators_each *each, void *cls,
                       struct operators_place *place);

/* Whether the data of an inline image ends before `at`, where EI stands and operators could follow.
 * The byte before `at` is read too. */
bool operators_end_image(const unsigned char *at, const unsigned char *end);

/* The number of an operand, 0 for what is none or not there. */
double operators_number(const struct operand *operands, size_t n, size_t i);
