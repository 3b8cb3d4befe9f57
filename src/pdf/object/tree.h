/*
 * tree: reads name trees and number trees (ISO 32000-1, 7.9.6 and 7.9.7), which may be malformed,
 * and writes balanced ones.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/object/obj.h"

/*
 * Calls `fn` for each pair of a tree, in stored order, which may be wrong. `leaf` is "/Names" or
 * "/Nums". Cycles, depths over 64 and pairs beyond TREE_PAIRS are ignored. The handles are released
 * when fn returns. If fn returns -1, tree_walk stops and returns -1.
 */
#define TREE_PAIRS 4000000
int tree_walk(struct obj root, const char *leaf,
              int (*fn)(void *arg, struct obj key, struct obj value), void *arg, struct err *err);

/*
 * Makes a tree of n pairs, which `pair` returns in the order of their keys. The root is an indirect
 * object; with n == 0 an empty leaf. Null when out of memory.
 */
struct obj tree_build(qpdf_data q, const char *leaf, size_t n,
                      void (*pair)(void *arg, size_t i, struct obj *key, struct obj *value),
                      void *arg);
