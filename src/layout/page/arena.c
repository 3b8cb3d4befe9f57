#include "layout/page/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t) 64 << 10)

struct arena_block {
    struct arena_block *next;
    size_t cap, used;
    max_align_t bytes[];
};

static struct arena_block *add_block(struct arena *arena, size_t n)
{
    size_t cap = n > BLOCK ? n : BLOCK;
    struct arena_block *block = NULL;

    if (cap <= ARENA_BYTES - arena->used)
        block = calloc(1, sizeof *block + cap);
    if (!block)
        longjmp(arena->full, 1);
    block->cap = cap;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->used += cap;
    return block;
}

void *arena_alloc(struct arena *arena, size_t n)
{
    struct arena_block *block = arena->blocks;
    void *taken;

    if (n > ARENA_BYTES)
        longjmp(arena->full, 1);
    n = (n + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!block || block->cap - block->used < n)
        block = add_block(arena, n);
    taken = (char *) block->bytes + block->used;
    block->used += n;
    return taken;
}

void *arena_grow(struct arena *arena, const void *items, size_t n, size_t *cap, size_t size)
{
    void *more;

    if (n < *cap)
        return (void *) (uintptr_t) items;
    *cap = *cap ? *cap * 2 : 8;
    more = arena_alloc(arena, *cap * size);
    if (n)
        memcpy(more, items, n * size);
    return more;
}

void arena_free(struct arena *arena)
{
    struct arena_block *block = arena->blocks;

    while (block) {
        struct arena_block *next = block->next;

        free(block);
        block = next;
    }
    arena->blocks = NULL;
    arena->used = 0;
}
