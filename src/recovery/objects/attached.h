/*
 * attached: PDFs that are the data of a stream without compression. Their objects have numbers of
 * their own, and must not be taken for objects of the document.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the header of a PDF or FDF file is near the beginning of the n bytes of a stream. */
bool attached_begins(const unsigned char *data, size_t n);
/*
 * Where the data of a stream ends that begins at `from` and is such a file, if /Length does not
 * lead to its end: by the revisions of the attached file, or by its streams, else after the
 * `length` bytes that it should have (0: not known), else with the file of n bytes.
 */
size_t attached_end(const unsigned char *file, size_t n, size_t from, uint64_t length);
