/* verdict: whether a file is what a worker says it is. Reads single bytes, parses nothing. */
#pragma once

#include "base/err.h"
#include "tool/tool.h"
#include "worker/worker.h"

/*
 * The result is of a kind the tool gives and begins like it, is not empty, not larger than the
 * limit, and its outputs lie within it. ERR_LIMIT_EXCEEDED for one that is too large, else
 * ERR_INTERNAL: then the worker is wrong or lies.
 */
int verdict_on(int output, const struct worker_result *result, const struct tool *tool,
               int64_t output_bytes, struct err *err);
