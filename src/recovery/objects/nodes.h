/*
 * nodes: attributes that pages inherit from nodes of the page tree (ISO 32000-1, 7.7.3.4). Each
 * node is read once, not once for every page: its text lists all pages.
 */
#pragma once

#include "recovery/objects/objects.h"

#define NODE_KEYS 4 /* number of the attributes that are inherited */

struct node {
    uint32_t parent; /* 0: none is given */
    bool known;
    size_t text; /* the text that was read: an object that changes gets another text */
    struct {
        size_t at, n; /* position in that text, n 0: none */
    } values[NODE_KEYS];
};

struct nodes {
    uint32_t *by_number; /* index + 1, 0: none; `numbers` entries; owned */
    size_t numbers;
    struct node *list; /* owned */
    size_t n, cap;
};

/* The keys of the attributes that are inherited: "/MediaBox" and so on. */
extern const char *const nodes_keys[NODE_KEYS];

void nodes_free(struct nodes *nodes);
/* The attributes of a page or node, from `nodes` if it was read before. `nodes` may be NULL:
 * nothing is remembered then. */
struct node nodes_of(const struct objects *objects, struct nodes *nodes,
                     const struct object *object);
/* The node's own value of one of nodes_keys; at is NULL if there is none. */
struct text nodes_value(const struct objects *objects, const struct node *node, const char *key);
