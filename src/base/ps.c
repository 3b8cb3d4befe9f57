#include "base/ps.h"

#include <string.h>

#include "base/num.h"

bool ps_is_space(int c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == '\0';
}

bool ps_is_regular(int c)
{
    return !ps_is_space(c) && !strchr("()<>[]{}/%", c);
}

const unsigned char *ps_skip_space(const unsigned char *at, const unsigned char *end)
{
    while (at < end && (ps_is_space(*at) || *at == '%'))
        if (*at++ == '%')
            while (at < end && *at != '\n' && *at != '\r')
                at++;
    return at;
}

int ps_name_byte(const unsigned char **at, const unsigned char *end)
{
    int c = *(*at)++;

    if (c == '#' && end - *at > 1) {
        int high = num_hex_digit((char) (*at)[0]), low = num_hex_digit((char) (*at)[1]);

        if (high >= 0 && low >= 0) {
            c = high << 4 | low;
            *at += 2;
        }
    }
    return c;
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
