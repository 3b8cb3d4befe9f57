/*
 * arena: memory that is freed all at once. What is built from a page is many small objects that
 * live as long as the page: they are allocated here and never freed one by one.
 *
 * An allocation cannot fail where it is called: without memory it jumps to `full`, which the owner
 * of the arena has set (setjmp). Between the two, nothing may be owned that the arena does not own.
 */
#pragma once

#include <setjmp.h>
#include <stddef.h>

struct arena {
    struct arena_block *blocks;
    size_t used; /* bytes in all blocks */
    jmp_buf full;
};

#define ARENA_BYTES ((size_t) 256 << 20) /* limit of an arena; beyond it, allocations fail */

/* Allocates n zeroed bytes. */
void *arena_alloc(struct arena *arena, size_t n);
/* Returns a larger copy of the array and raises *cap; the old copy stays in the arena unused. */
void *arena_grow(struct arena *arena, const void *items, size_t n, size_t *cap, size_t size);
/* Frees everything; the arena can then be used again. */
void arena_free(struct arena *arena);

#define ARENA_NEW(arena, type)      ((type *) arena_alloc(arena, sizeof(type)))
#define ARENA_ARRAY(arena, type, n) ((type *) arena_alloc(arena, sizeof(type) * ((n) + 1)))
/* Makes room for one more item at the end of a list with .items, .n and .cap, and is that item. */
#define ARENA_ADD(arena, list)                                                                     \
    ((list)->items =                                                                               \
         arena_grow(arena, (list)->items, (list)->n, &(list)->cap, sizeof *(list)->items),         \
     &(list)->items[(list)->n++])
