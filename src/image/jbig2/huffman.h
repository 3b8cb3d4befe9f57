/* huffman: the numbers that JBIG2 codes by Huffman tables (ITU-T T.88, annex B). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JBIG2_LINES (1 << 16) /* limit of the lines of a table */

/* Reads bits, the highest of a byte first. */
struct jbig2_bits {
    const uint8_t *data;
    size_t n, at; /* bytes, and the position in bits */
    bool over;    /* bits were read beyond the end, which are 0 */
};

uint32_t jbig2_bits_get(struct jbig2_bits *bits, unsigned n); /* at most 32 */
void jbig2_bits_align(struct jbig2_bits *bits);

enum jbig2_line_kind { JBIG2_RANGE, JBIG2_LOWER, JBIG2_OUT_OF_BAND };

struct jbig2_line {
    int32_t low;
    uint8_t prefix, range; /* lengths in bits; a prefix of 0: not used */
    uint8_t kind;          /* enum jbig2_line_kind */
};

struct jbig2_table {
    struct jbig2_line *lines;                  /* in the order of their codes */
    uint32_t first[33], count[33], offset[33]; /* by length: first code, codes, their first line */
};

/* Makes a table of these lines, which are copied. False without memory. */
bool jbig2_table_new(struct jbig2_table *table, const struct jbig2_line *lines, size_t n);
/* Makes the standard table B.number, 1 to 15. */
bool jbig2_table_standard(struct jbig2_table *table, unsigned number);
/* Makes the table of a segment of tables (B.2). False also if it is damaged. */
bool jbig2_table_read(struct jbig2_table *table, const uint8_t *data, size_t n);
void jbig2_table_free(struct jbig2_table *table);

/* What decoding a number ended with. */
enum jbig2_got { JBIG2_NUMBER, JBIG2_OOB, JBIG2_DAMAGED };
enum jbig2_got jbig2_table_get(const struct jbig2_table *table, struct jbig2_bits *bits,
                               int32_t *value);
#define AUTO_JBIG2_TABLE __attribute__((cleanup(jbig2_table_free)))
