/* Input: a JBIG2 stream as PDF has it, which is decoded or refused. */
#include <stdint.h>

#include "base/effort.h"
#include "fuzz.h"
#include "image/jbig2/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_BITMAP struct bitmap page = { 0 };

    effort_reset();
    (void) jbig2_is_rare(NULL, 0, data, n);
    (void) jbig2_read(NULL, 0, data, n, &page);
    return 0;
}
