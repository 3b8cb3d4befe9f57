#include "jpx.h"

#include <openjpeg.h>
#include <string.h>

/* Lengths of boxes are written when they are known, at the place they have in front. */
struct file {
    struct buf *out;
    size_t at;
};

static OPJ_BOOL seek(OPJ_OFF_T at, void *arg)
{
    struct file *file = arg;

    while (file->out->len < (size_t) at && !file->out->failed)
        buf_putc(file->out, '\0');
    file->at = (size_t) at;
    return !file->out->failed;
}

static OPJ_OFF_T skip(OPJ_OFF_T n, void *arg)
{
    struct file *file = arg;

    return seek((OPJ_OFF_T) file->at + n, arg) ? n : -1;
}

static OPJ_SIZE_T put(void *data, OPJ_SIZE_T n, void *arg)
{
    struct file *file = arg;
    size_t at = file->at;

    if (!seek((OPJ_OFF_T) (at + n), arg))
        return (OPJ_SIZE_T) -1;
    memcpy(file->out->data + at, data, n);
    return n;
}

static opj_image_t *make_image(const struct raster *raster)
{
    opj_image_cmptparm_t parts[3] = { 0 };
    OPJ_UINT32 n = (OPJ_UINT32) raster->channels;
    opj_image_t *image;

    for (OPJ_UINT32 i = 0; i < n; i++)
        parts[i] = (opj_image_cmptparm_t){ .dx = 1,
                                           .dy = 1,
                                           .w = (OPJ_UINT32) raster->width,
                                           .h = (OPJ_UINT32) raster->height,
                                           .prec = 8 };
    image = opj_image_create(n, parts, n == 3 ? OPJ_CLRSPC_SRGB : OPJ_CLRSPC_GRAY);
    if (!image)
        return NULL;
    image->x1 = (OPJ_UINT32) raster->width;
    image->y1 = (OPJ_UINT32) raster->height;
    for (size_t i = 0; i < raster->width * raster->height; i++)
        for (OPJ_UINT32 c = 0; c < n; c++)
            image->comps[c].data[i] = raster->data[i * n + c];
    return image;
}

bool jpx_write(const struct raster *raster, struct buf *out)
{
    opj_cparameters_t how;
    opj_image_t *image = make_image(raster);
    opj_codec_t *codec = opj_create_compress(OPJ_CODEC_JP2);
    opj_stream_t *stream = opj_stream_default_create(OPJ_FALSE);
    struct file file = { .out = out };
    bool done = false;

    opj_set_default_encoder_parameters(&how);
    how.tcp_numlayers = 1;
    how.cp_disto_alloc = 1;
    if (image && codec && stream) {
        opj_stream_set_write_function(stream, put);
        opj_stream_set_skip_function(stream, skip);
        opj_stream_set_seek_function(stream, seek);
        opj_stream_set_user_data(stream, &file, NULL);
        done = opj_setup_encoder(codec, &how, image) && opj_start_compress(codec, image, stream) &&
               opj_encode(codec, stream) && opj_end_compress(codec, stream);
    }
    opj_stream_destroy(stream);
    opj_destroy_codec(codec);
    opj_image_destroy(image);
    return done && !out->failed;
}
