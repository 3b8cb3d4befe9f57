/*
 * large_pages: memory that will be written whole, as pictures are, comes from the kernel in few
 * large pages, where it has them, instead of being asked for by 4 kB.
 */
#pragma once

#include <stddef.h>

#define LARGE_PAGE ((size_t) 2 << 20)

/* `memory`, just taken, of n bytes; NULL and what is too small is passed over. What stands beside
 * it in a large page is not touched. */
void large_pages_ask(void *memory, size_t n);
