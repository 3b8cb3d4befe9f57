#include "data/blob/blob_name.h"

#include <stdio.h>
#include <string.h>

#define RESULT "out."

void blob_name_input(size_t i, char out[static BLOB_NAME])
{
    snprintf(out, BLOB_NAME, "in.%zu", i);
}

void blob_name_result(int32_t attempt, char out[static BLOB_NAME])
{
    snprintf(out, BLOB_NAME, RESULT "%d", attempt);
}

bool blob_name_is_result(const char *name)
{
    return strncmp(name, RESULT, sizeof RESULT - 1) == 0;
}
