/* jpx: JPEG 2000 files for tests, by OpenJPEG. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "image/codec/raster.h"

/* Appends a file, without loss; of one or three channels. */
bool jpx_write(const struct raster *raster, struct buf *out);
