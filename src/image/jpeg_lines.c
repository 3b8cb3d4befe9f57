#include "image/jpeg_lines.h"

#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs it */
#include <stdlib.h>

#include <jpeglib.h>

#include <jerror.h>

#include "image/jpeg_effort.h"

#define ROWS       16           /* read at a time */
#define MOST_BYTES (256L << 20) /* of libjpeg: coefficients of a progressive image */

/* libjpeg leaves by longjmp when something fails: only from what jpeg_lines_next calls, which
 * has nothing that cleans up after itself. */
struct jpeg_lines {
    struct jpeg_decompress_struct in;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    struct jpeg_effort effort;
    jmp_buf failed;
    const uint8_t *data;
    size_t n;
    int turned;
    unsigned halvings;
    bool begun;
    enum jpeg_lines_end end;
    uint8_t *rows;
    size_t stride, n_rows;
};

static void leave(j_common_ptr info)
{
    struct jpeg_lines *lines = info->client_data;

    lines->end =
        info->err->msg_code == JERR_OUT_OF_MEMORY ? JPEG_LINES_NO_MEMORY : JPEG_LINES_DAMAGED;
    longjmp(lines->failed, 1);
}

static void ignore_message(j_common_ptr info)
{
    (void) info;
}

static void watch_scans(j_common_ptr info)
{
    struct jpeg_lines *lines = info->client_data;

    if (!jpeg_effort_spend(&lines->effort, &lines->in))
        leave(info);
}

struct jpeg_lines *jpeg_lines_open(const uint8_t *data, size_t n, int turned, unsigned halvings)
{
    struct jpeg_lines *lines = calloc(1, sizeof *lines);

    if (!lines)
        return NULL;
    while (n > 0 && (*data == '\n' || *data == '\r' || *data == ' '))
        data++, n--;
    lines->data = data;
    lines->n = n;
    lines->turned = turned;
    lines->halvings = halvings;
    lines->in.err = jpeg_std_error(&lines->errors);
    lines->in.client_data = lines;
    lines->errors.error_exit = leave;
    lines->errors.output_message = ignore_message;
    lines->progress.progress_monitor = watch_scans;
    return lines;
}

void jpeg_lines_close(struct jpeg_lines *lines)
{
    if (!lines)
        return;
    jpeg_destroy_decompress(&lines->in); /* frees, and cannot fail */
    free(lines->rows);
    free(lines);
}

/* What PDF says, and Adobe's marker: what libjpeg guesses from the names of the channels is not
 * asked. */
static J_COLOR_SPACE space_of(const struct jpeg_lines *lines)
{
    int channels = lines->in.num_components;
    int turned = lines->turned < 0 ? channels == 3 : lines->turned;

    if (lines->in.saw_Adobe_marker)
        turned = lines->in.Adobe_transform;
    if (channels == 3)
        return turned ? JCS_YCbCr : JCS_RGB;
    if (channels == 4)
        return turned ? JCS_YCCK : JCS_CMYK;
    return lines->in.jpeg_color_space;
}

static void begin(struct jpeg_lines *lines)
{
    struct jpeg_decompress_struct *in = &lines->in;

    lines->begun = true;
    jpeg_create_decompress(in);
    in->progress = &lines->progress;
    in->mem->max_memory_to_use = MOST_BYTES;
    lines->effort.bytes = lines->n;
    jpeg_mem_src(in, lines->data, lines->n);
    jpeg_read_header(in, TRUE);
    in->jpeg_color_space = space_of(lines);
    in->scale_num = 8U >> lines->halvings;
    in->scale_denom = 8;
    jpeg_start_decompress(in);
    lines->stride = (size_t) in->output_width * (size_t) in->output_components;
    lines->rows = malloc(ROWS * lines->stride);
    if (!lines->rows) {
        lines->end = JPEG_LINES_NO_MEMORY;
        longjmp(lines->failed, 1);
    }
}

static void read_rows(struct jpeg_lines *lines)
{
    struct jpeg_decompress_struct *in = &lines->in;

    while (lines->n_rows < ROWS && in->output_scanline < in->output_height) {
        JSAMPROW rows[ROWS];

        for (size_t i = lines->n_rows; i < ROWS; i++)
            rows[i - lines->n_rows] = lines->rows + i * lines->stride;
        lines->n_rows += jpeg_read_scanlines(in, rows, (JDIMENSION) (ROWS - lines->n_rows));
    }
    if (in->output_scanline == in->output_height)
        lines->end = JPEG_LINES_DONE;
}

enum jpeg_lines_end jpeg_lines_next(struct jpeg_lines *lines, const uint8_t **rows, size_t *n)
{
    lines->n_rows = 0;
    if (lines->end == JPEG_LINES_MORE && setjmp(lines->failed) == 0) {
        if (!lines->begun)
            begin(lines);
        read_rows(lines);
    }
    /* Rows before the damage are good. */
    *rows = lines->rows;
    *n = lines->n_rows * lines->stride;
    return lines->n_rows > 0 ? JPEG_LINES_MORE : lines->end;
}
