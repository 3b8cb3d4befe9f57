/*
 * lift: a catalog that stands in the trailer, and nodes and pages that stand where they are listed,
 * become objects of their own: nothing else looks for them there.
 */
#pragma once

#include "salvage/objects.h"

/* For when all objects of the file have numbers. */
int lift(struct objects *objects, struct err *err);
