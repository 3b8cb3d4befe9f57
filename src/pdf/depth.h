/*
 * depth: how far objects lead on to others. qpdf copies an object with all below it by recursion:
 * a chain of some ten thousand objects, which no program writes but anybody can, would overrun the
 * stack.
 */
#pragma once

#include <stdbool.h>

#include "pdf/idmap.h"
#include "pdf/obj.h"

struct depth {
    struct idmap heights; /* of indirect objects measured before */
};

/*
 * Whether an object can be copied. Pages below it do not count: a copy stops there. The work is
 * done once for every object, however often it is reached.
 */
bool depth_is_safe(struct depth *depth, struct obj obj);
void depth_free(struct depth *depth);
