/* store_memory_open: opens the store in memory. */
#pragma once

#include "store/store.h"

/* Opens an empty store. Everything in it is lost when it is closed. */
struct store *store_memory_open(struct err *err);
