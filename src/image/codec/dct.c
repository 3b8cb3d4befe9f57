#include "image/codec/dct.h"

#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs it */

#include <jpeglib.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "image/codec/jpeg_damage.h"
#include "image/codec/jpeg_effort.h"

#define INFLATED       (128.0 * 1024 * 1024) /* limit of the decoded samples in bytes */
#define INFLATED_TIMES 100                   /* and of their ratio to the data's bytes */
/* limit of libjpeg: coefficients of a progressive image */
#define MOST_BYTES (256L << 20)

/* libjpeg calls fatal() when it fails; its own destroy function frees what it allocated.
 * Functions that call setjmp must not own anything that cleans itself up. */
struct failure {
    struct jpeg_error_mgr manager;
    unsigned losses; /* warnings of damage, which libjpeg does not reset when it begins to write */
    jmp_buf jump;
};

static void fatal(j_common_ptr info)
{
    longjmp(((struct failure *) (void *) info->err)->jump, 1);
}

static void ignore_message(j_common_ptr info)
{
    (void) info;
}

static void count_losses(j_common_ptr info, int level)
{
    if (level >= 0)
        return;
    info->err->num_warnings++;
    ((struct failure *) (void *) info->err)->losses += jpeg_damage_is_loss(info->err);
}

static struct jpeg_error_mgr *quiet(struct failure *failure)
{
    jpeg_std_error(&failure->manager);
    failure->losses = 0;
    failure->manager.emit_message = count_losses;
    failure->manager.error_exit = fatal;
    failure->manager.output_message = ignore_message;
    return &failure->manager;
}

/* The work of decoding a whole image; each scan takes a part of it. */
struct watch {
    struct jpeg_progress_mgr manager;
    struct jpeg_effort effort;
};

static void watch_scans(j_common_ptr info)
{
    struct watch *watch = (struct watch *) (void *) info->progress;

    if (info->is_decompressor && !jpeg_effort_spend(&watch->effort, (j_decompress_ptr) info))
        longjmp(((struct failure *) (void *) info->err)->jump, 1);
}

static void open_watched(struct jpeg_decompress_struct *in, struct watch *watch, const void *data,
                         size_t n)
{
    *watch =
        (struct watch){ .manager = { .progress_monitor = watch_scans }, .effort = { .bytes = n } };
    jpeg_create_decompress(in);
    in->progress = &watch->manager;
    in->mem->max_memory_to_use = MOST_BYTES;
    jpeg_mem_src(in, data, n);
}

/* The quality whose standard table has the same mean as the image's first table. */
static int guess_quality(const struct jpeg_decompress_struct *in)
{
    static const double standard = 57.6; /* mean of T.81's table K.1 */
    const JQUANT_TBL *table =
        in->comp_info ? in->quant_tbl_ptrs[in->comp_info[0].quant_tbl_no] : NULL;
    double mean = 0, scale;

    if (!table)
        return 100;
    for (int i = 0; i < DCTSIZE2; i++)
        mean += table->quantval[i] / 64.0;
    scale = 100 * mean / standard;
    scale = scale <= 100 ? (200 - scale) / 2 : 5000 / scale;
    return scale < 1 ? 1 : scale > 100 ? 100 : (int) scale;
}

/* Without Adobe's marker, libjpeg decides by the component identifiers. */
static void read_header(struct jpeg_decompress_struct *in, int transform)
{
    jpeg_read_header(in, TRUE);
    if (in->saw_Adobe_marker || transform < 0)
        return;
    if (in->num_components == 3)
        in->jpeg_color_space = transform ? JCS_YCbCr : JCS_RGB;
    else if (in->num_components == 4)
        in->jpeg_color_space = transform ? JCS_YCCK : JCS_CMYK;
}

static void fill_info(const struct jpeg_decompress_struct *in, struct dct_info *info)
{
    J_COLOR_SPACE space = in->jpeg_color_space;

    *info = (struct dct_info){
        .width = in->image_width,
        .height = in->image_height,
        .channels = in->num_components,
        .adobe = in->saw_Adobe_marker,
        .turned = space == JCS_YCbCr || space == JCS_YCCK,
        .plain = in->data_precision == 8 && space != JCS_UNKNOWN && in->num_components != 2,
        .quality = guess_quality(in),
    };
}

