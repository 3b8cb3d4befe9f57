/*
 * Input: a JPEG image, sound or not. One that is repaired is sound afterwards, of the size that the
 * header says.
 */
#include <stdint.h>
#include <stdlib.h>

#include "fuzz.h"
#include "recovery/image_repair/jpeg_mend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_BUF struct buf once = BUF_EMPTY, twice = BUF_EMPTY;
    struct jpeg_hint hint = { 64, 48, 3, n % 2 != 0, (int) (n % 9) - 4 },
                     certain = { 64, 48, 3, false, 0 };
    struct jpeg_mended mended;

    if (jpeg_mend(data, n, &hint, &once, &mended) != JPEG_MENDED)
        return 0;
    if (mended.lost > mended.mcus)
        abort();
    if (jpeg_mend((const unsigned char *) once.data, once.len, &certain, &twice, &mended) ==
        JPEG_HOPELESS)
        abort();
    return 0;
}
