/*
 * page_turn: pages whose text was drawn sideways although the page is not rotated (ISO 32000-1,
 * 7.7.3.3: /Rotate is 0): the reader rotates them, so that the text is upright.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"

/* By how many degrees, clockwise, the page has to be rotated so that its text is upright: 90 if
 * nearly all characters of horizontal writing go up, 270 if they go down; else 0. */
int page_turn_find(const fz_stext_page *text);
/* The /Rotate of the page with this number, counted from 0: 0 to 270. May throw. */
int page_turn_read(fz_context *ctx, pdf_document *pdf, size_t number);
/* Sets /Rotate of the page with this number in memory; may throw. page_turn_made says from then on
 * by how many degrees, clockwise, the page was rotated so: 0 to 270. */
void page_turn_set(fz_context *ctx, pdf_document *pdf, size_t number, int rotate);
int page_turn_made(fz_context *ctx, pdf_document *pdf, size_t number);
