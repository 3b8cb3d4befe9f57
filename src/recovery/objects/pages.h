/*
 * pages: finds the pages among the objects, and their order: that of the page tree as far as it
 * exists, with orphaned pages at the most suitable places.
 */
#pragma once

#include "recovery/objects/nodes.h"
#include "recovery/objects/objects.h"

struct pages {
    uint32_t *numbers; /* object numbers of pages; one that is listed again occurs again */
    uint32_t *parents; /* the node that listed it, 0: none */
    size_t n, cap;
    uint32_t catalog;    /* 0: it was lost */
    uint32_t root;       /* of the page tree, 0: none */
    bool complete;       /* the tree has as many pages as it claims: no others are searched */
    bool intact;         /* the tree is complete and valid */
    size_t lost;         /* number of pages in the tree that are missing */
    struct nodes *nodes; /* the nodes above pages that were read, or NULL; owned */
};

/* Whether a dictionary looks like a page, or like a node of the page tree. */
bool pages_is_page(struct text dict);
bool pages_is_node(struct text dict);
/* Finds the pages and their order. ERR_LIMIT_EXCEEDED when out of memory, as for pages_add. */
int pages_find(struct objects *objects, struct pages *pages, struct err *err);
/* Appends the page that is the object `number`, without a parent. */
int pages_add(struct pages *pages, uint32_t number, struct err *err);
void pages_free(struct pages *pages);

/* The i-th page's own or inherited value of one of nodes_keys, with references followed. *by: the
 * object that has it. */
struct text pages_inherited(const struct objects *objects, const struct pages *pages, size_t i,
                            const char *key, const struct object **by);
#define AUTO_PAGES __attribute__((cleanup(pages_free)))