bool dct_look(const void *data, size_t n, int transform, struct dct_info *info)
{
    struct jpeg_decompress_struct in;
    struct failure failure;

    memset(&in, 0, sizeof in);
    in.err = quiet(&failure);
    if (setjmp(failure.jump)) {
        jpeg_destroy_decompress(&in);
        return false;
    }
    jpeg_create_decompress(&in);
    jpeg_mem_src(&in, data, n);
    read_header(&in, transform);
    fill_info(&in, info);
    jpeg_destroy_decompress(&in);
    return true;
}

static void read_rows(struct jpeg_decompress_struct *in, struct raster *out)
{
    while (in->output_scanline < in->output_height) {
        JSAMPROW row = out->data + in->output_scanline * out->width * out->channels;

        jpeg_read_scanlines(in, &row, 1);
    }
}

/* Whether its samples need far more memory than its data suggests: it is small as it is. */
static bool is_inflated(const struct jpeg_decompress_struct *in, size_t n)
{
    double bytes = (double) in->output_width * (double) in->output_height * in->output_components;

    return bytes > INFLATED && bytes > INFLATED_TIMES * (double) n;
}

static bool read_image(struct jpeg_decompress_struct *in, size_t n, int transform, unsigned eighths,
                       bool bright, struct raster *out)
{
    read_header(in, transform);
    in->scale_num = eighths;
    in->scale_denom = 8;
    if (bright && in->jpeg_color_space == JCS_YCbCr)
        in->out_color_space = JCS_GRAYSCALE;
    else if (in->num_components == 3)
        in->out_color_space = JCS_RGB;
    else if (in->num_components == 4)
        in->out_color_space = JCS_CMYK;
    jpeg_start_decompress(in);
    if (is_inflated(in, n))
        return false;
    if (!raster_new(out, in->output_width, in->output_height, (size_t) in->output_components))
        return false;
    read_rows(in, out);
    jpeg_finish_decompress(in);
    return in->err->num_warnings == 0;
}

static bool read_jpeg(const void *data, size_t n, int transform, unsigned eighths, bool bright,
                      struct raster *out)
{
    struct jpeg_decompress_struct in;
    struct watch watch;
    struct failure failure;

    memset(&in, 0, sizeof in);
    *out = (struct raster){ 0 };
    in.err = quiet(&failure);
    if (setjmp(failure.jump)) {
        jpeg_destroy_decompress(&in);
        raster_free(out);
        return false;
    }
    open_watched(&in, &watch, data, n);
    if (!read_image(&in, n, transform, eighths, bright, out))
        raster_free(out);
    jpeg_destroy_decompress(&in);
    return out->data != NULL;
}

bool dct_read(const void *data, size_t n, int transform, unsigned eighths, struct raster *out)
{
    return read_jpeg(data, n, transform, eighths, false, out);
}

bool dct_read_brightness(const void *data, size_t n, struct raster *out)
{
    return read_jpeg(data, n, -1, 8, true, out);
}

static bool keep_whole(struct buf *out, unsigned char *data, unsigned long n, bool whole)
{
    if (whole)
        buf_put(out, data, n);
    free(data);
    return whole && !out->failed;
}

/* Drops the colour components as jpegtran does. */
static bool drop_colours(const struct jpeg_decompress_struct *in, struct jpeg_compress_struct *to)
{
    int table = to->comp_info[0].quant_tbl_no;

    if (in->jpeg_color_space != JCS_YCbCr || in->num_components != 3)
        return false;
    jpeg_set_colorspace(to, JCS_GRAYSCALE);
    to->comp_info[0].quant_tbl_no = table;
    return true;
}

