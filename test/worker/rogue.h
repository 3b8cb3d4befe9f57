/*
 * rogue: a worker program whose tools misbehave, for the tests of src/sandbox. Under the name
 * "only-LAYER" (a symbolic link) it has that layer of the sandbox alone, besides an ordinary user
 * without privileges; "only-nothing" has not even that.
 */
#pragma once

#include <stdint.h>

#include "declare/tool/tool.h"

struct rogue_params {
    const char *text;
    int64_t number;
    const struct tool_input *file;
};

/* escape.c: tries what `text` names. Done if it was allowed; fails with "denied: errno" if not.
 * rogue_escape_threads may start threads, rogue_escape_fork processes. */
extern const struct tool rogue_escape, rogue_escape_threads, rogue_escape_fork;
/* asker.c: asks for services; the second without having said so. */
extern const struct tool rogue_asker, rogue_presumer;
extern const struct param rogue_params_table[3];
