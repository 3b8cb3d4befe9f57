/*
 * reduce: pictures that are drawn at half their size, or a quarter and so on, made small while they
 * are decoded, which for a JPEG takes less than half the time. MuPDF does that too, but not where
 * the size fits exactly, as a scan of 300 dpi does at 150. Its pixels then come out up to a few
 * levels different: for files that are lossy anyway.
 *
 * The linker puts it in the place of MuPDF's function (meson.build, --wrap).
 */
#pragma once

#include <mupdf/fitz.h>
#include <stdbool.h>

/* For what is drawn with this context, which is one of engine_clone or engine_apart. */
void reduce_exactly(fz_context *ctx, bool wanted);
