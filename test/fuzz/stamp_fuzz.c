/* Input: two bytes for the length of a time stamp request, the request, a reply to be judged. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sandbox/signer/timestamp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_BUF struct buf request = BUF_EMPTY, reply = BUF_EMPTY, token = BUF_EMPTY;
    size_t first;
    struct err err;

    if (n < 2)
        return 0;
    first = (size_t) data[0] << 8 | data[1];
    if (first > n - 2)
        return 0;
    buf_put(&request, data + 2, first);
    buf_put(&reply, data + 2 + first, n - 2 - first);
    if (timestamp_verify(&request, &reply, "", &token, &err) == 0 && token.len == 0)
        abort(); /* what was found right is there */
    return 0;
}
