/* store_memory_open: the store in memory: opened. */
#pragma once

#include "store/store.h"

/* Forgets all at close. */
struct store *store_memory_open(struct err *err);
