/* tests of src/recovery/image_repair/fax_mend.c: fax images that lose bytes or bits. */
#include "recovery/image_repair/fax_mend.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "tap.h"

#define WIDTH  203U
#define ROWS   240U
#define STRIDE 26U
#define RUNS   8 /* of a line */

enum colour { WHITE, BLACK };

static const struct {
    enum colour colour;
    unsigned run;
    const char *code;
} codes[] = {
#define CODE(colour, run, code) { colour, run, code },
#include "image/codec/ccitt_codes.def"
#undef CODE
};

struct writer {
    struct buf *out;
    unsigned bits, n;
};

static void put_bits(struct writer *w, const char *bits)
{
    for (; *bits; bits++) {
        w->bits = w->bits << 1 | (*bits == '1');
        if (++w->n % 8 == 0)
            buf_putc(w->out, (char) w->bits);
    }
}

static void put_code(struct writer *w, enum colour colour, unsigned run)
{
    for (size_t i = 0; i < COUNT(codes); i++)
        if (codes[i].colour == colour && codes[i].run == run)
            put_bits(w, codes[i].code);
}

static void put_run(struct writer *w, enum colour colour, unsigned run)
{
    if (run >= 64)
        put_code(w, colour, run - run % 64);
    put_code(w, colour, run % 64);
}

/* The runs of a line, white first: six white lines after ten of others, as between lines of text.
 */
static void make_line(unsigned row, unsigned runs[RUNS])
{
    unsigned left = WIDTH, seed = row * 2654435761U;

    memset(runs, 0, RUNS * sizeof *runs);
    for (int i = 0; i < RUNS - 2 && row % 16 < 10; i++, seed = seed * 1103515245U + 12345U) {
        runs[i] = 3 + (seed >> 16) % 25;
        left -= runs[i];
    }
    runs[row % 16 < 10 ? RUNS - 2 : 0] = left;
}

static void make(int k, struct buf *data, unsigned char image[ROWS][STRIDE])
{
    struct writer w = { data, 0, 0 };
    bool white = true; /* the line above */

    memset(image, 0, (size_t) ROWS * STRIDE);
    for (unsigned row = 0; row < ROWS; row++) {
        unsigned runs[RUNS], x = 0;
        bool is_white = row % 16 >= 10;

        make_line(row, runs);
        if (k >= 0)
            put_bits(&w, k > 0 ? "0000000000011" : "000000000001");
        if (k < 0 && is_white && white)
            put_bits(&w, "1");
        for (int i = 0; i < RUNS && x < WIDTH && !(k < 0 && is_white && white); i++) {
            if (k < 0 && i % 2 == 0)
                put_bits(&w, "001");
            put_run(&w, i % 2 ? BLACK : WHITE, runs[i]);
            x += runs[i];
            if (k < 0 && x == WIDTH && i % 2 == 0)
                put_run(&w, BLACK, 0);
        }
        x = 0;
        for (int i = 0; i < RUNS; x += runs[i++])
            for (unsigned b = x; i % 2 && b < x + runs[i]; b++)
                image[row][b / 8] |= (unsigned char) (0x80 >> b % 8);
        white = is_white;
    }
    put_bits(&w, k < 0 ? "000000000001000000000001" : "000000000001000000000001000000000001");
    put_bits(&w, "0000000");
}

struct result {
    enum fax_state state;
    unsigned same; /* lines that are as they were */
    size_t lost;
};

/* Without `lost` bytes in the middle, or with a bit that changed. */
static struct result mended(int k, size_t lost, bool flip)
{
    static unsigned char image[ROWS][STRIDE];
    AUTO_BUF struct buf whole = BUF_EMPTY, data = BUF_EMPTY, out = BUF_EMPTY;
    AUTO_FREE uint8_t *exact = NULL;
    struct fax fax = { k, false, WIDTH, ROWS };
    struct result result = { FAX_HOPELESS, 0, 0 };
    size_t at;

    make(k, &whole, image);
    at = whole.len / 2;
    buf_put(&data, whole.data, at);
    buf_put(&data, whole.data + at + lost, whole.len - at - lost);
    if (flip)
        data.data[at] ^= 0x10;
    exact = malloc(data.len);
    memcpy(exact, data.data, data.len);
    result.state = fax_mend(exact, data.len, &fax, &out, &result.lost);
    for (unsigned row = 0; row < ROWS && out.len == (size_t) ROWS * STRIDE; row++)
        result.same += memcmp(out.data + (size_t) row * STRIDE, image[row], STRIDE) == 0;
    return result;
}

static void damage(int k, const char *name)
{
    struct result sound = mended(k, 0, false), byte = mended(k, 1, false);
    struct result bytes = mended(k, 100, false), bit = mended(k, 0, true);

    ok(sound.state == FAX_SOUND && sound.same == 0, "%s: a sound image is left alone", name);
    ok(byte.state == FAX_MENDED && byte.same > ROWS - 20, "%s: one byte lost leaves %u lines of %u",
       name, byte.same, ROWS);
    ok(bytes.state == FAX_MENDED && bytes.same > ROWS - 60, "%s: 100 bytes lost leave %u lines",
       name, bytes.same);
    ok(bit.state == FAX_MENDED && bit.same > ROWS - 20, "%s: one bit changed leaves %u lines", name,
       bit.same);
}

int main(void)
{
    struct fax fax = { -1, false, WIDTH, ROWS };
    AUTO_BUF struct buf out = BUF_EMPTY;
    uint8_t noise[3000];
    size_t lost;

    damage(-1, "T.6");
    damage(0, "T.4");
    damage(1, "T.4, mixed");
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t) (i * 7919 >> 3);
    memset(noise, 0, 40);
    ok(fax_mend(noise, sizeof noise, &fax, &out, &lost) != FAX_SOUND || out.len == 0,
       "noise is not taken for an image");
    out.len = 0;
    memset(noise, 0xff, sizeof noise);
    fax.rows = sizeof noise * 8;
    ok(fax_mend(noise, sizeof noise, &fax, &out, &lost) == FAX_SOUND && out.len == 0,
       "a white image, of which each line is a bit, is sound");
    fax.width = 0;
    ok(fax_mend(noise, sizeof noise, &fax, &out, &lost) == FAX_HOPELESS && out.len == 0,
       "nor is what has no size");
    return done_testing();
}
