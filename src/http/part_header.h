/* part_header: the header lines of one part of a multipart/form-data body (RFC 7578 section 4). */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct part_header {
    struct buf name, filename, content_type;
    bool has_name, has_filename, has_content_type;
};

/* Reads the lines in `text` (terminated, without the blank line; line ends are CR LF), which it
 * takes apart in place. ERR_INVALID_REQUEST with a sentence if they are broken. */
int part_header_read(struct part_header *header, char *text, size_t n, struct err *err);
/* Empty again, memory kept. */
void part_header_reset(struct part_header *header);
void part_header_free(struct part_header *header);
