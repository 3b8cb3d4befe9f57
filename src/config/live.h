/*
 * live: the settings of a running server, which a reload replaces. A reader holds the ones it began
 * with for as long as it needs them to agree with each other:
 *
 *     AUTO_CONFIG const struct config *config = live_hold(live);
 */
#pragma once

#include "config/config.h"

struct live;

/* A copy of them. */
struct live *live_new(const struct config *config, struct err *err);
/* When nobody reads any more. */
void live_free(struct live *live);

/* From any thread; never NULL. */
const struct config *live_hold(struct live *live);
void live_release(const struct config *config);
static inline void live_release_at(const struct config **config)
{
    live_release(*config);
}
#define AUTO_CONFIG __attribute__((cleanup(live_release_at)))

/* A copy of these is what is held from now on. On failure nothing has changed. */
int live_replace(struct live *live, const struct config *config, struct err *err);
