/*
 * tree: name trees and number trees (ISO 32000-1, 7.9.6 and 7.9.7), read with suspicion and written
 * balanced.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/obj.h"

/*
 * Calls `fn` for each pair of a tree, in the order it lies there, which may be wrong. `leaf` is
 * "/Names" or "/Nums". Loops, depths over 64 and what lies beyond TREE_PAIRS are left out. The
 * handles are released when fn returns. fn returns -1 to stop; then tree_walk does too.
 */
#define TREE_PAIRS 4000000
int tree_walk(struct obj root, const char *leaf,
              int (*fn)(void *cls, struct obj key, struct obj value), void *cls, struct err *err);

/*
 * A new tree of n pairs, which `pair` gives in the order of their keys. The root is an indirect
 * object; with n == 0 an empty leaf. Null when out of memory.
 */
struct obj tree_build(qpdf_data q, const char *leaf, size_t n,
                      void (*pair)(void *cls, size_t i, struct obj *key, struct obj *value),
                      void *cls);
