/*
 * large_pages: asks the kernel for large pages for memory that will be written as a whole, such as
 * pictures, instead of one page fault for each 4 kB.
 */
#pragma once

#include <stddef.h>

#define LARGE_PAGE ((size_t) 2 << 20) /* bytes, on x86-64 and with 4 kB pages on ARM64 */

/* Asks for large pages for `memory`, n bytes that were just allocated. NULL and blocks that are too
 * small are ignored. Neighbours in the same large page are not changed. */
void large_pages_ask(void *memory, size_t n);
