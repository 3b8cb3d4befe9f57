/*
 * arena: memory that is freed at once. What is built of a page is many small things that
 * live as long as the page: they are taken from here and never freed one by one.
 *
 * Taking cannot fail where it is called: without memory it jumps to `full`, which whoever made the
 * arena has set (setjmp). Between the two nothing may be owned that the arena does not own.
 */
#pragma once

#include <setjmp.h>
#include <stddef.h>

struct arena {
    struct arena_block *blocks;
    size_t used; /* bytes, over all blocks */
    jmp_buf full;
};

#define ARENA_BYTES ((size_t) 256 << 20) /* at most; beyond that memory is refused */

/* n zeroed bytes. */
void *arena_take(struct arena *arena, size_t n);
/* The array with room for one more: *cap grows, the old one is left behind. */
void *arena_grow(struct arena *arena, const void *items, size_t n, size_t *cap, size_t size);
/* Frees everything; the arena can be used again. */
void arena_free(struct arena *arena);

#define ARENA_NEW(arena, type)      ((type *) arena_take(arena, sizeof(type)))
#define ARENA_ARRAY(arena, type, n) ((type *) arena_take(arena, sizeof(type) * ((n) + 1)))
/* Makes room at the end of a list of .items, .n, .cap and is the place. */
#define ARENA_ADD(arena, list)                                                                     \
    ((list)->items =                                                                               \
         arena_grow(arena, (list)->items, (list)->n, &(list)->cap, sizeof *(list)->items),         \
     &(list)->items[(list)->n++])
