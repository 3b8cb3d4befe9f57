/*
 * evidence: how many of the checks that a PDF carries are true of a file: check sums of its
 * streams, their lengths, and the offsets of its cross-reference tables. Damage to the whole file
 * makes all of them false at once, and undoing it makes them true again, which chance does not.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct evidence {
    size_t sound;   /* zlib streams that unpack to their end with the right check sum (RFC 1950) */
    size_t unsound; /* that do not */
    size_t lengths; /* streams that end where their dictionary says */
    size_t wrong_lengths; /* that do not, of those whose length is a direct number */
    size_t offsets;       /* entries of cross-reference tables, and startxref, that lead to what
                             they name */
    size_t wrong_offsets; /* that do not */
    size_t words;         /* keywords of objects, up to a bound */
    bool header;          /* the file begins with "%PDF-" */
};

/* Looks at the file of n bytes: at all of its tables, and at streams that are spread over it,
 * within bounds that do not grow with the file. */
void evidence_find(const unsigned char *data, size_t n, struct evidence *evidence);
/* One figure of it: the greater, the likelier the file is as it was written. */
size_t evidence_weight(const struct evidence *evidence);
/* Whether all checks are true, and there are some: then nothing has happened to the whole file. */
bool evidence_is_whole(const struct evidence *evidence);
