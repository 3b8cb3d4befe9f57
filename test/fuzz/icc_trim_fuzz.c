/*
 * Input: a byte whose bits are the fields of struct icc_trim, then an ICC profile. A trimmed
 * profile is smaller, says its own length, and each of its tags lies within it; nothing is left to
 * trim.
 */
#include "compress/icc/icc_trim.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/scope.h"
#include "fuzz.h"

static size_t read32(const struct buf *profile, size_t at)
{
    const unsigned char *p = (const unsigned char *) profile->data + at;

    return (size_t) p[0] << 24 | (size_t) p[1] << 16 | (size_t) p[2] << 8 | p[3];
}

static void judge(const struct buf *profile, const struct icc_trim *how)
{
    AUTO_BUF struct buf again = BUF_EMPTY;
    size_t tags = profile->len >= 132 ? read32(profile, 128) : 0;

    if (profile->len < 132 + 12 * tags || read32(profile, 0) != profile->len)
        abort();
    for (size_t i = 0; i < tags; i++) {
        size_t at = read32(profile, 132 + 12 * i + 4), size = read32(profile, 132 + 12 * i + 8);

        if (at < 132 + 12 * tags || at > profile->len || size > profile->len - at)
            abort();
    }
    if (icc_trim(profile->data, profile->len, how, &again))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    struct icc_trim how;

    if (n < 1)
        return 0;
    how = (struct icc_trim){ .all_intents = data[0] & 1,
                             .coarse = data[0] & 2,
                             .output = data[0] & 4 };
    if (icc_trim(data + 1, n - 1, &how, &out)) {
        if (out.len >= n - 1)
            abort();
        judge(&out, &how);
    }
    return 0;
}
