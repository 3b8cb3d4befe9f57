#include "base/num.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool num_parse_i64(const char *text, size_t n, int64_t min, int64_t max, int64_t *out)
{
    size_t i = n && text[0] == '-' ? 1 : 0;
    bool negative = i == 1;
    int64_t v = 0;

    if (i == n)
        return false;
    for (; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_sub_overflow(v, text[i] - '0', &v))
            return false;
    }
    /* Digits are subtracted: the negative range is larger by one. */
    if (!negative && __builtin_sub_overflow(0, v, &v))
        return false;
    if (v < min || v > max)
        return false;
    *out = v;
    return true;
}

bool num_parse_double(const char *text, size_t n, double min, double max, double *out)
{
    char copy[64], *end;
    double v;

    if (n == 0 || n >= sizeof copy)
        return false;
    memcpy(copy, text, n);
    copy[n] = '\0';
    if (strspn(copy, "0123456789+-.eE") < n || copy[0] == '+')
        return false;
    errno = 0;
    v = strtod(copy, &end);
    /* !(v >= min) is also true for NaN. */
    if (errno || *end || !(v >= min) || !(v <= max))
        return false;
    *out = v;
    return true;
}
