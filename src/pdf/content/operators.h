/*
 * operators: parses a content stream (ISO 32000-2, 7.8.2) into operators with operands. Lenient, as
 * readers are: invalid bytes are skipped. An inline image is reported as "EI" without operands.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum operand_type { OPERAND_NUMBER, OPERAND_NAME, OPERAND_STRING, OPERAND_OTHER };

struct operand {
    enum operand_type type;
    double number;
    /* a string's value, or a name as "/Name" with a NUL; valid until the next call */
    const char *bytes;
    size_t n;
};

/* Arrays and dictionaries are reported as their items, one after another. Returning false stops
 * the reading. */
typedef bool operators_each(void *arg, const char *op, const struct operand *operands, size_t n);

/* Reads a content stream and calls `each` for every operator. False if `each` stopped it, memory
 * ran out, or an inline image has no end. */
bool operators_read(const unsigned char *data, size_t n, operators_each *each, void *arg);

/* The position of an operator in the data. */
struct operators_place {
    size_t begin; /* offset of its first operand */
    size_t end;   /* offset after it */
    /* for an inline image: its first byte, after "ID" and one white-space character */
    size_t image;
};

/* The same; `place` is set before each call. */
bool operators_read_at(const unsigned char *data, size_t n, operators_each *each, void *arg,
                       struct operators_place *place);

/* The value of an operand, 0 if it is missing or not a number. */
double operators_number(const struct operand *operands, size_t n, size_t i);
