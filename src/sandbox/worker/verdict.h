/* verdict: checks that a result is what its worker claims. Reads single bytes and parses
 * nothing. */
#pragma once

#include "base/err.h"
#include "declare/tool/tool.h"
#include "sandbox/worker/worker.h"

/*
 * Checks that the result is of the kind in .gives and begins like it, is not empty, not larger than
 * the limit, and that the byte ranges of its outputs lie inside it. ERR_LIMIT_EXCEEDED if it is too
 * large, else ERR_INTERNAL: the worker is wrong or compromised.
 */
int verdict_on(int output, const struct worker_result *result, const struct tool *tool,
               int64_t output_bytes, struct err *err);
