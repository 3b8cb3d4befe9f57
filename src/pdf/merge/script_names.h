/* script_names: the names of form fields that a script has. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct script_names {
    void *arg;
    /* What the field of this name is called now, which may be the same; NULL: there is none. */
    const struct buf *(*find)(void *arg, const char *name, size_t n);
    /* Called for a beginning of a name ("" for a name without one) that the script completes while
     * it runs. */
    void (*computed)(void *arg, const char *beginning, size_t n);
};

/* Writes the script with the new names to `out`. A string that is a field's name, or a list of
 * names, is replaced as a whole. False: nothing has changed. */
bool script_names_rewrite(const struct script_names *names, const char *text, size_t n,
                          struct buf *out);

/* Calls `each` for every function that the script defines. */
void script_names_functions(const char *text, size_t n,
                            void (*each)(void *arg, const char *name, size_t n), void *arg);
