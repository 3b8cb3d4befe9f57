/*
 * compare: how far two pictures are from each other, as MuPDF's readers of PNG, JPEG and PNM see
 * them. `compare A B` prints the mean and the largest difference of a channel in levels of 255;
 * status 1 if they differ in size. `compare A` prints width, height and what MuPDF makes of it.
 */
#include <mupdf/fitz.h>
#include <stdio.h>
#include <stdlib.h>

static void silent(void *user, const char *message)
{
    (void) user, (void) message;
}

/* In RGB, with alpha if it has any. */
static fz_pixmap *read_picture(fz_context *ctx, const char *path)
{
    fz_image *image = fz_new_image_from_file(ctx, path);
    fz_pixmap *pixmap = fz_get_unscaled_pixmap_from_image(ctx, image);

    fz_drop_image(ctx, image);
    if (fz_pixmap_colorspace(ctx, pixmap) != fz_device_rgb(ctx)) {
        fz_pixmap *rgb = fz_convert_pixmap(ctx, pixmap, fz_device_rgb(ctx), NULL, NULL,
                                           fz_default_color_params, 1);

        fz_drop_pixmap(ctx, pixmap);
        pixmap = rgb;
    }
    return pixmap;
}

static int compare_pixels(const fz_pixmap *a, const fz_pixmap *b)
{
    double sum = 0;
    size_t n = 0;
    int most = 0;

    if (a->w != b->w || a->h != b->h || a->n != b->n) {
        printf("%dx%dx%d %dx%dx%d\n", a->w, a->h, a->n, b->w, b->h, b->n);
        return 1;
    }
    for (int y = 0; y < a->h; y++) {
        const unsigned char *p = a->samples + y * a->stride, *q = b->samples + y * b->stride;

        for (int i = 0; i < a->w * a->n; i++) {
            int difference = abs(p[i] - q[i]);

            sum += difference;
            most = difference > most ? difference : most;
            n++;
        }
    }
    printf("%.4f %d\n", sum / (double) n, most);
    return 0;
}

static int compare(fz_context *ctx, const char *a_path, const char *b_path)
{
    fz_pixmap *a = read_picture(ctx, a_path), *b = read_picture(ctx, b_path);
    int status = compare_pixels(a, b);

    fz_drop_pixmap(ctx, a);
    fz_drop_pixmap(ctx, b);
    return status;
}

static int describe(fz_context *ctx, const char *path)
{
    fz_image *image = fz_new_image_from_file(ctx, path);
    int x, y;

    fz_image_resolution(image, &x, &y);
    printf("%d %d %d %d %d %d\n", image->w, image->h, image->n, image->bpc, x, y);
    fz_drop_image(ctx, image);
    return 0;
}

int main(int argc, char **argv)
{
    fz_context *ctx = fz_new_context(NULL, NULL, FZ_STORE_DEFAULT);
    int status = 2;

    if (!ctx || argc < 2 || argc > 3)
        return 2;
    fz_set_warning_callback(ctx, silent, NULL);
    fz_try(ctx)
    {
        status = argc == 3 ? compare(ctx, argv[1], argv[2]) : describe(ctx, argv[1]);
    }
    fz_catch(ctx)
    {
        fprintf(stderr, "%s\n", fz_caught_message(ctx));
    }
    fz_drop_context(ctx);
    return status;
}
