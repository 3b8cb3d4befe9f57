#include "engine/office_parts/rels.h"

#include <stdio.h>
#include <string.h>

#define FOLDER "/_rels/"
#define SUFFIX ".rels"

bool rels_part(const char *name, char part[RELS_NAME_BYTES])
{
    const char *folder = strstr(name, FOLDER);
    size_t n = strlen(name), suffix = strlen(SUFFIX);

    if (!folder || n >= RELS_NAME_BYTES || strcmp(name + n - suffix, SUFFIX) != 0)
        return false;
    snprintf(part, RELS_NAME_BYTES, "%.*s%.*s", (int) (folder - name) + 1, name,
             (int) (strlen(folder) - strlen(FOLDER) - suffix), folder + strlen(FOLDER));
    return true;
}
