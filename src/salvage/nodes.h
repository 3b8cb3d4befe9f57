/*
 * nodes: what nodes of the page tree say for the pages below them (ISO 32000-1, 7.7.3.4). Each is
 * read once, not once for every page: its text has all of them in it.
 */
#pragma once

#include "salvage/objects.h"

#define NODE_KEYS 4

struct node {
    uint32_t parent; /* 0: none is given */
    bool known;
    size_t text; /* what was read: an object that changes has its text elsewhere */
    struct {
        size_t at, n; /* in that text, n 0: none */
    } values[NODE_KEYS];
};

struct nodes {
    uint32_t *by_number; /* index + 1, 0: none; `numbers` entries; owned */
    size_t numbers;
    struct node *list; /* owned */
    size_t n, cap;
};

extern const char *const node_keys[NODE_KEYS];

void nodes_free(struct nodes *nodes);
/* What a page or node says, from `nodes` if it was read before; NULL: out of memory for them. */
struct node node_of(const struct objects *objects, struct nodes *nodes,
                    const struct object *object);
/* What it says itself under one of node_keys; at is NULL for nothing. */
struct text node_value(const struct objects *objects, const struct node *node, const char *key);
