/* print_profile: an ICC profile of a printer, for CMYK, as large as those of printers: 500 kB. */
#pragma once

#include <stddef.h>

/* The caller frees it. NULL when out of memory. */
void *print_profile(size_t *n);
