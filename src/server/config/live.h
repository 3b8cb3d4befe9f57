/*
 * live: the settings of a running server, which a reload replaces. A reader holds one version for
 * as long as its values must agree with each other:
 *     AUTO_CONFIG const struct config *config = live_hold(live);
 */
#pragma once

#include "server/config/config.h"

struct live;

/* Copies the settings. */
struct live *live_new(const struct config *config, struct err *err);
/* Frees the settings; no thread may hold them any more. */
void live_free(struct live *live);

/* Holds the current version. May be called from any thread; never NULL. */
const struct config *live_hold(struct live *live);
/* Ends holding a version, which is freed if it is not the current one and no other reader holds it.
 */
void live_release(const struct config *config);
static inline void live_release_at(const struct config **config)
{
    live_release(*config);
}
#define AUTO_CONFIG __attribute__((cleanup(live_release_at)))

/* Makes a copy of `config` the current version. On failure nothing has changed. */
int live_replace(struct live *live, const struct config *config, struct err *err);
