/*
 * rows_gap: finds where the decoded data of an image's rows lacks bytes, or has some too many,
 * after packed data was damaged in one place.
 *
 * The number of these bytes follows from the size that the image should have. The place is where
 * the rows before and after it are most like their neighbours: a row that begins at another place
 * has the image's edge in its middle, or no valid type of a filter in front.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum rows_kind {
    ROWS_RAW,  /* samples */
    ROWS_TIFF, /* TIFF's predictor, for samples of a byte (TIFF 6.0, section 14) */
    ROWS_PNG,  /* PNG's filters, each row with its type in front (ISO 32000-1, 7.4.4.4) */
};

struct rows_image {
    enum rows_kind kind;
    size_t bytes;  /* of a row, with the type of its filter */
    size_t n;      /* rows */
    size_t step;   /* bytes from a sample to the next one of its colour; 0: less than one */
    bool is_bytes; /* a sample is a byte */
};

struct rows_damage {
    bool noticed;       /* decoding showed where the damage is */
    size_t first, last; /* if so: offsets of its first and its last sign in the data */
};

struct rows_gap {
    size_t at;          /* the beginning of a row, in bytes */
    size_t lost, added; /* bytes that are missing there, or too many; one of them is 0 */
};

/* Finds the gap in n bytes of data. False: the data has the right size, or is less than a quarter
 * or more than twice of it. Takes twice the size of the image as memory, and time in proportion to
 * it. */
bool rows_gap_find(const unsigned char *data, size_t n, const struct rows_image *image,
                   const struct rows_damage *damage, struct rows_gap *gap);

/* A cost that is the higher, the less the rows are like their neighbours; to be compared between
 * gaps that were closed at different rows. Below 0: out of memory. */
double rows_gap_cost(const unsigned char *data, const struct rows_image *image);

/* How much samples differ from those on their left in an image with PNG's filters, after undoing
 * these: a wrong difference is in all rows below it, in one column. Below 0: out of memory. */
double rows_gap_roughness(const unsigned char *data, const struct rows_image *image);

/*
 * Gives samples that are in doubt the value that those around them predict, and rows of which most
 * are in doubt what the row above has. `data`: the rows with the gap closed; `doubts`: a byte for
 * each of theirs, other than 0 if it is in doubt. Returns how many other rows had no valid type of
 * a filter.
 */
size_t rows_gap_fill(unsigned char *data, const unsigned char *doubts,
                     const struct rows_image *image);

/* Limits the effect of wrong differences, each of which continues in all rows below it, in an image
 * with PNG's filters: from the first row in doubt on, a sample of a byte that a small difference
 * would make darker than black or brighter than white becomes black or white. It is right for
 * photographs, and wrong for edges from black to white. */
void rows_gap_limit(unsigned char *data, const unsigned char *doubts,
                    const struct rows_image *image);
