/*
 * jpeg_yield: which share of what is left of a JPEG image comes back after damage in the middle.
 *
 *     build/bench/jpeg_yield [TRIALS]
 *
 * The share is of the blocks of 8 x 8 samples after the damage, which are as they were (within six
 * levels on the average): first as libjpeg shows the damaged image, then as it shows the repaired
 * one; of progressive images, all blocks. Images and damage are made by seeds.
 */
#include "base/scope.h"
#include "image_repair/jpeg_made.h"
#include "recovery/image_repair/jpeg_mend.h"

static const struct {
    const char *name;
    struct jpeg_made made;
} kinds[] = {
    { "gray", { 400, 500, 1, 1, 75, 0, false, false, 1 } },
    { "colour 4:4:4", { 400, 500, 3, 1, 75, 0, false, false, 2 } },
    { "colour 4:2:0", { 400, 500, 3, 2, 75, 0, false, false, 3 } },
    { "4:2:0, own tables", { 400, 500, 3, 2, 85, 0, true, false, 4 } },
    { "4:2:0, restart each row", { 400, 500, 3, 2, 75, 25, false, false, 5 } },
    { "CMYK", { 300, 300, 4, 1, 75, 0, false, false, 6 } },
    { "gray, progressive", { 400, 500, 1, 1, 75, 0, false, true, 7 } },
    { "4:4:4, progressive", { 400, 500, 3, 1, 75, 0, false, true, 8 } },
    { "4:2:0, progressive", { 400, 500, 3, 2, 75, 0, false, true, 9 } },
};

enum damage { BYTE_LOST, BIT_FLIPPED, BYTES_LOST, BYTE_ADDED, END_LOST, N_DAMAGE };

static const char *const names[N_DAMAGE] = { "1 byte lost", "1 bit flipped", "100 bytes lost",
                                             "1 byte added", "last third lost" };

static size_t harm(enum damage damage, const struct buf *whole, unsigned *state, struct buf *out)
{
    size_t head = 700, at = head + jpeg_made_random(state) % (whole->len * 3 / 4 - head);

    if (damage == END_LOST) {
        at = whole->len * 2 / 3;
        buf_put(out, whole->data, at);
        return at;
    }
    buf_put(out, whole->data, at);
    if (damage == BIT_FLIPPED)
        buf_putc(out, (char) (whole->data[at++] ^ (char) (1U << jpeg_made_random(state) % 8)));
    else if (damage == BYTE_ADDED)
        buf_putc(out, (char) jpeg_made_random(state));
    else
        at += damage == BYTE_LOST ? 1 : 100;
    buf_put(out, whole->data + at, whole->len - at);
    return at;
}

struct sum {
    double before, after;
    int trials, mended;
};

static void trial(const struct jpeg_made *made, enum damage damage, unsigned seed, struct sum *sum)
{
    AUTO_BUF struct buf whole = BUF_EMPTY, damaged = BUF_EMPTY, mended = BUF_EMPTY;
    struct jpeg_made of = *made;
    struct jpeg_mended report;
    struct jpeg_hint hint = { (unsigned) made->width, (unsigned) made->height,
                              (unsigned) made->components,
                              damage == BYTE_LOST || damage == BYTES_LOST || damage == BYTE_ADDED,
                              damage == BYTE_LOST    ? 1
                              : damage == BYTES_LOST ? 100
                              : damage == BYTE_ADDED ? -1
                                                     : 0 };
    unsigned state = seed;
    int total, before, prefix, after;
    size_t at;
    long warnings;

    of.seed = seed;
    jpeg_made_write(&of, &whole);
    at = harm(damage, &whole, &state, &damaged);
    AUTO_FREE unsigned char *is = jpeg_made_read(&of, whole.data, whole.len, &warnings);
    AUTO_FREE unsigned char *cut = jpeg_made_read(&of, whole.data, at, &warnings);
    AUTO_FREE unsigned char *was = jpeg_made_read(&of, damaged.data, damaged.len, &warnings);
    enum jpeg_state state_of =
        jpeg_mend((const unsigned char *) damaged.data, damaged.len, &hint, &mended, &report);
    const struct buf *result = state_of == JPEG_MENDED ? &mended : &damaged;
    AUTO_FREE unsigned char *now = jpeg_made_read(&of, result->data, result->len, &warnings);

    prefix = of.progressive ? 0 : jpeg_made_same(&of, is, cut, &total);
    before = jpeg_made_same(&of, is, was, &total);
    after = jpeg_made_same(&of, is, now, &total);
    if (getenv("EACH"))
        printf("%u: %d of %d, %d -> %d, lost %zu of %zu, %d, warnings %ld\n", seed, prefix, total,
               before, after, report.lost, report.mcus, (int) state_of, warnings);
    if (total == prefix)
        return;
    sum->before += (double) (before - prefix) / (total - prefix);
    sum->after += (double) (after - prefix) / (total - prefix);
    sum->mended += state_of == JPEG_MENDED;
    sum->trials++;
}

int main(int argc, char **argv)
{
    int trials = argc > 1 ? (int) strtol(argv[1], NULL, 10) : 20;

    printf(
        "| image | damage | repaired | as libjpeg shows it | repaired |\n|---|---|--:|--:|--:|\n");
    for (unsigned k = 0; k < COUNT(kinds); k++)
        for (int damage = 0; damage < N_DAMAGE; damage++) {
            struct sum sum = { 0 };

            for (int i = 0; i < trials; i++)
                trial(&kinds[k].made, (enum damage) damage, 1000 * k + 7 * (unsigned) i + 1, &sum);
            printf("| %s | %s | %d of %d | %.0f %% | %.0f %% |\n", kinds[k].name, names[damage],
                   sum.mended, sum.trials, 100 * sum.before / sum.trials,
                   100 * sum.after / sum.trials);
        }
    return 0;
}
