/*
 * stroked: outlined letters kept for the next time. Text that is filled and outlined is the usual
 * way to make bold of a font that has no bold; MuPDF keeps filled letters and has FreeType stroke
 * each outline anew, which takes twenty times as long. What is drawn is the same.
 *
 * The linker puts it in the place of MuPDF's function (meson.build, --wrap); it keeps letters for
 * contexts of engine_clone and engine_apart.
 */
#pragma once

#include <mupdf/fitz.h>

struct stroked;

/* Letters of that context. */
void stroked_free(struct stroked *stroked, fz_context *ctx);
