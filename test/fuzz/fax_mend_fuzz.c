/* Input: two bytes of parameters, and a fax image. One that is repaired has the size it should. */
#include <stdint.h>
#include <stdlib.h>

#include "fuzz.h"
#include "recovery/image_repair/fax_mend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    struct fax fax = { 0 };
    size_t lost;

    if (n < 2)
        return 0;
    fax.k = data[1] % 3 - 1;
    fax.byte_aligned = data[1] >= 248;
    fax.width = data[0] + 1U;
    fax.rows = data[1] + 1U;
    if (fax_mend(data + 2, n - 2, &fax, &out, &lost) == FAX_MENDED) {
        if (out.len != (size_t) (fax.width + 7) / 8 * fax.rows || lost > fax.rows)
            abort();
    } else if (out.len > 0) {
        abort();
    }
    return 0;
}
