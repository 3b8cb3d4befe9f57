/* stand_ins: MuPDF's functions, and ours that take their place (link_args of render_dep). */
#pragma once

#include <mupdf/fitz.h>

typedef struct fz_scale_cache fz_scale_cache;
typedef struct fz_overprint fz_overprint;

void fz_subsample_pixmap(fz_context *ctx, fz_pixmap *pixmap, int factor);

#define BOTH(type, name, ...)                                                                      \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

BOTH(void, fz_blend_pixmap, fz_context *ctx, fz_pixmap *to, fz_pixmap *from, int alpha, int mode,
     int isolated, const fz_pixmap *shape);
BOTH(fz_pixmap *, fz_scale_pixmap_cached, fz_context *ctx, const fz_pixmap *from, float x, float y,
     float w, float h, const fz_irect *clip, fz_scale_cache *cache_x, fz_scale_cache *cache_y);
BOTH(void, fz_paint_image, fz_context *ctx, fz_pixmap *to, const fz_irect *scissor,
     fz_pixmap *shape, fz_pixmap *group_alpha, fz_pixmap *from, fz_matrix matrix, int alpha,
     int mixed, const fz_overprint *overprint);
BOTH(fz_stream *, fz_open_image_decomp_stream_from_buffer, fz_context *ctx,
     fz_compressed_buffer *buffer, int *halvings);
BOTH(fz_image *, fz_new_image_from_compressed_buffer, fz_context *ctx, int w, int h, int bpc,
     fz_colorspace *space, int xres, int yres, int interpolate, int stencil, float *decode,
     int *colorkey, fz_compressed_buffer *buffer, fz_image *mask);
BOTH(fz_glyph *, fz_render_stroked_glyph, fz_context *ctx, fz_font *font, int number,
     fz_matrix *matrix, fz_matrix page, const fz_stroke_state *stroke, const fz_irect *scissor,
     int aa);
