/*
 * private: prototypes of the functions that are replaced and are not in MuPDF's public headers: the
 * conversion of single colours and whole pixmaps without ICC profiles
 * (source/fitz/color-imp.h). They were compared with the sources of the versions below;
 * docs/decisions/0009 says how to add a version.
 *
 * The linker puts each __wrap_ function in the place of MuPDF's (meson.build, --wrap), which is
 * then called __real_.
 */
#pragma once

#include <mupdf/fitz.h>

#if FZ_VERSION_MAJOR != 1 || FZ_VERSION_MINOR < 19 || FZ_VERSION_MINOR > 29
#error                                                                                             \
    "unknown MuPDF: see docs/decisions/0009-mupdf-and-its-patches.md, or set -Dmupdf_patches=disabled"
#endif

typedef void private_convert_color(fz_context *ctx, void *converter, const float *from, float *to);

private_convert_color *__real_fz_lookup_fast_color_converter(fz_context *ctx, fz_colorspace *from,
                                                             fz_colorspace *to);
private_convert_color *__wrap_fz_lookup_fast_color_converter(fz_context *ctx, fz_colorspace *from,
                                                             fz_colorspace *to);
void __real_fz_convert_fast_pixmap_samples(fz_context *ctx, const fz_pixmap *from, fz_pixmap *to,
                                           int copy_spots);
void __wrap_fz_convert_fast_pixmap_samples(fz_context *ctx, const fz_pixmap *from, fz_pixmap *to,
                                           int copy_spots);
