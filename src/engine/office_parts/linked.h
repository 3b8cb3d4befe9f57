/* linked: pictures that a document does not hold, but has the addresses of; nothing is fetched. */
#pragma once

#include <stddef.h>

#include "base/err.h"

/* Counts them in the OOXML or ODF document at `path`. ERR_CORRUPT_FILE. */
int linked_pictures(const char *path, size_t *n, struct err *err);
