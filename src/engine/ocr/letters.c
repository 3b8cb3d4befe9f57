#include "engine/ocr/letters.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

/* Heights of usual fonts in parts of their size, from the baseline: of letters such as x, of
 * capitals, digits and letters such as d, and below it of letters such as p. */
#define X_HEIGHT   0.48
#define CAPITALS   0.69
#define BELOW      0.21
#define WHOLE      0.90 /* ink of a Chinese character, or width of a vertical line */
#define ANY        0.80 /* ink of a line in any other script, above and below the baseline */
#define LAST_LATIN 0x24f

static bool among(uint32_t c, const char *letters)
{
    return c > 0 && c < 128 && strchr(letters, (int) c);
}

struct shape {
    int letters, low, tall, deep, wide, other;
};

static struct shape shape_of(const char *text, size_t n)
{
    struct shape s = { 0 };
    size_t at = 0;

    while (at < n) {
        uint32_t c = utf8_next(text, n, &at);

        s.letters++;
        if (among(c, "acemnorsuvwxz"))
            s.low++;
        else if (among(c, "bdfhklABCDEFGHIKLMNOPRSTUVWXYZ0123456789"))
            s.tall++;
        else if (among(c, "gpqy"))
            s.deep++;
        else if (c >= 0x2e80 && c < 0xe000)
            s.wide++;
        else if (c > LAST_LATIN && c < 0x2000)
            s.other++;
    }
    return s;
}

static void add_size(struct letters_sizes *sizes, double size, int weight)
{
    if (sizes->n == LETTERS_WORDS || !(size > 1) || weight <= 0)
        return;
    sizes->sizes[sizes->n] = size;
    sizes->weights[sizes->n++] = weight;
}

void letters_note(struct letters_sizes *sizes, const char *text, size_t n, double above,
                  double below)
{
    struct shape s = shape_of(text, n);

    if (s.wide)
        add_size(sizes, (above + below) / WHOLE, 3 * s.letters);
    else if (s.other)
        add_size(sizes, (above + below) / ANY, 3 * s.letters);
    else if (s.tall)
        add_size(sizes, above / CAPITALS, 4 * s.letters);
    else if (s.low && s.low + s.deep == s.letters)
        add_size(sizes, above / X_HEIGHT, 2 * s.letters);
    else
        add_size(sizes, (above + fmax(below, 0)) / ANY, 1);
}

void letters_note_width(struct letters_sizes *sizes, double width)
{
    add_size(sizes, width / WHOLE, 1);
}

/* The weighted median. */
double letters_size(struct letters_sizes *sizes)
{
    long total = 0, sum = 0;

    for (size_t i = 0; i < sizes->n; i++)
        total += sizes->weights[i];
    for (size_t i = 1; i < sizes->n; i++) {
        double size = sizes->sizes[i];
        int weight = sizes->weights[i];
        size_t k = i;

        for (; k > 0 && sizes->sizes[k - 1] > size; k--) {
            sizes->sizes[k] = sizes->sizes[k - 1];
            sizes->weights[k] = sizes->weights[k - 1];
        }
        sizes->sizes[k] = size;
        sizes->weights[k] = weight;
    }
    for (size_t i = 0; i < sizes->n; i++) {
        sum += sizes->weights[i];
        if (2 * sum >= total)
            return sizes->sizes[i];
    }
    return 1;
}