static bool repack(const void *data, size_t n, bool gray, struct buf *out)
{
    struct jpeg_decompress_struct in;
    struct jpeg_compress_struct to;
    struct watch watch;
    struct failure failure;
    unsigned char *written = NULL;
    unsigned long size = 0;
    jvirt_barray_ptr *coefficients;

    memset(&in, 0, sizeof in);
    memset(&to, 0, sizeof to);
    in.err = to.err = quiet(&failure);
    if (setjmp(failure.jump)) {
        jpeg_destroy_compress(&to);
        jpeg_destroy_decompress(&in);
        return false;
    }
    open_watched(&in, &watch, data, n);
    jpeg_create_compress(&to);
    jpeg_read_header(&in, TRUE);
    coefficients = jpeg_read_coefficients(&in);
    jpeg_copy_critical_parameters(&in, &to);
    if (gray && !drop_colours(&in, &to))
        longjmp(failure.jump, 1);
    to.write_JFIF_header = FALSE;
    to.write_Adobe_marker = in.saw_Adobe_marker && !gray;
    to.optimize_coding = TRUE;
    jpeg_simple_progression(&to);
    jpeg_mem_dest(&to, &written, &size);
    jpeg_write_coefficients(&to, coefficients);
    jpeg_finish_compress(&to);
    jpeg_finish_decompress(&in);
    jpeg_destroy_compress(&to);
    jpeg_destroy_decompress(&in);
    return keep_whole(out, written, size, failure.losses == 0);
}

bool dct_repack(const void *data, size_t n, struct buf *out)
{
    return repack(data, n, false, out);
}

bool dct_repack_gray(const void *data, size_t n, struct buf *out)
{
    return repack(data, n, true, out);
}

static void set_colours(struct jpeg_compress_struct *to, const struct raster *raster,
                        const struct dct_write *how)
{
    static const J_COLOR_SPACE spaces[] = { JCS_UNKNOWN, JCS_GRAYSCALE, JCS_UNKNOWN, JCS_RGB,
                                            JCS_CMYK };

    to->input_components = (int) raster->channels;
    to->in_color_space = spaces[raster->channels];
    jpeg_set_defaults(to);
    if (raster->channels == 4)
        jpeg_set_colorspace(to, how->turned ? JCS_YCCK : JCS_CMYK);
    to->write_JFIF_header = FALSE;
    to->write_Adobe_marker = raster->channels == 4 && how->adobe;
    if (raster->channels >= 3 && !(raster->channels == 4 && !how->turned)) {
        int factor = how->full_colour ? 1 : 2;

        to->comp_info[0].h_samp_factor = to->comp_info[0].v_samp_factor = factor;
        if (raster->channels == 4)
            to->comp_info[3].h_samp_factor = to->comp_info[3].v_samp_factor = factor;
    }
}

/* Sets the tables of luminance and of colour differences. */
static void set_quality(struct jpeg_compress_struct *to, const struct dct_write *how)
{
    JQUANT_TBL colours;

    jpeg_set_quality(to, how->quality, TRUE);
    if (to->num_components == 1 || how->colours <= how->quality)
        return;
    jpeg_set_quality(to, how->colours, TRUE);
    colours = *to->quant_tbl_ptrs[1];
    jpeg_set_quality(to, how->quality, TRUE);
    memcpy(to->quant_tbl_ptrs[1]->quantval, colours.quantval, sizeof colours.quantval);
}

bool dct_write(const struct raster *raster, const struct dct_write *how, struct buf *out)
{
    struct jpeg_compress_struct to;
    struct failure failure;
    unsigned char *written = NULL;
    unsigned long size = 0;

    memset(&to, 0, sizeof to);
    to.err = quiet(&failure);
    if (setjmp(failure.jump)) {
        jpeg_destroy_compress(&to);
        return false;
    }
    jpeg_create_compress(&to);
    jpeg_mem_dest(&to, &written, &size);
    to.image_width = (JDIMENSION) raster->width;
    to.image_height = (JDIMENSION) raster->height;
    set_colours(&to, raster, how);
    set_quality(&to, how);
    to.dct_method = JDCT_ISLOW;
    if (!how->quick) {
        to.optimize_coding = TRUE;
        jpeg_simple_progression(&to);
    }
    jpeg_start_compress(&to, TRUE);
    while (to.next_scanline < to.image_height) {
        JSAMPROW row = raster->data + to.next_scanline * raster->width * raster->channels;

        jpeg_write_scanlines(&to, &row, 1);
    }
    jpeg_finish_compress(&to);
    jpeg_destroy_compress(&to);
    return keep_whole(out, written, size, true);
}
