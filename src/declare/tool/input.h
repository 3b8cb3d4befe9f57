/* input: a file that a tool reads, as the process of its job has it. */
#pragma once

#include <stdint.h>

struct tool_input {
    int fd;           /* read-only */
    const char *path; /* of fd */
    const char *name; /* the client's file name, sanitised; "" if it gave none */
    int64_t bytes;
};
