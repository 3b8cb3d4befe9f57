/*
 * pages: the pages among the objects, in their order: as the page tree has them as far as there is
 * one, and those no tree knows at the place that suits them.
 */
#pragma once

#include "salvage/nodes.h"
#include "salvage/objects.h"

struct pages {
    uint32_t *numbers; /* of page objects; one that is listed again stands here again */
    uint32_t *parents; /* the node that listed it, 0: none */
    size_t n, cap;
    uint32_t catalog;    /* 0: none is left */
    uint32_t root;       /* of the page tree, 0: none */
    bool complete;       /* the tree has as many pages as it says: none is looked for elsewhere */
    bool intact;         /* and it is as it should be */
    size_t lost;         /* pages the tree lists that are not there */
    struct nodes *nodes; /* those above pages that were read, or NULL; owned */
};

/* Whether a dictionary looks like a page, or like a node of the tree of pages. */
bool pages_is_page(struct text dict);
bool pages_is_node(struct text dict);
int pages_find(struct objects *objects, struct pages *pages, struct err *err);
int pages_add(struct pages *pages, uint32_t number, struct err *err);
void pages_free(struct pages *pages);

/* What the i-th page says under one of node_keys, or a node above it for it, a reference followed.
 * *by: the object that said it. */
struct text pages_inherited(const struct objects *objects, const struct pages *pages, size_t i,
                            const char *key, const struct object **by);
#define AUTO_PAGES __attribute__((cleanup(pages_free)))
