#include "base/ps.h"

#include <string.h>

bool ps_is_space(int c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == '\0';
}

bool ps_is_regular(int c)
{
    return !ps_is_space(c) && !strchr("()<>[]{}/%", c);
}

size_t ps_string_length(const void *data, size_t n)
{
    const char *at = data;
    int depth = 0;

    for (size_t i = 0; i < n; i++) {
        if (at[i] == '\\')
            i++;
        else if (at[i] == '(')
            depth++;
        else if (at[i] == ')' && --depth == 0)
            return i + 1;
    }
    return 0;
}
