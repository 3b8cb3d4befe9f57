#include "image/import/lzw.h"

#define CODE_BITS 12
#define CODES     (1U << CODE_BITS)

/* The meaning of a code: bytes that were written before, so that nothing is copied twice. */
struct entry {
    size_t at;
    size_t n;
};

bool lzw_decode(const uint8_t *data, size_t n, unsigned bits, uint8_t *out, size_t wanted)
{
    struct entry table[CODES];
    const unsigned clear = 1U << bits, end = clear + 1;
    unsigned width = bits + 1, used = clear + 2;
    uint64_t held = 0;
    unsigned n_held = 0;
    size_t in = 0, done = 0;

    while (done < wanted) {
        while (n_held < width && in < n) {
            held |= (uint64_t) data[in++] << n_held;
            n_held += 8;
        }
        if (n_held < width)
            return false;
        unsigned code = (unsigned) (held & ((1U << width) - 1));
        held >>= width;
        n_held -= width;
        if (code == clear) {
            width = bits + 1;
            used = clear + 2;
            continue;
        }
        if (code == end)
            return false;
        struct entry now = { done, 1 };
        if (code < clear) {
            out[done] = (uint8_t) code;
        } else if (code < used) {
            now.n = table[code].n;
            if (now.n > wanted - done)
                now.n = wanted - done;
            for (size_t i = 0; i < now.n; i++) /* the ranges may overlap if it is the code that
                                                * was made last */
                out[done + i] = out[table[code].at + i];
        } else {
            return false;
        }
        done += now.n;
        /* The next code means these bytes and the first byte that follows them. It is made one
         * code earlier than in the encoder: hence the 1 below. */
        if (used < CODES) {
            table[used++] = (struct entry){ now.at, now.n + 1 };
            if (used - 1 == 1U << width && width < CODE_BITS)
                width++;
        }
    }
    return true;
}
