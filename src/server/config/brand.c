#include "server/config/brand.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/scope.h"

#define ENOUGH    4.5 /* contrast of text */
#define OF_DARK   7.0 /* of links on dark pages, which are small and bright */
#define STEP      0.02
#define MOST_TINT 0.11

struct color {
    double red, green, blue; /* sRGB, 0 to 1 */
};

/* The background colours of src/server/web/app.css. */
static const struct color white = { 1, 1, 1 }, black = { 0, 0, 0 };
static const struct color paper = { 0xfb / 255.0, 0xfa / 255.0, 0xf8 / 255.0 };
static const struct color dark_card = { 0x1c / 255.0, 0x22 / 255.0, 0x24 / 255.0 };

static double linear(double part)
{
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

/* Relative luminance. */
static double light_of(struct color c)
{
    return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

static double contrast(struct color a, struct color b)
{
    double x = light_of(a) + 0.05, y = light_of(b) + 0.05;

    return x > y ? x / y : y / x;
}

static struct color mix(struct color a, struct color b, double part_of_b)
{
    return (struct color){ a.red + (b.red - a.red) * part_of_b,
                           a.green + (b.green - a.green) * part_of_b,
                           a.blue + (b.blue - a.blue) * part_of_b };
}

static void write_color(struct color c, char out[static BRAND_COLOR])
{
    snprintf(out, BRAND_COLOR, "#%02x%02x%02x", (unsigned) lround(c.red * 255) & 0xff,
             (unsigned) lround(c.green * 255) & 0xff, (unsigned) lround(c.blue * 255) & 0xff);
}

static int read_color(const char *text, struct color *out)
{
    unsigned red, green, blue;

    if (strlen(text) != 7 || *text != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6 ||
        sscanf(text + 1, "%2x%2x%2x", &red, &green, &blue) != 3)
        return -1;
    *out = (struct color){ red / 255.0, green / 255.0, blue / 255.0 };
    return 0;
}

/* The first colour on the way from one to another whose contrast to a background suffices. */
static struct color until_contrast(struct color from, struct color to, struct color background,
                                   double enough)
{
    struct color found = from;

    for (double part = STEP; part <= 1 && contrast(found, background) < enough; part += STEP)
        found = mix(from, to, part);
    return found;
}

/* The strongest tint of a background on which text of the colour can still be read. */
static struct color tint_of(struct color color, struct color background)
{
    double part = MOST_TINT;

    while (part > 0 && contrast(color, mix(background, color, part)) < ENOUGH)
        part -= STEP / 2;
    return mix(background, color, part > 0 ? part : 0);
}

int brand_colors(const char *color, struct brand_colors *out, struct err *err)
{
    struct color base, bright;
    char nearest[BRAND_COLOR];

    if (read_color(color, &base) < 0)
        return err_set(err, ERR_INVALID_PARAMETER, "\"%.20s\" is not a colour such as #0b6e6e",
                       color);
    if (contrast(base, paper) < ENOUGH) {
        write_color(until_contrast(base, black, paper, ENOUGH + 0.05), nearest);
        return err_set(err, ERR_INVALID_PARAMETER,
                       "%s has a contrast of only %.1f to the page, and text needs %.1f: choose a "
                       "darker one, such as %s",
                       color, contrast(base, paper), ENOUGH, nearest);
    }
    bright = until_contrast(base, white, dark_card, OF_DARK);
    write_color(base, out->accent);
    write_color(mix(base, black, 0.2), out->deep);
    write_color(tint_of(base, white), out->tint);
    write_color(bright, out->dark_accent);
    write_color(mix(bright, white, 0.25), out->dark_deep);
    write_color(tint_of(bright, dark_card), out->dark_tint);
    return 0;
}

static bool is_svg(const char *text, size_t n)
{
    size_t skipped = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (skipped < n && strchr(" \t\r\n", text[skipped]))
        skipped++;
    text += skipped;
    n -= skipped;
    return (n > 4 && memcmp(text, "<svg", 4) == 0) ||
           (n > 5 && (memcmp(text, "<?xml", 5) == 0 || memcmp(text, "<!--", 4) == 0) &&
            memmem(text, n, "<svg", 4) != NULL);
}

const char *brand_logo_type(const void *bytes, size_t n)
{
    const char *text = bytes;

    if (n > 8 && memcmp(text, "\x89PNG\r\n\x1a\n", 8) == 0)
        return "image/png";
    if (n > 3 && memcmp(text, "\xff\xd8\xff", 3) == 0)
        return "image/jpeg";
    if (n > 12 && memcmp(text, "RIFF", 4) == 0 && memcmp(text + 8, "WEBP", 4) == 0)
        return "image/webp";
    return is_svg(text, n) ? "image/svg+xml" : NULL;
}

int brand_check_logo(const char *path, struct err *err)
{
    char bytes[BRAND_LOGO_BYTES + 1];
    FILE *file = fopen(path, "re");
    size_t n;

    if (!file)
        return err_set(err, ERR_INVALID_PARAMETER, "%s cannot be read: %s", path, strerror(errno));
    n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (n > BRAND_LOGO_BYTES)
        return err_set(err, ERR_INVALID_PARAMETER, "%s has more than %d bytes", path,
                       BRAND_LOGO_BYTES);
    if (!brand_logo_type(bytes, n))
        return err_set(err, ERR_INVALID_PARAMETER, "%s is not a PNG, JPEG, WebP or SVG file", path);
    return 0;
}
