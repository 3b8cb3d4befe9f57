/*
 * Input: a zlib stream, sound or not. A sound one is unpacked to its size and packs again; of a
 * damaged one never more comes than was asked for.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "recovery/inflate_repair/line_search.h"
#include "recovery/inflate_repair/zstream.h"

#define MAX    (1U << 16)
#define EFFORT (1U << 20) /* many inputs a second find more than long searches */

static void judge_sound(const uint8_t *data, size_t n, size_t size)
{
    AUTO_BUF struct buf once = BUF_EMPTY, packed = BUF_EMPTY, twice = BUF_EMPTY;

    if (!zstream_unpack(data, n, MAX, &once) || once.len != size)
        abort();
    if (!zstream_pack(once.data, once.len, &packed))
        return;
    if (!zstream_unpack((const uint8_t *) packed.data, packed.len, MAX, &twice) ||
        twice.len != once.len || (once.len && memcmp(once.data, twice.data, once.len) != 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_BUF struct buf recovered = BUF_EMPTY, searched = BUF_EMPTY;
    AUTO_BUF struct buf closed = BUF_EMPTY, doubts = BUF_EMPTY;
    struct zstream_gap gap = { .doubts = &doubts };
    bool proved = false;
    size_t size = 0, effort = EFFORT;

    if (zstream_sound(data, n, MAX, &size))
        judge_sound(data, n, size);
    zstream_recover(data, n, MAX, NULL, &recovered);
    gap.at = recovered.len / 2;
    gap.lost = n % 3 ? n * 5 : 0;
    gap.added = n % 3 ? 0 : gap.at / 3;
    gap.unsure_before = gap.unsure_after = n;
    zstream_recover(data, n, MAX, &gap, &closed);
    if (closed.len > MAX || doubts.len < closed.len)
        abort();
    line_search(data, n, MAX, &effort, &searched, &proved);
    if (recovered.len > MAX || searched.len > MAX)
        abort();
    return 0;
}
