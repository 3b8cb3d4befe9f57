/*
 * evidence: counts how many redundant values of a PDF are correct: checksums of its streams, their
 * lengths, and the offsets of its cross-reference tables. Damage to the whole file makes all of
 * them wrong at once, and only undoing it makes them correct again, which does not happen by
 * chance.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct evidence {
    size_t sound;   /* zlib streams that decode to their end with the right checksum (RFC 1950) */
    size_t unsound; /* zlib streams that do not */
    size_t lengths; /* streams that end where their dictionary says */
    size_t wrong_lengths; /* streams that do not, if their length is a direct number */
    /* entries of cross-reference tables, and startxref, with the right offset */
    size_t offsets;
    size_t wrong_offsets; /* entries with a wrong offset */
    size_t words;         /* keywords of objects, counted up to a limit */
    bool header;          /* the file begins with "%PDF-" */
};

/* Examines the file of n bytes: all of its tables, and streams that are spread over it, within
 * limits that do not grow with the file. */
void evidence_find(const unsigned char *data, size_t n, struct evidence *evidence);
/* A score: the greater, the more probably the file is as it was written. */
size_t evidence_weight(const struct evidence *evidence);
/* Whether there are such values and all are correct: the whole file is then undamaged. */
bool evidence_is_whole(const struct evidence *evidence);
