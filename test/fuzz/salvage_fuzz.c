/* Input: a file. Whatever it is, salvage ends, and what it makes it can read again. */
#include <stdlib.h>

#include "base/buf.h"
#include "fuzz.h"
#include "recovery/salvage/salvage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_BUF struct buf once = BUF_EMPTY, twice = BUF_EMPTY;
    struct salvage_report report, again;
    struct err err;

    if (salvage_file(data, n, NULL, &once, &report, &err) < 0)
        return 0;
    if (salvage_file(once.data, once.len, NULL, &twice, &again, &err) < 0 ||
        again.pages < report.pages)
        abort();
    return 0;
}
