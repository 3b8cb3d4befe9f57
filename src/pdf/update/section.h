/*
 * section: finds the last cross-reference section of a file (ISO 32000-2, 7.5.4 to 7.5.8), which an
 * incremental update must continue.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct section {
    bool stream;    /* a cross-reference stream, not a table */
    int number;     /* its object number; 0 for a table */
    int64_t offset; /* the value of startxref */
    int64_t header; /* bytes before "%PDF-", from which offsets are counted */
    bool newline;   /* the file ends with a line end */
};

/* Finds the last section of a file of `bytes` bytes. ERR_CORRUPT_FILE if there is none where
 * startxref says. */
int section_find(int fd, int64_t bytes, struct section *section, struct err *err);
