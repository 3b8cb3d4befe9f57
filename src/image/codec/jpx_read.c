#include "image/codec/jpx_read.h"

#include <openjpeg.h>
#include <string.h>

#include "base/effort.h"

#define MAX_PIXELS     400000000
#define INFLATED       (256.0 * 1024 * 1024) /* limit of the decoded samples in bytes */
#define INFLATED_TIMES 1000                  /* and of their ratio to the data's bytes */
#define SAMPLE         6.0                   /* units of effort for a sample */

struct source {
    const uint8_t *data;
    size_t n, at;
};

static OPJ_SIZE_T read_some(void *to, OPJ_SIZE_T n, void *arg)
{
    struct source *source = arg;
    size_t left = source->n - source->at;

    if (left == 0)
        return (OPJ_SIZE_T) -1;
    n = n < left ? n : left;
    memcpy(to, source->data + source->at, n);
    source->at += n;
    return n;
}

static OPJ_OFF_T skip_some(OPJ_OFF_T n, void *arg)
{
    struct source *source = arg;
    size_t left = source->n - source->at;

    if (n < 0)
        return -1;
    source->at += (size_t) n < left ? (size_t) n : left;
    return n;
}

static OPJ_BOOL seek_to(OPJ_OFF_T at, void *arg)
{
    struct source *source = arg;

    if (at < 0 || (size_t) at > source->n)
        return OPJ_FALSE;
    source->at = (size_t) at;
    return OPJ_TRUE;
}

static void ignore_message(const char *text, void *arg)
{
    (void) text, (void) arg;
}

static void drop_codec(opj_codec_t **codec)
{
    if (*codec)
        opj_destroy_codec(*codec);
}

static void drop_stream(opj_stream_t **stream)
{
    if (*stream)
        opj_stream_destroy(*stream);
}

static void drop_image(opj_image_t **image)
{
    if (*image)
        opj_image_destroy(*image);
}

static opj_stream_t *open_source(struct source *source)
{
    opj_stream_t *stream = opj_stream_default_create(OPJ_TRUE);

    if (!stream)
        return NULL;
    opj_stream_set_user_data(stream, source, NULL);
    opj_stream_set_user_data_length(stream, source->n);
    opj_stream_set_read_function(stream, read_some);
    opj_stream_set_skip_function(stream, skip_some);
    opj_stream_set_seek_function(stream, seek_to);
    return stream;
}

static opj_codec_t *open_codec(const struct source *source, unsigned halvings)
{
    static const uint8_t code_stream[] = { 0xff, 0x4f, 0xff, 0x51 };
    bool bare = source->n >= 4 && memcmp(source->data, code_stream, 4) == 0;
    opj_codec_t *codec = opj_create_decompress(bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
    opj_dparameters_t parameters;

    if (!codec)
        return NULL;
    opj_set_info_handler(codec, ignore_message, NULL);
    opj_set_warning_handler(codec, ignore_message, NULL);
    opj_set_error_handler(codec, ignore_message, NULL);
    opj_set_default_decoder_parameters(&parameters);
    parameters.cp_reduce = halvings;
    if (!opj_setup_decoder(codec, &parameters)) {
        opj_destroy_codec(codec);
        return NULL;
    }
    return codec;
}

/* Whether the image is of a kind that is supported here. */
static bool is_plain(const opj_image_t *image)
{
    if ((image->numcomps != 1 && image->numcomps != 3) || image->color_space == OPJ_CLRSPC_SYCC ||
        image->color_space == OPJ_CLRSPC_EYCC || image->color_space == OPJ_CLRSPC_CMYK)
        return false;
    for (unsigned i = 0; i < image->numcomps; i++) {
        const opj_image_comp_t *c = &image->comps[i];

        if (c->prec != 8 || c->sgnd || c->dx != 1 || c->dy != 1 || c->alpha ||
            c->w != image->comps[0].w || c->h != image->comps[0].h)
            return false;
    }
    return (uint64_t) image->comps[0].w * image->comps[0].h <= MAX_PIXELS;
}

/* Whether the job can afford to decode it: its memory, and its work (base/effort.h). */
static bool is_worth_it(const opj_image_t *image, size_t n)
{
    double samples = (double) image->comps[0].w * image->comps[0].h * image->numcomps;
    double bytes = samples * sizeof(OPJ_INT32);

    return (bytes <= INFLATED || bytes <= INFLATED_TIMES * (double) n) &&
           effort_spend_on(samples * SAMPLE, n);
}

static bool copy_samples(const opj_image_t *image, struct raster *out)
{
    size_t n = image->numcomps, pixels;

    for (size_t c = 0; c < n; c++)
        if (!image->comps[c].data)
            return false;
    if (!raster_new(out, image->comps[0].w, image->comps[0].h, n))
        return false;
    pixels = out->width * out->height;
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < pixels; i++) {
            OPJ_INT32 value = image->comps[c].data[i];

            out->data[i * n + c] = (uint8_t) (value < 0 ? 0 : value > 255 ? 255 : value);
        }
    return true;
}

bool jpx_read(const void *data, size_t n, unsigned halvings, struct raster *out)
{
    struct source source = { .data = data, .n = n };
    __attribute__((cleanup(drop_stream))) opj_stream_t *stream = open_source(&source);
    __attribute__((cleanup(drop_codec))) opj_codec_t *codec = open_codec(&source, halvings);
    __attribute__((cleanup(drop_image))) opj_image_t *image = NULL;

    if (!stream || !codec || !opj_read_header(stream, codec, &image) || !is_plain(image) ||
        !is_worth_it(image, n) || !opj_decode(codec, stream, image) ||
        !opj_end_decompress(codec, stream) || image->icc_profile_buf)
        return false;
    return copy_samples(image, out);
}
