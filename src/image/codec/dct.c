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

/* An image of which blocks are replaced by those of another one of the same shape. */
struct patch {
    struct jpeg_decompress_struct in, from; /* the image, and the one that has the new blocks */
    struct jpeg_compress_struct middle, to;
    struct watch watch, from_watch;
    unsigned char *encoded, *written;
    unsigned long n_encoded, n_written;
};

static void close_patch(struct patch *p)
{
    jpeg_destroy_compress(&p->middle);
    jpeg_destroy_compress(&p->to);
    jpeg_destroy_decompress(&p->in);
    jpeg_destroy_decompress(&p->from);
    free(p->encoded);
}

/* Encodes the pixels with the tables and the sampling of the image. */
static void encode_alike(struct patch *p, const struct raster *pixels)
{
    struct jpeg_compress_struct *to = &p->middle;

    jpeg_create_compress(to);
    jpeg_copy_critical_parameters(&p->in, to);
    to->in_color_space = pixels->channels == 1   ? JCS_GRAYSCALE
                         : pixels->channels == 4 ? JCS_CMYK
                                                 : JCS_RGB;
    jpeg_mem_dest(to, &p->encoded, &p->n_encoded);
    jpeg_start_compress(to, TRUE);
    for (size_t y = 0; y < pixels->height; y++) {
        JSAMPROW row = pixels->data + y * pixels->width * pixels->channels;

        jpeg_write_scanlines(to, &row, 1);
    }
    jpeg_finish_compress(to);
}

/* Whether a pixel of a block, or next to it, is covered. What lies beyond the edges repeats them.
 */
static bool is_covered(const struct jpeg_decompress_struct *in, const jpeg_component_info *of,
                       const uint8_t *covered, JDIMENSION column, JDIMENSION row)
{
    size_t across = DCTSIZE * (size_t) (in->max_h_samp_factor / of->h_samp_factor);
    size_t down = DCTSIZE * (size_t) (in->max_v_samp_factor / of->v_samp_factor);
    size_t w = in->image_width, h = in->image_height, left = column * across, top = row * down;
    size_t right = left + across + 1 < w ? left + across + 1 : w;
    size_t bottom = top + down + 1 < h ? top + down + 1 : h;

    left = left ? left - 1 : 0;
    top = top ? top - 1 : 0;
    for (size_t y = top < h ? top : h - 1; y < bottom; y++)
        if (memchr(covered + y * w + (left < w ? left : w - 1), 1,
                   right - (left < w ? left : w - 1)))
            return true;
    return false;
}

static void replace_blocks(struct patch *p, jvirt_barray_ptr *to, jvirt_barray_ptr *from,
                           const uint8_t *covered)
{
    struct jpeg_decompress_struct *in = &p->in;

    for (int c = 0; c < in->num_components; c++) {
        const jpeg_component_info *of = &in->comp_info[c];
        JDIMENSION across = of->width_in_blocks, down = of->height_in_blocks;

        across += (JDIMENSION) of->h_samp_factor - 1;
        across -= across % (JDIMENSION) of->h_samp_factor;
        down += (JDIMENSION) of->v_samp_factor - 1;
        down -= down % (JDIMENSION) of->v_samp_factor;
        for (JDIMENSION row = 0; row < down; row++) {
            JBLOCKARRAY old = in->mem->access_virt_barray((j_common_ptr) in, to[c], row, 1, TRUE);
            JBLOCKARRAY new =
                p->from.mem->access_virt_barray((j_common_ptr) &p->from, from[c], row, 1, FALSE);

            for (JDIMENSION column = 0; column < across; column++)
                if (is_covered(in, of, covered, column, row))
                    memcpy(old[0][column], new[0][column], sizeof old[0][column]);
        }
    }
}

static bool is_patchable(const struct jpeg_decompress_struct *in, const struct raster *pixels)
{
    J_COLOR_SPACE space = in->jpeg_color_space;
    bool even = true;

    for (int c = 0; c < in->num_components; c++)
        even &= in->max_h_samp_factor % in->comp_info[c].h_samp_factor == 0 &&
                in->max_v_samp_factor % in->comp_info[c].v_samp_factor == 0;
    return even && in->data_precision == 8 && in->image_width == pixels->width &&
           in->image_height == pixels->height && (size_t) in->num_components == pixels->channels &&
           (space == JCS_GRAYSCALE || space == JCS_YCbCr || space == JCS_RGB || space == JCS_CMYK ||
            space == JCS_YCCK);
}

bool dct_patch(const void *data, size_t n, int transform, const struct raster *pixels,
               const uint8_t *covered, struct buf *out)
{
    struct patch p;
    struct failure failure;
    jvirt_barray_ptr *to, *from;

    memset(&p, 0, sizeof p);
    p.in.err = p.from.err = p.middle.err = p.to.err = quiet(&failure);
    if (setjmp(failure.jump)) {
        close_patch(&p);
        free(p.written);
        return false;
    }
    open_watched(&p.in, &p.watch, data, n);
    read_header(&p.in, transform);
    to = jpeg_read_coefficients(&p.in);
    if (!is_patchable(&p.in, pixels))
        longjmp(failure.jump, 1);
    encode_alike(&p, pixels);
    open_watched(&p.from, &p.from_watch, p.encoded, p.n_encoded);
    jpeg_read_header(&p.from, TRUE);
    from = jpeg_read_coefficients(&p.from);
    replace_blocks(&p, to, from, covered);
    jpeg_create_compress(&p.to);
    jpeg_copy_critical_parameters(&p.in, &p.to);
    p.to.write_JFIF_header = FALSE;
    p.to.write_Adobe_marker = p.in.saw_Adobe_marker;
    p.to.optimize_coding = TRUE;
    if (p.in.progressive_mode)
        jpeg_simple_progression(&p.to);
    jpeg_mem_dest(&p.to, &p.written, &p.n_written);
    jpeg_write_coefficients(&p.to, to);
    jpeg_finish_compress(&p.to);
    close_patch(&p);
    return keep_whole(out, p.written, p.n_written, failure.losses == 0);
}
