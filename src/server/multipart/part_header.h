/* part_header: the header lines of one part of a multipart/form-data body (RFC 7578 section 4). */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct part_header {
    struct buf name, filename, content_type;
    bool has_name, has_filename, has_content_type;
};

/* Parses the lines in `text` (terminated, without the blank line; line ends are CR LF) and
 * changes it in place. ERR_INVALID_REQUEST with a sentence if they are malformed. */
int part_header_read(struct part_header *header, char *text, size_t n, struct err *err);
/* Makes the header empty but keeps its memory. */
void part_header_reset(struct part_header *header);
void part_header_free(struct part_header *header);
