/*
 * depth: measures how deep objects are nested through references. qpdf copies an object with all
 * below it by recursion: a chain of some ten thousand objects, which no program writes but an
 * attacker can, would overrun the stack.
 */
#pragma once

#include <stdbool.h>

#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

struct depth {
    struct idmap heights; /* of indirect objects that were measured before */
};

/*
 * Whether an object can be copied: at most 1000 levels are below it. Pages below it do not count: a
 * copy stops there. Each object is measured once, however often it is reached.
 */
bool depth_is_safe(struct depth *depth, struct obj obj);
void depth_free(struct depth *depth);
